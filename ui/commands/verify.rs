//! `quarterdeck audit verify`: works with and without a running host.

use quarterdeck::control::offline::{self, Verified};

use super::{Failure, Session, output};

pub fn run(session: &Session) -> Result<(), Failure> {
    let verified = offline::verify(session.settings.state_dir(), &session.settings.head())?;
    if session.json {
        output::json(&verified)?
    } else {
        output::line(&sentence(&verified))?
    }
    match code(&verified) {
        0 => Ok(()),
        code => Err(Failure::code(code)),
    }
}

/// The exit codes: 1, "could not check", is a [`Failure`] of its own.
fn code(verified: &Verified) -> u8 {
    match verified {
        Verified::Intact { .. } => 0,
        Verified::Broken { .. } => 10,
        Verified::Truncated { .. } => 11,
        Verified::UnknownKey { .. } => 12,
    }
}

pub fn sentence(verified: &Verified) -> String {
    match verified {
        Verified::Intact { seq } => format!("The audit is intact: {seq} records."),
        Verified::Broken { seq } => format!("The audit is broken: record {seq} is not what was written, or is missing."),
        Verified::Truncated { seq, remembered } => {
            format!("The audit is truncated: it ends at record {seq}, and record {remembered} was seen before.")
        }
        Verified::UnknownKey { seq } => {
            format!("The audit was signed with another key up to record {seq}: it is not the one that was here before.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_has_its_own_exit_code_and_names_the_record() {
        let findings = [
            (Verified::Intact { seq: 7 }, 0),
            (Verified::Broken { seq: 7 }, 10),
            (Verified::Truncated { seq: 3, remembered: 7 }, 11),
            (Verified::UnknownKey { seq: 7 }, 12),
        ];
        for (finding, expected) in findings {
            assert_eq!(code(&finding), expected);
            assert!(sentence(&finding).contains('7'), "{finding:?}");
        }
    }
}
