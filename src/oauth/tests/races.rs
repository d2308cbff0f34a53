//! Two at once: whatever is single-use is used by one of them, and what changed while a document was fetched counts.

use super::*;

#[tokio::test]
async fn of_many_exchanges_of_one_code_at_once_one_gets_a_token() {
    let door = Door::new().await;
    let code = door.code("dots").await;
    let all = futures::future::join_all((0..16).map(|_| door.exchange(&code))).await;
    assert_eq!(all.iter().filter(|answer| answer.status == StatusCode::OK).count(), 1);
    assert_eq!((door.connections().await.len(), door.records(Kind::GrantIssued).await.len()), (1, 1));
}

#[tokio::test]
async fn of_many_submissions_of_one_page_at_once_one_gets_a_code() {
    let door = Door::new().await;
    let page = door.open(BUILT_IN, CALLBACK).await;
    let all = futures::future::join_all((0..16).map(|_| door.approve(&page, "dots"))).await;
    assert_eq!(all.iter().filter(|answer| answer.status == StatusCode::FOUND).count(), 1);
    assert_eq!(door.records(Kind::AuthorizationApproved).await.len(), 1);
}

/// What needs no token must not reach the one thread that writes before something the owner or a client was given is shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_made_up_is_refused_while_the_writer_is_busy() {
    let door = Door::new().await;
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let began = std::sync::Arc::new(tokio::sync::Notify::new());
    let (begin, store) = (std::sync::Arc::clone(&began), door.fixture.base.store.clone());
    let busy = tokio::spawn(async move {
        store
            .write::<_, crate::store::Error>(move |_tx| {
                begin.notify_one();
                let _ended = wait.recv();
                Ok(())
            })
            .await
    });
    began.notified().await;
    let refused = async {
        let made_up = ("challenge", "made-up");
        vec![
            door.post("/authorize", &[made_up, ("deny", "1")]).await.status,
            door.post("/authorize", &[made_up, ("assertion", "{}"), ("name", "dots")]).await.status,
            door.post("/scopes/change", &[made_up, ("assertion", "{}"), ("scope", "context:read")]).await.status,
            door.post("/scopes/open", &[("secret", "made-up")]).await.status,
            door.exchange("made-up").await.status,
            door.post("/revoke", &[("client_id", BUILT_IN), ("token", "made-up")]).await.status,
        ]
    };
    let refused = tokio::time::timeout(Duration::from_secs(60), refused).await.expect("the writer was waited for");
    assert_eq!(refused, [400, 400, 400, 410, 400, 200].map(|status| StatusCode::from_u16(status).unwrap()));
    drop(go);
    busy.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_that_is_removed_while_the_document_is_fetched_has_approved_nothing() {
    let asked = std::sync::Arc::new(tokio::sync::Notify::new());
    let (go, wait) = std::sync::mpsc::channel();
    let (heard, wait) = (std::sync::Arc::clone(&asked), std::sync::Mutex::new(wait));
    let (door, _server, client_id) = external::door(move |client_id| {
        heard.notify_one();
        wait.lock().unwrap().recv().unwrap();
        http_answer("200 OK", "", &external::document(client_id).to_string())
    })
    .await;
    let page = door.open(&client_id, external::APP).await;
    let remove = async {
        asked.notified().await;
        let id = door.passkeys.list().await.unwrap().remove(0).id;
        door.passkeys.remove(&owner(), &id.0).await.unwrap().unwrap();
        go.send(()).unwrap();
    };
    let (answer, ()) = tokio::join!(door.approve(&page, "grok"), remove);
    assert_eq!((answer.status, answer.location()), (StatusCode::BAD_REQUEST, None), "{answer:?}");
    assert!(door.records(Kind::AuthorizationApproved).await.is_empty());
    let refused = door.records(Kind::AuthorizationRefused).await;
    assert_eq!(refused.last().unwrap().reason.as_deref(), Some("passkey_unknown"));
}
