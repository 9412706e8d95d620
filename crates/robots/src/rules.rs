//! The rules of one group, kept so that a path is compared with few of them.

use crate::pattern::PathPattern;

/// What a pattern with stars costs beside the bytes of the path, in the same unit.
const BYTES_FOR_A_PATTERN: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) pattern: PathPattern,
    pub(crate) allow: bool,
    /// As it stands in the file, for explanations.
    pub(crate) line: String,
}

/// Position of a rule in the order in which rules decide.
type Rank = u32;

/// Longest pattern first, Allow before Disallow among equals: the first that matches decides.
///
/// Patterns without a star, which most are, lie sorted by their text: those that begin the path are found by one search and
/// a walk from longer to shorter beginnings. Only patterns with stars are tried one by one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RobotsRules {
    /// By rank.
    rules: Vec<Rule>,
    beginnings: Vec<Beginning>,
    /// Rules without a star that match one path only, sorted by text.
    whole: Vec<Rank>,
    /// Rules with a star, by rank.
    starred: Vec<Rank>,
}

/// A rule without a star or an end mark; sorted by text, each text once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Beginning {
    rank: Rank,
    /// Where the longest other text stands that begins this one.
    shorter: Option<u32>,
}

impl RobotsRules {
    pub(crate) fn new(mut rules: Vec<Rule>) -> Self {
        rules.sort_by_key(|rule| std::cmp::Reverse((rule.pattern.specificity(), rule.allow)));
        let text = |rank: &Rank| rules[*rank as usize].pattern.text();
        let ranks = 0..rules.len() as Rank;
        let (starred, plain): (Vec<Rank>, Vec<Rank>) = ranks.partition(|rank| rules[*rank as usize].pattern.has_star());
        let (mut whole, mut open): (Vec<Rank>, Vec<Rank>) =
            plain.into_iter().partition(|rank| rules[*rank as usize].pattern.is_anchored());
        // Stable: of rules with the same text the one that decides stays first.
        for list in [&mut whole, &mut open] {
            list.sort_by(|one, other| text(one).cmp(text(other)));
            list.dedup_by(|one, other| text(one) == text(other));
        }
        let mut beginnings: Vec<Beginning> = Vec::with_capacity(open.len());
        let mut shorter: Vec<u32> = Vec::new();
        for (at, rank) in open.iter().enumerate() {
            while shorter.last().is_some_and(|last| !text(rank).starts_with(text(&open[*last as usize]))) {
                shorter.pop();
            }
            beginnings.push(Beginning { rank: *rank, shorter: shorter.last().copied() });
            shorter.push(at as u32);
        }
        Self { rules, beginnings, whole, starred }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// About how many bytes the rules take in memory.
    pub(crate) fn size(&self) -> usize {
        const EACH: usize = size_of::<Rule>() + size_of::<Beginning>() + size_of::<Rank>();
        self.rules.iter().map(|rule| EACH + rule.pattern.text().len() + rule.line.len()).sum()
    }

    /// The rule that decides about `subject`, and about how many bytes were compared to find it.
    pub(crate) fn decide(&self, subject: &str) -> (Option<&Rule>, usize) {
        let plain = [self.match_whole(subject), self.match_beginning(subject)].into_iter().flatten().min();
        let rivals = self.starred.iter().take_while(|rank| plain.is_none_or(|plain| **rank < plain));
        let mut tried = 0;
        let mut starred = rivals.inspect(|_| tried += 1);
        let found = starred.find(|rank| self.rule(**rank).pattern.matches(subject)).copied().or(plain);
        (found.map(|rank| self.rule(rank)), tried * (BYTES_FOR_A_PATTERN + subject.len()))
    }

    fn rule(&self, rank: Rank) -> &Rule {
        &self.rules[rank as usize]
    }

    fn text(&self, rank: Rank) -> &str {
        self.rule(rank).pattern.text()
    }

    fn match_whole(&self, subject: &str) -> Option<Rank> {
        let at = self.whole.binary_search_by(|rank| self.text(*rank).cmp(subject)).ok()?;
        Some(self.whole[at])
    }

    /// The longest text that begins `subject`. It stands at or before where `subject` would, and begins every text in between.
    fn match_beginning(&self, subject: &str) -> Option<Rank> {
        let after = self.beginnings.partition_point(|beginning| self.text(beginning.rank) <= subject);
        let mut candidate = self.beginnings.get(after.checked_sub(1)?);
        while let Some(Beginning { rank, shorter }) = candidate {
            if subject.starts_with(self.text(*rank)) {
                return Some(*rank);
            }
            candidate = shorter.map(|at| &self.beginnings[at as usize]);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rule(pattern: &str, allow: bool) -> Rule {
        Rule { pattern: PathPattern::new(pattern.as_bytes()), allow, line: format!("{allow}: {pattern}") }
    }

    #[test]
    fn plain_rules_cost_nothing_and_starred_ones_by_their_number_and_the_path() {
        let plain = RobotsRules::new((0..1_000).map(|n| rule(&format!("/{n}"), false)).collect());
        assert_eq!(plain.decide("/999/x").1, 0);
        let starred = RobotsRules::new((0..1_000).map(|n| rule(&format!("/*x{n}"), false)).collect());
        assert_eq!(starred.decide("/none").1, 1_000 * (64 + 5));
        let longer = RobotsRules::new(vec![rule("/*x", false), rule("/longer", true)]);
        assert_eq!(longer.decide("/longer/path").1, 0, "a longer rule without a star decides before");
    }

    proptest! {
        #[test]
        fn the_index_decides_as_trying_all_rules_in_order(
            patterns in prop::collection::vec(("/[ab*]{0,4}[$]?", any::<bool>()), 0..12),
            path in "/[ab]{0,6}",
        ) {
            let all: Vec<Rule> = patterns.iter().map(|(pattern, allow)| rule(pattern, *allow)).collect();
            let best = all.iter().filter(|rule| rule.pattern.matches(&path));
            let best = best.map(|rule| (rule.pattern.specificity(), rule.allow)).max();
            let decided = RobotsRules::new(all.clone()).decide(&path).0.map(|rule| (rule.pattern.specificity(), rule.allow));
            prop_assert_eq!(decided, best);
        }
    }
}
