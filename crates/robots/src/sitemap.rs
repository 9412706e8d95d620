//! Sitemaps: url sets, indexes, news, and plain text (sitemaps.org protocol 0.9, Google's news extension).

use std::borrow::Cow;

use crate::dates::parse_w3c;
use crate::feed::parse_feed;
use crate::listing::{from_root, is_json_feed};
use crate::xml::{Attributes, XmlEvent, push_limited, walk};

/// How much of one sitemap or feed is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListingLimits {
    /// Entries. Default: 50 000, the protocol's own limit.
    pub max_entries: usize,
    /// Bytes of text, decompressed and decoded. Default: 50 MiB, the protocol's own limit.
    pub max_bytes: usize,
}

impl Default for ListingLimits {
    fn default() -> Self {
        Self { max_entries: 50_000, max_bytes: 50 << 20 }
    }
}

/// What a file of addresses turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapKind {
    /// Pages.
    UrlSet,
    /// Further sitemaps.
    Index,
    /// Pages, one address a line.
    Text,
    /// An RSS or Atom feed, which the protocol admits as a sitemap.
    Feed,
    /// None of these, often an HTML page sent with status 200.
    Unknown,
}

/// One address that a site offers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SitemapEntry {
    /// As written, trimmed, references resolved; neither parsed nor in scope.
    pub loc: String,
    /// Last change, or publication where only that is given; Unix seconds.
    pub lastmod: Option<i64>,
    /// Title, in feeds and news sitemaps.
    pub title: Option<String>,
    /// 0 to 1, in url sets.
    pub priority: Option<f32>,
    /// Whether this is an entry of a news sitemap.
    pub news: bool,
    /// Whether it names a sitemap, by the element it stands in, or by its name as an XML file.
    pub is_sitemap: bool,
    /// What the address is relative to, as the feed writes it (`xml:base`); itself relative to the feed.
    pub base: Option<String>,
}

/// The addresses in one sitemap.
#[derive(Debug, Clone, PartialEq)]
pub struct Sitemap {
    pub kind: SitemapKind,
    pub entries: Vec<SitemapEntry>,
    /// The file was longer than a limit, or broke off; `entries` is what came before.
    pub truncated: bool,
}

/// Longest address kept, in bytes: anything longer is no canonical URL.
pub(crate) const MAX_LOC_BYTES: usize = 8 * 1024;
pub(crate) const MAX_TITLE_BYTES: usize = 1024;
const MAX_VALUE_BYTES: usize = 64;

/// Reads a sitemap of any kind, decompressed and decoded: its bytes may be in any charset, which only who has the headers
/// can tell.
///
/// Elements are known by their local names in any case, so any namespace prefix does; what stands inside `image` and `video` elements
/// is passed over, and so is text before the first element. Each address is an entry, wherever it stands; so are the translations of a
/// page (`xhtml:link rel=alternate`). Linear time; memory by the entries kept. Never fails.
#[must_use]
pub fn parse_sitemap(text: &str, limits: &ListingLimits) -> Sitemap {
    let (head, cut) = head_of(text, limits);
    if is_json_feed(head) {
        let feed = parse_feed(text, limits);
        return Sitemap { kind: SitemapKind::Feed, entries: feed.entries, truncated: feed.truncated };
    }
    let head = from_root(head);
    if !head.starts_with('<') {
        return parse_text(head, limits, cut);
    }
    let mut parser = Parser { limits: *limits, ..Parser::default() };
    // An address needs no element around it.
    let ended = walk(head, |step| parser.step(step)) && parser.finish_entry();
    match parser.kind {
        Some(SitemapKind::Feed) => {
            let feed = parse_feed(text, limits);
            Sitemap { kind: SitemapKind::Feed, entries: feed.entries, truncated: feed.truncated }
        }
        None | Some(SitemapKind::Unknown) => {
            Sitemap { kind: SitemapKind::Unknown, entries: Vec::new(), truncated: cut }
        }
        Some(kind) => Sitemap { kind, entries: parser.entries, truncated: cut || !ended },
    }
}

/// The text within the limit, without a byte order mark and white space in front, and whether there was more.
pub(crate) fn head_of<'a>(text: &'a str, limits: &ListingLimits) -> (&'a str, bool) {
    let head = &text[..text.floor_char_boundary(limits.max_bytes)];
    let is_margin = |character: char| character == '\u{feff}' || character.is_whitespace();
    (head.trim_start_matches(is_margin), head.len() < text.len())
}

fn parse_text(text: &str, limits: &ListingLimits, cut: bool) -> Sitemap {
    let is_address = |line: &&str| {
        let has_scheme = line.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"))
            || line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("https://"));
        has_scheme && line.len() <= MAX_LOC_BYTES
    };
    let mut lines = text.split(['\r', '\n']).map(str::trim).filter(is_address);
    let entries: Vec<SitemapEntry> = lines
        .by_ref()
        .take(limits.max_entries)
        .map(|line| SitemapEntry { loc: line.to_owned(), ..SitemapEntry::default() })
        .collect();
    let kind = if entries.is_empty() { SitemapKind::Unknown } else { SitemapKind::Text };
    Sitemap { kind, entries, truncated: cut || lines.next().is_some() }
}

/// The element whose text is now being collected.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Loc,
    LastMod,
    Priority,
    Title,
    Published,
    /// The text of an entry itself, which is its address where it has no `loc`.
    Bare,
}

#[derive(Default)]
struct Parser {
    limits: ListingLimits,
    kind: Option<SitemapKind>,
    entries: Vec<SitemapEntry>,
    entry: Option<SitemapEntry>,
    published: Option<i64>,
    field: Option<Field>,
    value: String,
    /// Open elements inside an image or video element, itself included.
    skipped: usize,
}

impl Parser {
    fn step(&mut self, step: XmlEvent<'_>) -> bool {
        match step {
            XmlEvent::Open { .. } if self.skipped > 0 => self.skipped += 1,
            XmlEvent::Close { .. } if self.skipped > 0 => self.skipped -= 1,
            XmlEvent::Text(_) if self.skipped > 0 => {}
            XmlEvent::Open { name, prefix, attributes } => return self.open(&lower(name), prefix, &attributes),
            XmlEvent::Close { name } => return self.close(&lower(name)),
            XmlEvent::Text(text) => {
                if let Some(field) = self.field {
                    push_limited(&mut self.value, text, limit_of(field));
                }
            }
        }
        true
    }

    fn open(&mut self, name: &str, prefix: &str, attributes: &Attributes<'_>) -> bool {
        if self.kind.is_none() {
            let kind = match name {
                "urlset" => SitemapKind::UrlSet,
                "sitemapindex" => SitemapKind::Index,
                "rss" | "feed" | "rdf" | "entry" => SitemapKind::Feed,
                _ => SitemapKind::Unknown,
            };
            self.kind = Some(kind);
            return matches!(kind, SitemapKind::UrlSet | SitemapKind::Index);
        }
        self.field = None;
        match name {
            "url" | "sitemap" => {
                // A missing end tag loses nothing: the next entry ends this one.
                return self.finish_entry() && {
                    self.entry = Some(SitemapEntry { is_sitemap: name == "sitemap", ..SitemapEntry::default() });
                    self.field = Some(Field::Bare);
                    self.value.clear();
                    true
                };
            }
            "loc" => {
                let first = self.entry.as_ref().is_none_or(|entry| entry.loc.is_empty());
                let is_sitemap =
                    self.entry.as_ref().map_or(self.kind == Some(SitemapKind::Index), |entry| entry.is_sitemap);
                if !first && !self.finish_entry() {
                    return false;
                }
                self.entry.get_or_insert_with(|| SitemapEntry { is_sitemap, ..SitemapEntry::default() });
                self.field = Some(Field::Loc);
                self.value.clear();
            }
            "link" => return self.translation(attributes),
            "image" | "video" if !prefix.is_empty() => self.skipped = 1,
            "news" => _ = self.entry.as_mut().map(|entry| entry.news = true),
            _ if self.entry.is_some() => {
                self.field = field_of(name);
                self.value.clear();
            }
            _ => {}
        }
        true
    }

    fn close(&mut self, name: &str) -> bool {
        if matches!(name, "url" | "sitemap") {
            if self.field.take() == Some(Field::Bare)
                && let Some(entry) = self.entry.as_mut().filter(|entry| entry.loc.is_empty())
            {
                entry.loc = self.value.trim().to_owned();
            }
            return self.finish_entry();
        }
        let Some(field) = self.field.take() else { return true };
        let Some(entry) = self.entry.as_mut() else { return true };
        let value = self.value.trim();
        match field {
            Field::Loc => entry.loc = value.to_owned(),
            Field::Bare => {}
            Field::LastMod => entry.lastmod = parse_w3c(value),
            Field::Published => self.published = parse_w3c(value),
            Field::Priority => entry.priority = value.parse().ok().filter(|priority| (0.0..=1.0).contains(priority)),
            Field::Title => entry.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
        }
        true
    }

    fn finish_entry(&mut self) -> bool {
        let published = self.published.take();
        let Some(mut entry) = self.entry.take() else { return true };
        entry.lastmod = entry.lastmod.or(published);
        entry.is_sitemap |= is_xml_file(&entry.loc);
        self.push(entry)
    }

    /// A translation of the page whose entry is open is an entry of its own.
    fn translation(&mut self, attributes: &Attributes<'_>) -> bool {
        let is_alternate = attributes.get("rel").is_some_and(|rel| rel.trim().eq_ignore_ascii_case("alternate"));
        match attributes.get("href").filter(|_| is_alternate && self.kind == Some(SitemapKind::UrlSet)) {
            Some(href) => self.push(SitemapEntry { loc: href.trim().to_owned(), ..SitemapEntry::default() }),
            None => true,
        }
    }

    fn push(&mut self, entry: SitemapEntry) -> bool {
        if entry.loc.is_empty() || entry.loc.len() >= MAX_LOC_BYTES {
            return true;
        }
        if self.entries.len() >= self.limits.max_entries {
            return false;
        }
        self.entries.push(entry);
        true
    }
}

fn field_of(name: &str) -> Option<Field> {
    Some(match name {
        "loc" => Field::Loc,
        "lastmod" => Field::LastMod,
        "priority" => Field::Priority,
        "title" => Field::Title,
        "publication_date" => Field::Published,
        _ => return None,
    })
}

fn limit_of(field: Field) -> usize {
    match field {
        Field::Loc | Field::Bare => MAX_LOC_BYTES,
        Field::Title => MAX_TITLE_BYTES,
        Field::LastMod | Field::Priority | Field::Published => MAX_VALUE_BYTES,
    }
}

/// A name in lower case; most are already.
pub(crate) fn lower(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => name.to_ascii_lowercase().into(),
        false => name.into(),
    }
}

/// Whether an address ends like that of a sitemap: url sets name sitemaps too, against the protocol.
fn is_xml_file(loc: &str) -> bool {
    let path = loc.split(['?', '#']).next().unwrap_or_default();
    [".xml", ".xml.gz"].iter().any(|end| {
        path.len() > end.len()
            && path.is_char_boundary(path.len() - end.len())
            && path[path.len() - end.len()..].eq_ignore_ascii_case(end)
    })
}
