//! Client documents kept here, and the built-in ones.

use super::*;
use crate::oauth::ClientError;

const EDITOR: &str = "http://localhost:7420/clients/editor";

async fn add(door: &Door, name: &str, uris: &[&str]) -> Result<crate::oauth::LocalClient, ClientError> {
    door.oauth.client_add(&owner(), name, uris.iter().map(|uri| (*uri).to_owned()).collect()).await
}

/// A44
#[tokio::test]
async fn a_document_is_added_once_listed_and_removed() {
    let door = Door::new().await;
    let added = add(&door, "editor", &[CALLBACK, CALLBACK]).await.unwrap();
    assert_eq!((added.client_id.as_str(), added.redirect_uris.as_slice()), (EDITOR, &[CALLBACK.to_owned()][..]));
    let listed = door.oauth.client_list().await.unwrap();
    assert_eq!((listed.len(), listed[0].connections), (1, 0));
    assert!(door.oauth.client_remove(&owner(), "editor").await.unwrap());
    assert!(!door.oauth.client_remove(&owner(), "editor").await.unwrap());
    assert!(door.oauth.client_list().await.unwrap().is_empty());
    assert_eq!((door.records(Kind::ClientAdded).await.len(), door.records(Kind::ClientRemoved).await.len()), (1, 1));
}

/// A47, A48, A49, A64
#[tokio::test]
async fn only_loopback_addresses_and_free_names_are_kept() {
    let door = Door::new().await;
    for uri in [
        "https://client.example/callback",
        "http://localhost.evil.com/callback",
        "http://127.0.0.1.evil.com/callback",
        "http://192.168.1.3/callback",
        "https://localhost/callback",
        "http://localhost/call\nback",
        "http://localhost@evil.com/callback",
        "http://localhost/callback#here",
        "http://localhost:99999/callback",
    ] {
        let error = add(&door, "editor", &[CALLBACK, uri]).await.unwrap_err();
        assert!(error.to_string().contains(&serde_json::json!(uri).to_string()), "{error}");
    }
    assert!(matches!(add(&door, "Editor", &[CALLBACK]).await, Err(ClientError::Name(_))));
    assert!(matches!(add(&door, "editor", &[]).await, Err(ClientError::NoRedirect)));
    for name in ["quarterdeck", "duoduo-tether"] {
        assert!(matches!(add(&door, name, &[CALLBACK]).await, Err(ClientError::BuiltIn(_))));
    }
    assert!(door.oauth.client_list().await.unwrap().is_empty());
    add(&door, "editor", &["http://localhost/", "http://[::1]:9/x", CALLBACK]).await.unwrap();
    assert!(matches!(add(&door, "editor", &[CALLBACK]).await, Err(ClientError::Exists(_))));
}

/// A51, A53, A56
#[tokio::test]
async fn a_client_kept_here_goes_from_end_to_end_on_any_port() {
    let door = Door::new().await;
    add(&door, "editor", &["http://localhost/callback"]).await.unwrap();
    let uri = "http://localhost:4711/callback";
    let page = door.open(EDITOR, uri).await;
    assert_eq!(page.body.matches(r#"class="verified""#).count(), 2);
    assert_eq!(page.body.matches(r#"class="claim""#).count(), 0);
    assert_eq!(page.prefill(), "editor");
    assert!(page.body.contains("You named this client yourself"));
    let code = code_in(&door.approve(&page, "editor").await);
    let token = token_in(&door.exchange_with(&code, &[("client_id", EDITOR), ("redirect_uri", uri)]).await);
    assert_eq!(door.call(&token).await, StatusCode::OK);
    assert_eq!(door.oauth.client_list().await.unwrap()[0].connections, 1);
}

/// A52, A54, A63
#[tokio::test]
async fn unknown_documents_and_unlisted_addresses_get_the_same_page_before_the_passkey() {
    let door = Door::new().await;
    add(&door, "editor", &["http://localhost/callback"]).await.unwrap();
    let expected = door.open("http://localhost:7420/clients/nobody", "http://localhost/callback").await;
    assert_eq!(expected.status, StatusCode::BAD_REQUEST);
    for (client_id, uri) in [
        (EDITOR, "http://localhost/other"),
        (EDITOR, "http://127.0.0.1/callback"),
        ("http://localhost:7420/clients/editor/", "http://localhost/callback"),
        ("http://localhost:7420/clients/editor?x", "http://localhost/callback"),
        ("http://LOCALHOST:7420/clients/editor", "http://localhost/callback"),
        ("http://localhost:7420/clients/constructor", "http://localhost/callback"),
        ("http://localhost:7420/x/../clients/editor", "http://localhost/callback"),
        ("http://localhost:7420/", "http://localhost/callback"),
        (BUILT_IN, "http://localhost/callback"),
        (BUILT_IN, "http://127.0.0.1/other"),
        (BUILT_IN, "https://127.0.0.1/callback"),
    ] {
        let answer = door.open(client_id, uri).await;
        assert_eq!((answer.status, &answer.body), (StatusCode::BAD_REQUEST, &expected.body), "{client_id} {uri}");
    }
}

/// A55
#[tokio::test]
async fn a_document_removed_while_the_page_is_open_is_refused_after_the_passkey() {
    let door = Door::new().await;
    add(&door, "editor", &["http://localhost/callback"]).await.unwrap();
    let page = door.open(EDITOR, "http://localhost/callback").await;
    door.oauth.client_remove(&owner(), "editor").await.unwrap();
    add(&door, "editor", &["http://localhost/other"]).await.unwrap();
    let refused = door.approve(&page, "editor").await;
    assert_eq!((refused.status, refused.location()), (StatusCode::BAD_REQUEST, None));
    assert_eq!(door.records(Kind::AuthorizationRefused).await.len(), 1);
    assert!(door.connections().await.is_empty());
}

/// A57, A59
#[tokio::test]
async fn removing_a_document_keeps_what_was_approved_and_stops_what_was_not() {
    let door = Door::new().await;
    add(&door, "editor", &[CALLBACK]).await.unwrap();
    let page = door.open(EDITOR, CALLBACK).await;
    let code = code_in(&door.approve(&page, "editor").await);
    door.oauth.client_remove(&owner(), "editor").await.unwrap();
    let token = token_in(&door.exchange_with(&code, &[("client_id", EDITOR)]).await);
    assert_eq!(door.call(&token).await, StatusCode::OK);
    assert_eq!(door.open(EDITOR, CALLBACK).await.status, StatusCode::BAD_REQUEST);
}

/// A58
#[tokio::test]
async fn nothing_is_served_where_client_ids_point() {
    let door = Door::new().await;
    add(&door, "editor", &[CALLBACK]).await.unwrap();
    for path in ["/clients", "/clients/", "/clients/editor", "/clients/quarterdeck"] {
        assert_eq!(door.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

/// A61, A62
#[tokio::test]
async fn the_built_in_clients_need_no_document_and_the_typed_name_counts() {
    let door = Door::new().await;
    for name in ["quarterdeck", "duoduo-tether"] {
        let client_id = format!("{ORIGIN}/clients/{name}");
        assert_eq!(door.open(&client_id, CALLBACK).await.prefill(), "");
        let page = door.get(&authorize(&client_id, CALLBACK, &[("name", "proposed")])).await;
        assert_eq!(page.prefill(), "proposed");
        assert!(page.body.contains("built into Quarterdeck") && !page.body.contains("You named this client"));
        let typed = format!("typed-{name}");
        let code = code_in(&door.approve(&page, &typed).await);
        assert_eq!(door.exchange_with(&code, &[("client_id", &client_id)]).await.status, StatusCode::OK);
        let grant = door.access.connections().await.unwrap().into_iter().find(|one| one.grant.name == typed).unwrap().grant;
        assert_eq!(grant.client_name.as_deref(), Some(name));
    }
    assert_eq!(door.get(&authorize(STRANGER, STRANGERS_CALLBACK, &[("name", "proposed")])).await.prefill(), "client-example");
}
