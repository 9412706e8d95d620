//! The status page: the crawl's account of itself, whatever of it can be read.

use gristmill_index::{Hit, format_minute};
use time::OffsetDateTime;

use super::layout::{PageFrame, page};
use super::plots::{self, duration};
use crate::html::HtmlWriter;
use crate::request::document_path;
use crate::status::CrawlStatusFile;

/// Rejects that are shown.
const MAX_REJECTS: usize = 8;
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

/// Facts in the words of people, by the field that holds each.
const FACTS: [(&str, &str); 13] = [
    ("known", "Addresses known"),
    ("done", "Pages there"),
    ("redirected", "Addresses that lead elsewhere"),
    ("disallowed", "Forbidden by robots.txt"),
    ("nothing_new", "Left out, since others like them brought nothing new"),
    ("to_render", "Waiting for a browser"),
    ("in_flight", "Being fetched now"),
    ("rejected", "Pages of this run that gave no document"),
    ("missed", "Pages of this run that needed a browser where there was none"),
    ("bytes", "Bytes of this run"),
    ("orders", "Requests of this run"),
    ("admin", "Admin port"),
    ("pid", PROCESS),
];

/// A number that is a name.
const PROCESS: &str = "Process";

/// Writes the page as of `now`; `count` is the number of documents, if there is an index.
///
/// * `newest`: what came into the index last.
pub(super) fn show(count: Option<u64>, newest: &[Hit], crawl: Option<&CrawlStatusFile>, now: OffsetDateTime) -> String {
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
        crawl.into_iter().for_each(|crawl| freshness(html, crawl));
        html.raw("<div class=\"beside\">");
        newest_documents(html, newest);
        crawl.into_iter().for_each(|crawl| newest_rejects(html, crawl, now));
        html.raw("</div>");
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
    for (title, name) in [("Last hour", "hour"), ("Last day", "day")] {
        if let Some(view) = crawl.timeline(name) {
            plots::timeline(html, title, &view);
        }
    }
    sites(html, crawl, now);
    chips(html, "Paused", &crawl.list("paused").iter().map(|site| paused(site)).collect::<Vec<_>>());
    if crawl.rows("sites", ["site"]).is_empty() {
        chips(html, "Hosts at work", &crawl.list("hosts"));
    }
    troubles(html, &crawl.rows("troubles", ["url", "outcome"]));
    table(html, "Outcomes of requests", &crawl.table("outcomes"));
    table(html, "Links left out", &crawl.table("left_out"));
    table(html, "Processor seconds", &crawl.table("cpu_seconds"));
    table(html, "Browsers", &crawl.table("renders"));
    let facts = FACTS.iter().filter_map(|(name, words)| Some(((*words).to_owned(), crawl.plain(name)?)));
    let is_placed = |name: &str| {
        let all = CARDS.iter().chain(&FACTS).map(|(name, _)| *name).chain(PLACED);
        all.into_iter().any(|placed| placed == name)
    };
    let others = crawl.fields.keys().filter(|name| !is_placed(name));
    let others = others.filter_map(|name| Some((name.clone(), crawl.plain(name)?)));
    table(html, "Further", &facts.chain(others).collect::<Vec<_>>());
}

/// The name of a paused site.
fn paused(site: &str) -> String {
    if site.is_empty() { "the whole crawl".to_owned() } else { site.to_owned() }
}

/// How soon news can be found.
fn freshness(html: &mut HtmlWriter, crawl: &CrawlStatusFile) {
    let of = |field| crawl.number_in("freshness", field);
    let (Some(median), Some(p95), Some(pages)) = (of("median_seconds"), of("p95_seconds"), of("pages")) else { return };
    html.raw("<p class=\"summary\">Found after publication: median <b>").text(&duration(median)).raw("</b>, 95 % <b>");
    html.text(&duration(p95)).raw("</b>, last day (").number(pages);
    html.raw(if pages == 1 { " page).</p>" } else { " pages).</p>" });
}

/// What the state of a site is called.
const STATES: [(&str, &str); 5] = [
    ("at_work", "a request is under way"),
    ("waiting", "waits for its turn"),
    ("backing_off", "refused or failed, asked less often"),
    ("given_up", "never answered, left alone for long"),
    ("paused", "paused"),
];

/// The sites that matter now.
fn sites(html: &mut HtmlWriter, crawl: &CrawlStatusFile, now: OffsetDateTime) {
    let sites = crawl.rows("sites", ["site", "state", "next_turn", "queued", "trouble"]);
    if sites.is_empty() {
        return;
    }
    html.raw("<h2>Sites</h2><table class=\"list\"><thead><tr><th scope=\"col\">Site</th><th scope=\"col\">State</th>");
    html.raw(
        "<th scope=\"col\">Next turn</th><th scope=\"col\">Waiting</th><th scope=\"col\">Trouble</th></tr></thead>",
    );
    for [site, state, next_turn, queued, trouble] in sites.iter().take(MAX_HOSTS) {
        let state = STATES.iter().find(|(name, _)| name == state).map_or(state.as_str(), |(_, words)| words);
        html.raw("<tr><td><bdi>").text(site).raw("</bdi></td><td>").text(state).raw("</td><td>");
        html.text(&next_turn.parse().map(|at: i64| ahead(at / 1000 - now.unix_timestamp())).unwrap_or_default());
        html.raw("</td><td>").number(queued.parse().unwrap_or(0)).raw("</td><td>");
        html.text(&trouble.replace('_', " ")).raw("</td></tr>");
    }
    html.raw("</table>");
}

/// So many seconds from now.
fn ahead(seconds: i64) -> String {
    match u64::try_from(seconds) {
        Ok(seconds) if seconds > 0 => format!("in {}", duration(seconds)),
        _ => "now".to_owned(),
    }
}

/// What came in last.
fn newest_documents(html: &mut HtmlWriter, hits: &[Hit]) {
    if hits.is_empty() {
        return;
    }
    html.raw("<section><h2>Newest documents</h2><ul class=\"newest\">");
    for hit in hits {
        let title = if hit.title.trim().is_empty() { "Untitled" } else { &hit.title };
        html.raw("<li><a dir=\"auto\"")
            .href(&document_path(&hit.key))
            .raw(">")
            .text(title)
            .raw("</a> <span class=\"quiet\">");
        html.text(&hit.site).raw(" · ").text(&format_minute(hit.fetched_at)).raw("</span></li>");
    }
    html.raw("</ul></section>");
}

/// What gave no document, and why.
fn newest_rejects(html: &mut HtmlWriter, crawl: &CrawlStatusFile, now: OffsetDateTime) {
    let rejects = crawl.rows("newest_rejects", ["url", "reason", "at"]);
    if rejects.is_empty() {
        return;
    }
    html.raw("<section><h2>Newest rejects</h2><ul class=\"newest\">");
    for [url, reason, at] in rejects.iter().take(MAX_REJECTS) {
        html.raw("<li><bdi>").outward(url, url).raw("</bdi> <span dir=\"auto\">").text(reason).raw("</span>");
        if let Some(at) = at.parse().ok().and_then(|at| OffsetDateTime::from_unix_timestamp(at).ok()) {
            html.raw(" <span class=\"quiet\">").text(&ago(at, now)).raw("</span>");
        }
        html.raw("</li>");
    }
    html.raw("</ul></section>");
}

/// What went wrong, each kind once for each host.
fn troubles(html: &mut HtmlWriter, troubles: &[[String; 2]]) {
    if troubles.is_empty() {
        return;
    }
    html.raw("<h2>Troubles</h2><table>");
    for [url, outcome] in troubles {
        html.raw("<tr><th scope=\"row\"><bdi>").text(url).raw("</bdi></th><td>");
        html.text(&outcome.replace('_', " ")).raw("</td></tr>");
    }
    html.raw("</table>");
}

fn table(html: &mut HtmlWriter, title: &str, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    html.raw("<h2>").text(title).raw("</h2><table>");
    for (name, value) in rows {
        html.raw("<tr><th scope=\"row\">").text(&name.replace('_', " ")).raw("</th><td>");
        match value.parse::<u64>() {
            Ok(number) if name != PROCESS => html.number(number),
            _ => html.text(value),
        };
        html.raw("</td></tr>");
    }
    html.raw("</table>");
}

fn chips(html: &mut HtmlWriter, title: &str, hosts: &[String]) {
    if hosts.is_empty() {
        return;
    }
    html.raw("<h2>").text(title).raw("</h2><ul class=\"chips\">");
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
