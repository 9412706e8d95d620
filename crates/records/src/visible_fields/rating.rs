//! The mean of many ratings, as a page shows it.

use std::sync::LazyLock;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Row, attribute_words};
use gristmill_text::PhraseMatcher;

use super::brand::is_of_site;
use super::{ROWS_AFTER, ROWS_BEFORE, SURE, UNSURE, leaves, rows};
use crate::heading::heading;
use crate::price::digit;
use crate::sourced::SourcedValue;
use crate::structured::Rating;
use crate::view::RecordView;

/// Longest text that says how many stars there are.
const MAX_TEXT: usize = 60;
/// Elements around a text that may be one review.
const MAX_AROUND: usize = 8;

/// The mean that properties outside of any item declare, or else stars near the heading: `4.5 out of 5`, `4,6/5`, `8.7/10`, `4.8 (178)`,
/// whatever the words between. What one reader gave is none.
pub(crate) fn rating(view: &RecordView) -> Option<SourcedValue<Rating>> {
    let property = |name: &str| {
        let is_property =
            |id: &NodeId| view.doc.attr(*id, LocalName::ITEMPROP) == Some(name) && !is_of_review(view, *id);
        let id = view.doc.ids().find(is_property)?;
        let text = view.doc.attr(id, LocalName::CONTENT).unwrap_or_else(|| view.slice(view.span_of(id.index())));
        number(text)
    };
    if let Some(value) = property("ratingValue").filter(|value| *value > 0.0) {
        let count = property("ratingCount").or_else(|| property("reviewCount")).map(|count| count as u64);
        return Some(SourcedValue::new(Rating { value, count }, "microdata", SURE));
    }
    let near = rows(view, ROWS_BEFORE, ROWS_AFTER);
    let range = leaves(near);
    let is_own = |row: &&Row| !view.leaves[row.first_leaf as usize].in_heading;
    let texts = near.iter().filter(is_own).map(|row| (row.block, view.slice(view.row_span(row))));
    let is_near = |id: &NodeId| view.doc.is_element(*id) && range.contains(&view.leaves_before(id.index()));
    let labelled = view.doc.ids().filter(is_near).filter_map(|id| {
        let label = [LocalName::ARIA_LABEL, LocalName::TITLE].iter().find_map(|&name| view.doc.attr(id, name))?;
        Some((id, label))
    });
    let short = texts.chain(labelled).filter(|(_, text)| text.len() <= MAX_TEXT);
    let heading = heading(view);
    let own = |id: NodeId| !is_of_review(view, id) && !is_of_site(view, id, heading);
    let mean =
        |id: NodeId, text: &str| stars(text).or_else(|| alone(text).filter(|_| count_behind(view, id).is_some()));
    let (id, rating) = short.filter_map(|(id, text)| Some((id, mean(id, text)?))).find(|(id, _)| own(*id))?;
    let count = rating.count.or_else(|| count_behind(view, id));
    Some(SourcedValue::new(Rating { count, ..rating }, "text", UNSURE))
}

/// The number of ratings in the row of a mean or in the next one: `(178)`, `18 reviews`. A price or a measure is none.
fn count_behind(view: &RecordView, mean: NodeId) -> Option<u64> {
    const ROWS: usize = 2;
    let leaf = &view.leaves[view.leaves_before(mean.index()).min(view.leaves.len().checked_sub(1)?)];
    let rows = view.rows.iter().skip(leaf.row as usize).take(ROWS + 1);
    let texts = rows.map(|row| view.slice(view.row_span(row)).trim()).filter(|text| text.len() <= MAX_TEXT);
    texts.filter(|text| stars(text).is_none()).find_map(|text| {
        if text.starts_with(['(', '（']) {
            return in_brackets(text);
        }
        in_words(text)
    })
}

/// The number that a text begins with, if few words follow and one is what ratings are called: `2,187 Ratings & 304 Reviews`.
fn in_words(text: &str) -> Option<u64> {
    const WORDS: usize = 5;
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}')))?;
    let digits: String = text[..end].chars().filter(char::is_ascii_digit).collect();
    let word = text[end..].trim();
    let is_count = REVIEWS.is_in(&word.to_lowercase()) && word.split_whitespace().count() <= WORDS;
    digits.parse().ok().filter(|_| is_count)
}

/// The mean that a text is and nothing else: a figure with one decimal, of five at most.
fn alone(text: &str) -> Option<Rating> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_star(c));
    let (whole, decimals) = text.split_once(['.', ','])?;
    let is_digit = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    let value = number(text).filter(|value| is_digit(whole) && is_digit(decimals) && *value <= 5.0)?;
    Some(Rating { value, count: None })
}

fn is_star(c: char) -> bool {
    matches!(c, '★' | '☆' | '⭐' | '\u{fe0f}')
}

/// What pages call ratings that are counted.
static REVIEWS: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::new(&[
        "review",
        "rating",
        "bewertung",
        "rezension",
        "avis",
        "évaluation",
        "valoracion",
        "valoración",
        "opinion",
        "opinión",
        "reseña",
        "calificaci",
        "recension",
        "valutazion",
        "avalia",
        "beoordeling",
        "opini",
        "ocen",
        "hodnocen",
        "recenz",
        "отзыв",
        "оцен",
        "відгук",
        "değerlendirme",
        "yorum",
        "レビュー",
        "件",
        "评价",
        "評價",
        "评论",
        "리뷰",
        "후기",
        "đánh giá",
        "ulasan",
        "penilaian",
        "omdöme",
        "anmeldelse",
        "vurdering",
        "arvostelu",
        "vélemény",
        "értékelés",
        "κριτικ",
        "αξιολογ",
        "تقييم",
        "دیدگاه",
        "نظر",
        "ביקור",
    ])
});

/// Whether an element is a part of what one reader wrote.
fn is_of_review(view: &RecordView, id: NodeId) -> bool {
    const PARTS: [&str; 8] = ["item", "body", "content", "card", "entry", "author", "text", "customer"];
    let is_review = |id: NodeId| {
        let declares =
            |name| view.doc.attr(id, name).is_some_and(|value| value.ends_with("review") || value.ends_with("/Review"));
        let one =
            || attribute_words::is_named(view.doc, id, &["review"]) && attribute_words::is_named(view.doc, id, &PARTS);
        declares(LocalName::ITEMPROP)
            || declares(LocalName::ITEMTYPE)
            || one()
            || attribute_words::is_named(view.doc, id, &["comment", "testimonial"])
    };
    std::iter::once(id).chain(view.doc.ancestors(id)).take(MAX_AROUND).any(is_review)
}

/// The number that a text begins with.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(text.len());
    text[..end].replace(',', ".").parse().ok()
}

/// The first mean of at most 5 or 10 with that number a few characters behind it, or with the number of ratings in brackets: it is often
/// said once for the eye and once for the ear (`4.4 4.4 out of 5`).
fn stars(text: &str) -> Option<Rating> {
    const NUMBERS: usize = 3;
    let text: String = text.chars().map(|c| digit(c).map_or(c, |digit| (b'0' + digit) as char)).collect();
    let is_start = |&(at, c): &(usize, char)| {
        c.is_ascii_digit() && !text[..at].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '/'))
    };
    text.char_indices().filter(is_start).take(NUMBERS).find_map(|(at, _)| mean(&text[at..]))
}

/// The mean that a text begins with.
fn mean(rest: &str) -> Option<Rating> {
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
    let (written, behind) = (&rest[..end], &rest[end..]);
    let value = number(written)?;
    let has_decimals = written.contains(['.', ',']);
    let is_mean = of(behind, value, has_decimals) || has_decimals && value <= 5.0 && counted(behind).is_some();
    is_mean.then(|| Rating { value, count: in_brackets(behind).or_else(|| counted(behind)) })
}

/// Whether a few characters and a 5 or 10 stand behind a number. Of two whole numbers and a 10 most are places in a row of pictures.
fn of(behind: &str, value: f64, has_decimals: bool) -> bool {
    let Some(at) = behind.find(|c: char| c.is_ascii_digit()).filter(|at| *at <= 20) else { return false };
    let between = &behind[..at];
    let has_word = between.contains('/') || between.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let best = &behind[at..];
    let end = best.find(|c: char| !c.is_ascii_digit()).unwrap_or(best.len());
    let is_best = match &best[..end] {
        "5" => value <= 5.0,
        "10" => value <= 10.0 && has_decimals,
        _ => false,
    };
    has_word && is_best
}

/// The number of ratings that stands at once behind a mean, in brackets or with a word, stars and marks between aside.
fn counted(behind: &str) -> Option<u64> {
    let rest = behind.trim_start_matches(|c: char| c.is_whitespace() || is_star(c) || matches!(c, '|' | '·' | '•'));
    let is_apart = rest.len() < behind.len();
    if rest.starts_with(['(', '（']) { in_brackets(rest) } else { in_words(rest).filter(|_| is_apart) }
}

/// The first number in brackets: `(1,178 ratings)`.
fn in_brackets(text: &str) -> Option<u64> {
    let (_, inner) = text.split_once(['(', '（'])?;
    let end =
        inner.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}'))).unwrap_or(inner.len());
    let digits: String = inner[..end].chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::tests::of as of_page;
    use super::*;

    #[test]
    fn stars_are_read_in_any_language() {
        for (text, value) in [
            ("4.5 out of 5 stars", 4.5),
            ("4,6 von 5", 4.6),
            ("Rated 5 / 5", 5.0),
            ("評價 4.8 顆星，滿分 5", 4.8),
            ("8.7/10", 8.7),
            ("9,2 von 10", 9.2),
            ("امتیاز ۴.۳ (۵۶)", 4.3),
            ("4.4 4.4 out of 5 stars", 4.4),
            ("Average of 12 ratings: 4.4 out of 5", 4.4),
        ] {
            assert_eq!(stars(text).map(|rating| rating.value), Some(value), "{text}");
        }
        for (text, count) in [
            ("4.8 (178)", 178),
            ("4,8 ★ (1.178 Bewertungen)", 1178),
            ("4.3 | 512 Değerlendirme", 512),
            ("★★★★☆ 4,4 27 отзывов", 27),
            ("4.5 out of 5 (12)", 12),
        ] {
            assert_eq!(stars(text).and_then(|rating| rating.count), Some(count), "{text}");
        }
        for text in [
            "7 out of 5",
            "4.5",
            "3 of 50",
            "2 5",
            "Size 4 (178)",
            "1/10",
            "12.5/10",
            "Version 4.5, (2) files",
            "۱٬۲۴۹٬۰۰۰ تومان",
        ] {
            assert_eq!(stars(text), None, "{text}");
        }
    }

    #[test]
    fn one_review_is_no_mean() {
        let value = |html: &str| of_page(html, |view| rating(view).map(|known| (known.value.value, known.value.count)));
        let review = "<div class=review-item><p>5 out of 5</p><p>Great.</p></div>";
        assert_eq!(value(&format!("<h1>Lamp</h1>{review}")), None);
        assert_eq!(value(&format!("<h1>Lamp</h1>{review}<p>4.2 out of 5</p>")), Some((4.2, None)));
        let property = "<span itemprop=ratingValue>4,4</span> <meta itemprop=reviewCount content=31>";
        assert_eq!(value(&format!("<h1>Lamp</h1><p>{property}</p>")), Some((4.4, Some(31))));
        assert_eq!(value(&format!("<h1>Lamp</h1><div itemprop=review>{property}</div>")), None);
        assert_eq!(value("<h1>Lamp</h1><p>4,5/5</p><p>18 recensioni</p>"), Some((4.5, Some(18))));
        assert_eq!(value("<h1>Lamp</h1><p>4,5/5</p><p>18 kg</p>"), Some((4.5, None)));
        assert_eq!(value("<h1>Lamp</h1><p>4.3</p><p>2,187 Ratings & 304 Reviews</p>"), Some((4.3, Some(2187))));
        assert_eq!(value("<h1>Lamp</h1><p>4.3</p><p>2,187 kg</p>"), None);
        assert_eq!(value("<header><h1>Lamp</h1><p>4.9 out of 5</p></header>"), Some((4.9, None)));
        assert_eq!(value("<header>4.9 out of 5 (12)</header><h1>Router 4.5 (2)</h1>"), None);
    }
}
