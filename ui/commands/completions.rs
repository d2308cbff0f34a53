//! `quarterdeck completions SHELL`: needs neither a host nor a configuration.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Failure, output};
use crate::args::Arguments;

pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "quarterdeck", &mut script);
    output::line(String::from_utf8_lossy(&script).trim_end())
}
