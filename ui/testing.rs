//! For tests: a control center without a host and without a terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use jiff::{SignedDuration, tz::TimeZone};
use quarterdeck::config::{self, ThemeChoice};
use quarterdeck::control::{
    AuditPage, AuditRow, Connection, ConnectionState, EnrollLink, Notice, Passkey, Reply, Snapshot, Status, Waiting,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use crate::app::{About, Asked, Effect, Mode, Model, Msg, Now, Pump, Setup};
use crate::screens::Screen;
use crate::terminal::{Attention, Environment, Place};
use crate::theme::{Depth, Theme, Themes};

pub(crate) const LOCAL: &str = "http://localhost:7420";
pub(crate) const PUBLIC: &str = "https://deck.example.com";

/// A terminal that can do everything.
pub(crate) fn able() -> Environment {
    Environment { dumb: false, utf8: true, no_color: false, depth: Depth::True, rehearsal: None }
}

/// The terminal's own theme and every shipped one, as such a terminal shows them; one it cannot show is left out.
pub(crate) fn every_theme(environment: &Environment) -> Vec<Theme> {
    let shipped = ["light", "dark", "high-contrast"].map(|name| ThemeChoice::Named(name.to_owned()));
    let choices = std::iter::once(ThemeChoice::Terminal).chain(shipped);
    let one = |theme| {
        let config = config::Terminal { theme, ..config::Terminal::default() };
        Themes::new(&config, Path::new("/nowhere"), environment, || None).load().ok()
    };
    choices.filter_map(one).collect()
}

/// A control center at a size, and its clock.
pub(crate) struct Deck {
    pub(crate) pump: Pump,
    pub(crate) screen: Terminal<TestBackend>,
    pub(crate) now: Now,
}

impl Deck {
    /// Attached to a host that says `snapshot`.
    pub(crate) fn new(snapshot: Snapshot, size: (u16, u16)) -> Deck {
        Deck::with(snapshot, size, Theme::of(&able(), false))
    }

    /// The same in another theme.
    pub(crate) fn with(snapshot: Snapshot, size: (u16, u16), theme: Theme) -> Deck {
        let now = Now { tick: Duration::from_secs(100), wall: snapshot.now.parse().expect("a time") };
        let setup = Setup {
            mode: Mode::Attached,
            zone: TimeZone::UTC,
            keymap: Arc::default(),
            attention: Attention::default(),
            place: Place::read(|_| None),
            mouse: true,
            qr_hide_unfocused: false,
        };
        let screen = Terminal::new(TestBackend::new(size.0, size.1)).expect("a test screen");
        let pump = Pump { model: Model::new(setup, snapshot, now), theme, frames: 0 };
        let mut deck = Deck { pump, screen, now };
        deck.pump.model.size = size;
        deck.settle(Vec::new());
        deck
    }

    /// The same with the host in this process.
    pub(crate) fn in_process(mut self) -> Deck {
        self.pump.model.setup.mode = Mode::InProcess;
        self.pump.model.changed = true;
        self.settle(Vec::new());
        self
    }

    pub(crate) fn model(&mut self) -> &mut Model {
        &mut self.pump.model
    }

    /// What the loop does with everything that happened since the last frame.
    pub(crate) fn settle(&mut self, batch: Vec<Msg>) -> Vec<Effect> {
        let effects = self.pump.feed(batch, self.now);
        if self.pump.is_stale() {
            self.pump.draw(&mut self.screen).expect("the test screen takes everything");
        }
        effects
    }

    pub(crate) fn hear(&mut self, notice: Notice) -> Vec<Effect> {
        self.settle(vec![Msg::Notice(Box::new(notice))])
    }

    pub(crate) fn answer(&mut self, asked: Asked, reply: Reply) -> Vec<Effect> {
        self.settle(vec![Msg::Answered(asked, Ok(Box::new(reply)))])
    }

    /// A person presses a key: half a second after the one before.
    pub(crate) fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        self.pass(500);
        self.at_once(code)
    }

    pub(crate) fn key(&mut self, c: char) -> Vec<Effect> {
        self.press(KeyCode::Char(c))
    }

    pub(crate) fn ctrl(&mut self, c: char) -> Vec<Effect> {
        self.settle(vec![Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))])
    }

    /// A key without any time before it.
    pub(crate) fn at_once(&mut self, code: KeyCode) -> Vec<Effect> {
        self.settle(vec![Msg::Key(KeyEvent::new(code, KeyModifiers::NONE))])
    }

    /// The terminal reports a key as held down.
    pub(crate) fn repeat(&mut self, code: KeyCode) -> Vec<Effect> {
        self.pass(500);
        self.settle(vec![Msg::Key(KeyEvent::new_with_kind(code, KeyModifiers::NONE, KeyEventKind::Repeat))])
    }

    /// The left button on the first cell that shows `text`.
    pub(crate) fn click(&mut self, text: &str) -> Vec<Effect> {
        let found = self.rows().iter().zip(0..).find_map(|(row, y)| Some((row.split_once(text)?.0.to_owned(), y)));
        let (before, row) = found.expect("it is shown");
        let (kind, column) = (MouseEventKind::Down(MouseButton::Left), u16::try_from(crate::widgets::width(&before)).unwrap());
        self.settle(vec![Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })])
    }

    /// Time passes; the loop wakes up exactly when the model said it would.
    pub(crate) fn pass(&mut self, ms: u64) {
        let end = self.now.tick + Duration::from_millis(ms);
        while let Some(wake) = self.pump.model.next_wake().filter(|wake| *wake <= end) {
            self.forward(wake.max(self.now.tick));
            self.settle(vec![Msg::Wake]);
        }
        self.forward(end);
    }

    pub(crate) fn forward(&mut self, tick: Duration) {
        let by = SignedDuration::try_from(tick - self.now.tick).expect("a short time");
        self.now = Now { tick, wall: self.now.wall + by };
    }

    pub(crate) fn buffer(&self) -> &Buffer {
        self.screen.backend().buffer()
    }

    /// The rows of the screen as text: the second cell of a wide character shows nothing.
    pub(crate) fn rows(&self) -> Vec<String> {
        let buffer = self.buffer();
        let row = |y: u16| {
            let mut text = String::new();
            let mut skip = 0;
            for x in 0..buffer.area.width {
                if skip == 0 {
                    let symbol = buffer[(x, y)].symbol();
                    text.push_str(symbol);
                    skip = crate::widgets::width(symbol).max(1);
                }
                skip -= 1;
            }
            text
        };
        (0..buffer.area.height).map(row).collect()
    }

    pub(crate) fn text(&self) -> String {
        self.rows().iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")
    }
}

/// A fresh install: no passkey, no connection, nothing happened.
pub(crate) fn fresh(public_url: &str) -> Snapshot {
    let started = row(1, "12:40:00", ("system", "host.started"), None);
    Snapshot {
        seq: 1,
        now: "2026-12-01T12:41:10.000Z".to_owned(),
        status: Status {
            version: "0.1.0".to_owned(),
            public_url: Some(public_url.to_owned()),
            listen: vec!["127.0.0.1:7420".to_owned(), "[::1]:7420".to_owned()],
            state_dir: PathBuf::from("/home/sam/.local/share/quarterdeck"),
            host: "embedded".to_owned(),
            passkeys: 0,
            connections: 0,
            waiting: 0,
            uptime_s: 70,
            failing: None,
        },
        connections: Vec::new(),
        passkeys: Vec::new(),
        waiting: Vec::new(),
        more_waiting: 0,
        activity: vec![started],
    }
}

/// With a passkey and still no connection.
pub(crate) fn with_passkey(public_url: &str) -> Snapshot {
    let passkey = Passkey {
        id: "5c1e9a4077d20b1f".to_owned(),
        label: Some("phone".to_owned()),
        created_at: "2026-12-01T12:40:30.000Z".to_owned(),
        last_used_at: None,
        elsewhere: None,
    };
    let mut snapshot = fresh(public_url);
    snapshot.passkeys.push(passkey);
    snapshot.activity.push(row(2, "12:40:30", ("passkey:5c1e9a40", "passkey.added"), Some("phone")));
    snapshot.seq = 2;
    snapshot
}

/// With four connections and what they did.
pub(crate) fn busy() -> Snapshot {
    let mut snapshot = with_passkey(PUBLIC);
    snapshot.connections = vec![
        connection(("claude-web", "g-1"), "https://claude.ai/oauth/client.json", (ConnectionState::Live, Some("12:41:07"), 412)),
        connection(
            ("codex-ci", "g-2"),
            "https://deck.example.com/clients/codex-ci",
            (ConnectionState::Idle, Some("12:33:18"), 967),
        ),
        connection(("cursor-laptop", "g-3"), "https://cursor.com/mcp/client.json", (ConnectionState::NeverUsed, None, 0)),
        connection(
            ("old-laptop", "g-4"),
            "https://claude.ai/oauth/client.json",
            (ConnectionState::WrongUrl, Some("11:02:44"), 0),
        ),
    ];
    snapshot.activity.extend([
        row(3, "12:33:18", ("connection:codex-ci", "tool.called"), Some("ReadMemory notes/release.md")),
        row(4, "12:35:30", ("client:https://evil.example/c.json", "authorization.refused"), None),
        row(5, "12:40:58", ("connection:claude-web", "tool.called"), Some("GetContext")),
        row(6, "12:41:07", ("connection:claude-web", "tool.called"), Some("ReadMemory preferences/travel.md")),
    ]);
    for row in &mut snapshot.activity {
        row.took_ms = (row.kind == "tool.called").then_some(14);
    }
    let refused = &mut snapshot.activity[3];
    (refused.outcome, refused.reason) = ("refused".to_owned(), Some("not_allowed".to_owned()));
    snapshot.seq = 6;
    snapshot
}

/// The same, and two clients ask.
pub(crate) fn waiting() -> Snapshot {
    Snapshot {
        waiting: vec![waits("k-11", "https://cursor.com/mcp/client.json"), waits("k-12", "https://chatgpt.com/c.json")],
        ..busy()
    }
}

pub(crate) fn waits(id: &str, client_id: &str) -> Waiting {
    Waiting {
        id: id.to_owned(),
        client_id: client_id.to_owned(),
        redirect_uri: "http://127.0.0.1:51004/callback".to_owned(),
        scopes: vec!["context:read".to_owned(), "memory:read".to_owned(), "experience:write".to_owned()],
        since: "2026-12-01T12:40:55.000Z".to_owned(),
        expires_at: "2026-12-01T12:50:55.000Z".to_owned(),
    }
}

pub(crate) fn connection(
    (name, grant): (&str, &str),
    client_id: &str,
    (state, last, calls): (ConnectionState, Option<&str>, i64),
) -> Connection {
    Connection {
        name: name.to_owned(),
        grant: grant.to_owned(),
        client_id: client_id.to_owned(),
        client_name: Some("Claude".to_owned()),
        scopes: ["context:read", "memory:read", "events:read", "experience:write"].map(str::to_owned).to_vec(),
        created_at: "2026-11-28T09:00:00.000Z".to_owned(),
        last_used_at: last.map(|at| format!("2026-12-01T{at}.000Z")),
        calls_24h: calls,
        calls_by_hour: (0..24).map(|hour| calls * hour / 276).collect(),
        state,
    }
}

pub(crate) fn row(seq: i64, at: &str, (actor, kind): (&str, &str), object: Option<&str>) -> AuditRow {
    AuditRow {
        seq,
        at: format!("2026-12-01T{at}.000Z"),
        actor: actor.to_owned(),
        kind: kind.to_owned(),
        object: object.map(str::to_owned),
        outcome: "ok".to_owned(),
        reason: None,
        grant: None,
        took_ms: None,
        detail: serde_json::Map::new(),
    }
}

/// The screen Audit as it is opened: its first question is answered with these rows, newest first.
pub(crate) fn auditing(snapshot: Snapshot, size: (u16, u16), rows: Vec<AuditRow>) -> Deck {
    let mut deck = Deck::new(snapshot, size);
    deck.key('7');
    let total = i64::try_from(rows.len()).unwrap();
    let asked = Asked::Of(Screen::Audit, About::Page { generation: 1 });
    deck.answer(asked, Reply::Audit(AuditPage { rows, next: None, total }));
    deck
}

/// A link that is good for ten minutes.
pub(crate) fn link(public_url: &str) -> Reply {
    Reply::EnrollLink(EnrollLink {
        url: format!("{public_url}/enroll#Zm9vYmFyYmF6cXV4MTIzNA"),
        expires_at: "2026-12-01T12:51:10.000Z".to_owned(),
    })
}

/// The screen with the enrollment overlay open and filled.
pub(crate) fn enrolling(public_url: &str, size: (u16, u16)) -> Deck {
    let mut deck = Deck::new(fresh(public_url), size);
    deck.key('p');
    deck.answer(Asked::EnrollLink, link(public_url));
    deck
}
