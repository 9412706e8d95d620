//! A proxy that refuses all: the browser is told to use it, so that what was not paused ends here, and is counted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

const ANSWER: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The listener; it ends when this is dropped.
pub(crate) struct DenyAll {
    address: SocketAddr,
    refused: Arc<AtomicU64>,
    task: AbortHandle,
}

impl DenyAll {
    pub(crate) async fn start() -> std::io::Result<DenyAll> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let refused = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&refused);
        let task = tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok((mut stream, _)) => {
                        counter.fetch_add(1, Ordering::Relaxed);
                        // Whoever does not take the answer is not owed one.
                        let _ = stream.try_write(ANSWER);
                        let _ = tokio::time::timeout(Duration::from_millis(100), stream.shutdown()).await;
                    }
                    // Out of file descriptors: others must give some back first.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                }
            }
        });
        Ok(DenyAll { address, refused, task: task.abort_handle() })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections that were refused.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

impl Drop for DenyAll {
    fn drop(&mut self) {
        self.task.abort();
    }
}
