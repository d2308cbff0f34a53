//! The clock: links, codes and passkey pages expire by it, and the audit is in its order.

use jiff::{SignedDuration, Timestamp};
use quarterdeck::control::examine::Kept;

use super::finding::Finding;

const SUBJECT: &str = "clock";
/// What two readings may differ by without meaning anything.
const SLACK: SignedDuration = SignedDuration::from_secs(2);

pub(super) fn check(kept: Option<&Kept>) -> Vec<Finding> {
    let newest = kept.and_then(|kept| kept.newest_at.as_deref()).and_then(|at| at.parse().ok());
    vec![judged(now(), newest, built())]
}

fn judged(now: Timestamp, newest: Option<Timestamp>, built: Option<Timestamp>) -> Finding {
    let set = "set the clock, and see that it is kept right (timedatectl, System Settings)";
    let shown = now.strftime("%Y-%m-%d %H:%M:%S UTC");
    let ahead = |of: Timestamp| of.duration_since(now) > SLACK;
    if let Some(newest) = newest.filter(|newest| ahead(*newest)) {
        let says = format!(
            "it went back: it is {shown}, and the newest audit record is of {}",
            newest.strftime("%Y-%m-%d %H:%M:%S UTC")
        );
        return Finding::fail(SUBJECT, &says, set);
    }
    match built.filter(|built| ahead(*built)) {
        Some(built) => {
            let says = format!("it is {shown}, and this program was put here at {}", built.strftime("%Y-%m-%d %H:%M:%S UTC"));
            Finding::fail(SUBJECT, &says, set)
        }
        None => Finding::ok(SUBJECT, &format!("it is {shown}, after everything that was written down")),
    }
}

/// When the file of this program was written.
fn built() -> Option<Timestamp> {
    let written = std::env::current_exe().ok()?.metadata().ok()?.modified().ok()?;
    Timestamp::try_from(written).ok()
}

#[allow(clippy::disallowed_methods, reason = "the clock itself is what is looked at")]
fn now() -> Timestamp {
    Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_clock_that_is_behind_what_was_written_down_went_back() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let now = at("2026-12-01T09:30:00Z");
        assert_eq!(judged(now, None, None).level, Level::Ok);
        assert_eq!(judged(now, Some(at("2026-12-01T09:30:01Z")), Some(now)).level, Level::Ok);
        let back = judged(now, Some(at("2026-12-01T10:30:00Z")), None);
        assert!(back.level == Level::Fail && back.says.starts_with("it went back: it is 2026-12-01 09:30:00 UTC"), "{back:?}");
        assert_eq!(judged(now, None, Some(at("2027-01-01T00:00:00Z"))).level, Level::Fail);
    }
}
