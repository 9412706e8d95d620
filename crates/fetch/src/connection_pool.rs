//! The library's client, made anew before it keeps more connections open than the process has file handles for.
//!
//! The library bounds what it keeps for each host, and not what it keeps for all. A crawl of ten thousand hosts a minute would hold as many.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::ConfigError;

type Build = dyn Fn() -> Result<reqwest::Client, ConfigError> + Send + Sync;

/// Where connections are kept.
pub(crate) struct ConnectionPool {
    client: Mutex<reqwest::Client>,
    build: Box<Build>,
    /// Connections that `client` dialled, at least as many as it has open.
    n_dials: AtomicUsize,
    most: usize,
}

impl ConnectionPool {
    /// * `most`: connections after which `build` makes a client that has none.
    pub(crate) fn new(
        most: usize,
        build: impl Fn() -> Result<reqwest::Client, ConfigError> + Send + Sync + 'static,
    ) -> Result<Self, ConfigError> {
        let client = Mutex::new(build()?);
        Ok(Self { client, build: Box::new(build), n_dials: AtomicUsize::new(0), most: most.max(1) })
    }

    pub(crate) fn client(&self) -> reqwest::Client {
        self.client.lock().expect("nothing under this lock panics").clone()
    }

    /// Takes in that a connection was dialled. What is under way goes on over the connections that it has; those that wait for a next
    /// request are closed with the client that they belong to.
    pub(crate) fn count_dial(&self) {
        if self.n_dials.fetch_add(1, Ordering::Relaxed) + 1 != self.most {
            return;
        }
        // Fails where the file of `fetch.ca_file` has gone since; then this one goes on.
        if let Ok(new) = (self.build)() {
            *self.client.lock().expect("nothing under this lock panics") = new;
        }
        self.n_dials.store(0, Ordering::Relaxed);
    }
}
