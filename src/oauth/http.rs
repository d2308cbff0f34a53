//! The endpoints: two documents, the authorization page and its submission, the token endpoint, revocation.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{ALLOW, CACHE_CONTROL, HeaderValue, LOCATION};
use http::{HeaderMap, StatusCode, Uri};
use serde_json::json;

use super::Oauth;
use super::approve::{Outcome, Submission};
use super::exchange::TokenError;
use super::page::{AuthorizePage, Form, ReplacePage, SCRIPT};
use super::params::{Params, ParamsError};
use super::request::RequestRefusal;
use crate::http::{answer, elsewhere};
use crate::secret::Secret;
use crate::store::Error;
use crate::text::sentence;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// `GET /.well-known/oauth-protected-resource`.
pub(crate) async fn origin_metadata(State(oauth): State<Oauth>) -> Response {
    answer::json(StatusCode::OK, &oauth.origin_metadata())
}

/// `GET /.well-known/oauth-protected-resource/mcp`.
pub(crate) async fn endpoint_metadata(State(oauth): State<Oauth>) -> Response {
    answer::json(StatusCode::OK, &oauth.endpoint_metadata())
}

/// `GET /.well-known/oauth-authorization-server`.
pub(crate) async fn server_metadata(State(oauth): State<Oauth>) -> Response {
    answer::json(StatusCode::OK, &oauth.server_metadata())
}

/// `GET /authorize`: the page on which the owner decides.
pub(crate) async fn page(State(oauth): State<Oauth>, headers: HeaderMap, uri: Uri, RawQuery(query): RawQuery) -> Response {
    if let Some(answer) = elsewhere(&oauth.public_url, &headers, &uri) {
        return answer;
    }
    if unseen(&headers) {
        let text = "This page only works in a window of its own. Nothing was opened, and nothing waits for you.";
        return answer::message(StatusCode::FORBIDDEN, "Open it in a window", text);
    }
    let opened = match Params::query(&query.unwrap_or_default()) {
        Ok(params) => oauth.open(&params).await,
        Err(error) => Err(RequestRefusal::Params(error)),
    };
    match opened {
        Ok(form) => form_page(&form),
        Err(refusal) => not_opened(&oauth, &refusal),
    }
}

/// Whether the browser itself says that nobody will see the page: another site loads it as an image, a frame or data, or it is fetched
/// ahead. Each would wait for the owner all the same.
fn unseen(headers: &HeaderMap) -> bool {
    let says_another = |name: &str, shown: &str| headers.get_all(name).iter().any(|value| value != shown);
    says_another("sec-fetch-dest", "document")
        || says_another("sec-fetch-mode", "navigate")
        || headers.contains_key("sec-purpose")
}

/// `HEAD /authorize`: a page that nobody sees would wait for the owner all the same, so there is none.
pub(crate) async fn head() -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, HeaderValue::from_static("GET, POST")), (CACHE_CONTROL, NO_STORE)]).into_response()
}

/// `POST /authorize`: approve or deny.
pub(crate) async fn submit(State(oauth): State<Oauth>, headers: HeaderMap, body: Bytes) -> Response {
    let params = match Params::body(&headers, &body, "scope") {
        Ok(params) => params,
        Err(error) => return answer::message(status(&error), "This cannot be read", &sentence(&error.to_string())),
    };
    if params.get("deny").is_some() {
        return match oauth.deny_on_page(params.text("challenge")).await {
            Ok(true) => answer::message(
                StatusCode::OK,
                "Denied",
                "Nothing was allowed, and the app was not told. You can close this page.",
            ),
            Ok(false) => expired(&oauth),
            Err(error) => unavailable(&error),
        };
    }
    let submission = Submission {
        challenge: params.text("challenge").to_owned(),
        assertion: params.text("assertion").to_owned(),
        name: params.text("name").to_owned(),
        scopes: params.all("scope").map(str::to_owned).collect(),
    };
    match oauth.approve(submission).await {
        Ok(outcome) => concluded(&oauth, outcome),
        Err(error) => unavailable(&error),
    }
}

/// `POST /token`: `{access_token, token_type, scope}`.
pub(crate) async fn token(State(oauth): State<Oauth>, headers: HeaderMap, body: Bytes) -> Response {
    let params = match Params::body(&headers, &body, "") {
        Ok(params) => params,
        Err(error) => return answer::oauth_error(status(&error), "invalid_request", &sentence(&error.to_string())),
    };
    match oauth.exchange(&params).await {
        Ok(issued) => {
            let scope = issued.grant.scopes.joined();
            let body = json!({ "access_token": issued.token.expose(), "token_type": "Bearer", "scope": scope });
            answer::json(StatusCode::OK, &body)
        }
        Err(error) => no_token(&error),
    }
}

/// `POST /revoke`: always the same answer, so that it tells nothing about tokens.
pub(crate) async fn revoke(State(oauth): State<Oauth>, headers: HeaderMap, body: Bytes) -> Response {
    let params = match Params::body(&headers, &body, "") {
        Ok(params) => params,
        Err(error @ ParamsError::Repeated(_)) => {
            return answer::oauth_error(status(&error), "invalid_request", &sentence(&error.to_string()));
        }
        Err(_unreadable) => return revoked(),
    };
    let (Some(client_id), Some(token)) = (params.get("client_id"), params.get("token")) else { return revoked() };
    match oauth.revoke(client_id, &Secret::new(token.to_owned())).await {
        Ok(()) => revoked(),
        Err(error) => no_token(&TokenError::Unavailable(error)),
    }
}

fn revoked() -> Response {
    (StatusCode::OK, [(CACHE_CONTROL, NO_STORE)]).into_response()
}

fn form_page(form: &Form) -> Response {
    answer::page(StatusCode::OK, &AuthorizePage::of(form), Some(SCRIPT))
}

fn concluded(oauth: &Oauth, outcome: Outcome) -> Response {
    match outcome {
        Outcome::Approved(onward) => redirect(&onward),
        Outcome::Replaces { name, onward } => answer::page(StatusCode::OK, &ReplacePage { name: &name, onward: &onward }, None),
        Outcome::Again(form) => form_page(&form),
        Outcome::Expired => expired(oauth),
        Outcome::Passkey(refusal) => {
            let text = format!("{} Nothing was allowed. Start again from the app.", sentence(&refusal.to_string()));
            answer::message(StatusCode::BAD_REQUEST, "The passkey was not accepted", &text)
        }
        Outcome::ClientGone => answer::message(
            StatusCode::BAD_REQUEST,
            "This client is not known here any more",
            "Its document was removed, or lists another return address now. Nothing was allowed.",
        ),
    }
}

fn redirect(onward: &str) -> Response {
    match HeaderValue::from_str(onward) {
        Ok(onward) => (StatusCode::FOUND, [(LOCATION, onward), (CACHE_CONTROL, NO_STORE)]).into_response(),
        Err(error) => {
            tracing::error!(%error, "a return address cannot be a header");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn expired(oauth: &Oauth) -> Response {
    oauth.audit.count_refused("authorize_expired");
    answer::message(
        StatusCode::BAD_REQUEST,
        "This page has expired",
        "It was answered already, or waited too long. Nothing was allowed by it now. Start again from the app.",
    )
}

fn not_opened(oauth: &Oauth, refusal: &RequestRefusal) -> Response {
    let status = match refusal {
        RequestRefusal::Unavailable(error) => return unavailable(error),
        RequestRefusal::NoPasskey => {
            return answer::message(
                StatusCode::SERVICE_UNAVAILABLE,
                "There is no passkey yet",
                "Only a passkey can let an app in. Enroll one at the terminal first, then start again from the app.",
            );
        }
        RequestRefusal::Params(error) => status(error),
        RequestRefusal::Missing(_)
        | RequestRefusal::ClientId(_)
        | RequestRefusal::Redirect(_)
        | RequestRefusal::ResponseType
        | RequestRefusal::ChallengeMethod
        | RequestRefusal::Challenge
        | RequestRefusal::Resource(_)
        | RequestRefusal::Scope(_)
        | RequestRefusal::Local => StatusCode::BAD_REQUEST,
    };
    oauth.audit.count_refused("authorize_request");
    // A parameter's name keeps its small letter.
    let text =
        format!("What is wrong: {refusal}. Nothing was allowed, and the app was not told. Go back to the app and start again.");
    answer::message(status, "The app asked in a way that cannot be answered", &text)
}

fn no_token(error: &TokenError) -> Response {
    let (status, name) = match error {
        TokenError::GrantType => (StatusCode::BAD_REQUEST, "unsupported_grant_type"),
        TokenError::NoCode => (StatusCode::BAD_REQUEST, "invalid_request"),
        TokenError::Code | TokenError::Mismatch(_) | TokenError::Passkey | TokenError::Name(_) | TokenError::Replaces => {
            (StatusCode::BAD_REQUEST, "invalid_grant")
        }
        TokenError::Client(_) => (StatusCode::UNAUTHORIZED, "invalid_client"),
        TokenError::Unavailable(cause) => {
            tracing::warn!(error = %cause, "a token request could not be served");
            let answer =
                answer::oauth_error(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", &sentence(&error.to_string()));
            return answer::try_again(answer);
        }
    };
    answer::oauth_error(status, name, &sentence(&error.to_string()))
}

pub(super) fn status(error: &ParamsError) -> StatusCode {
    match error {
        ParamsError::Repeated(_) | ParamsError::Unreadable | ParamsError::Long => StatusCode::BAD_REQUEST,
        ParamsError::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
    }
}

pub(super) fn unavailable(error: &Error) -> Response {
    tracing::warn!(%error, "a page could not be served");
    let text = "The store does not answer just now. Nothing was allowed and nothing was changed. Try again in a few seconds.";
    answer::try_again(answer::message(StatusCode::SERVICE_UNAVAILABLE, "Not just now", text))
}
