//! The title to show: the heading or the part of the declared title that names the page and not its site.

use std::collections::HashSet;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{BigramSegmenter, collapse, for_each_word, is_cjk};
use url::Url;

use crate::metadata::sources::{SourceRow, SourcedValue, ValueSource, first};
use crate::metadata::value::unescape_again;
use crate::metadata::{date_in, is_first_page};
use crate::title::{declared, declared_in_meta, heading, headings_of, is_abnormal, one_line};

/// Headings looked at, and parts of a declared title.
const MAX_HEADINGS: usize = 60;
const MAX_PARTS: usize = 12;
/// A first heading that shares so much of its words with the declared title names the same thing.
const ALIKE: f64 = 0.3;
/// Where the page names itself in two ways, the one that shares so much of its words with the link to the page is shown.
const WITNESSED: f64 = 0.5;
/// Between the title proper and the name of the site, with and without spaces around.
const SPACED: &[&str] = &[
    "|", "-", "–", "—", "_", "»", "«", "•", "·", ":", "/", "::", "›", "‹", "⋆", "★", "☆", "✦", "~", "∙", "⋅", "◦", "●",
    "‣", "▸", "→", "←", "<", ">", "//", "||", "―", "−", "：", "・",
];
const BARE: &[&str] = &["|", "｜", "_"];
/// The same and hyphens, of which some part a title from its site where words have no spaces.
const BARE_SIGNS: [char; 6] = ['|', '｜', '_', '-', '—', '–'];
/// Declared titles that authoring tools leave behind, and what links to home pages say: no names of pages.
#[rustfmt::skip]
const PLACEHOLDERS: &[&str] = &[
    "untitled", "untitled document", "untitled page", "new page", "document", "home", "home page", "homepage", "index", "start",
    "startseite", "accueil", "inicio", "无标题文档", "首页", "主页", "トップページ", "ホーム",
];

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
/// How the names of sites end in languages that are written without spaces.
#[rustfmt::skip]
const SITE_ENDS: &[&str] = &[
    "网", "網", "报", "報", "社", "台", "站", "频道", "頻道", "新闻", "新聞", "资讯", "資訊", "在线", "论坛", "論壇", "博客", "政府", "门户",
    "官网", "公司", "大学", "学院", "医院", "杂志", "周刊", "ネット", "ニュース", "オンライン", "뉴스", "신문", "일보", "방송",
];

/// What is known of a page besides its headings and declared titles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TitleHints<'a> {
    /// The text of the link that led here.
    pub anchor: Option<&'a str>,
    /// The page's address.
    pub url: Option<&'a str>,
    pub site_name: Option<&'a str>,
    pub author: Option<&'a str>,
}

type Find = fn(&Candidates<'_>) -> Option<String>;

/// The sources of a title: what a heading and a declared title agree on, then what stands alone, from which names of sites and of no
/// pages are left out, and in the end these, too.
const TITLES: &[SourceRow<Find>] = &[
    (ValueSource::Heading, 0.85, |page| {
        let is_own = |text: &str| page.is_part(text) || page.is_before_byline(text);
        let heading = page.of_rank(LocalName::H1).find(|text| is_own(text) && !page.is_section(text));
        heading.cloned().or_else(|| page.without_kicker()).or_else(|| page.without_badge())
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

    /// Whether a heading of one word names the section of a page that a heading of the second rank names: `News`.
    fn is_section(&self, text: &str) -> bool {
        words(text).len() == 1
            && self.of_rank(LocalName::H2).any(|other| words(other).len() >= 3 && self.is_part(other))
    }

    /// The heading of the first rank where there is one, and what is declared names no page.
    fn only_heading(&self) -> Option<String> {
        let mut headings = self.of_rank(LocalName::H1).filter(|text| self.says_something(text));
        let only = headings.next().filter(|_| headings.next().is_none())?;
        let is_left = || self.declared.as_deref().is_none_or(is_placeholder);
        (is_left() || self.names_no_page()).then(|| only.clone())
    }

    /// Whether what is declared is the site, a section or a program and nothing else: as the links to the home page, the mark of the
    /// copyright or the usual words say.
    fn names_no_page(&self) -> bool {
        let is_name = |piece: &str| {
            let piece = fold(piece);
            is_placeholder(&piece)
                || OF_ANY_PAGE.contains(&&*piece)
                || self.site.names.contains(&piece)
                || is_owner(self.doc, &piece)
        };
        let mut pieces = self.titles.iter().flat_map(|title| pieces(title));
        !self.site.is_home && pieces.all(is_name)
    }

    /// The part of a declared title that the first heading begins with, before a short text in an element of its own: `Premium`, `[edit]`.
    fn without_badge(&self) -> Option<String> {
        const LEAST_WORDS: usize = 3;
        const MAX_BADGE: usize = 25;
        const MAX_TEXTS: usize = 20;
        let heading = self.doc.ids().find(|&id| self.doc.name(id) == LocalName::H1)?;
        let texts = self.doc.subtree(heading).filter(|&id| self.doc.is_text(id)).map(|id| self.doc.text(id));
        let (mut before, mut n_texts, mut found) = (String::new(), 0, None);
        for text in texts.take(MAX_TEXTS) {
            let shown = collapse(&before);
            if n_texts > 0 && found.is_none() && words(&shown).len() >= LEAST_WORDS && self.is_part(&shown) {
                found = Some((shown, before.len()));
            }
            before.push_str(text);
            n_texts += 1;
        }
        let (title, end) = found?;
        let badge = before[end..].trim();
        (badge.len() <= MAX_BADGE && !badge.contains(|c: char| c.is_ascii_digit())).then_some(title)
    }

    /// The part of a declared title that the first heading ends in, behind a few words that name its section. A short title must be all
    /// behind the first text of the heading.
    fn without_kicker(&self) -> Option<String> {
        const LEAST_WORDS: usize = 3;
        const LEAST_APART: usize = 2;
        const MAX_KICKER: usize = 30;
        let heading = fold(self.of_rank(LocalName::H1).next()?);
        let first = self.doc.ids().find(|&id| self.doc.name(id) == LocalName::H1).map(|id| self.first_text(id));
        let parts = self.titles.iter().flat_map(|title| parts(title)).map(str::trim);
        let is_rest = |part: &&str| {
            let before = heading.strip_suffix(&fold(part)).map(str::trim_end);
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

    /// The first text within an element.
    fn first_text(&self, id: NodeId) -> String {
        const MAX_NODES: usize = 20;
        let texts = self.doc.subtree(id).take(MAX_NODES).filter(|&id| self.doc.is_text(id));
        texts.map(|id| fold(self.doc.text(id))).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The heading that shares most words with a declared title.
    fn similar(&self) -> Option<String> {
        let titles: Vec<_> = self.titles.iter().map(|title| words(title)).collect();
        alike(self.of_rank(LocalName::H1), &titles, ALIKE, true).cloned()
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

/// What is known of the name of a page's site.
struct Site {
    /// Folded names.
    names: HashSet<String>,
    /// Those that stand as headings, and the writer's.
    headed: HashSet<String>,
    /// `og:site_name`.
    declared: Option<String>,
    is_home: bool,
}

impl Site {
    fn of(doc: &Doc, hints: &TitleHints<'_>, headings: &[(NodeId, String)]) -> Site {
        let url = hints.url.and_then(|url| Url::parse(url).ok());
        let is_home = url.as_ref().is_some_and(is_first_page);
        let declared = doc.meta("og:site_name").map(fold).filter(|name| !name.is_empty());
        let mut names: HashSet<String> = declared.iter().cloned().collect();
        let mut headed = HashSet::new();
        if !is_home {
            let host = url.as_ref().and_then(Url::host_str);
            let of_host = |name: &str| host.is_some_and(|host| is_host(name, host));
            let of_site = headings.iter().filter(|(id, text)| leads_home(doc, *id, host) || of_host(text));
            headed = of_site.map(|(_, text)| text.as_str()).chain(hints.author).map(fold).collect();
            let titles = titles_of(doc);
            headed.extend(titles.iter().filter_map(|title| headed_site(doc, title, headings)));
            names.extend(titles.iter().flat_map(|title| parts(title)).filter(|part| of_host(part)).map(fold));
            names.extend(hints.site_name.map(fold));
            names.extend(logos(doc, host));
            names.extend(
                titles
                    .iter()
                    .filter_map(|title| pieces(title).pop().filter(|_| title.contains(BARE_SIGNS)))
                    .filter(|last| ends_as_site(last))
                    .map(fold),
            );
            names.extend(headed.iter().cloned());
        }
        names.remove("");
        Site { names, headed, declared, is_home }
    }

    fn is(&self, text: &str) -> bool {
        self.names.contains(&fold(text))
    }

    /// Without the site at either end; without the last part where neither end is known to be the site, and enough is left.
    ///
    /// Before a title the site is left out only where it stands as a heading, too, has several words, or is declared and more than a
    /// colon parts them: `Mills: how they turn` is the title of a page.
    fn cut_off(&self, title: &str) -> String {
        let cuts = separators(title);
        // `Mills turn again - 03/11/2026 - Country`: behind the day stands where it was.
        let is_dated = |two: &[(usize, usize)]| {
            let (day, is_colon) = (&title[two[0].1..two[1].0], &title[two[0].0..two[0].1] == ": ");
            is_day(day) && !is_colon && words(&title[..two[0].0]).len() >= 2
        };
        if let Some(two) = cuts.windows(2).find(|two| is_dated(two)) {
            return self.cut_off_site(&title[..two[0].0]);
        }
        self.cut_off_site(title)
    }

    fn cut_off_site(&self, title: &str) -> String {
        let cuts = separators(title);
        let is_colon = |start: usize, end: usize| &title[start..end] == ": ";
        let leads = |&&(start, end): &&(usize, usize)| {
            let before = fold(&title[..start]);
            let is_named = self.declared.as_ref() == Some(&before) && !is_colon(start, end);
            let is_site =
                self.headed.contains(&before) || is_named || before.contains(' ') && self.names.contains(&before);
            is_site && !is_day(&title[end..])
        };
        if let Some(&(_, end)) = cuts.iter().rev().find(leads) {
            return title[end..].trim().to_owned();
        }
        let is_site =
            |rest: &str| self.is(rest) || pieces(rest).into_iter().all(|piece| self.is(piece) || ends_as_site(piece));
        let ends = |&&(start, end): &&(usize, usize)| is_site(&title[end..]) && !is_placeholder(&title[..start]);
        if let Some(&(start, _)) = cuts.iter().find(ends) {
            return title[..start].trim().to_owned();
        }
        let signs: Vec<_> = cuts.into_iter().filter(|&(start, end)| !is_colon(start, end)).collect();
        // `The long way to the wall · Notes — essays`: what stands behind a title that says more is the site and what it is.
        let says_most = |&&(start, end): &&(usize, usize)| {
            let left = title[..start].split_whitespace().count();
            left >= 4 && left > title[end..].split_whitespace().count()
        };
        let last = signs.first().filter(says_most).or(signs.last()).copied();
        let left = last.map(|(start, _)| &title[..start]).filter(|left| words(left).len() >= 2);
        left.unwrap_or(title).trim().to_owned()
    }
}

/// The end of a title that stands as a heading above that of the page, which the rest of the title is: `A pump that leaks - Boat forum`.
///
/// A heading of the first rank that stands below another may say more than the title does: `E12` in `Error code E12`.
fn headed_site(doc: &Doc, title: &str, headings: &[(NodeId, String)]) -> Option<String> {
    let (start, end) = separators(title).into_iter().next_back()?;
    let (page, site) = (fold(&title[..start]), fold(&title[end..]));
    let at = headings.iter().position(|(_, heading)| fold(heading) == site)?;
    let is_first_rank = |id: NodeId| doc.name(id) == LocalName::H1;
    let named = words(&page);
    let is_of_page = |(id, heading): &(NodeId, String)| {
        page.contains(' ') && fold(heading) == page
            || is_first_rank(headings[at].0) && is_first_rank(*id) && named.is_subset(&words(heading))
    };
    (!named.is_empty() && headings[at + 1..].iter().any(is_of_page)).then_some(site)
}

/// What the first links to the home page of the site are called.
fn logos(doc: &Doc, host: Option<&str>) -> Vec<String> {
    const MOST: usize = 3;
    const MAX_CHARS: usize = 40;
    let leads = |&link: &NodeId| doc.attr(link, LocalName::HREF).is_some_and(|href| is_home(href.trim(), host));
    let links = doc.ids().filter(|&id| doc.name(id) == LocalName::A).filter(leads).take(MOST);
    let names = links.map(|link| fold(&collapse(&doc.text_content(link))));
    names.filter(|name| name.chars().count() <= MAX_CHARS && !is_placeholder(name)).collect()
}

/// Whether a folded name stands beside the mark of the copyright.
fn is_owner(doc: &Doc, name: &str) -> bool {
    const LEAST_BYTES: usize = 4;
    const MAX_BYTES: usize = 300;
    let is_short = |id: &NodeId| doc.is_text(*id) && doc.text(*id).len() <= MAX_BYTES;
    let mut marks = doc.ids().filter(is_short).filter(|&id| doc.text(id).contains('©')).take(5);
    name.len() >= LEAST_BYTES && marks.any(|id| fold(doc.text(id)).contains(name))
}

/// Whether a name of Chinese characters, kana or Hangul ends like those of sites.
fn ends_as_site(name: &str) -> bool {
    const MAX_CHARS: usize = 10;
    let name = name.trim();
    (2..=MAX_CHARS).contains(&name.chars().count()) && SITE_ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a part of a title is a day and nothing else.
fn is_day(part: &str) -> bool {
    const MAX_BYTES: usize = 20;
    let part = part.trim();
    let in_numbers = part.len() >= 8 && part.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '.' | '-'));
    part.len() <= MAX_BYTES && (in_numbers || date_in(part).is_some())
}

/// Whether the heading is, or stands in, a link to the home page of the site.
fn leads_home(doc: &Doc, heading: NodeId, host: Option<&str>) -> bool {
    const MAX_ABOVE: usize = 3;
    let inside = doc.subtree(heading).filter(|&id| doc.is_element(id));
    let mut links = inside.chain(doc.ancestors(heading).take(MAX_ABOVE)).filter(|&id| doc.name(id) == LocalName::A);
    links.any(|link| doc.attr(link, LocalName::HREF).is_some_and(|href| is_home(href.trim(), host)))
}

fn is_home(href: &str, host: Option<&str>) -> bool {
    let path = match Url::parse(href) {
        Ok(url) if url.has_host() && host.is_none_or(|host| url.host_str() == Some(host)) => url.path().to_owned(),
        Ok(_) => return false,
        Err(_) => href.to_owned(),
    };
    path.strip_prefix('/').is_some_and(|page| page.is_empty() || page.starts_with("index.") && !page.contains('/'))
}

/// Whether a name is that of the host, or of neighbouring labels of it, in words: `Time 4 talks` of `time4talks.com`.
pub(crate) fn is_host(name: &str, host: &str) -> bool {
    let squeezed =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let name = squeezed(name);
    let labels: Vec<String> = host.split('.').take(8).map(squeezed).collect();
    let mut runs = (0..labels.len()).flat_map(|from| (from + 1..=labels.len()).map(move |to| from..to));
    name.len() >= 4 && runs.any(|run| labels[run].concat() == name)
}

fn is_placeholder(text: &str) -> bool {
    PLACEHOLDERS.contains(&fold(text).as_str())
}

fn titles_of(doc: &Doc) -> Vec<String> {
    let all = [declared(doc), doc.title().map(|title| one_line(&title))];
    all.into_iter().flatten().filter(|title| !title.is_empty() && !title.contains('\u{FFFD}')).collect()
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
    let texts =
        headings.into_iter().map(|(id, text)| (doc.name(id), text.trim_end_matches(['¶', '#', ' ']).to_owned()));
    texts.filter(|(_, text)| !is_abnormal(text) && !site.is(text)).collect()
}

/// Case and typographic quotes do not count.
fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '’' | '‘' | '`' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        c => c,
    };
    if text.is_ascii() {
        return text.trim().replace('`', "'").to_ascii_lowercase();
    }
    text.trim().chars().map(plain).flat_map(char::to_lowercase).collect()
}

/// Where separators stand in a title: (first byte, byte after).
fn separators(title: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for separator in SPACED.iter().filter(|separator| title.contains(**separator)) {
        let spaced = format!(" {separator} ");
        found.extend(title.match_indices(&spaced).map(|(at, _)| (at, at + spaced.len())));
    }
    for separator in BARE {
        found.extend(title.match_indices(separator).map(|(at, _)| (at, at + separator.len())));
    }
    found.extend(hyphens(title));
    // `Title: subtitle` has no space before the colon.
    found.extend(title.match_indices(": ").map(|(at, _)| (at, at + 2)));
    found.sort_unstable();
    found.dedup_by(|next, before| next.0 < before.1);
    found.truncate(MAX_PARTS);
    found
}

/// Hyphens between Chinese characters behind which the name of a site stands.
fn hyphens(title: &str) -> impl Iterator<Item = (usize, usize)> {
    let is_before_site = |&(at, sign): &(usize, &str)| {
        let (before, rest) = (&title[..at], &title[at + sign.len()..]);
        let piece = rest.split(['-', '_', '|', '—', '–']).next().unwrap_or(rest);
        before.ends_with(is_cjk) && rest.starts_with(is_cjk) && ends_as_site(piece)
    };
    let signs = title.match_indices(['-', '—', '–']).filter(is_before_site);
    signs.map(|(at, sign)| (at, at + sign.len())).take(MAX_PARTS)
}

/// What stands between the separators of a title.
fn pieces(title: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in separators(title) {
        pieces.push(title[from..start].trim());
        from = end;
    }
    pieces.push(title[from..].trim());
    pieces
}

/// The title, its parts, and what stands before and after each separator.
fn parts(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    let mut from = 0;
    for (start, end) in separators(title) {
        parts.extend([&title[from..start], &title[..start], &title[end..]]);
        from = end;
    }
    parts.push(&title[from..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let text = fold(text);
    for_each_word(&text, &BigramSegmenter, |word| {
        words.insert(word.to_owned());
    });
    words
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

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;

    fn title(html: &str, hints: &TitleHints<'_>) -> Option<String> {
        Some(headline(&Doc::parse(html, &TreeLimits::default()), hints)?.value)
    }

    fn of(html: &str) -> Option<String> {
        title(html, &TitleHints::default())
    }

    #[test]
    fn the_first_heading_that_is_a_part_of_the_declared_title_wins_over_a_nearer_one() {
        let html = "<title>Flexbox - Learn the web | Docs</title><h2>Flexbox - Learn</h2><h1>Docs of all kinds</h1><h1>Flexbox</h1>";
        assert_eq!(of(html).as_deref(), Some("Flexbox"));
    }

    #[test]
    fn a_site_that_stands_as_a_heading_above_the_title_is_none() {
        let html = "<title>Leaking bilge pump - Boat forum</title><h1>Boat forum</h1><h2>Leaking bilge pump</h2>";
        assert_eq!(of(html).as_deref(), Some("Leaking bilge pump"));
        let book = "<title>E12 - Error codes</title><header><h1>Error codes</h1></header><main><h1>Error code E12</h1>";
        assert_eq!(of(book).as_deref(), Some("Error code E12"));
        assert_eq!(of(&book.replace("Error code E12", "E12")).as_deref(), Some("E12"));
        let html = "<title>Water pumps - All about pumps</title><h2>Water pumps</h2><h1>All about pumps</h1>";
        assert_eq!(of(html).as_deref(), Some("All about pumps"));
    }

    #[test]
    fn a_byline_behind_and_a_badge_before_the_heading_are_no_title() {
        let html = "<title>Bilge pump by Jane Doe | Boat forum</title><h1>Bilge pump</h1>";
        assert_eq!(of(html).as_deref(), Some("Bilge pump"));
        let html = "<title>Bilge pump - Boat forum</title><h1><i>Premium</i> Bilge pump</h1>";
        assert_eq!(of(html).as_deref(), Some("Bilge pump"));
    }

    #[test]
    fn a_heading_of_a_section_is_no_title() {
        let html = "<title>Meditation costs - Calm</title><h1>How much is it?</h1><h2>What is within the meditation costs?</h2>";
        assert_eq!(of(html).as_deref(), Some("Meditation costs"));
    }

    #[test]
    fn a_heading_names_the_page_where_a_program_or_a_section_named_it() {
        let html = "<title>Untitled Document</title><h1>Grafting old trees</h1>";
        assert_eq!(of(html).as_deref(), Some("Grafting old trees"));
        let html =
            "<title>A new roof for the mill | News | Valley</title><h1>News</h1><h2>A new roof for the mill</h2>";
        assert_eq!(of(html).as_deref(), Some("A new roof for the mill"));
    }

    #[test]
    fn the_only_heading_names_the_page_where_the_title_is_that_of_the_site() {
        for (title, rest) in [
            ("Pier Daily", "<a class=logo href=/>Pier Daily</a>"),
            ("Pier Daily", "<footer>© 2026 Pier Daily. All rights reserved</footer>"),
            ("Aktuelles | Hafenkurier", "<a href=/>Hafenkurier</a>"),
            ("React App", "<script>'© A boat of the React App'</script>"),
            ("Loading...", ""),
        ] {
            let html = format!("<title>{title}</title>{rest}<h1>A boat for the north</h1>");
            assert_eq!(of(&html).as_deref(), Some("A boat for the north"), "{title}");
            let two = format!("<title>{title}</title>{rest}<h1>A boat for the north</h1><h1>Another boat</h1>");
            assert_eq!(
                of(&two).as_deref(),
                Some(title).map(|title| title.split(" | ").next().unwrap_or(title)),
                "{title}"
            );
        }
    }

    #[test]
    fn badges_and_buttons_behind_a_heading_are_no_part_of_it() {
        for badge in ["<span class=badge>Premium</span>", "<a href=/e>[edit]</a>", "<button>Share</button>"] {
            let html = format!("<title>A boat for the north | Pier Daily</title><h1>A boat for the north {badge}</h1>");
            assert_eq!(of(&html).as_deref(), Some("A boat for the north"), "{badge}");
        }
        let more = "<title>A boat for the north | Pier</title><h1>A boat for the north <i>and what it means for the south</i></h1>";
        assert_eq!(of(more).as_deref(), Some("A boat for the north and what it means for the south"));
    }

    #[test]
    fn titles_without_spaces_are_parted_from_their_sites() {
        for html in [
            "<title>北线将增开渡轮_海港网</title><h1>海港网</h1><h2>北线将增开渡轮</h2>",
            "<title>北线将增开渡轮_新闻频道_海港网</title><h1>海港网</h1>",
            "<title>北线将增开渡轮-海港网</title><p>a",
            "<title>北线将增开渡轮—海港日报</title><p>a",
        ] {
            assert_eq!(of(html).as_deref(), Some("北线将增开渡轮"), "{html}");
        }
        let issue = "<title>Pier Daily | February 16, 2004</title><a href=/>Pier Daily</a><p>a";
        assert_eq!(of(issue).as_deref(), Some("Pier Daily | February 16, 2004"));
        assert_eq!(of("<title>中国-东盟博览会</title>").as_deref(), Some("中国-东盟博览会"));
        let dated = "<title>Mais um barco na rota do norte - 03/11/2026 - Cotidiano - Jornal</title><p>a";
        assert_eq!(of(dated).as_deref(), Some("Mais um barco na rota do norte"));
    }

    #[test]
    fn the_name_of_the_site_goes_from_either_end() {
        assert_eq!(
            of("<meta property=og:site_name content=Calm><title>Calm | The app for sleep</title>").as_deref(),
            Some("The app for sleep")
        );
        assert_eq!(of("<title>台风登陆沿海_新闻网</title>").as_deref(), Some("台风登陆沿海"));
        assert_eq!(of("<title>Storm: the whole story</title>").as_deref(), Some("Storm: the whole story"));
    }

    #[test]
    fn the_site_is_parted_by_many_signs_and_in_several_parts() {
        for sign in ["·", "⋆", "~", "★", "→", "‹"] {
            let title = format!("<title>The long way to the sea wall {sign} Tidewater Notes</title>");
            assert_eq!(of(&title).as_deref(), Some("The long way to the sea wall"), "{sign}");
        }
        let three = "<title>The long way to the sea wall · Tidewater Notes — essays</title>";
        assert_eq!(of(three).as_deref(), Some("The long way to the sea wall"));
        let of_host = |title: &str| {
            let hints = TitleHints { url: Some("https://tidewaternotes.example/a"), ..TitleHints::default() };
            super::headline(&Doc::parse(title, &TreeLimits::default()), &hints).map(|found| found.value)
        };
        assert_eq!(of_host("<title>Tidewater Notes: The way home</title><p>a").as_deref(), Some("The way home"));
        assert_eq!(of_host("<title>Tides: The way home</title><p>a").as_deref(), Some("Tides: The way home"));
        let site = "<meta property=og:site_name content='Tidewater'><title>Tidewater: The long way home</title><h1>The long way home</h1>";
        assert_eq!(of(site).as_deref(), Some("The long way home"));
    }

    #[test]
    fn signs_of_permanent_links_go_and_quotes_do_not_matter() {
        assert_eq!(of("<title>Don't go — Docs</title><h1>Don’t go¶</h1><h1>Docs</h1>").as_deref(), Some("Don’t go"));
    }

    fn linked(html: &str, anchor: &str) -> Option<String> {
        let hints = TitleHints {
            anchor: Some(anchor),
            url: Some("https://www.millpost.example/2024/a"),
            ..TitleHints::default()
        };
        title(html, &hints)
    }

    #[test]
    fn what_a_front_page_says_never_replaces_a_headline_that_the_page_confirms() {
        let html = "<title>Hurricane floods town - Mill Post</title><meta property=og:title content='Hurricane floods town'>\
                    <h1>Hurricane floods town</h1>";
        for anchor in
            ["Picture of the day", "Live updates", "Politics", "17 May 2024", "Read more", "Umbrellas everywhere"]
        {
            assert_eq!(linked(html, anchor).as_deref(), Some("Hurricane floods town"), "{anchor}");
        }
    }

    #[test]
    fn the_link_decides_between_names_that_the_page_gives_itself() {
        let html = "<title>What the river left behind</title><h1>Flood of May</h1>";
        assert_eq!(linked(html, "Rain, again").as_deref(), Some("What the river left behind"));
        assert_eq!(linked(html, "The flood of May").as_deref(), Some("Flood of May"));
    }

    #[test]
    fn the_link_stands_alone_where_the_page_says_no_more_than_its_site() {
        for html in [
            "<p>text",
            "<title>Untitled Document</title><p>text",
            "<title>Mill Post</title><p>text",
            "<title>The Post</title><meta property=og:site_name content='The Post'><p>text",
        ] {
            assert_eq!(linked(html, "The chronicle of 1840").as_deref(), Some("The chronicle of 1840"), "{html}");
            assert_ne!(linked(html, "Read more").as_deref(), Some("Read more"), "{html}");
        }
        assert_eq!(linked("<h3>Of 1840</h3><p>text", "A chronicle").as_deref(), Some("Of 1840"));
    }

    #[test]
    fn the_home_page_keeps_the_name_of_its_site() {
        let html =
            "<title>Mill Post</title><meta property=og:site_name content='Mill Post'><h1><a href=/>Mill Post</a></h1>";
        let hints = TitleHints {
            anchor: Some("Front page"),
            url: Some("https://www.millpost.example/"),
            ..TitleHints::default()
        };
        assert_eq!(title(html, &hints).as_deref(), Some("Mill Post"));
    }

    #[test]
    fn posts_are_not_called_by_their_weblog_or_its_writer() {
        let of_author = |html: &str| {
            let hints = TitleHints { author: Some("Jane Doe"), ..TitleHints::default() };
            title(html, &hints)
        };
        for html in [
            "<title>Small models - Jane Doe</title><h1>Jane Doe</h1><h3>Small models</h3>",
            "<title>Jane Doe: Small models</title><h1>Jane Doe</h1><h1>A section</h1>",
            "<title>Doe's notes: Small models</title><h1 class=title><a href=/>Doe's notes</a></h1><h3>Small models</h3>",
            "<title>Small models : notes</title><meta property=og:title content='Small models'><h1>notes</h1>",
        ] {
            assert_eq!(of_author(html).as_deref(), Some("Small models"), "{html}");
        }
        assert_eq!(of_author("<title>Jane Doe</title><h1>Jane Doe</h1>").as_deref(), Some("Jane Doe"), "about herself");
        assert_eq!(
            linked("<title>Millpost | Rye</title><h1>Millpost</h1>", "x").as_deref(),
            Some("Rye"),
            "by its host"
        );
    }

    #[test]
    fn each_source_is_told() {
        crate::metadata::sources::assert_is_sound(TITLES);
        let part = "<title>Storm hits the coast - Mill Post</title>";
        let cases = [
            ("heading", &*format!("{part}<h1>Storm hits the coast</h1><h2>Storm hits the coast</h2>")),
            (
                "similar-heading",
                "<title>What the big storm did to the coast</title><h1>The big storm and the coast</h1>",
            ),
            ("sub-heading", &*format!("{part}<h2>Storm hits the coast</h2>")),
            ("linked", "<title>What the river left behind</title><h1>Flood of May</h1>"),
            ("meta", "<meta property=og:title content='A day at the river'>"),
            ("title-element", "<title>A day at the river</title>"),
            ("nearest-heading", "<h3>A day at the river</h3>"),
            ("link-text", "<title>Untitled Document</title>"),
        ];
        for (source, html) in cases {
            let hints = TitleHints { anchor: Some("The flood of May"), ..TitleHints::default() };
            let found = headline(&Doc::parse(html, &TreeLimits::default()), &hints).unwrap();
            assert_eq!(found.provenance.source.name(), source);
        }
        let bare = Doc::parse("<title>Untitled Document</title>", &TreeLimits::default());
        let found = headline(&bare, &TitleHints::default()).unwrap();
        assert_eq!((&*found.value, found.provenance.source.name()), ("Untitled Document", "placeholder"));
    }
}
