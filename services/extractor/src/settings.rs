//! The settings of the extractor as a [`PageReader`]: method, dictionary, rules of sites.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use gristmill_extract::PageKind;
use gristmill_pdf::PdfToText;
use gristmill_reading::need::RenderPolicy;
use gristmill_reading::rules::{SiteRuleSet, SiteRulesConfig};
use gristmill_reading::{PageReader, ReadPdf};
use gristmill_records::{Dictionary, RecordOptions, THRESHOLD};
use gristmill_robots::Agent;
use serde::{Deserialize, Serialize};

/// Largest dictionary file.
const MAX_DICTIONARY_BYTES: u64 = 16 << 20;

/// How pages become documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtractorConfig {
    /// Method for the main text; `gristmill-lab methods` lists them. Default: `"best"`.
    pub method: String,
    /// Threads that parse and extract; 0 takes one for each core. Default: `0`.
    pub threads: usize,
    /// Largest body after unpacking. Default: `10485760` (10 MiB), as `fetch.max_body_bytes`.
    pub max_body_bytes: usize,
    /// Most bytes of bodies, unpacked, that are worked on at once, over all threads; their trees and texts take several times
    /// as much. At least `max_body_bytes`. Default: `33554432` (32 MiB).
    pub max_bytes_at_once: usize,
    /// Whether pages without main text go into the index with their title and description. No setting: `true`.
    #[serde(skip)]
    pub keep_empty: bool,
    /// Whether the text keeps what readers wrote below it, on pages that are no threads; else it stands in `comments`. Default: `false`.
    pub comments: bool,
    /// Whether PDFs are pages: crawls take them, and their text is read by the program `pdftotext`. Default: `false`.
    pub pdf: bool,
    /// Kinds of page that go into the index (`article`, `product`, `listing`, `other`); links of all pages are followed, and domains that
    /// have more of these kinds go first. Default: empty, which means all.
    pub kinds: Vec<String>,
    /// Which pages a browser draws: `never`, `auto` (those to which it would add text or a record), `always`. Default: `"never"`.
    pub render: RenderPolicy,
    /// Rules for the pages of some sites.
    #[serde(skip)]
    pub sites: Vec<SiteRulesConfig>,
    /// Whom robots directives may name: the setting `agent`, which all parts share.
    #[serde(skip)]
    pub agent: Agent,
}

impl Default for ExtractorConfig {
    fn default() -> Self {
        Self {
            method: "best".into(),
            threads: 0,
            max_body_bytes: 10 << 20,
            max_bytes_at_once: 32 << 20,
            keep_empty: true,
            comments: false,
            pdf: false,
            kinds: Vec::new(),
            render: RenderPolicy::Never,
            sites: Vec::new(),
            agent: Agent::default(),
        }
    }
}

impl ExtractorConfig {
    /// Whether any page may be given to a browser.
    pub fn renders(&self) -> bool {
        self.render != RenderPolicy::Never
            || self.sites.iter().any(|site| matches!(site.render.as_deref(), Some("auto" | "always")))
    }

    /// Whether all pages of some place must be given to a browser.
    pub fn must_render(&self) -> bool {
        self.render == RenderPolicy::Always || self.sites.iter().any(|site| site.render.as_deref() == Some("always"))
    }
}

/// How product records are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsConfig {
    /// `records`, or one of the published methods: `hmm`, `hmm-literal`, `cnbe`. Default: `"records"`.
    pub method: String,
    /// A file of attribute names beside the compiled-in ones (docs/records.md). Default: unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<PathBuf>,
    /// Least probability of a pair that `records` keeps. Default: `0.5`.
    pub threshold: f32,
}

impl Default for RecordsConfig {
    fn default() -> Self {
        Self {
            method: gristmill_records::PairMethod::default().as_str().into(),
            dictionary: None,
            threshold: THRESHOLD,
        }
    }
}

/// # Errors
/// A name that is no kind of page.
fn known_kinds<'n>(setting: &str, names: impl IntoIterator<Item = &'n str>) -> anyhow::Result<()> {
    let unknown = names.into_iter().find(|name| PageKind::named(name).is_none());
    let all = || PageKind::ALL.map(PageKind::as_str).join(", ");
    unknown.map_or(Ok(()), |name| Err(anyhow::anyhow!("`{setting}`: `{name}` is none of {}", all())))
}

/// How the settings say that pages are read, with the dictionary that they name.
///
/// # Errors
/// An unknown method or kind, a dictionary that cannot be read, a rule that cannot be used, PDFs without `pdftotext`.
pub fn page_reader(extractor: &ExtractorConfig, records: &RecordsConfig) -> anyhow::Result<PageReader> {
    anyhow::ensure!(extractor.max_body_bytes > 0, "`extractor.max_body_bytes` must be at least 1, or no page fits");
    anyhow::ensure!(
        extractor.max_bytes_at_once >= extractor.max_body_bytes,
        "`extractor.max_bytes_at_once` ({}) must be at least `extractor.max_body_bytes` ({})",
        extractor.max_bytes_at_once,
        extractor.max_body_bytes
    );
    let method = extractor.method.parse().map_err(|error| anyhow::anyhow!("`extractor.method`: {error}"))?;
    known_kinds("extractor.kinds", extractor.kinds.iter().map(String::as_str))?;
    for (n, site) in extractor.sites.iter().enumerate() {
        known_kinds(&format!("sites[{n}].kind"), site.kind.as_deref())?;
        if let Some(name) = &site.render {
            name.parse::<RenderPolicy>().map_err(|error| anyhow::anyhow!("`sites[{n}].render`: {error}"))?;
        }
    }
    let rules = SiteRuleSet::compile(&extractor.sites, "sites")?;
    let (comments, agent) = (extractor.comments, extractor.agent.clone());
    let pdf = if extractor.pdf { Some(Arc::new(PdfToText::find()?) as Arc<dyn ReadPdf>) } else { None };
    Ok(PageReader { method, comments, records: records.options()?, rules, agent, pdf })
}

impl RecordsConfig {
    fn options(&self) -> anyhow::Result<RecordOptions> {
        let method = self.method.parse().context("`records.method`")?;
        let range = 0.0..=1.0;
        anyhow::ensure!(range.contains(&self.threshold), "`records.threshold` ({}) is not in 0..1", self.threshold);
        let dictionary = match &self.dictionary {
            None => Dictionary::built_in(),
            Some(path) => read_dictionary(path)
                .with_context(|| format!("could not use `{}` (`records.dictionary`)", path.display()))?,
        };
        Ok(RecordOptions { method, dictionary, threshold: self.threshold, ..RecordOptions::default() })
    }
}

fn read_dictionary(path: &Path) -> anyhow::Result<Dictionary> {
    let size = std::fs::metadata(path)?.len();
    anyhow::ensure!(size <= MAX_DICTIONARY_BYTES, "it has {size} bytes, more than {MAX_DICTIONARY_BYTES}");
    Ok(Dictionary::built_in().extended(&std::fs::read_to_string(path)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extractor(site: SiteRulesConfig) -> ExtractorConfig {
        ExtractorConfig { sites: vec![site], ..ExtractorConfig::default() }
    }

    fn site() -> SiteRulesConfig {
        SiteRulesConfig { hosts: vec!["*.shop.example".into()], ..SiteRulesConfig::default() }
    }

    #[test]
    fn a_users_dictionary_gives_names_their_group() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "weight\tspec\txx\tZorb\n").unwrap();
        let records = RecordsConfig { dictionary: Some(file.path().into()), ..RecordsConfig::default() };
        let reader = page_reader(&ExtractorConfig::default(), &records).unwrap();
        assert_eq!(reader.records.dictionary.canonical("zorb"), Some("weight"));
        assert_eq!(reader.records.dictionary.canonical("品牌"), Some("brand"));
    }

    #[test]
    fn settings_that_cannot_be_used_are_refused_by_name() {
        let refused = |extractor: ExtractorConfig, records: RecordsConfig| {
            format!("{:#}", page_reader(&extractor, &records).unwrap_err())
        };
        let records = RecordsConfig::default;
        let method = refused(ExtractorConfig::default(), RecordsConfig { method: "hmn".into(), ..records() });
        assert!(method.contains("`records.method`") && method.contains("`hmn`"), "{method}");
        let narrow = ExtractorConfig { max_bytes_at_once: 10, ..ExtractorConfig::default() };
        let narrow = refused(narrow, records());
        assert!(narrow.contains("`extractor.max_bytes_at_once`"), "{narrow}");
        let threshold = refused(ExtractorConfig::default(), RecordsConfig { threshold: 7.0, ..records() });
        assert!(threshold.contains("`records.threshold`"), "{threshold}");
        let missing = RecordsConfig { dictionary: Some("/nowhere/names.tsv".into()), ..records() };
        let missing = refused(ExtractorConfig::default(), missing);
        assert!(missing.contains("/nowhere/names.tsv") && missing.contains("records.dictionary"), "{missing}");
        let kind = refused(extractor(SiteRulesConfig { kind: Some("shop".into()), ..site() }), records());
        assert!(kind.contains("sites[0].kind") && kind.contains("`shop`"), "{kind}");
        let kinds = vec!["product".into(), "shop".into()];
        let kinds = refused(ExtractorConfig { kinds, ..ExtractorConfig::default() }, records());
        assert!(kinds.contains("`extractor.kinds`: `shop` is none of article, "), "{kinds}");
        let render = refused(extractor(SiteRulesConfig { render: Some("sometimes".into()), ..site() }), records());
        assert!(render.contains("sites[0].render") && render.contains("`sometimes`"), "{render}");
        let rule = refused(extractor(SiteRulesConfig { price: Some("p[".into()), ..site() }), records());
        assert!(rule.contains("sites[0].price"), "{rule}");
    }
}
