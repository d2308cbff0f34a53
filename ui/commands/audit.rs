//! `quarterdeck audit`: the newest records, oldest first as in a log.

use std::io::Write as _;

use quarterdeck::control::AuditRow;

use super::{Failure, Session, export, follow, output, verify, which};
use crate::args::{self, AuditVerb};
use crate::export::Format;
use crate::reading;

/// How records are printed.
#[derive(Clone, Copy)]
pub enum Printed {
    /// Lines for people.
    Lines,
    /// As in a file.
    As(Format),
}

impl Printed {
    /// What stands before the first row.
    pub fn head(self) -> String {
        match self {
            Printed::Lines => String::new(),
            Printed::As(format) => format.head(),
        }
    }

    /// A row with its line break.
    pub fn row(self, row: &AuditRow) -> String {
        match self {
            Printed::Lines => format!("{}\n", line(row)),
            Printed::As(format) => format.row(row),
        }
    }
}

pub async fn run(session: &Session, mut asked: args::Audit) -> Result<(), Failure> {
    match asked.verb.take() {
        None => read(session, asked).await,
        // Flags of the reading would narrow nothing there, and nobody would notice.
        Some(_) if asked.narrows() => {
            Err(Failure::usage("put verify or export right after audit, and what narrows an export after its file".to_owned()))
        }
        Some(AuditVerb::Verify) => verify::run(session),
        Some(AuditVerb::Export { path, which, csv }) => export::run(session, &path, which, csv).await,
    }
}

async fn read(session: &Session, asked: args::Audit) -> Result<(), Failure> {
    let printed = match (asked.csv, session.json) {
        (true, _) => Printed::As(Format::Csv),
        (_, true) => Printed::As(Format::JsonLines),
        _ => Printed::Lines,
    };
    let filter = which::filter(asked.which, &which::here())?;
    let most = usize::try_from(asked.limit).unwrap_or(usize::MAX);
    let client = session.host().await?;
    if asked.follow {
        return follow::run(client, filter, printed, most).await;
    }
    let (rows, more) = reading::newest(&client, &filter, None, most).await?;
    let text: String = rows.iter().map(|row| printed.row(row)).collect();
    if !output::text_as_it_is(&format!("{}{text}", printed.head()))? {
        return Ok(());
    }
    // Not among the records: what reads them needs no care.
    let mut aside = std::io::stderr();
    if rows.is_empty() {
        let _nobody_reads = writeln!(aside, "No record fits.");
    } else if more && rows.len() >= most {
        let _nobody_reads = writeln!(aside, "These are the newest {most}: see more with --limit.");
    }
    Ok(())
}

/// A record for people: number, time, how it ended, what, who, on what, why not.
fn line(row: &AuditRow) -> String {
    let mut parts = vec![
        format!("{:>7}", row.seq),
        output::minute(&row.at),
        format!("{:<7}", row.outcome),
        format!("{:<22}", row.kind),
        format!("{:<24}", row.actor),
    ];
    parts.extend(row.object.clone());
    parts.extend(row.reason.as_ref().map(|reason| format!("({reason})")));
    parts.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_line() {
        let json = serde_json::json!({ "seq": 7, "at": "2026-12-01T09:30:00.000Z", "actor": "connection:dots", "kind": "tool.called",
            "object": "GetMemory a.md", "outcome": "refused", "reason": "insufficient_scope", "grant": null, "took_ms": 3 });
        let mut row: AuditRow = serde_json::from_value(json).unwrap();
        assert_eq!(
            line(&row),
            "      7  2026-12-01 09:30 UTC  refused  tool.called             connection:dots           GetMemory a.md  (insufficient_scope)"
        );
        (row.object, row.reason) = (None, None);
        assert_eq!(line(&row), "      7  2026-12-01 09:30 UTC  refused  tool.called             connection:dots");
    }
}
