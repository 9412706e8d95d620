//! The connections of the server: bounded for each client and in all, and none without an end.
//!
//! Who comes is let in. When a bound is reached, the connection goes that has waited longest for its client; only when all are busy
//! with requests the new one is turned away. A request has a time for its head and one for its answer, whatever moves meanwhile.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::metrics::Metrics;
use crate::places::{Bounds, RequestLimiter, RequestPermit};

/// File handles left for everything else: index files while they are opened, logs, the admin port.
const OTHER_HANDLES: u64 = 64;

/// All connections that are open.
pub(crate) struct Connections {
    places: RequestLimiter,
    metrics: Metrics,
}

/// A connection's place among the others.
pub(crate) struct ConnectionPermit {
    pub(crate) place: RequestPermit,
    /// When the last request came.
    begun: Mutex<Option<Instant>>,
    /// Whether an answer is being made within a time: the client has nothing to send or to take then.
    at_work: Arc<AtomicBool>,
    metrics: Metrics,
}

impl Connections {
    /// Bounds, of which `max` is lowered to what the process has file handles for.
    pub(crate) fn new(max: usize, max_per_client: usize, metrics: Metrics) -> Self {
        let handles = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let room = handles.map_or(usize::MAX, |handles| handles.saturating_sub(OTHER_HANDLES).max(1) as usize);
        if room < max {
            tracing::warn!(
                limit = room,
                "`searcher.max_connections` ({max}) is more than this process may open; `ulimit -n` raises that"
            );
        }
        let bounds = Bounds { max: max.min(room), max_per_client, least_wait: Duration::ZERO };
        Self { places: RequestLimiter::new(bounds, metrics.connections.clone()), metrics }
    }

    /// A place for a client at `address`, for which another connection may have to go; `None` when all are busy.
    pub(crate) fn seat(&self, address: IpAddr) -> Option<ConnectionPermit> {
        let place = self.places.take(address);
        if place.is_none() {
            self.metrics.closed.of("refused").inc();
        }
        let at_work = Arc::default();
        Some(ConnectionPermit { place: place?, begun: Mutex::default(), at_work, metrics: self.metrics.clone() })
    }

    /// Closes the connection that has waited longest, because something else needs its handle; none while one is being closed.
    pub(crate) fn make_room(&self) {
        self.places.make_room();
    }
}

impl ConnectionPermit {
    /// A request came, and its answer is being made; `is_bounded` if it must be taken in within a time.
    pub(crate) fn begin(&self, is_bounded: bool) {
        *self.begun.lock().expect("no code panics while it holds this lock") = is_bounded.then(Instant::now);
        // Without a bound of its own a request whose body stalls would stay for ever.
        self.at_work.store(is_bounded, Ordering::Relaxed);
        self.place.begin();
    }

    /// Its stream, which fails when nothing moves on it for `longest`, but for the time in which an answer is made.
    pub(crate) fn watched<S>(&self, stream: S, longest: Duration) -> IdleTimeoutStream<S> {
        IdleTimeoutStream { stream, longest, at_work: self.at_work.clone(), end: Box::pin(tokio::time::sleep(longest)) }
    }

    /// Ends when the last request is older than `limit`: by then its answer must have been taken in.
    pub(crate) async fn overdue(&self, limit: Duration) {
        loop {
            let begun = *self.begun.lock().expect("no code panics while it holds this lock");
            let left = begun.map_or(limit, |begun| limit.saturating_sub(begun.elapsed()));
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    /// The answer is made.
    pub(crate) fn end(&self) {
        self.at_work.store(false, Ordering::Relaxed);
        self.place.end();
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        if self.place.lost.is_cancelled() {
            self.metrics.closed.of("evicted").inc();
        }
    }
}

/// A stream that fails when nothing moves on it for a time, and no answer is being made meanwhile.
pub(crate) struct IdleTimeoutStream<S> {
    stream: S,
    longest: Duration,
    at_work: Arc<AtomicBool>,
    end: Pin<Box<Sleep>>,
}

impl<S> IdleTimeoutStream<S> {
    /// Passes on what moved; waits for the end of the time where nothing did.
    fn watch<T>(&mut self, moved: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            self.begin_anew();
            return moved;
        }
        ready!(self.end.as_mut().poll(context));
        if !self.at_work.load(Ordering::Relaxed) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.begin_anew();
        let _ = self.end.as_mut().poll(context);
        Poll::Pending
    }

    fn begin_anew(&mut self) {
        let longest = self.longest;
        self.end.as_mut().reset(tokio::time::Instant::now() + longest);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeoutStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(context, into);
        self.watch(moved, context)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(moved, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(moved, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(moved, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_stream_is_idle_only_while_no_answer_is_made() {
        let (_client, server) = tokio::io::duplex(1);
        let at_work = Arc::new(AtomicBool::new(true));
        let longest = Duration::from_millis(20);
        let end = Box::pin(tokio::time::sleep(longest));
        let mut stream = IdleTimeoutStream { stream: server, longest, at_work: at_work.clone(), end };
        let mut byte = [0];
        let waits = tokio::time::timeout(10 * longest, stream.read(&mut byte)).await;
        assert!(waits.is_err(), "an answer is being made");
        at_work.store(false, Ordering::Relaxed);
        assert_eq!(stream.read(&mut byte).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
