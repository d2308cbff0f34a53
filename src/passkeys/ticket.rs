//! Handing a link to the browser of this machine without making it an argument of a program, where every user of the machine could read
//! it: the browser is given an address that leads to the link once, within seconds.

use std::time::Duration;

use parking_lot::Mutex;

use super::Passkeys;
use crate::access::Principal;
use crate::audit::{Draft, Kind};
use crate::clock::UnixMs;
use crate::digest::Digest;
use crate::secret::Secret;
use crate::store::Error;

/// How long a browser may take to start.
const LIFETIME: Duration = Duration::from_secs(60);

/// The one ticket that is out. In memory only: a restart voids it.
#[derive(Default)]
pub(super) struct Tickets(Mutex<Option<Ticket>>);

struct Ticket {
    digest: Digest,
    link: Secret<String>,
    until: UnixMs,
    /// Who asked for it: it is their browser that comes.
    who: Principal,
}

impl Passkeys {
    /// An address that leads to the live link `url` once; `None` when that is not the live link.
    pub(crate) async fn ticket(&self, who: &Principal, url: &str) -> Result<Option<String>, Error> {
        let Some(public_url) = self.public_url() else { return Ok(None) };
        let secret = url.split('#').nth(1).unwrap_or_default();
        let link = Digest::of(secret.as_bytes());
        if !self.store.look(|db| self.is_live(db, &link))? {
            return Ok(None);
        }
        let ticket = Secret::mint(&self.rng);
        let address = public_url.join(&format!("/enroll?ticket={}", ticket.expose()));
        let until = self.clock.now().plus(LIFETIME);
        let link = Secret::new(secret.to_owned());
        *self.tickets.0.lock() = Some(Ticket { digest: ticket.digest(), link, until, who: who.clone() });
        Ok(Some(address))
    }

    /// Where this ticket leads, relative to the public URL; it leads nowhere after that. Recorded here and not when it was handed out: only
    /// now a browser came with it, and whoever did holds the link.
    pub(super) async fn redeem(&self, ticket: &str) -> Result<Option<String>, Error> {
        let (digest, now) = (Digest::of(ticket.as_bytes()), self.clock.now());
        let taken = self.tickets.0.lock().take_if(|ticket| ticket.digest == digest);
        let Some(taken) = taken.filter(|ticket| now < ticket.until) else { return Ok(None) };
        self.audit.record(&taken.who, Draft::ok(Kind::PasskeyLinkOpened)).await?;
        Ok(Some(format!("/enroll#{}", taken.link.expose())))
    }
}
