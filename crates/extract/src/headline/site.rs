//! What the site of a page is called, and the title of the page without that.

use std::collections::HashSet;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{collapse, lower_letters};
use url::Url;

use super::parts::{BARE_SIGNS, ends_as_site, fold, is_placeholder, page_and_site, parts, pieces, separators, words};
use crate::metadata::{date_in, is_first_page};
use crate::title::{declared, one_line};

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

/// Most words of a name that a heading may be as well.
const MOST_WORDS: usize = 6;

/// What is known of the name of a page's site.
pub(super) struct Site {
    /// Folded names.
    pub(super) names: HashSet<String>,
    /// Those that stand as headings, and the writer's.
    headed: HashSet<String>,
    /// `og:site_name`.
    declared: Option<String>,
    pub(super) is_home: bool,
}

impl Site {
    pub(super) fn of(doc: &Doc, hints: &TitleHints<'_>, headings: &[(NodeId, String)]) -> Site {
        let url = hints.url.and_then(|url| Url::parse(url).ok());
        let is_home = url.as_ref().is_some_and(is_first_page);
        // Some programs declare the title of each page as the name of the site.
        let is_title = |name: &str| {
            let is = |(id, text): &(NodeId, String)| doc.name(*id) == LocalName::H1 && fold(text) == name;
            !is_home && words(name).len() > MOST_WORDS && headings.iter().any(is)
        };
        let declared = doc.meta("og:site_name").map(fold).filter(|name| !name.is_empty() && !is_title(name));
        let mut names: HashSet<String> = declared.iter().cloned().collect();
        let mut headed = HashSet::new();
        if !is_home {
            let host = url.as_ref().and_then(Url::host_str);
            let of_host = |name: &str| host.is_some_and(|host| is_host(name, host));
            let of_site = headings.iter().filter(|(id, text)| leads_home(doc, *id, host) || of_host(text));
            headed = of_site.map(|(_, text)| text.as_str()).chain(hints.author).map(fold).collect();
            let titles = titles_of(doc);
            headed.extend(titles.iter().filter_map(|title| headed_site(doc, title, headings)));
            headed.extend(titles.iter().filter_map(|title| site_in_brackets(title, headings)));
            names.extend(titles.iter().flat_map(|title| parts(title)).filter(|part| of_host(part)).map(fold));
            names.extend(hints.site_name.map(fold).filter(|name| !is_title(name)));
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

    pub(super) fn is(&self, text: &str) -> bool {
        self.names.contains(&fold(text))
    }

    /// Without the site at either end; without the last part where neither end is known to be the site, and enough is left.
    ///
    /// Before a title the site is left out only where it stands as a heading, too, has several words, or is declared and more than a
    /// colon parts them: `Mills: how they turn` is the title of a page.
    pub(super) fn cut_off(&self, title: &str) -> String {
        let cuts = separators(title);
        // `Mills turn again - 03/11/2026 - Country`: behind the day stands where it was.
        let is_dated = |two: &[(usize, usize)]| {
            let (day, is_colon) = (&title[two[0].1..two[1].0], &title[two[0].0..two[0].1] == ": ");
            is_day(day) && !is_colon && words(&title[..two[0].0]).len() >= 2
        };
        if let Some(two) = cuts.windows(2).find(|two| is_dated(two)) {
            return self.cut_off_site(&title[..two[0].0]);
        }
        self.cut_off_site(without_book(title).unwrap_or(title))
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

/// The chapter of a book that a title names before it: `The mill book - Chapter 5: Wheels`.
fn without_book(title: &str) -> Option<&str> {
    #[rustfmt::skip]
    const PARTS: [&str; 10] =
        ["chapter ", "appendix ", "section ", "part ", "kapitel ", "anhang ", "chapitre ", "capítulo ", "capitolo ", "глава "];
    let is_number = |rest: &str| {
        let number = rest.split([' ', ':', '.']).next().unwrap_or_default();
        number.len() <= 3 && number.chars().all(|c| c.is_ascii_alphanumeric()) && rest.len() > number.len() + 3
    };
    let rest = separators(title).into_iter().map(|(_, end)| &title[end..]);
    rest.into_iter().find(|rest| {
        let folded = fold(rest);
        PARTS.iter().any(|part| folded.strip_prefix(part).is_some_and(is_number))
    })
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
    let next = headings.get(at + 1).map(|(_, heading)| heading.as_str());
    let is_of_page = |(id, heading): &(NodeId, String)| {
        (page.contains(' ') || next == Some(heading)) && fold(heading) == page
            || is_first_rank(headings[at].0) && is_first_rank(*id) && named.is_subset(&words(heading))
    };
    (!named.is_empty() && headings[at + 1..].iter().any(is_of_page)).then_some(site)
}

/// The site in brackets behind the name of a page, where it stands as a heading, too.
fn site_in_brackets(title: &str, headings: &[(NodeId, String)]) -> Option<String> {
    let (page, site) = page_and_site(title)?;
    let site = fold(site);
    (!page.trim().is_empty() && headings.iter().any(|(_, heading)| fold(heading) == site)).then_some(site)
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
pub(super) fn is_owner(doc: &Doc, name: &str) -> bool {
    const LEAST_BYTES: usize = 4;
    const MAX_BYTES: usize = 300;
    let is_short = |id: &NodeId| doc.is_text(*id) && doc.text(*id).len() <= MAX_BYTES;
    let mut marks = doc.ids().filter(is_short).filter(|&id| doc.text(id).contains('©')).take(5);
    name.len() >= LEAST_BYTES && marks.any(|id| fold(doc.text(id)).contains(name))
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
    let squeezed = |text: &str| lower_letters(text).collect::<String>();
    let name = squeezed(name);
    let labels: Vec<String> = host.split('.').take(8).map(squeezed).collect();
    let mut runs = (0..labels.len()).flat_map(|from| (from + 1..=labels.len()).map(move |to| from..to));
    name.len() >= 4 && runs.any(|run| labels[run].concat() == name)
}

pub(super) fn titles_of(doc: &Doc) -> Vec<String> {
    let all = [declared(doc), doc.title().map(|title| one_line(&title))];
    all.into_iter().flatten().filter(|title| !title.is_empty() && !title.contains('\u{FFFD}')).collect()
}
