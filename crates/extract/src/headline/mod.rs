//! The title to show: the heading or the part of the declared title that names the page and not its site.

mod parts;
mod site;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::collapse;

use crate::metadata::sources::{SourceRow, SourcedValue, ValueSource, first};
use crate::metadata::value::unescape_again;
use crate::metadata::{date_in, without_dates};
use crate::title::{declared_in_meta, heading, headings_of, is_abnormal};
use parts::{fold, is_placeholder, page_and_site, parts, pieces, separators, words};
use site::{Site, is_owner, titles_of};

pub(crate) use site::{TitleHints, is_host};

/// Headings looked at.
const MAX_HEADINGS: usize = 60;
/// Elements with the class `title` that are looked at.
const MAX_TITLED: usize = 5;
/// A first heading that shares so much of its words with the declared title names the same thing.
const ALIKE: f64 = 0.3;
/// Where the page names itself in two ways, the one that shares so much of its words with the link to the page is shown.
const WITNESSED: f64 = 0.5;

/// Declared titles of sections, and those that programs begin with: each page of a site has the same.
#[rustfmt::skip]
const OF_ANY_PAGE: &[&str] = &[
    "news", "blog", "article", "articles", "post", "posts", "press", "story", "detail", "details", "page", "website", "aktuelles", "nachrichten",
    "meldungen", "artikel", "actualités", "actualité", "noticias", "notizie", "notícias", "nieuws", "nyheter", "nyheder", "uutiset",
    "aktualności", "aktuality", "novinky", "hírek", "știri", "vijesti", "новости", "новини", "νέα", "haberler", "haber", "tin tức", "berita",
    "أخبار", "اخبار", "חדשות", "新闻", "新闻资讯", "资讯", "新聞", "ニュース", "お知らせ", "뉴스", "react app", "vite app", "vite + react", "vue app",
    "my app", "app", "loading", "loading...", "loading…", "please wait...", "just a moment...", "wird geladen...", "chargement...",
    "cargando...", "загрузка...", "加载中...", "加载中",
];

/// What stands between a heading and the name of the site in it.
const SITE_SIGNS: [&str; 5] = [" | ", " - ", " – ", " — ", " · "];

type Find = fn(&Candidates<'_>) -> Option<String>;

/// The sources of a title: what a heading and a declared title agree on, then what stands alone, from which names of sites and of no
/// pages are left out, and in the end these, too.
const TITLES: &[SourceRow<Find>] = &[
    (ValueSource::Heading, 0.85, |page| {
        let is_own = |text: &str| page.is_part(text) || page.is_before_byline(text);
        let heading = page.of_rank(LocalName::H1).find(|text| is_own(text) && !page.is_section(text));
        page.before_section()
            .or_else(|| heading.cloned())
            .or_else(|| page.without_kicker())
            .or_else(|| page.without_badges())
            .or_else(|| page.titled())
            .or_else(|| page.called())
    }),
    (ValueSource::SimilarHeading, 0.48, |page| page.similar()),
    (ValueSource::SubHeading, 0.71, |page| {
        page.of_rank(LocalName::H2).find(|text| page.is_part(text) && words(text).len() >= 3).cloned()
    }),
    (ValueSource::Linked, 0.50, |page| page.linked().filter(|text| page.says_something(text))),
    (ValueSource::Meta, 0.65, |page| page.declared(true).filter(|text| page.says_something(text))),
    (ValueSource::TitleElement, 0.63, |page| page.declared(false).filter(|text| page.says_something(text))),
    (ValueSource::NearestHeading, 0.23, |page| {
        page.only_heading().or_else(|| heading(page.doc, None)).filter(|text| page.says_something(text))
    }),
    (ValueSource::LinkText, 0.50, |page| page.anchor.clone()),
    (ValueSource::Placeholder, 0.39, |page| page.declared.clone().or_else(|| heading(page.doc, None))),
];

/// The title of a page as readers know it, on one line.
///
/// The name of the site is none while anything else is left: what the page calls its site, its host in words, its writer, and a
/// heading that is a link to the home page. Where `og:title` is a part of `<title>`, the rest of that counts as the site's.
///
/// O(text of the head and the first 60 headings). Ours: Tan's Algorithm 2, which [`heading`] is, takes the text of the link before
/// all else and the nearest of all headings then; links are called "Live updates" and "Picture of the day", and the nearest heading
/// is too often one of a section. The methods go on asking that one, since they were tuned with it.
pub(crate) fn headline(doc: &Doc, hints: &TitleHints<'_>) -> Option<SourcedValue<String>> {
    let page = Candidates::new(doc, hints);
    let found = first(TITLES, |find| find(&page))?;
    Some(SourcedValue { value: unescape_again(&found.value).into_owned(), ..found })
}

/// All that may be the title of a page.
struct Candidates<'p> {
    doc: &'p Doc,
    /// The text of the link that led here, if it says something.
    anchor: Option<String>,
    site: Site,
    /// What the page declares, and whether the first of it is in `meta`.
    titles: Vec<String>,
    in_meta: bool,
    /// Folded parts of these that are not the site.
    parts: HashSet<String>,
    /// The first declared title without the site.
    declared: Option<String>,
    /// First and second rank.
    headings: Vec<(LocalName, String)>,
}

impl<'p> Candidates<'p> {
    fn new(doc: &'p Doc, hints: &TitleHints<'_>) -> Candidates<'p> {
        let anchor = hints.anchor.map(collapse).filter(|anchor| !is_abnormal(anchor) && !is_placeholder(anchor));
        let headings = headings_of(doc, |name| name == LocalName::H1 || name == LocalName::H2).take(MAX_HEADINGS);
        let headings = headings.collect::<Vec<_>>();
        let site = Site::of(doc, hints, &headings);
        let titles = titles(doc, &site);
        let parts = titles.iter().flat_map(|title| parts(title)).map(fold).filter(|part| !site.names.contains(part));
        Candidates {
            doc,
            anchor,
            parts: parts.collect(),
            declared: titles.first().map(|title| site.cut_off(title)),
            titles,
            in_meta: declared_in_meta(doc).is_some(),
            headings: usable(doc, headings, &site),
            site,
        }
    }

    fn of_rank(&self, wanted: LocalName) -> impl Iterator<Item = &String> {
        self.headings.iter().filter(move |(name, _)| *name == wanted).map(|(_, text)| text)
    }

    fn is_part(&self, text: &str) -> bool {
        self.parts.contains(&fold(text))
    }

    /// Whether a declared title is a heading and who wrote it: `The long way to the wall by Jane Doe`.
    fn is_before_byline(&self, text: &str) -> bool {
        const LEAST_WORDS: usize = 2;
        const MOST_NAMES: usize = 4;
        const BY: [&str; 6] = [" by ", " von ", " par ", " por ", " di ", " av "];
        let heading = fold(text);
        let is_byline = |rest: &str| {
            let names = BY.iter().find_map(|by| rest.strip_prefix(by));
            names.is_some_and(|names| (2..=MOST_NAMES).contains(&names.split(' ').count()))
        };
        let mut rests = self.parts.iter().filter_map(|part| part.strip_prefix(heading.as_str()));
        words(text).len() >= LEAST_WORDS && rests.any(is_byline)
    }

    /// Whether a heading of one word names the section of a page that a heading of the second rank names, or a part of no page where
    /// `meta` says more: `News`.
    fn is_section(&self, text: &str) -> bool {
        let is_named = || self.of_rank(LocalName::H2).any(|other| words(other).len() >= 3 && self.is_part(other));
        let says_more = |title: &String| words(title).len() >= 3 && self.says_something(title);
        let is_of_any = || OF_ANY_PAGE.contains(&&*fold(text)) && self.in_meta;
        words(text).len() == 1 && (is_named() || is_of_any() && self.titles.first().is_some_and(says_more))
    }

    /// What a declared title says before the first heading, where that is neither its beginning nor its end, and a lower heading says it, too:
    /// `Bug #7: Cogs slip - Hollow Mill - Parish` below the name of the project.
    fn before_section(&self) -> Option<String> {
        const LEAST_WORDS: usize = 3;
        let section = fold(self.of_rank(LocalName::H1).next()?);
        let lower = headings_of(self.doc, |name| matches!(name, LocalName::H2 | LocalName::H3)).take(MAX_HEADINGS);
        let lower: HashSet<String> = lower.map(|(_, text)| fold(&text)).collect();
        let before = |title: &str| {
            let ends = separators(title);
            let start = ends.windows(2).find(|two| fold(&title[two[0].1..two[1].0]) == section)?[0].0;
            let is_shown = pieces(&title[..start]).last().is_some_and(|last| lower.contains(&fold(last)));
            is_shown.then(|| title[..start].trim().to_owned())
        };
        let found = self.titles.iter().find_map(|title| before(title))?;
        let says_more = words(&found).len() >= LEAST_WORDS.max(words(&section).len() + 1);
        (says_more && self.says_something(&found)).then_some(found)
    }

    /// The heading of the first rank where there is one, else of the second, and what is declared names no page.
    fn only_heading(&self) -> Option<String> {
        let only = |rank: LocalName| {
            let mut headings = self.of_rank(rank).filter(|text| self.says_something(text));
            headings.next().filter(|_| headings.next().is_none())
        };
        let is_long = |text: &&String| words(text).len() >= 3;
        let is_alone = self.declared.is_some() && self.of_rank(LocalName::H1).next().is_none();
        let only = only(LocalName::H1).or_else(|| only(LocalName::H2).filter(is_long).filter(|_| is_alone))?;
        let is_left = || self.declared.as_deref().is_none_or(is_placeholder);
        (is_left() || self.names_no_page()).then(|| only.clone())
    }

    /// Whether what is declared is the site, a section or a program and nothing else: as the links to the home page, the mark of the
    /// copyright or the usual words say.
    fn names_no_page(&self) -> bool {
        let is_name = |piece: &str| {
            let piece = fold(piece);
            // The place of a page among those of its wiki.
            let place = page_and_site(&piece).filter(|(_, site)| self.site.is(site));
            is_placeholder(&piece)
                || place.is_some_and(|(place, _)| !place.contains(' '))
                || OF_ANY_PAGE.contains(&&*piece)
                || self.site.names.contains(&piece)
                || is_owner(self.doc, &piece)
        };
        let mut pieces = self.titles.iter().flat_map(|title| pieces(title));
        !self.site.is_home && pieces.all(is_name)
    }

    /// The part of a declared title that some texts of the first heading are, between short ones in elements of their own: `Premium`,
    /// `[edit]`, a day.
    fn without_badges(&self) -> Option<String> {
        const LEAST_WORDS: usize = 3;
        const MAX_BADGE: usize = 25;
        const MAX_TEXTS: usize = 20;
        const MAX_BYTES: usize = 1_000;
        let heading = self.doc.ids().find(|&id| self.doc.name(id) == LocalName::H1)?;
        let texts = self.doc.subtree(heading).filter(|&id| self.doc.is_text(id)).map(|id| self.doc.text(id));
        let texts: Vec<&str> = texts.take(MAX_TEXTS).collect();
        if texts.iter().map(|text| text.len()).sum::<usize>() > MAX_BYTES {
            return None;
        }
        let is_badge = |text: &str| {
            let text = text.trim();
            let is_day = || date_in(text).is_some() && !without_dates(text).contains(char::is_alphanumeric);
            text.len() <= MAX_BADGE && !text.contains(|c: char| c.is_ascii_digit()) || is_day()
        };
        let all = texts.len();
        let spans = (0..all).flat_map(|from| (from + 1..=all).map(move |to| (from, to)));
        let spans = spans.filter(|&(from, to)| to - from < all);
        let titles = spans.filter(|&(from, to)| is_badge(&texts[..from].concat()) && is_badge(&texts[to..].concat()));
        let mut titles = titles.map(|(from, to)| collapse(&texts[from..to].concat()));
        titles.find(|title| words(title).len() >= LEAST_WORDS && self.is_part(title))
    }

    /// The part of a declared title that the first heading ends in, behind a few words that name its section. A short title must be all
    /// behind the first text of the heading.
    fn without_kicker(&self) -> Option<String> {
        const LEAST_WORDS: usize = 3;
        const LEAST_APART: usize = 2;
        const MAX_KICKER: usize = 30;
        const SIGNS: [char; 7] = [' ', '|', '·', '•', '»', '›', '/'];
        let heading = fold(self.of_rank(LocalName::H1).next()?);
        let first = self.doc.ids().find(|&id| self.doc.name(id) == LocalName::H1).map(|id| self.first_text(id));
        let parts = self.titles.iter().flat_map(|title| parts(title)).map(str::trim);
        let is_rest = |part: &&str| {
            let before = heading.strip_suffix(&fold(part)).map(|before| before.trim_end_matches(SIGNS));
            let is_kicker = |before: &str| {
                (1..=MAX_KICKER).contains(&before.len())
                    && before.ends_with(char::is_alphanumeric)
                    && before.len() < part.len()
            };
            let leads = |title: &String| fold(title).starts_with(&fold(part));
            let is_apart = || before.is_some() && before == first.as_deref() && self.titles.iter().any(leads);
            let n_words = words(part).len();
            before.is_some_and(is_kicker) && (n_words >= LEAST_WORDS || n_words >= LEAST_APART && is_apart())
        };
        parts.filter(is_rest).max_by_key(|part| part.len()).map(str::to_owned)
    }

    /// The only element that is called the title of a post and is no link, where the page has no heading of the first rank.
    fn called(&self) -> Option<String> {
        const MAX_CHARS: usize = 200;
        const MAX_NODES: usize = 10;
        const NAMES: [&str; 4] = ["post-title", "article-title", "entry-title", "post-main-title"];
        if self.site.is_home || self.of_rank(LocalName::H1).next().is_some() {
            return None;
        }
        let doc = self.doc;
        let is_title = |word: &str| NAMES.contains(&word.replace('_', "-").to_ascii_lowercase().as_str());
        let is_called = |id: &NodeId| {
            let class = doc.attr(*id, LocalName::CLASS);
            class.is_some_and(|class| class.split_ascii_whitespace().any(is_title))
                && doc.end(*id) - id.index() <= MAX_NODES
        };
        let in_link = |id: NodeId| {
            let around = std::iter::once(id).chain(doc.ancestors(id)).chain(doc.subtree(id).skip(1));
            around.into_iter().any(|id| doc.name(id) == LocalName::A)
        };
        let mut called = doc.ids().filter(|&id| doc.is_element(id)).filter(is_called);
        let only = called.next().filter(|&id| called.next().is_none() && !in_link(id))?;
        let text = collapse(&doc.text_content(only));
        (self.says_something(&text) && (1..=MAX_CHARS).contains(&text.chars().count())).then_some(text)
    }

    /// The part of a declared title that an element with the class `title` is, on a page without a heading of the first rank.
    fn titled(&self) -> Option<String> {
        if self.of_rank(LocalName::H1).next().is_some() {
            return None;
        }
        let is_title = |id: &NodeId| self.doc.attr(*id, LocalName::CLASS).is_some_and(|class| class == "title");
        let named = self.doc.ids().filter(|&id| self.doc.name(id) == LocalName::DIV).filter(is_title).take(MAX_TITLED);
        let is_whole = |text: &str| self.titles.iter().any(|title| fold(title) == fold(text));
        let texts = named.map(|id| collapse(&self.doc.text_content(id)));
        texts.into_iter().find(|text| self.is_part(text) && !is_whole(text) && !self.site.is(text))
    }

    /// The first text within an element.
    fn first_text(&self, id: NodeId) -> String {
        const MAX_NODES: usize = 20;
        let texts = self.doc.subtree(id).take(MAX_NODES).filter(|&id| self.doc.is_text(id));
        texts.map(|id| fold(self.doc.text(id))).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The heading that shares most words with a declared title; none of several that are numbered, which are those of sections.
    fn similar(&self) -> Option<String> {
        let titles: Vec<_> = self.titles.iter().map(|title| words(title)).collect();
        let n_numbered = self.of_rank(LocalName::H1).filter(|text| is_numbered(text)).count();
        let of_page = self.of_rank(LocalName::H1).filter(|text| n_numbered < 2 || !is_numbered(text));
        let of_page = of_page.filter(|text| !self.is_section(text));
        let heading = alike(of_page, &titles, ALIKE, true)?;
        // `Mills turn again | Mill Post`, declared without the site.
        let is_with_site = |title: &&String| {
            let rest = heading.strip_prefix(title.as_str());
            let site = rest.and_then(|rest| SITE_SIGNS.iter().find_map(|sign| rest.strip_prefix(sign)));
            site.is_some_and(|site| self.site.is(site))
        };
        Some(self.titles.iter().find(is_with_site).unwrap_or(heading).clone())
    }

    /// Heading or declared title, whichever shares most words with the link.
    fn linked(&self) -> Option<String> {
        let both = self.of_rank(LocalName::H1).chain(&self.declared).filter(|text| !self.site.is(text));
        alike(both, &[words(self.anchor.as_ref()?)], WITNESSED, false).cloned()
    }

    fn declared(&self, in_meta: bool) -> Option<String> {
        self.declared.clone().filter(|_| self.in_meta == in_meta && self.only_heading().is_none())
    }

    fn says_something(&self, text: &str) -> bool {
        !is_placeholder(text) && (self.site.is_home || !self.site.is(text))
    }
}

/// `2. How it turns`
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(". ")
}

/// The declared titles; only the first where it is a part of the other, and not the site.
fn titles(doc: &Doc, site: &Site) -> Vec<String> {
    let mut titles = titles_of(doc);
    if let [first, second] = &titles[..]
        && !site.is(first)
        && fold(first) != fold(second)
        && parts(second).into_iter().any(|part| fold(part) == fold(first))
    {
        titles.truncate(1);
    }
    titles
}

/// Rank and text of the headings that may name the page.
fn usable(doc: &Doc, headings: Vec<(NodeId, String)>, site: &Site) -> Vec<(LocalName, String)> {
    let texts = headings.into_iter().map(|(id, text)| {
        let text = text.trim_end_matches(['¶', '#', ' ']);
        (doc.name(id), with_lines_apart(doc, id, text))
    });
    texts.filter(|(_, text)| !is_abnormal(text) && !site.is(text)).collect()
}

/// The text of a heading with a space between its lines, each in an element of its own without one: `27.01.2022` `Mills turn`.
fn with_lines_apart(doc: &Doc, heading: NodeId, text: &str) -> String {
    const MAX_TEXTS: usize = 20;
    const LEAST_CHARS: usize = 8;
    let texts = doc.subtree(heading).filter(|&id| doc.is_text(id)).map(|id| doc.text(id)).take(MAX_TEXTS);
    let texts: Vec<&str> = texts.collect();
    let mut apart = text.to_owned();
    for two in texts.windows(2) {
        let (line, next) = (two[0], two[1]);
        let mut letters = next.chars();
        let begins = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
        let ends = line.ends_with(|c: char| c.is_lowercase() || c.is_numeric() || matches!(c, '.' | '!' | '?'));
        if begins && ends && line.chars().count() >= LEAST_CHARS {
            let last = line.rsplit(char::is_whitespace).next().unwrap_or_default();
            let first = next.split(char::is_whitespace).next().unwrap_or_default();
            apart = apart.replacen(&format!("{last}{first}"), &format!("{last} {first}"), 1);
        }
    }
    apart
}

/// The text that shares most of its words with one of `others`, if that is at least `least`.
///
/// With `within`, a text of three words or more that is all in the other is as good, however long that is.
fn alike<'h>(
    texts: impl Iterator<Item = &'h String>,
    others: &[HashSet<String>],
    least: f64,
    within: bool,
) -> Option<&'h String> {
    let mut best: Option<(f64, &String)> = None;
    for text in texts {
        let own = words(text);
        for other in others {
            let common = own.intersection(other).count() as f64;
            let all = own.union(other).count().max(1) as f64;
            let contained = if within && own.len() >= 3 { 0.8 * common / own.len() as f64 } else { 0.0 };
            let share = (common / all).max(contained);
            if share >= least && best.is_none_or(|(most, _)| share > most) {
                best = Some((share, text));
            }
        }
    }
    best.map(|(_, text)| text)
}
