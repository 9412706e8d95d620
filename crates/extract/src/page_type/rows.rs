//! The shape of a page's text: long and short rows, links, prices, dates, phrases, headings.

use gristmill_html::LocalName;
use gristmill_page::{Page, Row};

use super::numbers::FeatureVector;
use super::price_patterns::{has_date, has_price};
use super::words::{N_PHRASES, phrases};

/// What a row shows.
pub(super) const PRICE: u8 = 1;
pub(super) const DATE: u8 = 2;
pub(super) const LONG: u8 = 4;
pub(super) const REPLY: u8 = 8;
pub(super) const BUY: u8 = 16;

const BUCKETS: [f32; 5] = [12.0, 30.0, 80.0, 160.0, 400.0];

/// Adds the features of the rows; returns what each row shows.
pub(super) fn add(page: &Page<'_>, scale: f32, features: &mut FeatureVector) -> Vec<u8> {
    let rows = &page.rows;
    let chars: u32 = rows.iter().map(|row| row.chars).sum();
    let n = rows.len() as u32;
    let count = |test: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| test(row)).count() as u32;
    features.count((chars as f32 * scale) as u32);
    features.count(n);
    features.share(rows.iter().map(|row| row.link_chars).sum(), chars);
    features.share(count(&|row| row.is_link()), n);
    features.push(chars as f32 * scale / n.max(1) as f32);
    features.share(rows.iter().map(|row| row.marks.all).sum(), chars);
    features.share(rows.iter().map(|row| row.marks.sentence).sum(), chars);
    lengths(rows, scale, chars, features);
    features.share(count(&|row| row.marks.sentence > 0 && row.chars as f32 * scale >= 40.0), n);
    questions(page, features);
    runs(rows, scale, chars, features);
    let mut phrase_counts = [0u32; N_PHRASES];
    let events: Vec<u8> = rows.iter().map(|row| events(page, row, scale, &mut phrase_counts)).collect();
    phrase_counts.into_iter().for_each(|count| features.count(count));
    signs(rows, &events, features);
    headings(page, &events, scale, chars, features);
    events
}

fn events(page: &Page<'_>, row: &Row, scale: f32, phrase_counts: &mut [u32; N_PHRASES]) -> u8 {
    let text = page.row_text(row);
    let mut events = if row.chars as f32 * scale >= 100.0 && !row.is_link() { LONG } else { 0 };
    if text.len() > 80 {
        return events;
    }
    events |= if has_price(text) { PRICE } else { 0 } | if has_date(text) { DATE } else { 0 };
    let phrases = phrases(text);
    for (bit, count) in phrase_counts.iter_mut().enumerate() {
        *count += phrases >> bit & 1;
    }
    events | if phrases & 1 != 0 { BUY } else { 0 } | if phrases & 2 != 0 { REPLY } else { 0 }
}

/// How the characters outside of links spread over rows of different lengths.
fn lengths(rows: &[Row], scale: f32, chars: u32, features: &mut FeatureVector) {
    let (mut of_rows, mut of_chars) = ([0u32; BUCKETS.len() + 1], [0u32; BUCKETS.len() + 1]);
    for row in rows.iter().filter(|row| !row.is_link()) {
        let length = row.chars as f32 * scale;
        let bucket = BUCKETS.partition_point(|&most| length > most);
        of_rows[bucket] += 1;
        of_chars[bucket] += row.chars;
    }
    let n: u32 = of_rows.iter().sum();
    for (of_rows, of_chars) in of_rows.into_iter().zip(of_chars) {
        features.share(of_rows, n);
        features.share(of_chars, chars);
    }
    features.count(of_rows[3] + of_rows[4] + of_rows[5]);
    features.count(of_rows[5]);
    let mut longest: Vec<u32> = rows.iter().filter(|row| !row.is_link()).map(|row| row.chars).collect();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    features.share(longest.iter().take(1).sum(), chars);
    features.share(longest.iter().take(5).sum(), chars);
    features.share(longest.iter().take(20).sum(), chars);
}

/// Rows that end with a question mark or a colon.
fn questions(page: &Page<'_>, features: &mut FeatureVector) {
    let ends = |marks: [char; 2]| page.rows.iter().filter(|row| page.row_text(row).ends_with(marks)).count() as u32;
    let n = page.rows.len() as u32;
    for marks in [['?', '？'], [':', '：'], ['.', '。']] {
        let count = ends(marks);
        features.count(count);
        features.share(count, n);
    }
}

/// The run of rows with the most text, a short row or a link taking away what a row of thirty characters gives.
fn runs(rows: &[Row], scale: f32, chars: u32, features: &mut FeatureVector) {
    let (mut sum, mut start, mut best) = (0.0f32, 0, (0.0f32, 0, 0));
    for (at, row) in rows.iter().enumerate() {
        let plain = (row.chars - row.link_chars.min(row.chars)) as f32 * scale;
        if sum <= 0.0 {
            (sum, start) = (0.0, at);
        }
        sum += plain - 40.0 - if row.is_link() { 20.0 } else { 0.0 };
        if sum > best.0 {
            best = (sum, start, at + 1);
        }
    }
    let run = &rows[best.1..best.2];
    let in_run: u32 = run.iter().map(|row| row.chars).sum();
    features.count((in_run as f32 * scale) as u32);
    features.count(run.len() as u32);
    features.share(in_run, chars);
    features.push(in_run as f32 * scale / run.len().max(1) as f32);
    features.share(run.iter().map(|row| row.link_chars).sum(), in_run);
    features.share(rows[..best.1].iter().map(|row| row.chars).sum(), chars);
    features.share(run.iter().filter(|row| row.in_heading).count() as u32, run.len() as u32);
}

/// Prices, dates and buttons: how many, and where the first stands.
fn signs(rows: &[Row], events: &[u8], features: &mut FeatureVector) {
    let n = rows.len() as u32;
    for event in [PRICE, DATE] {
        let with = |link: bool| {
            let has = |(row, events): &(&Row, &u8)| **events & event != 0 && row.is_link() == link;
            rows.iter().zip(events).filter(has).count() as u32
        };
        let (plain, links) = (with(false), with(true));
        features.count(plain);
        features.count(links);
        features.share(plain + links, n);
    }
    for event in [PRICE, BUY] {
        let first = events.iter().position(|events| events & event != 0);
        features.push(first.map_or(-1.0, |at| at as f32 / n.max(1) as f32));
    }
}

fn headings(page: &Page<'_>, events: &[u8], scale: f32, chars: u32, features: &mut FeatureVector) {
    let rows = &page.rows;
    let n = rows.iter().filter(|row| row.in_heading).count() as u32;
    features.count(n);
    features.share(n, rows.len() as u32);
    let linked = rows.iter().filter(|row| row.in_heading && row.is_link()).count() as u32;
    features.count(linked);
    features.share(linked, n);
    let asks = rows.iter().filter(|row| row.in_heading && page.row_text(row).ends_with(['?', '？'])).count() as u32;
    features.share(asks, n);
    let followed =
        rows.windows(2).filter(|two| two[0].in_heading && !two[1].in_heading && two[1].chars as f32 * scale >= 80.0);
    features.share(followed.count() as u32, n);
    // What stands around the first main heading.
    let is_h1 = |row: &Row| page.doc.name(row.block) == LocalName::H1;
    features.count(rows.iter().filter(|row| is_h1(row)).count() as u32);
    let at = rows.iter().position(is_h1);
    let from = at.unwrap_or(0);
    features
        .push(at.map_or(-1.0, |at| rows[..at].iter().map(|row| row.chars).sum::<u32>() as f32 / chars.max(1) as f32));
    features.count(at.map_or(0, |at| (rows[at].chars as f32 * scale) as u32));
    let near = &rows[from..(from + 25).min(rows.len())];
    let near_events = &events[from..(from + 25).min(rows.len())];
    for event in [PRICE, DATE, LONG, BUY] {
        let first = near_events.iter().position(|events| events & event != 0);
        features.push(first.map_or(40.0, |at| at as f32));
    }
    features.share(near.iter().map(|row| row.link_chars).sum(), near.iter().map(|row| row.chars).sum());
    features.count((near.iter().map(|row| row.chars).sum::<u32>() as f32 * scale) as u32);
}
