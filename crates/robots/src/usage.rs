//! Preferences on the use of pages: `Content-Usage` of the IETF's AI preferences (draft-ietf-aipref-attach, §§4 and 5) and
//! `Content-Signal`, in robots.txt and in headers.
//!
//! ```text
//! User-agent: *
//! Content-Usage: train-ai=n            all pages
//! Content-Usage: /open/ train-ai=y     those below this path: the longest pattern decides
//! Content-Signal: search=yes, ai-train=no
//! ```

use crate::pattern::{PathPattern, subject};

/// Most lines of one group, and the longest in bytes; more are left out.
const MOST: usize = 100;
const LONGEST: usize = 500;

/// Words that permit a use.
const YES: [&str; 5] = ["y", "yes", "?1", "1", "allow"];
/// Words that refuse it.
const NO: [&str; 5] = ["n", "no", "?0", "0", "disallow"];
/// Uses that train models.
const TRAINING: [&str; 5] = ["train-ai", "ai-train", "train-genai", "ai-training", "ai"];

/// What one group of a robots.txt says of the use of pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UsageRules(Vec<(Option<PathPattern>, String)>);

impl UsageRules {
    /// Takes in the value of a line: preferences, behind a path if they are for a part of the site.
    pub(crate) fn add(&mut self, value: &[u8]) {
        if self.0.len() >= MOST || value.len() > LONGEST {
            return;
        }
        let has_path = value.starts_with(b"/") || value.starts_with(b"*");
        let end = value.iter().position(u8::is_ascii_whitespace).filter(|_| has_path).unwrap_or(0);
        let (path, preferences) = value.split_at(end);
        let preferences = String::from_utf8_lossy(preferences.trim_ascii()).into_owned();
        if preferences.contains('=') {
            self.0.push(((!path.is_empty()).then(|| PathPattern::new(path)), preferences));
        }
    }

    /// What the most specific lines say of a page, with commas between them. O(lines · |path|).
    pub(crate) fn of(&self, path_and_query: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let subject = subject(path_and_query);
        let weight = |pattern: &Option<PathPattern>| pattern.as_ref().map_or(0, PathPattern::specificity);
        let holds = |pattern: &Option<PathPattern>| pattern.as_ref().is_none_or(|pattern| pattern.matches(&subject));
        let ours: Vec<_> = self.0.iter().filter(|(pattern, _)| holds(pattern)).collect();
        let longest = ours.iter().map(|(pattern, _)| weight(pattern)).max()?;
        let said = ours.iter().filter(|(pattern, _)| weight(pattern) == longest).map(|(_, said)| said.as_str());
        Some(said.collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn size(&self) -> usize {
        self.0.iter().map(|(_, said)| size_of::<(Option<PathPattern>, String)>() + LONGEST.min(2 * said.len())).sum()
    }
}

/// Whether a directive such as `search=yes` permits a use.
#[must_use]
pub fn permits_use(directive: &str) -> bool {
    directive.split_once('=').is_some_and(|(_, word)| YES.contains(&word))
}

/// Whether a directive, in lower case and without white space, refuses the training of models: `noai`, `train-ai=n`, `ai-train=no`.
#[must_use]
pub fn refuses_training(directive: &str) -> bool {
    let of_preference = |(name, word): (&str, &str)| TRAINING.contains(&name) && NO.contains(&word);
    directive == "noai" || directive.split_once('=').is_some_and(of_preference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::RobotsTxt;

    #[test]
    fn the_longest_path_of_our_group_decides() {
        let file = b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nAllow: /\n\
            Content-Usage: /open/ train-ai=y\n\nUser-agent: other\nContent-Usage: search=n";
        let robots = RobotsTxt::parse(file, "gristmill");
        assert_eq!(robots.usage("/page").as_deref(), Some("search=yes, ai-train=no, train-ai=n"));
        assert_eq!(robots.usage("/open/page?a").as_deref(), Some("train-ai=y"));
        assert_eq!(RobotsTxt::parse(file, "other").usage("/open/").as_deref(), Some("search=n"));
        assert!(robots.allows("/open/").allowed && RobotsTxt::allow_all().usage("/").is_none());
    }

    #[test]
    fn lines_without_preferences_and_more_than_a_file_needs_are_left_out() {
        let lines = "Content-Usage: nothing\nContent-Usage: /x\nContent-Usage:\n".to_owned()
            + &"Content-Usage: ai=n\n".repeat(2 * MOST)
            + &format!("Content-Usage: {}=n", "a".repeat(LONGEST));
        let robots = RobotsTxt::parse(format!("User-agent: *\n{lines}").as_bytes(), "gristmill");
        assert_eq!(robots.usage("/").unwrap().split(", ").count(), MOST);
    }

    #[test]
    fn words_permit_and_refuse() {
        assert!(permits_use("search=yes") && permits_use("train-ai=y") && !permits_use("ai-train=no"));
        for directive in ["noai", "train-ai=n", "ai-train=no", "train-ai=?0"] {
            assert!(refuses_training(directive), "{directive}");
        }
        for directive in ["search=no", "train-ai=y", "nosnippet", "ai-input=no"] {
            assert!(!refuses_training(directive), "{directive}");
        }
    }
}
