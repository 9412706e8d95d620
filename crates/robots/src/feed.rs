//! Feeds: RSS 2.0 and its forebears, RDF (RSS 1.0), Atom (RFC 4287).

use crate::dates::{parse_rfc822, parse_w3c};
use crate::sitemap::{Entry, ListingLimits, MAX_LOC_BYTES, MAX_TITLE_BYTES, head_of};
use crate::xml::{Attributes, Step, push_limited, walk};

/// The entries of one feed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feed {
    /// The feed's own title.
    pub title: Option<String>,
    /// Links may be relative to the feed; the caller resolves them.
    pub entries: Vec<Entry>,
    /// The feed was longer than a limit, or broke off; `entries` is what came before.
    pub truncated: bool,
}

/// Reads a feed, decompressed and decoded: its bytes may be in any charset, which only who has the headers can tell.
///
/// An entry's link is RSS `link`, else a `guid` that is an address, else Atom's `link` with the relation
/// `alternate` or none. Its date is the change (`updated`, `modified`), else the publication. Entries without a link are
/// left out. Linear time; memory by the entries kept. Never fails: what is no feed has no entries.
#[must_use]
pub fn parse_feed(text: &str, limits: &ListingLimits) -> Feed {
    let (head, cut) = head_of(text, limits);
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
    /// Open elements inside the field's element: XHTML titles have some.
    inner: usize,
    /// Open elements inside an element that has titles and links of its own (`source`, `image`, `author`).
    skipped: usize,
}

#[derive(Default)]
struct Draft {
    entry: Entry,
    guid: Option<String>,
    published: Option<i64>,
}

impl Parser {
    fn step(&mut self, step: Step<'_>) -> bool {
        match step {
            Step::Open { .. } if self.skipped > 0 => self.skipped += 1,
            Step::Close { .. } if self.skipped > 0 => self.skipped -= 1,
            Step::Text(_) if self.skipped > 0 => {}
            Step::Open { name, prefix, attributes } => return self.open(name, prefix, &attributes),
            Step::Close { name } => return self.close(name),
            Step::Text(text) => {
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
            self.is_feed = Some(matches!(name, "rss" | "RDF" | "feed"));
            return self.is_feed == Some(true);
        }
        match name {
            "item" | "entry" => {
                self.field = None;
                let go_on = self.finish_entry();
                self.entry = Some(Draft::default());
                return go_on;
            }
            // Media and podcast extensions have titles and links of their own.
            "source" | "image" | "textinput" | "textInput" | "author" | "contributor" => self.skipped = 1,
            _ if prefix == "media" || prefix == "itunes" => self.skipped = 1,
            _ if self.field.is_some() => self.inner += 1,
            _ => self.open_field(name, prefix, attributes),
        }
        true
    }

    fn open_field(&mut self, name: &str, prefix: &str, attributes: &Attributes<'_>) {
        let field = match name {
            "title" => Field::Title,
            "link" if prefix.is_empty() => match attributes.get("href") {
                Some(target) => return self.atom_link(&target, attributes.get("rel")),
                None => Field::Link,
            },
            "guid" if attributes.get("isPermaLink").is_none_or(|permanent| permanent != "false") => Field::Guid,
            "updated" | "modified" => Field::Updated,
            "published" | "issued" | "pubDate" | "date" => Field::Published,
            _ => return,
        };
        self.field = Some(field);
        self.inner = 0;
        self.value.clear();
    }

    fn atom_link(&mut self, target: &str, relation: Option<String>) {
        let is_page = relation.is_none_or(|relation| relation == "alternate");
        if let Some(draft) = self.entry.as_mut().filter(|draft| is_page && draft.entry.loc.is_empty()) {
            push_limited(&mut draft.entry.loc, target.trim(), MAX_LOC_BYTES);
        }
    }

    fn close(&mut self, name: &str) -> bool {
        if matches!(name, "item" | "entry") {
            self.field = None;
            return self.finish_entry();
        }
        if self.inner > 0 {
            self.inner -= 1;
            return true;
        }
        let Some(field) = self.field.take() else { return true };
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
            Field::Guid => draft.guid = Some(value.to_owned()).filter(|guid| guid.starts_with("http")),
            Field::Updated => draft.entry.lastmod = parse_w3c(value).or_else(|| parse_rfc822(value)),
            Field::Published => draft.published = parse_rfc822(value).or(draft.published),
        }
        true
    }

    fn finish_entry(&mut self) -> bool {
        let Some(Draft { mut entry, guid, published }) = self.entry.take() else { return true };
        entry.lastmod = entry.lastmod.or(published);
        if entry.loc.is_empty() {
            entry.loc = guid.unwrap_or_default();
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
