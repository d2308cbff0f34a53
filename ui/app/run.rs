//! The loop around the heart: waits for what happens, feeds it in, draws, carries out what comes of it.

use std::io::{self, Stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::execute;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use jiff::{Timestamp, tz::TimeZone};
use quarterdeck::control::Client;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::attention::title;
use super::pump::{BATCH, Pump};
use super::world::{listen, read_keys, watch_signals};
use super::{Effect, Exit, Mode, Model, Msg, Now, Setup, restore};
use crate::input::Keymap;
use crate::terminal::{self, Attention, Caller, Environment, Guard, Place, Programs};
use crate::theme::Themes;

/// What the control center is started with.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) themes: Themes,
    /// Where the log is; file descriptor 2 goes there while the screen is held.
    pub(crate) log_path: PathBuf,
    pub(crate) environment: Environment,
    pub(crate) place: Place,
    pub(crate) programs: Programs,
    pub(crate) keymap: Arc<Keymap>,
    pub(crate) attention: Attention,
    /// Take the mouse.
    pub(crate) mouse: bool,
    /// Draw an enrollment link only while the terminal has the focus.
    pub(crate) qr_hide_unfocused: bool,
    /// Where the host keeps everything, for checking the audit.
    pub(crate) state_dir: PathBuf,
    /// Where the end of the audit is remembered.
    pub(crate) head: PathBuf,
}

impl Options {
    /// What of it stays as it is.
    fn setup(&self) -> Setup {
        Setup {
            mode: self.mode,
            zone: TimeZone::system(),
            keymap: Arc::clone(&self.keymap),
            attention: self.attention.clone(),
            place: self.place,
            mouse: self.mouse,
            qr_hide_unfocused: self.qr_hide_unfocused,
        }
    }
}

/// Holds the terminal until the person leaves, the host in this process stops, or a signal ends it. To be awaited on the main thread.
///
/// # Errors
/// When this is no terminal that can be drawn on, or the host cannot be reached at the start.
pub(crate) async fn run(client: Client, options: Options) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let (snapshot, notices) = client.subscribe().await?;
    let waiting = snapshot.waiting.len().saturating_add(snapshot.more_waiting);
    let (theme, unusable) = options.themes.first();
    let memory = options.state_dir.join(restore::FILE);
    let pump = Pump { model: Model::new(options.setup(), snapshot, clock.now()), theme, frames: 0 };
    let (queue, messages) = mpsc::channel(2 * BATCH);
    let signals = tokio::spawn(watch_signals(queue.clone()));
    terminal::install(options.log_path.clone());
    terminal::enter(&options.environment, &options.log_path, &title(waiting))?;
    let _restore = Guard;
    terminal::capture_mouse(options.mouse)?;
    let themes = queue.clone();
    let _watch = options.themes.watch(move |theme| drop(themes.blocking_send(Msg::ThemeChanged(theme))));
    if let Some(why) = unusable {
        queue.send(Msg::ThemeChanged(Err(why))).await?;
    }
    let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let listening = tokio::spawn(listen(notices, queue.clone()));
    let keys = tokio::spawn(read_keys(queue.clone()));
    let (caller, resumed) = (Caller::default(), false);
    let mut center = Center { client, options, clock, pump, screen, queue, messages, listening, keys, caller, resumed };
    let wanted = center.pump.model.restore(restore::load(&memory));
    let exit = center.live(wanted).await;
    if let Err(error) = restore::save(&memory, &center.pump.model.remember()) {
        tracing::warn!(%error, "what was looked at could not be remembered");
    }
    signals.abort();
    center.listening.abort();
    center.keys.abort();
    exit
}

/// The control center and its world.
pub(super) struct Center {
    pub(super) client: Client,
    pub(super) options: Options,
    clock: Clock,
    pub(super) pump: Pump,
    pub(super) screen: Terminal<CrosstermBackend<Stdout>>,
    pub(super) queue: mpsc::Sender<Msg>,
    messages: mpsc::Receiver<Msg>,
    pub(super) listening: JoinHandle<()>,
    pub(super) keys: JoinHandle<()>,
    pub(super) caller: Caller,
    /// We stopped ourselves and took the terminal again: the signal that says so is still to come.
    pub(super) resumed: bool,
}

impl Center {
    async fn live(&mut self, wanted: Vec<Effect>) -> anyhow::Result<Exit> {
        let size = self.screen.size()?;
        self.pump.model.size = (size.width, size.height);
        for effect in wanted {
            self.perform(effect).await?;
        }
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
}

pub(crate) async fn sleep_until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
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
