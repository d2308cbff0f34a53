//! What a client finds before it asks for anything.

use http::Method;
use serde_json::json;

use super::*;

/// A1
#[tokio::test]
async fn both_resource_documents_and_the_server_document_are_exactly_these() {
    let door = Door::new().await;
    let scopes: Vec<&str> = SIX.split(' ').collect();
    for (path, resource) in [("", ORIGIN), ("/mcp", MCP)] {
        let answer = door.get(&format!("/.well-known/oauth-protected-resource{path}")).await;
        assert_eq!((answer.status, &answer.headers["cache-control"]), (StatusCode::OK, &"no-store".parse().unwrap()));
        let expected = json!({
            "resource": resource,
            "authorization_servers": [ORIGIN],
            "scopes_supported": scopes,
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(answer.json(), expected);
    }
    let answer = door.get("/.well-known/oauth-authorization-server").await;
    assert_eq!(answer.headers["content-type"], "application/json");
    let expected = json!({
        "issuer": ORIGIN,
        "authorization_endpoint": "http://localhost:7420/authorize",
        "token_endpoint": "http://localhost:7420/token",
        "revocation_endpoint": "http://localhost:7420/revoke",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "token_endpoint_auth_signing_alg_values_supported": ["RS256", "ES256"],
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
        "scopes_supported": scopes,
    });
    assert_eq!(answer.json(), expected);
}

/// A2
#[tokio::test]
async fn with_an_empty_public_url_there_is_no_authorization_server() {
    let fixture = Fixture::with(|config| config.assistants.public_url = Some(None));
    let base = &fixture.base;
    let access = Access::new(base, None, GrantHooks::default());
    let passkeys = Passkeys::new(base, access.clone()).unwrap();
    assert!(Oauth::new(base, access, passkeys, Outbound::new(&base.config)).is_none());
    let routes = assistants(None, Bounds { request_bytes: 1024, request_timeout: Duration::from_secs(5) });
    for (method, path) in [
        (Method::GET, "/.well-known/oauth-protected-resource"),
        (Method::GET, "/.well-known/oauth-authorization-server"),
        (Method::GET, "/authorize"),
        (Method::POST, "/token"),
        (Method::POST, "/revoke"),
        (Method::GET, "/enroll"),
        (Method::POST, "/mcp"),
    ] {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        assert_eq!(routes.clone().oneshot(request).await.unwrap().status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_and_an_unknown_path_404() {
    let door = Door::new().await;
    for (method, path) in [(Method::GET, "/token"), (Method::GET, "/revoke"), (Method::DELETE, "/authorize")] {
        assert_eq!(door.send(method, path, None).await.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
    let unknown = door.get("/.well-known/openid-configuration").await;
    assert_eq!((unknown.status, unknown.json()["error"].as_str()), (StatusCode::NOT_FOUND, Some("not_found")));
}
