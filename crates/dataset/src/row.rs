//! One document as a row of a dataset.

use crate::shape::RecordsJson;

/// What can be written of one document. A field that is not known stays empty, zero or `None`, and is null
/// in the file; only text, URL and `token_count` are never null.
///
/// Cheap to make: nothing is copied or checked. It can be archived, so that a caller may lay rows aside. Text may hold any characters,
/// NUL and line ends too.
#[derive(Debug, Clone, Default, PartialEq, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct DatasetRow {
    /// The main text, plain.
    pub text: String,
    /// The ID of the record that the page came from, as `<urn:uuid:…>` in a web archive.
    pub id: String,
    /// The name of the crawl, such as `CC-MAIN-2026-04`.
    pub dump: String,
    pub url: String,
    /// When the page was fetched, in the form of RFC 3339, such as `2026-01-31T23:59:59Z`.
    pub fetched_at: String,
    /// The path or URL of the archive that held the page.
    pub file_path: String,
    /// A code of ISO 639, such as `en`.
    pub language: String,
    /// How sure the language is, from 0 to 1.
    pub language_score: Option<f64>,
    /// The script of most letters, such as `Latn`.
    pub script: Option<String>,
    /// The languages of the paragraphs with their shares, from 0 to 1.
    pub languages: Vec<(String, f64)>,
    /// How many tokens the text has. The caller says what a token is.
    pub token_count: i64,
    pub title: Option<String>,
    pub author: Option<String>,
    /// When the page says it was published, as RFC 3339 or its date alone.
    pub published: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The registrable domain, such as `example.org`.
    pub domain: String,
    /// What sort of page it is, such as `article`.
    pub kind: Option<String>,
    /// How sure the kind is, from 0 to 1.
    pub kind_probability: Option<f64>,
    /// How good the main text is expected to be, from 0 to 1.
    pub confidence: Option<f64>,
    /// The SimHash of the text, for near duplicates.
    pub simhash: Option<u64>,
    /// The main text as Markdown.
    pub markdown: Option<String>,
    /// The main text with less boilerplate, if need be at the cost of main text.
    pub text_precision: Option<String>,
    /// The main text with less of it left out.
    pub text_recall: Option<String>,
    /// How much the two have in common, from 0 to 1.
    pub variant_agreement: Option<f64>,
    /// The method that found the text.
    pub method: String,
    /// Why there is no text, or why the page was refused.
    pub reason: Option<String>,
    /// The products of the page.
    pub records: Option<RecordsJson>,
    pub price_amount: Option<f64>,
    /// A code of ISO 4217, such as `EUR`.
    pub price_currency: Option<String>,
    /// Robots directives that limit a use of the page, such as `noai`.
    pub robots: Vec<String>,
    /// Whether text and data mining is reserved: 1 or 0 as in the TDM Reservation Protocol.
    pub tdm_reservation: Option<i64>,
    /// Where the terms for mining stand.
    pub tdm_policy: Option<String>,
    /// The short name of a licence, such as `cc-by-4.0`, else its address or name.
    pub licence: Option<String>,
    pub licence_url: Option<String>,
    /// The copyright notice of the page.
    pub copyright: Option<String>,
    /// How much of the page a browser drew, where the text is that of the drawn page: `scripts`, or `styles` alone.
    pub rendered: Option<String>,
    /// When that was taken: `loaded`, `quiet` or `cap`.
    pub render_ended: Option<String>,
    /// Numbers for the columns of [`Columns::with_signals`](crate::Columns::with_signals), in their order.
    pub signals: Vec<f64>,
    /// The `warcinfo` block of the archive that held the page.
    pub warcinfo: String,
    /// Names and values of the header fields of the record. Those of [`WARC_FIELDS`](crate::WARC_FIELDS) are written.
    pub warc: Vec<(String, String)>,
}
