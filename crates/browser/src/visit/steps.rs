//! The steps of a visit, one behind the other: a context, a tab, the page, waiting, the snapshot.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::state::{RenderSession, VisitState};
use crate::error::RenderError;
use crate::page::{MAX_SCREENSHOT_HEIGHT, RenderEnd, RenderMode, ScreenshotOptions};
use crate::serialise;
use crate::snapshot::{self, STYLES};

/// Tells whether the text of a page stands still: its length and a checksum (FNV-1a) of what can be seen of it.
const FINGERPRINT: &str = "(() => { const body = document.body; if (!body) return '';
    const text = body.innerText; let sum = 2166136261;
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16777619);
    return text.length + ' ' + sum; })()";
/// Scrolls to the end; tells whether there was anything to scroll.
const SCROLL: &str = "(() => { const page = document.scrollingElement; if (!page) return false;
    const before = page.scrollTop; page.scrollTo(0, page.scrollHeight); return page.scrollTop > before; })()";

/// In a namespace without routes a browser says that it is offline, and some pages then show nothing else.
const ONLINE: &str =
    "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => true, configurable: true, enumerable: true })";
/// How many elements a page has.
const COUNT: &str = "document.getElementsByTagName('*').length";
/// Most elements of a page that is taken: a snapshot of more takes longer than anybody waits, and no reader takes it in.
const MAX_ELEMENTS: u64 = 100_000;

/// Back to where a reader begins.
const TO_THE_TOP: &str = "window.scrollTo(0, 0)";

const SCREENSHOT: &str = "Page.captureScreenshot";

const SNAPSHOT: &str = "DOMSnapshot.captureSnapshot";

/// How many times as long a page must stand still whose load event has not come: an answer may be on its way inside the browser.
const BEFORE_LOAD: u32 = 4;

/// A page at its end.
pub(crate) struct PageSnapshot {
    pub(crate) html: String,
    pub(crate) layout: Vec<u8>,
    pub(crate) screenshot: Option<Vec<u8>>,
    pub(crate) ended: RenderEnd,
    pub(crate) scrolls: u32,
}

pub(crate) async fn run(visit: &RenderSession<'_>) -> Result<PageSnapshot, RenderError> {
    let context = open_tab(visit).await?;
    let until = Instant::now() + visit.settings.max_wait;
    let (ended, scrolls) = match tokio::time::timeout_at(until.into(), load(visit, until)).await {
        Ok(ended) => ended?,
        Err(_) => (RenderEnd::Cap, 0),
    };
    let limit = visit.settings.timeout;
    let end = async {
        if ended == RenderEnd::Cap {
            stop_scripts(visit).await?;
        }
        take(visit, ended, scrolls).await
    };
    let late = RenderError::Timeout { method: SNAPSHOT, limit };
    let taken = tokio::time::timeout(limit, end).await.map_err(|_| late)??;
    // From here on the end of the tab is no loss. The page is gone for the next one only when this is done.
    visit.state().session = None;
    visit.commands.call(None, "Target.disposeBrowserContext", json!({"browserContextId": context})).await?;
    Ok(taken)
}

/// A tab in a context of its own, ready for the page.
async fn open_tab(visit: &RenderSession<'_>) -> Result<String, RenderError> {
    let call = |method, params| visit.commands.call(None, method, params);
    let created = call("Target.createBrowserContext", json!({"disposeOnDetach": true})).await?;
    let context = text(&created, "browserContextId", "Target.createBrowserContext")?;
    visit.state().context = Some(context.clone());
    call("Browser.setDownloadBehavior", json!({"behavior": "deny", "browserContextId": context})).await?;
    call("Target.createTarget", json!({"url": "about:blank", "browserContextId": context})).await?;
    let limit = visit.settings.timeout;
    let attached = until(visit, |state| state.session.is_some());
    let late = RenderError::Timeout { method: "Target.createTarget", limit };
    tokio::time::timeout(limit, attached).await.map_err(|_| late)?;
    let [width, height] = visit.page.window();
    let window = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": visit.page.is_mobile});
    let mut setup = vec![
        ("Page.enable", json!({})),
        ("Inspector.enable", json!({})),
        ("Target.setAutoAttach", crate::process::auto_attach()),
        ("Emulation.setDeviceMetricsOverride", window),
        ("Emulation.setFocusEmulationEnabled", json!({"enabled": true})),
    ];
    setup.push(match visit.mode {
        RenderMode::Styles => ("Emulation.setScriptExecutionDisabled", json!({"value": true})),
        RenderMode::Scripts => ("Page.addScriptToEvaluateOnNewDocument", json!({"source": ONLINE})),
    });
    setup.push(("Runtime.runIfWaitingForDebugger", json!({})));
    let commands = setup.into_iter().map(|(method, params)| visit.call(method, params));
    futures::future::try_join_all(commands).await?;
    Ok(context)
}

/// Until the page is finished; how it was, and how often it was scrolled.
async fn load(visit: &RenderSession<'_>, deadline: Instant) -> Result<(RenderEnd, u32), RenderError> {
    let session = visit.state().session.clone();
    let left = deadline.saturating_duration_since(Instant::now());
    let went =
        visit.commands.call_within(left, session.as_deref(), "Page.navigate", json!({"url": visit.url.as_str()}));
    match went.await {
        Ok(answer) => {
            if let Some(reason) = answer["errorText"].as_str() {
                return Err(RenderError::Refused { method: "Page.navigate", reason: reason.to_owned() });
            }
        }
        // The page may be endless and in the browser all the same.
        Err(RenderError::Timeout { .. }) if visit.state().is_given => return Ok((RenderEnd::Cap, 0)),
        Err(error) => return Err(error),
    }
    match visit.mode {
        RenderMode::Styles => {
            until(visit, |state| state.is_loaded && state.n_open == 0).await;
            Ok((RenderEnd::Loaded, 0))
        }
        RenderMode::Scripts => settle(visit).await,
    }
}

/// Until nothing is open and the text stands still; then again while scrolling to the end adds any.
async fn settle(visit: &RenderSession<'_>) -> Result<(RenderEnd, u32), RenderError> {
    let mut scrolls = 0;
    let mut text = stand_still(visit).await?;
    while scrolls < visit.settings.max_scrolls {
        if !evaluate(visit, SCROLL).await?.as_bool().unwrap_or(false) {
            break;
        }
        scrolls += 1;
        let after = stand_still(visit).await?;
        if after == text {
            break;
        }
        text = after;
    }
    let ended = if visit.state().is_loaded { RenderEnd::Loaded } else { RenderEnd::Quiet };
    Ok((ended, scrolls))
}

/// The fingerprint of the text, when it has not changed for `quiet` and nothing was open all the while.
async fn stand_still(visit: &RenderSession<'_>) -> Result<Value, RenderError> {
    let quiet = visit.settings.quiet;
    let pause = (quiet / 2).max(Duration::from_millis(20));
    let mut last = evaluate(visit, FINGERPRINT).await?;
    let mut since = Instant::now();
    loop {
        tokio::time::sleep(pause).await;
        let now = evaluate(visit, FINGERPRINT).await?;
        let (n_open, answered, is_loaded) = {
            let state = visit.state();
            (state.n_open, state.since, state.is_loaded)
        };
        let quiet = if is_loaded { quiet } else { quiet * BEFORE_LOAD };
        if now != last || n_open > 0 {
            (last, since) = (now, Instant::now());
        } else if since.max(answered).elapsed() >= quiet {
            return Ok(now);
        }
    }
}

/// The value of an expression, in a world of our own: a page does not change what it means.
async fn evaluate(visit: &RenderSession<'_>, expression: &str) -> Result<Value, RenderError> {
    let frame = visit.state().frame.clone();
    let world = json!({"frameId": frame, "worldName": "gristmill"});
    // As long as the page runs something else nobody answers. The end of the wait comes first.
    let limit = visit.settings.max_wait.max(visit.settings.timeout) + Duration::from_secs(1);
    let session = visit.state().session.clone();
    let call = |method, params| visit.commands.call_within(limit, session.as_deref(), method, params);
    let world = call("Page.createIsolatedWorld", world).await?;
    let params = json!({"expression": expression, "contextId": world["executionContextId"], "returnByValue": true, "silent": true});
    let mut answer = call("Runtime.evaluate", params).await?;
    Ok(answer["result"]["value"].take())
}

/// Ends what runs, and lets nothing run again.
async fn stop_scripts(visit: &RenderSession<'_>) -> Result<(), RenderError> {
    visit.call("Emulation.setScriptExecutionDisabled", json!({"value": true})).await?;
    // Refused where nothing runs.
    match visit.call("Runtime.terminateExecution", json!({})).await {
        Ok(_) | Err(RenderError::Refused { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn take(visit: &RenderSession<'_>, ended: RenderEnd, scrolls: u32) -> Result<PageSnapshot, RenderError> {
    if evaluate(visit, COUNT).await?.as_u64().is_some_and(|n| n > MAX_ELEMENTS) {
        return Err(RenderError::TooManyElements { limit: MAX_ELEMENTS });
    }
    let snapshot = visit.call(SNAPSHOT, json!({"computedStyles": STYLES})).await?;
    let unreadable = |reason: &str| RenderError::Protocol { method: SNAPSHOT, reason: reason.to_owned() };
    let html = serialise::html(&snapshot, visit.mode == RenderMode::Scripts)
        .ok_or_else(|| unreadable("it has no document"))?;
    let layout = serde_json::to_vec(&snapshot::envelope(snapshot, visit.product, visit.page.window()));
    let layout = layout.map_err(|error| unreadable(&error.to_string()))?;
    let screenshot = match visit.page.screenshot {
        Some(wanted) => Some(screenshot(visit, wanted).await?),
        None => None,
    };
    Ok(PageSnapshot { html, layout, screenshot, ended, scrolls })
}

/// A picture of the page from its beginning, as wide as the window.
async fn screenshot(visit: &RenderSession<'_>, wanted: ScreenshotOptions) -> Result<Vec<u8>, RenderError> {
    evaluate(visit, TO_THE_TOP).await?;
    let [width, height] = visit.page.window();
    let mut height = f64::from(height);
    if wanted.full_page {
        let metrics = visit.call("Page.getLayoutMetrics", json!({})).await?;
        let whole = metrics["cssContentSize"]["height"].as_f64().unwrap_or(height);
        height = whole.clamp(height, MAX_SCREENSHOT_HEIGHT);
    }
    let mut params = json!({
        "captureBeyondViewport": wanted.full_page,
        "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
    });
    if let Some(quality) = wanted.quality {
        (params["format"], params["quality"]) = ("jpeg".into(), quality.min(100).into());
    }
    let answer = visit.call(SCREENSHOT, params).await?;
    let decoded = BASE64_STANDARD.decode(text(&answer, "data", SCREENSHOT)?);
    decoded.map_err(|error| RenderError::Protocol { method: SCREENSHOT, reason: error.to_string() })
}

/// Waits until the state is as `is_so` says.
async fn until(visit: &RenderSession<'_>, is_so: impl Fn(&VisitState) -> bool) {
    loop {
        if is_so(&visit.state()) {
            return;
        }
        visit.changed.notified().await;
    }
}

fn text(answer: &Value, field: &str, method: &'static str) -> Result<String, RenderError> {
    let missing = || RenderError::Protocol { method, reason: format!("it has no `{field}`") };
    answer[field].as_str().map(str::to_owned).ok_or_else(missing)
}
