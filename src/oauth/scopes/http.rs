//! The page behind the address, the page with the scopes, and its submission.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode, Uri};

use super::change::{Outcome, Submission};
use super::page::{ChangedPage, OPEN_SCRIPT, OpenPage, SCRIPT, ScopesPage};
use crate::http::{answer, elsewhere};
use crate::oauth::Oauth;
use crate::oauth::http::{status, unavailable};
use crate::oauth::params::{Params, ParamsError};
use crate::text::sentence;

/// What to do about nearly everything that can be in the way.
const ONCE_MORE: &str =
    "Nothing was changed. Ask for the page again: S on the connection in the terminal, or quarterdeck scopes.";

/// `GET /scopes`: the same page for everyone; its script sends the secret on. Also for whoever opens the addresses of the two forms: there
/// is no secret then, and the page says so.
pub(crate) async fn page(State(oauth): State<Oauth>, headers: HeaderMap, uri: Uri) -> Response {
    match elsewhere(&oauth.public_url, &headers, &uri) {
        Some(answer) => answer,
        None => answer::page(StatusCode::OK, &OpenPage { script: OPEN_SCRIPT }, Some(OPEN_SCRIPT)),
    }
}

/// `POST /scopes/open {secret}`: the page with the scopes.
pub(crate) async fn open(State(oauth): State<Oauth>, headers: HeaderMap, body: Bytes) -> Response {
    let params = match Params::body(&headers, &body, "") {
        Ok(params) => params,
        Err(error) => return unreadable(&error),
    };
    shown(&oauth, oauth.open_scopes(params.text("secret")).await)
}

/// `POST /scopes/change {challenge, assertion, scope…}`.
pub(crate) async fn change(State(oauth): State<Oauth>, headers: HeaderMap, body: Bytes) -> Response {
    let params = match Params::body(&headers, &body, "scope") {
        Ok(params) => params,
        Err(error) => return unreadable(&error),
    };
    let submission = Submission {
        challenge: params.text("challenge").to_owned(),
        assertion: params.text("assertion").to_owned(),
        scopes: params.all("scope").map(str::to_owned).collect(),
    };
    shown(&oauth, oauth.change_scopes(submission).await)
}

fn shown(oauth: &Oauth, outcome: Result<Outcome, crate::store::Error>) -> Response {
    match outcome {
        Ok(Outcome::Form(form)) => answer::page(StatusCode::OK, &ScopesPage::of(&form), Some(SCRIPT)),
        Ok(Outcome::Changed(before, now)) => answer::page(StatusCode::OK, &ChangedPage::of(&before, &now), None),
        Ok(Outcome::Fixed(fixed)) => {
            let text = format!("{} Nothing was changed.", sentence(&fixed.to_string()));
            answer::message(StatusCode::GONE, "There is nothing to change", &text)
        }
        Ok(Outcome::NoAddress) => {
            oauth.audit.count_refused("scopes_page");
            let text = format!("It was replaced by a newer one, or has expired. {ONCE_MORE}");
            answer::message(StatusCode::GONE, "This address no longer works", &text)
        }
        Ok(Outcome::Expired) => {
            oauth.audit.count_refused("scopes_expired");
            let text = format!("It was answered already, or waited too long. {ONCE_MORE}");
            answer::message(StatusCode::BAD_REQUEST, "This page has expired", &text)
        }
        Ok(Outcome::Passkey(refusal)) => {
            let text = format!("{} {ONCE_MORE}", sentence(&refusal.to_string()));
            answer::message(StatusCode::BAD_REQUEST, "The passkey was not accepted", &text)
        }
        Ok(Outcome::NoPasskey) => {
            let text =
                "Only a passkey can change what a connection may do. Enroll one at the terminal first. Nothing was changed.";
            answer::message(StatusCode::SERVICE_UNAVAILABLE, "There is no passkey any more", text)
        }
        Err(error) => unavailable(&error),
    }
}

fn unreadable(error: &ParamsError) -> Response {
    answer::message(status(error), "This cannot be read", &sentence(&error.to_string()))
}
