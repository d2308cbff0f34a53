//! The enrollment page and the two requests its script makes.

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Response;
use http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::{Value, json};

use super::{EnrollError, Passkeys, Submitted};
use crate::http::answer::{self, webauthn_script};
use crate::http::elsewhere;
use crate::store::Error;
use crate::text::sentence;

const SCRIPT: &str = webauthn_script!("enroll.js");

#[derive(Template)]
#[template(path = "enroll.html")]
struct EnrollPage<'a> {
    /// Where the passkey will belong to.
    host: &'a str,
    script: &'static str,
}

/// `GET /enroll`: the same page for everyone; the secret stays in the browser until the script sends it.
pub(crate) async fn page(State(passkeys): State<Passkeys>, method: Method, headers: HeaderMap, uri: Uri) -> Response {
    let Some(public_url) = passkeys.public_url() else {
        return answer::message(StatusCode::NOT_FOUND, "Closed", "No passkey can be enrolled here while the door is closed.");
    };
    if let Some(answer) = elsewhere(public_url, &headers, &uri) {
        return answer;
    }
    // A HEAD asks what is there and must use nothing up.
    let ticket = uri.query().filter(|_| method == Method::GET).and_then(|query| query.strip_prefix("ticket="));
    if let Some(ticket) = ticket {
        return follow(passkeys.redeem(ticket).await);
    }
    answer::page(StatusCode::OK, &EnrollPage { host: public_url.host(), script: SCRIPT }, Some(SCRIPT))
}

/// To the link a ticket led to, if it did.
fn follow(redeemed: Result<Option<String>, Error>) -> Response {
    let again = "press o in the terminal again.";
    match redeemed {
        Ok(Some(link)) => answer::see_other(&link),
        Ok(None) => answer::message(StatusCode::GONE, "Used", &format!("This address works once and only for a minute: {again}")),
        Err(error) => {
            tracing::warn!(%error, "a browser could not be led to an enrollment link");
            let text = format!("The store does not answer just now. When it does, {again}");
            answer::try_again(answer::message(StatusCode::SERVICE_UNAVAILABLE, "Not just now", &text))
        }
    }
}

/// `POST /enroll/options {secret}`: `{options, assertion?}`.
pub(crate) async fn options(State(passkeys): State<Passkeys>, body: Result<Json<Value>, JsonRejection>) -> Response {
    let body = match body {
        Ok(Json(body)) => body,
        Err(rejection) => return unreadable(&rejection),
    };
    match passkeys.enroll_options(&text(&body, "secret")).await {
        Ok(offer) => {
            let mut answer = json!({ "options": offer.options });
            if let (Some(assertion), Some(fields)) = (offer.assertion, answer.as_object_mut()) {
                fields.insert("assertion".to_owned(), assertion);
            }
            answer::json(StatusCode::OK, &answer)
        }
        Err(error) => refused(&error),
    }
}

/// `POST /enroll/finish {secret, challenge, label?, response, assertion_challenge?, assertion?}`: `{message}`.
pub(crate) async fn finish(State(passkeys): State<Passkeys>, body: Result<Json<Value>, JsonRejection>) -> Response {
    let body = match body {
        Ok(Json(body)) => body,
        Err(rejection) => return unreadable(&rejection),
    };
    let field = |name: &str| body.get(name).filter(|value| !value.is_null());
    let submitted = Submitted {
        secret: text(&body, "secret"),
        challenge: text(&body, "challenge"),
        label: field("label").and_then(Value::as_str).map(str::to_owned),
        response: field("response").cloned().unwrap_or_default(),
        assertion: field("assertion_challenge")
            .map(|_| (text(&body, "assertion_challenge"), field("assertion").map(Value::to_string).unwrap_or_default())),
    };
    match passkeys.enroll(submitted).await {
        Ok(id) => answer::json(StatusCode::OK, &json!({ "message": "The passkey is enrolled.", "id": id.0 })),
        Err(error) => refused(&error),
    }
}

/// A field that has to be text; anything else is as good as empty.
fn text(body: &Value, name: &str) -> String {
    body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn refused(error: &EnrollError) -> Response {
    let status = match error {
        EnrollError::Link | EnrollError::AssertionMissing | EnrollError::Assertion(_) => StatusCode::FORBIDDEN,
        EnrollError::Expired | EnrollError::Registration(_) => StatusCode::BAD_REQUEST,
        EnrollError::Unavailable(cause) => {
            tracing::warn!(error = %cause, "an enrollment could not be served");
            return answer::try_again(problem(StatusCode::SERVICE_UNAVAILABLE, error));
        }
    };
    problem(status, error)
}

fn problem(status: StatusCode, error: &EnrollError) -> Response {
    answer::problem(status, error.reason(), &sentence(&error.to_string()))
}

fn unreadable(rejection: &JsonRejection) -> Response {
    answer::problem(rejection.status(), "unreadable", "The request is not the JSON this page sends.")
}
