//! A panic: log first, then give the terminal back, then report.

use std::io::{self, Write};
use std::panic;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::leave;

/// Set by the first panic of the terminal's thread; a second one must not go through the same again.
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Installs the hook. To be called on the thread that draws: a panic of another one (a host's task that dies alone) is logged and does
/// not touch the screen, because the program goes on.
pub(crate) fn install(log: PathBuf) {
    let drawing = thread::current().id();
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        tracing::error!(panic = %info, "panicked");
        if thread::current().id() != drawing {
            return report(info);
        }
        if REPORTED.swap(true, Ordering::SeqCst) {
            return;
        }
        // Standard error is still the log file.
        let _ = writeln!(io::stderr(), "{info}");
        leave();
        report(info);
        let _ = writeln!(io::stderr(), "quarterdeck ended because of a mistake in it. The log is {}", log.display());
    }));
}
