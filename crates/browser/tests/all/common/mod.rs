//! What the tests with a real browser share.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use gristmill_browser::{
    Answer, Browser, Content, Mode, PageToDraw, Refusal, Rendered, ResourceRequest, Settings, Supply,
};

/// A browser, or nothing where none is installed.
pub async fn browser(settings: Settings) -> Option<Browser> {
    let there = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].iter().any(|path| Path::new(path).exists());
    if !there {
        eprintln!("SKIPPED: Debian's packages `chromium-headless-shell` and `chromium` are absent");
        return None;
    }
    Some(Browser::start(settings).await.unwrap())
}

pub fn settings() -> Settings {
    Settings { max_wait: Duration::from_secs(5), ..Settings::default() }
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
impl Supply for Shelf {
    async fn answer(&self, request: ResourceRequest) -> Answer {
        self.asked.lock().unwrap().push(request.url.clone());
        let Some((content_type, body)) = self.bodies.get(&request.url) else {
            return Answer::Refused(Refusal::new("it is not on the shelf"));
        };
        let headers = vec![("Content-Type".to_owned(), content_type.clone())];
        Answer::Found(Content { status: 200, headers, body: body.clone().into() })
    }
}

pub const URL: &str = "http://mill.test/";

pub async fn draw(browser: &mut Browser, html: &str, supply: &Shelf) -> Rendered {
    browser.render(&PageToDraw::html(URL, html), Mode::Scripts, supply).await.unwrap()
}
