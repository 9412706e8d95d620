//! How a page is read: the method for its text, the dictionary for its records, and what the rules of its site say.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_extract::{Kind, Method, PageTypes};
use gristmill_html::Doc;
use gristmill_records::{Dictionary, Options, THRESHOLD, Told, ToldPair, ToldText, records};
use gristmill_rules::{Found, Ruled, Rules};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::kind::{self, Decision};
use crate::service::ExtractorConfig;

/// Largest dictionary file.
const MAX_DICTIONARY_BYTES: u64 = 16 << 20;

/// How product records are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordsConfig {
    /// `records`, or one of the published methods: `hmm`, `hmm-literal`, `cnbe`. Default: `"records"`.
    pub method: String,
    /// A file of attribute names beside the compiled-in ones (docs/records.md). Default: unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<PathBuf>,
    /// Least probability of a pair that `records` keeps. Default: `0.7`.
    pub threshold: f32,
}

impl Default for RecordsConfig {
    fn default() -> Self {
        Self { method: gristmill_records::Method::default().as_str().into(), dictionary: None, threshold: THRESHOLD }
    }
}

/// All that does not change from page to page.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub method: Method,
    /// Whether comments stay in the text.
    pub comments: bool,
    pub products: Options,
    pub rules: Rules,
}

impl Recipe {
    /// The same with another method for the text.
    #[must_use]
    pub fn with_method(self, method: Method) -> Recipe {
        Recipe { method, ..self }
    }

    /// Reads the settings, and the dictionary that they name.
    ///
    /// # Errors
    /// An unknown method or kind, a dictionary that cannot be read, a rule that cannot be used.
    pub fn build(extractor: &ExtractorConfig, records: &RecordsConfig) -> anyhow::Result<Recipe> {
        anyhow::ensure!(extractor.max_body_bytes > 0, "`extractor.max_body_bytes` must be at least 1, or no page fits");
        let method = extractor.method.parse().map_err(|error| anyhow::anyhow!("`extractor.method`: {error}"))?;
        for (n, site) in extractor.sites.iter().enumerate() {
            if let Some(name) = site.kind.as_deref().filter(|name| kind_named(name).is_none()) {
                let all = Kind::ALL.map(Kind::as_str).join(", ");
                anyhow::bail!("`extractor.sites[{n}].kind`: `{name}` is none of {all}");
            }
        }
        let rules = Rules::compile(&extractor.sites, "extractor.sites")?;
        Ok(Recipe { method, comments: extractor.comments, products: records.options()?, rules })
    }

    /// Applies the rules of the page's site, if it has any.
    pub fn prepare<'d>(&self, doc: &'d Doc, url: Option<&str>) -> Prepared<'d> {
        let url = url.and_then(|url| Url::parse(url).ok());
        let site = url.as_ref().and_then(Url::host_str).and_then(|host| self.rules.for_host(host));
        let Some(site) = site else {
            return Prepared { doc: Cow::Borrowed(doc), kind: None, told: Told::default() };
        };
        let ruled = site.apply(doc);
        let told = told(doc, &ruled);
        Prepared {
            doc: ruled.rest.map_or(Cow::Borrowed(doc), Cow::Owned),
            kind: site.kind.as_deref().and_then(kind_named),
            told,
        }
    }
}

impl RecordsConfig {
    fn options(&self) -> anyhow::Result<Options> {
        let method = self.method.parse().context("`records.method`")?;
        let range = 0.0..=1.0;
        anyhow::ensure!(range.contains(&self.threshold), "`records.threshold` ({}) is not in 0..1", self.threshold);
        let dictionary = match &self.dictionary {
            None => Dictionary::built_in(),
            Some(path) => read_dictionary(path)
                .with_context(|| format!("could not use `{}` (`records.dictionary`)", path.display()))?,
        };
        Ok(Options { method, dictionary, threshold: self.threshold, ..Options::default() })
    }
}

fn kind_named(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
}

fn read_dictionary(path: &Path) -> anyhow::Result<Dictionary> {
    let size = std::fs::metadata(path)?.len();
    anyhow::ensure!(size <= MAX_DICTIONARY_BYTES, "it has {size} bytes, more than {MAX_DICTIONARY_BYTES}");
    Ok(Dictionary::built_in().extended(&std::fs::read_to_string(path)?)?)
}

/// A page without what the rules of its site leave out, and what they say of it.
#[derive(Debug, Clone)]
pub struct Prepared<'d> {
    doc: Cow<'d, Doc>,
    /// What the rules say the page is.
    pub kind: Option<Kind>,
    told: Told,
}

impl Prepared<'_> {
    /// What is to be read.
    pub fn doc(&self) -> &Doc {
        &self.doc
    }

    /// The title by rule; `found` if there is no such rule here.
    pub fn title(&self, found: Option<String>) -> Option<String> {
        self.told.title.as_ref().map(|title| title.text.clone()).or(found)
    }

    /// The rule that gave the title.
    pub fn title_rule(&self) -> Option<&str> {
        self.told.title.as_ref().map(|title| title.rule.as_str())
    }

    /// Decides what the page is and finds its records. A kind by rule ends the matter, and so does a price or a pair by
    /// rule, which only products have.
    pub fn decide(&self, types: &PageTypes, url: Option<&str>, options: &Options) -> Decision {
        let told = (!self.told.shows_no_product()).then_some(Kind::Product);
        kind::decide(types, self.kind.or(told), || {
            let mut found = records(&self.doc, url, options);
            found.impose(self.told.clone(), &self.doc, url, &options.dictionary);
            found
        })
    }
}

fn told(doc: &Doc, ruled: &Ruled) -> Told {
    let text = |found: &Option<Found>| {
        found.as_ref().map(|found| ToldText { text: found.text.clone(), rule: found.rule.clone() })
    };
    let pair = |pair: &gristmill_rules::FoundPair| ToldPair {
        name: pair.name.clone(),
        value: pair.value.clone(),
        rule: pair.rule.clone(),
        path: doc.path(pair.node),
    };
    Told { title: text(&ruled.title), price: text(&ruled.price), pairs: ruled.pairs.iter().map(pair).collect() }
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;
    use gristmill_rules::{AttributeConfig, SiteConfig};

    use super::*;

    fn extractor(site: SiteConfig) -> ExtractorConfig {
        ExtractorConfig { sites: vec![site], ..ExtractorConfig::default() }
    }

    fn site() -> SiteConfig {
        SiteConfig { hosts: vec!["*.shop.example".into()], ..SiteConfig::default() }
    }

    const PAGE: &str = "<h1>Hand mill</h1><p class=sub>The mill that lasts</p><div class=ad><p>Buy soap</p></div>
        <ul class=facts><li><i>Weight</i> <b>1.2 kg</b></ul><p>$49.00</p><button>Add to cart</button>";

    #[test]
    fn rules_of_a_site_set_title_and_pairs_and_leave_parts_out_and_other_sites_are_not_touched() {
        let rules = SiteConfig {
            title: Some(".sub".into()),
            exclude: vec![".ad".into()],
            attributes: vec![AttributeConfig {
                row: Some(".facts li".into()),
                name: Some("i".into()),
                value: "b".into(),
                ..AttributeConfig::default()
            }],
            ..site()
        };
        let recipe = Recipe::build(&extractor(rules), &RecordsConfig::default()).unwrap();
        let doc = Doc::parse(PAGE, &Limits::default());
        let url = Some("https://www.shop.example/mill");
        let prepared = recipe.prepare(&doc, url);
        assert!(!prepared.doc().text_content(prepared.doc().body().unwrap()).contains("soap"));
        assert_eq!(prepared.title(Some("found".into())).as_deref(), Some("The mill that lasts"));
        let decision = prepared.decide(&PageTypes::default(), url, &recipe.products);
        let records = decision.records.unwrap();
        let pairs: Vec<_> = records.pairs.iter().map(|pair| (&pair.name[..], &pair.value[..])).collect();
        assert_eq!(pairs, [("Weight", "1.2 kg")]);
        assert_eq!(records.pairs[0].provenance.source.as_str(), "extractor.sites[0].attributes[0]");
        assert_eq!(records.pairs[0].provenance.path, "body/ul/li/b");
        let elsewhere = recipe.prepare(&doc, Some("https://other.example/mill"));
        assert_eq!(elsewhere.title(None), None);
        assert!(elsewhere.doc().text_content(elsewhere.doc().body().unwrap()).contains("soap"));
    }

    #[test]
    fn a_users_dictionary_gives_names_their_group() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "weight\tspec\txx\tZorb\n").unwrap();
        let records = RecordsConfig { dictionary: Some(file.path().into()), ..RecordsConfig::default() };
        let recipe = Recipe::build(&ExtractorConfig::default(), &records).unwrap();
        assert_eq!(recipe.products.dictionary.canonical("zorb"), Some("weight"));
        assert_eq!(recipe.products.dictionary.canonical("品牌"), Some("brand"));
    }

    #[test]
    fn settings_that_cannot_be_used_are_refused_by_name() {
        let refused = |extractor: ExtractorConfig, records: RecordsConfig| {
            format!("{:#}", Recipe::build(&extractor, &records).unwrap_err())
        };
        let records = RecordsConfig::default;
        let method = refused(ExtractorConfig::default(), RecordsConfig { method: "hmn".into(), ..records() });
        assert!(method.contains("`records.method`") && method.contains("`hmn`"), "{method}");
        let threshold = refused(ExtractorConfig::default(), RecordsConfig { threshold: 7.0, ..records() });
        assert!(threshold.contains("`records.threshold`"), "{threshold}");
        let missing = RecordsConfig { dictionary: Some("/nowhere/names.tsv".into()), ..records() };
        let missing = refused(ExtractorConfig::default(), missing);
        assert!(missing.contains("/nowhere/names.tsv") && missing.contains("records.dictionary"), "{missing}");
        let kind = refused(extractor(SiteConfig { kind: Some("shop".into()), ..site() }), records());
        assert!(kind.contains("extractor.sites[0].kind") && kind.contains("`shop`"), "{kind}");
        let rule = refused(extractor(SiteConfig { price: Some("p[".into()), ..site() }), records());
        assert!(rule.contains("extractor.sites[0].price"), "{rule}");
    }
}
