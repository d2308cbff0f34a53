//! A server that is measured: how fast it answered in each round, and what that cost its process.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::load::{self, Request};

pub struct Server {
    pub name: &'static str,
    pub address: String,
    /// The host it insists on; `None` for the product's own.
    pub host: Option<String>,
    process: i32,
    child: Option<Child>,
    /// Calls a second, and microseconds of processor time a call.
    rounds: Vec<(f64, f64)>,
}

impl Server {
    /// One that runs already.
    pub fn running(name: &'static str, address: &str, process: i32) -> Server {
        Server { name, address: address.to_owned(), host: None, process, child: None, rounds: Vec::new() }
    }

    /// A baseline of this program.
    pub fn bare(name: &'static str, result: &Path) -> Server {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--bare", name]).arg(result);
        Server::started(name, command)
    }

    /// The TypeScript SDK's server, where there is a Node and the test clients' packages are installed.
    pub fn typescript(result: &Path) -> Option<Server> {
        let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
        if !place.join("node_modules").exists() {
            println!("\nThe TypeScript SDK is left out: npm ci in tests/clients installs it.");
            return None;
        }
        let mut command = Command::new(place.join("node_modules/node/bin/node"));
        command.arg(place.join("bare-server.mjs")).arg(result);
        Some(Server::started("TypeScript SDK", command))
    }

    fn started(name: &'static str, mut command: Command) -> Server {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        let process = i32::try_from(child.id()).unwrap();
        Server { name, host: Some(address.clone()), address, process, child: Some(child), rounds: Vec::new() }
    }

    pub async fn round(&mut self, request: &Request, callers: usize, long: Duration) {
        load::drive(request, callers, long / 10).await;
        let before = self.processor_time();
        let (calls, took) = load::drive(request, callers, long).await;
        let cost = self.processor_time() - before;
        #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
        let calls = calls as f64;
        self.rounds.push((calls / took.as_secs_f64(), cost.as_secs_f64() * 1e6 / calls));
    }

    /// The medians of the rounds, which are forgotten.
    pub fn median(&mut self) -> (f64, f64) {
        let rounds = std::mem::take(&mut self.rounds);
        (middle(rounds.iter().map(|round| round.0)), middle(rounds.iter().map(|round| round.1)))
    }

    /// Resident memory in megabytes: VmRSS of proc_pid_status(5).
    pub fn resident(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
    }

    /// User and system time so far: the 14th and 15th field of proc_pid_stat(5), in hundredths of a second.
    fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process)).unwrap();
        let after_name = stat.rsplit(") ").next().unwrap();
        let ticks: u64 = after_name.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
        Duration::from_millis(ticks * 10)
    }
}

fn middle(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ended_already = child.kill();
            let _reaped = child.wait();
        }
    }
}
