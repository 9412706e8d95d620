//! What is known of a page while it is drawn.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::Notify;
use url::Url;

use crate::error::RenderError;
use crate::page::{Counts, Mode, PageToDraw};
use crate::process::Commands;
use crate::settings::Settings;

/// Refusals that are told one by one.
const TOLD: usize = 100;
/// Longest URL that is told.
const TOLD_BYTES: usize = 500;

/// A page that is being drawn.
pub(crate) struct Visit<'a> {
    pub(crate) commands: &'a Commands,
    pub(crate) settings: &'a Settings,
    pub(crate) url: &'a Url,
    pub(crate) page: &'a PageToDraw,
    pub(crate) mode: Mode,
    pub(crate) product: &'a str,
    /// Held only to look or to change, never across a wait.
    state: Mutex<State>,
    /// Something that the steps may wait for has changed.
    pub(crate) changed: Notify,
}

/// The part that changes.
#[derive(Debug)]
pub(crate) struct State {
    /// The browser's name of the page's context.
    pub(crate) context: Option<String>,
    /// The session of the page's own tab.
    pub(crate) session: Option<String>,
    /// The main frame of that tab, which has the same name as its target.
    pub(crate) frame: Option<String>,
    /// The main frames of tabs that are being closed.
    pub(crate) closing: HashSet<String>,
    /// The body of the page went to the browser.
    pub(crate) is_given: bool,
    /// The page is the document of the main frame.
    pub(crate) is_there: bool,
    /// Its load event came.
    pub(crate) is_loaded: bool,
    /// Requests that the caller has not answered yet.
    pub(crate) n_open: usize,
    /// When the last of them was answered.
    pub(crate) since: Instant,
    pub(crate) counts: Counts,
    pub(crate) refused: Vec<(String, String)>,
    pub(crate) leads_to: Option<String>,
}

impl<'a> Visit<'a> {
    pub(crate) fn new(
        commands: &'a Commands,
        settings: &'a Settings,
        url: &'a Url,
        page: &'a PageToDraw,
        mode: Mode,
        product: &'a str,
    ) -> Visit<'a> {
        let state = State {
            context: None,
            session: None,
            frame: None,
            closing: HashSet::new(),
            // Nobody asks for it then.
            is_given: settings.without.pausing,
            is_there: false,
            is_loaded: false,
            n_open: 0,
            since: Instant::now(),
            counts: Counts::default(),
            refused: Vec::new(),
            leads_to: None,
        };
        Visit { commands, settings, url, page, mode, product, state: Mutex::new(state), changed: Notify::new() }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn finish(self) -> State {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a command to the page's own tab.
    ///
    /// # Errors
    /// See [`Commands::call`].
    pub(crate) async fn call(&self, method: &'static str, params: Value) -> Result<Value, RenderError> {
        let session = self.state().session.clone();
        self.commands.call(session.as_deref(), method, params).await
    }
}

impl State {
    /// Notes a request that is not answered.
    pub(crate) fn refuse(&mut self, url: &str, reason: &str) {
        self.counts.refused += 1;
        if self.refused.len() < TOLD {
            self.refused.push((shortened(url), reason.to_owned()));
        }
    }
}

/// A URL for people.
pub(crate) fn shortened(url: &str) -> String {
    let end = url.char_indices().map(|(at, _)| at).take_while(|&at| at <= TOLD_BYTES).last().unwrap_or(0);
    if url.len() <= TOLD_BYTES { url.to_owned() } else { format!("{}…", &url[..end]) }
}
