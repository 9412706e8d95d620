//! The mean of many ratings, as a page shows it.

use std::borrow::Cow;
use std::sync::LazyLock;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Row, attribute_words};
use gristmill_text::PhraseMatcher;

use super::brand::is_of_site;
use super::{ROWS_AFTER, ROWS_BEFORE, SURE, UNSURE, leaves, rows};
use crate::heading::heading;
use crate::price::{self, digit};
use crate::price_row::apart;
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
    if let Some(rating) = of_properties(view) {
        return Some(SourcedValue::new(rating, "microdata", SURE));
    }
    let near = rows(view, ROWS_BEFORE, ROWS_AFTER);
    let range = leaves(near);
    let is_own = |row: &&Row| !view.leaves[row.first_leaf as usize].in_heading;
    let text = |row: &Row| apart(view, row, view.row_span(row)).0;
    let texts = near.iter().filter(is_own).map(|row| (row.block, text(row)));
    let is_near = |id: &NodeId| view.doc.is_element(*id) && range.contains(&view.leaves_before(id.index()));
    let labelled = view.doc.ids().filter(is_near).filter_map(|id| {
        let label = [LocalName::ARIA_LABEL, LocalName::TITLE].iter().find_map(|&name| view.doc.attr(id, name))?;
        Some((id, Cow::Borrowed(label)))
    });
    // A figure in an element of its own that is called a mean: what widgets of reviews draw.
    let figures = view.doc.ids().filter(is_near).filter_map(|id| {
        let is_named = || attribute_words::is_named(view.doc, id, &MEANS);
        let said = stated(view, id).or_else(|| is_named().then(|| view.slice(view.span_of(id.index()))))?;
        figure(said).or_else(|| whole(said)).map(|_| (id, Cow::Borrowed(said)))
    });
    let short = texts.chain(labelled).chain(figures).filter(|(_, text)| text.len() <= MAX_TEXT);
    let heading = heading(view);
    let own = |id: NodeId| !is_of_review(view, id) && !is_of_site(view, id, heading);
    let mean = |id: NodeId, text: &str| {
        let said = stars(text).filter(|mean| !mean.is_whole || names_rating(text) || is_called_rating(view, id));
        let has_count = || count_behind(view, id).is_some();
        let is_called = || is_called_mean(view, id) || has_count() || is_below_label(view, id);
        said.or_else(|| labelled_figure(text))
            .or_else(|| figure(text).filter(|_| is_called()))
            .or_else(|| whole(text).filter(|_| is_called_mean(view, id) && has_count()))
    };
    let found: Vec<(NodeId, Mean)> = short
        .filter_map(|(id, text)| Some((id, mean(id, &text)?)))
        .filter(|(id, mean)| own(*id) && mean.rating.count != Some(0) && mean.rating.value > 0.0)
        .take(MAX_MEANS)
        .collect();
    // What many gave has a fraction or their number beside it, what one gave neither.
    let count = |id: NodeId, mean: &Mean| mean.rating.count.or_else(|| count_behind(view, id));
    let is_of_many = |(id, mean): &&(NodeId, Mean)| !mean.is_whole || count(*id, mean).is_some();
    let may_be_of_many = |(id, mean): &&(NodeId, Mean)| mean.rating.count.is_some() || !is_in_review(view, *id);
    let mut found = found.iter().filter(may_be_of_many).peekable();
    let first = found.peek().copied();
    let &(id, ref mean) = found.find(is_of_many).or(first)?;
    Some(SourcedValue::new(Rating { count: count(id, mean), ..mean.rating }, "text", UNSURE))
}

/// The mean that properties outside of any item declare.
fn of_properties(view: &RecordView) -> Option<Rating> {
    let property = |name: &str| {
        let is_property =
            |id: &NodeId| view.doc.attr(*id, LocalName::ITEMPROP) == Some(name) && !is_of_review(view, *id);
        let id = view.doc.ids().find(is_property)?;
        let text = view.doc.attr(id, LocalName::CONTENT).unwrap_or_else(|| view.slice(view.span_of(id.index())));
        number(text)
    };
    let value = property("ratingValue").filter(|value| *value > 0.0)?;
    let counts = [property("ratingCount"), property("reviewCount")];
    let count = counts.into_iter().flatten().find(|count| *count >= 1.0).map(|count| count as u64);
    (count.is_some() || counts == [None; 2]).then_some(Rating { value, count })
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

/// Means near the heading that are looked at.
const MAX_MEANS: usize = 10;

/// Whether a text says that it is a mean of ratings; of two whole numbers most count pictures, days or grades: `Picture 3 of 5`.
fn names_rating(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.contains(is_star) || REVIEWS.is_in(&lower) || STARS.is_in(&lower)
}

/// Whether an element close around a text is called a rating.
fn is_called_rating(view: &RecordView, id: NodeId) -> bool {
    const AROUND: usize = 3;
    const NAMES: [&str; 8] = ["rating", "ratings", "stars", "star", "review", "reviews", "score", "bewertung"];
    let mut around = std::iter::once(id).chain(view.doc.ancestors(id)).take(AROUND);
    around.any(|id| attribute_words::is_named(view.doc, id, &NAMES))
}

/// The number that a text begins with, if few words follow and one is what ratings are called: `2,187 Ratings & 304 Reviews`.
fn in_words(text: &str) -> Option<u64> {
    const WORDS: usize = 5;
    let (count, end) = price::count(text)?;
    let is_end = |c: char| c.is_ascii_digit() || matches!(c, '|' | '·' | '•');
    let word = text[end..].split(is_end).next().unwrap_or_default().trim();
    let is_count = REVIEWS.is_in(&word.to_lowercase()) && word.split_whitespace().count() <= WORDS;
    Some(count).filter(|_| is_count)
}

/// Words of classes of the mean of many ratings, and of the box around it.
const MEANS: [&str; 9] = ["score", "rating", "ratings", "average", "avg", "ave", "stars", "bewertung", "hodnoceni"];
/// Attributes in which widgets keep it.
const STATED: [&str; 5] = ["data-rating", "data-score", "data-average", "data-average-rating", "data-rateit-value"];
/// Words before a mean: `Average rating 4.87`.
#[rustfmt::skip]
const MEAN_WORDS: &[&str] = &[
    "average", "overall", "durchschnitt", "gesamt", "moyenne", "promedio", "media ", "média", "gemiddeld", "genomsnitt", "gennemsnit",
    "gjennomsnitt", "keskiarvo", "średnia", "průměr", "priemer", "átlag", "средн", "середн", "ortalama", "平均", "평균",
];

/// What an attribute of an element says is the mean.
fn stated<'v>(view: &'v RecordView, id: NodeId) -> Option<&'v str> {
    let doc = view.doc;
    doc.attributes(id).find(|own| STATED.contains(&doc.name_str(own.name))).map(|own| own.value)
}

/// Whether an element, or the one around it, is called the mean of ratings.
fn is_called_mean(view: &RecordView, id: NodeId) -> bool {
    let doc = view.doc;
    // Sellers have scores, too.
    let is_in_one = || doc.parent(id).is_some_and(|around| attribute_words::is_named(doc, around, &MEANS[1..]));
    attribute_words::is_named(doc, id, &MEANS) || stated(view, id).is_some() || is_in_one()
}

/// The mean that a text is and nothing else: a figure with one or two decimals, of five at most.
fn figure(text: &str) -> Option<Mean> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let text = plain(text);
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_star(c) || POINTS.contains(&c));
    let (whole, decimals) = text.split_once(['.', ','])?;
    let are_digits =
        |part: &str, most: usize| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let value = number(text).filter(|value| are_digits(whole, 1) && are_digits(decimals, 2) && *value <= 5.0)?;
    Some(Mean { rating: Rating { value, count: None }, is_whole: false })
}

/// A whole number up to five that a text is and nothing else.
fn whole(text: &str) -> Option<Mean> {
    let value = text.trim().parse::<u8>().ok().filter(|value| (1..=5).contains(value))?;
    Some(Mean { rating: Rating { value: value.into(), count: None }, is_whole: true })
}

/// Whether the row above says that what follows is the mean of ratings.
fn is_below_label(view: &RecordView, id: NodeId) -> bool {
    let Some(leaf) = view.leaves.get(view.leaves_before(id.index())) else { return false };
    let above = (leaf.row as usize).checked_sub(1).and_then(|row| view.rows.get(row));
    above.is_some_and(|row| {
        let said = view.slice(view.row_span(row)).trim().to_lowercase();
        said.len() <= MAX_TEXT && MEAN_LABELS.is_in(&said) && !said.contains(|c: char| c.is_ascii_digit())
    })
}

static MEAN_LABELS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(MEAN_WORDS));

/// The mean behind words that say so, or before a word for stars: `Average rating 4.87`, `4.8 stars, 4 reviews`.
fn labelled_figure(text: &str) -> Option<Mean> {
    let lower = plain(text).to_lowercase();
    let start = lower.find(|c: char| c.is_ascii_digit())?;
    let (said, behind) = split_number(&lower[start..]);
    let (said, behind) = (said.trim_end_matches(['.', ',']), behind.trim());
    let next = behind.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_before = behind.is_empty() && (REVIEWS.is_in(&lower[..start]) || MEAN_LABELS.is_in(&lower[..start]));
    let is_behind = start == 0 && (STARS.is_in(next) || MEAN_LABELS.is_in(next));
    let mean = figure(said).filter(|_| is_before || is_behind)?;
    Some(Mean { rating: Rating { count: count_in(behind), ..mean.rating }, ..mean })
}

/// A mean, and whether it is written without decimals.
#[derive(Debug, Clone, Copy)]
struct Mean {
    rating: Rating,
    is_whole: bool,
}

fn is_star(c: char) -> bool {
    matches!(c, '★' | '☆' | '⭐' | '\u{fe0f}')
}

/// What pages call the stars of a rating, and what says that something was rated.
#[rustfmt::skip]
const STAR_WORDS: &[&str] = &[
    "star", "rated", "rate ", "stern", "étoile", "note", "noté", "estrella", "estrela", "stelle", "sterren", "stjärn",
    "stjern", "tähte", "gwiazd", "hvězd", "hviezd", "csillag", "stele", "звезд", "звёзд", "зірок", "зірк", "yıldız",
    "αστέρ", "puan", "評価", "评分", "評分", "满分", "滿分", "星", "별점", "평점", "sao", "bintang", "نجوم", "امتیاز", "כוכב",
    "score", "punteggio", "pontuação", "puntuación",
];

static STARS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(STAR_WORDS));

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
        "hodnoten",
        "hodnotil",
        "recenz",
        "отзыв",
        "оцен",
        "відгук",
        "değerlendirme",
        "yorum",
        "レビュー",
        "評価",
        "口コミ",
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
        "omtale",
        "समीक्षा",
        "रिव्यू",
        "รีวิว",
        "рецензи",
        "atsiliepim",
        "atsauksm",
        "arvustus",
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

/// Whether an element close around a text is called a review and says more than a mean does, as that of one reader, or is one of those in
/// a list.
fn is_in_review(view: &RecordView, id: NodeId) -> bool {
    const LEAST_WORDS: usize = 5;
    let doc = view.doc;
    let is_review = |id: NodeId| {
        let words = view.slice(view.span_of(id.index())).split_whitespace();
        let n_words = words.filter(|word| word.chars().any(char::is_alphabetic)).take(LEAST_WORDS).count();
        attribute_words::is_named(doc, id, &["review"]) && n_words == LEAST_WORDS
    };
    let is_one = |id: NodeId| {
        let is_item = matches!(doc.name(id), LocalName::LI | LocalName::ARTICLE | LocalName::BLOCKQUOTE);
        let list = doc.parent(id).filter(|_| is_item);
        list.is_some_and(|list| attribute_words::is_named(doc, list, &["reviews", "ratings", "testimonials"]))
    };
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND);
    around.any(|id| is_review(id) || is_one(id))
}

/// The number that a text begins with.
fn number(text: &str) -> Option<f64> {
    split_number(text.trim()).0.replace(',', ".").parse().ok()
}

/// The digits and marks that a text begins with, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !is_of_number(c)).unwrap_or(text.len()))
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',')
}

/// A text with digits and the point before decimals of any script in those of ASCII.
fn plain(text: &str) -> String {
    let ascii = |c: char| match c {
        '٫' => '.',
        c => digit(c).map_or(c, |digit| (b'0' + digit) as char),
    };
    text.chars().map(ascii).collect()
}

/// The first mean of at most 5 or 10 with that number a few characters behind it, or with the number of ratings in brackets: it is often
/// said once for the eye and once for the ear (`4.4 4.4 out of 5`). Or as many filled stars of five as there are, where their number stands
/// behind them: full rows of them are often an ornament.
fn stars(text: &str) -> Option<Mean> {
    const NUMBERS: usize = 3;
    let text = plain(text);
    let is_start = |&(at, c): &(usize, char)| {
        c.is_ascii_digit() && !text[..at].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '/'))
    };
    // `5つ星のうち4.6` has the best first.
    if let Some(rest) = OF_FIVE.iter().find_map(|of| text.split_once(of).map(|(_, rest)| rest.trim_start())) {
        let value = number(rest).filter(|value| *value <= 5.0)?;
        return Some(Mean {
            rating: Rating { value, count: count_in(split_number(rest).1) },
            is_whole: value.fract() == 0.0,
        });
    }
    text.char_indices().filter(is_start).take(NUMBERS).find_map(|(at, _)| mean(&text[at..])).or_else(|| drawn(&text))
}

/// Words before a mean of five.
const OF_FIVE: [&str; 9] =
    ["5つ星のうち", "5点満点中", "5点中", "5점 만점에", "满分5分", "5 üzerinden", "5-ből", "5 में से", "5 এর মধ্যে"];

/// Words for a point right behind a mean: `4.8分`.
const POINTS: [char; 3] = ['分', '点', '점'];

/// `★★★★☆ (12)`
fn drawn(text: &str) -> Option<Mean> {
    let n_full = text.chars().filter(|c| matches!(c, '★' | '⭐')).count();
    let n_empty = text.chars().filter(|c| *c == '☆').count();
    let count = counted(text.trim_start_matches(|c: char| !is_star(c)))?;
    let is_row = n_full > 0 && n_empty > 0 && n_full + n_empty == 5;
    is_row.then_some(Mean { rating: Rating { value: n_full as f64, count: Some(count) }, is_whole: true })
}

/// The mean that a text begins with.
fn mean(rest: &str) -> Option<Mean> {
    let (written, behind) = split_number(rest);
    let value = number(written)?;
    // Three digits behind a mark are thousands.
    let has_decimals = written.split_once(['.', ',']).is_some_and(|(_, decimals)| decimals.len() < 3);
    let is_mean = of(behind, value, has_decimals) || has_decimals && value <= 5.0 && counted(behind).is_some();
    is_mean.then(|| {
        let count = in_brackets(behind).or_else(|| counted(behind)).or_else(|| count_in(behind));
        Mean { rating: Rating { value, count }, is_whole: !has_decimals }
    })
}

/// The first number behind a mean that a word for ratings stands beside: `out of 5 stars 2,318 ratings`, `- 31 avis`, `리뷰 31개`.
fn count_in(behind: &str) -> Option<u64> {
    const NUMBERS: usize = 4;
    let is_start = |&(at, c): &(usize, char)| c.is_ascii_digit() && !behind[..at].ends_with(is_of_number);
    behind.char_indices().filter(is_start).take(NUMBERS).find_map(|(at, _)| {
        let word = behind[..at].trim_end_matches(|c: char| !c.is_alphanumeric()).rsplit(' ').next()?;
        let rest = &behind[at..];
        let words = rest.trim_start_matches(|c: char| is_of_number(c) || c.is_whitespace());
        let own = &words[..words.find(|c: char| c.is_ascii_digit()).unwrap_or(words.len())];
        let is_count = [own, word].iter().any(|words| REVIEWS.is_in(&words.to_lowercase()));
        price::count(rest).filter(|_| is_count).map(|(count, _)| count)
    })
}

/// Whether a few characters and a 5 or 10 stand behind a number, or behind a percentage 100. Of two whole numbers and a 10 most are places
/// in a row of pictures.
fn of(behind: &str, value: f64, has_decimals: bool) -> bool {
    let Some(at) = behind.find(|c: char| c.is_ascii_digit()).filter(|at| *at <= 20) else { return false };
    let between = &behind[..at];
    let is_of = matches!(between.trim(), "z" | "з" | "ze");
    let has_word = between.contains('/') || is_of || between.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let best = &behind[at..];
    let end = best.find(|c: char| !c.is_ascii_digit()).unwrap_or(best.len());
    let is_best = match &best[..end] {
        "5" => value <= 5.0,
        "10" => value <= 10.0 && has_decimals,
        "100" => value <= 100.0 && between.trim_start().starts_with('%'),
        _ => false,
    };
    has_word && is_best && !REVIEWS.is_in(&between.to_lowercase())
}

/// The number of ratings that stands at once behind a mean, in brackets or with a word, stars and marks between aside.
fn counted(behind: &str) -> Option<u64> {
    let behind = behind.trim_start_matches(POINTS);
    let rest =
        behind.trim_start_matches(|c: char| c.is_whitespace() || is_star(c) || matches!(c, '|' | '·' | '•' | '-'));
    let is_apart = rest.len() < behind.len();
    if !rest.starts_with(['(', '（']) {
        let is_word = REVIEWS.is_in(&rest.split(' ').next().unwrap_or_default().to_lowercase());
        return in_words(rest).or_else(|| count_in(rest).filter(|_| is_word)).filter(|_| is_apart);
    }
    in_brackets(rest).or_else(|| count_in(rest))
}

/// The first number in brackets: `(1,178 ratings)`.
fn in_brackets(text: &str) -> Option<u64> {
    let (_, inner) = text.split_once(['(', '（'])?;
    price::count(inner.trim_start()).map(|(count, _)| count)
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
            ("5つ星のうち4.6", 4.6),
            ("★★★★☆ (12)", 4.0),
            ("٤٫٥ من ٥ (٢٠٤ تقييم)", 4.5),
            ("4,8 z 5", 4.8),
            ("4.8分 204条评价", 4.8),
            ("5 üzerinden 4,5", 4.5),
            ("4.9 | 1,2k Đánh giá | 3,4k Đã bán", 4.9),
            ("Bewertung: 88% of 100", 88.0),
        ] {
            assert_eq!(stars(text).map(|mean| mean.rating.value), Some(value), "{text}");
        }
        for (text, count) in [
            ("4.8 (178)", 178),
            ("4,8 ★ (1.178 Bewertungen)", 1178),
            ("4.3 | 512 Değerlendirme", 512),
            ("★★★★☆ 4,4 27 отзывов", 27),
            ("4.5 out of 5 (12)", 12),
            ("4.6 out of 5 stars 2,318 ratings", 2318),
            ("Rated 4.6/5 based on 31 reviews", 31),
            ("4,6/5 - 31 avis", 31),
            ("★ 4.6 (리뷰 212)", 212),
            ("★ 4.6 리뷰 31개", 31),
            ("5つ星のうち4.6 31個の評価", 31),
            ("★★★★☆ (12)", 12),
            ("4.5 · 1.2k reviews", 1200),
            ("4.5 (1.2K)", 1200),
            ("4,5 из 5 – 1,2 тыс. отзывов", 1200),
            ("4.5 out of 5 · 1.204 Bewertungen", 1204),
            ("4,3 4,3 von 5 Sternen 2.345 Sternebewertungen", 2345),
        ] {
            assert_eq!(stars(text).and_then(|mean| mean.rating.count), Some(count), "{text}");
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
            assert!(stars(text).is_none(), "{text}");
        }
    }

    #[test]
    fn widgets_of_reviews_are_read_by_their_names() {
        let value = |html: &str| of_page(html, |view| rating(view).map(|known| (known.value.value, known.value.count)));
        for html in [
            "<span class=bv-rating><span aria-hidden=true>4.4</span></span>",
            "<div class=stars>☆☆☆☆☆ <i>Read reviews</i> ★★★★★ <b class=bv-rating>4.4</b></div>",
            "<span class=stamped-summary-text-1 data-count=11 data-rating=4.4></span>",
            "<span class=js-average-rating>4.4</span><span> Average</span>",
            "<div class=summary><div class=label>Průměrné hodnocení</div><div class=value>4,4</div></div>",
            "<div class=review-info>Hodnocení <strong>4.4</strong></div>",
            "<div role=img aria-label='Average Rating 4.4'></div>",
            "<div title='4.4 stars'></div>",
        ] {
            assert_eq!(value(&format!("<h1>Lamp</h1>{html}<p>Made of brass.</p>")), Some((4.4, None)), "{html}");
        }
        assert_eq!(value("<h1>Lamp</h1><p class=rating>5</p><p>27 ratings</p>"), Some((5.0, Some(27))));
        assert_eq!(value("<h1>Lamp</h1><p>1 reviews <b>5 out of 5</b></p>").map(|(value, _)| value), Some(5.0));
        for other in [
            "<b class=price>4.40</b>",
            "<b class=rating>5</b>",
            "<div class=score-row><em title='4.4'>x</em></div>",
            "Version 4.4",
        ] {
            assert_eq!(value(&format!("<h1>Lamp</h1><p>{other}</p>")), None, "{other}");
        }
    }

    #[test]
    fn one_review_is_no_mean() {
        let value = |html: &str| of_page(html, |view| rating(view).map(|known| (known.value.value, known.value.count)));
        let review = "<div class=review-item><p>5 out of 5</p><p>Great.</p></div>";
        assert_eq!(value(&format!("<h1>Lamp</h1>{review}")), None);
        let plain = "<div class=review><b>Rated 2 out of 5</b> by Lena</div>";
        assert_eq!(value(&format!("<h1>Lamp</h1>{plain}")), None);
        assert_eq!(value("<h1>Lamp</h1><ul class=reviews><li>5 out of 5 – Lena</ul>"), None);
        assert_eq!(value(&format!("<h1>Lamp</h1>{plain}<p>4 out of 5 stars</p>")), Some((4.0, None)));
        assert_eq!(value("<h1>Lamp</h1><div class=product-review>4.6 out of 5 (12)</div>"), Some((4.6, Some(12))));
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
        for other in ["Ships in 3 to 5 days", "Picture 3 of 5", "Bild 2 von 5", "Difficulty: 3/5", "1 / 5"] {
            assert_eq!(value(&format!("<h1>Lamp</h1><p>{other}</p>")), None, "{other}");
        }
        let many = "<div aria-label='4.5 out of 5 stars'></div><a>38 reviews</a>";
        assert_eq!(value(&format!("<h1>Lamp</h1>{many}<p>5/5 stars Kiri</p>")), Some((4.5, Some(38))));
        assert_eq!(value("<h1>Lamp</h1><div><span>4.6</span><a>1,204 reviews</a></div>"), Some((4.6, Some(1204))));
        assert_eq!(value("<h1>Lamp</h1><p class=rating>4/5</p>"), Some((4.0, None)));
    }
}
