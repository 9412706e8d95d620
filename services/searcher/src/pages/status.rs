//! The status page: the crawl's account of itself, whatever of it can be read.

use time::OffsetDateTime;

use super::layout::{PageFrame, page};
use crate::html::HtmlWriter;
use crate::status::CrawlStatusFile;

/// Hosts listed before the rest is counted.
const MAX_HOSTS: usize = 40;

/// Fields with a place of their own, and their titles.
const CARDS: [(&str, &str); 4] = [
    ("fetched", "Fetched in this run"),
    ("queued", "Queued"),
    ("failed", "Failed"),
    ("pages_per_second", "Pages a second"),
];

/// Fields that are shown elsewhere than in the list of other facts, or not at all. Documents are counted in the index
/// alone: the crawl's own number is that of its run, and counts what no commit holds yet.
const PLACED: [&str; 7] = ["state", "started_at", "updated_at", "hosts", "outcomes", "documents", "demo"];

/// Fields whose numbers are names.
const NAMES: [&str; 1] = ["pid"];

/// Writes the page as of `now`; `count` is the number of documents, if there is an index.
pub(super) fn show(count: Option<u64>, crawl: Option<&CrawlStatusFile>, now: OffsetDateTime) -> String {
    let live = crawl.is_some_and(|crawl| crawl.is_live(now.unix_timestamp()));
    page(&PageFrame { title: "Status", query: Some(""), refresh: live, feed: None }, |html| {
        html.raw("<div class=\"status\"><h1>Status</h1><p class=\"summary\">");
        match count {
            Some(count) => {
                html.raw("The index holds ").number(count).raw(if count == 1 { " document." } else { " documents." })
            }
            None => html.raw("There is no index yet."),
        };
        if live && count.is_some() {
            html.raw(" What was fetched in the last seconds comes with the next commit.");
        }
        html.raw("</p>");
        match crawl {
            Some(crawl) => account(html, crawl, live, now),
            None => drop(html.raw("<p>No crawl has left an account of itself here.</p>")),
        }
        html.raw("</div>");
    })
}

fn account(html: &mut HtmlWriter, crawl: &CrawlStatusFile, live: bool, now: OffsetDateTime) {
    html.raw("<h2>Crawl <span class=\"tag\">");
    match crawl.plain("state") {
        // It says so still, but a crawl that writes no more was killed.
        Some(state) if state == "running" && !live => html.raw("not running any more"),
        Some(state) => html.text(&state),
        None => html.raw(if live { "running" } else { "not running" }),
    };
    html.raw("</span></h2><p class=\"quiet\">");
    if let Some(started) = crawl.time("started_at") {
        html.raw("Started ").text(&ago(started, now)).raw(". ");
    }
    if let Some(updated) = crawl.time("updated_at") {
        html.raw("Last heard of ").text(&ago(updated, now)).raw(".");
    }
    html.raw("</p><div class=\"cards\">");
    for (name, title) in CARDS {
        if let Some(value) = crawl.plain(name) {
            html.raw("<div class=\"card\"><b>");
            match value.parse::<u64>() {
                Ok(number) => html.number(number),
                Err(_) => html.text(&value),
            };
            html.raw("</b><span>").text(title).raw("</span></div>");
        }
    }
    html.raw("</div>");
    table(html, "Outcomes", &crawl.table("outcomes"));
    hosts(html, &crawl.list("hosts"));
    let placed = |name: &str| PLACED.contains(&name) || CARDS.iter().any(|(card, _)| *card == name);
    let others = crawl.fields.keys().filter(|name| !placed(name));
    let others = others.filter_map(|name| Some((name.clone(), crawl.plain(name)?)));
    table(html, "Further", &others.collect::<Vec<_>>());
}

fn table(html: &mut HtmlWriter, title: &str, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    html.raw("<h2>").text(title).raw("</h2><table>");
    for (name, value) in rows {
        html.raw("<tr><th scope=\"row\">").text(&name.replace('_', " ")).raw("</th><td>");
        match value.parse::<u64>() {
            Ok(number) if !NAMES.contains(&name.as_str()) => html.number(number),
            _ => html.text(value),
        };
        html.raw("</td></tr>");
    }
    html.raw("</table>");
}

fn hosts(html: &mut HtmlWriter, hosts: &[String]) {
    if hosts.is_empty() {
        return;
    }
    html.raw("<h2>Hosts at work</h2><ul class=\"chips\">");
    for host in hosts.iter().take(MAX_HOSTS) {
        html.raw("<li class=\"chip\"><bdi>").text(host).raw("</bdi></li>");
    }
    if hosts.len() > MAX_HOSTS {
        html.raw("<li>and ").number((hosts.len() - MAX_HOSTS) as u64).raw(" more</li>");
    }
    html.raw("</ul>");
}

/// How long ago something was, in the largest unit that says enough.
fn ago(then: OffsetDateTime, now: OffsetDateTime) -> String {
    let seconds = (now - then).whole_seconds().max(0);
    match seconds {
        0..=1 => "just now".to_owned(),
        2..=119 => format!("{seconds} seconds ago"),
        120..=7199 => format!("{} minutes ago", seconds / 60),
        7200..=172_799 => format!("{} hours ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
