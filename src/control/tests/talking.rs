//! The socket and its frames: who may talk, how many at once, and what becomes of those who talk badly or not at all.

use super::*;

#[tokio::test]
async fn a_peer_of_another_version_is_told_which_side_to_start_again() {
    let desk = Desk::new().await;
    for (theirs, side) in [(PROTOCOL + 1, "stop the host"), (PROTOCOL - 1, "start this program again")] {
        let mut talk = Frames::over(desk.raw().await);
        talk.send(&Hello { protocol: theirs, version: "9.9.9".to_owned(), terminal: None }).await.unwrap();
        assert_eq!(talk.next::<Hello>().await.unwrap().unwrap().protocol, PROTOCOL);
        let Reply::Refused(refusal) = talk.next::<Reply>().await.unwrap().unwrap() else { panic!("{theirs}") };
        assert_eq!(refusal.reason, "version");
        assert!(refusal.message.contains("9.9.9") && refusal.message.contains(side), "{}", refusal.message);
    }
}

#[tokio::test]
async fn a_host_of_another_version_is_a_sentence_for_the_person_at_the_client() {
    let dir = tempfile::tempdir().unwrap();
    let listener = tokio::net::UnixListener::bind(dir.path().join("control.sock")).unwrap();
    let host = tokio::spawn(async move {
        let mut talk = Frames::over(listener.accept().await.unwrap().0);
        talk.send(&Hello { protocol: PROTOCOL + 1, version: "9.9.9".to_owned(), terminal: None }).await.unwrap();
        let _until_the_client_hangs_up = talk.next::<Hello>().await;
    });
    let error = Client::connect(dir.path()).await.err().unwrap().to_string();
    assert!(error.contains("newer") && error.contains("9.9.9"), "{error}");
    host.await.unwrap();
}

/// Bytes no client sends: all are answered by the end of the conversation, and the host goes on.
#[tokio::test]
async fn garbage_oversized_and_half_frames_end_only_their_own_conversation() {
    let desk = Desk::new().await;
    let too_large = u32::try_from(MOST + 1).unwrap().to_be_bytes().to_vec();
    let half = [&[0, 0, 0, 50][..], b"{\"protocol\":"].concat();
    let garbage = [&[0, 0, 0, 5][..], b"\xff\x00{]}"].concat();
    for (what, bytes) in [("too large", too_large), ("half", half), ("garbage", garbage), ("half a length", vec![0, 0])] {
        let mut peer = desk.raw().await;
        peer.write_all(&bytes).await.unwrap();
        peer.shutdown().await.unwrap();
        assert!(ended(&mut peer).await, "{what}");
    }
    for (what, bytes) in [("unknown request", &b"{\"request\":\"format_disk\"}"[..]), ("not JSON", b"hello")] {
        let mut talk = greeted(desk.raw().await).await;
        talk.send_raw(bytes).await;
        assert_eq!(reason(talk.next::<Reply>().await.unwrap().unwrap()), "invalid_request", "{what}");
    }
    assert!(matches!(desk.clients[1].1.request(Request::Status).await.unwrap(), Reply::Status(_)));
}

async fn greeted<S: AsyncRead + AsyncWrite + Unpin>(stream: S) -> Frames<S> {
    let mut talk = Frames::over(stream);
    talk.send(&Hello::here(None)).await.unwrap();
    talk.next::<Hello>().await.unwrap().unwrap();
    talk
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_says_nothing_is_closed_and_holds_up_nobody() {
    let desk = Desk::new().await;
    let mut silent = desk.raw().await;
    let mut slow = desk.raw().await;
    slow.write_all(&[0, 0, 0]).await.unwrap();
    assert!(matches!(desk.clients[1].1.request(Request::Status).await.unwrap(), Reply::Status(_)));
    assert!(ended(&mut silent).await);
    assert!(ended(&mut slow).await);
}

#[tokio::test]
async fn conversations_are_bounded_and_a_place_that_became_free_is_used() {
    let desk = Desk::new().await;
    let mut held = Vec::new();
    for _ in 0..serve::MOST {
        held.push(greeted(desk.raw().await).await);
    }
    match desk.clients[1].1.request(Request::Status).await {
        Err(ClientError::Refused(refusal)) => assert_eq!(refusal.reason, "busy"),
        other => panic!("{other:?}"),
    }
    // Busy is not stopped: nobody may start a second host, or back up the store behind its back.
    let turned_away = Client::connect(desk.fixture.dir.path()).await.err().unwrap();
    assert!(matches!(turned_away, ConnectError::Client(ClientError::Refused(_))), "{turned_away:?}");
    // The control center in the host's own process is not shut out by them.
    assert!(matches!(desk.clients[0].1.request(Request::Status).await.unwrap(), Reply::Status(_)));
    held.clear();
    let free = async { while desk.clients[1].1.request(Request::Status).await.is_err() {} };
    tokio::time::timeout(SOON, free).await.expect("places become free");
}

/// A168
#[tokio::test]
async fn the_socket_is_the_owners_and_a_left_over_one_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let _bound = Control::bind(dir.path()).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_file_in_the_sockets_place_is_left_alone_and_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("control.sock"), "mine").unwrap();
    let error = Control::bind(dir.path()).err().unwrap().to_string();
    assert!(error.contains("control.sock") && error.contains("move it away"), "{error}");
    assert_eq!(std::fs::read(dir.path().join("control.sock")).unwrap(), b"mine");
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_is_said_before_the_system_is_asked() {
    let long = std::path::PathBuf::from("/").join("x".repeat(200));
    let error = Client::connect(&long).await.err().unwrap().to_string();
    assert!(error.contains("too long for a socket") && error.contains("--state-dir"), "{error}");
}

#[test]
fn only_the_user_the_host_runs_as_may_talk_not_even_root() {
    assert!(socket::is_owner(1000, 1000));
    assert!(!socket::is_owner(1001, 1000));
    assert!(!socket::is_owner(0, 1000));
}
