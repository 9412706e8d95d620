//! Who wrote a page.

mod byline;
mod chinese;
mod line;
mod name;
mod teasers;
mod words;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, Row};
use gristmill_text::is_cjk;
use url::Url;

use super::class_names::{is_comment, is_quoted};
use super::context::MetadataContext;
use super::date::{self, DateStyle, without_dates};
use super::mail;
use super::sources::{SourceRow, SourcedValue, ValueSource, first};
use super::value::{SITE_KEYS, first_meta, parsely};
use crate::headline::is_host;
use chinese::chinese;
use name::{is_organisation, is_personal, is_proper, join};
use teasers::is_of_another_page;
use words::{NameRole, is};

type Find = fn(&Writers<'_>) -> Option<String>;

/// The sources of an author: what is declared, then what is shown. Some pages declare the site, an account or an editorial office
/// where a byline has the writer, so offices and sites come last.
const AUTHORS: &[SourceRow<Find>] = &[
    (ValueSource::JsonLd, 0.95, |page| page.declared(ValueSource::JsonLd)),
    (ValueSource::Meta, 0.89, |page| page.declared(ValueSource::Meta)),
    (ValueSource::Microdata, 0.87, |page| page.item(LocalName::ITEMPROP).filter(|name| page.is_shown(name))),
    (ValueSource::RelAuthor, 0.90, |page| page.item(LocalName::REL).filter(|name| page.is_shown(name))),
    (ValueSource::ClassName, 0.74, |page| page.named()),
    (ValueSource::NearTitle, 0.85, |page| {
        page.in_rows(page.context.near.clone(), line::in_byline)
            .or_else(|| page.behind_label())
            .or_else(|| page.by_address())
            .or_else(|| page.behind_particle())
            .or_else(|| page.beside_date())
            .or_else(|| page.above_date())
    }),
    (ValueSource::Label, 0.83, |page| {
        let of_mail = || name::name(mail::header(page.context.page)?.writer());
        of_mail().or_else(|| page.in_rows(page.below_near(), line::in_any_line)).or_else(|| page.signed())
    }),
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
/// Most elements of bylines whose writers are taken with the first.
const MAX_BESIDE: usize = 7;
/// Longest row that is a byline.
const MAX_ROW_CHARS: u32 = 120;
/// Longest row that is a name and a day, in characters.
const MAX_DATED: usize = 80;

/// What stands between a name and a day.
const BESIDE_DATE: [char; 8] = ['|', '•', '·', '—', '–', '›', '»', ','];

/// The writer or writers of a page. Whoever is named like the site is one only when nobody else is, and when the name may be a
/// person's.
pub(super) fn author(context: &MetadataContext<'_>) -> Option<SourcedValue<String>> {
    let page = Writers::new(context);
    let mut found = first(AUTHORS, |find| find(&page))?;
    found.value = page.without_site(found.value);
    let name = &found.value;
    (page.is_person(name) || is_personal(name)).then_some(found)
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
    context: &'p MetadataContext<'p>,
    /// The name of the site in lower case.
    site: String,
    host: Option<String>,
    metas: OnceCell<Vec<String>>,
    /// Whom JSON-LD, else `meta`, names besides the site.
    declared: Option<(ValueSource, String)>,
    /// That is an office or an account.
    is_office: bool,
}

impl<'p> Writers<'p> {
    fn new(context: &'p MetadataContext<'p>) -> Writers<'p> {
        let site = first_meta(context.page.doc, SITE_KEYS).or_else(|| context.facts.publisher.clone());
        let site = site.unwrap_or_default().to_lowercase();
        let url = context.url.and_then(|url| Url::parse(url).ok());
        let host = url.as_ref().and_then(Url::host_str).map(str::to_owned);
        let mut page = Writers { context, site, host, metas: OnceCell::new(), declared: None, is_office: false };
        let in_json_ld = join(&page.all_without_own(&context.facts.authors)).filter(|name| page.is_person(name));
        let in_meta = || join(page.all_without_own(page.metas()).iter().filter(|name| page.is_person(name)));
        page.declared = match in_json_ld {
            Some(names) => Some((ValueSource::JsonLd, names)),
            None => in_meta().map(|names| (ValueSource::Meta, names)),
        };
        // Forums declare accounts in JSON-LD, which are those of the writers.
        let is_office = |source: ValueSource, name: &str| {
            page.is_host(name)
                || name.contains([' ', '.']) && !is_proper(name)
                || name.split(", ").all(is_organisation)
                || source == ValueSource::Meta && is_account(name)
        };
        page.is_office = page.declared.as_ref().is_some_and(|(source, name)| is_office(*source, name));
        page
    }

    fn is_person(&self, name: &str) -> bool {
        name.to_lowercase() != self.site
    }

    /// Declared names without that of the site behind a sign, and without what reporters are called: `Jane Doe | Mill Post`.
    fn all_without_own(&self, names: &[String]) -> Vec<String> {
        const SIGNS: [&str; 6] = [" | ", " - ", " – ", " — ", " · ", "｜"];
        let without_own = |name: &String| {
            let parted = SIGNS.iter().find_map(|sign| name.rsplit_once(sign));
            let own = parted.filter(|(who, site)| is_personal(who) && (!self.is_person(site) || self.is_host(site)));
            own.map(|(who, _)| who.to_owned()).or_else(|| chinese(name, false)).unwrap_or_else(|| name.clone())
        };
        names.iter().map(without_own).collect()
    }

    /// `Jane Doe, Mill Post` without the name of the site.
    fn without_site(&self, names: String) -> String {
        match names.split_once(", ") {
            Some((first, rest)) if is_proper(first) => {
                let others = rest.split(", ").filter(|name| self.is_person(name) && !self.is_host(name));
                std::iter::once(first).chain(others).collect::<Vec<_>>().join(", ")
            }
            _ => names,
        }
    }

    /// Whether somebody who is no person by the form of the name is called like the host.
    fn is_host(&self, name: &str) -> bool {
        !is_proper(name) && self.host.as_deref().is_some_and(|host| is_host(name, host))
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

    /// The names in `meta`, of the first key that names a person, else of the first that has one.
    fn metas(&self) -> &[String] {
        let doc = self.context.page.doc;
        let known = || META_KEYS.iter().map(|key| metas(doc, key));
        let of_card =
            || labelled(doc).into_iter().chain(parsely(doc, "author").and_then(|who| name::name(&who))).collect();
        let other = || std::iter::once_with(of_card).chain(other_metas(doc));
        let all = || known().chain(other()).filter(|names| !names.is_empty());
        let a_person = |names: &Vec<String>| names.iter().any(|name| self.is_person(name) && is_personal(name));
        // A firm gives way to a person and nobody else does: an account is as good as what it stands for.
        let is_firm = |names: &Vec<String>| {
            names.iter().all(|name| !self.is_person(name) || self.is_host(name) || is_organisation(name))
        };
        self.metas.get_or_init(|| {
            let first = all().next().unwrap_or_default();
            if is_firm(&first) { all().find(a_person).unwrap_or(first) } else { first }
        })
    }

    /// Those who are called the author in microdata or `rel`, without writers of comments and those who are quoted.
    fn items(&self) -> impl Iterator<Item = NodeId> {
        let doc = self.context.page.doc;
        let is_other = |id: NodeId| {
            is_comment(doc, id) || is_quoted(doc, id) || is_of_comment(doc, id) || is_of_another_page(self.context, id)
        };
        self.context.items.authors.iter().copied().filter(move |&id| !is_other(id))
    }

    /// Whether a row stands below the title of another page.
    fn is_of_another(&self, row: &Row) -> bool {
        let first = self.context.page.row_leaves(row).first();
        first.is_some_and(|leaf| is_of_another_page(self.context, leaf.node))
    }

    /// The names in the first such element, and in those that stand beside it.
    fn any_item(&self) -> Option<String> {
        const MAX_NODES: usize = 60;
        let doc = self.context.page.doc;
        let first = self.items().next()?;
        let around = doc.ancestors(first).take(2).take_while(|&around| doc.end(around) - around.index() <= MAX_NODES);
        let beside = around.last().unwrap_or(first);
        let names = self.items().take_while(|&id| doc.contains(beside, id));
        join(names.filter_map(|id| byline::of_item(doc, id)).collect::<Vec<_>>().iter())
    }

    /// The names in the first elements that are called the author in this attribute.
    fn item(&self, by: LocalName) -> Option<String> {
        let first = self.items().next()?;
        let is_author =
            |name| self.context.page.doc.attr(first, name).is_some_and(|value| value.eq_ignore_ascii_case("author"));
        let own = if is_author(LocalName::ITEMPROP) { LocalName::ITEMPROP } else { LocalName::REL };
        (own == by).then(|| self.any_item()).flatten()
    }

    fn named(&self) -> Option<String> {
        let doc = self.context.page.doc;
        // Of a list of teasers some may have titles too short to tell.
        let place = |id: NodeId| {
            let above = doc.parent(id);
            (doc.attr(id, LocalName::CLASS), above.map(|above| (doc.name(above), doc.attr(above, LocalName::CLASS))))
        };
        let all = &self.context.items.bylines;
        let others: Vec<_> =
            all.iter().filter(|&&id| is_of_another_page(self.context, id)).map(|&id| place(id)).collect();
        let own = |id: &&NodeId| !is_comment(doc, **id) && !is_quoted(doc, **id) && !others.contains(&place(**id));
        let mut bylines = all.iter().filter(own).copied();
        let (first, name) = bylines.find_map(|id| Some((id, byline::of_byline(doc, id)?)))?;
        let named = |id: NodeId| (doc.name(id), doc.parent(id), doc.attr(id, LocalName::CLASS));
        let beside = bylines.filter(|&id| named(id) == named(first) && is_proper(&name));
        let others = beside.filter_map(|id| byline::of_byline(doc, id)).filter(|other| is_personal(other));
        join(&std::iter::once(name.clone()).chain(others.take(MAX_BESIDE)).collect::<Vec<_>>())
            .filter(|name| self.is_shown(name))
    }

    /// The name that stands beside a date and nothing else in a row near the title: `Jane Doe` and `3 May 2020` in spans, or with a
    /// stroke or a dot between them.
    fn beside_date(&self) -> Option<String> {
        let page = self.context.page;
        let near = page.rows[self.context.near.clone()].iter().filter(|row| row.chars <= MAX_ROW_CHARS);
        let is_own = |name: &str| {
            let is_plain = !name.contains([':', '*', '!', '?', '"', '…', '/']) && name.starts_with(char::is_uppercase);
            let is_name = is_plain && is_personal(name) && name.split(' ').count() <= 4;
            is_name && !begins_no_name(name) && !date::is_date_label(name)
        };
        let only = |row: &Row| {
            let text = &*parted(page, row);
            only_name(text).and_then(line::whole).filter(|name| text.chars().count() <= MAX_DATED && is_own(name))
        };
        let in_text = |row: &Row| {
            let text = page.row_text(row);
            let is_dated = |text: &str| {
                !text.contains(['|', '•', '·'])
                    && (date::is_day_row(text, &self.context.style) || is_month(text.trim()))
            };
            let named = |name: &str, day: &str| line::whole(name.trim()).filter(|name| is_dated(day) && is_own(name));
            let mut parted = BESIDE_DATE.iter().filter_map(|sign| text.split_once(*sign));
            parted
                .find_map(|(first, rest)| named(first, rest).or_else(|| named(rest, first)))
                .filter(|_| text.chars().count() <= MAX_DATED)
        };
        let name_of = |row: &Row| {
            let leaves: Vec<&str> = page.row_leaves(row).iter().map(|leaf| page.leaf_text(leaf)).collect();
            let (first, next) =
                (*leaves.first()?, leaves.get(1..)?.iter().find(|leaf| leaf.chars().any(char::is_alphanumeric))?);
            let dated = leaves.len() <= 5 && date::find(next, &self.context.style).is_some();
            line::whole(first).filter(|name| dated && is_own(name))
        };
        let is_other = |row: &Row| is_comment(page.doc, row.block) || self.is_of_another(row);
        let name_of =
            |row: &Row| name_of(row).or_else(|| in_text(row)).or_else(|| only(row)).filter(|_| !is_other(row));
        near.filter(|row| !row.in_heading).find_map(name_of).filter(|name| self.is_shown(name))
    }

    /// The name that a row below the title is, with nothing but a trade, a paper or an address between it and a day: `Jane Doe`, `Reporter`,
    /// `4 March 2021`. A link that leads to no writer is a section.
    fn above_date(&self) -> Option<String> {
        const BELOW: usize = 6;
        const BETWEEN: usize = 1;
        const SIGNS: [char; 7] = [':', ';', '|', '–', '©', '(', '?'];
        let page = self.context.page;
        let rows = &page.rows[self.context.near.clone()];
        let title = rows.iter().position(|row| self.context.heading == Some(row.block))?;
        let below = &rows[title + 1..rows.len().min(title + 1 + BELOW)];
        let is_day = |row: &Row| date::is_day_row(page.row_text(row), &self.context.style);
        let day = below.iter().position(is_day)?;
        let named = |row: &Row| {
            let text = page.row_text(row);
            let is_plain = row.link_chars == 0
                && !row.in_heading
                && text.chars().count() <= MAX_DATED
                && !text.contains(SIGNS)
                && !text.contains(" - ");
            let is_other =
                || is_comment(page.doc, row.block) || is_quoted(page.doc, row.block) || self.is_of_another(row);
            let name = line::whole(text).filter(|_| is_plain && !is_other())?;
            let is_own = is_personal(&name) && (2..=4).contains(&name.split(' ').count());
            (is_own && !begins_no_name(&name) && !date::is_date_label(&name)).then_some(name)
        };
        let is_short = |row: &Row| row.link_chars == 0 && row.chars as usize <= MAX_DATED / 2;
        let from = day.saturating_sub(BETWEEN + 1);
        let above = (from..day).rev().take_while(|&at| at + 1 == day || is_short(&below[at + 1]));
        let found: Vec<String> = above.filter_map(|at| named(&below[at])).collect();
        found.into_iter().next_back().filter(|name| self.is_shown(name))
    }

    /// The name behind a word for by that the language of the page has, in a row near the title: `16 iunie 2022, de Ion Popescu`.
    fn behind_particle(&self) -> Option<String> {
        let page = self.context.page;
        let near = page.rows[self.context.near.clone()].iter().filter(|row| row.chars <= MAX_ROW_CHARS);
        let named = |row: &Row| {
            let undated = without_dates(page.row_text(row));
            let mut parts = undated.split(BESIDE_DATE).map(str::trim);
            parts.find_map(|part| byline::behind_particle(page.doc, part).and_then(line::whole))
        };
        let own = near.filter(|row| !row.in_heading && !is_comment(page.doc, row.block));
        own.filter(|row| !self.is_of_another(row)).find_map(named).filter(|name| self.is_shown(name))
    }

    /// The name behind a label in an element of its own in the same row near the title: `<b>Author</b><b>Jane Doe</b>`.
    fn behind_label(&self) -> Option<String> {
        let page = self.context.page;
        let near = page.rows[self.context.near.clone()].iter().filter(|row| row.chars <= MAX_ROW_CHARS);
        let named = |row: &Row| {
            let leaves = page.row_leaves(row).iter().map(|leaf| page.leaf_text(leaf).trim());
            let mut leaves = leaves.filter(|text| text.contains(char::is_alphabetic));
            let (label, name) = (leaves.next()?, leaves.next()?);
            line::is_label(label).then(|| line::whole(name)).flatten().filter(|name| is_personal(name))
        };
        let own = near.filter(|row| !is_comment(page.doc, row.block) && !self.is_of_another(row));
        own.into_iter().find_map(named).filter(|name| self.is_shown(name))
    }

    /// The name that leads to the page of a writer, in a link near the title.
    fn by_address(&self) -> Option<String> {
        let page = self.context.page;
        let doc = page.doc;
        let near = page.rows[self.context.near.clone()].iter().filter(|row| row.link_chars > 0);
        let is_own = |row: &&Row| !is_comment(doc, row.block) && !self.is_of_another(row);
        let own = near.filter(|row| !row.in_heading).filter(is_own);
        let name_of = |leaf: &gristmill_page::TextNode| {
            let link = doc.ancestors(leaf.node).take(6).find(|&id| doc.name(id) == LocalName::A)?;
            let leads = doc.attr(link, LocalName::HREF).is_some_and(leads_to_writer);
            leads
                .then(|| line::whole(page.leaf_text(leaf)))
                .flatten()
                .filter(|name| (is_personal(name) || is_short_cjk(name)) && !begins_no_name(name))
        };
        // `Jane Doe and Bo Wu`, each a link
        let names = |row: &Row| {
            let names: Vec<String> =
                page.row_leaves(row).iter().filter(|leaf| leaf.in_link).filter_map(name_of).take(MAX_BESIDE).collect();
            join(&names)
        };
        // `Jane Doe jane at mill.example`, of which the address is a link
        let before_mail = |row: &Row| match page.row_leaves(row) {
            [who, address] if !who.in_link && address.in_link => {
                let is_mail = |id| doc.attr(id, LocalName::HREF).is_some_and(|href| href.starts_with("mailto:"));
                let leads = doc.ancestors(address.node).take(2).any(is_mail);
                leads.then(|| line::whole(page.leaf_text(who))).flatten().filter(|name| is_personal(name))
            }
            _ => None,
        };
        // `miller92 · 3 March`, of which the first is a link, or the link alone where it leads to a writer
        let account = |row: &Row| {
            let first = page.row_leaves(row).first().filter(|leaf| leaf.in_link)?;
            let link = doc.ancestors(first.node).take(6).find(|&id| doc.name(id) == LocalName::A)?;
            let (text, rest) = page.row_text(row).split_at_checked(page.leaf_text(first).trim_end().len())?;
            let name = text.trim_start_matches('@');
            let href = doc.attr(link, LocalName::HREF).filter(|href| leads_to_account(href, name))?;
            let is_byline = rest.contains(char::is_numeric) || rest.is_empty() && leads_to_writer(href);
            (is_byline && !begins_no_name(name)).then(|| name.to_owned())
        };
        let found = own.clone().find_map(names).or_else(|| own.clone().find_map(before_mail));
        let found = found.or_else(|| own.into_iter().find_map(account));
        found.filter(|name| self.is_shown(name))
    }

    /// Whether a row is a link to a place on a page, as in a list of sections.
    fn leads_within(&self, row: &Row) -> bool {
        let page = self.context.page;
        let first = page.row_leaves(row).first().filter(|leaf| leaf.in_link);
        let link = first.and_then(|leaf| page.doc.ancestors(leaf.node).find(|&id| page.doc.name(id) == LocalName::A));
        link.is_some_and(|link| page.doc.attr(link, LocalName::HREF).is_some_and(|href| href.contains('#')))
    }

    /// The name that stands alone at the right edge below a text, as papers sign it.
    fn signed(&self) -> Option<String> {
        let page = self.context.page;
        let named = |row: &Row| {
            let text = page.row_text(row);
            let is_plain = row.link_chars == 0 && !row.in_heading && text.chars().count() <= MAX_DATED / 2;
            let is_at_right = page.doc.name(row.block) == LocalName::P && is_at_right(page.doc, row.block);
            let name = (is_plain && is_at_right).then(|| line::whole(text)).flatten()?;
            let is_name = is_personal(&name) && (2..=4).contains(&name.split(' ').count()) && !begins_no_name(&name);
            let is_own = || !is_comment(page.doc, row.block) && !is_quoted(page.doc, row.block);
            (is_name && is_own()).then_some(name)
        };
        page.rows[self.below_near()].iter().filter_map(named).find(|name| self.is_shown(name))
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
            let row = page.rows.get(at).filter(short)?;
            let own = &*parted(page, row);
            let is_below = |row: &&Row| short(row) && !row.in_heading;
            let found = match line::is_label(own) && !self.leads_within(row) {
                true => below_label(own, page.rows[at + 1..].iter().take_while(is_below).map(text)),
                false => read(own),
            };
            let is_other = || is_comment(page.doc, row.block) || is_quoted(page.doc, row.block);
            found.filter(|_| !is_other() && !self.is_of_another(row))
        };
        rows.find_map(says).filter(|name| self.is_shown(name))
    }
}

/// The text of a row, with the space that style shows between a small letter and the capital that begins the next element:
/// `<span>By Jane Doe</span><span>Edited by Bo Wu</span>`.
fn parted<'p>(page: &'p Page<'_>, row: &Row) -> Cow<'p, str> {
    let text = page.row_text(row);
    let leaves = page.row_leaves(row);
    if leaves.len() < 2 || text.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut parted, mut from) = (String::new(), 0);
    for two in leaves.windows(2) {
        let (before, behind) = (page.leaf_text(&two[0]), page.leaf_text(&two[1]));
        let glued = before.ends_with(char::is_lowercase) && behind.starts_with(char::is_uppercase);
        let seam = |at: usize| from + at + before.trim().len();
        let Some(at) = text[from..].find(before.trim()).map(seam).filter(|_| !before.trim().is_empty()) else {
            continue;
        };
        if glued && text[at..].starts_with(char::is_uppercase) {
            parted.push_str(&text[from..at]);
            parted.push(' ');
            from = at;
        }
    }
    parted.push_str(&text[from..]);
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(parted) }
}

/// Whether an element or the one around it sets its text at the right edge.
fn is_at_right(doc: &Doc, id: NodeId) -> bool {
    const CLASSES: [&str; 4] = ["text-right", "align-right", "has-text-align-right", "ql-align-right"];
    let is_style = |style: &str| style.replace(' ', "").contains("text-align:right");
    let is_class = |class: &str| class.split_ascii_whitespace().any(|class| CLASSES.contains(&class));
    std::iter::once(id).chain(doc.ancestors(id)).take(2).any(|id| {
        let of = |name: LocalName| doc.attr(id, name).filter(|value| value.len() <= 200);
        of(LocalName::STYLE).is_some_and(is_style) || of(LocalName::CLASS).is_some_and(is_class)
    })
}

/// What a dated line says besides its dates, counts and labels, if that is one thing: `7 May 2020, 19:02 · Jane Doe · 5 min read`.
fn only_name(text: &str) -> Option<&str> {
    let undated = without_dates(text);
    let Cow::Owned(undated) = undated else { return None };
    let is_said = |part: &&str| part.contains(char::is_alphabetic) && !part.contains(char::is_numeric);
    let parts = undated.split(BESIDE_DATE).map(str::trim).filter(is_said);
    let is_account = |part: &str| part.starts_with('@');
    let mut parts = parts.filter(|part| !date::is_date_label(part) && !is_account(part) && !name::is_trade(part));
    let only = parts.next().filter(|_| parts.next().is_none())?;
    text.find(only).map(|at| &text[at..at + only.len()])
}

/// Whether its first word is that of places, sections and buttons.
fn begins_no_name(name: &str) -> bool {
    is(&name.split(' ').next().unwrap_or_default().to_lowercase(), NameRole::NoName)
}

/// `March 2015`
fn is_month(text: &str) -> bool {
    let is_year = |year: &str| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(' ').is_some_and(|(name, year)| is_year(year) && date::month(&name.to_lowercase(), "").is_some())
}

/// Whether microdata says that an element belongs to a comment, a review or an answer.
fn is_of_comment(doc: &Doc, id: NodeId) -> bool {
    const KINDS: [&str; 3] = ["Comment", "Review", "Answer"];
    let item = doc.ancestors(id).find_map(|id| doc.attr(id, LocalName::ITEMTYPE));
    item.is_some_and(|item| KINDS.iter().any(|kind| item.trim_end_matches('/').ends_with(kind)))
}

/// Whether it is the name of an account and no person's: one word with digits, or of small letters.
fn is_account(name: &str) -> bool {
    let is_small = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '-' | '.'));
    !name.contains(' ') && name.is_ascii() && (name.contains(|c: char| c.is_ascii_digit()) || is_small(name))
}

/// The name in one of the two rows below a label; below one that says that there are several, the names in rows of their own.
fn below_label<'t>(label: &str, rows: impl Iterator<Item = &'t str>) -> Option<String> {
    const NEAR: usize = 2;
    let mut rows = rows.take(MAX_METAS);
    let first = rows.by_ref().take(NEAR).find_map(line::whole)?;
    if !line::is_plural(label) {
        return Some(first);
    }
    let others = rows.map_while(line::whole).take_while(|name| is_proper(name));
    join(&std::iter::once(first).chain(others).collect::<Vec<_>>())
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

/// Whether an address is that of the page about a writer: a part names writers, and the last one somebody; or the last is an account.
pub(crate) fn leads_to_writer(href: &str) -> bool {
    const WRITERS: [&str; 22] = [
        "by",
        "people",
        "profile",
        "profiles",
        "staff",
        "reporter",
        "columnist",
        "redaktion",
        "author",
        "authors",
        "autor",
        "autoren",
        "autori",
        "autores",
        "auteur",
        "auteurs",
        "autore",
        "contributor",
        "contributors",
        "writer",
        "writers",
        "journalist",
    ];
    let path = href.split(['?', '#']).next().unwrap_or("").trim_end_matches('/');
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or_default();
    let is_account = last.len() > 1 && last.starts_with('@');
    is_account || !last.is_empty() && parts.any(|part| WRITERS.iter().any(|writer| part.eq_ignore_ascii_case(writer)))
}

/// Whether a name has as many letters as those without spaces have: `沈秋`, `北沢ゆき`.
fn is_short_cjk(name: &str) -> bool {
    (2..=6).contains(&name.chars().count()) && name.chars().all(is_cjk)
}

/// Whether an address on the same site is that of the page of an account, and named like it.
fn leads_to_account(href: &str, name: &str) -> bool {
    const LEAST_CHARS: usize = 3;
    const ACCOUNTS: [&str; 5] = ["u", "user", "users", "member", "members"];
    let path = href.split(['?', '#']).next().unwrap_or("").trim_end_matches('/');
    let mut parts = path.rsplit('/');
    let is_named = parts.next().unwrap_or_default().trim_start_matches('@').eq_ignore_ascii_case(name);
    let mut is_place = || leads_to_writer(href) || parts.any(|part| ACCOUNTS.contains(&part));
    is_named && name.chars().count() >= LEAST_CHARS && !path.contains("//") && is_place()
}

/// Names below keys that end in `author` and are no standard's: `cXenseParse:author`.
fn other_metas(doc: &Doc) -> impl Iterator<Item = Vec<String>> + '_ {
    let is_other = |key: &str| {
        let last = key.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        last.len() < key.len()
            && (last.eq_ignore_ascii_case("author") || last.eq_ignore_ascii_case("authors"))
            && !META_KEYS.iter().any(|known| key.eq_ignore_ascii_case(known))
            // Who made an app, or what stands for that.
            && !key.starts_with("smartbanner")
    };
    let others = doc.metas().filter(move |meta| is_other(meta.key)).take(MAX_METAS);
    others.map(|meta| name::name(meta.content).into_iter().collect())
}

/// The name that a card for networks shows below `Written by`, in the language of the page.
fn labelled(doc: &Doc) -> Vec<String> {
    let cards = [("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")];
    let says = |label: &str| doc.meta(label).is_some_and(line::is_label);
    let found = cards.into_iter().filter(|(label, _)| says(label)).find_map(|(_, data)| doc.meta(data));
    found.and_then(name::name).into_iter().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sound() {
        super::super::sources::assert_is_sound(super::AUTHORS);
    }
}
