//! `/.well-known/tdmrep.json`: what a site reserves of text and data mining (TDM Reservation Protocol, W3C community group report of
//! 10 May 2024, section "TDM File on the Origin Server").

use serde_json::Value;

use crate::pattern::{PathPattern, subject};

/// Where the file stands on its origin.
pub const TDM_PATH: &str = "/.well-known/tdmrep.json";

/// Most rules that are kept of one file.
const MAX_RULES: usize = 10_000;

/// What is said of mining.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reservation {
    /// `tdm-reservation`: whether mining is reserved.
    pub reserved: bool,
    /// `tdm-policy`: where the terms stand, as written.
    pub policy: Option<String>,
}

/// The rules of one file, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TdmRules(Vec<(PathPattern, Reservation)>);

impl TdmRules {
    /// Reads a file: an array of objects with `location`, `tdm-reservation` (1 or 0) and maybe `tdm-policy`.
    ///
    /// What is no such file has no rules; an object without a location and a valid reservation is left out. One object without
    /// an array around it, and numbers in quotes, are common slips and count. At most 10,000 rules. O(bytes).
    #[must_use]
    pub fn parse(file: &[u8]) -> Self {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let rules = match serde_json::from_slice(file) {
            Ok(Value::Array(rules)) => rules,
            Ok(rule) => vec![rule],
            Err(_) => vec![],
        };
        Self(rules.iter().filter_map(rule).take(MAX_RULES).collect())
    }

    /// What the first rule whose location matches says; `None` without one. Locations match as paths of robots.txt do.
    #[must_use]
    pub fn of(&self, path_and_query: &str) -> Option<&Reservation> {
        let subject = subject(path_and_query);
        self.0.iter().find(|(location, _)| location.matches(&subject)).map(|(_, reservation)| reservation)
    }

    /// About how many bytes the rules take in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        let of = |(location, said): &(PathPattern, Reservation)| {
            location.specificity()
                + said.policy.as_ref().map_or(0, String::len)
                + size_of::<(PathPattern, Reservation)>()
        };
        self.0.iter().map(of).sum::<usize>() + size_of::<Self>()
    }
}

fn rule(rule: &Value) -> Option<(PathPattern, Reservation)> {
    let location = rule.get("location")?.as_str().filter(|location| !location.is_empty())?;
    let reserved = match rule.get("tdm-reservation")? {
        Value::Number(number) => number.as_u64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    let policy = rule.get("tdm-policy").and_then(Value::as_str).map(str::to_owned);
    let reserved = (reserved <= 1).then_some(reserved == 1)?;
    Some((PathPattern::new(location.as_bytes()), Reservation { reserved, policy }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(file: &str, path: &str) -> Option<(bool, Option<String>)> {
        TdmRules::parse(file.as_bytes()).of(path).map(|said| (said.reserved, said.policy.clone()))
    }

    #[test]
    fn the_first_location_that_matches_decides() {
        let file = r#"[{"location": "/plans/*.pdf$", "tdm-reservation": 1},
            {"location": "/plans/", "tdm-reservation": 0},
            {"location": "/grist%2Dmill", "tdm-reservation": 1, "tdm-policy": "/terms.json"},
            {"location": "/", "tdm-reservation": 1, "tdm-policy": "https://mill.example/all.json"}]"#;
        for (path, reserved, policy) in [
            ("/plans/race.pdf", true, None),
            ("/plans/race.pdf?page=2", false, None),
            ("/plans/", false, None),
            ("/grist-mill/history", true, Some("/terms.json")),
            ("/Plans/", true, Some("https://mill.example/all.json")),
            ("/", true, Some("https://mill.example/all.json")),
        ] {
            assert_eq!(said(file, path), Some((reserved, policy.map(str::to_owned))), "{path}");
        }
        assert_eq!(said(r#"[{"location": "/a/", "tdm-reservation": 1}]"#, "/b"), None);
    }

    #[test]
    fn slips_are_read_and_nonsense_is_not() {
        assert_eq!(said("\u{feff}{\"location\": \"/\", \"tdm-reservation\": \"1\"}", "/a"), Some((true, None)));
        for file in [
            "",
            "<!doctype html><title>Not found</title>",
            "[]",
            "{}",
            "[1, null, []]",
            r#"[{"tdm-reservation": 1}]"#,
            r#"[{"location": "/"}]"#,
            r#"[{"location": "", "tdm-reservation": 1}]"#,
            r#"[{"location": "/", "tdm-reservation": 2}]"#,
            r#"[{"location": "/", "tdm-reservation": true}]"#,
            r#"[{"location": "/", "tdm-reservation": -1}]"#,
        ] {
            assert_eq!(said(file, "/"), None, "{file}");
        }
        assert_eq!(said(&"[".repeat(100_000), "/"), None);
        let many = format!("[{}]", vec![r#"{"location":"/a","tdm-reservation":1}"#; 20_000].join(","));
        assert_eq!(TdmRules::parse(many.as_bytes()).0.len(), MAX_RULES);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(file in prop::collection::vec(any::<u8>(), 0..300), path in "/[ -~]{0,20}") {
            let rules = TdmRules::parse(&file);
            prop_assert!(rules.of(&path).is_none() || rules.size() > size_of::<TdmRules>());
        }
    }
}
