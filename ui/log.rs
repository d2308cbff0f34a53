//! The log: a file a day in the state directory, never the screen.

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

/// Where standard error goes while the screen is held, and what a panic is written to: beside the log, not in it, because the log's file
/// changes with the day.
pub fn terminal(config: &Config) -> std::path::PathBuf {
    config.state_dir.join("logs").join("terminal.log")
}
