//! Feeds: RSS 2.0 and its forebears, RDF (RSS 1.0), Atom (RFC 4287), JSON Feed 1.1.

use crate::dates::{parse_rfc822, parse_w3c};
use crate::json_feed;
use crate::listing::{from_root, is_json_feed};
use crate::sitemap::{ListingLimits, MAX_LOC_BYTES, MAX_TITLE_BYTES, SitemapEntry, head_of, lower};
use crate::xml::{Attributes, XmlEvent, push_limited, walk};

/// The entries of one feed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feed {
    /// The feed's own title.
    pub title: Option<String>,
    /// Links may be relative to the feed; the caller resolves them.
    pub entries: Vec<SitemapEntry>,
    /// The feed that has the entries before these (RFC 5005 §3 and §4, `next_url` of JSON Feed); may be relative, as the links.
    pub older: Option<String>,
    /// The feed was longer than a limit, or broke off; `entries` is what came before.
    pub truncated: bool,
}

/// Reads a feed, decompressed and decoded: its bytes may be in any charset, which only who has the headers can tell.
///
/// An entry's link is RSS `link`, or Atom's `link` with the relation `alternate` or none, under any prefix; else a `guid` or an `id`
/// that is an address; FeedBurner's `origLink` comes before all, since its `link` only counts visits. A document of one Atom entry is a
/// feed of one. Text before the first element is passed over. Its date is the change (`updated`, `modified`), else the publication.
/// Entries without a link are left out. Linear time; memory by the entries kept. Never fails: what is no feed has no entries.
#[must_use]
pub fn parse_feed(text: &str, limits: &ListingLimits) -> Feed {
    let (head, cut) = head_of(text, limits);
    if is_json_feed(head) {
        return json_feed::parse(head, limits.max_entries, cut);
    }
    let head = from_root(head);
    let mut parser = Parser { limits: *limits, ..Parser::default() };
    let ended = walk(head, |step| parser.step(step));
    let is_feed = parser.is_feed == Some(true);
    parser.feed.truncated = cut || (is_feed && !ended);
    parser.feed
}

#[derive(Clone, Copy, PartialEq)]
enum Field {
    Title,
    Link,
    OriginalLink,
    Guid,
    Updated,
    Published,
}

#[derive(Default)]
struct Parser {
    limits: ListingLimits,
    is_feed: Option<bool>,
    feed: Feed,
    entry: Option<Draft>,
    field: Option<Field>,
    value: String,
    /// Name of the field's element. Its end ends the field, whatever is open inside: XHTML titles have elements, and some titles have
    /// tags without an end.
    element: String,
    /// `xml:base` of the feed, or of its channel.
    base: Option<String>,
    /// Open elements inside an element that has titles and links of its own (`source`, `image`, `author`).
    skipped: usize,
}

#[derive(Default)]
struct Draft {
    entry: SitemapEntry,
    original: Option<String>,
    guid: Option<String>,
    published: Option<i64>,
    /// Prefix of its element.
    prefix: String,
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
                    let limit = if field == Field::Title { MAX_TITLE_BYTES } else { MAX_LOC_BYTES };
                    push_limited(&mut self.value, text, limit);
                }
            }
        }
        true
    }

    fn open(&mut self, name: &str, prefix: &str, attributes: &Attributes<'_>) -> bool {
        if self.is_feed.is_none() {
            self.is_feed = Some(matches!(name, "rss" | "rdf" | "feed" | "entry"));
            if name != "entry" {
                self.base = attributes.get("base");
                return self.is_feed == Some(true);
            }
        }
        match name {
            "item" | "entry" => {
                self.field = None;
                let go_on = self.finish_entry();
                let base = attributes.get("base").map(|base| rebased(self.base.as_deref(), &base));
                let entry = SitemapEntry { base: base.or_else(|| self.base.clone()), ..SitemapEntry::default() };
                self.entry = Some(Draft { entry, prefix: prefix.to_owned(), ..Draft::default() });
                return go_on;
            }
            "channel" => self.base = attributes.get("base").or(self.base.take()),
            // Media and podcast extensions have titles and links of their own.
            "source" | "image" | "textinput" | "author" | "contributor" => self.skipped = 1,
            _ if prefix == "media" || prefix == "itunes" => self.skipped = 1,
            _ if self.field.is_some() => {}
            _ => self.open_field(name, prefix, attributes),
        }
        true
    }

    fn open_field(&mut self, name: &str, prefix: &str, attributes: &Attributes<'_>) {
        let field = match name {
            "title" => Field::Title,
            "link" => match attributes.get("href") {
                Some(target) => return self.atom_link(&target, attributes.get("rel")),
                None if prefix.is_empty() || self.entry.as_ref().is_some_and(|draft| draft.prefix == prefix) => {
                    Field::Link
                }
                None => return,
            },
            "origlink" => Field::OriginalLink,
            "id" => Field::Guid,
            "guid" if attributes.get("isPermaLink").is_none_or(|permanent| permanent != "false") => Field::Guid,
            "updated" | "modified" => Field::Updated,
            "published" | "issued" | "pubdate" | "date" => Field::Published,
            _ => return,
        };
        self.field = Some(field);
        name.clone_into(&mut self.element);
        self.value.clear();
    }

    fn atom_link(&mut self, target: &str, relation: Option<String>) {
        const REGISTERED: &str = "http://www.iana.org/assignments/relation/";
        let relation = relation.as_deref().map_or("alternate", str::trim);
        let is = |known: &str| relation.strip_prefix(REGISTERED).unwrap_or(relation).eq_ignore_ascii_case(known);
        match &mut self.entry {
            Some(draft) if is("alternate") && draft.entry.loc.is_empty() => {
                push_limited(&mut draft.entry.loc, target.trim(), MAX_LOC_BYTES);
            }
            None if is("next") || is("prev-archive") => {
                let target = target.trim();
                self.feed.older = (target.len() < MAX_LOC_BYTES).then(|| target.to_owned());
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) -> bool {
        if matches!(name, "item" | "entry") {
            self.field = None;
            return self.finish_entry();
        }
        let Some(field) = self.field.take_if(|_| self.element == name) else { return true };
        let value = self.value.trim();
        let Some(draft) = self.entry.as_mut() else {
            if field == Field::Title && self.feed.title.is_none() && !value.is_empty() {
                self.feed.title = Some(value.to_owned());
            }
            return true;
        };
        match field {
            Field::Title => draft.entry.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
            Field::Link if draft.entry.loc.is_empty() => draft.entry.loc = value.to_owned(),
            Field::Link => {}
            Field::OriginalLink => draft.original = Some(value.to_owned()).filter(|link| link.starts_with("http")),
            Field::Guid => draft.guid = Some(value.to_owned()).filter(|guid| guid.starts_with("http")),
            Field::Updated => draft.entry.lastmod = parse_w3c(value).or_else(|| parse_rfc822(value)),
            Field::Published => draft.published = parse_rfc822(value).or(draft.published),
        }
        true
    }

    fn finish_entry(&mut self) -> bool {
        let Some(Draft { mut entry, original, guid, published, .. }) = self.entry.take() else { return true };
        entry.lastmod = entry.lastmod.or(published);
        if let Some(loc) = original.or(guid.filter(|_| entry.loc.is_empty())) {
            entry.loc = loc;
        }
        if entry.loc.is_empty() || entry.loc.len() >= MAX_LOC_BYTES {
            return true;
        }
        if self.feed.entries.len() >= self.limits.max_entries {
            return false;
        }
        self.feed.entries.push(entry);
        true
    }
}

/// The base `inner` within the base `outer`, both as written: the one who knows where the feed stands resolves the result.
fn rebased(outer: Option<&str>, inner: &str) -> String {
    let is_absolute =
        inner.starts_with('/') || inner.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
    match outer.filter(|_| !is_absolute) {
        Some(outer) => format!("{}{inner}", &outer[..outer.rfind('/').map_or(0, |slash| slash + 1)]),
        None => inner.to_owned(),
    }
}
