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
}

impl Passkeys {
    /// An address that leads to the live link `url` once; `None` when that is not the live link. Recorded: whoever follows the address
    /// holds the link.
    pub(crate) async fn ticket(&self, who: &Principal, url: &str) -> Result<Option<String>, Error> {
        let Some(public_url) = self.public_url() else { return Ok(None) };
        let secret = url.split('#').nth(1).unwrap_or_default();
        let (passkeys, who, link) = (self.clone(), who.clone(), Digest::of(secret.as_bytes()));
        let live = self.store.write(move |tx| {
            let live = passkeys.is_live(tx, &link)?;
            if live {
                passkeys.audit.append(tx, &who, Draft::ok(Kind::PasskeyLinkOpened))?;
            }
            Ok::<_, Error>(live)
        });
        if !live.await? {
            return Ok(None);
        }
        let ticket = Secret::mint(&self.rng);
        let address = public_url.join(&format!("/enroll?ticket={}", ticket.expose()));
        let until = self.clock.now().plus(LIFETIME);
        *self.tickets.0.lock() = Some(Ticket { digest: ticket.digest(), link: Secret::new(secret.to_owned()), until });
        Ok(Some(address))
    }

    /// Where this ticket leads, relative to the public URL; it leads nowhere after that.
    pub(super) fn redeem(&self, ticket: &str) -> Option<String> {
        let mut out = self.tickets.0.lock();
        let digest = Digest::of(ticket.as_bytes());
        let now = self.clock.now();
        let taken = out.take_if(|ticket| ticket.digest == digest)?;
        (now < taken.until).then(|| format!("/enroll#{}", taken.link.expose()))
    }
}
