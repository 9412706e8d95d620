//! From an archived page to a row of the dataset.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gristmill_dataset::DatasetRow;
use gristmill_extract::{ExtractOptions, Structure};
use gristmill_html::decode_with;
use gristmill_reading::{CharsetHints, KindDecision, PageReader, Reading, UsageHeaders};
use gristmill_urls::{CanonicalUrl, Takedowns, registrable_domain};
use gristmill_walls::wall;
use serde_json::Value;
use url::Url;

use super::pages::{ArchiveRecordPage, DRAWN};
use crate::dataset::{DocumentFilter, FilterFields, RowCleaner, SourceItem};

/// How pages are read.
pub struct RowBuilder {
    pub reader: PageReader,
    pub structure: Structure,
    pub describe: bool,
    pub filter: DocumentFilter,
    pub cleaner: RowCleaner,
    /// The name of the crawl; else that of the archive.
    pub dump: Option<String>,
    /// What was taken out of the corpus for good.
    pub takedowns: Takedowns,
    /// Whether the dataset has the text as Markdown, too.
    pub with_markdown: bool,
}

/// What became of a page.
pub enum RowResult {
    /// A row, or what is reported of one that was left out.
    Row(Box<SourceItem>),
    /// No text: the reason that is counted.
    Passed(&'static str),
}

impl RowBuilder {
    /// Reads one page. A page on which the extraction panics is passed over, as in the extractor service.
    pub fn make(&self, page: ArchiveRecordPage, file: &str) -> RowResult {
        catch_unwind(AssertUnwindSafe(|| self.read(page, file))).unwrap_or(RowResult::Passed("panic"))
    }

    fn read(&self, ArchiveRecordPage { mut page, fields, warcinfo }: ArchiveRecordPage, file: &str) -> RowResult {
        if self.is_taken_down(&page.url) {
            return RowResult::Passed("taken down");
        }
        if self.reader.no_page(&page.body).is_some() {
            return RowResult::Passed("not html");
        }
        let hints = CharsetHints { content_type: page.content_type.as_deref(), url: Some(&page.url) };
        let html = decode_with(&page.body, &hints).text;
        if wall(&gristmill_walls::WallInput { status: 200, url: &page.url, html: &html }).is_some() {
            return RowResult::Passed("wall");
        }
        let answer = UsageHeaders {
            robots_tags: std::mem::take(&mut page.robots_tags),
            tdm_reservation: page.tdm_reservation.take(),
            tdm_policy: page.tdm_policy.take(),
        };
        let Ok(parsed) = self.reader.open(&page.body, &hints) else { return RowResult::Passed("unreadable pdf") };
        let parsed = parsed.answered(answer);
        let reading =
            parsed.read(ExtractOptions { structure: self.structure, describe: self.describe, ..self.reader.options() });
        let decision = reading.decide();
        if reading.document.text.is_empty() && decision.records.is_none() {
            return RowResult::Passed("no text");
        }
        let markdown = self.with_markdown.then(|| reading.markdown());
        let mut row = row_of(reading, &decision);
        row.markdown = markdown;
        row.id = page.id;
        row.domain = domain_of(&page.url);
        row.url = page.url;
        row.fetched_at = page.date;
        row.rendered = page.drawn.as_ref().map(|_| DRAWN.to_owned());
        row.render_ended = page.drawn;
        row.file_path = file.to_owned();
        row.warc = fields;
        let warcinfo = warcinfo.as_deref();
        row.warcinfo = warcinfo.map(|warcinfo| warcinfo.text.clone()).unwrap_or_default();
        row.dump = self.dump.clone().or(warcinfo.and_then(|warcinfo| warcinfo.dump.clone())).unwrap_or_default();
        if let Some(option) = self.filter.refuses(&FilterFields::of_row(&row)) {
            return RowResult::Passed(option);
        }
        let counted = vec!["pages".to_owned()];
        let mut step = SourceItem { row: Some(Box::new(row)), counted, ..SourceItem::default() };
        self.cleaner.clean(&mut step);
        RowResult::Row(Box::new(step))
    }

    fn is_taken_down(&self, url: &str) -> bool {
        let covers = |url: CanonicalUrl| self.takedowns.covers(url.key(), url.host());
        !self.takedowns.is_empty() && CanonicalUrl::parse(url, None).is_ok_and(covers)
    }
}

fn domain_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.as_ref().and_then(Url::host_str).map(registrable_domain).unwrap_or_default().to_owned()
}

fn row_of(reading: Reading<'_>, decision: &KindDecision) -> DatasetRow {
    let products = decision.products();
    let price = |field: &str| products.first().and_then(|product| product["price"][field].as_str()).map(str::to_owned);
    let rights = reading.rights();
    let document = reading.document;
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
        records: (!products.is_empty()).then(|| Value::from(products).to_string()),
        text: document.text,
        ..DatasetRow::default()
    }
}
