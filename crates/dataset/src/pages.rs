//! A page, alone or of a web archive, as a row of a dataset.
//!
//! The program and the Python package give the same rows: both call this. No I/O, no clock.
//!
//! ```
//! use gristmill_reading::{CharsetHints, PageReader};
//!
//! let reader = PageReader::default();
//! let page = reader.parse(b"<title>Rye</title><p>Rye is a grass, and it is grown for its grain.", &CharsetHints::default());
//! let row = gristmill_dataset::pages::row_of(page.read(reader.options()), false);
//! assert_eq!((row.title.as_deref(), row.token_count), (Some("Rye"), 11));
//! ```

use gristmill_extract::ExtractOptions;
use gristmill_html::decode_with;
use gristmill_reading::{CharsetHints, KindDecision, PageReader, Reading, UsageHeaders};
use gristmill_urls::registrable_domain;
use gristmill_walls::{WallInput, wall};
use gristmill_warc::{ArchivedPage, Warcinfo};
use url::Url;

use crate::row::DatasetRow;
use crate::shape::RecordsJson;

/// How much of pages crawls let browsers draw.
pub const DRAWN: &str = "scripts";

/// The row of a page of an archive. What the archive says beside it is left to [`RowOrigin`].
///
/// # Errors
/// What is no document, by the reason that is counted: `not html`, `wall`, `unreadable pdf`, `no text`.
pub fn row_of_archived(
    reader: &PageReader,
    options: &ExtractOptions<'_>,
    mut page: ArchivedPage,
    with_markdown: bool,
) -> Result<DatasetRow, NoRow> {
    if reader.no_page(&page.body).is_some() {
        return Err("not html".into());
    }
    let hints = CharsetHints { content_type: page.content_type.as_deref(), url: Some(&page.url) };
    let html = decode_with(&page.body, &hints).text;
    if let Some(found) = wall(&WallInput { status: 200, url: &page.url, html: &html }) {
        return Err(NoRow { reason: "wall", wall: Some(found.wall.as_str()) });
    }
    let answer = UsageHeaders {
        robots_tags: std::mem::take(&mut page.robots_tags),
        tdm_reservation: page.tdm_reservation.take(),
        tdm_policy: page.tdm_policy.take(),
    };
    let parsed = reader.open(&page.body, &hints).map_err(|_| NoRow::from("unreadable pdf"))?.answered(answer);
    let row = row_of(parsed.read(options.clone()), with_markdown);
    if row.text.is_empty() && row.records.is_none() {
        return Err("no text".into());
    }
    Ok(DatasetRow {
        id: page.id,
        domain: domain_of(&page.url),
        url: page.url,
        fetched_at: page.date,
        rendered: page.drawn.as_ref().map(|_| DRAWN.to_owned()),
        render_ended: page.drawn,
        ..row
    })
}

/// Why a page is no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRow {
    /// What is counted.
    pub reason: &'static str,
    /// What stood in the way, by [`Wall::as_str`](gristmill_walls::Wall::as_str).
    pub wall: Option<&'static str>,
}

impl From<&'static str> for NoRow {
    fn from(reason: &'static str) -> NoRow {
        NoRow { reason, wall: None }
    }
}

/// The row of a page that was read: all but where the page came from. Looks for products; Markdown takes a rendering.
pub fn row_of(reading: Reading<'_>, with_markdown: bool) -> DatasetRow {
    let decision = reading.decide();
    let markdown = with_markdown.then(|| reading.markdown());
    DatasetRow { markdown, ..row_of_decided(reading, &decision) }
}

/// The registrable domain of an address; empty for what is none.
pub fn domain_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.as_ref().and_then(Url::host_str).map(registrable_domain).unwrap_or_default().to_owned()
}

/// Where a page of an archive came from, besides what stands in its own record.
#[derive(Debug, Clone, Default)]
pub struct RowOrigin<'a> {
    /// The path or address of the archive.
    pub file: &'a str,
    /// The header fields of the record.
    pub fields: Vec<(String, String)>,
    /// The first record of the archive.
    pub warcinfo: Option<&'a Warcinfo>,
    /// The name of the crawl; else that which the archive says.
    pub dump: Option<&'a str>,
}

impl RowOrigin<'_> {
    /// Writes it into the row.
    pub fn set(self, row: &mut DatasetRow) {
        let says = |field: fn(&Warcinfo) -> Option<&str>| self.warcinfo.and_then(field);
        row.warcinfo = says(|warcinfo| Some(&warcinfo.text)).unwrap_or_default().to_owned();
        row.dump = self.dump.or(says(|warcinfo| warcinfo.dump.as_deref())).unwrap_or_default().to_owned();
        row.file_path = self.file.to_owned();
        row.warc = self.fields;
    }
}

fn row_of_decided(reading: Reading<'_>, decision: &KindDecision) -> DatasetRow {
    let products = decision.products();
    let price = |field: &str| products.first().and_then(|product| product["price"][field].as_str()).map(str::to_owned);
    let rights = reading.rights();
    let document = reading.document;
    let variants = document.variants;
    let variant_agreement = variants.as_ref().map(|variants| f64::from(variants.agreement));
    let (text_precision, text_recall) = variants.map(|variants| (variants.precision, variants.recall)).unzip();
    DatasetRow {
        robots: rights.robots,
        tdm_reservation: rights.tdm_reserved.map(i64::from),
        tdm_policy: rights.tdm_policy,
        licence: rights.licence,
        licence_url: rights.licence_url,
        copyright: rights.copyright,
        token_count: document.text.split_whitespace().count() as i64,
        title: document.title,
        author: document.author,
        published: document.published,
        site_name: document.site_name,
        language: document.language.unwrap_or_default(),
        language_score: document.language_score.map(f64::from),
        script: document.script.map(str::to_owned),
        languages: document
            .languages
            .into_iter()
            .map(|part| (part.language.to_string(), f64::from(part.share)))
            .collect(),
        kind: Some(decision.kind.as_str().to_owned()),
        kind_probability: Some(f64::from(decision.probability)),
        confidence: Some(f64::from(document.confidence)),
        simhash: Some(decision.fingerprint(document.simhash)),
        method: document.method,
        reason: document.reason,
        price_amount: price("amount").and_then(|amount| amount.parse().ok()),
        price_currency: price("currency"),
        records: RecordsJson::of(&products.into()),
        text_precision,
        text_recall,
        variant_agreement,
        text: document.text,
        ..DatasetRow::default()
    }
}
