//! `quarterdeck audit --follow`: records as they are committed, each once, none left out.
//!
//! What the host tells is printed while the numbers go on one by one. A gap, or word that notices were lost, is filled by reading the audit
//! from the last number on.

use quarterdeck::control::{AuditFilter, AuditRow, Client, Notice};
use tokio::signal::unix::{SignalKind, signal};

use super::audit::Printed;
use super::{Failure, output};
use crate::reading::{self, Forward};

/// What a notice means for the reading.
#[derive(Debug, PartialEq)]
enum Heard {
    /// Nothing.
    Nothing,
    /// The next record.
    Next(Box<AuditRow>),
    /// Records are missing: read on from the last one.
    Missed,
    /// The host is going.
    Stopping,
}

/// What `notice` means when everything up to record `last` was seen.
fn heard(notice: Notice, last: i64) -> Heard {
    match notice {
        Notice::Recorded(row) if row.seq <= last => Heard::Nothing,
        Notice::Recorded(row) if row.seq == last.saturating_add(1) => Heard::Next(Box::new(row)),
        Notice::Recorded(_) | Notice::Lagged(_) => Heard::Missed,
        Notice::Stopping => Heard::Stopping,
        Notice::Waiting { .. } | Notice::Connections(_) | Notice::Passkeys(_) | Notice::Health(_) => Heard::Nothing,
    }
}

/// Prints the newest `most` records and then what comes, until ctrl-c, a stop of the host, or nobody reads any more.
pub async fn run(client: Client, filter: AuditFilter, printed: Printed, most: usize) -> Result<(), Failure> {
    let unheard = |error| Failure::new(format!("signals cannot be received: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unheard)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(unheard)?;
    tokio::select! {
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
        done = follow(client, &filter, printed, most) => done,
    }
}

async fn follow(client: Client, filter: &AuditFilter, printed: Printed, most: usize) -> Result<(), Failure> {
    // Listening begins before the reading: nothing can fall between the two.
    let (snapshot, mut notices) = client.subscribe().await?;
    let mut last = snapshot.seq;
    let (rows, _more) = reading::newest(&client, filter, Some(last.saturating_add(1)), most).await?;
    if !output::text_as_it_is(&printed.head())? || !print(&rows, printed)? {
        return Ok(());
    }
    while let Some(notice) = notices.next().await {
        match heard(notice, last) {
            Heard::Nothing => {}
            Heard::Next(row) => {
                last = row.seq;
                if filter.matches(&row) && !print(std::slice::from_ref(&*row), printed)? {
                    return Ok(());
                }
            }
            Heard::Missed => {
                let mut missed = Forward::from(client.clone(), filter.clone(), last);
                while let Some(rows) = missed.next().await? {
                    last = missed.read();
                    if !print(&rows, printed)? {
                        return Ok(());
                    }
                }
            }
            Heard::Stopping => break,
        }
    }
    Err(Failure::stopped())
}

/// Whether somebody still reads.
fn print(rows: &[AuditRow], printed: Printed) -> Result<bool, Failure> {
    output::text_as_it_is(&rows.iter().map(|row| printed.row(row)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seq: i64) -> AuditRow {
        let json = serde_json::json!({ "seq": seq, "at": "2026-12-01T09:30:00.000Z", "actor": "system", "kind": "host.started",
            "object": null, "outcome": "ok", "reason": null, "grant": null, "took_ms": null });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn only_the_next_record_is_printed_and_every_gap_is_read() {
        for (notice, expected) in [
            (Notice::Recorded(row(6)), Heard::Nothing),
            (Notice::Recorded(row(7)), Heard::Nothing),
            (Notice::Recorded(row(8)), Heard::Next(Box::new(row(8)))),
            (Notice::Recorded(row(9)), Heard::Missed),
            (Notice::Lagged(3), Heard::Missed),
            (Notice::Health(None), Heard::Nothing),
            (Notice::Stopping, Heard::Stopping),
        ] {
            assert_eq!(heard(notice.clone(), 7), expected, "{notice:?}");
        }
    }
}
