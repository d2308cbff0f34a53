//! The world around plain mode: lines, signals, the host. Here, and only here, things are done.

use std::io::{self, Stdout};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;
use quarterdeck::control::{Client, Notices, offline};
use rustix::process::Signal;
use rustix::termios::{QueueSelector, tcflush};
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::model::{Answer, Asked, Do, Job, Plain, Typed};
use super::printer::Printer;
use super::{look, qr, reader, update};
use crate::app::{Clock, Exit, Mode, Model, Msg, Setup, listen, silence};
use crate::export::{Format, export, place};
use crate::reading;
use crate::terminal::{Attention, Place};
use crate::theme::Theme;

/// Messages of the host, and jobs, that wait.
const WAITING: usize = 256;
/// Records in a stretch of the audit.
pub(super) const STRETCH: u32 = 20;

/// What plain mode is started with.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    /// The lines come from a terminal.
    pub(crate) interactive: bool,
    /// What is printed goes to one too.
    pub(crate) shown: bool,
    pub(crate) utf8: bool,
    /// The colours of a QR code, where the terminal can draw one.
    pub(crate) code: Option<Theme>,
    /// Where the store is, and where the end of its audit is remembered.
    pub(crate) state_dir: PathBuf,
    pub(crate) head: PathBuf,
}

/// What a job came to, with what it was for.
type Answered = (Asked, Result<Answer, String>);

/// Prints and takes commands until the person leaves, the lines end, the host in this process stops, or a signal ends it.
///
/// # Errors
/// When the host cannot be reached at the start, or nothing can be printed.
pub(crate) async fn run(client: Client, options: Options) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let (snapshot, notices) = client.subscribe().await?;
    let setup = Setup {
        mode: options.mode,
        zone: TimeZone::system(),
        keymap: Arc::default(),
        attention: Attention::default(),
        place: Place::read(|_| None),
        mouse: false,
        qr_hide_unfocused: false,
    };
    let plain = Plain::new(Model::new(setup, snapshot, clock.now()), options.interactive);
    let printer = Printer::new(io::stdout(), options.utf8, options.interactive && options.shown);
    let (host, from_host) = mpsc::channel(WAITING);
    let (jobs, todo) = mpsc::channel(WAITING);
    let (answers, answered) = mpsc::channel(WAITING);
    let listening = tokio::spawn(listen(notices, host.clone()));
    let working = tokio::spawn(work(client.clone(), options.clone(), (todo, answers)));
    let mut desk = Desk { client, options, clock, plain, printer, host, jobs, listening };
    let left = desk.live(from_host, answered).await;
    desk.listening.abort();
    working.abort();
    match left {
        // Nobody reads any more: that is leaving.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Quit),
        left => Ok(left?),
    }
}

struct Desk {
    client: Client,
    options: Options,
    clock: Clock,
    plain: Plain,
    printer: Printer<Stdout>,
    host: mpsc::Sender<Msg>,
    jobs: mpsc::Sender<(Asked, Job)>,
    listening: JoinHandle<()>,
}

/// One thing that happened.
enum Heard {
    Host(Msg),
    Answered(Answered),
    /// A line; `None`: there are no more.
    Line(Option<Typed>),
    Interrupt,
    Continued,
    Terminate,
}

impl Desk {
    async fn live(&mut self, mut from_host: mpsc::Receiver<Msg>, mut answered: mpsc::Receiver<Answered>) -> io::Result<Exit> {
        let (mut signals, mut lines) = (Signals::watch()?, reader::start(self.clock));
        self.printer.say(&look::orientation(&self.plain))?;
        loop {
            if self.plain.ready() {
                self.printer.prompt()?;
            }
            let wake = update::next_wake(&self.plain).map(|tick| self.clock.at(tick));
            let heard = tokio::select! {
                biased;
                signal = signals.next() => signal,
                Some(answer) = answered.recv() => Heard::Answered(answer),
                Some(msg) = from_host.recv() => Heard::Host(msg),
                line = lines.recv(), if self.plain.ready() => Heard::Line(line),
                () = crate::app::sleep_until(wake) => Heard::Host(Msg::Wake),
            };
            if let Some(exit) = self.take(heard).await? {
                return Ok(exit);
            }
        }
    }

    async fn take(&mut self, heard: Heard) -> io::Result<Option<Exit>> {
        let now = self.clock.now();
        let todo = match heard {
            Heard::Host(msg) => update::host(&mut self.plain, msg, now),
            Heard::Answered((asked, answer)) => update::answered(&mut self.plain, (asked, answer), now),
            Heard::Line(Some(typed)) => {
                self.printer.entered();
                update::line(&mut self.plain, typed, now)
            }
            Heard::Line(None) => update::end(&mut self.plain, now),
            Heard::Interrupt => update::interrupt(&mut self.plain, now),
            Heard::Continued => {
                self.printer.entered();
                Vec::new()
            }
            Heard::Terminate => vec![Do::Leave(Exit::Signal)],
        };
        for one in todo {
            if let Some(exit) = self.perform(one).await? {
                return Ok(Some(exit));
            }
        }
        Ok(None)
    }

    async fn perform(&mut self, one: Do) -> io::Result<Option<Exit>> {
        match one {
            Do::Leave(exit) => return Ok(Some(exit)),
            Do::Say(text) => self.printer.say(&text)?,
            Do::Code(link) => {
                if let Some(code) = self.options.code.as_ref().and_then(|theme| qr::lines(&link.0, theme)) {
                    self.printer.as_it_is(&code)?;
                }
            }
            Do::Job(asked, job) => {
                // The worker ends after this loop.
                let _taken = self.jobs.send((asked, job)).await;
            }
            Do::Subscribe => self.subscribe(),
            Do::Drain => {
                let _not_a_terminal = tcflush(io::stdin(), QueueSelector::IFlush);
            }
        }
        Ok(None)
    }

    fn subscribe(&mut self) {
        self.listening.abort();
        let (client, host) = (self.client.clone(), self.host.clone());
        self.listening = tokio::spawn(async move {
            match client.subscribe().await {
                Ok((snapshot, notices)) => hear(host, Msg::Subscribed(Box::new(snapshot)), notices).await,
                Err(error) => {
                    let _ = host.send(Msg::Silent(silence(&error))).await;
                }
            }
        });
    }
}

async fn hear(host: mpsc::Sender<Msg>, first: Msg, notices: Notices) {
    let _ = host.send(first).await;
    listen(notices, host).await;
}

/// Does one job after the other, so that answers come in the order of the commands.
async fn work(client: Client, options: Options, (mut todo, answers): (mpsc::Receiver<(Asked, Job)>, mpsc::Sender<Answered>)) {
    while let Some((asked, job)) = todo.recv().await {
        let answer = carry_out(&client, &options, job).await;
        if answers.send((asked, answer)).await.is_err() {
            return;
        }
    }
}

async fn carry_out(client: &Client, options: &Options, job: Job) -> Result<Answer, String> {
    match job {
        Job::Ask(request) => match client.request(request).await {
            Ok(reply) => Ok(Answer::Reply(Box::new(reply))),
            Err(error) => Err(error.to_string()),
        },
        Job::Read { filter, before } => {
            let most = usize::try_from(STRETCH).unwrap_or(usize::MAX);
            let read = reading::newest(client, &filter, before, most).await;
            read.map(|(rows, more)| Answer::Rows(rows, more)).map_err(|error| error.to_string())
        }
        Job::Export { filter, path } => {
            let path = place(&path, etcetera::home_dir().ok());
            let written = export(client.clone(), filter, &path, Format::of(&path, false)).await;
            written.map(|rows| Answer::Exported(rows, path)).map_err(|error| error.to_string())
        }
        Job::Verify => {
            let (state_dir, head) = (options.state_dir.clone(), options.head.clone());
            let verified = tokio::task::spawn_blocking(move || offline::verify(&state_dir, &head)).await;
            let verified = verified.map_err(|error| error.to_string())?;
            verified.map(Answer::Verified).map_err(|error| error.to_string())
        }
    }
}

/// The signals plain mode knows.
struct Signals {
    interrupt: Stream,
    terminate: Stream,
    hangup: Stream,
    continued: Stream,
}

impl Signals {
    fn watch() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            continued: signal(SignalKind::from_raw(Signal::CONT.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Heard {
        tokio::select! {
            _ = self.interrupt.recv() => Heard::Interrupt,
            _ = self.terminate.recv() => Heard::Terminate,
            _ = self.hangup.recv() => Heard::Terminate,
            _ = self.continued.recv() => Heard::Continued,
        }
    }
}
