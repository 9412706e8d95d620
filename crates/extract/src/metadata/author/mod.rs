//! Who wrote a page.

mod byline;
mod chinese;
mod line;
mod name;
mod words;

use std::cell::OnceCell;
use std::ops::Range;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::Row;

use super::class_names::is_comment;
use super::context::Context;
use super::date::{self, DateStyle};
use super::sources::{Found, SourceRow, ValueSource, first};
use super::value::{SITE_KEYS, first_meta};
use name::{is_organisation, is_proper, join};

type Find = fn(&Writers<'_>) -> Option<String>;

/// The sources of an author: what is declared, then what is shown. Some pages declare the site, an account or an editorial office
/// where a byline has the writer, so offices and sites come last.
const AUTHORS: &[SourceRow<Find>] = &[
    (ValueSource::JsonLd, 0.95, |page| page.declared(ValueSource::JsonLd)),
    (ValueSource::Meta, 0.89, |page| page.declared(ValueSource::Meta)),
    (ValueSource::Microdata, 0.87, |page| page.item(Name::ITEMPROP).filter(|name| page.is_shown(name))),
    (ValueSource::RelAuthor, 0.90, |page| page.item(Name::REL).filter(|name| page.is_shown(name))),
    (ValueSource::ClassName, 0.74, |page| page.named()),
    (ValueSource::NearTitle, 0.85, |page| page.in_rows(page.context.near.clone(), line::in_byline)),
    (ValueSource::Label, 0.83, |page| page.in_rows(page.below_near(), line::in_any_line)),
    (ValueSource::Office, 0.65, |page| page.declared.as_ref().map(|(_, name)| name.clone())),
    (ValueSource::Organisation, 0.82, |page| {
        join(page.context.facts.organisations.iter().chain(&page.context.facts.authors))
    }),
    (ValueSource::SiteName, 0.88, |page| join(page.metas()).or_else(|| page.any_item())),
];

#[rustfmt::skip]
const META_KEYS: &[&str] = &[
    "author", "article:author", "og:article:author", "dc.creator", "dcterms.creator", "byl", "parsely-author",
    "sailthru.author", "citation_author",
];
/// Keys of libraries, which write `Last, First`.
const LAST_FIRST: &[&str] = &["citation_author", "dc.creator", "dcterms.creator"];
const MAX_METAS: usize = 20;
/// Longest row that is a byline.
const MAX_ROW_CHARS: u32 = 120;

/// The writer or writers of a page. Whoever is named like the site is one only when nobody else is, and when the name may be a
/// person's.
pub(super) fn author(context: &Context<'_>) -> Option<Found<String>> {
    let page = Writers::new(context);
    let found = first(AUTHORS, |find| find(&page))?;
    let name = &found.value;
    (page.is_person(name) || is_proper(name) && !is_organisation(name)).then_some(found)
}

/// The name in an element that stands for the writer of a post: handles, too, but no dates and no markup.
pub(crate) fn person(doc: &Doc, id: NodeId) -> Option<String> {
    let name = byline::of_item(doc, id).filter(|name| date::find(name, &DateStyle::default()).is_none())?;
    // A handle may be mostly digits; a count has a word behind them.
    let count = name.contains(' ') && name.chars().filter(char::is_ascii_digit).count() * 2 > name.len();
    (!name.contains(':') && !count).then(|| name::without_verb(&name).to_owned())
}

/// What several sources ask.
struct Writers<'p> {
    context: &'p Context<'p>,
    /// The name of the site in lower case.
    site: String,
    metas: OnceCell<Vec<String>>,
    /// Whom JSON-LD, else `meta`, names besides the site.
    declared: Option<(ValueSource, String)>,
    /// That is an office or an account.
    is_office: bool,
}

impl<'p> Writers<'p> {
    fn new(context: &'p Context<'p>) -> Writers<'p> {
        let site = first_meta(context.page.doc, SITE_KEYS).or_else(|| context.facts.publisher.clone());
        let site = site.unwrap_or_default().to_lowercase();
        let mut page = Writers { context, site, metas: OnceCell::new(), declared: None, is_office: false };
        let in_json_ld = join(&context.facts.authors).filter(|name| page.is_person(name));
        let in_meta = || join(page.metas().iter().filter(|name| page.is_person(name)));
        page.declared = match in_json_ld {
            Some(names) => Some((ValueSource::JsonLd, names)),
            None => in_meta().map(|names| (ValueSource::Meta, names)),
        };
        page.is_office = page.declared.as_ref().is_some_and(|(_, name)| name.contains([' ', '.']) && !is_proper(name));
        page
    }

    fn is_person(&self, name: &str) -> bool {
        name.to_lowercase() != self.site
    }

    /// Whether what a page shows may stand for what it declares.
    fn is_shown(&self, name: &str) -> bool {
        self.is_person(name) && self.replaces_office(name)
    }

    fn replaces_office(&self, name: &str) -> bool {
        !self.is_office || is_proper(name)
    }

    fn declared(&self, wanted: ValueSource) -> Option<String> {
        let declared = self.declared.as_ref().filter(|(source, _)| *source == wanted && !self.is_office);
        declared.map(|(_, name)| name.clone())
    }

    /// The names in `meta`, of the first key that has one.
    fn metas(&self) -> &[String] {
        let all = || META_KEYS.iter().map(|key| metas(self.context.page.doc, key)).find(|names| !names.is_empty());
        self.metas.get_or_init(|| all().unwrap_or_default())
    }

    fn any_item(&self) -> Option<String> {
        self.context.items.authors.first().and_then(|&id| byline::of_item(self.context.page.doc, id))
    }

    /// The name in the first element that is called the author in this attribute.
    fn item(&self, by: Name) -> Option<String> {
        let first = *self.context.items.authors.first()?;
        let is_author =
            |name| self.context.page.doc.attr(first, name).is_some_and(|value| value.eq_ignore_ascii_case("author"));
        let own = if is_author(Name::ITEMPROP) { Name::ITEMPROP } else { Name::REL };
        (own == by).then(|| self.any_item()).flatten()
    }

    fn named(&self) -> Option<String> {
        let doc = self.context.page.doc;
        let mut bylines = self.context.items.bylines.iter().filter(|&&id| !is_comment(doc, id));
        bylines.find_map(|&id| byline::of_byline(doc, id)).filter(|name| self.is_shown(name))
    }

    fn below_near(&self) -> Range<usize> {
        self.context.near.end..self.context.page.rows.len()
    }

    /// The name in the first of some rows that says who wrote the page, or below one that says only that a name follows. What
    /// stands among comments does not count.
    fn in_rows(&self, mut rows: Range<usize>, read: fn(&str) -> Option<String>) -> Option<String> {
        let page = self.context.page;
        let text = |row: &Row| page.row_text(row);
        let short = |row: &&Row| row.chars <= MAX_ROW_CHARS;
        let says = |at: usize| {
            let own = text(page.rows.get(at).filter(short)?);
            let found = match line::is_label(own) {
                true => page.rows[at + 1..].iter().take(2).take_while(short).map(text).find_map(line::whole),
                false => read(own),
            };
            found.filter(|_| !is_comment(page.doc, page.rows[at].block))
        };
        rows.find_map(says).filter(|name| self.replaces_office(name))
    }
}

/// The names in all `meta` elements with a key: pages with several authors repeat it.
fn metas(doc: &Doc, key: &str) -> Vec<String> {
    let contents = doc.metas().filter(|meta| meta.key.eq_ignore_ascii_case(key)).map(|meta| meta.content);
    let names = contents.take(MAX_METAS).filter_map(name::name).enumerate();
    // `Image: Jane Doe` behind the name of another is whom a picture is from.
    let names = names.filter(|(at, name)| *at == 0 || !name.contains(':')).map(|(_, name)| name);
    match LAST_FIRST.contains(&key) {
        true => names.map(|name| name::first_last(&name).unwrap_or(name)).collect(),
        false => names.collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sound() {
        super::super::sources::assert_is_sound(super::AUTHORS);
    }
}
