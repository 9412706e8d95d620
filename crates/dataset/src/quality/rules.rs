//! The rules: how small or large a signal may be.

use std::str::FromStr;
use std::sync::LazyLock;

use super::signal::{Signal, TextSignals};

/// One line of the table.
struct LimitRule {
    set: &'static str,
    name: &'static str,
    signal: Signal,
    is_least: bool,
    limit: f64,
    /// None for those that no later line of the same name has.
    languages: Option<Vec<&'static str>>,
}

static TABLE: LazyLock<Vec<LimitRule>> = LazyLock::new(|| {
    include_str!("rules.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(rule).collect()
});

fn rule(line: &'static str) -> Option<LimitRule> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [set, name, signal, bound, limit, languages] = fields.as_slice() else { return None };
    let signal = Signal::ALL.iter().find(|known| known.name() == *signal)?;
    let languages = (*languages != "*").then(|| languages.split(' ').collect());
    Some(LimitRule { set, name, signal: *signal, is_least: *bound == "min", limit: limit.parse().ok()?, languages })
}

/// Why a text is refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refusal {
    /// The set of the rule, such as `gopher-quality`.
    pub set: &'static str,
    /// The rule, such as `short`.
    pub rule: &'static str,
    pub value: f64,
    pub limit: f64,
}

/// Sets of rules, in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualityRules {
    sets: Vec<&'static str>,
}

impl QualityRules {
    /// The names of the sets.
    pub fn sets(&self) -> &[&'static str] {
        &self.sets
    }

    /// The first rule that refuses a text of these signals.
    pub fn refuses(&self, signals: &TextSignals) -> Option<Refusal> {
        let language = signals.language().split('-').next().unwrap_or_default();
        self.sets.iter().find_map(|set| {
            TABLE.iter().filter(|rule| rule.set == *set).find_map(|rule| rule.refuses(signals, language))
        })
    }
}

impl LimitRule {
    fn refuses(&self, signals: &TextSignals, language: &str) -> Option<Refusal> {
        let names = |rule: &LimitRule| rule.languages.as_ref().is_some_and(|languages| languages.contains(&language));
        let is_for_it = match self.languages {
            Some(_) => names(self),
            None => !TABLE.iter().any(|other| (other.set, other.name) == (self.set, self.name) && names(other)),
        };
        let value = signals.get(self.signal);
        let is_beyond = if self.is_least { value < self.limit } else { value > self.limit };
        (is_for_it && is_beyond).then_some(Refusal { set: self.set, rule: self.name, value, limit: self.limit })
    }
}

/// No set of rules has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRules(pub String);

impl std::fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = "gopher, gopher-quality, gopher-repetition, c4 and fineweb";
        write!(f, "unknown rules `{}`, known are {known}", self.0)
    }
}

impl std::error::Error for UnknownRules {}

/// Names with commas between them; `gopher` stands for its rules of quality and of repetition.
impl FromStr for QualityRules {
    type Err = UnknownRules;

    fn from_str(names: &str) -> Result<Self, UnknownRules> {
        let mut sets: Vec<&'static str> = Vec::new();
        for name in names.split(',') {
            let own: &[&'static str] = match name {
                "gopher" => &["gopher-repetition", "gopher-quality"],
                "gopher-quality" => &["gopher-quality"],
                "gopher-repetition" => &["gopher-repetition"],
                "c4" => &["c4"],
                "fineweb" => &["fineweb"],
                _ => return Err(UnknownRules(name.to_owned())),
            };
            own.iter().for_each(|set| {
                if !sets.contains(set) {
                    sets.push(set)
                }
            });
        }
        Ok(Self { sets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_rule() {
        let lines = include_str!("rules.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((TABLE.len(), lines), (31, 31));
    }

    #[test]
    fn a_language_may_have_a_limit_of_its_own() {
        let rules: QualityRules = "gopher-quality".parse().unwrap();
        let text = "石磨豆腐的味道很好，我在磨坊里看见了。".repeat(20);
        assert_eq!(rules.refuses(&TextSignals::of(&text, "zh")), None);
        let refusal = rules.refuses(&TextSignals::of(&text, "en")).unwrap();
        assert_eq!((refusal.set, refusal.rule), ("gopher-quality", "short-words"));
    }

    #[test]
    fn sets_are_known_by_name() {
        let sets = |names: &str| names.parse::<QualityRules>().map(|rules| rules.sets);
        assert_eq!(sets("gopher,c4").unwrap(), ["gopher-repetition", "gopher-quality", "c4"]);
        assert!(sets("gopher,").is_err() && sets("Gopher").is_err());
    }
}
