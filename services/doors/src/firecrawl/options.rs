//! How a page is to be scraped: formats, parts, header fields, a browser.

use std::collections::BTreeMap;
use std::time::Duration;

use gristmill_reading::rules::PartSelectors;
use gristmill_secrets::Secret;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::body::take;
use super::error::DoorError;
use crate::backend::{DrawOrder, ScreenshotOrder};
use crate::page_forms::FormRequest;

/// Options that are read nowhere else: those that do no harm are passed over, the others refused where they ask for something.
const OTHERS: &str = include_str!("options.tsv");

/// Most selectors, and header fields.
const MAX_LIST: usize = 100;

/// How old a page may be unless something else is asked for, in milliseconds: two days.
const MAX_AGE: u64 = 172_800_000;

/// Formats that are made, as a refusal names them.
const MADE: &str = "`markdown`, `html`, `rawHtml`, `links`, `images`, `json`, `screenshot` and `changeTracking`";

/// Formats that need a language model or are made nowhere here.
const FOREIGN: [&str; 11] = [
    "summary",
    "branding",
    "attributes",
    "audio",
    "video",
    "query",
    "question",
    "highlights",
    "product",
    "menu",
    "answer",
];

/// Options of a scrape.
#[derive(Debug, Clone, Default)]
pub(super) struct ScrapeOptions {
    pub forms: FormRequest,
    /// What the page says compared with the corpus.
    pub change_tracking: bool,
    pub headers: BTreeMap<String, Secret>,
    /// Whether a browser is to draw the page.
    pub draw: bool,
    /// The picture that is wanted of it.
    pub screenshot: Option<ScreenshotOrder>,
    /// Whether a browser is to draw it as on a phone.
    pub mobile: bool,
    pub timeout: Option<Duration>,
    /// How old a page may be that was fetched before.
    pub max_age: Duration,
    /// Whether it is kept for those who ask later.
    pub keep: bool,
    /// What the client should know of options that were not followed.
    pub warnings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ScrapeFormat {
    Name(String),
    Object {
        #[serde(rename = "type")]
        name: String,
        #[serde(flatten)]
        more: Map<String, Value>,
    },
}

impl ScrapeOptions {
    /// Takes the options out of a body; what is left there is not theirs.
    pub fn take_from(fields: &mut Map<String, Value>) -> Result<Self, DoorError> {
        let mut options = Self::default();
        let formats = take::<Vec<ScrapeFormat>>(fields, "formats")?;
        for format in formats.unwrap_or_else(|| vec![ScrapeFormat::Name("markdown".to_owned())]) {
            options.add(format)?;
        }
        options.forms.only_main = take(fields, "onlyMainContent")?.unwrap_or(true);
        let (include, exclude) = (selectors(fields, "includeTags")?, selectors(fields, "excludeTags")?);
        options.forms.parts =
            PartSelectors::compile(&include, &exclude).map_err(|error| DoorError::bad(error.to_string()))?;
        options.headers = headers(fields)?;
        let wait: u64 = take(fields, "waitFor")?.unwrap_or(0);
        options.draw = wait > 0;
        options.mobile = take(fields, "mobile")?.unwrap_or(false);
        options.max_age = Duration::from_millis(take(fields, "maxAge")?.unwrap_or(MAX_AGE));
        options.keep = take(fields, "storeInCache")?.unwrap_or(true);
        options.timeout = take::<u64>(fields, "timeout")?.map(Duration::from_millis);
        if options.timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Err(DoorError::bad("`timeout` must be more than 0 milliseconds"));
        }
        proxy(fields)?;
        options.others(fields)?;
        Ok(options)
    }

    /// How a browser draws the page, if one is to.
    pub fn draw_order(&self) -> Option<DrawOrder> {
        let order = DrawOrder { screenshot: self.screenshot, is_mobile: self.mobile };
        (self.draw || order != DrawOrder::default()).then_some(order)
    }

    fn add(&mut self, format: ScrapeFormat) -> Result<(), DoorError> {
        let (name, more) = match format {
            ScrapeFormat::Name(name) => (name, Map::new()),
            ScrapeFormat::Object { name, more } => (name, more),
        };
        let forms = &mut self.forms;
        match name.as_str() {
            "markdown" => forms.markdown = true,
            "html" => forms.html = true,
            "rawHtml" => forms.raw_html = true,
            "links" => forms.links = true,
            "images" => forms.images = true,
            "json" => {
                forms.records = true;
                if more.contains_key("prompt") || more.contains_key("schema") {
                    let warning = "`json` holds what was read of the page, records among it; no model follows `prompt` or `schema`";
                    self.warnings.push(warning.to_owned());
                }
            }
            "screenshot" => self.screenshot = Some(self.screenshot_of(&more)?),
            "changeTracking" => {
                self.change_tracking = true;
                if more.get("modes").and_then(Value::as_array).is_some_and(|modes| !modes.is_empty()) {
                    self.warnings
                        .push("`changeTracking` tells the status alone: its modes are not made here".to_owned());
                }
            }
            known if FOREIGN.contains(&known) => {
                return Err(DoorError::bad(format!("the format `{known}` is not made here")));
            }
            other => {
                let other: String = other.chars().take(40).collect();
                return Err(DoorError::bad(format!("there is no format `{other}`, but {MADE}")));
            }
        }
        Ok(())
    }

    fn screenshot_of(&mut self, more: &Map<String, Value>) -> Result<ScreenshotOrder, DoorError> {
        let given = |name: &str| more.get(name).filter(|value| !value.is_null());
        let full_page = given("fullPage").map_or(Some(false), Value::as_bool);
        let full_page = full_page.ok_or_else(|| DoorError::bad("`fullPage` of `screenshot` must be true or false"))?;
        let quality = match given("quality") {
            None => None,
            Some(value) => match value.as_u64().and_then(|quality| u8::try_from(quality).ok()) {
                Some(quality @ 0..=100) => Some(quality),
                _ => return Err(DoorError::bad("`quality` of `screenshot` must be a number from 0 to 100")),
            },
        };
        if given("viewport").is_some() {
            self.warnings.push("`viewport` was not followed: the window has 1280 by 1024 pixels".to_owned());
        }
        Ok(ScreenshotOrder { full_page, quality })
    }

    /// Refuses what pages of crawls are not given.
    pub fn for_crawls(self) -> Result<Self, DoorError> {
        match self.screenshot {
            Some(_) => Err(DoorError::bad("the format `screenshot` is made by `scrape` alone")),
            None => Ok(self),
        }
    }

    fn others(&mut self, fields: &mut Map<String, Value>) -> Result<(), DoorError> {
        for line in OTHERS.lines() {
            let Some((name, what)) = line.split_once('\t') else { continue };
            let Some(value) = fields.remove(name) else { continue };
            if what == "refused" && asks_for_something(&value) {
                return Err(DoorError::bad(format!("`{name}` is not supported here")));
            }
            if name == "location" && asks_for_something(&value) {
                self.warnings.push(format!("`{name}` was not followed: pages are fetched as the crawler fetches them"));
            }
        }
        Ok(())
    }
}

fn asks_for_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => map.values().any(asks_for_something),
        _ => true,
    }
}

fn selectors(fields: &mut Map<String, Value>, name: &str) -> Result<Vec<String>, DoorError> {
    let list: Vec<String> = take(fields, name)?.unwrap_or_default();
    match list.len() <= MAX_LIST {
        true => Ok(list),
        false => Err(DoorError::bad(format!("`{name}` has more than {MAX_LIST} selectors"))),
    }
}

fn headers(fields: &mut Map<String, Value>) -> Result<BTreeMap<String, Secret>, DoorError> {
    // What is wrong here may hold a secret: it is not repeated.
    let wrong = || DoorError::bad("`headers` must be an object of texts, at most 100");
    let headers = fields.remove("headers").filter(|value| !value.is_null());
    let Some(headers) = headers else { return Ok(BTreeMap::new()) };
    let Value::Object(headers) = headers else { return Err(wrong()) };
    if headers.len() > MAX_LIST {
        return Err(wrong());
    }
    let field = |(name, value): (String, Value)| Some((name, Secret::new(value.as_str()?)));
    headers.into_iter().map(field).collect::<Option<_>>().ok_or_else(wrong)
}

fn proxy(fields: &mut Map<String, Value>) -> Result<(), DoorError> {
    match take::<String>(fields, "proxy")?.as_deref() {
        None | Some("basic" | "auto") => Ok(()),
        Some(_) => {
            Err(DoorError::bad("`proxy` is `basic` or `auto` here: `fetch.proxy` of the settings names a proxy"))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use serde_json::json;

    use super::*;

    fn options(body: Value) -> Result<(ScrapeOptions, Vec<String>), u16> {
        let Value::Object(mut fields) = body else { unreachable!("an object") };
        let options = ScrapeOptions::take_from(&mut fields).map_err(|error| error.into_response().status().as_u16())?;
        Ok((options, fields.keys().cloned().collect()))
    }

    #[test]
    fn without_options_the_main_text_is_given_as_markdown() {
        let (options, left) = options(json!({})).unwrap();
        assert!(
            options.forms.markdown
                && options.forms.only_main
                && !options.forms.html
                && options.draw_order().is_none()
                && left.is_empty()
        );
        assert_eq!((options.max_age, options.keep), (Duration::from_millis(MAX_AGE), true));
    }

    #[test]
    fn a_screenshot_is_of_the_window_or_the_page_and_not_for_crawls() {
        let wanted = |format: Value| options(json!({ "formats": [format] })).unwrap().0;
        let plain = wanted(json!("screenshot"));
        assert_eq!(plain.screenshot, Some(ScreenshotOrder::default()));
        assert!(!plain.forms.markdown && plain.for_crawls().is_err());
        let more = json!({"type": "screenshot", "fullPage": true, "quality": 80, "viewport": {"width": 1}});
        let whole = wanted(more);
        assert_eq!(whole.screenshot, Some(ScreenshotOrder { full_page: true, quality: Some(80) }));
        assert!(whole.warnings[0].contains("`viewport`"));
        assert!(wanted(json!("markdown")).for_crawls().is_ok());
    }

    #[test]
    fn what_would_change_the_answer_is_refused_and_what_does_no_harm_is_passed_over() {
        for body in [
            json!({"formats": ["summary"]}),
            json!({"formats": [{"type": "screenshot", "fullPage": 1}]}),
            json!({"formats": [{"type": "screenshot", "quality": 101}]}),
            json!({"formats": ["nothing"]}),
            json!({"formats": "markdown"}),
            json!({"formats": [1]}),
            json!({"actions": [{"type": "wait"}]}),
            json!({"skipTlsVerification": true}),
            json!({"proxy": "stealth"}),
            json!({"headers": {"a": 1}}),
            json!({"headers": []}),
            json!({"waitFor": -1}),
            json!({"timeout": 0}),
            json!({"excludeTags": ["<<"]}),
            json!({"includeTags": vec!["p"; 101]}),
        ] {
            assert_eq!(options(body.clone()).err(), Some(400), "{body}");
        }
        for name in MADE.split('`').skip(1).step_by(2) {
            assert!(options(json!({"formats": [name]})).is_ok(), "{name}");
        }
        let harmless = json!({
            "blockAds": true, "removeBase64Images": true, "fastMode": false, "proxy": "auto", "actions": [], "mobile": false,
            "skipTlsVerification": false, "origin": "sdk", "integration": null, "parsers": ["pdf"], "maxAge": 0, "headers": null,
        });
        let (harmless, left) = options(harmless).unwrap();
        assert!(
            left.is_empty() && harmless.warnings.is_empty() && harmless.max_age.is_zero(),
            "{left:?} {:?}",
            harmless.warnings
        );
        let (told, left) = options(json!({"mobile": true, "location": {"country": "DE"}, "other": 1})).unwrap();
        assert_eq!((told.warnings.len(), left), (1, vec!["other".to_owned()]));
        assert_eq!(told.draw_order(), Some(DrawOrder { is_mobile: true, screenshot: None }));
    }

    #[test]
    fn header_fields_are_never_shown() {
        let (options, _) = options(json!({"headers": {"Authorization": "hunter2"}})).unwrap();
        assert!(!format!("{options:?}").contains("hunter2"));
    }
}
