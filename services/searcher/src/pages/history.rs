//! What changed on a page, on the page of its document: prices as a plot and as a table, edits as a list.

use gristmill_index::{Edit, IndexDocument, PastOffer, format_minute};

use crate::html::HtmlWriter;

/// Size of the plot, in units of its own.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 160.0;
/// Room for the line at the borders.
const MARGIN: f64 = 6.0;
/// Rows of a table: the newest.
const MAX_ROWS: usize = 200;

/// When the page was first seen and when it last changed, for the list of facts.
pub(super) fn times(document: &IndexDocument) -> [(&'static str, String); 2] {
    let history = &document.history;
    let first_seen = if history.is_empty() { String::new() } else { minute(history.first_seen) };
    [("First seen", first_seen), ("Last changed", history.changed().map(minute).unwrap_or_default())]
}

/// Writes what a product was offered for, if that changed.
pub(super) fn offers(html: &mut HtmlWriter, document: &IndexDocument) {
    let offers = &document.history.offers;
    if offers.len() > 1 {
        html.raw("<h2>Price over time</h2>");
        plot(html, offers, u64::try_from(document.fetched_at).unwrap_or(0).saturating_mul(1000));
        table(html, offers);
    }
}

/// Writes how title and text were edited.
pub(super) fn edits(html: &mut HtmlWriter, document: &IndexDocument) {
    let edits = &document.history.edits;
    if !edits.is_empty() {
        html.raw("<h2>Edits</h2>");
        list(html, edits);
    }
}

/// A line of steps: each price holds until the next offer, the last one until `end`. Offers without a price leave a gap, and
/// prices in another currency than the newest are left out.
fn plot(html: &mut HtmlWriter, offers: &[PastOffer], end: u64) {
    let Some(newest) = offers.iter().rev().find(|offer| offer.price.is_some()) else { return };
    let price_of = |offer: &PastOffer| offer.price.filter(|_| offer.currency == newest.currency);
    let prices = || offers.iter().filter_map(price_of);
    let (low, high) = prices().fold((f64::MAX, f64::MIN), |(low, high), price| (low.min(price), high.max(price)));
    let (begin, end) = (offers[0].at, offers.last().map_or(end, |offer| offer.at.max(end)));
    let place = |part: f64, whole: f64, size: f64| {
        MARGIN + (if whole > 0.0 { part / whole } else { 0.5 }) * (size - 2.0 * MARGIN)
    };
    let x = |at: u64| place((at.saturating_sub(begin)) as f64, (end - begin) as f64, WIDTH);
    let y = |price: f64| place(high - price, high - low, HEIGHT);
    let mut path = String::new();
    let mut is_drawn = false;
    for (n, offer) in offers.iter().enumerate() {
        let until = x(offers.get(n + 1).map_or(end, |next| next.at));
        if let Some(price) = price_of(offer) {
            let (from, level) = (x(offer.at), y(price));
            let step = if is_drawn { format!("V{level:.1}") } else { format!("M{from:.1} {level:.1}") };
            path.push_str(&format!("{step}H{until:.1}"));
        }
        is_drawn = price_of(offer).is_some();
    }
    let span = format!("{} to {} {}", amount(low), amount(high), newest.currency);
    let label = format!("Prices from {span}, {} to {}", minute(begin), minute(end));
    html.raw("<figure class=\"plot\"><svg").attr("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"));
    html.raw(" preserveAspectRatio=\"none\" role=\"img\"").attr("aria-label", &label).raw("><path");
    html.attr("d", &path).raw("/></svg><figcaption><span>").text(&minute(begin)).raw("</span><span>");
    html.text(span.trim_end()).raw("</span><span>").text(&minute(end)).raw("</span></figcaption></figure>");
}

fn table(html: &mut HtmlWriter, offers: &[PastOffer]) {
    html.raw("<table class=\"changes\"><thead><tr><th scope=\"col\">Since</th><th scope=\"col\">Price</th>");
    html.raw("<th scope=\"col\">Availability</th><th scope=\"col\">Title</th></tr></thead><tbody>");
    for offer in offers.iter().rev().take(MAX_ROWS) {
        html.raw("<tr><td>").text(&minute(offer.at)).raw("</td><td>").text(&price(offer)).raw("</td><td>");
        html.text(&offer.availability).raw("</td><td dir=\"auto\">").text(&offer.title).raw("</td></tr>");
    }
    html.raw("</tbody></table>");
    left_out(html, offers.len());
}

fn list(html: &mut HtmlWriter, edits: &[Edit]) {
    html.raw("<ul class=\"edits\">");
    for edit in edits.iter().rev().take(MAX_ROWS) {
        html.raw("<li>").text(&minute(edit.at)).raw(": ").number(edit.words_added).raw(" words came, ");
        html.number(edit.words_removed).raw(" went");
        if let Some(title) = &edit.title_before {
            html.raw("; the title was <q dir=\"auto\">").text(title).raw("</q>");
        }
        if let Some(text) = &edit.text_before {
            html.raw("<details><summary>The text before</summary>");
            for block in text.lines().filter(|line| !line.trim().is_empty()) {
                html.raw("<p dir=\"auto\">").text(block).raw("</p>");
            }
            html.raw("</details>");
        }
        html.raw("</li>");
    }
    html.raw("</ul>");
    left_out(html, edits.len());
}

fn left_out(html: &mut HtmlWriter, n_entries: usize) {
    if n_entries > MAX_ROWS {
        html.raw("<p class=\"quiet\">The newest ").number(MAX_ROWS as u64).raw(" of ").number(n_entries as u64);
        html.raw(".</p>");
    }
}

/// A price as people write it, with its currency; empty where there is none.
pub(crate) fn price(offer: &PastOffer) -> String {
    offer.price.map(|price| format!("{} {}", amount(price), offer.currency).trim_end().to_owned()).unwrap_or_default()
}

/// A number with two decimals, or none where it is whole.
fn amount(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

fn minute(millis: u64) -> String {
    format_minute(i64::try_from(millis / 1000).unwrap_or(i64::MAX))
}
