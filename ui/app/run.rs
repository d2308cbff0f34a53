//! The world around the loop: keys, signals, the host, the terminal. Here, and only here, effects are carried out.

use std::io::{self, Stdout, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{Event, EventStream};
use crossterm::execute;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate, SetTitle};
use futures::StreamExt;
use jiff::{Timestamp, tz::TimeZone};
use quarterdeck::config::Attention;
use quarterdeck::control::{Client, ClientError, Reply, Request, SecretUrl};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::attention::title;
use super::pump::{BATCH, Pump};
use super::{Asked, Effect, Exit, Mode, Model, Msg, Now, SecretLink, Setup, Silence};
use crate::input::Keymap;
use crate::terminal::{self, Environment, Guard};
use crate::theme::Themes;

/// What the control center is started with.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) themes: Themes,
    /// Where the log is; file descriptor 2 goes there while the screen is held.
    pub(crate) log_path: PathBuf,
    pub(crate) environment: Environment,
    pub(crate) keymap: Arc<Keymap>,
    pub(crate) attention: Attention,
    /// Take the mouse.
    pub(crate) mouse: bool,
}

/// Holds the terminal until the person leaves, the host in this process stops, or a signal ends it. To be awaited on the main thread.
///
/// # Errors
/// When this is no terminal that can be drawn on, or the host cannot be reached at the start.
pub(crate) async fn run(client: Client, options: Options) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let (snapshot, notices) = client.subscribe().await?;
    let waiting = snapshot.waiting.len().saturating_add(snapshot.more_waiting);
    let setup = Setup {
        mode: options.mode,
        zone: TimeZone::system(),
        keymap: Arc::clone(&options.keymap),
        attention: options.attention,
        mouse: options.mouse,
    };
    let (theme, unusable) = options.themes.first();
    let pump = Pump { model: Model::new(setup, snapshot, clock.now()), theme, frames: 0 };
    terminal::install(options.log_path.clone());
    terminal::enter(&options.environment, &options.log_path, &title(waiting))?;
    let _restore = Guard;
    let (queue, messages) = mpsc::channel(2 * BATCH);
    let themes = queue.clone();
    let _watch = options.themes.watch(move |theme| drop(themes.blocking_send(Msg::ThemeChanged(theme))));
    if let Some(why) = unusable {
        queue.send(Msg::ThemeChanged(Err(why))).await?;
    }
    let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let listening = tokio::spawn(listen(notices, queue.clone()));
    let keys = tokio::spawn(read_keys(queue.clone()));
    let signals = tokio::spawn(watch_signals(queue.clone()));
    let mut center = Center { client, options, clock, pump, screen, queue, messages, listening, keys, resumed: false };
    let exit = center.live().await;
    signals.abort();
    center.listening.abort();
    center.keys.abort();
    exit
}

struct Center {
    client: Client,
    options: Options,
    clock: Clock,
    pump: Pump,
    screen: Terminal<CrosstermBackend<Stdout>>,
    queue: mpsc::Sender<Msg>,
    messages: mpsc::Receiver<Msg>,
    listening: JoinHandle<()>,
    keys: JoinHandle<()>,
    /// We stopped ourselves and took the terminal again: the signal that says so is still to come.
    resumed: bool,
}

impl Center {
    async fn live(&mut self) -> anyhow::Result<Exit> {
        let size = self.screen.size()?;
        self.pump.model.size = (size.width, size.height);
        loop {
            if self.pump.is_stale() {
                self.draw()?;
            }
            if let Some(fault) = self.options.environment.rehearsal.take() {
                fault.perform()?;
            }
            let batch = self.wait().await;
            for effect in self.pump.feed(batch, self.clock.now()) {
                if let Some(exit) = self.perform(effect).await? {
                    return Ok(exit);
                }
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.pump.draw(&mut self.screen);
        execute!(io::stdout(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Sleeps until something happens, then takes everything that has.
    async fn wait(&mut self) -> Vec<Msg> {
        let wake = self.pump.model.next_wake().map(|tick| self.clock.at(tick));
        let mut batch = tokio::select! {
            biased;
            Some(msg) = self.messages.recv() => vec![msg],
            () = sleep_until(wake) => vec![Msg::Wake],
        };
        while batch.len() < BATCH
            && let Ok(msg) = self.messages.try_recv()
        {
            batch.push(msg);
        }
        batch
    }

    async fn perform(&mut self, effect: Effect) -> anyhow::Result<Option<Exit>> {
        match effect {
            Effect::Leave(exit) => return Ok(Some(exit)),
            Effect::Ask(asked, request) => self.ask(asked, request),
            Effect::Subscribe => self.subscribe(),
            Effect::Browse(link) => self.browse(&link),
            Effect::Redraw => self.redraw()?,
            Effect::Suspend => self.resumed = self.suspend().await?,
            Effect::Retake if std::mem::take(&mut self.resumed) => {}
            Effect::Retake => {
                self.release().await;
                self.retake()?;
            }
            Effect::Ring { .. } => {
                io::stdout().write_all(b"\x07")?;
                io::stdout().flush()?;
            }
            Effect::Title(title) => execute!(io::stdout(), SetTitle(title))?,
            Effect::Visit(_)
            | Effect::Copy(_)
            | Effect::Page { .. }
            | Effect::Export { .. }
            | Effect::Verify
            | Effect::Mouse(_) => {}
        }
        Ok(None)
    }

    fn ask(&self, asked: Asked, request: Request) {
        let (client, queue) = (self.client.clone(), self.queue.clone());
        tokio::spawn(async move {
            let answer = client.request(request).await.map(Box::new).map_err(|error| error.to_string());
            let _ = queue.send(Msg::Answered(asked, answer)).await;
        });
    }

    /// Notices of the old subscription that wait in the queue are older than the new snapshot and come before it.
    fn subscribe(&mut self) {
        self.listening.abort();
        let (client, queue) = (self.client.clone(), self.queue.clone());
        self.listening = tokio::spawn(async move {
            match client.subscribe().await {
                Ok((snapshot, notices)) => {
                    let _ = queue.send(Msg::Subscribed(Box::new(snapshot))).await;
                    listen(notices, queue).await;
                }
                Err(error) => {
                    let _ = queue.send(Msg::Silent(silence(&error))).await;
                }
            }
        });
    }

    /// Detached: the browser lives on when this terminal is gone, and prints nowhere.
    fn browse(&self, link: &SecretLink) {
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = tokio::process::Command::new(opener);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let (client, queue, url) = (self.client.clone(), self.queue.clone(), SecretUrl(link.0.clone()));
        tokio::spawn(async move {
            // An argument of a program can be read by every user of the machine: the browser gets an address that works once.
            let started = match client.request(Request::EnrollTicket { url }).await {
                Ok(Reply::Ticket { url }) => match command.arg(url.0).spawn() {
                    Ok(mut child) => child.wait().await.is_ok_and(|status| status.success()),
                    Err(_) => false,
                },
                _ => false,
            };
            let _ = queue.send(Msg::Browsed(started)).await;
        });
    }

    fn redraw(&mut self) -> io::Result<()> {
        // Not `clear`: that asks the terminal where its cursor is, and the reader of keys would get the answer.
        let size = self.screen.size()?;
        self.screen.resize(size.into())?;
        self.pump.model.changed = true;
        Ok(())
    }

    /// The reader of keys is stopped before the terminal is given back: the shell's keys are not ours.
    async fn release(&mut self) {
        self.keys.abort();
        let _ = (&mut self.keys).await;
        terminal::leave();
    }

    fn retake(&mut self) -> anyhow::Result<()> {
        let waiting = self.pump.model.facts.waits();
        terminal::enter(&self.options.environment, &self.options.log_path, &title(waiting))?;
        self.keys = tokio::spawn(read_keys(self.queue.clone()));
        let size = self.screen.size()?;
        self.pump.model.size = (size.width, size.height);
        Ok(self.redraw()?)
    }

    async fn suspend(&mut self) -> anyhow::Result<bool> {
        self.release().await;
        let stopped = terminal::stop_until_continued().await;
        self.retake()?;
        Ok(stopped?)
    }
}

pub(crate) async fn sleep_until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Hands on what the host tells, and that it ended.
pub(crate) async fn listen(mut notices: quarterdeck::control::Notices, queue: mpsc::Sender<Msg>) {
    while let Some(notice) = notices.next().await {
        if queue.send(Msg::Notice(Box::new(notice))).await.is_err() {
            return;
        }
    }
    let _ = queue.send(Msg::Silent(Silence::Ended)).await;
}

/// What no answer to a subscription means.
pub(crate) fn silence(error: &ClientError) -> Silence {
    match error {
        ClientError::Refused(refusal) => Silence::Refused(refusal.message.clone()),
        ClientError::Stopped => Silence::Unreachable(None),
        other => Silence::Unreachable(Some(other.to_string())),
    }
}

async fn read_keys(queue: mpsc::Sender<Msg>) {
    let mut events = EventStream::new();
    while let Some(event) = events.next().await {
        let msg = match event {
            Ok(Event::Key(key)) => Msg::Key(key),
            Ok(Event::Paste(text)) => Msg::Paste(text),
            Ok(Event::Resize(width, height)) => Msg::Resize(width, height),
            Ok(Event::FocusGained) => Msg::Focus(true),
            Ok(Event::FocusLost) => Msg::Focus(false),
            Ok(Event::Mouse(event)) => Msg::Mouse(event),
            Err(error) => {
                tracing::error!(%error, "the terminal cannot be read any more");
                Msg::Terminate
            }
        };
        if queue.send(msg).await.is_err() {
            return;
        }
    }
    let _ = queue.send(Msg::Terminate).await;
}

async fn watch_signals(queue: mpsc::Sender<Msg>) {
    let kinds =
        [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt(), SignalKind::from_raw(Signal::CONT.as_raw())];
    let streams: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok().map(|stream| (kind, stream))).collect();
    let watch = |(kind, mut stream): (SignalKind, tokio::signal::unix::Signal)| {
        let queue = queue.clone();
        async move {
            while stream.recv().await.is_some() {
                let continued = kind == SignalKind::from_raw(Signal::CONT.as_raw());
                let msg = if continued { Msg::Continued } else { Msg::Terminate };
                if queue.send(msg).await.is_err() {
                    return;
                }
            }
        }
    };
    futures::future::join_all(streams.into_iter().map(watch)).await;
}

/// The edge where time is read.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    started: Instant,
}

impl Clock {
    #[allow(clippy::disallowed_methods, reason = "the one place of the terminal that reads the monotonic clock")]
    pub(crate) fn start() -> Clock {
        Clock { started: Instant::now() }
    }

    #[allow(clippy::disallowed_methods, reason = "the one place of the terminal that reads the system clock")]
    pub(crate) fn now(&self) -> Now {
        Now { tick: self.started.elapsed(), wall: Timestamp::now() }
    }

    /// When `tick` will be.
    pub(crate) fn at(&self, tick: Duration) -> tokio::time::Instant {
        tokio::time::Instant::from_std(self.started + tick)
    }
}
