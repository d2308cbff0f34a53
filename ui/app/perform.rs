//! Carrying out effects: the one place that touches the host, the terminal and other programs.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crossterm::execute;
use crossterm::terminal::SetTitle;
use quarterdeck::control::{Reply, Request, SecretUrl, offline};

use super::attention::title;
use super::run::Center;
use super::world::{listen, read_keys, silence};
use super::{Asked, Effect, Exit, Export, Msg, SecretLink};
use crate::export::{self, Format};
use crate::terminal;

impl Center {
    pub(super) async fn perform(&mut self, effect: Effect) -> anyhow::Result<Option<Exit>> {
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
            Effect::Ring(signals) => {
                write(&signals.write)?;
                self.caller.run(&signals.command);
            }
            Effect::Title(title) => execute!(io::stdout(), SetTitle(title))?,
            Effect::Visit(link) => self.visit(&link),
            Effect::Write(bytes) => write(&bytes)?,
            Effect::Copy(text) => self.copy(text),
            Effect::Page { title, text } => self.page(&title, &text).await?,
            Effect::Edit(file) => self.edit(&file).await?,
            Effect::Export { what, path } => self.export(what, path),
            Effect::Verify => self.verify(),
            Effect::Mouse(on) => terminal::capture_mouse(on)?,
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

    /// An argument of a program can be read by every user of the machine: the browser gets an address that works once.
    fn browse(&self, link: &SecretLink) {
        let (client, queue, url) = (self.client.clone(), self.queue.clone(), SecretUrl(link.0.clone()));
        tokio::spawn(async move {
            let started = match client.request(Request::EnrollTicket { url }).await {
                Ok(Reply::Ticket { url }) => open(&url.0).await,
                _ => false,
            };
            let _ = queue.send(Msg::Browsed(started)).await;
        });
    }

    fn visit(&self, link: &SecretLink) {
        let (queue, url) = (self.queue.clone(), link.0.clone());
        tokio::spawn(async move {
            let _ = queue.send(Msg::Browsed(open(&url).await)).await;
        });
    }

    /// What must be written for it comes back as a message: writing is done between two frames.
    fn copy(&self, text: String) {
        let (queue, place) = (self.queue.clone(), self.options.place);
        tokio::spawn(async move {
            let _ = queue.send(Msg::Copied(terminal::copy(&place, &text).await)).await;
        });
    }

    async fn page(&mut self, title: &str, text: &str) -> anyhow::Result<()> {
        self.release().await;
        let shown = terminal::page(&self.options.programs, &format!("{title}\n\n{text}\n")).await;
        self.retake()?;
        if let Err(error) = shown {
            self.queue.send(Msg::Failed(error.to_string())).await?;
        }
        Ok(())
    }

    async fn edit(&mut self, file: &Path) -> anyhow::Result<()> {
        self.release().await;
        let edited = terminal::edit(&self.options.programs, file).await;
        self.retake()?;
        if let Err(error) = edited {
            self.queue.send(Msg::Failed(error.to_string())).await?;
        }
        Ok(())
    }

    fn export(&self, what: Export, path: PathBuf) {
        let (client, queue) = (self.client.clone(), self.queue.clone());
        let connections = self.pump.model.facts.connections.clone();
        let path = export::place(&path, etcetera::home_dir().ok());
        tokio::spawn(async move {
            let format = Format::of(&path, false);
            let written = match what {
                Export::Audit(filter) => export::export(client, filter, &path, format).await,
                Export::Connections => export::connections(&connections, &path, format),
            };
            let _ = queue.send(Msg::Exported(written.map(|rows| (path, rows)).map_err(|error| error.to_string()))).await;
        });
    }

    /// Reads the whole store: on a thread of its own.
    fn verify(&self) {
        let (queue, state_dir, head) = (self.queue.clone(), self.options.state_dir.clone(), self.options.head.clone());
        tokio::spawn(async move {
            let found = tokio::task::spawn_blocking(move || offline::verify(&state_dir, &head)).await;
            let found = match found {
                Ok(found) => found.map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let _ = queue.send(Msg::Verified(found)).await;
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
        terminal::capture_mouse(self.pump.model.setup.mouse)?;
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

fn write(bytes: &[u8]) -> io::Result<()> {
    io::stdout().write_all(bytes)?;
    io::stdout().flush()
}

/// Opens an address in this machine's browser. Detached: the browser lives on when this terminal is gone, and prints nowhere.
async fn open(url: &str) -> bool {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = tokio::process::Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    match command.spawn() {
        Ok(mut child) => child.wait().await.is_ok_and(|status| status.success()),
        Err(_) => false,
    }
}
