//! One page after the other in a browser, each as a side-car.

use std::path::Path;
use std::time::Duration;

use anyhow::ensure;
use gristmill_extract::Sidecar;
use gristmill_html::Limits;
use serde_json::{Value, json};

use super::browser::{Browser, STYLES, VIEWPORT};

/// After so many pages a browser is replaced: its memory grows.
const PAGES_OF_A_BROWSER: usize = 500;

/// A browser that is started when it is needed, and again after a failure.
pub struct Tab<'a> {
    program: &'a Path,
    patience: Duration,
    browser: Option<Browser>,
    /// Pages that this browser has loaded.
    pages: usize,
}

impl<'a> Tab<'a> {
    /// Starts the first browser, so that a program that is none is told at once.
    pub fn open(program: &'a Path, patience: Duration) -> anyhow::Result<Tab<'a>> {
        Ok(Tab { program, patience, browser: Some(Browser::start(program, patience)?), pages: 0 })
    }

    /// The side-car of a page as JSON. Tries twice: what a page left behind in the browser must not cost the next one its own.
    pub fn capture(&mut self, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
        let html = gristmill_html::decode(bytes, None).text;
        let limits = Limits::default();
        ensure!(html.len() <= limits.max_bytes, "the page has more than {} bytes", limits.max_bytes);
        let sidecar = self.load(&html).or_else(|_| self.load(&html))?;
        let json = serde_json::to_vec(&sidecar)?;
        // What cannot be read back is told now, not when somebody needs it.
        Sidecar::parse(&json, &limits)?;
        Ok(json)
    }

    /// A browser that failed is not used again.
    fn load(&mut self, html: &str) -> anyhow::Result<Value> {
        let old = self.browser.take().filter(|_| self.pages < PAGES_OF_A_BROWSER);
        let mut browser = match old {
            Some(browser) => browser,
            None => {
                self.pages = 0;
                Browser::start(self.program, self.patience)?
            }
        };
        let snapshot = browser.snapshot(html, self.patience)?;
        let sidecar = envelope(snapshot, browser.product());
        (self.browser, self.pages) = (Some(browser), self.pages + 1);
        Ok(sidecar)
    }
}

/// Version 1 of docs/layout-sidecar.md around the first document of a snapshot: the page itself, without its frames.
///
/// Only what that describes: the rest of a snapshot numbers things anew in each browser, and equal pages shall have equal
/// side-cars.
fn envelope(mut snapshot: Value, product: &str) -> Value {
    let mut document = snapshot["documents"][0].take();
    let lists = [
        ("nodes", &["parentIndex", "nodeType", "nodeName", "nodeValue", "attributes"][..]),
        ("layout", &["nodeIndex", "bounds", "styles"]),
        ("textBoxes", &["layoutIndex", "bounds"]),
    ];
    keep(&mut document, &["contentWidth", "contentHeight", "nodes", "layout", "textBoxes"]);
    lists.iter().for_each(|(part, fields)| keep(&mut document[part], fields));
    let mut strings = snapshot["strings"].take();
    let nodes = &document["nodes"];
    let positions = [&nodes["nodeName"], &nodes["nodeValue"], &nodes["attributes"], &document["layout"]["styles"]];
    blank_unused(&mut strings, &positions);
    json!({
        "format": "gristmill-layout", "version": 1, "browser": product, "viewport": VIEWPORT, "computedStyles": STYLES,
        "strings": strings, "document": document,
    })
}

fn keep(object: &mut Value, fields: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|field, _| fields.contains(&field.as_str()));
    }
}

/// Empties the strings that no list of positions, or of lists of positions, names, and cuts them off at the end.
fn blank_unused(strings: &mut Value, positions: &[&Value]) {
    let Some(strings) = strings.as_array_mut() else { return };
    let mut used = vec![false; strings.len()];
    let lists = positions.iter().filter_map(|list| list.as_array()).flatten();
    for entry in lists {
        for position in entry.as_array().map_or(std::slice::from_ref(entry), Vec::as_slice) {
            let position = position.as_u64().and_then(|at| usize::try_from(at).ok());
            if let Some(used) = position.and_then(|at| used.get_mut(at)) {
                *used = true;
            }
        }
    }
    strings.truncate(used.iter().rposition(|used| *used).map_or(0, |last| last + 1));
    strings.iter_mut().zip(used).filter(|(_, used)| !used).for_each(|(string, _)| *string = json!(""));
}
