//! Which documents are wanted.

use anyhow::Context;
use clap::{Args, ValueEnum};
use glob::Pattern;
use gristmill_dataset::DatasetRow;
use gristmill_index::{DocumentKind, IndexDocument, Period, SearchFilter as IndexFilter, parse_period};
use gristmill_indexer::unix_seconds;
use gristmill_robots::refuses_training;
use gristmill_urls::host_named;
use serde_json::{Value, json};
use url::Url;

#[derive(Clone, Copy, ValueEnum)]
pub enum KindArg {
    Article,
    Product,
    Listing,
    Other,
}

impl From<KindArg> for DocumentKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Article => Self::Article,
            KindArg::Product => Self::Product,
            KindArg::Listing => Self::Listing,
            KindArg::Other => Self::Other,
        }
    }
}

/// What a page may say against a use.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UsageRestriction {
    /// Text and data mining is reserved
    Tdm,
    /// The robots directive `noai`, and preferences against training (`train-ai=n`, `ai-train=no`)
    Noai,
}

#[derive(Args)]
pub struct FilterArgs {
    /// Only these kinds
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub kind: Vec<KindArg>,
    /// Only these registrable domains or hosts
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub site: Vec<String>,
    /// Only these languages, such as `en` or `zh`
    #[arg(long, value_delimiter = ',', value_name = "CODES", value_parser = crate::values::language)]
    pub lang: Vec<String>,
    /// Only what was published in or after this year, month or day (UTC): `2024`, `2024-05`, `2024-05-31`
    #[arg(long, value_name = "DATE")]
    pub from: Option<String>,
    /// Only what was published in or before it
    #[arg(long, value_name = "DATE")]
    pub to: Option<String>,
    /// Nothing of which the method is less sure than this, 0 to 1 (`best`: the expected word F1)
    #[arg(long, value_name = "X", value_parser = share)]
    pub min_confidence: Option<f32>,
    /// Only texts of at least so many characters
    #[arg(long, value_name = "N")]
    pub min_chars: Option<u64>,
    /// Only texts of at most so many characters
    #[arg(long, value_name = "N")]
    pub max_chars: Option<u64>,
    /// Nothing whose page or server says this
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub respect: Vec<UsageRestriction>,
    /// Only what is under one of these licences; `*` stands for anything: `cc-by-*,cc0-*`
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub licence: Vec<String>,
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl FilterArgs {
    /// # Errors
    /// Dates, lengths or patterns that cannot be.
    pub fn filter(&self) -> anyhow::Result<DocumentFilter> {
        let from = period("--from", &self.from)?.map(|period| period.start);
        let to = period("--to", &self.to)?.map(|period| period.end);
        anyhow::ensure!(from.zip(to).is_none_or(|(from, to)| from < to), "`--from` must not be after `--to`");
        let (min, max) = (self.min_chars, self.max_chars);
        anyhow::ensure!(
            min.zip(max).is_none_or(|(min, max)| min <= max),
            "`--min-chars` must not be above `--max-chars`"
        );
        let pattern = |text: &String| {
            Pattern::new(&text.to_lowercase()).with_context(|| format!("`--licence {text}` is no pattern"))
        };
        Ok(DocumentFilter {
            respect: self.respect.clone(),
            licences: self.licence.iter().map(pattern).collect::<anyhow::Result<_>>()?,
            kinds: self.kind.iter().map(|kind| DocumentKind::from(*kind)).collect(),
            sites: self.site.iter().map(|site| host_named(site).unwrap_or_else(|_| site.clone())).collect(),
            languages: self.lang.clone(),
            from,
            to,
            min_confidence: self.min_confidence,
            min_chars: min,
            max_chars: max,
        })
    }
}

/// Reads the year, month or day of an option.
///
/// # Errors
/// Something else.
pub fn period(option: &str, text: &Option<String>) -> anyhow::Result<Option<Period>> {
    let Some(text) = text else { return Ok(None) };
    let period = parse_period(text);
    period.map(Some).with_context(|| format!("`{option} {text}` is no date: write 2024, 2024-05 or 2024-05-31"))
}

/// Which documents are wanted. An empty list takes all.
#[derive(Default)]
pub struct DocumentFilter {
    kinds: Vec<DocumentKind>,
    sites: Vec<String>,
    languages: Vec<String>,
    /// Seconds since 1970.
    from: Option<i64>,
    to: Option<i64>,
    min_confidence: Option<f32>,
    min_chars: Option<u64>,
    max_chars: Option<u64>,
    respect: Vec<UsageRestriction>,
    licences: Vec<Pattern>,
}

/// What of a document is filtered by.
pub struct FilterFields<'a> {
    kind: &'a str,
    domain: &'a str,
    host: String,
    language: &'a str,
    published: Option<i64>,
    confidence: f64,
    text: &'a str,
    is_reserved: bool,
    is_noai: bool,
    licence: &'a str,
}

impl<'a> FilterFields<'a> {
    pub fn of_row(row: &'a DatasetRow) -> FilterFields<'a> {
        let url = Url::parse(&row.url).ok();
        FilterFields {
            kind: row.kind.as_deref().unwrap_or_default(),
            domain: &row.domain,
            host: url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned(),
            language: &row.language,
            published: row.published.as_deref().and_then(unix_seconds),
            confidence: row.confidence.unwrap_or_default(),
            text: &row.text,
            is_reserved: row.tdm_reservation == Some(1),
            is_noai: row.robots.iter().any(|said| refuses_training(said)),
            licence: row.licence.as_deref().unwrap_or_default(),
        }
    }

    pub fn of_document(document: &'a IndexDocument) -> FilterFields<'a> {
        FilterFields {
            kind: document.kind.as_str(),
            domain: &document.site,
            host: document.host.clone(),
            language: &document.language,
            published: document.published,
            confidence: f64::from(document.confidence),
            text: &document.text,
            is_reserved: document.rights.tdm_reserved == Some(true),
            is_noai: document.rights.robots.iter().any(|said| refuses_training(said)),
            licence: &document.rights.licence,
        }
    }
}

impl DocumentFilter {
    /// The option that leaves a document out; none if it is wanted.
    pub fn refuses(&self, facts: &FilterFields<'_>) -> Option<&'static str> {
        let among = |list: &[String], value: &str| list.iter().any(|one| one.eq_ignore_ascii_case(value));
        let chars = || facts.text.chars().count() as u64;
        let says = |said: &UsageRestriction| match said {
            UsageRestriction::Tdm => facts.is_reserved,
            UsageRestriction::Noai => facts.is_noai,
        };
        let licence = || facts.licence.to_lowercase();
        let refusals = [
            ("--kind", !self.kinds.is_empty() && !self.kinds.iter().any(|kind| kind.as_str() == facts.kind)),
            ("--site", !self.sites.is_empty() && !among(&self.sites, facts.domain) && !among(&self.sites, &facts.host)),
            ("--lang", !self.languages.is_empty() && !among(&self.languages, facts.language)),
            ("--from", self.from.is_some_and(|from| facts.published.is_none_or(|time| time < from))),
            ("--to", self.to.is_some_and(|to| facts.published.is_none_or(|time| time >= to))),
            ("--min-confidence", self.min_confidence.is_some_and(|least| facts.confidence < f64::from(least))),
            ("--min-chars", self.min_chars.is_some_and(|least| chars() < least)),
            ("--max-chars", self.max_chars.is_some_and(|most| chars() > most)),
            ("--respect", self.respect.iter().any(says)),
            ("--licence", !self.licences.is_empty() && !self.licences.iter().any(|one| one.matches(&licence()))),
        ];
        refusals.into_iter().find(|(_, is_refused)| *is_refused).map(|(name, _)| name)
    }

    /// What the index can tell by itself: it spares reading documents that are not wanted.
    pub fn of_index(&self) -> IndexFilter {
        fn only<T: Clone>(list: &[T]) -> Option<T> {
            if let [one] = list { Some(one.clone()) } else { None }
        }
        IndexFilter {
            site: only(&self.sites),
            kind: only(&self.kinds),
            language: only(&self.languages),
            from: self.from,
            to: self.to,
        }
    }

    /// Whether only products are wanted.
    pub fn is_of_products(&self) -> bool {
        self.kinds == [DocumentKind::Product]
    }

    /// For the manifest: what is set.
    pub fn settings(&self) -> Value {
        let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.as_str()).collect();
        json!({
            "kind": kinds,
            "site": self.sites,
            "lang": self.languages,
            "from": self.from,
            "to": self.to,
            "min_confidence": self.min_confidence,
            "min_chars": self.min_chars,
            "max_chars": self.max_chars,
            "respect": self.respect.iter().filter_map(|said| Some(said.to_possible_value()?.get_name().to_owned())).collect::<Vec<_>>(),
            "licence": self.licences.iter().map(Pattern::as_str).collect::<Vec<_>>(),
        })
    }
}
