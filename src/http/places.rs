//! Places for connections: so many in all, and no stranger has more than a share of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::peer::{Proxies, network};

/// One address may have this part of the places: far more than a client and a browser open, and four of them are needed to close the door.
const SHARE: usize = 4;

/// The places; clones share them.
#[derive(Clone)]
pub(super) struct Places {
    most: usize,
    proxies: Proxies,
    taken: Arc<Mutex<Taken>>,
    /// Told when the last one was given back.
    free: Arc<Notify>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    /// Only of addresses that have any.
    by: HashMap<IpAddr, usize>,
}

/// A place, free again when dropped.
pub(super) struct Place {
    of: IpAddr,
    taken: Arc<Mutex<Taken>>,
    free: Arc<Notify>,
}

impl Places {
    /// Places that `proxies` may have all of.
    pub(super) fn new(most: usize, proxies: Proxies) -> Places {
        Places { most, proxies, taken: Arc::default(), free: Arc::default() }
    }

    /// A place for a connection from this address. This machine itself and trusted proxies are not held to a share: the owner comes from
    /// there, and so do many others.
    pub(super) fn take(&self, peer: IpAddr) -> Option<Place> {
        let of = network(peer);
        let share = if of.is_loopback() || self.proxies.has(peer) { self.most } else { (self.most / SHARE).max(1) };
        let mut taken = self.taken.lock();
        let has = taken.by.get(&of).copied().unwrap_or_default();
        if taken.all >= self.most || has >= share {
            return None;
        }
        taken.all += 1;
        taken.by.insert(of, has + 1);
        Some(Place { of, taken: Arc::clone(&self.taken), free: Arc::clone(&self.free) })
    }

    /// How many are taken now.
    pub(super) fn taken(&self) -> usize {
        self.taken.lock().all
    }

    /// Waits until nobody has one.
    pub(super) async fn all_free(&self) {
        loop {
            // Listened for before it is looked: the last one given back in between is heard.
            let free = self.free.notified();
            if self.taken() == 0 {
                return;
            }
            free.await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        taken.all = taken.all.saturating_sub(1);
        if taken.all == 0 {
            self.free.notify_waiters();
        }
        match taken.by.get_mut(&self.of) {
            Some(has) if *has > 1 => *has -= 1,
            _ => drop(taken.by.remove(&self.of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(most: usize) -> Places {
        Places::new(most, Proxies::new(&["10.0.0.0/8".parse().unwrap()]))
    }

    fn take(places: &Places, peer: &str) -> Option<Place> {
        places.take(peer.parse().unwrap())
    }

    #[test]
    fn one_address_cannot_take_all_places_and_gets_back_what_it_gave_up() {
        let places = places(8);
        let mut strangers: Vec<Place> = (0..2).map(|_| take(&places, "203.0.113.5").unwrap()).collect();
        assert!(take(&places, "203.0.113.5").is_none());
        assert!(take(&places, "::ffff:203.0.113.5").is_none(), "the same in IPv6 clothes");
        let _other = take(&places, "203.0.113.6").unwrap();
        strangers.pop();
        assert!(take(&places, "203.0.113.5").is_some());
    }

    #[test]
    fn the_many_addresses_of_one_subscriber_count_as_one() {
        let places = places(4);
        let _held = take(&places, "2001:db8:1:2::1").unwrap();
        assert!(take(&places, "2001:db8:1:2::2").is_none());
        assert!(take(&places, "2001:db8:1:3::1").is_some());
    }

    #[test]
    fn a_trusted_proxy_speaks_for_many_and_may_have_all_places() {
        let places = places(4);
        let held: Vec<Place> = (0..4).map(|_| take(&places, "::ffff:10.1.2.3").unwrap()).collect();
        assert!(take(&places, "10.1.2.3").is_none());
        drop(held);
    }

    #[test]
    fn this_machine_may_have_all_places_and_no_more() {
        let places = places(3);
        let held: Vec<Place> = ["127.0.0.1", "127.0.0.1", "::1"].iter().map(|peer| take(&places, peer).unwrap()).collect();
        assert!(take(&places, "127.0.0.1").is_none());
        drop(held);
        assert!(take(&places, "::1").is_some());
        assert!(places.taken.lock().by.is_empty(), "nothing is remembered of who is gone");
    }
}
