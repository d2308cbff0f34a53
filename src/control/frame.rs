//! Frames: four bytes of length, big-endian, then that many bytes of JSON.

use std::io;

use bytes::{Buf as _, BytesMut};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Largest frame. A snapshot with hundreds of records and connections, every text in it as long as it may be and of the widest characters,
/// is half of it.
pub(super) const MOST: usize = 4 * 1_048_576;
/// Bytes of a frame's length.
const LENGTH: usize = 4;

/// Why a frame could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(super) enum FrameError {
    /// The stream failed, or ended inside a frame.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// The length says more than any message needs.
    #[error("a frame of {0} bytes is larger than {MOST}")]
    TooLarge(usize),
    /// The bytes are not what was expected here.
    #[error("a frame is not a message of this protocol: {0}")]
    NotAMessage(#[from] serde_json::Error),
}

/// A stream seen as frames.
pub(super) struct Frames<S> {
    stream: S,
    /// What has arrived of the next frames.
    arrived: BytesMut,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Frames<S> {
    pub(super) fn over(stream: S) -> Frames<S> {
        Frames { stream, arrived: BytesMut::new() }
    }

    /// The next message; `None` when the other side ended the stream between two frames. Nothing is lost when the future is dropped.
    pub(super) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, FrameError> {
        loop {
            if let Some(body) = self.take()? {
                return Ok(Some(serde_json::from_slice(&body)?));
            }
            if self.stream.read_buf(&mut self.arrived).await? == 0 {
                let between = self.arrived.is_empty();
                return if between { Ok(None) } else { Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()) };
            }
        }
    }

    /// Sends one message.
    pub(super) async fn send(&mut self, message: &impl Serialize) -> Result<(), FrameError> {
        self.stream.write_all(&encoded(message)?).await?;
        self.stream.flush().await?;
        Ok(())
    }

    /// Sends a frame with these bytes in it, whatever they are.
    #[cfg(test)]
    pub(super) async fn send_raw(&mut self, body: &[u8]) {
        self.stream.write_all(&u32::try_from(body.len()).unwrap().to_be_bytes()).await.unwrap();
        self.stream.write_all(body).await.unwrap();
    }

    /// The body of the first frame, if all of it has arrived.
    fn take(&mut self) -> Result<Option<BytesMut>, FrameError> {
        let Some(&length) = self.arrived.first_chunk::<LENGTH>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        if length > MOST {
            return Err(FrameError::TooLarge(length));
        }
        if self.arrived.len().saturating_sub(LENGTH) < length {
            return Ok(None);
        }
        self.arrived.advance(LENGTH);
        Ok(Some(self.arrived.split_to(length)))
    }
}

/// A message as a frame.
pub(super) fn encoded(message: &impl Serialize) -> Result<Vec<u8>, FrameError> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= MOST).ok_or(FrameError::TooLarge(body.len()))?;
    let mut frame = Vec::with_capacity(body.len().saturating_add(LENGTH));
    frame.extend_from_slice(&length.to_be_bytes());
    frame.extend_from_slice(&body);
    Ok(frame)
}
