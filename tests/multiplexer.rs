//! Inside tmux, over its own server: what is drawn arrives there at two sizes, over a second client, and in a second terminal at once.

mod harness;

use std::path::PathBuf;
use std::process::{Command, Output};

use harness::deck::{Deck, environment};
use harness::demo::demo;
use harness::pty::Pty;
use portable_pty::CommandBuilder;

/// A tmux server of its own, ended with the test.
struct Tmux {
    socket: PathBuf,
    _dir: tempfile::TempDir,
}

impl Tmux {
    /// A session `deck` of this size that runs the control center on `deck`.
    fn start(deck: &Deck, (columns, rows): (u16, u16)) -> Tmux {
        let dir = tempfile::tempdir().unwrap();
        let tmux = Tmux { socket: dir.path().join("tmux"), _dir: dir };
        tmux.open(deck, "deck", (columns, rows));
        tmux
    }

    fn open(&self, deck: &Deck, session: &str, (columns, rows): (u16, u16)) {
        let mut command = self.command(&["new-session", "-d", "-s", session]);
        command.args(["-x", &columns.to_string(), "-y", &rows.to_string()]);
        for (name, value) in environment(deck.dir.path()) {
            if let Some(value) = value {
                command.arg("-e").arg(format!("{name}={}", value.display()));
            }
        }
        let opened = command.arg(env!("CARGO_BIN_EXE_quarterdeck")).output().expect("tmux is installed: apt-get install tmux");
        assert!(opened.status.success(), "{opened:?}");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).args(["-u", "-f", "/dev/null"]).args(arguments);
        command.env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
        for name in ["TMUX", "NO_COLOR", "COLORTERM", "LC_ALL"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("tmux is installed: apt-get install tmux")
    }

    fn keys(&self, session: &str, keys: &str) {
        let sent = self.run(&["send-keys", "-t", session, keys]);
        assert!(sent.status.success(), "{sent:?}");
    }

    /// What tmux holds of the session now.
    fn text(&self, session: &str) -> String {
        String::from_utf8(self.run(&["capture-pane", "-p", "-t", session]).stdout).unwrap()
    }

    /// A client that is attached to the session in a terminal of its own, with a row more for the line of tmux itself.
    fn client(&self, session: &str, (columns, rows): (u16, u16)) -> Pty {
        let mut command = CommandBuilder::new("tmux");
        command.arg("-S");
        command.arg(&self.socket);
        command.args(["-u", "attach-session", "-t", session]);
        Pty::sized(command, self.socket.parent().unwrap(), (columns, rows + 1))
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ended = self.run(&["kill-server"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tmux_shows_every_screen_at_two_sizes_and_to_two_clients_at_once() {
    let scene = demo().await;
    for size in [(80, 24), (120, 40)] {
        let tmux = Tmux::start(&scene.deck, size);
        let mut clients = [tmux.client("deck", size), tmux.client("deck", size)];
        clients[0].until("codex-ci");
        for (key, title) in [("3", "[3 Connections]"), ("7", "[7 Audit]"), ("1", "[1 Overview")] {
            tmux.keys("deck", key);
            clients.iter().for_each(|client| client.until(title));
            assert!(tmux.text("deck").contains(title), "{}", tmux.text("deck"));
        }
        let text = tmux.text("deck");
        assert_eq!(text.lines().count(), usize::from(size.1), "{text}");
        clients[1].press("3");
        clients[0].until("[3 Connections]");
        clients[1].press("1");
        clients[0].until("[1 Overview");
        tmux.keys("deck", "q");
        clients.iter_mut().for_each(|client| assert!(client.ended().success(), "the session ends with the program"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_terminal_sees_at_once_what_the_first_one_ended() {
    let scene = demo().await;
    let tmux = Tmux::start(&scene.deck, (120, 40));
    tmux.open(&scene.deck, "second", (80, 24));
    let (mut first, second) = (tmux.client("deck", (120, 40)), tmux.client("second", (80, 24)));
    for (session, client) in [("deck", &first), ("second", &second)] {
        client.until("codex-ci");
        tmux.keys(session, "3");
        client.until("[3 Connections]");
        client.until("4 in all");
    }
    first.press("R");
    first.until("Revoke ");
    first.confirm(|shown| shown.parser.screen().contents().contains("3 in all"));
    second.until("3 in all");
    assert_eq!(scene.deck.json(&["connections"]).as_array().unwrap().len(), 3);
}
