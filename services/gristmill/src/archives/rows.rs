//! From an archived page to a row of the dataset.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gristmill_dataset::Row;
use gristmill_extract::{Options, Structure};
use gristmill_reading::{Decision, Hints, PageReader, Reading, no_page};
use gristmill_warc::ArchivedPage;
use serde_json::Value;

/// How pages are read.
pub struct Reader {
    pub reader: PageReader,
    pub structure: Structure,
    pub describe: bool,
    pub min_confidence: Option<f32>,
    /// Whether the dataset has the text as Markdown, too.
    pub with_markdown: bool,
}

/// What became of a page.
pub enum Made {
    Row(Box<Row>),
    /// No text: the reason that is counted.
    Passed(&'static str),
}

impl Reader {
    /// Reads one page. A page on which the extraction panics is passed over, as in the extractor service.
    pub fn make(&self, page: ArchivedPage, file: &str) -> Made {
        catch_unwind(AssertUnwindSafe(|| self.read(page, file))).unwrap_or(Made::Passed("panic"))
    }

    fn read(&self, page: ArchivedPage, file: &str) -> Made {
        if no_page(&page.body).is_some() {
            return Made::Passed("not html");
        }
        let hints = Hints { content_type: page.content_type.as_deref(), url: Some(&page.url) };
        let parsed = self.reader.parse(&page.body, &hints);
        let reading = parsed.read(Options {
            structure: self.structure,
            describe: self.describe,
            min_confidence: self.min_confidence,
            ..self.reader.options()
        });
        let decision = reading.decide();
        if reading.document.text.is_empty() && decision.records.is_none() {
            return Made::Passed("no text");
        }
        let markdown = self.with_markdown.then(|| reading.markdown());
        let mut row = row_of(reading, &decision);
        row.markdown = markdown;
        row.id = page.id;
        row.url = page.url;
        row.date = page.date;
        row.file_path = file.to_owned();
        row.warc = page.fields;
        Made::Row(Box::new(row))
    }
}

fn row_of(reading: Reading<'_>, decision: &Decision) -> Row {
    let products = decision.products();
    let price = |field: &str| products.first().and_then(|product| product["price"][field].as_str()).map(str::to_owned);
    let document = reading.document;
    Row {
        token_count: document.text.split_whitespace().count() as i64,
        title: document.title,
        author: document.author,
        published: document.published,
        site: document.site_name,
        language: document.language.unwrap_or_default(),
        kind: Some(decision.kind.as_str().to_owned()),
        kind_probability: Some(f64::from(decision.probability)),
        confidence: Some(f64::from(document.confidence)),
        simhash: Some(document.simhash),
        method: document.method,
        reason: document.reason,
        price_amount: price("amount"),
        price_currency: price("currency"),
        records: (!products.is_empty()).then(|| Value::from(products).to_string()),
        text: document.text,
        ..Row::default()
    }
}
