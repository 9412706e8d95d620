//! Which of a few phrases stand in a text, found in one pass over its bytes.

/// At most 64 phrases that are looked for together.
///
/// Each is told by its rarest byte: most bytes of a text are none of these, and cost one look at a table.
#[derive(Debug, Clone)]
pub struct Phrases {
    phrases: Vec<(Box<[u8]>, usize)>,
    /// For each byte the phrases that are told by it, as bits.
    told_by: Box<[u64; 256]>,
    any_case: bool,
}

impl Phrases {
    /// Phrases that stand in a text as they are written here.
    ///
    /// # Panics
    /// If there are more than 64, or one is empty.
    pub fn new(phrases: &[&str]) -> Self {
        Self::of(phrases, false)
    }

    /// Phrases in small letters, which may stand in a text in capitals: those of ASCII, other letters count as they are.
    ///
    /// # Panics
    /// As [`Phrases::new`].
    pub fn in_any_case(phrases: &[&str]) -> Self {
        Self::of(phrases, true)
    }

    fn of(phrases: &[&str], any_case: bool) -> Self {
        assert!(phrases.len() <= 64, "{} phrases are more than 64", phrases.len());
        let mut found = Self { phrases: Vec::new(), told_by: Box::new([0; 256]), any_case };
        for (at, phrase) in phrases.iter().enumerate() {
            let bytes = phrase.as_bytes();
            let rarest = (0..bytes.len()).max_by_key(|&at| rarity(bytes[at])).expect("a phrase is not empty");
            let byte = bytes[rarest];
            found.told_by[usize::from(byte)] |= 1 << at;
            if any_case {
                found.told_by[usize::from(byte.to_ascii_uppercase())] |= 1 << at;
            }
            found.phrases.push((bytes.into(), rarest));
        }
        found
    }

    /// Whether one of them stands in the text. O(text · phrases told by one byte).
    pub fn is_in(&self, text: &str) -> bool {
        let mut any = false;
        self.each(text.as_bytes(), u64::MAX, |_| {
            any = true;
            0
        });
        any
    }

    /// Those that stand in the text, as bits. O(text · phrases told by one byte).
    pub fn all_in(&self, text: &str) -> u64 {
        let mut all = 0;
        self.each(text.as_bytes(), u64::MAX, |phrase| {
            all |= 1 << phrase;
            !all
        });
        all
    }

    /// Calls `found` with the number of a phrase that stands in the text; it says which are wanted from there on.
    #[inline]
    fn each(&self, text: &[u8], mut wanted: u64, mut found: impl FnMut(usize) -> u64) {
        for (at, &byte) in text.iter().enumerate() {
            let mut told = self.told_by[usize::from(byte)] & wanted;
            while told != 0 {
                let phrase = told.trailing_zeros() as usize;
                told &= told - 1;
                if self.stands(text, at, phrase) {
                    wanted = found(phrase);
                    if wanted == 0 {
                        return;
                    }
                    told &= wanted;
                }
            }
        }
    }

    /// Whether a phrase stands where its rarest byte is.
    #[inline]
    fn stands(&self, text: &[u8], at: usize, phrase: usize) -> bool {
        let (bytes, rarest) = &self.phrases[phrase];
        let Some(there) = at.checked_sub(*rarest).and_then(|start| text.get(start..start + bytes.len())) else {
            return false;
        };
        if self.any_case { there.eq_ignore_ascii_case(bytes) } else { there == &**bytes }
    }
}

/// The larger, the rarer: letters by their frequency in European languages; of other letters the later bytes, since the first
/// stands for a whole script.
fn rarity(byte: u8) -> usize {
    const COMMON_FIRST: &[u8] = b" etaoinsrdlhcumpgfbvywkxjzq";
    match byte {
        b'a'..=b'z' | b' ' => COMMON_FIRST.iter().position(|&common| common == byte).unwrap_or(0),
        0xC0.. => 2,
        0x80.. => 20,
        _ => 30,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_a_search_for_each_finds() {
        let list = ["join", "member since", "зарегистрирован", "注册", "last seen", "/u/", "uid=", "=", "a", "aa"];
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
        let (exact, any) = (Phrases::new(&list), Phrases::in_any_case(&list));
        for text in texts {
            let bits =
                |text: &str| (0..list.len()).filter(|&at| text.contains(list[at])).fold(0, |bits, at| bits | 1 << at);
            assert_eq!(exact.all_in(text), bits(text), "{text}");
            assert_eq!(any.all_in(text), bits(&text.to_lowercase()), "{text}");
            assert_eq!(
                (exact.is_in(text), any.is_in(text)),
                (bits(text) != 0, bits(&text.to_lowercase()) != 0),
                "{text}"
            );
        }
    }
}
