//! Serving: one task per conversation, a bounded number of them, so that one silent peer holds up nobody.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::follow::follow;
use super::frame::{FrameError, Frames, encoded};
use super::hello::skew;
use super::model::{Hello, Reply, Request};
use super::service::{Service, refused};
use super::socket::{self, SocketError};
use super::{Client, view};
use crate::access::Principal;

/// Conversations over the socket at one time: terminals and commands of one person.
pub(super) const MOST: usize = 64;
/// How long a peer may take for its hello, for its next request, and to read an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long conversations may go on after a stop was asked for.
const GRACE: Duration = Duration::from_millis(500);
/// How long to wait after `accept` failed: usually this process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The control service, bound and not served yet.
pub(crate) struct Control {
    socket: UnixListener,
    channel: mpsc::Receiver<DuplexStream>,
    client: Client,
}

impl Control {
    /// Binds the socket in `state_dir`, whose lock the caller holds.
    pub(crate) fn bind(state_dir: &Path) -> Result<Control, SocketError> {
        let (client, channel) = Client::channel();
        Ok(Control { socket: socket::bind(state_dir)?, channel, client })
    }

    /// A client within this process.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Serves both transports until `stop`.
    pub(crate) async fn serve(mut self, service: Service, stop: CancellationToken) {
        let (mut talks, places) = (JoinSet::new(), Arc::new(Semaphore::new(MOST)));
        let owner = socket::own_uid();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Some(_ended) = talks.join_next() => {}
                Some(stream) = self.channel.recv() => {
                    talks.spawn(converse(service.clone(), stream, owner, stop.clone()));
                }
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, _unnamed)) => match Arc::clone(&places).try_acquire_owned() {
                        Ok(place) => {
                            let (service, stop) = (service.clone(), stop.clone());
                            talks.spawn(async move {
                                admit(service, stream, owner, stop).await;
                                drop(place);
                            });
                        }
                        Err(_full) => turn_away(&stream),
                    },
                    Err(error) => {
                        tracing::warn!(%error, "a control connection could not be accepted");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
            }
        }
        let ended = async { while talks.join_next().await.is_some() {} };
        // What has not ended then is cut off when the set is dropped.
        let _in_time = tokio::time::timeout(GRACE, ended).await;
    }
}

/// Says that there is no place, without waiting for anything: the send buffer of a fresh connection is empty.
fn turn_away(stream: &UnixStream) {
    tracing::warn!("too many control connections; one more was closed");
    let said =
        Reply::Refused(refused("busy", "too many terminals and commands talk to the host at once: try again in a few seconds"));
    let _it_may_be_gone = encoded(&said).map(|frame| stream.try_write(&frame));
}

/// A peer at the socket: talked to when it is the owner's own account, closed without a word otherwise.
async fn admit(service: Service, stream: UnixStream, owner: u32, stop: CancellationToken) {
    match stream.peer_cred() {
        Ok(peer) if socket::is_owner(peer.uid(), owner) => converse(service, stream, peer.uid(), stop).await,
        Ok(peer) => tracing::warn!(uid = peer.uid(), "another user tried the control socket"),
        Err(error) => tracing::warn!(%error, "the user at the control socket is not known"),
    }
}

async fn converse(service: Service, stream: impl AsyncRead + AsyncWrite + Unpin, uid: u32, stop: CancellationToken) {
    let mut talk = Frames::over(stream);
    if let Err(error) = talk_to(service, &mut talk, uid, &stop).await {
        tracing::debug!(%error, "a control conversation ended early");
        let said = Reply::Refused(refused("invalid_request", &view::address(&error.to_string())));
        let _it_may_be_gone = tokio::time::timeout(PATIENCE, talk.send(&said)).await;
    }
}

async fn talk_to<S>(service: Service, talk: &mut Frames<S>, uid: u32, stop: &CancellationToken) -> Result<(), FrameError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Some(hello) = soon(talk.next::<Hello>(), stop).await? else { return Ok(()) };
    let mine = Hello::here(None);
    talk.send(&mine).await?;
    if let Some(sentence) = skew(&mine, &hello) {
        return talk.send(&Reply::Refused(refused("version", &sentence))).await;
    }
    let who = principal(hello, uid);
    while let Some(request) = soon(talk.next::<Request>(), stop).await? {
        if request == Request::Subscribe {
            return follow(service, talk, stop).await;
        }
        let stops = request == Request::Stop;
        let reply = service.answer(&who, request).await;
        let sent = tokio::time::timeout(PATIENCE, talk.send(&reply)).await.unwrap_or(Ok(()));
        if stops && reply == Reply::Done {
            // Also when the one who asked has gone meanwhile: it is written down that the host stops.
            service.asked.cancel();
            stop.cancel();
        }
        sent?;
    }
    Ok(())
}

/// What the peer says, if it says it soon: silence, hanging up and a stop of the host are all `None`.
async fn soon<T>(
    next: impl Future<Output = Result<Option<T>, FrameError>>,
    stop: &CancellationToken,
) -> Result<Option<T>, FrameError> {
    tokio::select! {
        said = next => said,
        () = tokio::time::sleep(PATIENCE) => Ok(None),
        () = stop.cancelled() => Ok(None),
    }
}

/// Who acts. The terminal's name is a claim within the owner's own account; the user is what the kernel says.
fn principal(hello: Hello, uid: u32) -> Principal {
    match hello.terminal {
        Some(terminal) => Principal::Terminal { tty: view::name(&terminal.tty), ssh: terminal.ssh.as_deref().map(view::name) },
        None => Principal::Command { uid },
    }
}
