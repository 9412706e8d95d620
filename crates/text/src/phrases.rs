//! Which of some phrases stand in a text, found in one pass over its bytes.

use std::ops::ControlFlow;

/// Phrases that are looked for together.
///
/// Each is told by its rarest byte: most bytes of a text are none of these, and cost one look at a table.
#[derive(Debug, Clone)]
pub struct PhraseMatcher {
    /// The phrases, those told by one byte together, each with its number, and where its rarest byte stands.
    phrases: Vec<(Box<[u8]>, usize, usize)>,
    /// For each byte where the phrases that are told by it begin among these; the next byte's is where they end.
    told_by: Box<[u16; 257]>,
    any_case: bool,
}

impl PhraseMatcher {
    /// Phrases that stand in a text as they are written here. Empty ones are nowhere.
    pub fn new(phrases: &[&str]) -> Self {
        Self::of(phrases, false)
    }

    /// Phrases in small letters, which may stand in a text in capitals: those of ASCII, other letters count as they are.
    pub fn in_any_case(phrases: &[&str]) -> Self {
        Self::of(phrases, true)
    }

    fn of(phrases: &[&str], any_case: bool) -> Self {
        let rarest = |phrase: &str| (0..phrase.len()).max_by_key(|&at| rarity(phrase.as_bytes()[at]));
        let told = phrases.iter().enumerate().filter_map(|(number, phrase)| Some((number, *phrase, rarest(phrase)?)));
        let mut of_byte: Vec<(u8, usize, &str, usize)> = Vec::new();
        for (number, phrase, at) in told {
            let byte = phrase.as_bytes()[at];
            of_byte.push((byte, number, phrase, at));
            if any_case && byte.is_ascii_lowercase() {
                of_byte.push((byte.to_ascii_uppercase(), number, phrase, at));
            }
        }
        of_byte.sort_unstable_by_key(|&(byte, number, ..)| (byte, number));
        let mut told_by = Box::new([0; 257]);
        of_byte.iter().for_each(|(byte, ..)| told_by[usize::from(*byte) + 1] += 1);
        (0..256).for_each(|byte| told_by[byte + 1] += told_by[byte]);
        let phrases = of_byte.into_iter().map(|(_, number, phrase, at)| (phrase.as_bytes().into(), number, at));
        Self { phrases: phrases.collect(), told_by, any_case }
    }

    /// Whether one of them stands in the text. O(text · phrases told by one byte).
    #[inline]
    pub fn is_in(&self, text: &str) -> bool {
        self.find(text, |_, _| true)
    }

    /// Whether `fits` says so of a phrase, by its number, and where it begins. Asks in the order of the rarest bytes. O(text ·
    /// phrases told by one byte).
    #[inline]
    pub fn find(&self, text: &str, mut fits: impl FnMut(usize, usize) -> bool) -> bool {
        let text = text.as_bytes();
        let flow = text.iter().enumerate().try_for_each(|(at, &byte)| {
            let [from, end] = [0, 1].map(|next| usize::from(self.told_by[usize::from(byte) + next]));
            if from == end {
                return ControlFlow::Continue(());
            }
            let fits = self.phrases[from..end].iter().any(|(phrase, number, rarest)| {
                self.start(text, at, phrase, *rarest).is_some_and(|start| fits(*number, start))
            });
            if fits { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        flow.is_break()
    }

    /// Where a phrase begins whose rarest byte is here.
    fn start(&self, text: &[u8], at: usize, phrase: &[u8], rarest: usize) -> Option<usize> {
        let start = at.checked_sub(rarest)?;
        let there = text.get(start..start + phrase.len())?;
        let same = if self.any_case { there.eq_ignore_ascii_case(phrase) } else { there == phrase };
        same.then_some(start)
    }
}

/// The larger, the rarer: letters by their frequency in European languages, signs that addresses and texts are full of first; of
/// other letters the later bytes, since the first stands for a whole script.
fn rarity(byte: u8) -> usize {
    const COMMON_FIRST: &[u8] = b" ./-etaoinsrdlhcumpgfbvywkxjzq";
    match byte {
        0xC0.. => 2,
        0x80.. => 20,
        _ => COMMON_FIRST.iter().position(|&common| common == byte).unwrap_or(30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_a_search_for_each_finds() {
        let list = ["join", "member since", "зарегистрирован", "注册", "last seen", "/u/", "uid=", "=", "a", "aa", ""];
        let texts = [
            "",
            "a",
            "aaa",
            "Joined in May",
            "JOIN",
            "member  since",
            "он зарегистрирован",
            "用户注册",
            "册注",
            "x/u/1?uid=7",
        ];
        let (exact, any) = (PhraseMatcher::new(&list), PhraseMatcher::in_any_case(&list));
        for text in texts {
            let lower = text.to_lowercase();
            for (phrases, text, searched) in [(&exact, text, text), (&any, text, lower.as_str())] {
                let mut found = Vec::new();
                phrases.find(text, |phrase, start| {
                    found.push((phrase, start));
                    false
                });
                found.sort_unstable();
                let starts = |phrase: &str| -> Vec<usize> {
                    (0..searched.len()).filter(|&at| searched.as_bytes()[at..].starts_with(phrase.as_bytes())).collect()
                };
                let of = |(number, phrase): (usize, &&str)| -> Vec<(usize, usize)> {
                    let starts = if phrase.is_empty() { Vec::new() } else { starts(phrase) };
                    starts.into_iter().map(|start| (number, start)).collect()
                };
                let wanted: Vec<(usize, usize)> = list.iter().enumerate().flat_map(of).collect();
                assert_eq!(found, wanted, "{text}");
                assert_eq!(phrases.is_in(text), !wanted.is_empty(), "{text}");
            }
        }
    }
}
