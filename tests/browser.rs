//! The pages in a real browser with a virtual authenticator, against the real binary. Pictures of them are kept in `artifacts/`.

mod harness;

use harness::browser::Browser;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn smoke() {
    let Some(browser) = Browser::start().await else { return };
    browser.open("data:text/html,<label for=a>Name</label><input id=a><button>Go</button>").await;
    browser.field("Name").await.send_keys("x").await.unwrap();
    browser.button("Go").await.click().await.unwrap();
    browser.phone_sized().await;
    browser.scheme("dark").await;
    browser.picture("smoke").await;
    assert_eq!(browser.evaluate("window.matchMedia('(prefers-color-scheme: dark)').matches").await, true);
    assert!(!browser.scrolls_sideways().await);
}
