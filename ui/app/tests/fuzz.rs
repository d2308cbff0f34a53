//! Anything, in any order: nothing panics, nothing is drawn outside, and nothing ends or changes but by a deliberate yes.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;
use quarterdeck::control::{Notice, Reply, Request};

use crate::app::{Asked, Effect, Exit, Mode, Model, Msg, Silence, keys::places};
use crate::input::{INTENTS, Intent, Key, Keymap, Place};
use crate::overlays::{Overlay, Question};
use crate::testing::*;

/// What happens next, and how long after the step before.
#[derive(Clone, Debug)]
enum Step {
    Key(Key, KeyEventKind),
    Paste(String),
    Resize(u16, u16),
    Mouse(MouseEventKind, u16, u16),
    Focus(bool),
    Notice(u8),
    Answer(bool),
    Silent(u8),
    Subscribed(u8),
    /// So many keys in one read: no hand types like that.
    Burst(Vec<Key>),
    /// A question is opened, so that many of them are met.
    Ask(u8),
}

fn key() -> impl Strategy<Value = Key> {
    let map = Keymap::default();
    let bound: Vec<Key> = INTENTS.iter().flat_map(|entry| map.keys(entry).to_vec()).collect();
    let yes = prop::sample::select(vec![Key::char('Y'), Key::char('K'), Key::named(KeyCode::Esc), Key::named(KeyCode::Enter)]);
    prop_oneof![
        6 => prop::sample::select(bound),
        3 => yes,
        1 => any::<char>().prop_map(Key::char),
        1 => prop::sample::select(vec![KeyCode::Left, KeyCode::Insert, KeyCode::Null, KeyCode::F(9)]).prop_map(Key::named),
    ]
}

fn side(least: u16, most: u16) -> impl Strategy<Value = u16> {
    prop_oneof![1 => 0..4u16, 1 => least - 5..least + 5, 3 => least..most]
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![8 => Just(KeyEventKind::Press), 1 => Just(KeyEventKind::Repeat), 1 => Just(KeyEventKind::Release)];
    let mouse = prop_oneof![
        3 => Just(MouseEventKind::Down(MouseButton::Left)),
        1 => Just(MouseEventKind::ScrollDown),
        1 => Just(MouseEventKind::ScrollUp),
        1 => Just(MouseEventKind::Moved),
    ];
    prop_oneof![
        24 => (key(), kind).prop_map(|(key, kind)| Step::Key(key, kind)),
        4 => any::<u8>().prop_map(Step::Ask),
        1 => "\\PC{0,12}|Y\n".prop_map(Step::Paste),
        2 => (side(60, 130), side(16, 45)).prop_map(|(width, height)| Step::Resize(width, height)),
        4 => (mouse, 0..130u16, 0..45u16).prop_map(|(kind, column, row)| Step::Mouse(kind, column, row)),
        1 => any::<bool>().prop_map(Step::Focus),
        2 => any::<u8>().prop_map(Step::Notice),
        1 => any::<bool>().prop_map(Step::Answer),
        1 => (0..3u8).prop_map(Step::Silent),
        2 => (0..4u8).prop_map(Step::Subscribed),
        1 => prop::collection::vec(key(), 9..14).prop_map(Step::Burst),
    ]
}

fn event(key: Key, kind: KeyEventKind) -> Msg {
    let modifiers = if key.ctrl { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
    Msg::Key(KeyEvent::new_with_kind(key.code, modifiers, kind))
}

fn messages(step: Step, asked: Option<Asked>) -> Vec<Msg> {
    let one = match step {
        Step::Key(key, kind) => event(key, kind),
        Step::Burst(keys) => return keys.into_iter().map(|key| event(key, KeyEventKind::Press)).collect(),
        Step::Paste(text) => Msg::Paste(text),
        Step::Resize(width, height) => Msg::Resize(width, height),
        Step::Mouse(kind, column, row) => Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }),
        Step::Focus(focused) => Msg::Focus(focused),
        Step::Notice(n) => Msg::Notice(Box::new(notice(n))),
        Step::Answer(good) => match asked {
            Some(asked) if good => Msg::Answered(asked, Ok(Box::new(Reply::Done))),
            Some(asked) => Msg::Answered(asked, Err("no".to_owned())),
            None => Msg::Answered(Asked::EnrollLink, Ok(Box::new(link(PUBLIC)))),
        },
        Step::Silent(0) => Msg::Silent(Silence::Ended),
        Step::Silent(1) => Msg::Silent(Silence::Refused("busy".to_owned())),
        Step::Silent(_) => Msg::Silent(Silence::Unreachable(None)),
        Step::Subscribed(n) => {
            Msg::Subscribed(Box::new([fresh(LOCAL), with_passkey(PUBLIC), busy(), waiting()][usize::from(n)].clone()))
        }
        Step::Ask(_) => return Vec::new(),
    };
    vec![one]
}

fn notice(n: u8) -> Notice {
    match n % 9 {
        0 => Notice::Recorded(row(i64::from(n), "12:42:00", ("connection:claude-web", "tool.called"), Some("GetContext"))),
        1 => Notice::Recorded(row(7, "12:42:00", ("connection:claude-web", "tool.called"), None)),
        2 => Notice::Waiting { list: Vec::new(), more: 0 },
        3 => Notice::Waiting { list: vec![waits("k-1", "https://a.example/c.json")], more: usize::from(n) },
        4 => Notice::Connections(busy().connections.into_iter().skip(usize::from(n % 4)).collect()),
        5 => Notice::Passkeys(Vec::new()),
        6 => Notice::Health((n > 99).then(|| "disk is full".to_owned())),
        7 => Notice::Lagged(3),
        _ => Notice::Stopping,
    }
}

/// Whether an effect ends or changes something; what is not named here is taken for a change.
fn changes(effect: &Effect, mode: Mode) -> bool {
    use Request as R;
    match effect {
        Effect::Ask(_, request) => !matches!(
            request,
            R::Subscribe
                | R::Status
                | R::Connections
                | R::PasskeyAdd
                | R::EnrollTicket { .. }
                | R::PasskeyList
                | R::ClientList
                | R::Audit { .. }
                | R::Record { .. }
                | R::Connection { .. }
                | R::Journal(_)
                | R::ScopesPage { .. }
        ),
        Effect::Leave(Exit::Signal | Exit::HostGone) => false,
        Effect::Leave(_) | Effect::Suspend => mode == Mode::InProcess,
        Effect::Export { .. } => true,
        _ => false,
    }
}

/// What the person in front of it did, kept apart from the program.
#[derive(Default)]
struct Witness {
    /// Since when which question is on top.
    question: Option<(Question, Duration)>,
    /// When a key or a paste came last that could have been meant for something else.
    typed: Option<Duration>,
    interrupted: Option<Duration>,
}

impl Witness {
    /// Whether this message may end or change something.
    fn deliberate(&mut self, msg: &Msg, model: &Model, now: Duration) -> bool {
        let Msg::Key(event) = msg else {
            if matches!(msg, Msg::Paste(_)) {
                self.typed = Some(now);
            }
            return false;
        };
        let Some(key) = Key::of(event) else { return false };
        let means = model.setup.keymap.find(key, places(model)).map(|entry| (entry.place, entry.intent));
        if means == Some((Place::Always, Intent::Interrupt)) {
            let before = self.interrupted.replace(now);
            return before.is_some_and(|before| now - before <= Duration::from_secs(2));
        }
        let quiet = self.typed.is_none_or(|typed| now - typed >= Duration::from_millis(150));
        if means.is_none_or(|(place, _)| place != Place::Always) {
            self.typed = Some(now);
        }
        let old = self.question.as_ref().is_some_and(|(_, since)| now - *since >= Duration::from_millis(400));
        let yes = matches!(means, Some((Place::Question, Intent::Confirm | Intent::KeepServing)));
        let filled_in =
            matches!(model.overlays.last(), Some(Overlay::Prompt(_))) && means == Some((Place::Field, Intent::Submit));
        let press = event.kind == KeyEventKind::Press;
        (press && yes && old && quiet) || filled_in
    }

    fn look(&mut self, model: &Model, now: Duration) {
        let open = match model.overlays.last() {
            Some(Overlay::Confirm(confirm)) => Some(confirm.question().clone()),
            _ => None,
        };
        if open.as_ref() != self.question.as_ref().map(|(question, _)| question) {
            self.question = open.map(|question| (question, now));
        }
    }
}

/// A question of any kind.
fn question(n: u8) -> Question {
    let text = |name: &str| name.to_owned();
    match n % 5 {
        0 => Question::Revoke { grant: text("g-1"), name: text("claude-web"), client: text("c"), scopes: text("s") },
        1 => Question::Deny { id: text("k-1"), client: text("c"), goes_to: text("http://127.0.0.1/") },
        2 => Question::RemovePasskey { id: text("p"), label: text("phone"), last: true },
        3 => Question::RemoveClient { name: text("n"), client_id: text("c") },
        _ => Question::Leave,
    }
}

#[allow(clippy::too_many_lines, reason = "a table")]
fn live(mode: Mode, steps: Vec<(u64, Step)>) -> Result<(), TestCaseError> {
    let mut deck = Deck::new(waiting(), (80, 24));
    deck.model().setup.mode = mode;
    let (mut witness, mut asked) = (Witness::default(), None);
    for (ms, step) in steps {
        deck.pass(ms);
        if let (Step::Ask(n), false) = (&step, deck.model().too_small()) {
            let now = deck.now.tick;
            deck.model().now.tick = now;
            crate::app::ask(deck.model(), question(*n));
            witness.look(deck.model(), now);
        }
        let batch = messages(step, asked.clone());
        if let [Msg::Resize(width, height)] = batch.as_slice() {
            deck.screen.backend_mut().resize(*width, *height);
        }
        let now = deck.now.tick;
        let may = match batch.as_slice() {
            [msg] => witness.deliberate(msg, &deck.pump.model, now),
            [] => false,
            // A burst is a paste outside a field, and text inside.
            _ if deck.pump.model.takes_text() => continue,
            _ => {
                witness.typed = Some(now);
                false
            }
        };
        let frames = deck.pump.frames;
        let told = format!("{batch:?} over {:?}", deck.pump.model.overlays.last());
        let effects = deck.settle(batch);
        prop_assert!(deck.pump.frames <= frames + 1, "at most one frame");
        for effect in &effects {
            prop_assert!(may || !changes(effect, mode), "{effect:?} by {told}");
            if let Effect::Ask(what, _) = effect {
                asked = Some(what.clone());
            }
        }
        witness.look(&deck.pump.model, now);
        prop_assert!(Place::TOGETHER.contains(&places(&deck.pump.model)), "conflicts are looked for in all places of a moment");
        let area = deck.buffer().area;
        let inside = |(x, y): (u16, u16)| x < area.width && y < area.height;
        prop_assert!(
            deck.pump.model.too_small() || deck.pump.model.drawn.cursor.is_none_or(inside),
            "the cursor is on the screen"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_only_a_deliberate_yes_changes_anything(
        in_process in any::<bool>(),
        steps in prop::collection::vec((prop_oneof![3 => 0..200u64, 3 => 400..700u64, 1 => 0..8000u64], step()), 1..160),
    ) {
        live(if in_process { Mode::InProcess } else { Mode::Attached }, steps)?;
    }
}

/// The test above would notice: the effects it looks for do come.
#[test]
fn a_deliberate_yes_is_seen_as_a_change() {
    let mut deck = Deck::new(waiting(), (80, 24));
    let now = deck.now.tick;
    crate::app::ask(deck.model(), question(0));
    let effects = {
        deck.pass(500);
        deck.at_once(KeyCode::Char('Y'))
    };
    assert!(deck.now.tick > now && effects.iter().any(|effect| changes(effect, Mode::Attached)), "{effects:?}");
}
