//! The client: how a terminal or a command asks. The same over a channel and over the socket.
//!
//! Every request is a short conversation of its own, so a slow one holds up no other. A subscription is a conversation that goes on:
//! nothing is queued on this side, so whoever reads slowly is told so by the host ([`Notice::Lagged`]).

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use super::frame::{FrameError, Frames};
use super::hello::skew;
use super::model::{Hello, Notice, Refusal, Reply, Request, Snapshot, TerminalName};
use super::socket::{self, AddressError};

/// How long the host's hello may take. It is the first thing a host does with a connection.
const HELLO_WITHIN: Duration = Duration::from_secs(5);
/// Bytes in flight on a channel, per direction: as a socket's buffer.
const CHANNEL_BYTES: usize = 64 * 1024;

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}
type Conversation = Frames<Box<dyn Stream>>;

/// Where conversations are opened: the seam between the two transports.
#[derive(Clone)]
enum Transport {
    Channel(mpsc::Sender<DuplexStream>),
    Socket(PathBuf),
}

/// Asks a host. Clones are cheap and independent.
#[derive(Clone)]
pub struct Client {
    transport: Transport,
    terminal: Option<TerminalName>,
}

/// What a subscriber is told from its snapshot on. Dropping it ends the subscription.
pub struct Notices(Conversation);

/// Why a host could not be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nobody listens there.
    #[error("no host is running for {0}; start one with \"quarterdeck\" or \"quarterdeck serve\"")]
    NotRunning(PathBuf),
    /// The path of the socket cannot be used.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Somebody listens and does not answer as a host would.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The host stopped, or ended the conversation.
    #[error("the host has stopped")]
    Stopped,
    /// The host does not say hello.
    #[error("the host does not answer")]
    Silent,
    /// The two sides are of different versions: a whole sentence.
    #[error("{0}")]
    Skew(String),
    /// The host turned the conversation down, or could not make a snapshot.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// Something arrived that no host sends.
    #[error("the host's answer cannot be read: {0}")]
    Unreadable(String),
    /// The connection failed.
    #[error("the connection to the host failed: {0}")]
    Connection(#[source] io::Error),
}

impl From<FrameError> for ClientError {
    fn from(error: FrameError) -> ClientError {
        match error {
            FrameError::Stream(cause) if ended(&cause) => ClientError::Stopped,
            FrameError::Stream(cause) => ClientError::Connection(cause),
            FrameError::TooLarge(_) | FrameError::NotAMessage(_) => ClientError::Unreadable(error.to_string()),
        }
    }
}

fn ended(cause: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(
        cause.kind(),
        K::UnexpectedEof | K::BrokenPipe | K::ConnectionReset | K::NotConnected | K::ConnectionRefused | K::NotFound
    )
}

/// What a host says first.
#[derive(Deserialize)]
#[serde(untagged)]
enum First {
    Hello(Hello),
    Instead(Reply),
}

impl Client {
    /// A client of the host that runs on `state_dir`, after both sides have said hello.
    ///
    /// # Errors
    /// [`ConnectError::NotRunning`] when there is none.
    pub async fn connect(state_dir: &Path) -> Result<Client, ConnectError> {
        let path = socket::path(state_dir)?;
        let client = Client { transport: Transport::Socket(path), terminal: None };
        match client.open().await {
            Ok(_greeted) => Ok(client),
            Err(ClientError::Stopped) => Err(ConnectError::NotRunning(state_dir.to_owned())),
            Err(error) => Err(error.into()),
        }
    }

    /// A client in the host's own process, and where the host takes its conversations from.
    pub(super) fn channel() -> (Client, mpsc::Receiver<DuplexStream>) {
        let (conversations, taken) = mpsc::channel(1);
        (Client { transport: Transport::Channel(conversations), terminal: None }, taken)
    }

    /// The same client, saying that it acts for a person at this terminal.
    #[must_use]
    pub fn at_terminal(self, terminal: TerminalName) -> Client {
        Client { terminal: Some(terminal), ..self }
    }

    /// Asks, and waits until the host has done it.
    ///
    /// # Errors
    /// [`ClientError`]; what the host declined is `Ok(Reply::Refused)`.
    pub async fn request(&self, request: Request) -> Result<Reply, ClientError> {
        let mut talk = self.open().await?;
        talk.send(&request).await?;
        talk.next().await?.ok_or(ClientError::Stopped)
    }

    /// Everything as it is now, and what changes from then on.
    ///
    /// # Errors
    /// [`ClientError`], also when the host cannot read its store.
    pub async fn subscribe(&self) -> Result<(Snapshot, Notices), ClientError> {
        let mut talk = self.open().await?;
        talk.send(&Request::Subscribe).await?;
        match talk.next().await?.ok_or(ClientError::Stopped)? {
            Reply::Snapshot(snapshot) => Ok((*snapshot, Notices(talk))),
            Reply::Refused(refusal) => Err(ClientError::Refused(refusal)),
            _ => Err(ClientError::Unreadable("a snapshot was asked for, and something else came".to_owned())),
        }
    }

    /// Opens a conversation: hello both ways.
    async fn open(&self) -> Result<Conversation, ClientError> {
        tokio::time::timeout(HELLO_WITHIN, self.greet()).await.unwrap_or(Err(ClientError::Silent))
    }

    async fn greet(&self) -> Result<Conversation, ClientError> {
        let stream: Box<dyn Stream> = match &self.transport {
            Transport::Socket(path) => Box::new(UnixStream::connect(path).await.map_err(FrameError::from)?),
            Transport::Channel(conversations) => {
                let (here, there) = tokio::io::duplex(CHANNEL_BYTES);
                conversations.send(there).await.map_err(|_| ClientError::Stopped)?;
                Box::new(here)
            }
        };
        let mine = Hello::here(self.terminal.clone());
        let mut talk = Frames::over(stream);
        let sent = talk.send(&mine).await;
        // A host without a place has said so and hung up, so the sending may have failed; what it said is there all the same.
        let host = match talk.next().await {
            Ok(Some(First::Hello(host))) => host,
            Ok(Some(First::Instead(Reply::Refused(refusal)))) => return Err(ClientError::Refused(refusal)),
            Ok(Some(First::Instead(_))) => return Err(ClientError::Unreadable("an answer came before the greeting".to_owned())),
            Ok(None) => return Err(ClientError::Stopped),
            Err(error) => return Err(sent.err().unwrap_or(error).into()),
        };
        match skew(&host, &mine) {
            None => Ok(talk),
            Some(sentence) => Err(ClientError::Skew(sentence)),
        }
    }
}

impl Notices {
    /// The next notice; `None` when the host is gone. Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.0.next().await {
            Ok(notice) => notice,
            Err(error) => {
                tracing::debug!(%error, "the notices ended");
                None
            }
        }
    }
}
