//! What the store holds: a passkey that lets somebody in, and an audit whose end is as it was written.

use std::path::Path;

use quarterdeck::config::PublicUrl;
use quarterdeck::control::examine::{End, Kept};
use quarterdeck::control::offline::OfflineError;

use super::finding::Finding;
use crate::settings::Settings;

const PASSKEYS: &str = "passkeys";
const AUDIT: &str = "audit";

pub(super) fn check(kept: &Result<Kept, OfflineError>, url: Option<&PublicUrl>, settings: &Settings) -> Vec<Finding> {
    match kept {
        Ok(kept) => vec![passkeys(&kept.passkeys, url), audit(kept, &settings.head())],
        Err(error @ OfflineError::Damaged(found)) => {
            vec![Finding::fail("store", &format!("it is damaged: {found}"), error.next().unwrap_or_default())]
        }
        Err(OfflineError::NoStore(_)) => vec![Finding::note("store", "nothing is kept yet: the first start makes the store", "")],
        Err(error) => {
            let look = || format!("look at the files in {}", settings.state_dir().display());
            vec![Finding::fail("store", &error.to_string(), &error.next().map_or_else(look, str::to_owned))]
        }
    }
}

fn passkeys(all: &[String], url: Option<&PublicUrl>) -> Finding {
    let Some(url) = url else { return Finding::note(PASSKEYS, &format!("{} are enrolled", all.len()), "") };
    let here = all.iter().filter(|origin| *origin == url.origin()).count();
    match (here, all.len()) {
        (0, 0) => Finding::note(PASSKEYS, "none is enrolled: nobody can be let in", "quarterdeck passkey add makes a link"),
        (0, elsewhere) => Finding::fail(
            PASSKEYS,
            &format!("none counts under {url}: all {elsewhere} were made under another public URL"),
            "quarterdeck passkey add makes a link for this one, or set assistants.public_url back",
        ),
        (1, _) => {
            Finding::note(PASSKEYS, "one is enrolled", "enroll a second one, on another device, for the day this one is lost")
        }
        (more, _) => Finding::ok(PASSKEYS, &format!("{more} are enrolled")),
    }
}

fn audit(kept: &Kept, memory: &Path) -> Finding {
    let all = "quarterdeck audit verify looks at all of it";
    let uncheckable = "without it that part cannot be checked any more";
    match kept.end {
        End::Intact => Finding::ok(AUDIT, &format!("the newest records are as they were written, up to {} ({all})", kept.seq)),
        End::Changed => Finding::fail(AUDIT, "its end is not as it was written", &format!("{all} and says where")),
        End::OtherKey => Finding::fail(
            AUDIT,
            "it is signed with another key than the one that was here before",
            &format!("put the old key back; if you exchanged it yourself, move {} away", memory.display()),
        ),
        End::Exchanged(seq) => Finding::fail(
            AUDIT,
            &format!("it is signed with another key than the present audit.key, up to record {seq}"),
            &format!("put the old key back: {uncheckable}"),
        ),
        End::NoKey(seq) => Finding::fail(
            AUDIT,
            &format!("audit.key is missing, which signed it up to record {seq}"),
            &format!("put it back: {uncheckable}, and the next start makes a new one"),
        ),
        End::Since(seq) => Finding::note(
            AUDIT,
            &format!("it was signed with another key than the present one up to record {seq}"),
            "quarterdeck audit --kind audit.key_changed says when it changed; that part cannot be checked without the old key",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn passkeys_of_another_public_url_let_nobody_in() {
        let url = PublicUrl::parse("https://deck.example.com").unwrap();
        let (here, other) = ("https://deck.example.com".to_owned(), "http://localhost:7420".to_owned());
        let level = |all: &[String]| passkeys(all, Some(&url)).level;
        assert_eq!(level(&[]), Level::Note);
        assert_eq!(level(std::slice::from_ref(&other)), Level::Fail);
        assert_eq!(level(&[here.clone(), other]), Level::Note);
        assert_eq!(level(&[here.clone(), here]), Level::Ok);
    }

    #[test]
    fn an_audit_whose_end_was_changed_names_the_command_that_finds_the_place() {
        let kept = Kept { passkeys: Vec::new(), seq: 7, newest_at: None, end: End::Changed };
        let found = audit(&kept, Path::new("/config/head.json"));
        assert!(found.level == Level::Fail && found.next.unwrap().starts_with("quarterdeck audit verify"));
        assert!(audit(&Kept { end: End::Intact, ..kept }, Path::new("/config/head.json")).says.contains("up to 7"));
    }
}
