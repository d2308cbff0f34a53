//! An address the owner asked for: the page that changes a connection's scopes, or the id of a client that is kept here. To copy, and where it is a
//! page, to open.

use ratatui::layout::Rect;

use super::{Overlay, centred, hints, lift};
use crate::app::{Effect, Model, SecretLink};
use crate::input::{Intent, Place};
use crate::theme::Role;
use crate::widgets::{Canvas, Frame, wrap};

const WIDTH: u16 = 84;

/// What the address is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// A page on which the passkey changes what this connection may do.
    Scopes { name: String, expires_at: String },
    /// The id of a new client.
    Client { name: String },
}

/// The open overlay.
#[derive(Clone, Debug)]
pub(crate) struct LinkPage {
    linked: Linked,
    link: SecretLink,
}

impl LinkPage {
    /// Shows an address.
    pub(crate) fn new(linked: Linked, link: SecretLink) -> LinkPage {
        LinkPage { linked, link }
    }

    /// Whether it is the page for the scopes of this connection.
    pub(crate) fn changes(&self, connection: &str) -> bool {
        matches!(&self.linked, Linked::Scopes { name, .. } if name == connection)
    }

    /// Whether there is a page at the address.
    pub(crate) fn is_page(&self) -> bool {
        matches!(self.linked, Linked::Scopes { .. })
    }

    fn title(&self) -> String {
        match &self.linked {
            Linked::Scopes { name, .. } => format!("What {name} may do"),
            Linked::Client { name } => format!("The client document {name} is kept here"),
        }
    }

    fn says(&self, model: &Model) -> String {
        match &self.linked {
            Linked::Scopes { expires_at, .. } => format!(
                "Open this page and choose there, with your passkey. It is good until {}; the connection goes on meanwhile, \
                 and this closes when it is done.",
                model.clock(expires_at)
            ),
            Linked::Client { .. } => {
                "This is its client id: give it to a client that has none of its own. Nothing is served at this address."
                    .to_owned()
            }
        }
    }

    /// Draws it in the middle of `area`.
    pub(crate) fn view(&self, model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
        let width = WIDTH.min(area.width.saturating_sub(4));
        let room = usize::from(width.saturating_sub(6));
        let says = wrap(canvas.theme, &self.says(model), room).into_iter().map(|line| (line, Role::Text));
        let link = wrap(canvas.theme, &self.link.0, room).into_iter().map(|line| (line, Role::Accent));
        let lines: Vec<(String, Role)> = says.chain([(String::new(), Role::Text)]).chain(link).collect();
        let height = u16::try_from(lines.len() + 4).unwrap_or(u16::MAX);
        let rect = centred(area, (width, height));
        lift(canvas, rect, area);
        let bottom = hints(model, Place::Link, &[Intent::Browse, Intent::Copy, Intent::Close]);
        let title = self.title();
        let inside = canvas.frame(rect, &Frame { title: &title, bottom: &bottom, focused: true, ..Frame::default() });
        for (y, (line, role)) in (inside.y + 1..inside.bottom()).zip(&lines) {
            canvas.put((inside.x + 2, y), inside.width.saturating_sub(4), line, canvas.theme.style(*role));
        }
    }
}

/// An intent of the open overlay.
pub(crate) fn link(model: &mut Model, intent: Intent) -> Vec<Effect> {
    let Some(Overlay::Link(page)) = model.overlays.last() else { return Vec::new() };
    match intent {
        Intent::Browse => vec![Effect::Visit(page.link.clone())],
        Intent::Copy => vec![Effect::Copy(page.link.0.clone())],
        _ => {
            model.overlays.pop();
            Vec::new()
        }
    }
}
