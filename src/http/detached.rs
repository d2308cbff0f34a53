//! What was begun is finished: a client that hangs up does not take back half of what it asked for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use super::places::Place;

/// Does what a request asks for, to its end. The server drops the waiting when the client leaves, in the middle of whatever is done then: a
/// passkey's yes would be used up without a record, a call would be made and not written down. What is left then goes on in a task of its
/// own. It holds the connection's place, so who hangs up and comes again begins no more of it than one who waits.
pub(super) async fn detached(request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<Place>>().cloned();
    let work = async move {
        let answer = next.run(request).await;
        drop(place);
        answer
    };
    Finished(Some(Box::pin(work))).await
}

/// Work that is done to its end, also when nobody waits for it any more. A task is begun only then: one for every request would cost each
/// of them a change of threads.
struct Finished<W: Future<Output: Send> + Send + 'static>(Option<Pin<Box<W>>>);

impl<W: Future<Output: Send> + Send + 'static> Future for Finished<W> {
    type Output = W::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<W::Output> {
        // Taken out while it is polled: what panics is not gone on with.
        let Some(mut work) = self.0.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(cx);
        if polled.is_pending() {
            self.0 = Some(work);
        }
        polled
    }
}

impl<W: Future<Output: Send> + Send + 'static> Drop for Finished<W> {
    fn drop(&mut self) {
        // Without a runtime the process ends, and all work with it.
        if let (Some(work), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits_for_it_and_is_done_once() {
        let (go, wait) = tokio::sync::oneshot::channel::<()>();
        let (tell, told) = tokio::sync::oneshot::channel::<u8>();
        let done = Arc::new(AtomicBool::new(false));
        let mark = Arc::clone(&done);
        let work = async move {
            wait.await.unwrap();
            assert!(!mark.swap(true, Ordering::SeqCst), "it is done once");
            tell.send(7).unwrap();
        };
        let mut waiting = Finished(Some(Box::pin(work)));
        assert!((&mut waiting).now_or_never().is_none());
        drop(waiting);
        assert!(!done.load(Ordering::SeqCst));
        go.send(()).unwrap();
        assert_eq!(told.await.unwrap(), 7);
    }

    #[tokio::test]
    async fn work_that_panics_is_not_gone_on_with() {
        let mut waiting = Finished(Some(Box::pin(async { panic!("as the test wants") })));
        let panicked = std::panic::AssertUnwindSafe(&mut waiting).catch_unwind().await;
        assert!(panicked.is_err());
        assert!(waiting.0.is_none());
    }
}
