//! Serving goes on when the control center is left, and stops when it is told to: the real binary in a real terminal.

mod harness;

use std::path::Path;
use std::process::Output;

use harness::attempt::Attempt;
use harness::deck::{Deck, command};
use harness::owner::Owner;
use harness::pty::{Pty, ended_alternate};
use harness::scene::token;
use harness::wire::Wire;
use serde_json::{Value, json};

/// A control center whose leaving lets serving go on, and whatever serves there afterwards.
struct Center {
    pty: Pty,
    dir: tempfile::TempDir,
}

impl Center {
    fn start() -> Center {
        let dir = tempfile::tempdir().unwrap();
        let pty = Pty::start(dir.path(), None);
        pty.until("Press p to enroll a passkey");
        Center { pty, dir }
    }

    /// Leaves so that serving goes on.
    fn leave(&mut self) {
        self.pty.press("q");
        self.pty.until("Leave and stop the host?");
        self.pty.answer("K", ended_alternate);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(self.dir.path()).args(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// All that was written to the terminal.
    fn written(&self) -> String {
        String::from_utf8_lossy(&self.pty.shown.0.lock().unwrap().raw).into_owned()
    }

    /// The process that uses the state directory.
    fn process(&self) -> Option<i32> {
        process(self.dir.path())
    }

    fn verifies(&self) {
        let verified = self.run(&["audit", "verify"]);
        assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    }
}

fn process(dir: &Path) -> Option<i32> {
    std::fs::read_to_string(dir.join("lock")).ok()?.parse().ok()
}

impl Drop for Center {
    /// Nothing that was let go on outlives the test.
    fn drop(&mut self) {
        let stopped = self.run(&["stop"]).status.success();
        if let (false, Some(id)) = (stopped, self.process().and_then(rustix::process::Pid::from_raw)) {
            let _gone_already = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
}

/// The session a process belongs to.
fn session_of(process: i32) -> i32 {
    let pid = rustix::process::Pid::from_raw(process);
    rustix::process::getsid(pid).unwrap().as_raw_nonzero().get()
}

/// A host in a terminal with a passkey and a code that nobody exchanged yet.
struct Door {
    wire: Wire,
    attempt: Attempt,
    code: String,
}

impl Door {
    async fn of(center: &Center) -> Door {
        let status = center.json(&["status"]);
        let (origin, listen) = (status["public_url"].as_str().unwrap(), status["listen"][0].as_str().unwrap());
        let mut owner = Owner::new(origin);
        owner.enroll(center.json(&["passkey", "add"])["url"].as_str().unwrap()).await;
        let attempt = Attempt::new(origin);
        let approved = owner.approve(&attempt.page(), "dots").await;
        let back = approved.location.unwrap_or_else(|| panic!("{}", approved.page));
        let code = back.query_pairs().find(|(key, _)| key == "code").unwrap().1.into_owned();
        Door { wire: Wire::new(listen, origin), attempt, code }
    }

    async fn exchange(&self) -> String {
        token(&self.wire.form("/token", &self.attempt.exchange(&self.code)).await.unwrap()).expect("a token")
    }

    async fn lets_in(&self, token: &str) -> bool {
        self.wire.rpc(token, "tools/list", json!({})).await.unwrap().status == 200
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_opens_the_old_process_and_the_new_one() {
    let mut center = Center::start();
    let door = Door::of(&center).await;
    let token = door.exchange().await;
    assert!(door.lets_in(&token).await);
    center.leave();
    assert!(center.pty.ended().success(), "{}", center.written());
    assert!(door.lets_in(&token).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serving_goes_on_in_a_process_of_its_own_on_the_same_port_with_what_was_open() {
    let mut center = Center::start();
    let door = Door::of(&center).await;
    let (before, old) = (center.json(&["status"]), center.process().unwrap());
    center.leave();
    assert!(center.pty.ended().success(), "{}", center.written());
    center.pty.assert_restored();
    let new = center.process().unwrap();
    assert!(new != old && center.written().contains(&format!("Serving goes on in process {new}. No call was cut off")));
    assert_eq!(session_of(new), new, "it is away from the terminal");
    let after = center.json(&["status"]);
    for same in ["public_url", "listen", "state_dir", "passkeys"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    let token = door.exchange().await;
    assert!(door.lets_in(&token).await, "the code was given out by the old process");
    center.verifies();
}

#[test]
fn a_second_start_attaches_to_the_process_that_serves_on_and_stop_ends_it() {
    let mut center = Center::start();
    center.leave();
    assert!(center.pty.ended().success(), "{}", center.written());
    let new = center.process().unwrap();
    let mut second = Pty::attached(center.dir.path());
    second.until("Press p to enroll a passkey");
    assert_eq!(center.json(&["stop"])["process"], new);
    second.until("not connected to the host");
    second.press("q");
    assert!(second.ended().success());
    assert_eq!((center.process(), center.run(&["status"]).status.code()), (None, Some(4)));
    assert_eq!(center.run(&["stop"]).status.code(), Some(4));
    center.verifies();
}

#[test]
fn a_new_process_that_cannot_start_is_told_with_what_it_said_and_nothing_is_left() {
    let mut center = Center::start();
    let folder = center.dir.path().join("config/quarterdeck");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("quarterdeck.toml"), "[log]\nkeep_days = 0\n").unwrap();
    center.leave();
    assert_eq!(center.pty.ended().exit_code(), 1);
    let written = center.written();
    assert!(written.contains("the host is stopped, and serving does not go on: the new process ended"), "{written}");
    assert!(written.contains("quarterdeck.toml line 2: log.keep_days must be"), "{written}");
    assert_eq!(center.process(), None);
    std::fs::remove_file(folder.join("quarterdeck.toml")).unwrap();
    center.verifies();
}

/// Nothing is promised of the service then, but that one of two things is true, and that it can be started again.
#[test]
fn killed_in_the_middle_it_is_stopped_or_serves_and_a_later_start_works() {
    let moments: [fn(i32, Option<i32>) -> bool; 3] =
        [|old, now| now == Some(old), |_, now| now.is_none(), |old, now| now.is_some_and(|now| now != old)];
    for moment in moments {
        let mut center = Center::start();
        let old = center.process().unwrap();
        center.leave();
        while !moment(old, center.process()) && center.pty.child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ended_already = center.pty.child.kill();
        center.pty.child.wait().unwrap();
        let dir = std::mem::replace(&mut center.dir, tempfile::tempdir().unwrap());
        // Either it starts, or it is told that the new process has the state directory already.
        match Deck::try_start_in(dir) {
            Ok(deck) => assert_eq!(deck.run(&["audit", "verify"]).status.code(), Some(0)),
            Err((said, dir)) => {
                center.dir = dir;
                assert!(said.contains("another Quarterdeck (process "), "{said}");
                assert!((0..200).any(|_| center.run(&["status"]).status.success()), "it never came up");
                center.verifies();
            }
        }
    }
}

#[test]
fn a_control_center_whose_host_is_told_to_stop_says_so_and_ends() {
    let mut center = Center::start();
    center.json(&["stop"]);
    assert!(center.pty.ended().success());
    assert!(center.written().contains("The host in this terminal was stopped with \"quarterdeck stop\""), "{}", center.written());
    center.pty.assert_restored();
    let rows = center.run(&["audit", "verify"]);
    assert_eq!(rows.status.code(), Some(0));
}
