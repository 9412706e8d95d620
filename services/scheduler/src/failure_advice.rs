//! Why a URL has no page, in plain words, and which flag or setting helps.

use gristmill_frontier::FailureKind;
use serde_json::Value;

/// What became of a URL, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureAdvice {
    /// Without a full stop, to stand after a colon.
    pub what: String,
    /// A flag, a setting, or a thing to look at; empty where nothing helps.
    pub help: String,
}

impl FailureAdvice {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

/// A failure by its name, such as `dns`; `status` is 0 or that of the answer.
pub fn of_failure(name: &str, status: u64) -> FailureAdvice {
    // One kind of failure to the frontier, and another thing to do for people.
    let name = match (name, status) {
        ("client_error", 100..=399) => "no_page",
        ("client_error", 401) => "unauthorized",
        ("client_error", 407) => "proxy_unauthorized",
        _ => name,
    };
    let mut rows = include_str!("failure_advice.tsv").lines().map(|row| row.splitn(3, '\t'));
    let Some(mut row) = rows.find(|row| row.clone().next() == Some(name)) else { return FailureAdvice::new(name, "") };
    let (what, help) = (row.nth(1).unwrap_or(name), row.next().unwrap_or_default());
    // Of a page that came the status is no news.
    let what = if status < 400 && name != "no_page" { what.to_owned() } else { format!("{what} (status {status})") };
    FailureAdvice::new(what, help)
}

/// Why a URL that came to its end has no page, by what the frontier explains of it; `None` where it has one, or still waits.
pub fn of_explanation(frontier: &Value) -> Option<FailureAdvice> {
    let known = &frontier["known"];
    if frontier["scope"] == "taken_down" {
        let help = "nothing brings it back into this corpus; another data directory (`--data`) knows nothing of it";
        return Some(FailureAdvice::new("it was taken out of the corpus for good (`gristmill forget`)", help));
    }
    if known.is_null() {
        let trap = of_trap(&frontier["trap"]).map(|trap| {
            let what = format!("it looks like a trap for crawlers: {trap}");
            FailureAdvice::new(what, "`frontier.avoid_traps = false` takes it")
        });
        let limit = frontier["host"]["page_limit"].as_u64().map(|limit| {
            let what = format!("its host has reached its limit of {limit} pages");
            FailureAdvice::new(what, "`frontier.max_pages_per_host` sets the limit")
        });
        return of_scope(&frontier["scope"]).or(trap).or(limit);
    }
    if known["state"] == "disallowed" {
        let rule = frontier["host"]["rule"].as_str().map(|rule| format!(", by its line `{rule}`")).unwrap_or_default();
        let help = "on a site of your own, `frontier.robots.enabled = false` fetches it all the same";
        return Some(FailureAdvice::new(format!("robots.txt forbids it{rule}"), help));
    }
    let failure = known["state"]["failed"].as_str()?;
    let reason = of_failure(failure, known["status"].as_u64().unwrap_or(0));
    let robots = frontier["host"]["robots"].as_str().unwrap_or_default();
    let inner = robots.strip_prefix("unavailable (").and_then(|rest| rest.strip_suffix(')'));
    match inner.filter(|_| failure == FailureKind::RobotsUnavailable.name()) {
        None => Some(reason),
        // What kept robots.txt away keeps the page away, too, and its remedy is the one that helps.
        Some(inner) => {
            let FailureAdvice { what, help } = of_failure(inner, 0);
            Some(FailureAdvice::new(format!("robots.txt, which is asked for first, could not be had: {what}"), help))
        }
    }
}

/// Why the scope keeps a URL out; `None` where it does not.
pub fn of_scope(scope: &Value) -> Option<FailureAdvice> {
    if scope == "inside" || scope == "taken_down" {
        return None;
    }
    if scope == "blocked" {
        return Some(FailureAdvice::new("a block list names its host or address", "`frontier.block` has the lists"));
    }
    let word = |name: &str| scope[name].as_str().map(str::to_owned);
    Some(if let Some(rule) = word("elsewhere") {
        FailureAdvice::new(
            format!("it lies outside of the crawl, whose scope is the {rule} of the start URLs"),
            "`--scope host|domain|prefix|any` sets another (setting `frontier.scope.rule`)",
        )
    } else if let Some(depth) = scope["too_deep"].as_u64() {
        FailureAdvice::new(
            format!("it is more than {depth} links away from the start URLs"),
            "`--max-depth` sets how far (setting `frontier.scope.max_depth`)",
        )
    } else if let Some(extension) = word("binary") {
        FailureAdvice::new(
            format!("its name ends with `{extension}`, so it is taken for a file and no page"),
            match &*extension {
                "pdf" => {
                    "`extractor.pdf = true` reads PDFs, `frontier.scope.skip_binary = false` asks for all such addresses"
                }
                _ => "`frontier.scope.skip_binary = false` asks for such addresses, too",
            },
        )
    } else if let Some(pattern) = word("excluded") {
        FailureAdvice::new(format!("the pattern `{pattern}` excludes it"), "`frontier.scope.exclude` has the patterns")
    } else {
        FailureAdvice::new("no pattern includes it", "`frontier.scope.include` has the patterns")
    })
}

/// What makes a URL look like a trap.
pub fn of_trap(trap: &Value) -> Option<String> {
    let (name, value) = trap.as_object()?.iter().next()?;
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some(match name.as_str() {
        "repeated_segment" => format!("the part `{value}` of its path is repeated"),
        "repeated_pair" => format!("the parts `{value}` of its path are repeated"),
        "too_many_segments" => format!("its path has more than {value} parts"),
        "long_query" => format!("its query is longer than {value} characters"),
        "too_many_parameters" => {
            format!("its query has more than {value} parameters")
        }
        "calendar" => format!("it is the page of a calendar for the far year {value}"),
        other => format!("{} {value}", other.replace('_', " ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_failure_has_words_of_its_own() {
        for kind in FailureKind::ALL {
            let reason = of_failure(kind.name(), 0);
            assert!(reason.what.contains(' ') && reason.what != kind.name(), "{kind}: {reason:?}");
        }
        assert!(of_failure("client_error", 403).what.ends_with("(status 403)"));
        assert!(of_failure("client_error", 401).help.contains("`password`"));
        assert!(of_failure("client_error", 407).what.starts_with("the proxy"));
        assert_eq!(of_failure("client_error", 302).what, "the server answers without a page (status 302)");
    }

    #[test]
    fn a_robots_txt_at_a_private_address_has_the_remedy_of_the_address() {
        let robots = json!({"robots": "unavailable (refused_address)"});
        let frontier = json!({"known": {"state": {"failed": "robots_unavailable"}}, "host": robots});
        assert!(of_explanation(&frontier).unwrap().help.contains("--allow-private"));
        assert_eq!(of_explanation(&json!({"known": {"state": "done"}})), None);
        let forgotten = of_explanation(&json!({"known": {"state": "done"}, "scope": "taken_down"}));
        assert!(forgotten.unwrap().what.contains("`gristmill forget`"));
    }

    #[test]
    fn every_rule_that_keeps_a_url_out_is_told_with_its_setting() {
        for scope in
            [json!({"elsewhere": "host"}), json!({"too_deep": 3}), json!({"binary": "pdf"}), json!("not_included")]
        {
            assert!(of_scope(&scope).unwrap().help.contains("frontier.scope."), "{scope}");
        }
        assert!(of_scope(&json!("inside")).is_none());
        assert_eq!(of_trap(&Value::Null), None);
        assert!(of_trap(&json!({"calendar": 2310})).unwrap().contains("2310"));
    }
}
