//! The scope of a crawl: which addresses belong to it, judged relative to its seeds.

use std::collections::{HashMap, HashSet};

use regex::RegexSet;
use serde::{Deserialize, Serialize};

use crate::canonical::CanonicalUrl;

/// How far from the seeds a crawl may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeRule {
    /// The seeds' hosts, each with its port unless that is the scheme's default; with and without `www.`, http and https
    /// alike, since one of two such addresses mostly redirects to the other.
    #[default]
    Host,
    /// The seeds' registrable domains with all their hosts.
    Domain,
    /// The seeds' hosts, below each seed's last `/`: the seed `/docs/index.html` opens `/docs/`.
    Prefix,
    /// Anywhere.
    Any,
}

/// Which addresses belong to a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScopeConfig {
    /// `host`, `domain`, `prefix` or `any`, relative to the seeds. Default: `host`.
    pub rule: ScopeRule,
    /// Regular expressions, unanchored, over the whole canonical URL; when there are any, one must match.
    /// Seeds need not match. Default: none.
    pub include: Vec<String>,
    /// Regular expressions of which none may match. Default: none.
    pub exclude: Vec<String>,
    /// Most links from a seed to a page; 0 fetches the seeds only. Default: no limit.
    pub max_depth: Option<u16>,
    /// Leave out paths that end like images, archives, styles, scripts, fonts, media or programs. Default: true.
    pub skip_binary: bool,
    /// Let the target of a seed's redirect within its registrable domain be a seed too, so that `example.com` →
    /// `en.example.com` goes on; and fetch a target in another domain, but nothing else there. Default: true.
    pub follow_seed_redirects: bool,
    /// Follow links. If not, only seeds are fetched, and what those of them list that are sitemaps or feeds. Default: true.
    pub follow: bool,
}

impl Default for ScopeConfig {
    fn default() -> Self {
        Self {
            rule: ScopeRule::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            max_depth: None,
            skip_binary: true,
            follow_seed_redirects: true,
            follow: true,
        }
    }
}

/// A pattern of the scope does not compile.
#[derive(Debug, thiserror::Error)]
#[error("a pattern of `scope.{list}` is not a regular expression")]
pub struct ScopeError {
    /// `include` or `exclude`.
    pub list: &'static str,
    #[source]
    pub source: Box<regex::Error>,
}

/// Whether a URL is in scope, and if not, by which rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeVerdict {
    Inside,
    /// No seed opens this host, domain or prefix.
    Elsewhere(ScopeRule),
    /// More links away from its seed than the limit.
    TooDeep(u16),
    /// The path ends with this extension.
    Binary(String),
    /// None of the include patterns matches.
    NotIncluded,
    /// This exclude pattern matches.
    Excluded(String),
    /// A block list names its host or address.
    Blocked,
    /// Whoever runs the crawl has taken it out for good.
    TakenDown,
}

/// A compiled scope with its seeds.
pub struct CrawlScope {
    config: ScopeConfig,
    include: RegexSet,
    exclude: RegexSet,
    /// Authorities ([`bare`]) or registrable domains, by the rule.
    places: HashSet<String>,
    /// The registrable domains of the seeds, whatever the rule.
    domains: HashSet<String>,
    /// Whether PDFs are pages.
    takes_pdf: bool,
    /// For `prefix`: bare authority → path prefixes.
    prefixes: HashMap<String, PathPrefixes>,
}

/// The folders of a host that its seeds open.
#[derive(Debug, Clone, Default)]
struct PathPrefixes {
    /// Each ends with `/`; with the number of seeds that open it.
    folders: HashMap<String, u32>,
    /// Seeds that do not end with `/`.
    slashless: HashSet<String>,
}

/// Longest compiled pattern list, in bytes: the patterns are the operator's, but the settings may be pasted.
const PATTERN_SIZE_LIMIT: usize = 16 << 20;

impl PathPrefixes {
    /// Opens the folder of a seed. One that is given without its slash, `/docs`, and leads to `/docs/` opens that, and not what is beside
    /// it.
    fn add(&mut self, path: &str) {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        if name.is_empty() {
            *self.folders.entry(folder.to_owned()).or_default() += 1;
            let slashless = folder.trim_end_matches('/');
            if self.slashless.remove(slashless) {
                self.close(&slashless[..=slashless.rfind('/').unwrap_or(0)]);
            }
        } else if !self.folders.contains_key(&format!("{path}/")) && self.slashless.insert(path.to_owned()) {
            *self.folders.entry(folder.to_owned()).or_default() += 1;
        }
    }

    /// Takes one of the seeds of a folder away.
    fn close(&mut self, folder: &str) {
        if let Some(n_seeds) = self.folders.get_mut(folder) {
            *n_seeds -= 1;
            if *n_seeds == 0 {
                self.folders.remove(folder);
            }
        }
    }

    fn cover(&self, path: &str) -> bool {
        let is_in = |folder: &String| path.starts_with(folder) || folder.strip_suffix('/') == Some(path);
        self.folders.keys().any(is_in)
    }
}

impl CrawlScope {
    /// Compiles `config` for `seeds`.
    ///
    /// # Errors
    /// When a pattern is not a regular expression (of the linear-time kind: no look-around, no back-references).
    pub fn new<'a>(
        config: &ScopeConfig,
        seeds: impl IntoIterator<Item = &'a CanonicalUrl>,
    ) -> Result<Self, ScopeError> {
        let mut scope = Self {
            include: compile("include", &config.include)?,
            exclude: compile("exclude", &config.exclude)?,
            config: config.clone(),
            takes_pdf: false,
            places: HashSet::new(),
            domains: HashSet::new(),
            prefixes: HashMap::new(),
        };
        for seed in seeds {
            scope.add_seed(seed);
        }
        Ok(scope)
    }

    /// Lets addresses in that end like PDFs, or not; not without this.
    #[must_use]
    pub fn with_pdf(self, takes_pdf: bool) -> Self {
        Self { takes_pdf, ..self }
    }

    /// The settings it was compiled from.
    #[must_use]
    pub fn config(&self) -> &ScopeConfig {
        &self.config
    }

    /// Opens the place of `seed`.
    pub fn add_seed(&mut self, seed: &CanonicalUrl) {
        self.domains.insert(seed.registrable_domain().to_owned());
        match self.config.rule {
            ScopeRule::Host => _ = self.places.insert(bare(seed.authority()).to_owned()),
            ScopeRule::Domain => _ = self.places.insert(seed.registrable_domain().to_owned()),
            ScopeRule::Any => {}
            ScopeRule::Prefix => {
                let authority = bare(seed.authority());
                self.places.insert(authority.to_owned());
                self.prefixes.entry(authority.to_owned()).or_default().add(seed.path());
            }
        }
    }

    /// Judges a page at `url`, `depth` links from its seed; depth 0 is a seed, which patterns and extensions
    /// do not keep out. Linear in the URL's length.
    #[must_use]
    pub fn judge(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        if !self.holds_place(url) || !self.holds_prefix(url) {
            return ScopeVerdict::Elsewhere(self.config.rule);
        }
        if depth == 0 { ScopeVerdict::Inside } else { self.judge_anywhere(url, depth) }
    }

    /// The same, wherever the page is.
    #[must_use]
    pub fn judge_anywhere(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        if let Some(limit) = self.config.max_depth.filter(|&limit| depth > limit) {
            return ScopeVerdict::TooDeep(limit);
        }
        if let Some(extension) = self.binary_extension(url) {
            return ScopeVerdict::Binary(extension);
        }
        if !self.include.is_empty() && !self.include.is_match(url.as_str()) {
            return ScopeVerdict::NotIncluded;
        }
        match self.exclude.matches(url.as_str()).iter().next() {
            Some(index) => ScopeVerdict::Excluded(self.exclude.patterns()[index].clone()),
            None => ScopeVerdict::Inside,
        }
    }

    /// Judges a sitemap or feed at `url`: these serve the pages in scope, so only the place counts, not the prefix, the depth or the
    /// patterns; any host of a seed's domain will do, since sites keep them on hosts of their own.
    #[must_use]
    pub fn judge_listing(&self, url: &CanonicalUrl) -> ScopeVerdict {
        let is_inside = self.holds_place(url) || self.domains.contains(url.registrable_domain());
        if is_inside { ScopeVerdict::Inside } else { ScopeVerdict::Elsewhere(self.config.rule) }
    }

    fn holds_place(&self, url: &CanonicalUrl) -> bool {
        match self.config.rule {
            ScopeRule::Any => true,
            ScopeRule::Domain => self.places.contains(url.registrable_domain()),
            ScopeRule::Host | ScopeRule::Prefix => self.places.contains(bare(url.authority())),
        }
    }

    fn holds_prefix(&self, url: &CanonicalUrl) -> bool {
        self.config.rule != ScopeRule::Prefix
            || self.prefixes.get(bare(url.authority())).is_some_and(|prefixes| prefixes.cover(url.path()))
    }

    fn binary_extension(&self, url: &CanonicalUrl) -> Option<String> {
        if !self.config.skip_binary {
            return None;
        }
        let (stem, extension) = url.path().rsplit_once('/')?.1.rsplit_once('.')?;
        // `/.css` is a hidden file or a joke, not a style sheet; longer than any listed one is none of them.
        if stem.is_empty() || extension.len() > 8 {
            return None;
        }
        let packed = packed(extension.as_bytes());
        if self.takes_pdf && packed == const { self::packed(b"pdf") } {
            return None;
        }
        PACKED_EXTENSIONS.binary_search(&packed).is_ok().then(|| extension.to_ascii_lowercase())
    }
}

/// An authority without `www.`, where a name of its own is behind it.
fn bare(authority: &str) -> &str {
    authority.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(authority)
}

pub(crate) fn compile(list: &'static str, patterns: &[String]) -> Result<RegexSet, ScopeError> {
    regex::RegexSetBuilder::new(patterns)
        .size_limit(PATTERN_SIZE_LIMIT)
        .build()
        .map_err(|source| ScopeError { list, source: Box::new(source) })
}

/// [`BINARY_EXTENSIONS`] as numbers, in the same order: each link is compared with some of them.
const PACKED_EXTENSIONS: [u128; BINARY_EXTENSIONS.len()] = {
    let mut numbers = [0; BINARY_EXTENSIONS.len()];
    let mut at = 0;
    while at < numbers.len() {
        numbers[at] = packed(BINARY_EXTENSIONS[at].as_bytes());
        at += 1;
    }
    numbers
};

/// The first 16 bytes of a text in lower case, as a number that orders as the text does.
const fn packed(text: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < text.len() && at < bytes.len() {
        bytes[at] = text[at].to_ascii_lowercase();
        at += 1;
    }
    u128::from_be_bytes(bytes)
}

/// Extensions of what holds no page. Sorted. XML, JSON and text stay: feeds, sitemaps and articles bear them.
const BINARY_EXTENSIONS: &[&str] = &[
    "3gp",
    "7z",
    "aac",
    "apk",
    "appimage",
    "avi",
    "avif",
    "bin",
    "bmp",
    "bz2",
    "cab",
    "class",
    "css",
    "cur",
    "dat",
    "deb",
    "dll",
    "dmg",
    "doc",
    "docx",
    "eot",
    "epub",
    "exe",
    "flac",
    "flv",
    "gif",
    "gz",
    "heic",
    "ico",
    "img",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "js",
    "lz",
    "lz4",
    "m3u8",
    "m4a",
    "m4v",
    "map",
    "mid",
    "midi",
    "mjs",
    "mkv",
    "mobi",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "msi",
    "odp",
    "ods",
    "odt",
    "ogg",
    "ogv",
    "opus",
    "otf",
    "pdf",
    "pkg",
    "png",
    "ppt",
    "pptx",
    "ps",
    "psd",
    "pyc",
    "rar",
    "rpm",
    "so",
    "svg",
    "svgz",
    "swf",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "torrent",
    "ttf",
    "wasm",
    "wav",
    "webm",
    "webmanifest",
    "webp",
    "whl",
    "wma",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "xpi",
    "xz",
    "zip",
    "zst",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(rule: ScopeRule, seeds: &[&str]) -> CrawlScope {
        let seeds: Vec<CanonicalUrl> = seeds.iter().map(|seed| seed.parse().unwrap()).collect();
        CrawlScope::new(&ScopeConfig { rule, ..ScopeConfig::default() }, &seeds).unwrap()
    }

    fn inside(scope: &CrawlScope, url: &str) -> bool {
        scope.judge(&url.parse().unwrap(), 1) == ScopeVerdict::Inside
    }

    #[test]
    fn the_extension_table_is_sorted_for_the_binary_search() {
        assert!(BINARY_EXTENSIONS.is_sorted() && PACKED_EXTENSIONS.is_sorted());
        assert!(BINARY_EXTENSIONS.iter().all(|extension| extension.len() <= 11));
    }

    #[test]
    fn each_rule_opens_its_own_place() {
        let host = scope(ScopeRule::Host, &["http://www.example.com/a/b.html"]);
        assert!(inside(&host, "https://www.example.com/c") && !inside(&host, "http://shop.example.com/"));
        assert!(!inside(&host, "http://www.example.com:8080/"), "another port is another server");
        let domain = scope(ScopeRule::Domain, &["http://www.example.co.uk/"]);
        assert!(inside(&domain, "http://news.example.co.uk/") && !inside(&domain, "http://other.co.uk/"));
        let prefix = scope(ScopeRule::Prefix, &["http://h.org/docs/index.html"]);
        assert!(inside(&prefix, "http://h.org/docs/x/y") && !inside(&prefix, "http://h.org/documents/"));
        assert!(inside(&scope(ScopeRule::Any, &[]), "http://h.org/"));
        assert!(!inside(&scope(ScopeRule::Host, &[]), "http://h.org/"));
    }

    #[test]
    fn a_host_is_the_same_with_and_without_www() {
        for (seed, other) in [
            ("http://www.example.com/", "https://example.com/a"),
            ("http://example.com/", "http://www.example.com/a"),
            ("http://www.example.com:8080/", "http://example.com:8080/a"),
        ] {
            assert!(inside(&scope(ScopeRule::Host, &[seed]), other), "{seed} {other}");
        }
        let prefix = scope(ScopeRule::Prefix, &["http://www.h.org/docs/"]);
        assert!(inside(&prefix, "http://h.org/docs/x") && !inside(&prefix, "http://h.org/blog/"));
        assert!(!inside(&scope(ScopeRule::Host, &["http://www.com/"]), "http://com/"), "`www` is its own name");
        assert!(!inside(&scope(ScopeRule::Host, &["http://example.com/"]), "http://www2.example.com/"));
    }

    #[test]
    fn a_seed_that_leads_to_its_folder_opens_that_alone() {
        for seeds in [["http://h.org/docs", "http://h.org/docs/"], ["http://h.org/docs/", "http://h.org/docs"]] {
            let prefix = scope(ScopeRule::Prefix, &seeds);
            assert!(inside(&prefix, "http://h.org/docs") && inside(&prefix, "http://h.org/docs/x"));
            assert!(!inside(&prefix, "http://h.org/blog") && !inside(&prefix, "http://h.org/docs-old/x"));
        }
        let both = scope(ScopeRule::Prefix, &["http://h.org/docs", "http://h.org/", "http://h.org/docs/"]);
        assert!(inside(&both, "http://h.org/blog"), "another seed opens it");
        assert!(inside(&scope(ScopeRule::Prefix, &["http://h.org/docs"]), "http://h.org/blog"), "it leads nowhere");
    }

    #[test]
    fn patterns_keep_out_and_say_which() {
        let config = ScopeConfig {
            rule: ScopeRule::Any,
            include: vec!["/news/".into()],
            exclude: vec![r"\?print".into(), "/old".into()],
            ..ScopeConfig::default()
        };
        let scope = CrawlScope::new(&config, []).unwrap();
        assert!(inside(&scope, "http://h.org/news/1"));
        assert_eq!(scope.judge(&"http://h.org/shop".parse().unwrap(), 1), ScopeVerdict::NotIncluded);
        assert_eq!(
            scope.judge(&"http://h.org/news/?print=1".parse().unwrap(), 1),
            ScopeVerdict::Excluded(r"\?print".into())
        );
        assert_eq!(scope.judge(&"http://h.org/shop".parse().unwrap(), 0), ScopeVerdict::Inside, "a seed is wanted");
    }

    #[test]
    fn a_pattern_that_is_none_names_its_list() {
        let config = ScopeConfig { exclude: vec!["(".into()], ..ScopeConfig::default() };
        let error = CrawlScope::new(&config, []).err().unwrap();
        assert_eq!(error.to_string(), "a pattern of `scope.exclude` is not a regular expression");
    }

    #[test]
    fn depth_and_extensions_are_limits() {
        let config = ScopeConfig { rule: ScopeRule::Any, max_depth: Some(2), ..ScopeConfig::default() };
        let scope = CrawlScope::new(&config, []).unwrap();
        assert_eq!(scope.judge(&"http://h.org/a".parse().unwrap(), 3), ScopeVerdict::TooDeep(2));
        assert_eq!(
            scope.judge(&"http://h.org/a.b/Photo.JPG?w=1".parse().unwrap(), 1),
            ScopeVerdict::Binary("jpg".into())
        );
        assert!(inside(&scope, "http://h.org/python3.js/page") && inside(&scope, "http://h.org/page.html"));
        assert!(!inside(&scope, "http://h.org/a.PDF"));
        let scope = scope.with_pdf(true);
        assert!(inside(&scope, "http://h.org/a.PDF") && !inside(&scope, "http://h.org/a.zip"));
    }

    #[test]
    fn listings_ignore_prefix_depth_and_patterns() {
        let prefix = scope(ScopeRule::Prefix, &["http://h.org/docs/"]);
        assert_eq!(prefix.judge_listing(&"http://h.org/sitemap.xml.gz".parse().unwrap()), ScopeVerdict::Inside);
        assert_eq!(prefix.judge_listing(&"http://maps.h.org/sitemap.xml".parse().unwrap()), ScopeVerdict::Inside);
        assert_ne!(prefix.judge_listing(&"http://other.org/sitemap.xml".parse().unwrap()), ScopeVerdict::Inside);
    }
}
