//! Verification: recompute the chain, check the signatures, compare with the head that was remembered elsewhere.
//!
//! What it finds: a changed byte, a missing or inserted row, a checkpoint nobody here signed, and a tail that was cut off after somebody
//! remembered it. What it cannot find: a rewrite by someone who holds the key, before any head was remembered elsewhere.

use std::path::Path;

use super::model::{Head, Seq};
use super::{Signer, store};
use crate::clock::UnixMs;
use crate::store::{Error, Reader, read_only};

/// Rows looked at per query.
const PAGE: i64 = 1000;

/// What verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Every row and every signature is as it was written.
    Intact(Head),
    /// The row with this number is not what was written, or is missing.
    Broken(Seq),
    /// The chain ends at `found`, and `remembered` rows were seen before.
    Truncated {
        /// The last row there is.
        found: Seq,
        /// The last row somebody remembers.
        remembered: Seq,
    },
    /// The checkpoint at this number was not signed by the key in the state directory.
    UnknownKey(Seq),
}

/// Checks the database at `path` against `signer` and the head that was `remembered`, if any.
///
/// # Errors
/// When the file cannot be read: nothing was found out.
pub(crate) fn verify(path: &Path, signer: &Signer, remembered: Option<Head>) -> Result<Finding, Error> {
    let conn = read_only(path)?;
    // One read transaction, so a host that goes on writing cannot make two halves disagree.
    let tx = conn.unchecked_transaction()?;
    check(&Reader::on(&tx), signer, remembered)
}

/// The present end of the chain in the database at `path`, and whether the end that was `seen` before is in it. Looks at two rows: what is
/// between them is what [`verify`] is for.
pub(crate) fn end(path: &Path, seen: Option<Head>) -> Result<(Head, bool), Error> {
    let conn = read_only(path)?;
    let tx = conn.unchecked_transaction()?;
    let db = Reader::on(&tx);
    let kept = match seen.filter(|seen| *seen != Head::EMPTY) {
        Some(seen) => store::raw_from(&db, seen.seq, 1)?.iter().any(|row| row.seq == seen.seq && row.hash == seen.hash),
        None => true,
    };
    Ok((store::head(&db)?, kept))
}

/// The newest rows, recomputed.
pub(crate) struct Tail {
    /// The last row; 0 when there is none.
    pub(crate) seq: Seq,
    /// When it was made.
    pub(crate) newest_at: Option<UnixMs>,
    /// Whether each of them follows from the one before.
    pub(crate) intact: bool,
}

/// Recomputes the newest rows in the database at `path`: quick, and no more than that. The rest is what [`verify`] is for.
pub(crate) fn tail(path: &Path) -> Result<Tail, Error> {
    let conn = read_only(path)?;
    let tx = conn.unchecked_transaction()?;
    let db = Reader::on(&tx);
    let end = store::head(&db)?;
    let rows = store::raw_from(&db, end.seq.saturating_sub(PAGE).saturating_add(1), PAGE)?;
    let mut before = rows.first().filter(|row| row.seq != 1).map(|row| Head { seq: row.seq, hash: row.hash });
    let (mut intact, mut newest_at) = (true, None);
    for row in &rows {
        let record = row.record();
        let here = Head { seq: row.seq, hash: row.hash };
        let first = before == Some(here);
        let expected = before.unwrap_or(Head::EMPTY).after(&row.record);
        intact &= record.is_some() && (first || expected == here);
        newest_at = record.map(|record| record.at);
        before = Some(here);
    }
    Ok(Tail { seq: end.seq, newest_at, intact })
}

/// Whose signatures are under the checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signed {
    /// The key's, or there is none yet.
    Ours,
    /// Another key's up to this record, and the key's since.
    Since(Seq),
    /// Another key's up to this record, which is the newest that was signed.
    Foreign(Seq),
    /// The newest one is not what the key signed.
    Forged,
}

/// Looks at who signed the audit in the database at `path`, without checking more than the newest signature. Without a key, every one is
/// another's.
pub(crate) fn signed(path: &Path, signer: Option<&Signer>) -> Result<Signed, Error> {
    let conn = read_only(path)?;
    let tx = conn.unchecked_transaction()?;
    let db = Reader::on(&tx);
    let made = store::checkpoints(&db)?;
    let foreign = made.iter().rev().find(|made| signer.is_none_or(|signer| signer.id() != made.key_id)).map(|made| made.head.seq);
    let Some(newest) = made.last() else { return Ok(Signed::Ours) };
    if foreign == Some(newest.head.seq) {
        return Ok(Signed::Foreign(newest.head.seq));
    }
    let stands =
        store::raw_from(&db, newest.head.seq, 1)?.iter().any(|row| row.seq == newest.head.seq && row.hash == newest.head.hash);
    if !stands || !signer.is_some_and(|signer| signer.signed(&newest.head, &newest.signature)) {
        return Ok(Signed::Forged);
    }
    Ok(foreign.map_or(Signed::Ours, Signed::Since))
}

fn check(db: &Reader<'_>, signer: &Signer, remembered: Option<Head>) -> Result<Finding, Error> {
    let mut checkpoints = store::checkpoints(db)?.into_iter().peekable();
    let mut head = Head::EMPTY;
    // From the least number there is: a row put in before the first would be shown as the oldest record.
    let mut from = Seq::MIN;
    loop {
        let rows = store::raw_from(db, from, PAGE)?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let expected = head.seq.saturating_add(1);
            head = head.after(&row.record);
            if row.seq != expected || row.hash != head.hash || row.record().is_none() {
                return Ok(Finding::Broken(expected));
            }
            if remembered.is_some_and(|seen| seen.seq == head.seq && seen.hash != head.hash) {
                return Ok(Finding::Broken(head.seq));
            }
            while let Some(made) = checkpoints.next_if(|made| made.head.seq <= head.seq) {
                if made.key_id != signer.id() {
                    return Ok(Finding::UnknownKey(made.head.seq));
                }
                if made.head != head || !signer.signed(&made.head, &made.signature) {
                    return Ok(Finding::Broken(made.head.seq));
                }
            }
        }
        from = head.seq.saturating_add(1);
    }
    let signed = checkpoints.last().map(|made| made.head.seq);
    let seen = signed.into_iter().chain(remembered.map(|head| head.seq)).max().unwrap_or(0);
    if seen > head.seq {
        return Ok(Finding::Truncated { found: head.seq, remembered: seen });
    }
    Ok(Finding::Intact(head))
}
