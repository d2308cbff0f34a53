//! The report: a line per finding, below it what to do, and a last line that counts.

use serde_json::json;

use super::finding::{Finding, Level};
use crate::commands::{Failure, output};

/// Says it; a failure when anything is in the way.
pub(super) fn tell(found: &[Finding], json: bool) -> Result<(), Failure> {
    let failed = found.iter().filter(|finding| finding.level == Level::Fail).count();
    if json {
        output::json(&json!({ "failed": failed, "checks": found }))?;
    } else {
        output::line(&lines(found, failed))?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::code(1)) }
}

fn lines(found: &[Finding], failed: usize) -> String {
    let width = found.iter().map(|finding| finding.subject.len()).max().unwrap_or_default();
    let mut lines = Vec::new();
    for Finding { level, subject, says, next } in found {
        let level = match level {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Fail => "fail",
        };
        lines.push(format!("{level:4}  {subject:width$}  {says}"));
        lines.extend(next.iter().map(|next| format!("{:4}  {:width$}  next: {next}", "", "")));
    }
    lines.push(String::new());
    lines.push(match failed {
        0 => "Nothing is in the way.".to_owned(),
        1 => "One thing is in the way: the line that begins with fail.".to_owned(),
        more => format!("{more} things are in the way: the lines that begin with fail."),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_stands_below_what_was_found() {
        let found = [
            Finding::ok("clock", "it goes on"),
            Finding::note("host", "none is running", ""),
            Finding::fail("files", "/state/audit.key can be read by others", "chmod 600 /state/audit.key"),
        ];
        insta::assert_snapshot!(lines(&found, 1), @r"
        ok    clock  it goes on
        note  host   none is running
        fail  files  /state/audit.key can be read by others
                     next: chmod 600 /state/audit.key

        One thing is in the way: the line that begins with fail.
        ");
    }

    #[test]
    fn only_a_fail_is_a_failure() {
        assert!(tell(&[Finding::note("host", "none is running", "")], true).is_ok());
        assert!(tell(&[Finding::fail("host", "it is old", "start it again")], true).is_err());
    }

    #[test]
    fn text_of_others_is_made_visible() {
        let finding = Finding::fail("files", "a\u{202e}b", "c\nd");
        assert_eq!((finding.says.as_str(), finding.next.as_deref()), ("a⟨U+202E⟩b", Some("c⟨U+000A⟩d")));
    }
}
