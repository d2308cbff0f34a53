//! Time, moved by hand, through the whole host: what runs out does so for everyone who asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use quarterdeck::Host;
use quarterdeck::config::Config;
use quarterdeck::control::{Reply, Request};
use serde_json::json;

/// 2026-12-01T09:30:00Z.
const START: i64 = 1_796_117_400_000;
/// How long an enrollment link can be used.
const LINK: i64 = 10 * 60 * 1000;

#[tokio::test]
async fn an_enrollment_link_opens_the_page_until_its_last_millisecond() {
    let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    let mut config = Config::new(dir.path().to_owned());
    config.assistants.listen = vec!["127.0.0.1:0".parse().unwrap()];
    let hand = Arc::new(AtomicI64::new(START));
    let now = Arc::clone(&hand);
    let host = Host::start_at(config, Arc::new(move || now.load(Ordering::SeqCst))).await.unwrap();
    let Reply::EnrollLink(link) = host.client().request(Request::PasskeyAdd).await.unwrap() else { panic!("no link") };
    assert_eq!(link.expires_at, "2026-12-01T09:40:00.000Z");
    let (page, secret) = link.url.split_once('#').unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for (passed, status) in [(0, 200), (LINK - 1, 200), (LINK, 403)] {
        hand.store(START + passed, Ordering::SeqCst);
        let asking = http.post(format!("{page}/options")).header("content-type", "application/json");
        let answer = asking.body(json!({ "secret": secret }).to_string()).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "after {passed} ms: {}", answer.text().await.unwrap());
    }
    host.stop().await;
}
