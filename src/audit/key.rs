//! The key at a start: one that is not the key the audit was signed with so far, and one that others could read. Either is written down
//! before anything is signed, so that it is found out also when nobody looked at that start.

use super::append::Audit;
use super::model::{Draft, Kind, Seq};
use super::store;
use crate::access::Principal;
use crate::store::Error;

/// What is to be told about the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeyNews {
    /// There was none, though checkpoints had been signed.
    #[error(
        "audit.key was missing, so a new one was made: the audit up to record {0} cannot be checked without the old one. If you have it, stop \
         the host and put it back"
    )]
    Missing(Seq),
    /// There was another one.
    #[error(
        "audit.key is another key than the one that signed the audit up to record {0}. If you did not exchange it, stop the host, put the \
         old key back, and see who can write to the state directory"
    )]
    Exchanged(Seq),
    /// Its mode let others in, and does not any more.
    #[error(
        "audit.key was open to other users (mode {0:03o}) and is closed now: whoever could reach it may hold a copy, and sign an audit of \
         their own"
    )]
    Open(u32),
}

impl Audit {
    /// Writes down what is wrong with the key, and signs that with it: an exchanged key is told once.
    pub(crate) async fn key_news(&self) -> Result<Vec<KeyNews>, Error> {
        let audit = self.clone();
        let news = self.store.write(move |tx| {
            let open = audit.signer.was_open().map(KeyNews::Open);
            let foreign = store::last_signed(tx)?.filter(|(_, key)| key != audit.signer.id());
            let changed = foreign.as_ref().map(|(seq, _)| match audit.signer.is_new() {
                true => KeyNews::Missing(*seq),
                false => KeyNews::Exchanged(*seq),
            });
            if let Some(KeyNews::Open(mode)) = open {
                audit.append(tx, &Principal::System, Draft::ok(Kind::AuditKeyOpen).with("mode", format!("{mode:03o}")))?;
            }
            if let Some((seq, before)) = foreign {
                let draft = Draft::ok(Kind::AuditKeyChanged).with("before", before).with("now", audit.signer.id());
                audit.append(tx, &Principal::System, draft.with("signed_up_to", seq).with("made", audit.signer.is_new()))?;
            }
            Ok::<_, Error>(changed.into_iter().chain(open).collect::<Vec<_>>())
        });
        let news = news.await?;
        if news.iter().any(|news| !matches!(news, KeyNews::Open(_))) {
            self.checkpoint().await?;
        }
        Ok(news)
    }
}
