//! The terminal of Quarterdeck: it parses what was typed, starts the host or talks to a running one, and shows what it says.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod app;
mod args;
mod commands;
mod export;
mod input;
mod log;
mod overlays;
mod plain;
mod reading;
mod screens;
mod settings;
mod terminal;
#[cfg(test)]
mod testing;
mod theme;
mod widgets;

use std::process::ExitCode;

use clap::Parser as _;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::Arguments;
use crate::commands::{Failure, Session};
use crate::settings::Settings;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Whatever this process makes is for its owner only.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // Fails only when there is a provider already.
    let _first = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    let (settings, json) = (Settings::load(&arguments.options), arguments.options.json);
    if let Some(done) = commands::without_configuration(arguments.verb.as_ref(), settings.as_ref().err(), json) {
        return done;
    }
    let session = Session { settings: settings?, json, plain: arguments.plain };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failure::new(format!("the program cannot start: {error}")))?;
    let done = runtime.block_on(async {
        survive_file_limits()?;
        commands::run(session, arguments.verb).await
    });
    // A thread that still reads (a copy, a terminal) must not hold up the end.
    runtime.shutdown_background();
    done
}

/// A file that may not grow (`ulimit -f`) is then what a full disk is: an error for whoever writes, not the end of the program.
fn survive_file_limits() -> Result<(), Failure> {
    let heard = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()));
    // What counts is that there is a handler; it stays.
    heard.map(drop).map_err(|error| Failure::new(format!("signals cannot be received: {error}")))
}
