//! Who is on the other end of a connection, and how often one address may ask for what needs no token.
//!
//! A limit per address cannot lock the owner out: it holds for that address only, and never for this machine itself, where the owner's own
//! browser comes from. Behind a proxy every request seems to come from the proxy; one that is named in `trusted_proxies` is believed when
//! it says whom it speaks for. By default that is every program on this machine: that is where tunnels end, and one that lies could only
//! escape the limit, which it does not have for itself.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use cidr::IpCidr;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use http::{HeaderMap, StatusCode, header};

use super::answer;

/// Requests one address may make in a burst; one more is allowed every second after it. Many times what a browser and a client need.
const BURST: NonZeroU32 = NonZeroU32::MIN.saturating_add(59);
const PER_SECOND: NonZeroU32 = NonZeroU32::MIN;
/// Addresses that are remembered in any case.
const REMEMBERED: usize = 10_000;

type Limiter<C> = RateLimiter<IpAddr, DefaultKeyedStateStore<IpAddr>, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// The proxies that are believed about whom they speak for; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Proxies(Arc<[IpCidr]>);

impl Proxies {
    /// These address ranges.
    pub(crate) fn new(trusted: &[IpCidr]) -> Proxies {
        Proxies(trusted.into())
    }

    /// Whether this is one of them.
    pub(super) fn has(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|range| range.contains(&address))
    }
}

/// The limit per address; clones share it.
#[derive(Clone)]
pub(crate) struct PeerLimit<C: Clock = DefaultClock> {
    limiter: Arc<Limiter<C>>,
    clock: C,
    trusted: Proxies,
    /// Addresses remembered before the quiet ones are forgotten.
    most: Arc<AtomicUsize>,
}

impl PeerLimit {
    /// A limit that believes `trusted` proxies.
    pub(crate) fn new(trusted: Proxies) -> PeerLimit {
        PeerLimit::with_clock(trusted, DefaultClock::default())
    }
}

impl<C: Clock + Clone> PeerLimit<C> {
    fn with_clock(trusted: Proxies, clock: C) -> PeerLimit<C> {
        let quota = Quota::per_second(PER_SECOND).allow_burst(BURST);
        let limiter = Arc::new(RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone()));
        PeerLimit { limiter, clock, trusted, most: Arc::new(AtomicUsize::new(REMEMBERED)) }
    }

    /// Seconds to wait, when this connection asked too often.
    fn wait(&self, peer: SocketAddr, headers: &HeaderMap) -> Option<u64> {
        let address = network(self.speaks_for(peer.ip(), headers)?);
        self.forget();
        let refused = self.limiter.check_key(&address).err()?;
        Some(u64::try_from(refused.wait_time_from(self.clock.now()).as_millis().div_ceil(1000)).unwrap_or(u64::MAX))
    }

    /// Forgets quiet addresses when there are many. If most are not quiet, it is not tried again before there are twice as many: looking
    /// through all of them at every request would be the very work a flood is after.
    fn forget(&self) {
        if self.limiter.len() > self.most.load(Ordering::Relaxed) {
            self.limiter.retain_recent();
            self.most.store(self.limiter.len().saturating_mul(2).max(REMEMBERED), Ordering::Relaxed);
        }
    }

    /// The address that counts; `None` for this machine itself.
    fn speaks_for(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        let peer = peer.to_canonical();
        let counted = if self.trusted.has(peer) {
            // Read from the right: everything left of the first address that no trusted proxy vouches for is anybody's claim.
            let claims = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
            let claims: Vec<&str> = claims.flat_map(|value| value.split(',')).collect();
            claims
                .iter()
                .rev()
                .map_while(|claim| claim.trim().parse::<IpAddr>().ok().map(|claim| claim.to_canonical()))
                .find(|claim| !self.trusted.has(*claim))
                .unwrap_or(peer)
        } else {
            peer
        };
        (!counted.is_loopback()).then_some(counted)
    }
}

/// An IPv6 address stands for its /64, which one subscriber has to itself.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        v4 @ IpAddr::V4(_) => v4,
        own if own.is_loopback() => own,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
    }
}

/// Answers 429 to an address that asks too often. For routes that need no token.
pub(crate) async fn per_address(State(limit): State<PeerLimit>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer);
    let Some(seconds) = peer.and_then(|peer| limit.wait(peer, request.headers())) else {
        return next.run(request).await;
    };
    let message = format!("too many requests from this address; try again in {seconds} seconds");
    let refusal = answer::refusal(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", &message);
    ([(header::RETRY_AFTER, seconds.to_string())], refusal).into_response()
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limit(trusted: &[&str]) -> (PeerLimit<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let trusted: Vec<IpCidr> = trusted.iter().map(|range| range.parse().unwrap()).collect();
        (PeerLimit::with_clock(Proxies::new(&trusted), clock.clone()), clock)
    }

    fn asked(limit: &PeerLimit<FakeRelativeClock>, peer: &str, forwarded: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        if let Some(claim) = forwarded {
            headers.insert("x-forwarded-for", claim.parse().unwrap());
        }
        limit.wait(SocketAddr::new(peer.parse().unwrap(), 50_000), &headers)
    }

    fn burst(limit: &PeerLimit<FakeRelativeClock>, peer: &str, forwarded: Option<&str>) {
        for _ in 0..BURST.get() {
            assert_eq!(asked(limit, peer, forwarded), None);
        }
    }

    #[test]
    fn an_address_that_asks_too_often_waits_and_no_other_does() {
        let (limit, clock) = limit(&[]);
        burst(&limit, "203.0.113.5", None);
        assert_eq!(asked(&limit, "203.0.113.5", None), Some(1));
        assert_eq!(asked(&limit, "203.0.113.6", None), None);
        clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(asked(&limit, "203.0.113.5", None), None);
    }

    #[test]
    fn this_machine_is_never_limited() {
        let (limit, _clock) = limit(&[]);
        for peer in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            burst(&limit, peer, None);
            assert_eq!(asked(&limit, peer, None), None, "{peer}");
        }
    }

    #[test]
    fn one_subscriber_cannot_use_its_many_addresses() {
        let (limit, _clock) = limit(&[]);
        burst(&limit, "2001:db8:1:2::1", None);
        assert_eq!(asked(&limit, "2001:db8:1:2:ffff::9", None), Some(1));
        assert_eq!(asked(&limit, "2001:db8:1:3::1", None), None);
    }

    #[test]
    fn quiet_addresses_are_forgotten_and_busy_ones_are_not_looked_through_at_every_request() {
        let (limit, clock) = limit(&[]);
        let from = |n: u32| IpAddr::V4(std::net::Ipv4Addr::from_bits(0xcb00_0000 + n)).to_string();
        let ask = |n: u32| assert_eq!(asked(&limit, &from(n), None), None);
        (0..10_001).for_each(ask);
        assert_eq!(limit.most.load(Ordering::Relaxed), REMEMBERED);
        ask(10_001);
        assert_eq!((limit.limiter.len(), limit.most.load(Ordering::Relaxed)), (10_002, 20_002));
        clock.advance(std::time::Duration::from_secs(120));
        (10_002..20_003).for_each(ask);
        ask(20_003);
        assert!(limit.limiter.len() < 20_000, "{}", limit.limiter.len());
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_about_the_address_it_saw() {
        let (limit, _clock) = limit(&["127.0.0.1/32"]);
        // Whatever the client claimed stands left of what the proxy saw.
        burst(&limit, "127.0.0.1", Some("198.51.100.1, 203.0.113.9"));
        assert_eq!(asked(&limit, "127.0.0.1", Some("198.51.100.77, 203.0.113.9")), Some(1));
        assert_eq!(asked(&limit, "127.0.0.1", Some("203.0.113.10")), None);
        // The same address in IPv6 clothes is the same address, and no other one's.
        assert_eq!(asked(&limit, "127.0.0.1", Some("::ffff:203.0.113.9")), Some(1));
        assert_eq!(asked(&limit, "127.0.0.1", Some("::ffff:203.0.113.11")), None);
        // An untrusted peer speaks for itself.
        burst(&limit, "203.0.113.20", Some("198.51.100.2"));
        assert_eq!(asked(&limit, "203.0.113.20", Some("198.51.100.3")), Some(1));
    }
}
