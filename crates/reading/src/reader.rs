//! How pages are read, and a page that is parsed and stripped of what the rules of its site leave out.

use std::sync::Arc;

use crate::no_page::no_page;
use crate::paged::{self, OpenError, PagedText, PagedTitle, ReadPdf, file_name};
use crate::rights::UsageHeaders;
use crate::rules::{RuleAttribute, RuleMatch, RuleResults, SiteRuleSet};
use gristmill_extract::{
    ExtractOptions, Method, Page, PageKind, ValueProvenance, ValueSource, extract_from, spell_out,
};
use gristmill_html::{CharsetHints, Doc, TreeLimits, is_markdown, is_pdf, markdown_to_html};
use gristmill_records::{OverridePair, OverrideText, Overrides};
use gristmill_robots::Agent;
use url::Url;

use crate::plain_text::{self, is_plain_text};
use crate::reading::Reading;

/// All that does not change from page to page.
#[derive(Debug, Clone, Default)]
pub struct PageReader {
    /// How main text is told from the rest.
    pub method: Method,
    /// Whether readers' comments stay in the text.
    pub comments: bool,
    /// How product records are read.
    pub records: gristmill_records::RecordOptions,
    /// What the user says of some sites.
    pub rules: SiteRuleSet,
    /// Whom robots directives of pages may name.
    pub agent: Agent,
    /// Who reads PDFs; without anybody they are no pages.
    pub pdf: Option<Arc<dyn ReadPdf>>,
}

impl PageReader {
    /// What [`ParsedPage::read`] is given when nothing else is wanted.
    pub fn options(&self) -> ExtractOptions<'_> {
        let (method, agent) = (self.method.clone(), self.agent.as_str());
        ExtractOptions { method, agent, comments: self.comments, attach_title: false, ..ExtractOptions::default() }
    }

    /// Finds the charset, parses, and applies the rules of the page's site. Plain text, by its content type, its address, or because
    /// nothing in it is markup, becomes a page of its paragraphs, and Markdown one of what it says.
    ///
    /// O(bytes); any bytes give a tree within [`Limits::default`], and the tree says which of them it hit.
    pub fn parse(&self, bytes: &[u8], hints: &CharsetHints<'_>) -> ParsedPage<'_> {
        let decoded = gristmill_html::decode_with(bytes, hints);
        let (markdown, limits) = (is_markdown(&decoded.text, hints), TreeLimits::default());
        let plain = markdown || is_plain_text(bytes, hints);
        let doc = match (markdown, plain) {
            (true, _) => Doc::parse(&markdown_to_html(&decoded.text), &limits),
            (false, true) => plain_text::page(&decoded.text, &limits),
            (false, false) => Doc::parse(&decoded.text, &limits),
        };
        ParsedPage { plain, ..self.parsed(doc, hints.url) }
    }

    /// A page that was parsed elsewhere, as by a browser.
    pub fn parsed(&self, mut doc: Doc, url: Option<&str>) -> ParsedPage<'_> {
        let address = url.and_then(|url| Url::parse(url).ok());
        let site = address.as_ref().and_then(|url| self.rules.for_address(url.host_str()?, url.path()));
        let (mut kind, mut own) = (None, Overrides::default());
        if let Some(site) = site {
            let ruled = site.apply(&doc);
            own = overrides(&doc, &ruled);
            kind = site.kind.as_deref().and_then(PageKind::named);
            doc = ruled.rest.unwrap_or(doc);
        }
        spell_out(&mut doc);
        ParsedPage {
            reader: self,
            url: url.map(str::to_owned),
            doc,
            answer: UsageHeaders::default(),
            plain: false,
            is_paged: false,
            title: None,
            kind,
            overrides: own,
        }
    }
}

/// A page without what the rules of its site leave out, and what they say of it.
#[derive(Debug, Clone)]
pub struct ParsedPage<'r> {
    /// Who parsed it.
    pub reader: &'r PageReader,
    /// The address it was parsed with.
    pub url: Option<String>,
    /// What is to be read.
    pub doc: Doc,
    pub(crate) answer: UsageHeaders,
    /// Whether it was plain text, in which nothing stands beside the main text.
    pub(crate) plain: bool,
    /// Whether it was a document of pages, such as a PDF.
    pub is_paged: bool,
    /// What such a document is called.
    pub(crate) title: Option<PagedTitle>,
    /// What the rules say the page is.
    pub kind: Option<PageKind>,
    pub(crate) overrides: Overrides,
}

impl ParsedPage<'_> {
    /// With what the server said beside the page.
    #[must_use]
    pub fn answered(self, answer: UsageHeaders) -> Self {
        Self { answer, ..self }
    }

    /// Extracts. The address and what the rules say of the title go over what the options say. Records are found when
    /// [`Reading::decide`] asks.
    pub fn read<'p>(&'p self, options: ExtractOptions<'p>) -> Reading<'p> {
        let method = if self.plain { Method::PLAIN } else { options.method.clone() };
        let options = ExtractOptions { url: self.url.as_deref(), method, ..options };
        let page = Page::new(&self.doc);
        let (mut document, selection) = extract_from(&page, &options);
        if self.is_paged && document.sources.author.is_some_and(|found| found.source != ValueSource::Meta) {
            // Rows of a document are no bylines.
            (document.author, document.sources.author) = (None, None);
        }
        if let Some(own) = &self.title {
            document.title = Some(own.title.clone());
            document.sources.title = Some(own.provenance());
        }
        if let Some(title) = &self.overrides.title {
            document.title = Some(title.text.clone());
            document.sources.title = Some(ValueProvenance::RULE);
        }
        Reading { parsed: self, page, document, selection, structure: options.structure }
    }

    /// The rule that gave the title.
    pub fn title_rule(&self) -> Option<&str> {
        self.overrides.title.as_ref().map(|title| title.rule.as_str())
    }
}

impl PageReader {
    /// Why bytes are no page for this reader.
    pub fn no_page(&self, bytes: &[u8]) -> Option<String> {
        if self.pdf.is_some() && is_pdf(bytes) { None } else { no_page(bytes) }
    }

    /// As [`PageReader::parse`], for bytes of which nobody knows whether they are a page. A PDF becomes a page of its paragraphs where
    /// this reader takes PDFs; its kind is `other`, its title that of its information, else the name of its file.
    ///
    /// May block for as long as a PDF takes.
    ///
    /// # Errors
    /// The bytes are no page, or a PDF without a text to be had.
    pub fn open(&self, bytes: &[u8], hints: &CharsetHints<'_>) -> Result<ParsedPage<'_>, OpenError> {
        match &self.pdf {
            Some(pdf) if is_pdf(bytes) => Ok(self.paged(&pdf.read(bytes).map_err(OpenError::Pdf)?, hints.url)),
            _ => match no_page(bytes) {
                Some(reason) => Err(OpenError::NoPage(reason)),
                None => Ok(self.parse(bytes, hints)),
            },
        }
    }

    /// A document of pages as a page, with the rules of its site applied.
    fn paged(&self, text: &PagedText, url: Option<&str>) -> ParsedPage<'_> {
        let parsed = self.parsed(paged::page(text), url);
        let declared = Some(text.title.trim()).filter(|title| !title.is_empty());
        let declared = declared.map(|title| PagedTitle { title: title.to_owned(), source: ValueSource::TitleElement });
        let title = declared.or_else(|| Some(PagedTitle { title: file_name(url?)?, source: ValueSource::Url }));
        ParsedPage { plain: true, is_paged: true, kind: parsed.kind.or(Some(PageKind::Other)), title, ..parsed }
    }
}

impl ParsedPage<'_> {
    /// With the name of a file as its title, if it is a document of pages that has no other.
    #[must_use]
    pub fn of_file(mut self, name: &str) -> Self {
        if self.is_paged && self.title.is_none() {
            self.title = file_name(name).map(|title| PagedTitle { title, source: ValueSource::Url });
        }
        self
    }
}

fn overrides(doc: &Doc, ruled: &RuleResults) -> Overrides {
    let text = |found: &Option<RuleMatch>| {
        found.as_ref().map(|found| OverrideText { text: found.text.clone(), rule: found.rule.clone() })
    };
    let pair = |pair: &RuleAttribute| OverridePair {
        name: pair.name.clone(),
        value: pair.value.clone(),
        rule: pair.rule.clone(),
        path: doc.path(pair.node),
    };
    Overrides { title: text(&ruled.title), price: text(&ruled.price), pairs: ruled.pairs.iter().map(pair).collect() }
}

#[cfg(test)]
mod tests {
    use crate::rules::{AttributeConfig, SiteRulesConfig};
    use gristmill_extract::PageTypes;

    use super::*;

    fn hints(url: &str) -> CharsetHints<'_> {
        CharsetHints { content_type: Some("text/html; charset=utf-8"), url: Some(url) }
    }

    const PAGE: &str = "<h1>Hand mill</h1><p class=sub>The mill that lasts</p><div class=ad><p>Buy soap</p></div>
        <ul class=facts><li><i>Weight</i> <b>1.2 kg</b></ul><p>$49.00</p><button>Add to cart</button>";

    #[test]
    fn rules_of_a_site_set_title_and_pairs_and_leave_parts_out_and_other_sites_are_not_touched() {
        let rules = SiteRulesConfig {
            title: Some(".sub".into()),
            remove: vec![".ad".into()],
            attributes: vec![AttributeConfig {
                row: Some(".facts li".into()),
                name: Some("i".into()),
                value: "b".into(),
                ..AttributeConfig::default()
            }],
            hosts: vec!["*.shop.example".into()],
            ..SiteRulesConfig::default()
        };
        let rules = SiteRuleSet::compile(&[rules], "sites").unwrap();
        let reader = PageReader { rules, ..PageReader::default() };
        let parsed = reader.parse(PAGE.as_bytes(), &hints("https://www.shop.example/mill"));
        assert!(!parsed.doc.text_content(parsed.doc.body().unwrap()).contains("soap"));
        let reading = parsed.read(reader.options());
        assert_eq!(reading.document.title.as_deref(), Some("The mill that lasts"));
        assert_eq!(reading.document.sources.title, Some(ValueProvenance::RULE));
        let decision = parsed.decide(&Page::new(&parsed.doc), &PageTypes::default());
        let records = decision.records.unwrap();
        let pairs: Vec<_> = records.pairs.iter().map(|pair| (&pair.name[..], &pair.value[..])).collect();
        assert_eq!(pairs, [("Weight", "1.2 kg")]);
        assert_eq!(records.pairs[0].provenance.source.as_str(), "sites[0].attributes[0]");
        assert_eq!(records.pairs[0].provenance.path, "body/ul/li/b");
        let elsewhere = reader.parse(PAGE.as_bytes(), &hints("https://other.example/mill"));
        assert_eq!(elsewhere.title_rule(), None);
        assert!(elsewhere.doc.text_content(elsewhere.doc.body().unwrap()).contains("soap"));
    }

    #[test]
    fn plain_text_keeps_its_lines_and_paragraphs() {
        let text =
            "THE MILL\r\n\r\nThe stones turn slowly,\r\nday and night.\n\n\n  1 < 2 & <b>no markup</b>\nA last line";
        let reader = PageReader::default();
        let lines = "THE MILL\nThe stones turn slowly,\nday and night.\n1 < 2 & <b>no markup</b>\nA last line";
        for hints in [
            CharsetHints { content_type: Some("text/plain; charset=utf-8"), url: None },
            CharsetHints { content_type: Some("TEXT/PLAIN"), url: Some("https://mill.example/rye") },
            CharsetHints { content_type: None, url: Some("https://mill.example/rye.TXT?a=b") },
        ] {
            let parsed = reader.parse(text.as_bytes(), &hints);
            let reading = parsed.read(reader.options());
            assert_eq!(reading.document.text, lines);
            let paragraphs = reading.markdown().matches("\n\n").count();
            assert_eq!(paragraphs, 2, "{}", reading.markdown());
            assert!(reading.html().contains("slowly,<br>"), "{}", reading.html());
        }
        let hints = CharsetHints { content_type: Some("text/markdown"), url: Some("https://mill.example/") };
        let text = "---\ntitle: The mill\n---\n# Stones\n\nTwo *rows*:\n\n* one\n* two[^1]\n\n[^1]: A note.\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let parsed = reader.parse(text.as_bytes(), &hints);
        let reading = parsed.read(reader.options());
        assert_eq!(reading.document.title.as_deref(), Some("The mill"));
        let markdown = reading.markdown();
        for part in [
            "# Stones\n",
            "Two *rows*:",
            "- one\n- two[^1]",
            "```rust\nfn main() {}\n```",
            "| a | b |",
            "[^1]: A note.",
        ] {
            assert!(markdown.contains(part), "{part:?} in {markdown}");
        }
        let bare = reader.parse(b"One line\nand another\n\nand a paragraph", &CharsetHints::default());
        assert_eq!(bare.read(reader.options()).document.text, "One line\nand another\nand a paragraph");
        for (page, content_type) in
            [("<!DOCTYPE html><p>a\nb", Some("text/plain")), ("<p>a\nb", None), ("a\nb", Some("text/html"))]
        {
            let parsed = reader.parse(page.as_bytes(), &CharsetHints { content_type, url: None });
            assert_eq!(parsed.read(reader.options()).document.text, "a b", "{page}");
        }
    }
}
