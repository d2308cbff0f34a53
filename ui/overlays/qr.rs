//! Enrolling a passkey: the one-time link as a QR code, or, when only this machine can reach the address, a way into the local browser.
//!
//! The code is black on white in every theme, with four modules of margin, in half blocks; `b` draws two cells for each module with
//! backgrounds only, for fonts that leave hairlines. The link is drawn here and nowhere else.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use qrcode::bits::Bits;
use qrcode::{Color, EcLevel, QrCode, Version};
use quarterdeck::control::EnrollLink;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::{centred, hints, lift};
use crate::app::{Model, Now};
use crate::input::{Intent, Place};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, wrap};

/// Modules of white around the code: what readers need.
const MARGIN: usize = 4;
/// The text beside the code.
const BESIDE: u16 = 33;
const KEYS: &[Intent] = &[Intent::Bigger, Intent::Invert, Intent::Browse, Intent::NewLink, Intent::Close];

/// How far the link is.
#[derive(Clone, Debug, Default)]
enum State {
    /// The host was asked.
    #[default]
    Asked,
    Open {
        link: EnrollLink,
        until: Timestamp,
        /// As it is drawn.
        left: i64,
    },
    Expired,
    /// Somebody made another one: there is only ever one that works.
    Replaced,
    Failed(String),
}

/// The open overlay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enroll {
    state: State,
    pub(crate) big: bool,
    pub(crate) inverted: bool,
}

impl Enroll {
    /// The host's answer.
    pub(crate) fn fill(&mut self, answer: Result<EnrollLink, String>, now: Timestamp) {
        self.state = match answer {
            Ok(link) => {
                let until = link.expires_at.parse().unwrap_or(now);
                State::Open { link, until, left: seconds(until, now) }
            }
            Err(why) => State::Failed(why),
        };
        self.pass(now);
    }

    /// The link, while it is good.
    pub(crate) fn link(&self) -> Option<&EnrollLink> {
        match &self.state {
            State::Open { link, .. } => Some(link),
            _ => None,
        }
    }

    /// A link that ends at `ends` is the one that works now: the one that is shown does not, unless it is that one.
    pub(crate) fn replaced_by(&mut self, ends: &str) {
        if self.link().is_some_and(|link| link.expires_at != ends) {
            self.state = State::Replaced;
        }
    }

    /// When the countdown shows another second.
    pub(crate) fn next_second(&self, now: &Now) -> Option<Duration> {
        let State::Open { until, left, .. } = &self.state else { return None };
        let at = until.checked_sub(SignedDuration::from_secs(*left - 1)).ok()?;
        Some(now.tick + Duration::try_from(at.duration_since(now.wall)).unwrap_or_default())
    }

    /// Time passed: whether the countdown or the state changed.
    pub(crate) fn pass(&mut self, now: Timestamp) -> bool {
        let State::Open { until, left, .. } = &mut self.state else { return false };
        let before = std::mem::replace(left, seconds(*until, now));
        let (changed, over) = (before != *left, *left <= 0);
        if over {
            self.state = State::Expired;
        }
        changed || over
    }

    /// Draws it over `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
        let code = match &self.state {
            State::Open { link, .. } if !model.facts.local_only() && !model.hides_links() => encode(&link.url),
            _ => None,
        };
        let size = code.as_ref().map(|code| self.cells(code, canvas.theme.ascii));
        let rect = match size {
            Some((width, height)) => centred(area, ((width + BESIDE + 4).max(80), (height + 2).max(18))),
            None => centred(area, (76, 18)),
        };
        lift(canvas, rect, area);
        let right = match &self.state {
            State::Open { left, .. } if !model.hides_links() => format!("one use · {:02}:{:02} left", left / 60, left % 60),
            _ => String::new(),
        };
        let bottom = hints(model, Place::Enroll, KEYS);
        let frame = Frame { title: "Enroll a passkey", right: &right, bottom: &bottom, focused: true };
        let inside = canvas.frame(rect, &frame);
        match (code, size) {
            (Some(code), Some(size)) => self.with_code(canvas, inside, (&code, size)),
            _ => self.without_code(model, canvas, inside),
        }
    }

    fn with_code(&self, canvas: &mut Canvas<'_>, inside: Rect, (code, (width, height)): (&QrCode, (u16, u16))) {
        let wide = inside.width >= width + BESIDE;
        if inside.width < width || inside.height < height {
            let (columns, rows) = (width + 2, height + 2);
            let first = format!("The code needs a window of {columns}×{rows}.");
            let then = if self.big { "b draws it smaller." } else { "Make the window larger, or open the link on the phone:" };
            return self.sentences(
                canvas,
                inside,
                &[(&first, Role::Warn), (then, Role::Text), ("", Role::Text), (self.url(), Role::Accent)],
            );
        }
        let at = if wide { (inside.x + 1, inside.y) } else { (inside.x, inside.y) };
        self.draw(canvas, at, code);
        if wide {
            let beside = Rect { x: at.0 + width + 1, width: inside.width - width - 2, ..inside };
            let lines = [
                ("Scan it with the phone that will hold the passkey.", Role::Text),
                ("", Role::Text),
                ("Or open this link there:", Role::Muted),
                (self.url(), Role::Accent),
                ("", Role::Text),
                ("It works once. This closes by itself when the passkey is there.", Role::Muted),
                ("", Role::Text),
                ("The link is never logged.", Role::Muted),
            ];
            self.sentences(canvas, beside, &lines);
        }
    }

    fn without_code(&self, model: &Model, canvas: &mut Canvas<'_>, inside: Rect) {
        let keymap = &model.setup.keymap;
        let (fresh, browse) = (
            keymap.say("Press {new-link} for a new one."),
            keymap.say("Press {browse} to open this link in this machine's browser, if it has one:"),
        );
        let fresh = (fresh.as_str(), Role::Text);
        match &self.state {
            State::Asked => self.sentences(canvas, inside, &[("Asking the host for a link …", Role::Muted)]),
            State::Failed(why) => self.sentences(canvas, inside, &[(why, Role::Danger), ("", Role::Text), fresh]),
            State::Expired => self.sentences(canvas, inside, &[("The link has expired.", Role::Warn), ("", Role::Text), fresh]),
            State::Replaced => {
                let text = "A newer link took its place, made in another terminal or by a command: this one does not work any more.";
                self.sentences(canvas, inside, &[(text, Role::Warn), ("", Role::Text), fresh]);
            }
            State::Open { .. } if model.hides_links() => {
                self.sentences(canvas, inside, &[("The link is hidden while this terminal does not have the focus.", Role::Text)]);
            }
            State::Open { .. } if !model.facts.local_only() => {
                self.sentences(canvas, inside, &[("The link is too long for a code. Open it on the phone:", Role::Text), (self.url(), Role::Accent)]);
            }
            State::Open { .. } => self.sentences(canvas, inside, &[
                (&browse, Role::Text),
                ("", Role::Text),
                (self.url(), Role::Accent),
                ("", Role::Text),
                ("It works once. This closes by itself when the passkey is there.", Role::Muted),
                ("", Role::Text),
                ("There is no code to scan: only this machine reaches this address. For a phone, put a tunnel or a proxy with TLS in front, \
                  set assistants.public_url to its https address and start again. Passkeys belong to the address they were made under.", Role::Muted),
                ("", Role::Text),
                ("The link is never logged.", Role::Muted),
            ]),
        }
    }

    fn url(&self) -> &str {
        self.link().map_or("", |link| link.url.as_str())
    }

    fn sentences(&self, canvas: &mut Canvas<'_>, inside: Rect, lines: &[(&str, Role)]) {
        let room = inside.width.saturating_sub(4);
        let mut y = inside.y + 1;
        for (text, role) in lines {
            for line in wrap(canvas.theme, text, usize::from(room)) {
                if y < inside.bottom() {
                    canvas.put((inside.x + 2, y), room, &line, canvas.theme.style(*role));
                }
                y += 1;
            }
        }
    }

    /// The cells the code takes, margin included. Without block characters only the big form can be drawn.
    fn cells(&self, code: &QrCode, ascii: bool) -> (u16, u16) {
        let side = u16::try_from(code.width() + 2 * MARGIN).unwrap_or(u16::MAX / 4);
        if self.big || ascii { (side * 2, side) } else { (side, side.div_ceil(2)) }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, at: (u16, u16), code: &QrCode) {
        let (width, height) = self.cells(code, canvas.theme.ascii);
        let big = self.big || canvas.theme.ascii;
        let colours = canvas.theme.qr();
        let dark = |x: usize, y: usize| module(code, x, y) != (self.inverted && colours.is_none());
        let ink = Ink(colours.map(|(dark, light)| if self.inverted { (light, dark) } else { (dark, light) }));
        for (y, row) in (0..height).zip(0_usize..) {
            for (x, column) in (0..width).zip(0_usize..) {
                let (symbol, style) = if big {
                    (" ", ink.space(dark(column / 2, row)))
                } else {
                    (halves(dark(column, row * 2), dark(column, row * 2 + 1)), ink.symbol())
                };
                canvas.glyph(at.0 + x, at.1 + y, symbol, style);
            }
        }
    }
}

/// The dark and the light colour; none: the terminal's own two in reverse, which is dark on light where the terminal is dark.
struct Ink(Option<(ratatui::style::Color, ratatui::style::Color)>);

impl Ink {
    /// A cell with a symbol. The foreground is always the dark colour, so an even area has no seams.
    fn symbol(&self) -> Style {
        self.0.map_or(Style::new().add_modifier(Modifier::REVERSED), |(dark, light)| Style::new().fg(dark).bg(light))
    }

    /// A cell that is one colour.
    fn space(&self, is_dark: bool) -> Style {
        match self.0 {
            Some((dark, light)) => Style::new().fg(dark).bg(if is_dark { dark } else { light }),
            None if is_dark => Style::new(),
            None => Style::new().add_modifier(Modifier::REVERSED),
        }
    }
}

/// Two modules in one cell.
fn halves(upper: bool, lower: bool) -> &'static str {
    match (upper, lower) {
        (true, true) => "█",
        (true, false) => "▀",
        (false, true) => "▄",
        (false, false) => " ",
    }
}

/// The rows of the code for a link, its margin included: two modules in one cell, dark ones as blocks.
pub(crate) fn rows(url: &str) -> Option<Vec<String>> {
    let code = encode(url)?;
    let side = code.width() + 2 * MARGIN;
    let row = |y: usize| (0..side).map(|x| halves(module(&code, x, y), module(&code, x, y + 1))).collect();
    Some((0..side).step_by(2).map(row).collect())
}

/// Whether the module at this place of the code with its margin is dark.
fn module(code: &QrCode, x: usize, y: usize) -> bool {
    let (Some(x), Some(y)) = (x.checked_sub(MARGIN), y.checked_sub(MARGIN)) else { return false };
    let side = code.width();
    x < side && y < side && code.to_colors().get(y * side + x) == Some(&Color::Dark)
}

/// The code in byte mode at level L, in the smallest version it fits.
fn encode(url: &str) -> Option<QrCode> {
    (1..=40).find_map(|version| {
        let mut bits = Bits::new(Version::Normal(version));
        bits.push_byte_data(url.as_bytes()).ok()?;
        bits.push_terminator(EcLevel::L).ok()?;
        QrCode::with_bits(bits, EcLevel::L).ok()
    })
}

fn seconds(until: Timestamp, now: Timestamp) -> i64 {
    let left = until.duration_since(now);
    left.as_secs() + i64::from(left.subsec_nanos() > 0)
}
