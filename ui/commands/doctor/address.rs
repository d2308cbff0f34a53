//! The public URL: whether it leads here, as far as this machine can tell.

use quarterdeck::config::PublicUrl;
use quarterdeck::control::examine::{self, Reach};

use super::finding::Finding;
use super::host::Host;
use crate::settings::Settings;

const SUBJECT: &str = "public url";

/// The one in force: the running host's, or the one the next host would have. `None`: the door is closed, or the port is not chosen yet.
pub(super) fn public_url(host: &Host, settings: &Settings) -> Option<PublicUrl> {
    let assistants = &settings.config.assistants;
    match (host.status(), &assistants.public_url) {
        (Some(status), _) => PublicUrl::parse(status.public_url.as_deref()?).ok(),
        (None, Some(set)) => set.clone(),
        (None, None) => {
            let port = assistants.listen.first()?.port();
            PublicUrl::localhost(port).ok().filter(|_| port != 0)
        }
    }
}

pub(super) async fn check(host: &Host, settings: &Settings) -> Vec<Finding> {
    let Some(url) = public_url(host, settings) else {
        let closed = "none: no assistant can connect";
        return vec![Finding::note(SUBJECT, closed, "set assistants.public_url, unless the door is meant to be closed")];
    };
    let Some(status) = host.status() else {
        return vec![Finding::note(SUBJECT, &format!("{url} was not asked, because no host runs"), "")];
    };
    let listen = status.listen.first().and_then(|address| address.parse().ok());
    let found = told(&url, examine::reach(&settings.config, &url, listen).await);
    let local = url.is_loopback().then(|| {
        let next = "for others, set assistants.public_url to an https address that leads here (a tunnel, a reverse proxy)";
        Finding::note(SUBJECT, &format!("{url} is for assistants on this machine only"), next)
    });
    std::iter::once(found).chain(local).collect()
}

fn told(url: &PublicUrl, reach: Reach) -> Finding {
    let leads = format!("see that the tunnel or proxy for {} leads to this host", url.host());
    match reach {
        Reach::Here if url.is_loopback() => Finding::ok(SUBJECT, &format!("{url} is answered by this host")),
        Reach::Here => Finding::ok(
            SUBJECT,
            &format!(
                "{url} is answered by a Quarterdeck of that name (reachable from here; that does not prove it is from outside)"
            ),
        ),
        Reach::Elsewhere(Some(other)) => {
            Finding::fail(SUBJECT, &format!("{url} is answered by {other}, which is not this host"), &leads)
        }
        Reach::Elsewhere(None) => {
            Finding::fail(SUBJECT, &format!("{url} is answered by something that is no Quarterdeck"), &leads)
        }
        Reach::Private(address) => Finding::note(
            SUBJECT,
            &format!("{} leads to {address}, which is not a public address: it was not asked", url.host()),
            "right for a private network; assistants on the internet do not reach it (outbound.allow lets doctor ask)",
        ),
        Reach::Certificate(wrong) => Finding::fail(
            SUBJECT,
            &format!("the certificate of {} {wrong}", url.host()),
            "correct it where TLS ends; for an authority of your own set outbound.ca_file",
        ),
        Reach::Status(code) => Finding::fail(SUBJECT, &format!("{url} answers with status {code}"), &leads),
        Reach::Silent(why) => Finding::fail(SUBJECT, &format!("{url} does not answer: {why}"), &leads),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn whoever_answers_in_our_place_is_named_and_an_answer_proves_no_more_than_it_does() {
        let url = PublicUrl::parse("https://deck.example.com").unwrap();
        let here = told(&url, Reach::Here);
        assert!(here.level == Level::Ok && here.says.contains("does not prove it is from outside"), "{here:?}");
        let other = told(&url, Reach::Elsewhere(Some("https://other.example".to_owned())));
        assert!(other.level == Level::Fail && other.says.contains("https://other.example"), "{other:?}");
        let expired = told(&url, Reach::Certificate("has expired".to_owned()));
        assert_eq!(expired.says, "the certificate of deck.example.com has expired");
        assert_eq!(told(&url, Reach::Private("100.64.0.1".parse().unwrap())).level, Level::Note);
        assert_eq!(told(&url, Reach::Status(502)).level, Level::Fail);
    }
}
