//! The title of a page: anchor text from the home page, else the heading nearest to the declared title.

use std::borrow::Cow;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::hidden::hides_text;
use gristmill_page::{Trace, TraceValue, heading_rank, is_dropped, is_heading, text_of};
use gristmill_text::{BigramSegmenter, collapse, for_each_word, is_cjk};

/// Titles are compared by this many characters; edit distance is quadratic.
const MAX_COMPARED: usize = 300;
/// Headings that are candidates; a page with more is a list.
const MAX_CANDIDATES: usize = 200;
/// Most bytes of a heading that are read.
const MAX_TITLE: usize = 2_000;
/// Between the title proper and the name of the site.
const SEPARATORS: [&str; 7] = [" | ", " - ", " – ", " — ", " _ ", " » ", "_"];

/// The title that methods are given: that of the paper, which [`Extraction::title`](crate::Extraction::title) need not be.
pub fn heading(doc: &Doc, anchor: Option<&str>) -> Option<String> {
    title(doc, anchor, &mut Trace::default())
}

/// The title of `doc`, normalised to one line.
///
/// 1. `anchor`, the text of the link that led here from the site's home page, unless it is abnormal.
/// 2. The heading (`h1` to `h6`) with the least edit distance to the declared title (`og:title`, `meta[name=title]`,
///    `twitter:title`, `<title>`); ties: higher rank, then document order. Without a declared title the first `h1`,
///    else the first heading.
/// 3. An element whose `id` begins or ends, or whose `class` begins, with `title`.
/// 4. The declared title, cut at the last separator if three words are left.
///
/// Source: Tan et al. 2018, Algorithm 2. Ours: the candidates exclude abnormal strings, and a heading that has
/// nothing in common with the declared title (distance over two thirds of the longer one) loses to it.
pub(crate) fn title(doc: &Doc, anchor: Option<&str>, trace: &mut Trace) -> Option<String> {
    let (title, source) = find(doc, anchor)?;
    trace.note("title_source", || TraceValue::Text(source.to_owned()));
    Some(title)
}

fn find(doc: &Doc, anchor: Option<&str>) -> Option<(String, &'static str)> {
    if let Some(anchor) = anchor.map(collapse).filter(|anchor| !is_abnormal(anchor)) {
        return Some((anchor, "anchor"));
    }
    let declared = declared(doc);
    let headings = headings(doc);
    match &declared {
        Some(declared) => {
            if let Some(heading) = nearest(&headings, declared) {
                return Some((heading, "heading"));
            }
        }
        None => {
            let first = headings.iter().find(|(rank, _)| *rank == 1).or(headings.first());
            if let Some((_, heading)) = first {
                return Some((heading.clone(), "heading"));
            }
        }
    }
    if headings.is_empty()
        && let Some(named) = named_title(doc)
    {
        return Some((named, "named"));
    }
    declared.map(|declared| (without_site(&declared).to_owned(), "declared"))
}

/// The title that the page declares, at most 500 characters of it.
pub(crate) fn declared(doc: &Doc) -> Option<String> {
    declared_in_meta(doc).or_else(|| usable(doc.title().as_deref()?))
}

/// The one in `meta`.
pub(crate) fn declared_in_meta(doc: &Doc) -> Option<String> {
    ["og:title", "title", "twitter:title"].into_iter().filter_map(|key| doc.meta(key)).find_map(usable)
}

fn usable(title: &str) -> Option<String> {
    Some(one_line(title)).filter(|title| !title.is_empty() && !is_garbled(title))
}

/// A declared title on one line, cut where it is absurdly long.
pub(crate) fn one_line(title: &str) -> String {
    const MAX_CHARS: usize = 500;
    const MAX_BYTES: usize = 8 * MAX_CHARS;
    let mut line = collapse(&legible(&title[..title.floor_char_boundary(MAX_BYTES)]));
    if let Some((end, _)) = line.char_indices().nth(MAX_CHARS) {
        line.truncate(end);
    }
    line
}

/// A title without control characters, and without what single bytes that could not be decoded became: where one letter in ten or
/// more is such, it is no title.
pub(crate) fn legible(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !c.is_whitespace();
    let n_lost = text.matches('\u{FFFD}').count();
    if n_lost == 0 && !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let few = 10 * n_lost < text.chars().count();
    Cow::Owned(text.chars().filter(|&c| !(is_control(c) || few && c == '\u{FFFD}')).collect())
}

/// Rank and text of the usable headings in document order.
fn headings(doc: &Doc) -> Vec<(u8, String)> {
    let usable = headings_of(doc, is_heading).filter(|(_, text)| !is_abnormal(text));
    usable.filter_map(|(id, text)| Some((heading_rank(doc.name(id))?, text))).take(MAX_CANDIDATES).collect()
}

/// The wanted headings with their texts in document order, without those in what is dropped.
pub(crate) fn headings_of(doc: &Doc, wanted: fn(LocalName) -> bool) -> impl Iterator<Item = (NodeId, String)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < doc.len() {
            let id = doc.id(at);
            let name = doc.name(id);
            let dropped = is_dropped(name) && name != LocalName::HEAD;
            at = if dropped { doc.end(id) } else { at + 1 };
            if !dropped && wanted(name) {
                let text = seen_text(doc, id);
                return Some((
                    id,
                    match legible(&text) {
                        Cow::Owned(legible) => collapse(&legible),
                        Cow::Borrowed(_) => text,
                    },
                ));
            }
        }
        None
    })
}

/// The text of a heading without what its links leave to screen readers, such as the words of a sign that leads to the source; all of it
/// where nothing else is in it.
fn seen_text(doc: &Doc, heading: NodeId) -> String {
    let in_link = |id: NodeId| doc.ancestors(id).take_while(|&id| id != heading).any(|id| doc.name(id) == LocalName::A);
    let hidden = |id: &NodeId| doc.is_element(*id) && hides_text(doc, *id) && in_link(*id);
    let inside = || doc.subtree(heading).filter(|&id| id != heading);
    let whole = text_of(doc, heading);
    if !inside().any(|id| hidden(&id)) {
        return whole;
    }
    let (mut text, mut end) = (String::new(), 0);
    for id in inside() {
        if id.index() >= end && (hidden(&id) || is_dropped(doc.name(id))) {
            end = doc.end(id);
        }
        if id.index() >= end && text.len() < MAX_TITLE {
            text.push_str(doc.text(id));
        }
    }
    Some(collapse(&text)).filter(|text| !text.is_empty()).unwrap_or(whole)
}

fn nearest(headings: &[(u8, String)], declared: &str) -> Option<String> {
    let to = EditDistance::to(declared);
    let (distance, _, heading) = headings
        .iter()
        .map(|(rank, text)| (to.of(text), *rank, text))
        .min_by_key(|(distance, rank, _)| (*distance, *rank))?;
    let length = heading.chars().count().max(declared.chars().count()).min(MAX_COMPARED);
    let contained = declared.contains(heading.as_str()) || heading.contains(declared);
    (contained || distance * 3 <= length * 2).then(|| heading.clone())
}

/// Edit distance of strings to one, in characters, each cut at 300. O(n·m ∕ 64).
///
/// Source: Hyyrö 2003, after Myers 1999: a column of the table as differences between neighbours, one bit each, in
/// blocks of 64 rows.
struct EditDistance {
    length: usize,
    /// For each character of the pattern the places where it stands.
    places: Vec<(char, Places)>,
    /// Indices in `places`; [`u16::MAX`] for a character that is not there.
    ascii: [u16; 128],
}

const BLOCKS: usize = MAX_COMPARED.div_ceil(64);
type Places = [u64; BLOCKS];

impl EditDistance {
    fn to(pattern: &str) -> EditDistance {
        let mut to = EditDistance { length: 0, places: Vec::new(), ascii: [u16::MAX; 128] };
        for c in pattern.chars().take(MAX_COMPARED) {
            let at = to.places.iter().position(|(known, _)| *known == c).unwrap_or_else(|| {
                to.places.push((c, [0; BLOCKS]));
                to.places.len() - 1
            });
            if let Some(index) = to.ascii.get_mut(c as usize) {
                *index = at as u16;
            }
            to.places[at].1[to.length / 64] |= 1 << (to.length % 64);
            to.length += 1;
        }
        to
    }

    fn places(&self, c: char) -> Places {
        let found = match self.ascii.get(c as usize) {
            Some(&index) => self.places.get(usize::from(index)),
            None => self.places.iter().find(|(known, _)| *known == c),
        };
        found.map_or([0; BLOCKS], |(_, places)| *places)
    }

    fn of(&self, text: &str) -> usize {
        let blocks = self.length.div_ceil(64);
        let Some(last) = blocks.checked_sub(1) else { return text.chars().take(MAX_COMPARED).count() };
        let end = 1u64 << ((self.length - 1) % 64);
        // Where the distance is one more, and one less, than in the row above.
        let (mut more, mut less) = ([u64::MAX; BLOCKS], [0u64; BLOCKS]);
        let mut distance = self.length;
        for c in text.chars().take(MAX_COMPARED) {
            let places = self.places(c);
            // The same between columns, in the last row of the block before; the first row counts characters.
            let (mut more_in, mut less_in) = (1u64, 0u64);
            for block in 0..blocks {
                let (up, down) = (more[block], less[block]);
                let here = places[block] | less_in;
                let diagonal = (((here & up).wrapping_add(up)) ^ up) | here | down;
                let mut right_more = down | !(diagonal | up);
                let mut right_less = up & diagonal;
                if block == last {
                    distance += usize::from(right_more & end != 0);
                    distance -= usize::from(right_less & end != 0);
                }
                let (more_out, less_out) = (right_more >> 63, right_less >> 63);
                right_more = right_more << 1 | more_in;
                right_less = right_less << 1 | less_in;
                let vertical = places[block] | down;
                more[block] = right_less | !(vertical | right_more);
                less[block] = right_more & vertical;
                (more_in, less_in) = (more_out, less_out);
            }
        }
        distance
    }
}

fn named_title(doc: &Doc) -> Option<String> {
    let is_named = |id: &NodeId| {
        let value = |name| doc.attr(*id, name).unwrap_or("");
        let id = value(LocalName::ID);
        id.starts_with("title") || id.ends_with("title") || value(LocalName::CLASS).starts_with("title")
    };
    doc.ids()
        .filter(|&id| doc.is_element(id) && !is_dropped(doc.name(id)))
        .filter(is_named)
        .take(MAX_CANDIDATES)
        .map(|id| text_of(doc, id))
        .find(|text| !is_abnormal(text))
}

/// The declared title up to the last separator, if at least three words (or four Chinese characters) stand there.
fn without_site(declared: &str) -> &str {
    let cut = SEPARATORS.iter().filter_map(|separator| declared.rfind(separator)).max();
    match cut.map(|at| declared[..at].trim()) {
        Some(left) if n_words(left) >= 3 => left,
        _ => declared,
    }
}

fn n_words(text: &str) -> usize {
    let mut n = 0;
    for_each_word(text, &BigramSegmenter, |_| n += 1);
    n
}

/// Links and headings that say nothing about the page behind them.
const GENERIC: &[&str] = &[
    "more",
    "read more",
    "continue",
    "continue reading",
    "details",
    "here",
    "click here",
    "更多",
    "详细",
    "点击",
    "查看更多",
    "查看详情",
    "阅读全文",
    "image",
    "video",
    "photo",
    "图片",
    "视频",
];

/// Whether a string cannot be a title: too short or long, garbled, an address, or one of the generic phrases.
///
/// Undefined in the paper. Length under 4 characters (2 in Chinese, Japanese, Korean) or over 250; less than 40 %
/// letters and digits.
pub(crate) fn is_abnormal(text: &str) -> bool {
    let text = text.trim();
    if text.is_ascii() {
        return is_abnormal_ascii(text.as_bytes());
    }
    is_abnormal_by_characters(text)
}

fn is_abnormal_by_characters(text: &str) -> bool {
    let n = text.chars().count();
    let shortest = if text.chars().any(is_cjk) { 2 } else { 4 };
    if n < shortest || n > 250 || is_garbled(text) {
        return true;
    }
    let solid = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    let address = text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.");
    let plain = text.trim_end_matches(['.', '…', '»', '>', '→', ' ']).to_lowercase();
    letters * 10 < solid * 4 || address || GENERIC.contains(&plain.as_str())
}

/// [`is_abnormal`] of trimmed ASCII, where a character is a byte.
fn is_abnormal_ascii(text: &[u8]) -> bool {
    if !(4..=250).contains(&text.len()) || text.iter().any(u8::is_ascii_control) {
        return true;
    }
    let solid = text.iter().filter(|&&byte| byte != b' ').count();
    let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let address = [&b"http://"[..], b"https://", b"www."].iter().any(|start| text.starts_with(start));
    let trailing = text.iter().rev().take_while(|byte| matches!(byte, b'.' | b'>' | b' ')).count();
    let plain = &text[..text.len() - trailing];
    letters * 10 < solid * 4 || address || GENERIC.iter().any(|phrase| plain.eq_ignore_ascii_case(phrase.as_bytes()))
}

/// Whether a string was decoded with the wrong charset.
fn is_garbled(text: &str) -> bool {
    if text.is_ascii() {
        return text.bytes().any(|byte| byte.is_ascii_control());
    }
    text.contains('\u{FFFD}')
        || text.chars().any(char::is_control)
        || text.contains("锟斤拷")
        || ["Ã", "Â", "â€"].iter().map(|bad| text.matches(bad).count()).sum::<usize>() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;
    use proptest::prelude::*;

    fn title_of(html: &str, anchor: Option<&str>) -> Option<String> {
        title(&Doc::parse(html, &TreeLimits::default()), anchor, &mut Trace::default())
    }

    #[test]
    fn the_heading_nearest_to_the_declared_title_wins() {
        let to = EditDistance::to("Storm hits coast - Daily News");
        assert_eq!((to.of("Storm hits coast"), to.of("Daily News"), to.of("Related")), (13, 19, 26));
        let html =
            "<title>Storm hits coast - Daily News</title><h1>Daily News</h1><h2>Storm hits coast</h2><h3>Related</h3>";
        assert_eq!(title_of(html, None).as_deref(), Some("Storm hits coast"));
    }

    /// The recurrence word for word.
    fn by_definition(a: &str, b: &str) -> usize {
        let a: Vec<char> = a.chars().take(MAX_COMPARED).collect();
        let mut costs: Vec<usize> = (0..=a.len()).collect();
        for (row, c) in b.chars().take(MAX_COMPARED).enumerate() {
            let mut diagonal = costs[0];
            costs[0] = row + 1;
            for (at, &other) in a.iter().enumerate() {
                let above = costs[at + 1];
                costs[at + 1] = (diagonal + usize::from(c != other)).min(above + 1).min(costs[at] + 1);
                diagonal = above;
            }
        }
        costs[a.len()]
    }

    proptest! {
        #[test]
        fn the_distance_by_bits_is_that_of_the_recurrence(
            a in "[ab]{0,70}|[a-cé中]{0,330}|\\PC{0,330}", b in "[ab]{0,70}|[a-cé中]{0,330}|\\PC{0,330}"
        ) {
            prop_assert_eq!(EditDistance::to(&a).of(&b), by_definition(&a, &b));
        }
    }

    proptest! {
        #[test]
        fn ascii_is_judged_as_all_characters_are(
            text in "[ -~]{0,12}|(More|read more|www.a)[ .>]{0,3}|[\t-~]{0,260}|[ -/]{3,9}[a-d]{0,4}"
        ) {
            let text = text.trim();
            prop_assert_eq!(is_abnormal(text), is_abnormal_by_characters(text), "{}", text);
        }
    }

    #[test]
    fn the_anchor_text_comes_first_unless_it_is_abnormal() {
        let html = "<title>Declared title here</title><h1>Declared title here</h1>";
        assert_eq!(title_of(html, Some(" From the\nhome page ")).as_deref(), Some("From the home page"));
        for abnormal in ["Read more »", "更多", "abc", "||| ---- >>>>", "锟斤拷锟斤拷", "https://example.com/a"]
        {
            assert_eq!(title_of(html, Some(abnormal)).as_deref(), Some("Declared title here"), "{abnormal}");
        }
    }

    #[test]
    fn words_of_a_heading_for_the_ear_are_no_title() {
        let read = |h1: &str| {
            heading(
                &Doc::parse(&format!("<title>Tide.Gauge - tide</title><h1>{h1}</h1>"), &TreeLimits::default()),
                None,
            )
        };
        let sign = "<a href=/s><i></i><span class=sr-only>View Source</span></a>";
        assert_eq!(read(&format!("{sign}<b>Tide.Gauge</b> of old")).as_deref(), Some("Tide.Gauge of old"));
        assert_eq!(read("<span class=sr-only>Tide.Gauge</span><img src=a>").as_deref(), Some("Tide.Gauge"));
    }

    #[test]
    fn without_a_declared_title_the_first_h1_is_taken() {
        assert_eq!(title_of("<h2>Some section</h2><h1>The page</h1>", None).as_deref(), Some("The page"));
        assert_eq!(title_of("<h3>Some section</h3><h2>Second</h2>", None).as_deref(), Some("Some section"));
    }

    #[test]
    fn an_element_named_title_replaces_missing_headings() {
        assert_eq!(title_of("<div class='title-main'>The headline</div>", None).as_deref(), Some("The headline"));
    }

    #[test]
    fn the_site_is_cut_off_a_declared_title_when_enough_is_left() {
        assert_eq!(
            title_of("<title>A long enough headline - Site</title>", None).as_deref(),
            Some("A long enough headline")
        );
        assert_eq!(title_of("<title>Short - Site</title>", None).as_deref(), Some("Short - Site"));
        assert_eq!(title_of("<title>台风登陆沿海_新闻网</title>", None).as_deref(), Some("台风登陆沿海"));
    }

    #[test]
    fn a_declared_title_is_bounded() {
        let long = "word ".repeat(100_000);
        for html in [format!("<title>{long}"), format!("<meta property=og:title content='{long}'>")] {
            let doc = Doc::parse(&html, &TreeLimits::default());
            assert!(heading(&doc, None).unwrap().chars().count() <= 500);
            assert!(crate::headline::headline(&doc, &Default::default()).unwrap().value.chars().count() <= 500);
        }
    }

    #[test]
    fn one_byte_that_means_nothing_is_lost_and_not_the_title() {
        let lost = "<title>A caf\u{FFFD} by the river</title><h1>A caf\u{FFFD} by the river</h1>";
        assert_eq!(title_of(lost, None).as_deref(), Some("A caf by the river"));
        let control = "<title>The mill\u{1}s of the\u{85} river</title>";
        assert_eq!(title_of(control, None).as_deref(), Some("The mills of the river"));
        let shown = crate::headline::headline(&Doc::parse(lost, &TreeLimits::default()), &Default::default());
        assert_eq!(shown.unwrap().value, "A caf by the river");
    }

    #[test]
    fn blocks_in_a_heading_stay_apart() {
        let html = "<h1><div>National demo</div><div>The 9 July nears</div></h1>";
        assert_eq!(title_of(html, None).as_deref(), Some("National demo The 9 July nears"));
    }

    #[test]
    fn a_page_that_says_nothing_has_no_title() {
        assert_eq!(title_of("<p>text", None), None);
        assert_eq!(title_of("<title> </title><h1>\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}</h1>", None), None);
    }
}
