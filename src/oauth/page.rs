//! What the owner sees: the authorization page, and the page before a connection is replaced.

use askama::Template;
use url::Url;

use super::model::{AuthorizationRequest, ClientKind};
use super::redirect;
use crate::access::{Scope, Scopes};
use crate::http::answer::{json_block, webauthn_script};
use crate::passkeys::Offer;
use crate::text;

/// The script of the authorization page, as it stands in it.
pub(super) const SCRIPT: &str = webauthn_script!("authorize.js");

/// An authorization page that is about to be shown.
pub(crate) struct Form {
    pub(super) request: AuthorizationRequest,
    pub(super) offer: Offer,
    /// The connection's name, as it stands in the field.
    pub(super) name: String,
    pub(super) ticked: Scopes,
    /// Why it is shown again.
    pub(super) reason: Option<String>,
}

/// Where the answer goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lands {
    /// At a program on this machine, whichever listens there.
    Here,
    /// At a program that claimed a scheme of its own.
    Scheme,
    /// On the web.
    Web,
}

/// One line of the list of scopes.
pub(super) struct Choice {
    pub(super) scope: &'static str,
    pub(super) words: &'static str,
    pub(super) ticked: bool,
    /// Whether the client asked for it.
    pub(super) asked: bool,
}

/// The authorization page. Everything in it that a stranger chose went through [`text::safe`].
#[derive(Template)]
#[template(path = "authorize.html")]
pub(super) struct AuthorizePage {
    /// Who asks, in one word or two: a host, or the name of a document kept here.
    who: String,
    client_id: String,
    redirect_uri: String,
    redirect_host: String,
    external: bool,
    /// Every program that speaks for itself through Quarterdeck's own client shares this one.
    built_in: bool,
    lands: Lands,
    choices: Vec<Choice>,
    name: String,
    reason: Option<String>,
    challenge: String,
    options: String,
    script: &'static str,
}

impl AuthorizePage {
    pub(super) fn of(form: &Form) -> AuthorizePage {
        let request = &form.request;
        let redirect = Url::parse(&request.redirect_uri).ok();
        AuthorizePage {
            who: who(request),
            client_id: text::safe(&request.client_id),
            redirect_uri: text::safe(&request.redirect_uri),
            redirect_host: redirect.as_ref().and_then(Url::host_str).map(text::safe).unwrap_or_default(),
            external: request.client == ClientKind::External,
            built_in: matches!(request.client, ClientKind::BuiltIn { .. }),
            lands: match redirect.as_ref().map(Url::scheme) {
                _ if redirect::is_loopback(&request.redirect_uri) => Lands::Here,
                Some("http" | "https") => Lands::Web,
                _ => Lands::Scheme,
            },
            choices: Scope::ALL.into_iter().map(|scope| choice(scope, form)).collect(),
            name: text::safe(&form.name),
            reason: form.reason.as_deref().map(|reason| text::sentence(&text::safe(reason))),
            challenge: form.offer.challenge.clone(),
            options: json_block(&form.offer.options),
            script: SCRIPT,
        }
    }
}

fn choice(scope: Scope, form: &Form) -> Choice {
    Choice {
        scope: scope.name(),
        words: scope.plain_words(),
        ticked: form.ticked.has(scope),
        asked: form.request.scopes.has(scope),
    }
}

/// The host in ASCII: two names that look the same are not the same there.
fn who(request: &AuthorizationRequest) -> String {
    match &request.client {
        ClientKind::Local { name } => name.clone(),
        ClientKind::BuiltIn { name } => format!("a {name} command line"),
        ClientKind::External => {
            let url = Url::parse(&request.client_id).ok();
            url.as_ref().and_then(Url::host_str).map(text::safe).unwrap_or_default()
        }
    }
}

/// The page before a connection ends because another takes its name: the owner goes on by the one link, or not at all.
#[derive(Template)]
#[template(path = "replace.html")]
pub(super) struct ReplacePage<'a> {
    pub(super) name: &'a str,
    /// The return address with the code. Its scheme was checked when the page was opened.
    pub(super) onward: &'a str,
}
