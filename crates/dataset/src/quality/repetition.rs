//! How much of a text is said again: its commonest runs of tokens, and those that came before.

use gristmill_text::{ByHash, Hashes};

use super::signal::{Signal, TextSignals, share};
use super::tokens::{TextToken, Tokens};

const TOP: [Signal; 3] = [Signal::Top2Gram, Signal::Top3Gram, Signal::Top4Gram];
const REPEATED: [Signal; 6] = [
    Signal::Repeated5Grams,
    Signal::Repeated6Grams,
    Signal::Repeated7Grams,
    Signal::Repeated8Grams,
    Signal::Repeated9Grams,
    Signal::Repeated10Grams,
];

pub fn measure(text: &str, tokens: &Tokens, signals: &mut TextSignals) {
    let tokens = &tokens.kept;
    let all = text.chars().count();
    let mut runs = RepeatedRuns::new(tokens);
    for n in 2..=10 {
        let top = runs.lengthen(n);
        match n {
            2..=4 => signals.set(TOP[n - 2], share(top, all)),
            _ => signals.set(REPEATED[n - 5], share(runs.repeated_chars(n), all)),
        }
    }
}

/// Runs of tokens that stand in several places. A run can only do so where the two that are shorter by one do, so that each length looks
/// at what the one before left: few places, from three tokens on. O(tokens) in the mean.
struct RepeatedRuns<'t> {
    tokens: &'t [TextToken],
    /// Where runs of the length begin that stand in several places, in order; and their hashes.
    places: Vec<(u32, u64)>,
}

impl RepeatedRuns<'_> {
    /// Of length 1 each counts as one.
    fn new(tokens: &[TextToken]) -> RepeatedRuns<'_> {
        RepeatedRuns { tokens, places: (0..tokens.len() as u32).map(|at| (at, 0)).collect() }
    }

    /// From runs of `n - 1` tokens to those of `n`. Gives the characters of the commonest, with spaces between its tokens, over all places
    /// where it stands; of equally common ones the first counts.
    fn lengthen(&mut self, n: usize) -> usize {
        let tokens = self.tokens;
        if tokens.len() < n {
            self.places.clear();
            return 0;
        }
        let mut longer: Vec<(u32, u64)> = Vec::with_capacity(self.places.len());
        longer.extend(self.places.array_windows().filter(|[run, next]| run.0 + 1 == next.0).filter_map(|[run, _]| {
            let at = run.0 as usize;
            Some((run.0, of_run(tokens.get(at..at + n)?)))
        }));
        let mut counts: ByHash<u32> = ByHash::with_capacity_and_hasher(longer.len(), Default::default());
        longer.iter().for_each(|(_, run)| *counts.entry(*run).or_insert(0) += 1);
        let (mut most, mut first) = (1, 0);
        longer.retain(|(at, run)| {
            let count = counts[run];
            if count > most {
                (most, first) = (count, *at as usize);
            }
            count > 1
        });
        self.places = longer;
        most as usize * (chars(&tokens[first..first + n]) + n - 1)
    }

    /// Characters of runs of `n` tokens that came before, none of which counts twice.
    fn repeated_chars(&self, n: usize) -> usize {
        let mut seen = Hashes::with_capacity_and_hasher(self.places.len(), Default::default());
        let (mut end, mut repeated) = (0, 0);
        for (at, run) in &self.places {
            let at = *at as usize;
            if at >= end && !seen.insert(*run) {
                repeated += chars(&self.tokens[at..at + n]);
                end = at + n;
            }
        }
        repeated
    }
}

fn chars(tokens: &[TextToken]) -> usize {
    tokens.iter().map(|token| token.chars as usize).sum()
}

fn of_run(tokens: &[TextToken]) -> u64 {
    let all =
        tokens.iter().fold(0u64, |all, token| (all.rotate_left(23) ^ token.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    all ^ all >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<TextToken> {
        Tokens::of(text).kept
    }

    /// As the rules say it, each length by itself.
    fn top_chars(tokens: &[TextToken], n: usize) -> usize {
        let mut counts: ByHash<(u32, usize)> = ByHash::default();
        for (at, run) in tokens.windows(n).enumerate() {
            counts.entry(of_run(run)).or_insert((0, at)).0 += 1;
        }
        let most = counts.values().max_by_key(|(count, first)| (*count, std::cmp::Reverse(*first)));
        most.map_or(0, |(count, first)| *count as usize * (chars(&tokens[*first..][..n]) + n - 1))
    }

    fn repeated_chars(tokens: &[TextToken], n: usize) -> usize {
        let mut seen = Hashes::default();
        let (mut at, mut repeated) = (0, 0);
        while let Some(run) = tokens.get(at..at + n) {
            if seen.insert(of_run(run)) {
                at += 1;
            } else {
                repeated += chars(run);
                at += n;
            }
        }
        repeated
    }

    #[test]
    fn the_commonest_run_counts_with_its_spaces_wherever_it_stands() {
        assert_eq!(RepeatedRuns::new(&of("a rye mill and a rye field")).lengthen(2), 2 * "a rye".len());
        assert_eq!(RepeatedRuns::new(&of("one")).lengthen(2), 0);
    }

    #[test]
    fn each_length_gives_what_it_gives_by_itself() {
        let mut seed = 7u64;
        for words in [1, 2, 3, 5, 20] {
            for length in [0, 1, 4, 5, 11, 60, 400] {
                let text: String = (0..length)
                    .map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        ["a ", "rye ", "mill ", "石磨", "by "][(seed >> 33) as usize % words % 5]
                            .repeat(1 + (seed >> 60) as usize % 2)
                    })
                    .collect();
                let tokens = of(&text);
                let mut runs = RepeatedRuns::new(&tokens);
                for n in 2..=10 {
                    assert_eq!(runs.lengthen(n), top_chars(&tokens, n), "{n} of {text}");
                    assert_eq!(runs.repeated_chars(n), repeated_chars(&tokens, n), "{n} of {text}");
                }
            }
        }
    }
}
