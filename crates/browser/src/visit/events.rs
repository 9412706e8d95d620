//! What the browser says by itself while a page is drawn, and what is done at once about it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::broken;
use super::request::{PausedRequest, RequestAction};
use super::state::{RenderSession, shortened};
use crate::cdp_pipe::PipeError;
use crate::error::RenderError;
use crate::page::RenderMode;
use crate::process::auto_attach;
use crate::resource_loader::{LoadedResource, ResourceLoader, ResourceResponse};

/// One transparent pixel: the scripts of a page see that its pictures have come.
const PIXEL: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
/// Fields that speak of bytes as they were sent, or to a browser with a network.
const LEFT_OUT: &[&str] = &[
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "set-cookie",
    "alt-svc",
    "strict-transport-security",
    "content-disposition",
    "report-to",
    "nel",
    "reporting-endpoints",
    "link",
    "refresh",
    "clear-site-data",
];

/// Passes on answers, and reacts to events.
pub(crate) struct CdpEvents<'a> {
    visit: &'a RenderSession<'a>,
    supply: &'a dyn ResourceLoader,
    open: FuturesUnordered<BoxFuture<'a, Done>>,
}

/// A request that the caller has answered.
struct Done {
    id: String,
    url: String,
    /// The site that asks, for a request between sites.
    origin: Option<String>,
    answer: ResourceResponse,
}

impl<'a> CdpEvents<'a> {
    pub(crate) fn new(visit: &'a RenderSession<'a>, supply: &'a dyn ResourceLoader) -> CdpEvents<'a> {
        CdpEvents { visit, supply, open: FuturesUnordered::new() }
    }

    /// Runs until the page cannot be taken any more.
    pub(crate) async fn run(&mut self, incoming: &mut mpsc::Receiver<Result<Value, PipeError>>) -> RenderError {
        loop {
            tokio::select! {
                message = incoming.recv() => match message {
                    Some(Ok(message)) => {
                        let event = self.visit.commands.answered(message);
                        if let Some(lost) = event.and_then(|event| self.event(&event)) {
                            return lost;
                        }
                    }
                    Some(Err(error)) => return broken(Some(error)),
                    None => return broken(None),
                },
                Some(done) = self.open.next() => self.answer(done),
            }
        }
    }

    /// Why the page is lost by it, if it is.
    fn event(&mut self, event: &Value) -> Option<RenderError> {
        let (params, session) = (&event["params"], event["sessionId"].as_str());
        match event["method"].as_str().unwrap_or("") {
            "Fetch.requestPaused" => self.paused(params),
            "Target.attachedToTarget" => self.attached(params),
            "Target.detachedFromTarget" if self.is_own(params["sessionId"].as_str()) => {
                return Some(RenderError::Left { to: "nothing, by closing its tab".to_owned() });
            }
            "Page.javascriptDialogOpening" => {
                self.visit.commands.tell(session, "Page.handleJavaScriptDialog", json!({"accept": false}));
            }
            "Page.loadEventFired" if self.is_own(session) => {
                let mut state = self.visit.state();
                // The tab has one before the page is there.
                state.is_loaded = state.is_there;
                drop(state);
                self.visit.changed.notify_one();
            }
            "Page.frameNavigated" if self.is_own(session) => return self.navigated(&params["frame"]),
            "Inspector.targetCrashed" if self.is_own(session) => return Some(RenderError::Crashed),
            _ => {}
        }
        None
    }

    fn is_own(&self, session: Option<&str>) -> bool {
        session.is_some() && self.visit.state().session.as_deref() == session
    }

    /// A frame has a new document.
    fn navigated(&self, frame: &Value) -> Option<RenderError> {
        if !frame["parentId"].is_null() {
            return None;
        }
        let mut state = self.visit.state();
        if state.is_given && !state.is_there {
            state.is_there = true;
            drop(state);
            self.visit.changed.notify_one();
        } else if state.is_there {
            // Where no request was needed for it, so that none could be refused.
            return Some(RenderError::Left { to: shortened(frame["url"].as_str().unwrap_or("")) });
        }
        None
    }

    /// A target has come up, and waits.
    fn attached(&mut self, params: &Value) {
        let (Some(session), info) = (params["sessionId"].as_str(), &params["targetInfo"]) else { return };
        let id = info["targetId"].as_str().unwrap_or("");
        let mut state = self.visit.state();
        let kind = info["type"].as_str().unwrap_or("");
        let is_ours =
            info["browserContextId"].as_str().is_some_and(|context| state.context.as_deref() == Some(context));
        if kind == "page" && is_ours && state.session.is_none() {
            (state.session, state.frame) = (Some(session.to_owned()), Some(id.to_owned()));
            drop(state);
            self.visit.changed.notify_one();
            return;
        }
        let goes_on = match kind {
            "iframe" => true,
            "worker" => self.visit.mode == RenderMode::Scripts,
            // Popups, workers that outlive their page, and what the browser shows for itself.
            _ => self.visit.settings.without.target_rule && is_ours,
        };
        if !goes_on && is_ours {
            state.refuse(info["url"].as_str().unwrap_or(""), "popups, shared and service workers do not run");
            state.closing.insert(id.to_owned());
        }
        drop(state);
        if goes_on {
            self.go_on(session, kind);
        } else {
            // One that is closed while it waits may leave the page that opened it waiting for ever: both are one thread. Until
            // it is closed, whatever it asks for is refused.
            self.visit.commands.tell(Some(session), "Runtime.runIfWaitingForDebugger", json!({}));
            self.visit.commands.tell(None, "Target.closeTarget", json!({"targetId": id}));
        }
    }

    /// Lets a frame or worker run, and what comes up below it wait.
    fn go_on(&self, session: &str, kind: &str) {
        let tell = |method, params| self.visit.commands.tell(Some(session), method, params);
        tell("Target.setAutoAttach", auto_attach());
        if kind != "worker" {
            if self.visit.mode == RenderMode::Styles {
                tell("Emulation.setScriptExecutionDisabled", json!({"value": true}));
            }
            tell("Page.enable", json!({}));
        }
        tell("Runtime.runIfWaitingForDebugger", json!({}));
    }

    fn paused(&mut self, params: &Value) {
        let Some(request) = PausedRequest::read(params) else { return };
        let visit = self.visit;
        let mut state = visit.state();
        let fate = request.fate(visit, &state);
        match fate {
            RequestAction::Page => {
                state.is_given = true;
                let content = LoadedResource {
                    status: visit.page.status,
                    headers: visit.page.headers.clone(),
                    body: visit.page.body.clone(),
                };
                self.fulfil(request.id, &content, None);
            }
            RequestAction::Ask(asked) => {
                state.counts.asked += 1;
                state.n_open += 1;
                let (id, url, supply) = (request.id.to_owned(), asked.url.clone(), self.supply);
                let origin = request.header("origin").map(str::to_owned);
                self.open.push(Box::pin(async move { Done { id, url, origin, answer: supply.answer(asked).await } }));
            }
            RequestAction::Picture => {
                state.counts.left_out += 1;
                let headers = vec![("content-type".to_owned(), "image/gif".to_owned())];
                self.fulfil(
                    request.id,
                    &LoadedResource { status: 200, headers, body: PIXEL.into() },
                    request.header("origin"),
                );
            }
            RequestAction::LeftOut => {
                state.counts.left_out += 1;
                self.fail(request.id, "BlockedByClient");
            }
            RequestAction::Preflight => self.preflight(&request),
            RequestAction::Stale => self.fail(request.id, "Aborted"),
            RequestAction::Leave => {
                state.leads_to.get_or_insert_with(|| shortened(request.url()));
                state.refuse(request.url(), "the page would go on to it by itself");
                // Of all errors the one that leaves the document where it is.
                self.fail(request.id, "Aborted");
            }
            RequestAction::Refuse(reason) => {
                state.refuse(request.url(), reason);
                self.fail(request.id, "BlockedByClient");
            }
        }
    }

    /// Passes on what the caller answered.
    fn answer(&self, done: Done) {
        let mut state = self.visit.state();
        state.n_open = state.n_open.saturating_sub(1);
        state.since = std::time::Instant::now();
        match done.answer {
            ResourceResponse::Found(content)
                if state.counts.bytes + content.body.len() as u64 > self.visit.settings.max_bytes =>
            {
                // Once full, full: a smaller one after it would be luck.
                state.counts.bytes = self.visit.settings.max_bytes;
                state.refuse(&done.url, "the page was answered more bytes than any may");
                self.fail(&done.id, "BlockedByClient");
            }
            ResourceResponse::Found(content) => {
                state.counts.answered += 1;
                state.counts.bytes += content.body.len() as u64;
                self.fulfil(&done.id, &content, done.origin.as_deref());
            }
            ResourceResponse::Refused(refusal) => {
                state.refuse(&done.url, &refusal.reason);
                self.fail(&done.id, "BlockedByClient");
            }
        }
        drop(state);
        self.visit.changed.notify_one();
    }

    fn fulfil(&self, id: &str, content: &LoadedResource, origin: Option<&str>) {
        let fields = content.headers.iter().filter(|(name, _)| {
            let name = name.to_ascii_lowercase();
            let is_replaced = origin.is_some() && name.starts_with("access-control-");
            !is_replaced && !LEFT_OUT.contains(&name.as_str())
        });
        let mut headers: Vec<Value> = fields.map(|(name, value)| json!({"name": name, "value": value})).collect();
        headers.extend(origin.map(allowed).into_iter().flatten());
        let params = json!({
            "requestId": id,
            "responseCode": content.status.clamp(100, 599),
            "responseHeaders": headers,
            "body": BASE64.encode(&content.body),
        });
        self.visit.commands.tell(None, "Fetch.fulfillRequest", params);
    }

    fn preflight(&self, request: &PausedRequest<'_>) {
        let mut headers: Vec<Value> = request.header("origin").map(allowed).into_iter().flatten().collect();
        for (asked, answered) in [
            ("access-control-request-headers", "access-control-allow-headers"),
            ("access-control-request-method", "access-control-allow-methods"),
        ] {
            headers.extend(request.header(asked).map(|value| json!({"name": answered, "value": value})));
        }
        let params = json!({"requestId": request.id, "responseCode": 204, "responseHeaders": headers});
        self.visit.commands.tell(None, "Fetch.fulfillRequest", params);
    }

    fn fail(&self, id: &str, reason: &str) {
        self.visit.commands.tell(None, "Fetch.failRequest", json!({"requestId": id, "errorReason": reason}));
    }
}

/// The fields that let a page read an answer of another site. There is nothing to protect: no request has a cookie or a password,
/// so a page reads only what anyone may.
fn allowed(origin: &str) -> [Value; 2] {
    [
        json!({"name": "access-control-allow-origin", "value": origin}),
        json!({"name": "access-control-allow-credentials", "value": "true"}),
    ]
}
