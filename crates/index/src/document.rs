//! One document as the index keeps it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::history::History;
use crate::json;

/// What a page is about as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentKind {
    /// News, documentation, a post: running text.
    #[default]
    Article,
    /// An offer: a name with attributes and values.
    Product,
    /// Many offers or articles, one of a kind: a category, a front page.
    Listing,
    /// None of these.
    Other,
}

impl DocumentKind {
    /// Every kind.
    pub const ALL: [DocumentKind; 4] =
        [DocumentKind::Article, DocumentKind::Product, DocumentKind::Listing, DocumentKind::Other];

    /// The word used in the index, in queries and in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Product => "product",
            Self::Listing => "listing",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DocumentKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        DocumentKind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(())
    }
}

/// One thing that is known of a product.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProductAttribute {
    /// As the page words it.
    pub name: String,
    /// As the page words it.
    pub value: String,
    /// The one name of all synonyms (`brand` for 品牌); empty when the name is not a known one.
    pub canonical: String,
    /// The number in the value, in `unit`.
    pub number: Option<f64>,
    /// Its unit; empty when it has none.
    pub unit: String,
    /// Which record of the page it belongs to, from 0.
    pub record: u32,
    /// Where it was found: `json-ld`, `table`, …
    pub source: String,
    /// How sure the method was, 0 to 1.
    pub confidence: f32,
}

impl ProductAttribute {
    /// A name and a value, and nothing else known.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), ..Self::default() }
    }
}

/// What a reader wrote below a page; an empty string means unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comment {
    /// Who wrote it.
    pub author: String,
    /// When: RFC 3339, or a bare date.
    pub published: String,
    /// What it says, one row a line.
    pub text: String,
}

/// A line of a text that is a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadingLine {
    /// Which line of the text, from 0.
    pub line: u32,
    /// 1 to 6.
    pub level: u8,
}

/// A language, and its share of the letters of a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LanguageShare {
    /// As [`IndexDocument::language`].
    pub language: String,
    /// Above 0, to 1.
    pub share: f32,
}

/// What a page and its server say of the use of its text; an empty string means that nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rights {
    /// Robots directives that limit a use: `noai`, `max-snippet:50`.
    pub robots: Vec<String>,
    /// Whether text and data mining is reserved (TDM Reservation Protocol).
    pub tdm_reserved: Option<bool>,
    /// Where the terms for mining stand.
    pub tdm_policy: String,
    /// `cc-by-4.0` and so on for the licences of Creative Commons, else the address or the name of the licence.
    pub licence: String,
    /// Its address.
    pub licence_url: String,
    /// The copyright notice.
    pub copyright: String,
}

/// How a browser drew a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderInfo {
    /// How much was drawn: `scripts`, or `styles` alone.
    pub mode: String,
    /// When it was taken: `loaded`, `quiet`, or at the `cap` of time.
    pub ended: String,
}

impl RenderInfo {
    /// Every mode.
    pub const MODES: [&str; 2] = ["styles", "scripts"];
    /// Every way in which a drawing ends.
    pub const ENDS: [&str; 3] = ["loaded", "quiet", "cap"];
}

/// A page after extraction, as it goes into the index and as it comes out of it.
///
/// An empty string means unknown. Only `key` must be set; two documents with one key are one document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexDocument {
    /// URL key, 32 hexadecimal digits: the identity of the document.
    pub key: String,
    /// Canonical URL that was fetched.
    pub url: String,
    /// Title of the page.
    pub title: String,
    /// What a link to the page calls it: that of the site's home page, of a feed or of a sitemap.
    pub anchor_title: String,
    /// Main text, blocks parted by newlines.
    pub text: String,
    /// Which of its lines are headings, in order.
    pub headings: Vec<HeadingLine>,
    /// Registrable domain (public suffix + 1); `domain` in JSON, where a site is a name.
    #[serde(rename = "domain")]
    pub site: String,
    /// Host, in lower case.
    pub host: String,
    /// Author or authors as the page names them.
    pub author: String,
    /// Publication time in seconds since 1970-01-01 UTC; RFC 3339 in JSON.
    #[serde(with = "json::optional_time")]
    pub published: Option<i64>,
    /// Publication date as the page words it. It stays where `published` is taken away.
    pub published_text: String,
    /// Whether the page declares its date, and does not only show it: what is declared is never taken away.
    pub published_declared: bool,
    /// Whether `published` was taken away, because most pages of the site show the same date.
    #[serde(skip)]
    pub published_of_site: bool,
    /// Language code (ISO 639-1 where one exists), lower case.
    pub language: String,
    /// How probable that language is, 0 to 1.
    pub language_score: Option<f32>,
    /// The script of most letters (ISO 15924).
    pub script: String,
    /// The languages of the paragraphs, greatest share first.
    pub languages: Vec<LanguageShare>,
    /// What the page is about as a whole.
    pub kind: DocumentKind,
    /// How probable that kind is, 0 to 1.
    pub kind_probability: Option<f32>,
    /// What is known of a product, in page order; a name may come more than once.
    pub attributes: Vec<ProductAttribute>,
    /// What readers wrote below the page, in page order, where it is not part of `text`.
    pub comments: Vec<Comment>,
    /// What is said of the use of the text.
    pub rights: Rights,
    /// How a browser drew the page, where this is what it drew; `null` in JSON where it is what the server sent.
    pub rendered: Option<RenderInfo>,
    /// The page's own summary of itself.
    pub description: String,
    /// URL of the page's main picture.
    pub image: String,
    /// URL that the page names as its canonical one.
    #[serde(rename = "canonical_url")]
    pub canonical: String,
    /// When the page was fetched, in seconds since 1970-01-01 UTC; RFC 3339 in JSON.
    #[serde(with = "json::plain_time")]
    pub fetched_at: i64,
    /// Fingerprint of the main text; 0 for none. 16 hexadecimal digits in JSON, since many readers round large numbers.
    #[serde(with = "json::hexadecimal")]
    pub simhash: u64,
    /// Which rules made it: those of [`FINGERPRINT_VERSION`](gristmill_text::FINGERPRINT_VERSION) are compared, others are not.
    pub simhash_version: u32,
    /// Name of the extraction method and its version.
    pub method: String,
    /// How sure the method was, 0 to 1.
    pub confidence: f32,
    /// What changed on the page since it was first seen; not in JSON where nothing is known.
    #[serde(skip_serializing_if = "History::is_empty")]
    pub history: History,
}

impl IndexDocument {
    /// The document as one JSON object on one line, with the fields of `docs/search-api.md` by their names here: what
    /// `gristmill export` writes, and what other engines are given.
    ///
    /// Times are RFC 3339 in UTC; unknown text is `""`, unknown numbers and times are `null`, and so is a number that is not finite.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings and numbers are JSON, and memory takes them")
    }

    /// The lines of the text that are not blank, trimmed, with their levels where they are headings; without a heading at its beginning
    /// that is the title again.
    pub fn lines(&self) -> impl Iterator<Item = (Option<u8>, &str)> {
        let mut headings = self.headings.iter().peekable();
        self.text.lines().enumerate().filter_map(move |(at, line)| {
            while headings.next_if(|heading| (heading.line as usize) < at).is_some() {}
            let level = headings.next_if(|heading| heading.line as usize == at).map(|heading| heading.level);
            let is_title = at == 0 && level.is_some() && line.split_whitespace().eq(self.title.split_whitespace());
            Some((level, line.trim())).filter(|(_, line)| !line.is_empty() && !is_title)
        })
    }

    /// The document as Markdown: title, address, author and date, and the text in paragraphs with its headings. Lists, tables and
    /// code are paragraphs, a line each.
    pub fn to_markdown(&self) -> String {
        let mut out = String::new();
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if !title.is_empty() {
            out.push_str(&format!("# {title}\n\n"));
        }
        out.push_str(&format!("<{}>\n\n", self.url));
        let published = self.published.and_then(crate::format_time).unwrap_or_default();
        let facts: Vec<&str> = [&self.author[..], &published].into_iter().filter(|fact| !fact.is_empty()).collect();
        if !facts.is_empty() {
            out.push_str(&format!("{}\n\n", facts.join(", ")));
        }
        for (level, line) in self.lines() {
            if let Some(level) = level {
                out.extend(std::iter::repeat_n('#', usize::from(level.clamp(1, 6))));
                out.push(' ');
            }
            // What would be a heading, a quotation or a fence was none on the page.
            let is_mark = line.starts_with(['#', '>']) || line.starts_with("```") || line.starts_with("~~~");
            out.push_str(if is_mark { "\\" } else { "" });
            out.push_str(line);
            out.push_str("\n\n");
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_the_headings_of_the_text_and_no_other_marks() {
        let headings = [(0, 2), (2, 9), (4, 3), (99, 1)].map(|(line, level)| HeadingLine { line, level }).to_vec();
        let text = "Stones\n# of granite\n\n> quoted\nCare\n```".to_owned();
        let document = IndexDocument { url: "https://a.example/".into(), text, headings, ..IndexDocument::default() };
        let markdown = "<https://a.example/>\n\n## Stones\n\n\\# of granite\n\n\\> quoted\n\n### Care\n\n\\```\n";
        assert_eq!(document.to_markdown(), markdown, "a heading without text, or behind the text, is none");
        let titled = IndexDocument { title: " Stones ".to_owned(), ..document };
        assert_eq!(titled.to_markdown(), format!("# Stones\n\n{}", markdown.replace("## Stones\n\n", "")), "once");
    }
}
