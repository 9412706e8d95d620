//! A glance at words that nearly all others fail.

/// Lengths of some words by their first letters: a glance that nearly all other words fail.
pub(super) struct WordPrefilter([u32; 26]);

impl WordPrefilter {
    /// Words of small ASCII letters, none longer than 31.
    pub(super) const fn of(words: &[&str]) -> WordPrefilter {
        let mut lengths = [0; 26];
        let mut n = 0;
        while n < words.len() {
            lengths[(words[n].as_bytes()[0] - b'a') as usize] |= 1 << words[n].len();
            n += 1;
        }
        WordPrefilter(lengths)
    }

    /// Whether one of the words begins like this, in any case, and is as long.
    pub(super) fn fits(&self, word: &[u8]) -> bool {
        let first = word.first().map_or(0, |byte| byte.to_ascii_lowercase());
        let lengths = self.0.get(usize::from(first.wrapping_sub(b'a'))).copied().unwrap_or(0);
        word.len() < 32 && lengths >> word.len() & 1 == 1
    }
}
