//! A paused request, and what the rules say of it before the caller is asked.

use serde_json::Value;

use super::state::{RenderSession, VisitState};
use crate::page::RenderMode;
use crate::resource_loader::{ResourceKind, ResourceRequest};

/// A request as `Fetch.requestPaused` tells it.
pub(crate) struct PausedRequest<'m> {
    pub(crate) id: &'m str,
    url: &'m str,
    method: &'m str,
    kind: &'m str,
    frame: &'m str,
    headers: &'m Value,
}

/// What becomes of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RequestAction {
    /// It is the page itself.
    Page,
    /// The caller is asked.
    Ask(ResourceRequest),
    /// A picture, which is one pixel.
    Picture,
    /// Not asked for, and not worth a word.
    LeftOut,
    /// The question whether another site may be asked, which is answered with yes: without cookies no answer is private.
    Preflight,
    /// The page would go on to another; it stays.
    Leave,
    /// Of a page before this one.
    Stale,
    /// Refused by a rule.
    Refuse(&'static str),
}

impl<'m> PausedRequest<'m> {
    pub(crate) fn read(params: &'m Value) -> Option<PausedRequest<'m>> {
        let request = &params["request"];
        Some(PausedRequest {
            id: params["requestId"].as_str()?,
            url: request["url"].as_str().unwrap_or(""),
            method: request["method"].as_str().unwrap_or(""),
            kind: params["resourceType"].as_str().unwrap_or(""),
            frame: params["frameId"].as_str().unwrap_or(""),
            headers: &request["headers"],
        })
    }

    pub(crate) fn url(&self) -> &'m str {
        self.url
    }

    /// A header field of it, whatever its case.
    pub(crate) fn header(&self, name: &str) -> Option<&'m str> {
        let fields = self.headers.as_object()?;
        fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name))?.1.as_str()
    }

    /// Judges the request. The first rule that holds decides.
    pub(crate) fn fate(&self, visit: &RenderSession<'_>, state: &VisitState) -> RequestAction {
        if state.session.is_none() {
            return RequestAction::Stale;
        }
        if state.closing.contains(self.frame) {
            return RequestAction::Refuse("popups do not run");
        }
        let is_main = self.kind == "Document" && state.frame.as_deref() == Some(self.frame);
        if is_main && !state.is_given && self.method == "GET" {
            return RequestAction::Page;
        }
        if is_main {
            return RequestAction::Leave;
        }
        match self.kind {
            "Image" if visit.page.screenshot.is_none() => return RequestAction::Picture,
            "Font" | "Media" | "TextTrack" => return RequestAction::LeftOut,
            "Ping" | "CSPViolationReport" | "Prefetch" | "SignedExchange" | "Manifest" => {
                return RequestAction::Refuse("nothing of it would be seen on the page");
            }
            _ => {}
        }
        if self.method == "OPTIONS" && self.header("access-control-request-method").is_some() {
            return RequestAction::Preflight;
        }
        if self.method != "GET" && !visit.settings.without.method_rule {
            return RequestAction::Refuse("it is not a GET");
        }
        let Some(kind) = self.wanted_as() else {
            return RequestAction::Refuse("nothing of it would be seen on the page");
        };
        if visit.mode == RenderMode::Styles && kind != ResourceKind::Style {
            return RequestAction::Refuse("only style sheets are fetched");
        }
        if kind == ResourceKind::Frame && !visit.settings.frames {
            return RequestAction::Refuse("documents of frames are not fetched (`browser.frames`)");
        }
        let Ok(mut url) = url::Url::parse(self.url) else { return RequestAction::Refuse("its URL cannot be read") };
        if !matches!(url.scheme(), "http" | "https") {
            return RequestAction::Refuse("it is not an http or https URL");
        }
        if state.counts.asked >= visit.settings.max_requests {
            return RequestAction::Refuse("the page made more requests than any may");
        }
        if state.counts.bytes >= visit.settings.max_bytes {
            return RequestAction::Refuse("the page was answered more bytes than any may");
        }
        url.set_fragment(None);
        let accept = self.header("accept").map(|accept| accept.chars().take(200).collect());
        RequestAction::Ask(ResourceRequest { url: url.into(), kind, page: visit.page.url.clone(), accept })
    }

    /// What the page makes of it; none for what no page shows.
    fn wanted_as(&self) -> Option<ResourceKind> {
        let is_ahead =
            self.header("sec-purpose").or(self.header("purpose")).is_some_and(|what| what.contains("prefetch"));
        let is_stream = self.header("accept").is_some_and(|accept| accept.contains("text/event-stream"));
        if is_ahead || is_stream || self.header("service-worker").is_some() {
            return None;
        }
        match self.kind {
            "Stylesheet" => Some(ResourceKind::Style),
            // The script of a worker has no type of its own.
            "Script" | "Other" => Some(ResourceKind::Script),
            "Document" => Some(ResourceKind::Frame),
            "XHR" | "Fetch" => Some(ResourceKind::Data),
            "Image" => Some(ResourceKind::Picture),
            _ => None,
        }
    }
}
