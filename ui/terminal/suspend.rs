//! Stopping this process, as ctrl-z does for programs that do not hold the terminal.

use std::io;
use std::time::Duration;

use rustix::process::{Signal, kill_current_process_group};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

/// How long to wait for the continuation. It is there at once when we were stopped; nobody sends it when the kernel would not stop us,
/// because no shell is there to continue us.
const CONTINUED_WITHIN: Duration = Duration::from_millis(300);

/// Stops the whole job (a program that started this one stops too, so that the shell notices) and returns when it goes on:
/// whether it really was stopped. The terminal must have been given back before.
pub(crate) async fn stop_until_continued() -> io::Result<bool> {
    let mut continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
    kill_current_process_group(Signal::TSTP)?;
    // Signals are delivered to some thread of the process: this one might get a few steps further before it stands still.
    Ok(timeout(CONTINUED_WITHIN, continued.recv()).await.is_ok())
}
