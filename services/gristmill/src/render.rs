//! Pages drawn by a browser before their text is taken.

use anyhow::Context;
use gristmill_browser::{Browser, RenderError, RenderMode, RenderRequest, RenderResult, ResourceLoader};
use gristmill_subresources::Subresources;
use serde_json::{Value, json};

use crate::replay::Replay;
use crate::settings::Settings;

/// A browser with what it needs to draw any page.
pub struct LocalRenderer {
    browser: Browser,
    source: Source,
    mode: RenderMode,
}

/// Where what pages ask for comes from.
enum Source {
    Network(Subresources),
    Archives(Replay),
}

/// A page that went through the browser, or did not.
pub struct RenderAttempt {
    mode: RenderMode,
    /// The page as it was drawn, or why it was not.
    pub outcome: Result<Box<RenderResult>, RenderError>,
}

/// A page to draw, which came as `bytes`.
pub fn request(bytes: &[u8], content_type: Option<&str>, url: Option<&str>) -> RenderRequest {
    let html = gristmill_html::decode(bytes, content_type).text;
    RenderRequest::html(url.unwrap_or(RenderRequest::UNKNOWN_URL), html)
}

impl LocalRenderer {
    /// Starts the browser. What pages ask for comes from `replay` if there is one, else from the network.
    ///
    /// # Errors
    /// There is none, or none that may run pages of strangers.
    pub async fn start(mode: RenderMode, settings: &Settings, replay: Option<Replay>) -> anyhow::Result<LocalRenderer> {
        let source = match replay {
            Some(replay) => Source::Archives(replay),
            None => Source::Network(Subresources::new(&settings.subresources, &settings.fetch)?),
        };
        let browser = Browser::start(settings.browser.clone()).await.context("pages cannot be drawn")?;
        Ok(LocalRenderer { browser, source, mode })
    }

    /// Draws a page, and takes a picture of it if one is wanted.
    pub async fn draw(&mut self, page: &RenderRequest) -> RenderAttempt {
        let outcome = match page.url.parse() {
            Ok(url) => {
                let supply: Box<dyn ResourceLoader> = match &self.source {
                    Source::Network(resources) => Box::new(resources.of_page(&url)),
                    Source::Archives(replay) => Box::new(replay.clone()),
                };
                self.browser.render(page, self.mode, &*supply).await
            }
            Err(_) => Err(RenderError::BadUrl { url: page.url.clone() }),
        };
        RenderAttempt { mode: self.mode, outcome: outcome.map(Box::new) }
    }
}

impl RenderAttempt {
    /// What a reader of the document should know of it.
    pub fn json(&self) -> Value {
        match &self.outcome {
            Err(error) => json!({"mode": self.mode.as_str(), "ended": null, "reason": reason(error)}),
            Ok(drawn) => {
                let counts = drawn.counts;
                let refused: Vec<Value> =
                    drawn.refused.iter().map(|(url, reason)| json!({"url": url, "reason": reason})).collect();
                json!({
                    "mode": self.mode.as_str(),
                    "ended": drawn.ended.as_str(),
                    "navigation_target": drawn.leads_to,
                    "requests": {
                        "asked": counts.asked, "answered": counts.answered, "refused": counts.refused,
                        "left_out": counts.left_out, "bytes": counts.bytes,
                    },
                    "refused": refused,
                    "scrolls": drawn.scrolls,
                    "seconds": drawn.duration.as_secs_f64(),
                    "cpu_seconds": drawn.cpu.as_secs_f64(),
                    "peak_bytes": drawn.peak_bytes,
                    "browser": drawn.product,
                })
            }
        }
    }

    /// A line for people, where something is not as it should be.
    pub fn warning(&self) -> Option<String> {
        match &self.outcome {
            Err(error) => Some(format!("the page was not drawn: {}; this is its text as it came", reason(error))),
            Ok(drawn) => {
                let to = drawn.leads_to.as_ref()?;
                Some(format!("the page that was drawn would go on to `{to}` by itself"))
            }
        }
    }
}

fn reason(error: &RenderError) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}
