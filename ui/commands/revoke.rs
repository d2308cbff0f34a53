//! `quarterdeck revoke NAME`

use quarterdeck::control::{Reply, Request, Revoked};

use super::{Failure, Session, output};

pub async fn run(session: &Session, name: String) -> Result<(), Failure> {
    let request = Request::Revoke { name, grant: None };
    let Reply::Revoked(revoked) = session.ask(request).await? else { return Err(Failure::unexpected()) };
    if session.json { output::json(&revoked) } else { output::line(&lines(&revoked)) }
}

pub fn lines(revoked: &Revoked) -> String {
    let ended = match &revoked.client_id {
        Some(client_id) => format!("{} is revoked: {client_id} is refused from its next call on.", revoked.name),
        None => format!("{} had no token yet.", revoked.name),
    };
    match revoked.voided_approvals {
        0 => ended,
        1 => format!("{ended} One approval that was not used yet is void."),
        many => format!("{ended} {many} approvals that were not used yet are void."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_is_said_with_the_approvals_that_are_void() {
        let mut revoked =
            Revoked { name: "dots".to_owned(), client_id: Some("https://c.example".to_owned()), voided_approvals: 0 };
        assert_eq!(lines(&revoked), "dots is revoked: https://c.example is refused from its next call on.");
        revoked = Revoked { client_id: None, voided_approvals: 1, ..revoked };
        assert_eq!(lines(&revoked), "dots had no token yet. One approval that was not used yet is void.");
    }
}
