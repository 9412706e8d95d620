//! What is known of a page while it is drawn.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::Notify;
use url::Url;

use crate::error::RenderError;
use crate::page::{RenderMode, RenderRequest, RequestStats};
use crate::process::CdpSender;
use crate::settings::BrowserConfig;

/// Refusals that are told one by one.
const TOLD: usize = 100;
/// Longest URL that is told.
const TOLD_BYTES: usize = 500;

/// A page that is being drawn.
pub(crate) struct RenderSession<'a> {
    pub(crate) commands: &'a CdpSender,
    pub(crate) settings: &'a BrowserConfig,
    pub(crate) url: &'a Url,
    pub(crate) page: &'a RenderRequest,
    pub(crate) mode: RenderMode,
    pub(crate) product: &'a str,
    /// Held only to look or to change, never across a wait.
    state: Mutex<VisitState>,
    /// Something that the steps may wait for has changed.
    pub(crate) changed: Notify,
}

/// The part that changes.
#[derive(Debug)]
pub(crate) struct VisitState {
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
    pub(crate) counts: RequestStats,
    pub(crate) refused: Vec<(String, String)>,
    pub(crate) leads_to: Option<String>,
}

impl<'a> RenderSession<'a> {
    pub(crate) fn new(
        commands: &'a CdpSender,
        settings: &'a BrowserConfig,
        url: &'a Url,
        page: &'a RenderRequest,
        mode: RenderMode,
        product: &'a str,
    ) -> RenderSession<'a> {
        let state = VisitState {
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
            counts: RequestStats::default(),
            refused: Vec::new(),
            leads_to: None,
        };
        RenderSession { commands, settings, url, page, mode, product, state: Mutex::new(state), changed: Notify::new() }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, VisitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn finish(self) -> VisitState {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a command to the page's own tab.
    ///
    /// # Errors
    /// See [`CdpSender::call`].
    pub(crate) async fn call(&self, method: &'static str, params: Value) -> Result<Value, RenderError> {
        let session = self.state().session.clone();
        self.commands.call(session.as_deref(), method, params).await
    }
}

impl VisitState {
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
