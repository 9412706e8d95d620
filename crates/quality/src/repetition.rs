//! How much of a text is said again: its commonest runs of tokens, and those that came before.

use gristmill_text::{ByHash, Hashes};

use crate::signal::{Signal, TextSignals, share};
use crate::tokens::{TextToken, Tokens};

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
    for (signal, n) in TOP.into_iter().zip(2..) {
        signals.set(signal, share(top_chars(tokens, n), all));
    }
    for (signal, n) in REPEATED.into_iter().zip(5..) {
        signals.set(signal, share(repeated_chars(tokens, n), all));
    }
}

/// Characters of the commonest run of `n` tokens, with spaces between them, over all places where it stands. Of equally common ones the
/// first counts.
fn top_chars(tokens: &[TextToken], n: usize) -> usize {
    let mut counts: ByHash<(u32, u32)> = ByHash::with_capacity_and_hasher(tokens.len(), Default::default());
    for (at, run) in tokens.windows(n).enumerate() {
        counts.entry(of_run(run)).or_insert((0, at as u32)).0 += 1;
    }
    let most = counts.values().max_by_key(|(count, first)| (*count, std::cmp::Reverse(*first)));
    most.map_or(0, |(count, first)| *count as usize * (chars(&tokens[*first as usize..][..n]) + n - 1))
}

/// Characters of runs of `n` tokens that came before, none of which counts twice.
fn repeated_chars(tokens: &[TextToken], n: usize) -> usize {
    let mut seen = Hashes::with_capacity_and_hasher(tokens.len(), Default::default());
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

    #[test]
    fn the_commonest_run_counts_with_its_spaces_wherever_it_stands() {
        assert_eq!(top_chars(&of("a rye mill and a rye field"), 2), 2 * "a rye".len());
        assert_eq!(top_chars(&of("one"), 2), 0);
    }

    #[test]
    fn runs_that_came_before_count_once() {
        assert_eq!(repeated_chars(&of("a b c d e a b c d e f"), 5), 5);
        assert_eq!(repeated_chars(&of("a a a a a a a a a a a"), 5), 10);
        assert_eq!(repeated_chars(&of("a b c"), 5), 0);
    }
}
