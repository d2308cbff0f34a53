//! The log: a file a day in the state directory, never the screen.

use std::path::{Path, PathBuf};

use quarterdeck::config::Config;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;

use crate::commands::Failure;

/// Starts logging; what is logged is on disk when the guard is dropped.
pub fn start(config: &Config) -> Result<WorkerGuard, Failure> {
    let failed = |cause: &dyn std::fmt::Display| Failure::new(format!("the log cannot be written: {cause}"));
    let filter = EnvFilter::try_new(&config.log.filter)
        .map_err(|error| Failure::new(format!("log.filter {:?} is not a filter: {error}", config.log.filter)))?;
    let folder = config.state_dir.join("logs");
    // The appender would make it too, but complains on the screen when it looks for old files in it before.
    std::fs::create_dir_all(&folder).map_err(|error| failed(&error))?;
    let file = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("quarterdeck")
        .filename_suffix("log")
        .max_log_files(config.log.keep_days)
        .build(folder)
        .map_err(|error| failed(&error))?;
    let (writer, guard) = tracing_appender::non_blocking(file);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(writer)
        .try_init()
        .map_err(|error| failed(&error))?;
    Ok(guard)
}

/// A larger `terminal.log` is put aside at the next start.
const TERMINAL_LOG_BYTES: u64 = 1024 * 1024;

/// Where standard error goes while the screen is held, and what a panic is written to: beside the log, not in it, because the log's file
/// changes with the day. A file that has grown large is kept as the previous one, in place of the one before.
pub fn terminal(state_dir: &Path) -> Result<PathBuf, Failure> {
    let folder = state_dir.join("logs");
    let file = folder.join("terminal.log");
    let large = std::fs::metadata(&file).is_ok_and(|facts| facts.len() > TERMINAL_LOG_BYTES);
    if large {
        std::fs::rename(&file, folder.join("terminal.previous.log"))
            .map_err(|error| Failure::new(format!("{} cannot be put aside: {error}", file.display())))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_terminal_log_is_put_aside_and_only_one_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let logs = dir.path().join("logs");
        std::fs::create_dir(&logs).unwrap();
        let write = |text: &str| {
            let lines = usize::try_from(TERMINAL_LOG_BYTES).unwrap() / text.len() + 1;
            std::fs::write(terminal(dir.path()).unwrap(), text.repeat(lines)).unwrap();
        };
        std::fs::write(terminal(dir.path()).unwrap(), "small").unwrap();
        let file = terminal(dir.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "small", "it goes on");
        write("first\n");
        write("second\n");
        assert!(!terminal(dir.path()).unwrap().exists(), "it begins anew");
        let kept: Vec<_> = std::fs::read_dir(&logs).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(kept, [logs.join("terminal.previous.log")]);
        assert!(std::fs::read_to_string(&kept[0]).unwrap().starts_with("second"));
    }
}
