//! The fingerprint of a text: 64 bits that differ in few places for near-duplicates and in half for other texts.

use crate::frequent_words::is_frequent;
use crate::segment::CharacterSegmenter;
use crate::words::{for_each_word, hash_lower};

/// Which rules made a fingerprint. Those of different versions say nothing of one another.
///
/// 1: SimHash of all words by their number, in which function words outvoted the rest. 2: what [`fingerprint`] says.
pub const FINGERPRINT_VERSION: u32 = 2;

/// Most differing bits of two near-duplicates.
///
/// Texts that share nothing differ in 10 bits or fewer once in 98 million pairs (64 throws of a coin), and once in 20 million
/// in 11 or fewer. With one word in twenty replaced, 97 to 98 % of texts are at most 10 away
/// (`scripts/bench/near-duplicates`).
pub const MAX_DISTANCE: u32 = 10;

/// Texts with fewer words than this never count as near-duplicates: their fingerprints say too little.
pub const MIN_WORDS: usize = 20;

/// How many bits two fingerprints differ in.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// Whether a text has at least [`MIN_WORDS`] words.
///
/// In scripts written without spaces two characters count as a word. Reads no farther than it must.
pub fn has_min_words(text: &str) -> bool {
    let mut halves = 0;
    let mut inside = false;
    for c in text.chars() {
        let dense = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
        halves += match (c.is_alphanumeric(), dense) {
            (true, true) => 1,
            (true, false) if !inside => 2,
            _ => 0,
        };
        inside = c.is_alphanumeric() && !dense;
        if halves >= 2 * MIN_WORDS {
            return true;
        }
    }
    false
}

/// The fingerprint of a text, of [`FINGERPRINT_VERSION`]; 0 for a text without words, or of one frequent word.
///
/// The text is seen as a set of shingles: each word alone and each pair of neighbours, where a word of a script without
/// spaces (Han, Kana, Thai …) is one character. A pair weighs 4 when both are rare, 2 when one is, 1 when both are among
/// the most frequent of their language; a word alone weighs 1, and nothing when it is frequent. Each bit of the
/// fingerprint is a coin thrown for the shingle that comes first in an order of its own, so two texts differ in 32·(1−J)
/// bits in the mean, where J is the weight of what they share over the weight of what either has.
///
/// * Case, punctuation and line breaks do not count, nor how often something is said.
/// * O(bytes), no allocation; the table of frequent words is made at first use.
///
/// Source: Li & König, WWW 2010 (one bit of each minimum); Li, Owen & Zhang, NIPS 2012 (all minima from one hash, by
/// ranges of it); Shrivastava, ICML 2017 (empty ranges borrow). It is a SimHash in the sense of Charikar, STOC 2002, Lemma 2. Why not
/// the votes of his §3: replacing a share s of the words moves them by about 64·√(2s)∕π bits instead of 32·s, which
/// no threshold for 64 bits survives. Ours: the weights, as powers of two by which a shingle's place in the order is divided.
pub fn fingerprint(text: &str) -> u64 {
    let (mut minima, mut lower) = (Minima::default(), String::new());
    let mut before: Option<(u64, bool)> = None;
    for_each_word(text, &CharacterSegmenter, |word| {
        let hash = hash_lower(word, &mut lower);
        let rare = !is_frequent(hash) && !word.starts_with(is_kana);
        // Half of all words are rare, which no processor guesses: the others are added where they can be no minimum.
        minima.add(mix(hash), 0, rare);
        if let Some((first, first_rare)) = before {
            minima.add(mix(first.rotate_left(21) ^ hash), u32::from(first_rare) + u32::from(rare), true);
        }
        before = Some((hash, rare));
    });
    minima.bits()
}

/// Kana write Japanese grammar, and there are few of them.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30FE}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}')
}

/// The first shingle of each of 64 ranges of hashes.
struct Minima {
    /// Its place in the order of the range, [`u64::MAX`] for an empty range.
    places: [u64; 64],
    hashes: [u64; 64],
}

impl Default for Minima {
    fn default() -> Minima {
        Minima { places: [u64::MAX; 64], hashes: [0; 64] }
    }
}

impl Minima {
    /// Adds a shingle of weight 2ⁿ, n from `log_weight`, if it `counts`; a second time changes nothing.
    #[inline]
    fn add(&mut self, hash: u64, log_weight: u32, counts: bool) {
        let range = (hash >> 58) as usize;
        let place = ((hash << 6) >> (6 + log_weight)) | u64::from(counts).wrapping_sub(1);
        let (old_place, old_hash) = (self.places[range], self.hashes[range]);
        self.places[range] = old_place.min(place);
        self.hashes[range] = std::hint::select_unpredictable(place < old_place, hash, old_hash);
    }

    fn bits(&self) -> u64 {
        if self.places.iter().all(|&place| place == u64::MAX) {
            return 0;
        }
        (0..64).map(|bit| (mix(self.lender(bit) ^ mix(bit + 1)) >> 63) << bit).sum()
    }

    /// The first shingle of a range, that of one drawn by the range's number when it is empty.
    fn lender(&self, range: u64) -> u64 {
        let drawn = (0u64..).map(|turn| if turn == 0 { range } else { mix(turn << 6 | range) >> 58 });
        let mut full = drawn.map(|range| range as usize).filter(|&range| self.places[range] != u64::MAX);
        self.hashes[full.next().expect("some range is full, and each comes up in the end")]
    }
}

/// Spreads every bit of a number over all of them (the last step of MurmurHash3, 64 bits).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ bits >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words in the proportions of English: every other one is frequent.
    fn text(seed: u64, n: u64) -> String {
        const FREQUENT: [&str; 8] = ["the", "of", "and", "to", "in", "is", "with", "that"];
        let word = |n: u64| match mix(seed << 32 | n) % 2 {
            0 => FREQUENT[(mix(seed << 32 | n) >> 40) as usize % FREQUENT.len()].to_owned(),
            _ => format!("word{}", (mix(seed << 32 | n) >> 40) % 4000),
        };
        (0..n).map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_fingerprint_of_this_version_never_changes() {
        assert_eq!(FINGERPRINT_VERSION, 2);
        assert_eq!(fingerprint("Storm hits the coast. 暴风雨袭击海岸，ストームが海岸を襲う"), 0x7c35_d667_432a_d582);
        assert_eq!(fingerprint(" … "), 0);
    }

    #[test]
    fn texts_that_share_only_function_words_differ_in_half_of_the_bits() {
        let prints: Vec<u64> = (1..=300).map(|seed| fingerprint(&text(seed, 300))).collect();
        let pairs = || (0..prints.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let distances: Vec<u32> = pairs().map(|(a, b)| distance(prints[a], prints[b])).collect();
        let mean = f64::from(distances.iter().sum::<u32>()) / distances.len() as f64;
        assert!((30.0..=34.0).contains(&mean), "{mean}");
        assert!(distances.iter().all(|&distance| distance > MAX_DISTANCE));
    }

    #[test]
    fn a_text_with_one_word_in_twenty_replaced_is_near() {
        let near = (1..=200).filter(|&seed| {
            let text = text(seed, 300);
            let edit = |(n, word): (usize, &str)| if n % 20 == 7 { format!("edit{n}") } else { word.to_owned() };
            let edited: Vec<String> = text.split(' ').enumerate().map(edit).collect();
            distance(fingerprint(&text), fingerprint(&edited.join(" "))) <= MAX_DISTANCE
        });
        let near = near.count();
        assert!(near >= 190, "{near} of 200");
    }

    #[test]
    fn a_few_words_have_a_fingerprint_of_their_own() {
        let short = ["storm", "Storm!", "mill", "the", "石", "こ"].map(fingerprint);
        assert_eq!(short[0], short[1]);
        assert!(short[2..4].iter().all(|&other| distance(short[0], other) > MAX_DISTANCE));
        assert_eq!(fingerprint("the"), 0, "a frequent word alone weighs nothing");
    }

    proptest! {
        #[test]
        fn any_text_has_a_fingerprint_and_its_lines_may_be_broken_anywhere(words in proptest::collection::vec("\\PC{0,8}", 0..40)) {
            let fingerprint = fingerprint(&words.join(" "));
            prop_assert_eq!(fingerprint, super::fingerprint(&words.join("\n")));
            prop_assert_eq!(fingerprint, super::fingerprint(&words.join(" , ")));
        }
    }
}
