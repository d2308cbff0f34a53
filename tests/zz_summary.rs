//! Runs last (test programs run in the order of their names) and says what did not run on this machine, and how to run it.

#[path = "harness/browser.rs"]
#[allow(dead_code, reason = "only whether there is a browser is asked here")]
mod browser;

fn main() {
    // Asked by test runners that list tests before they run them.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    match browser::missing() {
        None => println!("\nNothing was left out: the pages ran in a real browser."),
        Some(program) => println!(
            "\nNOT RUN: the tests of the pages in a real browser (tests/browser.rs), because `{program}` is not installed.\n\
             Debian: apt-get install chromium chromium-driver; then: cargo test --test browser"
        ),
    }
}
