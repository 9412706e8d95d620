//! What is known of a URL, told to a person: first what became of it and why, then what was looked at.

use std::fmt::Write as _;

use gristmill_index::format_day;
use gristmill_proto::{RejectCause, RejectReason};
use serde::Deserialize;
use serde_json::Value;

use crate::failure_advice::{FailureAdvice, of_explanation, of_failure};

/// Tells what `gristmill explain --json` has of a URL; `now` in milliseconds since 1970.
pub fn prose(all: &Value, now: u64) -> String {
    let frontier = &all["frontier"];
    let mut text = format!("{}\n\n", all["url"].as_str().unwrap_or_default());
    let is_met = !frontier["known"].is_null();
    let rejects = rejects(&all["rejected"]);
    let was_read = !all["document"].is_null() || !rejects.is_empty();
    match frontier.is_null() {
        is_unknown if !is_met && all["imported"] == true && (was_read || is_unknown) => {
            text.push_str(&imported(all, &rejects))
        }
        true => text.push_str("The crawl has ended meanwhile and could not be asked; ask once more.\n"),
        false => fate(&mut text, all, &rejects, now),
    }
    text.push('\n');
    for (name, told) in [
        ("found", found(&frontier["known"], now)),
        ("fetched", fetched(&frontier["known"], now)),
        ("browser", browser(&frontier["render"], &rejects, now)),
        ("robots.txt", robots(&frontier["host"], now)),
        ("site", site(&frontier["host"], now)),
        ("trust", trust(&all["insecure"])),
        ("index", index(&all["document"])),
    ] {
        if let Some(told) = told {
            let _ = writeln!(text, "{name:<12}{told}");
        }
    }
    text
}

fn rejects(rejected: &Value) -> Vec<RejectReason> {
    let rejects = rejected.as_array().into_iter().flatten();
    rejects.filter_map(|reject| RejectReason::deserialize(reject).ok()).collect()
}

/// The sentences of rejects.
fn joined<R: ToString>(rejects: &[R]) -> String {
    rejects.iter().map(R::to_string).collect::<Vec<_>>().join("; ")
}

/// What became of a page that no crawl met, where archives were imported.
fn imported(all: &Value, rejects: &[RejectReason]) -> String {
    match (all["document"].is_null(), rejects.is_empty()) {
        (false, _) => "It came out of an archive (`gristmill import`).\n".to_owned(),
        (true, false) => format!("It came out of an archive, and could not be read: {}.\n", joined(rejects)),
        (true, true) => "No crawl met it, and no archive that was imported brought it into the index.\n".to_owned(),
    }
}

/// What became of it, and what helps.
fn fate(text: &mut String, all: &Value, rejects: &[RejectReason], now: u64) {
    let frontier = &all["frontier"];
    let known = &frontier["known"];
    // Whatever a browser made of it, it was read as it was sent.
    let rejects: Vec<&RejectReason> = rejects.iter().filter(|reject| !reject.cause.is_of_browser()).collect();
    let told = match known["state"].as_str() {
        _ if frontier["scope"] == "taken_down" => {
            "It was taken out of the corpus for good (`gristmill forget`).".to_owned()
        }
        _ if known.is_null() => never_met(frontier),
        Some("queued") => format!("It waits for its turn{}.", waits_for(&frontier["host"], now)),
        Some("leased") => "It is being fetched right now.".to_owned(),
        Some("retrying") => {
            let reason = failure(known);
            let due = known["due"].as_u64().map(|due| format!(" {}", when(due, now))).unwrap_or_default();
            format!("It could not be fetched: {}. It is tried again{due}.", reason.what)
        }
        Some("redirected") => {
            let target = known["redirect"].as_str().unwrap_or("elsewhere");
            match known["departure"].as_str() {
                Some("dead_end") => {
                    format!("It left the index: it redirects to {target}, and no page is there any more.")
                }
                _ => format!("It redirects to {target}; explain that one."),
            }
        }
        Some("done") => match listing(known, &rejects) {
            Some(what) if rejects.iter().any(|reject| reject.cause == RejectCause::NoPage) => {
                format!("It was asked for as a {what}: {}.", joined(&rejects))
            }
            Some(what) => {
                let cut = rejects
                    .iter()
                    .filter(|reject| matches!(reject.cause, RejectCause::LinksCut | RejectCause::BodyCut));
                let cut: String = cut.map(|reject| format!(" Not all of it: {reject}.")).collect();
                format!("It is a {what}: what it lists was taken, and it does not stand in the index itself.{cut}")
            }
            None => departed(known).unwrap_or_else(|| done(&all["document"], &rejects) + &canonical(known)),
        },
        _ => {
            let Some(FailureAdvice { mut what, help }) = of_explanation(frontier) else { return };
            if known["state"]["failed"] == "bad_type"
                && let Some(reject) = rejects.iter().find(|reject| reject.cause == RejectCause::NoPage)
            {
                what = format!("{what} ({reject})");
            }
            let help = if help.is_empty() { String::new() } else { format!("\nWhat helps: {help}.") };
            match all["document"].is_null() {
                true if known["departure"] == "closed" => {
                    format!(
                        "It stood in the index and left it: {what}, for longer than `frontier.robots.keep_closed`.{help}"
                    )
                }
                true => format!("It has no page: {what}.{help}"),
                false => format!("Its last visit failed: {what}. What an earlier one found stands in the index.{help}"),
            }
        }
    };
    let _ = writeln!(text, "{told}");
    if !rejects.is_empty() && !all["document"].is_null() && listing(known, &rejects).is_none() {
        let _ = writeln!(text, "An earlier visit could not be read: {}.", joined(&rejects));
    }
}

/// Whether it is a list of other pages, by what it was asked for as or by what it turned out to be.
fn listing(known: &Value, rejects: &[&RejectReason]) -> Option<&'static str> {
    let is_told = |cause| rejects.iter().any(|reject| reject.cause == cause);
    match known["kind"].as_str() {
        Some("feed") => Some("feed"),
        Some("sitemap") => Some("sitemap"),
        _ if is_told(RejectCause::Feed) => Some("feed"),
        _ if is_told(RejectCause::Sitemap) => Some("sitemap"),
        _ => None,
    }
}

fn never_met(frontier: &Value) -> String {
    match of_explanation(frontier) {
        Some(FailureAdvice { what, help }) => {
            format!("It is not part of the crawl: {what}.\nWhat helps: {help}.")
        }
        None => {
            let robots = &frontier["host"];
            let (unmet, followed) = match frontier["max_depth"].as_u64() {
                Some(depth) => (
                    format!(
                        "it is not within {depth} links of a start URL, and what is behind is left out (`--max-depth`)."
                    ),
                    "",
                ),
                None => (
                    "no page that was fetched links to it, but for links marked `nofollow`.".to_owned(),
                    " Another link to it would be followed.",
                ),
            };
            match (robots["allowed"].as_bool(), robots["rule"].as_str()) {
                (Some(false), Some(rule)) => {
                    format!("It was never met: {unmet} robots.txt would forbid it, by its line `{rule}`.")
                }
                _ => {
                    format!(
                        "It was never met: {unmet}{followed}\nWhat helps: give it to `gristmill crawl` as a start URL."
                    )
                }
            }
        }
    }
}

/// Why a URL in a queue is not fetched now.
fn waits_for(host: &Value, now: u64) -> String {
    let robots = host["robots"].as_str().unwrap_or_default();
    if host["paused"] == true {
        return ": its site is paused until `gristmill resume`".to_owned();
    }
    if let Some(until) = host["given_up_until"].as_u64().filter(|&until| until > now) {
        return format!(": its site did not answer and is left alone until {}", when(until, now));
    }
    if robots == "being fetched" || robots == "unknown" {
        return ": the robots.txt of its host is fetched first".to_owned();
    }
    match host["next_allowed"].as_u64().filter(|&next| next > now) {
        Some(next) => format!(": its site may be asked again {}", when(next, now)),
        None => match host["queued"].as_u64() {
            Some(n) if n > 1 => format!(", one of {n} of its host"),
            _ => String::new(),
        },
    }
}

/// What may be the matter with a page without a text.
const EMPTY: &str =
    " It has no text as it was sent.\nWhat helps: if scripts write it, `--render auto` has a browser draw it.";

fn done(document: &Value, rejects: &[&RejectReason]) -> String {
    let text = |name: &str| document[name].as_str().unwrap_or_default();
    if document.is_null() {
        return match rejects {
            [] => "It was fetched, but does not stand in the index: it asks not to be indexed (`noindex`), is of no kind in \
                   `extractor.kinds`, or waits for the indexer."
                .to_owned(),
            rejects => format!("It was fetched, but could not be read: {}.", joined(rejects)),
        };
    }
    let title =
        if text("title").is_empty() { "without a title".to_owned() } else { format!("as “{}”", text("title")) };
    let empty = if document["characters"] == 0 { EMPTY } else { "" };
    format!("It was fetched and stands in the index, {title}.{empty}")
}

/// Why a page that was fetched left the index, if it did.
fn departed(known: &Value) -> Option<String> {
    let canonical = known["canonical"].as_str().unwrap_or("another");
    Some(match known["departure"].as_str()? {
        "canonical" => format!(
            "It was fetched, and is left out of the index: it names {canonical} as its canonical page, which says the same. It \
             comes back when that one goes."
        ),
        "copy" => {
            let other = known["copy_of"].as_str().map(|url| format!(": {url} stands for them")).unwrap_or_default();
            format!("It was fetched, and is left out of the index: many addresses of its site say the same{other}.")
        }
        "login" => "It was fetched, and is left out of the index: many addresses of its site ask for a password in the same words."
            .to_owned(),
        "closed" => "It stood in the index and left it: robots.txt forbids it, for longer than `frontier.robots.keep_closed`.".to_owned(),
        _ => return None,
    })
}

/// Why a page stands in the index that names another.
fn canonical(known: &Value) -> String {
    let Some(named) = known["canonical"].as_str() else { return String::new() };
    format!(
        " It names {named} as its canonical page, and stays all the same: that one was not fetched, is not kept itself, or says \
         something else; explain that one."
    )
}

fn failure(known: &Value) -> FailureAdvice {
    let name = known["last_failure"].as_str().unwrap_or_default();
    of_failure(name, known["status"].as_u64().unwrap_or(0))
}

fn found(known: &Value, now: u64) -> Option<String> {
    let mut told = match known["is_seed"].as_bool()? {
        true => "a start URL".to_owned(),
        false => count(known["depth"].as_u64()?, "link") + " from a start URL",
    };
    let hops = known["hops"].as_u64().unwrap_or(0);
    if hops > 0 {
        let _ = write!(told, ", after {}", count(hops, "redirect"));
    }
    if let Some(anchor) = known["anchor_title"].as_str() {
        let _ = write!(told, ", linked as “{anchor}”");
    }
    let _ = write!(told, "; first met {}", when(known["first_seen"].as_u64()?, now));
    Some(told)
}

fn fetched(known: &Value, now: u64) -> Option<String> {
    let mut told = when(known["last_fetch"].as_u64()?, now);
    if let Some(status) = known["status"].as_u64() {
        let _ = write!(told, ", status {status}");
    }
    let attempts = known["attempt"].as_u64().unwrap_or(0);
    if attempts > 0 {
        let _ = write!(told, ", {} since the last success", count(attempts, "failure"));
    }
    if let Some(due) = known["due"].as_u64() {
        let _ = write!(told, "; next visit {}", when(due, now));
    }
    Some(told)
}

/// What became of drawing it by a browser, if that was asked for.
fn browser(render: &Value, rejects: &[RejectReason], now: u64) -> Option<String> {
    let at = render["last_fetch"].as_u64().map(|time| format!(" {}", when(time, now))).unwrap_or_default();
    let (failed, notes): (Vec<_>, Vec<_>) = (rejects.iter().filter(|reject| reject.cause.is_of_browser()))
        .partition(|reject| reject.cause == RejectCause::NotRendered);
    Some(match render["state"].as_str() {
        _ if render.is_null() => return None,
        Some("queued") => "asked for it; it waits for its turn".to_owned(),
        Some("leased") => "is drawing it right now".to_owned(),
        Some("retrying") => format!("could not get it{at}: {}; tried again", failure(render).what),
        Some("done") => {
            let notes: String = notes.iter().map(|note| format!(", {}", note.detail)).collect();
            format!("drew it{at}{notes}")
        }
        Some("redirected") => format!("was led elsewhere{at}"),
        Some("disallowed") => "is forbidden by robots.txt to ask for it".to_owned(),
        _ => {
            let reason = failed.first().map(|reject| reject.detail.clone());
            let name = render["state"]["failed"].as_str().unwrap_or_default();
            let reason = reason.unwrap_or_else(|| of_failure(name, render["status"].as_u64().unwrap_or(0)).what);
            format!("did not draw it{at}: {reason}; what stands in the index is the page as it was sent")
        }
    })
}

fn robots(host: &Value, now: u64) -> Option<String> {
    let state = host["robots"].as_str()?;
    let read = host["robots_fetched_at"].as_u64().map(|time| format!("read {}", when(time, now)));
    let mut told = read.unwrap_or_else(|| state.to_owned());
    match (host["allowed"].as_bool(), host["rule"].as_str()) {
        (Some(true), None) => told.push_str("; no line is about this URL, so it is allowed"),
        (Some(true), Some(rule)) => drop(write!(told, "; allowed by `{rule}`")),
        (Some(false), rule) => drop(write!(told, "; forbidden by `{}`", rule.unwrap_or("a rule"))),
        (None, _) => {}
    }
    if let Some(delay) = host["crawl_delay"].as_u64() {
        let _ = write!(told, "; it asks for {} s between requests", delay as f64 / 1000.0);
    }
    Some(told)
}

fn site(host: &Value, now: u64) -> Option<String> {
    let mut told = format!("{}, {} known", host["domain"].as_str()?, count(host["pages_known"].as_u64()?, "page"));
    let queued = host["queued"].as_u64().unwrap_or(0);
    if queued > 0 {
        let _ = write!(told, ", {queued} waiting");
    }
    let backoff = host["backoff"].as_u64().unwrap_or(0);
    if backoff > 0 {
        let _ = write!(told, "; slowed down because it was overburdened ({})", count(backoff, "step"));
    }
    if let Some(until) = host["given_up_until"].as_u64().filter(|&until| until > now) {
        let _ = write!(told, "; given up until {}", when(until, now));
    }
    if host["paused"] == true {
        told.push_str("; paused (`gristmill resume` ends that)");
    }
    if let Some(ip) = host["last_ip"].as_str() {
        let _ = write!(told, "; address {ip}");
    }
    Some(told)
}

/// What is to be known of who answers.
fn trust(insecure: &Value) -> Option<String> {
    let told = "none: certificates of this host are not checked (`insecure` in `[[sites]]`), so what comes from there may come from anybody";
    insecure.as_bool()?.then(|| told.to_owned())
}

fn index(document: &Value) -> Option<String> {
    let text = |name: &str| document[name].as_str().unwrap_or_default();
    let mut told = format!("{}, {}", text("kind"), count(document["characters"].as_u64()?, "character"));
    for (name, value) in [("language", text("language")), ("published", text("published"))] {
        if !value.is_empty() {
            let _ = write!(told, ", {name} {value}");
        }
    }
    if document["published_of_site"] == true {
        let _ = write!(told, ", no date: it shows {}, as most pages of its site do", text("published_text"));
    }
    let confidence = document["confidence"].as_f64().unwrap_or(0.0);
    let _ = write!(told, "; extracted by {}, confidence {confidence:.2}; key {}", text("method"), text("key"));
    Some(told)
}

fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A time in UTC, and how far off it is where that says more.
fn when(time: u64, now: u64) -> String {
    let seconds = time / 1000;
    let day = format_day(i64::try_from(seconds).unwrap_or(i64::MAX));
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    match (time.saturating_sub(now)).div_ceil(1000) {
        0 => format!("{day} {clock} UTC"),
        ahead => {
            format!("{day} {clock} UTC (in {})", humantime::format_duration(std::time::Duration::from_secs(ahead)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: u64 = 1_795_420_940_000;

    fn told(known: Value) -> String {
        let host = json!({"robots": "known", "domain": "a.test", "pages_known": 3, "queued": 0, "next_allowed": 0});
        prose(&json!({"url": "http://a.test/", "frontier": {"known": known, "scope": "inside", "host": host}}), NOW)
    }

    #[test]
    fn each_state_has_a_sentence() {
        assert!(told(Value::Null).contains("never met"));
        let unmet = |limit: Value, depth: Value| {
            let host = json!({"robots": "known", "domain": "a.test", "pages_known": 3, "page_limit": limit});
            let frontier = json!({"known": null, "scope": "inside", "max_depth": depth, "host": host});
            prose(&json!({"url": "http://a.test/", "frontier": frontier}), NOW)
        };
        assert!(unmet(json!(10), Value::Null).contains("limit of 10 pages"));
        assert!(unmet(Value::Null, json!(2)).contains("not within 2 links of a start URL"));
        let empty = json!({"title": "My app", "kind": "other", "characters": 0});
        let frontier = json!({"known": {"state": "done"}, "scope": "inside", "host": {}});
        let shell = prose(&json!({"url": "http://a.test/", "frontier": frontier, "document": empty}), NOW);
        assert!(shell.contains("`--render auto`"), "{shell}");
        assert!(told(json!({"state": "queued"})).contains("waits for its turn"));
        let retry = json!({"state": "retrying", "last_failure": "dns", "due": NOW + 20_000});
        assert!(told(retry).contains("tried again 2026-11-23 08:02:40 UTC (in 20s)"), "{}", when(NOW, NOW));
        assert!(told(json!({"state": {"failed": "tls"}})).contains("`fetch.ca_file`"));
        assert!(told(json!({"state": "redirected", "redirect": "http://b.test/"})).contains("http://b.test/"));
        assert!(told(json!({"state": "done"})).contains("noindex"));
        let doubted =
            json!({"url": "https://a.test/", "frontier": {"known": {"state": "done"}, "host": {}}, "insecure": true});
        assert!(prose(&doubted, NOW).contains("trust       none: certificates of this host are not checked"));
        assert!(!told(json!({"state": "done"})).contains("trust"));
        let departed = |state: &str, why: &str| {
            let target = "http://b.test/";
            told(json!({"state": state, "departure": why, "canonical": target, "redirect": target, "copy_of": target}))
        };
        assert!(
            departed("done", "canonical").contains("names http://b.test/ as its canonical page, which says the same")
        );
        assert!(departed("done", "copy").contains("say the same: http://b.test/ stands for them"));
        assert!(departed("done", "login").contains("ask for a password"));
        assert!(
            departed("redirected", "dead_end").contains("left the index: it redirects to http://b.test/, and no page")
        );
        assert!(departed("disallowed", "closed").contains("left it: "), "{}", departed("disallowed", "closed"));
        let stays = json!({"state": "done", "canonical": "http://b.test/"});
        assert!(told(stays).contains("stays all the same"));
        assert!(told(json!({"state": "done", "kind": "feed"})).contains("It is a feed"));
        assert!(told(json!({"state": "done", "kind": "sitemap"})).contains("It is a sitemap"));
        let rejected = json!([{"cause": "no_page", "detail": "no sitemap, but an HTML page"}]);
        let frontier = json!({"known": {"state": "done", "kind": "sitemap"}, "scope": "inside", "host": {}});
        let none = prose(&json!({"url": "http://a.test/", "frontier": frontier, "rejected": rejected}), NOW);
        assert!(none.contains("asked for as a sitemap: no sitemap, but an HTML page"), "{none}");
        let rejected = json!([{"cause": "no_page", "detail": "it is of type `application/zip`"}]);
        let frontier = json!({"known": {"state": {"failed": "bad_type"}}, "scope": "inside", "host": {}});
        let file = prose(&json!({"url": "http://a.test/", "frontier": frontier, "rejected": rejected}), NOW);
        assert!(file.contains("a file of another type (it is of type `application/zip`)."), "{file}");
        let drawn_with = |render: Value, cause: &str, detail: &str| {
            let rejected = json!([{"cause": cause, "detail": detail}]);
            let frontier = json!({"known": {"state": "done"}, "render": render, "scope": "inside", "host": {}});
            prose(&json!({"url": "http://a.test/", "frontier": frontier, "rejected": rejected}), NOW)
        };
        let drawn = |render| drawn_with(render, "not_rendered", "the page crashed its tab");
        assert!(drawn(json!({"state": "done", "last_fetch": NOW})).contains("browser     drew it 2026-11-23"));
        let crashed = drawn(json!({"state": {"failed": "unrendered"}, "status": 200}));
        assert!(crashed.contains("did not draw it: the page crashed its tab;"), "{crashed}");
        assert!(!crashed.contains("could not be read"), "{crashed}");
        let again =
            drawn_with(json!({"state": "done"}), "render_varies", "and a second time with only 40 % of the same words");
        assert!(again.contains("browser     drew it, and a second time with only 40 %"), "{again}");
        assert!(!again.contains("could not be read"), "{again}");
    }
}
