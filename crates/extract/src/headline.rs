//! The title to show: the heading or the part of the declared title that names the page and not its site.

use std::collections::HashSet;

use gristmill_html::{Doc, Name};
use gristmill_text::{Bigrams, collapse, for_each_word};

use crate::title::{declared, headings_of, is_abnormal, one_line};

/// Headings looked at, and parts of a declared title.
const MAX_HEADINGS: usize = 60;
const MAX_PARTS: usize = 12;
/// A first heading that shares so much of its words with the declared title names the same thing.
const ALIKE: f64 = 0.3;
/// Between the title proper and the name of the site, with and without spaces around.
const SPACED: &[&str] = &["|", "-", "–", "—", "_", "»", "«", "•", "·", ":", "/", "::", "›"];
const BARE: &[&str] = &["|", "｜", "_"];

/// The title of a page as readers know it, on one line.
///
/// 1. `anchor`, as in [`title`](crate::title::title).
/// 2. An `h1` that is one of the declared titles (`og:title`, `<title>`) or a part of one between separators, but not
///    the name of the site; quotes and case do not count.
/// 3. The `h1` most like a declared title, when they share three words in ten.
/// 4. An `h2` that is such a part and has at least three words.
/// 5. The declared title without the name of the site at either end.
/// 6. What [`title`](crate::title::title) says, which is `by_paper`.
///
/// O(text of the head and the first 60 headings). Ours: Tan's Algorithm 2, which `title` is, takes the nearest of all
/// headings, and that is too often one of a section; the methods go on asking that one, since they were tuned with it.
pub(crate) fn headline(doc: &Doc, anchor: Option<&str>, by_paper: Option<&str>) -> Option<String> {
    if anchor.is_some_and(|anchor| !is_abnormal(&collapse(anchor))) {
        return by_paper.map(str::to_owned);
    }
    let site = doc.meta("og:site_name").map(fold).unwrap_or_default();
    let titles = titles(doc);
    let parts: HashSet<String> =
        titles.iter().flat_map(|title| parts(title)).map(fold).filter(|p| *p != site).collect();
    let headings = headings(doc, &site);
    let first = || headings.iter().filter(|(name, _)| *name == Name::H1).map(|(_, text)| text);
    let second = || headings.iter().filter(|(name, _)| *name == Name::H2).map(|(_, text)| text);
    let is_part = |text: &&String| parts.contains(&fold(text));
    let named = first().find(is_part).or_else(|| alike(first(), &titles));
    let named = named.or_else(|| second().find(|text| is_part(text) && words(text).len() >= 3));
    named
        .cloned()
        .or_else(|| titles.first().map(|title| without_site(title, &site)))
        .or_else(|| by_paper.map(str::to_owned))
}

fn titles(doc: &Doc) -> Vec<String> {
    let all = [declared(doc), doc.title().map(|title| one_line(&title))];
    all.into_iter().flatten().filter(|title| !title.is_empty() && !title.contains('\u{FFFD}')).collect()
}

fn headings(doc: &Doc, site: &str) -> Vec<(Name, String)> {
    let named = headings_of(doc, |name| name == Name::H1 || name == Name::H2)
        .map(|(name, text)| (name, text.trim_end_matches(['¶', '#', ' ']).to_owned()));
    let is_site = |text: &str| !site.is_empty() && fold(text) == site;
    named.filter(|(_, text)| !is_abnormal(text) && !is_site(text)).take(MAX_HEADINGS).collect()
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
    // `Title: subtitle` has no space before the colon.
    found.extend(title.match_indices(": ").map(|(at, _)| (at, at + 2)));
    found.sort_unstable();
    found.dedup_by(|next, before| next.0 < before.1);
    found.truncate(MAX_PARTS);
    found
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
    for_each_word(&text, &Bigrams, |word| {
        words.insert(word.to_owned());
    });
    words
}

fn alike<'h>(headings: impl Iterator<Item = &'h String>, titles: &[String]) -> Option<&'h String> {
    let titles: Vec<HashSet<String>> = titles.iter().map(|title| words(title)).collect();
    let mut best: Option<(f64, &String)> = None;
    for heading in headings {
        let own = words(heading);
        for title in &titles {
            let common = own.intersection(title).count() as f64;
            let all = own.union(title).count().max(1) as f64;
            // A heading of three words or more that is all in the title is as good, however long the title.
            let within = if own.len() >= 3 { 0.8 * common / own.len() as f64 } else { 0.0 };
            let share = (common / all).max(within);
            if share >= ALIKE && best.is_none_or(|(most, _)| share > most) {
                best = Some((share, heading));
            }
        }
    }
    best.map(|(_, heading)| heading)
}

/// Without the last part; without the first where that is the site, or when too little is left before the last.
fn without_site(title: &str, site: &str) -> String {
    let cuts: Vec<(usize, usize)> =
        separators(title).into_iter().filter(|&(start, end)| &title[start..end] != ": ").collect();
    let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else { return title.to_owned() };
    let left = match () {
        () if !site.is_empty() && fold(&title[..first.0]) == site => &title[first.1..],
        () if words(&title[..last.0]).len() >= 2 => &title[..last.0],
        () => title,
    };
    left.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::Limits;

    fn of(html: &str) -> Option<String> {
        let doc = Doc::parse(html, &Limits::default());
        headline(&doc, None, crate::title::heading(&doc, None).as_deref())
    }

    #[test]
    fn the_first_heading_that_is_a_part_of_the_declared_title_wins_over_a_nearer_one() {
        let html = "<title>Flexbox - Learn the web | Docs</title><h2>Flexbox - Learn</h2><h1>Docs of all kinds</h1><h1>Flexbox</h1>";
        assert_eq!(of(html).as_deref(), Some("Flexbox"));
    }

    #[test]
    fn a_heading_of_a_section_is_no_title() {
        let html = "<title>Meditation costs - Calm</title><h1>How much is it?</h1><h2>What is within the meditation costs?</h2>";
        assert_eq!(of(html).as_deref(), Some("Meditation costs"));
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
    fn signs_of_permanent_links_go_and_quotes_do_not_matter() {
        assert_eq!(of("<title>Don't go — Docs</title><h1>Don’t go¶</h1><h1>Docs</h1>").as_deref(), Some("Don’t go"));
    }
}
