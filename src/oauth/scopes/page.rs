//! What the owner sees: the page behind the address, and the page on which the passkey is asked for.

use askama::Template;

use crate::access::{Grant, Scope, Scopes};
use crate::http::answer::{json_block, webauthn_script};
use crate::passkeys::Offer;
use crate::text;

/// The script of the page behind the address, as it stands in it.
pub(super) const OPEN_SCRIPT: &str = include_str!("../../../assets/web/scopes-open.js");
/// The script of the page itself, as it stands in it.
pub(super) const SCRIPT: &str = webauthn_script!("scopes.js");

/// The same page for everyone: the secret stays in the browser until the script sends it.
#[derive(Template)]
#[template(path = "scopes-open.html")]
pub(super) struct OpenPage {
    pub(super) script: &'static str,
}

/// A page that is about to be shown.
pub(super) struct Form {
    pub(super) grant: Grant,
    pub(super) offer: Offer,
    pub(super) ticked: Scopes,
    /// Why it is shown again.
    pub(super) reason: Option<String>,
}

/// One line of the list of scopes.
struct Choice {
    scope: &'static str,
    words: &'static str,
    ticked: bool,
    /// Whether the connection may do it now.
    now: bool,
}

/// The page. Everything in it that somebody else chose went through [`text::safe`].
#[derive(Template)]
#[template(path = "scopes.html")]
pub(super) struct ScopesPage {
    name: String,
    client_id: String,
    /// The client's own claim.
    client_name: Option<String>,
    choices: Vec<Choice>,
    reason: Option<String>,
    challenge: String,
    options: String,
    script: &'static str,
}

impl ScopesPage {
    pub(super) fn of(form: &Form) -> ScopesPage {
        let choice = |scope: Scope| Choice {
            scope: scope.name(),
            words: scope.plain_words(),
            ticked: form.ticked.has(scope),
            now: form.grant.scopes.has(scope),
        };
        ScopesPage {
            name: text::safe(&form.grant.name),
            client_id: text::safe(&form.grant.client_id),
            client_name: form.grant.client_name.as_deref().map(text::safe),
            choices: Scope::ALL.into_iter().map(choice).collect(),
            reason: form.reason.as_deref().map(text::sentence),
            challenge: form.offer.challenge.clone(),
            options: json_block(&form.offer.options),
            script: SCRIPT,
        }
    }
}

/// The page after the change.
#[derive(Template)]
#[template(path = "scopes-changed.html")]
pub(super) struct ChangedPage {
    name: String,
    gains: Vec<&'static str>,
    loses: Vec<&'static str>,
}

impl ChangedPage {
    pub(super) fn of(before: &Grant, now: &Scopes) -> ChangedPage {
        let words = |scopes: Scopes| scopes.each().map(Scope::plain_words).collect();
        ChangedPage {
            name: text::safe(&before.name),
            gains: words(now.without(&before.scopes)),
            loses: words(before.scopes.without(now)),
        }
    }
}
