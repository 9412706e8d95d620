//! What the tests with a real browser share.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use gristmill_browser::{
    Browser, BrowserConfig, LoadRefusal, LoadedResource, RenderMode, RenderRequest, RenderResult, ResourceLoader,
    ResourceRequest, ResourceResponse,
};

/// A browser, or nothing where none is installed.
pub async fn browser(settings: BrowserConfig) -> Option<Browser> {
    let there = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].iter().any(|path| Path::new(path).exists());
    if !there {
        eprintln!("SKIPPED: Debian's packages `chromium-headless-shell` and `chromium` are absent");
        return None;
    }
    Some(Browser::start(settings).await.unwrap())
}

pub fn settings() -> BrowserConfig {
    BrowserConfig { max_wait: Duration::from_secs(5), ..BrowserConfig::default() }
}

/// Bodies by URL; all else is refused. Notes what it was asked for.
#[derive(Default)]
pub struct Shelf {
    bodies: HashMap<String, (String, String)>,
    pub asked: Mutex<Vec<String>>,
}

impl Shelf {
    pub fn with(mut self, url: &str, content_type: &str, body: &str) -> Shelf {
        self.bodies.insert(url.to_owned(), (content_type.to_owned(), body.to_owned()));
        self
    }

    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait::async_trait]
impl ResourceLoader for Shelf {
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
        self.asked.lock().unwrap().push(request.url.clone());
        let Some((content_type, body)) = self.bodies.get(&request.url) else {
            return ResourceResponse::Refused(LoadRefusal::new("it is not on the shelf"));
        };
        let headers = vec![("Content-Type".to_owned(), content_type.clone())];
        ResourceResponse::Found(LoadedResource { status: 200, headers, body: body.clone().into() })
    }
}

pub const URL: &str = "http://mill.test/";

pub async fn draw(browser: &mut Browser, html: &str, supply: &Shelf) -> RenderResult {
    browser.render(&RenderRequest::html(URL, html), RenderMode::Scripts, supply).await.unwrap()
}
