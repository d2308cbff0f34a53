//! Starting and stopping: the order in which the parts come up, and go down again.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::access::{Access, GrantHooks, Principal};
use crate::audit::{Audit, Draft, Kind, Signer};
use crate::clock::Clock;
use crate::config::{Config, PublicUrl};
use crate::control::{self, Client, Control};
use crate::events::Bus;
use crate::http::{self, Bounds, Door, Listeners, Outbound, PeerLimit, Proxies, Services};
use crate::id::Rng;
use crate::knowledge::{Knowledge, PrepareError};
use crate::mcp::Mcp;
use crate::oauth::{self, Oauth};
use crate::passkeys::{Passkeys, SetupError};
use crate::state::{self, Lock, STORE, StateError};
use crate::store::Store;
use crate::{Base, audit, store};

/// Why the host did not start. Nothing is running then.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The state directory cannot be used, or another host uses it.
    #[error("{0}")]
    State(String),
    /// Terminals and commands cannot be listened to.
    #[error("the control socket cannot be opened: {0}")]
    Control(String),
    /// An address cannot be listened on.
    #[error("{0}")]
    Listen(String),
    /// The store cannot be opened.
    #[error("the store cannot be opened: {0}")]
    Store(String),
    /// The key that signs the audit's checkpoints cannot be opened.
    #[error("the audit's signing key cannot be opened: {0}")]
    AuditKey(String),
    /// The public URL cannot be a WebAuthn origin.
    #[error("passkeys cannot be used under this public URL: {0}")]
    Passkeys(String),
    /// The memory folder cannot be made.
    #[error("{0}")]
    Memory(String),
}

impl From<StateError> for StartError {
    fn from(error: StateError) -> StartError {
        StartError::State(error.to_string())
    }
}

impl From<control::SocketError> for StartError {
    fn from(error: control::SocketError) -> StartError {
        StartError::Control(error.to_string())
    }
}

impl From<PrepareError> for StartError {
    fn from(error: PrepareError) -> StartError {
        StartError::Memory(error.to_string())
    }
}

impl From<SetupError> for StartError {
    fn from(error: SetupError) -> StartError {
        StartError::Passkeys(error.to_string())
    }
}

impl From<http::BindError> for StartError {
    fn from(error: http::BindError) -> StartError {
        StartError::Listen(error.to_string())
    }
}

impl From<store::OpenError> for StartError {
    fn from(error: store::OpenError) -> StartError {
        StartError::Store(error.to_string())
    }
}

impl From<store::Error> for StartError {
    fn from(error: store::Error) -> StartError {
        StartError::Store(error.to_string())
    }
}

impl From<audit::KeyError> for StartError {
    fn from(error: audit::KeyError) -> StartError {
        StartError::AuditKey(error.to_string())
    }
}

/// How long a stop may take: a store that does not answer must not hold it up.
const STOP: Duration = Duration::from_millis(1700);

/// A running host. Dropping it ends it at once; [`Host::stop`] ends it in order.
pub struct Host {
    base: Base,
    addresses: Vec<SocketAddr>,
    warnings: Vec<String>,
    client: Client,
    stop: CancellationToken,
    /// Cancelled before `stop` when it was asked to stop through the control door.
    asked: CancellationToken,
    /// The two doors end by themselves after a stop was asked for. The first answers how many requests were cut off.
    assistants: JoinHandle<usize>,
    control: JoinHandle<()>,
    checkpoints: JoinHandle<()>,
    /// Held until everything else is down.
    _lock: Lock,
}

impl Host {
    /// Opens the state, binds the door and serves.
    ///
    /// # Errors
    /// [`StartError`]: one sentence that says what is in the way.
    pub async fn start(config: Config) -> Result<Host, StartError> {
        Host::start_with_clock(config, Clock::system()).await
    }

    /// The same with the time, in Unix milliseconds, taken from `now`.
    ///
    /// # Errors
    /// As [`Host::start`].
    pub async fn start_at(config: Config, now: Arc<dyn Fn() -> i64 + Send + Sync>) -> Result<Host, StartError> {
        Host::start_with_clock(config, Clock::from_fn(now)).await
    }

    async fn start_with_clock(config: Config, clock: Clock) -> Result<Host, StartError> {
        state::prepare(&config.state_dir)?;
        let lock = state::lock(&config.state_dir)?;
        let listeners = Listeners::bind(&config.assistants.listen).await?;
        let base = base(config, clock, listeners.port())?;
        let hooks = GrantHooks { revoked: vec![Box::new(oauth::void_codes(base.clock.clone()))], ..GrantHooks::default() };
        let access = Access::new(&base, base.config.oauth.idle_expiry, hooks);
        let passkeys = Passkeys::new(&base, access.clone())?;
        let knowledge = Knowledge::new(&base);
        knowledge.prepare()?;
        let mcp = Mcp::new(&base, access.clone(), knowledge);
        let oauth = Oauth::new(&base, access.clone(), passkeys.clone(), Outbound::new(&base.config));
        let peers = PeerLimit::new(Proxies::new(&base.config.trusted_proxies));
        let services = oauth.clone().zip(mcp).map(|(oauth, mcp)| Services { passkeys: passkeys.clone(), oauth, mcp, peers });
        let control = Control::bind(&base.config.state_dir)?;
        let client = control.client();
        let desk = control::Service::new(&base, access, passkeys, listeners.addresses.clone()).with_oauth(oauth);
        let asked = desk.asked_to_stop();
        let started = Draft::ok(Kind::HostStarted).with("version", env!("CARGO_PKG_VERSION"));
        base.audit.record(&Principal::System, started).await?;
        let warnings = warnings(&base).await?;

        let stop = CancellationToken::new();
        let assistants = tokio::spawn(http::serve(door(&base, services), listeners.sockets, stop.clone()));
        let control = tokio::spawn(control.serve(desk, stop.clone()));
        let checkpoints = tokio::spawn(base.audit.clone().keep_checkpoints());
        Ok(Host {
            base,
            addresses: listeners.addresses,
            warnings,
            client,
            stop,
            asked,
            assistants,
            control,
            checkpoints,
            _lock: lock,
        })
    }

    /// Makes the directory everything is kept in, for the owner only. [`Host::start`] does it too; whoever puts a log there does it before.
    ///
    /// # Errors
    /// [`StartError::State`].
    pub fn prepare(state_dir: &Path) -> Result<(), StartError> {
        Ok(state::prepare(state_dir)?)
    }

    /// What a terminal in this process asks through.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// The address assistants use; `None` when the door is closed.
    pub fn public_url(&self) -> Option<&PublicUrl> {
        self.base.public_url.as_ref()
    }

    /// The addresses it listens on.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// What the owner must hear of this start, though it started: one sentence each. They are in the audit and in the log too.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether it was asked to stop through the control door (`quarterdeck stop`).
    pub fn was_asked_to_stop(&self) -> bool {
        self.asked.is_cancelled()
    }

    /// Waits until somebody asks it to stop through the control door. Its doors are closing then; [`Host::stop`] does the rest.
    pub async fn asked_to_stop(&self) {
        self.asked.cancelled().await;
    }

    /// Ends open requests, writes down what is not written yet, and closes the store. Takes two seconds at most. Answers how many requests
    /// did not end by themselves in that time and were cut off.
    pub async fn stop(mut self) -> usize {
        let mut cut = 0;
        let stopping = async {
            self.stop.cancel();
            cut = (&mut self.assistants).await.unwrap_or_default();
            let _ended = (&mut self.control).await;
            self.write_down().await;
        };
        if tokio::time::timeout(STOP, stopping).await.is_err() {
            tracing::warn!("the store did not take the last records in time; everything that was answered is in it");
        }
        cut
    }

    async fn write_down(&self) {
        self.base.audit.record_counts().await;
        let stopped = self.base.audit.record(&Principal::System, Draft::ok(Kind::HostStopped)).await;
        if let Err(error) = stopped.and(self.base.audit.checkpoint().await) {
            tracing::warn!(%error, "the stop could not be recorded");
        }
        self.base.store.close().await;
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop.cancel();
        self.assistants.abort();
        self.control.abort();
        self.checkpoints.abort();
    }
}

fn base(config: Config, clock: Clock, port: u16) -> Result<Base, StartError> {
    let state: &Path = &config.state_dir;
    let public_url = match &config.assistants.public_url {
        Some(set) => set.clone(),
        None => Some(PublicUrl::localhost(port).map_err(|error| StartError::Listen(error.to_string()))?),
    };
    let signer = Signer::open(state)?;
    let store = Store::open(&state.join(STORE))?;
    let bus = Bus::new();
    let audit = Audit::new(store.clone(), clock.clone(), bus.clone(), signer);
    Ok(Base { config: Arc::new(config), clock, rng: Rng::system(), store, bus, audit, public_url })
}

async fn warnings(base: &Base) -> Result<Vec<String>, StartError> {
    let news: Vec<String> = base.audit.key_news().await?.iter().map(ToString::to_string).collect();
    for news in &news {
        tracing::warn!("{news}");
    }
    Ok(news)
}

fn door(base: &Base, services: Option<Services>) -> Door {
    let limits = &base.config.limits;
    let bounds = Bounds { request_bytes: limits.request_bytes, request_timeout: limits.request_timeout };
    Door {
        routes: http::assistants(services, bounds),
        connections: limits.connections,
        proxies: Proxies::new(&base.config.trusted_proxies),
        head_timeout: limits.request_timeout,
        patience: limits.request_timeout,
    }
}
