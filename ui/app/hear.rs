//! What the host says: snapshots, notices, answers, and that it is gone.

use jiff::Timestamp;
use quarterdeck::control::{AuditRow, Connection, ConnectionState, EnrollLink, Notice, Passkey, Reply, Snapshot};

use super::attention::attention;
use super::facts::ACTIVITY_KEPT;
use super::{Asked, Effect, Exit, Facts, Link, Mode, Model, Msg, Retry, Silence};
use crate::overlays::Overlay;
use crate::screens::{self, Screen, audit, connections};

/// Takes in what came from the host.
pub(super) fn hear(model: &mut Model, msg: Msg) -> Vec<Effect> {
    model.changed = true;
    match msg {
        Msg::Subscribed(snapshot) => subscribed(model, *snapshot),
        Msg::Notice(notice) => on_notice(model, *notice),
        Msg::Silent(silence) => {
            silent(model, silence);
            Vec::new()
        }
        Msg::Answered(asked, answer) => answered(model, asked, answer.map(|reply| *reply)),
        Msg::Copied(copied) => {
            model.toasts.say(model.now.tick, &model.setup.keymap.say(copied.outcome.sentence()));
            if copied.write.is_empty() { Vec::new() } else { vec![Effect::Write(copied.write)] }
        }
        Msg::Exported(Ok((path, rows))) => {
            model.toasts.say(model.now.tick, &format!("{rows} rows were written to {}", path.display()));
            Vec::new()
        }
        Msg::Verified(found) => {
            audit::verified(model, found);
            Vec::new()
        }
        Msg::Failed(why) | Msg::Exported(Err(why)) => {
            model.toasts.fail(&why);
            Vec::new()
        }
        Msg::Browsed(started) => {
            let text =
                if started { "the browser was started" } else { "no browser could be started here: open the link yourself" };
            model.toasts.say(model.now.tick, text);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn subscribed(model: &mut Model, snapshot: Snapshot) -> Vec<Effect> {
    let before = std::mem::replace(&mut model.facts, Facts::of(snapshot));
    let new = std::mem::take(&mut model.facts.connections);
    model.facts.connections = in_order(&before.connections, new);
    if matches!(std::mem::replace(&mut model.link, Link::Connected), Link::Lost { .. }) {
        model.toasts.say(model.now.tick, "connected to the host again");
    }
    model.asked_again = false;
    // While nothing was heard it may have been used.
    model.kept = None;
    let mut effects = attention(model, before.waits());
    connections::forget(model);
    audit::forget(model);
    effects.extend(screens::keep(model));
    effects
}

fn on_notice(model: &mut Model, notice: Notice) -> Vec<Effect> {
    let mut effects = Vec::new();
    match notice {
        Notice::Recorded(row) => recorded(model, row),
        Notice::Waiting { list, more } => {
            let before = model.facts.waits();
            (model.facts.waiting, model.facts.more_waiting) = (list, more);
            effects = attention(model, before);
        }
        Notice::Connections(new) => {
            let new = in_order(&model.facts.connections, new);
            model.facts.recount(new, model.now.wall);
        }
        Notice::Passkeys(passkeys) => model.facts.passkeys = passkeys,
        Notice::Health(failing) => model.facts.status.failing = failing,
        Notice::Lagged(_) => effects.push(Effect::Subscribe),
        Notice::Stopping if model.setup.mode == Mode::InProcess => effects.push(Effect::Leave(Exit::HostGone)),
        Notice::Stopping => lost(model),
    }
    effects.extend(screens::keep(model));
    effects
}

fn recorded(model: &mut Model, row: AuditRow) {
    if row.seq <= model.facts.seq {
        return;
    }
    model.facts.seq = row.seq;
    model.facts.roll(model.now.wall);
    used(&mut model.facts.connections, &row);
    proved(&mut model.facts.passkeys, &row);
    if row.kind == CALL {
        model.facts.count_call(row.grant.as_ref());
    }
    links(model, &row);
    if row.kind == "passkey.added" && model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Enroll(_))) {
        model.overlays.retain(|overlay| !matches!(overlay, Overlay::Enroll(_)));
        let name = row.detail.get("label").and_then(|label| label.as_str()).map(|label| format!(": {label}")).unwrap_or_default();
        model.toasts.say(model.now.tick, &format!("a passkey was enrolled{name}"));
    }
    connections::heard(model, &row);
    audit::heard(model, &row);
    model.facts.activity.push_back(row);
    if model.facts.activity.len() > ACTIVITY_KEPT {
        model.facts.activity.pop_front();
    }
}

/// A link was used, or another one took its place. The record of the one that is shown tells when that one ends.
fn links(model: &mut Model, row: &AuditRow) {
    let issued = row.kind == "passkey.link_issued";
    if issued || row.kind == "passkey.added" {
        model.kept = None;
    }
    let ends = row.detail.get("expires_at").and_then(|ends| ends.as_str());
    if let (true, Some(ends)) = (issued, ends) {
        let open = model.overlays.iter_mut();
        open.for_each(|overlay| {
            if let Overlay::Enroll(enroll) = overlay {
                enroll.replaced_by(ends)
            }
        });
    }
}

/// The kind of record of a call.
const CALL: &str = "tool.called";

/// A call under a grant is its connection's newest use.
fn used(connections: &mut [Connection], row: &AuditRow) {
    if row.kind != CALL && row.kind != "mcp.request" {
        return;
    }
    let Some(connection) = connections.iter_mut().find(|connection| row.grant.as_ref() == Some(&connection.grant)) else {
        return;
    };
    connection.last_used_at = Some(row.at.clone());
    if connection.state != ConnectionState::WrongUrl {
        connection.state = ConnectionState::Live;
    }
}

/// Whatever a passkey did is its newest use. The host sends the list only when one comes or goes.
fn proved(passkeys: &mut [Passkey], row: &AuditRow) {
    let by = row.actor.strip_prefix("passkey:");
    if let Some(passkey) = passkeys.iter_mut().find(|passkey| by == Some(passkey.id.as_str())) {
        passkey.last_used_at = Some(row.at.clone());
    }
}

/// The new connections, those known before in the order they were shown in, the others below.
fn in_order(before: &[Connection], new: Vec<Connection>) -> Vec<Connection> {
    let place = |connection: &Connection| before.iter().position(|known| known.grant == connection.grant);
    let (mut known, others): (Vec<_>, Vec<_>) = new.into_iter().partition(|connection| place(connection).is_some());
    known.sort_by_key(place);
    known.extend(others);
    known
}

fn silent(model: &mut Model, silence: Silence) {
    match silence {
        Silence::Ended if model.setup.mode == Mode::InProcess => reading(model),
        Silence::Ended => lost(model),
        Silence::Refused(why) => {
            model.facts.status.failing = Some(why);
            reading(model);
        }
        Silence::Unreachable(why) => {
            let asked = std::mem::take(&mut model.asked_again);
            match why {
                Some(why) => model.toasts.fail(&why),
                None if asked => model.toasts.say(model.now.tick, "tried just now: still no host"),
                None => {}
            }
            lost(model);
        }
    }
}

/// The host is there: what is shown stays, and is read again.
fn reading(model: &mut Model) {
    model.link = Link::Reading(retry(model));
}

fn lost(model: &mut Model) {
    if model.connected() {
        model.link = Link::Lost { since: model.now.wall, retry: retry(model) };
    }
}

/// The retry that is planned already, or the first one.
fn retry(model: &Model) -> Retry {
    model.link.retry().unwrap_or_else(|| Retry::soon(model.now.tick))
}

fn answered(model: &mut Model, asked: Asked, answer: Result<Reply, String>) -> Vec<Effect> {
    let now = model.now.tick;
    let reply = match answer {
        Ok(Reply::Refused(refusal)) => Err(refusal.message),
        other => other,
    };
    match (asked, reply) {
        (Asked::EnrollLink, Ok(Reply::EnrollLink(link))) => with_link(model, Ok(link)),
        (Asked::EnrollLink, Err(why)) => with_link(model, Err(why)),
        (Asked::Revoke { name }, Ok(Reply::Revoked(_))) => {
            model.toasts.say(now, &format!("{name} is revoked: its next call is refused"));
        }
        (Asked::Deny { client }, Ok(Reply::Done)) => model.toasts.say(now, &format!("denied: {client}")),
        (Asked::Of(Screen::Connections, about), reply) => return connections::answered(model, about, reply),
        (Asked::Of(Screen::Audit, about), reply) => return audit::answered(model, about, reply),
        (_, Err(why)) => model.toasts.fail(&why),
        (_, Ok(_)) => model.toasts.fail(UNFITTING),
    }
    Vec::new()
}

/// A host of another kind, or a bug.
pub(crate) const UNFITTING: &str = "the host gave an answer that does not fit the question; see its log";

fn with_link(model: &mut Model, answer: Result<EnrollLink, String>) {
    let now: Timestamp = model.now.wall;
    if let Some(Overlay::Enroll(enroll)) = model.overlays.iter_mut().find(|overlay| matches!(overlay, Overlay::Enroll(_))) {
        enroll.fill(answer, now);
    }
}
