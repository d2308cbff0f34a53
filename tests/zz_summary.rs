//! Runs last (test programs run in the order of their names) and says what did not run on this machine, and how to run it.

#[path = "harness/browser.rs"]
#[allow(dead_code, reason = "only whether there is a browser is asked here")]
mod browser;
#[path = "harness/program.rs"]
#[allow(dead_code, reason = "only whether the clients are installed is asked here")]
mod program;

fn main() {
    // Asked by test runners that list tests before they run them.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let browser = browser::missing().map(|program| {
        format!(
            "NOT RUN: the tests of the pages in a real browser (tests/browser.rs, tests/clients.rs), because `{program}` is not installed.\n\
             Debian: apt-get install chromium chromium-driver; then: cargo test --test browser"
        )
    });
    let clients = program::missing().map(|install| {
        format!("NOT RUN: the tests with real clients (tests/clients.rs). To install what they need: {install}; then: cargo test --test clients")
    });
    let left_out: Vec<String> = browser.into_iter().chain(clients).collect();
    match left_out.is_empty() {
        true => println!("\nNothing was left out: the pages ran in a real browser, and real clients came in through them."),
        false => println!("\n{}", left_out.join("\n\n")),
    }
}
