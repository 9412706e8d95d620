//! One page in one browser: from a new context to the snapshot.

mod events;
mod request;
mod state;
mod steps;

use std::time::{Duration, Instant};

use url::Url;

use crate::cdp_pipe::{MAX_MESSAGE, PipeError};
use crate::error::RenderError;
use crate::page::{RenderMode, RenderRequest, RenderResult};
use crate::process::BrowserProcess;
use crate::resource_loader::ResourceLoader;
use crate::settings::BrowserConfig;
use crate::usage::ProcessUsage;
use events::CdpEvents;
use state::RenderSession;

/// How often the memory of the browser is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long the cause of a refused command is waited for.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Draws `page`; `url` is its URL, parsed.
///
/// Three things run side by side until one ends it: the steps of the visit; messages of the browser, to which what it asks for
/// belongs; and the watch over its memory.
pub(crate) async fn draw(
    process: &mut BrowserProcess,
    settings: &BrowserConfig,
    url: &Url,
    page: &RenderRequest,
    mode: RenderMode,
    supply: &dyn ResourceLoader,
) -> Result<RenderResult, RenderError> {
    let (begun, before) = (Instant::now(), process.usage());
    let pid = process.pid();
    let visit = RenderSession::new(&process.commands, settings, url, page, mode, &process.product);
    let mut peak = before.memory;
    let mut events = CdpEvents::new(&visit, supply);
    let ended = tokio::select! {
        drawn = steps::run(&visit) => drawn,
        error = events.run(&mut process.incoming) => Err(error),
        error = watch(pid, settings.max_memory, &mut peak) => Err(error),
    };
    let ended = match ended {
        // A page that goes away breaks the command under way, and the event that says so may come behind the answer.
        Err(refused @ RenderError::Refused { .. }) => {
            let cause = tokio::time::timeout(LAST_WORD, events.run(&mut process.incoming)).await;
            Err(cause.unwrap_or(refused))
        }
        ended => ended,
    };
    drop(events);
    let taken = ended?;
    let after = process.usage();
    let state = visit.finish();
    Ok(RenderResult {
        html: taken.html,
        layout: taken.layout.into(),
        screenshot: taken.screenshot.map(Into::into),
        ended: taken.ended,
        mode,
        counts: state.counts,
        refused: state.refused,
        leads_to: state.leads_to,
        scrolls: taken.scrolls,
        duration: begun.elapsed(),
        cpu: after.cpu.saturating_sub(before.cpu),
        peak_bytes: peak.max(after.memory),
        product: process.product.clone(),
    })
}

/// Ends when the browser takes too much memory.
async fn watch(pid: u32, limit: u64, peak: &mut u64) -> RenderError {
    loop {
        let ProcessUsage { memory, .. } = ProcessUsage::of(pid);
        *peak = memory.max(*peak);
        if memory > limit {
            return RenderError::Memory { limit };
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// What the end of the browser's messages means for the page.
fn broken(broken: Option<PipeError>) -> RenderError {
    match broken {
        Some(PipeError::TooLarge) => RenderError::TooLarge { limit: MAX_MESSAGE },
        Some(PipeError::NoJson(reason)) => RenderError::Protocol { method: "any", reason },
        Some(PipeError::Ended) | None => RenderError::Ended,
    }
}
