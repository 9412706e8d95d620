//! The connections of the server: bounded for each client and in all, and none without an end.
//!
//! Who comes is let in. When a bound is reached, the connection goes that has waited longest for its client, so that clients
//! who send nothing make room for those who do; only when all are busy with requests the new one is turned away. A request has
//! a time for its head and one for its answer, whatever moves meanwhile.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;

/// File handles left for everything else: index files while they are opened, logs, the admin port.
const OTHER_HANDLES: u64 = 64;

/// All connections that are open.
#[derive(Clone)]
pub(crate) struct Connections {
    shared: Arc<Shared>,
}

struct Shared {
    max: usize,
    max_per_client: usize,
    metrics: Metrics,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    by_number: BTreeMap<u64, Connection>,
}

struct Connection {
    client: IpAddr,
    /// Since when it waits for its client, to send a request or to take an answer in; `None` while one is made.
    waiting: Option<Instant>,
    close: CancellationToken,
}

/// A connection's place among the others; dropping it gives the place back.
pub(crate) struct Seat {
    connections: Connections,
    number: u64,
    /// Cancelled when the connection has to make room.
    pub(crate) close: CancellationToken,
    /// When the last request came.
    begun: Mutex<Option<Instant>>,
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
        let shared = Shared { max: max.min(room), max_per_client, metrics, open: Mutex::default() };
        Self { shared: Arc::new(shared) }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.shared.open.lock().expect("no code panics while it holds this lock")
    }

    /// A place for a client at `address`, for which another connection may have to go; `None` when all are busy.
    pub(crate) fn seat(&self, address: IpAddr) -> Option<Seat> {
        let client = client(address);
        let mut open = self.open();
        let of_client = open.by_number.values().filter(|connection| connection.client == client).count();
        let has_room = (of_client < self.shared.max_per_client || open.evict(Some(client)))
            && (open.by_number.len() < self.shared.max || open.evict(None));
        let before = open.by_number.len();
        if !has_room {
            self.shared.metrics.closed.with_label_values(&["refused"]).inc();
            return None;
        }
        let number = open.next;
        open.next += 1;
        let close = CancellationToken::new();
        let connection = Connection { client, waiting: Some(Instant::now()), close: close.clone() };
        open.by_number.insert(number, connection);
        self.shared.metrics.connections.set(before as i64 + 1);
        Some(Seat { connections: self.clone(), number, close, begun: Mutex::default() })
    }

    /// Closes the connection that has waited longest, because something else needs its handle.
    pub(crate) fn make_room(&self) {
        self.open().evict(None);
    }
}

impl Open {
    /// Closes the connection that has waited longest, of `client` if one is named; whether there was one.
    fn evict(&mut self, client: Option<IpAddr>) -> bool {
        let waiting = self.by_number.iter().filter(|(_, connection)| client.is_none_or(|one| connection.client == one));
        let longest = waiting.filter_map(|(number, connection)| Some((connection.waiting?, *number))).min();
        let evicted = longest.and_then(|(_, number)| self.by_number.remove(&number));
        if let Some(connection) = &evicted {
            connection.close.cancel();
        }
        evicted.is_some()
    }
}

impl Seat {
    /// A request came, and its answer is being made.
    pub(crate) fn begin(&self) {
        *self.begun.lock().expect("no code panics while it holds this lock") = Some(Instant::now());
        self.set(None);
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
        self.set(Some(Instant::now()));
    }

    fn set(&self, waiting: Option<Instant>) {
        // One that has to make room may be gone already.
        if let Some(connection) = self.connections.open().by_number.get_mut(&self.number) {
            connection.waiting = waiting;
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        open.by_number.remove(&self.number);
        let metrics = &self.connections.shared.metrics;
        metrics.connections.set(open.by_number.len() as i64);
        if self.close.is_cancelled() {
            metrics.closed.with_label_values(&["evicted"]).inc();
        }
    }
}

/// Who a client is: an IPv4 address, or the network that one subscriber of IPv6 has at least.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        address => address,
    }
}

/// A stream that fails when nothing moves on it for a time.
pub(crate) struct Lively<S> {
    stream: S,
    longest: Duration,
    end: Pin<Box<Sleep>>,
}

impl<S> Lively<S> {
    pub(crate) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, end: Box::pin(tokio::time::sleep(longest)) }
    }

    /// Passes on what moved; waits for the end of the time where nothing did.
    fn watch<T>(&mut self, moved: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            let longest = self.longest;
            self.end.as_mut().reset(tokio::time::Instant::now() + longest);
            return moved;
        }
        ready!(self.end.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lively<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(context, into);
        self.watch(moved, context)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Lively<S> {
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
    use prometheus::Registry;

    use super::*;

    fn connections(max: usize, max_per_client: usize) -> Connections {
        Connections::new(max, max_per_client, Metrics::new(&Registry::new()).unwrap())
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn who_waits_longest_makes_room_and_who_is_busy_stays() {
        let connections = connections(3, 2);
        let first = connections.seat(address(1)).unwrap();
        let second = connections.seat(address(1)).unwrap();
        first.begin();
        let third = connections.seat(address(1)).unwrap();
        assert!(second.close.is_cancelled() && !first.close.is_cancelled());
        third.begin();
        assert!(connections.seat(address(1)).is_none(), "both of this client are busy");
        let other = connections.seat(address(2)).unwrap();
        let another = connections.seat(address(3)).unwrap();
        assert!(other.close.is_cancelled() && !another.close.is_cancelled(), "three in all");
        drop(first);
        assert!(connections.seat(address(1)).is_some());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let one = client("2001:db8:1:2:3::4".parse().unwrap());
        assert_eq!(one, client("2001:db8:1:2:ffff::1".parse().unwrap()));
        assert_ne!(one, client("2001:db8:1:3::4".parse().unwrap()));
        assert_eq!(client("::ffff:192.0.2.1".parse().unwrap()), address(1));
    }
}
