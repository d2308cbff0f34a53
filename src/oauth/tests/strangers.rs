//! What somebody without a token gets: nothing under another name, little room, and only so often.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;

use super::*;

fn call(token: Option<&str>, bytes: usize) -> Request<Body> {
    let mut request = Request::post("/mcp").header("host", "localhost:7420").header("content-type", "application/json");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"x":"{}"}}}}}}"#, "a".repeat(bytes));
    request.body(Body::from(body)).unwrap()
}

#[tokio::test]
async fn a_large_body_is_read_of_a_connected_assistant_and_of_nobody_else() {
    let door = Door::new().await;
    let token = door.connect("dots").await;
    assert_eq!(door.raw(call(Some(&token), 200_000)).await.status, StatusCode::OK);
    assert_eq!(door.raw(call(None, 100)).await.headers.get("connection"), None);
    for token in [None, Some("made-up")] {
        let refused = door.raw(call(token, 200_000)).await;
        assert_eq!((refused.status, &refused.headers["connection"]), (StatusCode::UNAUTHORIZED, &"close".parse().unwrap()));
        assert!(refused.headers.contains_key("www-authenticate"), "{refused:?}");
    }
    let long = "a".repeat(70_000);
    let page = door.post("/token", &[("code", &long)]).await;
    assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE, "{page:?}");
    assert!(page.body.contains("65536 bytes"), "{page:?}");
}

/// A page of a stranger that gives its own name this machine's address would be same-origin with everything here.
#[tokio::test]
async fn no_route_answers_under_another_name() {
    let door = Door::new().await;
    let ours = |path: &str, host: &str| Request::get(path).header("host", host).body(Body::empty()).unwrap();
    let authorize = authorize(BUILT_IN, CALLBACK, &[]);
    let get = [authorize.as_str(), "/enroll", "/scopes", "/scopes/open", "/.well-known/oauth-authorization-server"];
    for path in get {
        for host in ["evil.example", "evil.example:7420", "localhost.evil.example", "10.0.0.1"] {
            let refused = door.raw(ours(path, host)).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path} {host}");
            assert!(refused.body.contains(ORIGIN), "{refused:?}");
        }
        assert_eq!(door.raw(ours(path, "LOCALHOST:1")).await.status, StatusCode::OK, "{path}");
    }
    for path in ["/authorize", "/token", "/revoke", "/enroll/options", "/enroll/finish", "/scopes/open", "/scopes/change"] {
        let request = Request::post(path).header("host", "evil.example").body(Body::empty()).unwrap();
        assert_eq!(door.raw(request).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    let whole_url = Request::get(format!("http://evil.example{authorize}")).header("host", "localhost:7420");
    assert_eq!(door.raw(whole_url.body(Body::empty()).unwrap()).await.status, StatusCode::FORBIDDEN);
    assert_eq!(door.oauth.waiting(1000).await.unwrap().total, 1, "only the page under our own name waits");
}

#[tokio::test]
async fn a_browser_under_another_name_is_told_the_right_one_on_a_page() {
    let door = Door::new().await;
    let request = Request::get("/enroll").header("host", "192.168.1.5:7420").header("accept", "text/html,*/*;q=0.8");
    let told = door.raw(request.body(Body::empty()).unwrap()).await;
    assert_eq!((told.status, told.headers[CONTENT_TYPE].to_str().unwrap()), (StatusCode::FORBIDDEN, "text/html; charset=utf-8"));
    assert!(told.body.contains(ORIGIN), "{told:?}");
}

/// Nothing has to be configured for a tunnel that ends on this machine.
#[tokio::test]
async fn one_address_behind_a_tunnel_cannot_push_out_the_owners_page() {
    let door = Door::new().await;
    let owners = door.open(BUILT_IN, CALLBACK).await;
    let from = |forwarded: &str| {
        let mut request =
            Request::get(authorize(STRANGER, STRANGERS_CALLBACK, &[])).header("host", "localhost").body(Body::empty()).unwrap();
        request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 50_000))));
        request
    };
    let mut refused = 0;
    for _ in 0..1000 {
        refused += u32::from(door.raw(from("203.0.113.5")).await.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 800, "{refused}");
    assert_eq!(door.raw(from("203.0.113.6")).await.status, StatusCode::OK);
    assert_eq!(door.approve(&owners, "dots").await.status, StatusCode::FOUND);
}
