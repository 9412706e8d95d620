//! From the bytes of a name in a tag to its [`LocalName`], without the hash maps of `crate::name` for most of them.

use std::sync::LazyLock;

use crate::name::{ExtraNames, LocalName};

/// A power of two, at most half full, so that probes are short.
const SLOTS: usize = (LocalName::NAMED_LEN * 2).next_power_of_two();

/// How many of the page's own names are kept at hand; a power of two.
const RECENT: usize = 256;

/// Longer names are looked up as strings.
const LONGEST: usize = 32;

/// Most names are no longer than this, and one number.
const SHORT: usize = 8;

/// A name of up to [`LONGEST`] bytes in lower case, filled up with zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    low: u128,
    high: u128,
}

impl Key {
    /// The key of `source[from..to]`, at most [`LONGEST`] bytes.
    fn new(source: &[u8], from: usize, to: usize) -> Key {
        let length = to - from;
        let high = if length > 16 { word(source, from + 16, length - 16) } else { 0 };
        Key { low: word(source, from, length.min(16)), high }
    }

    /// A number that depends on all of the name.
    fn folded(self) -> u64 {
        let [low, high] = [self.low, self.high].map(|word| (word as u64) ^ ((word >> 64) as u64).rotate_left(23));
        low ^ high.rotate_left(41)
    }
}

/// `length` bytes (1 to 16) in lower case, the first one lowest.
fn word(source: &[u8], from: usize, length: usize) -> u128 {
    let whole = source.get(from..from + 16).and_then(|bytes| bytes.try_into().ok()).map(u128::from_le_bytes);
    let bytes = whole.unwrap_or_else(|| {
        // Only at the end of the page.
        let last = &source[from..from + length];
        last.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
    });
    lower_case(bytes & (u128::MAX >> (128 - 8 * length)))
}

/// Sets the bit of lower case in those of the 16 bytes that are `A` to `Z`.
fn lower_case(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    let seven = bytes & (EACH * 0x7F);
    // Bit 7 of each sum tells whether the byte is at least `A`, or beyond `Z`; no sum reaches the next byte.
    let from_a = seven + EACH * (0x80 - b'A' as u128);
    let beyond_z = seven + EACH * (0x7F - b'Z' as u128);
    let upper = from_a & !beyond_z & !bytes & (EACH * 0x80);
    bytes | upper >> 2
}

/// Sets the bit of lower case in all of eight bytes: a letter, a digit, `-` and `:` can come of nothing else but a control
/// character, which ends a name.
const LOWER_CASE: u64 = u64::MAX / 255 * 0x20;

/// What a table of known names is asked for: a short name as one number, a longer one as a [`Key`].
trait Slotted: Copy + PartialEq {
    /// No name has this, so it marks a free slot.
    const FREE: Self;

    fn slot<const N: usize>(self) -> usize;
}

impl Slotted for u64 {
    const FREE: u64 = 0;

    fn slot<const N: usize>(self) -> usize {
        (self.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - N.trailing_zeros())) as usize % N
    }
}

impl Slotted for Key {
    const FREE: Key = Key { low: 0, high: 0 };

    fn slot<const N: usize>(self) -> usize {
        self.folded().slot::<N>()
    }
}

/// Names by what they are asked for, with linear probing.
struct Slots<K>([(K, u16); SLOTS]);

impl<K: Slotted> Slots<K> {
    const EMPTY: Slots<K> = Slots([(K::FREE, 0); SLOTS]);

    fn insert(&mut self, key: K, number: u16) {
        let mut slot = key.slot::<SLOTS>();
        while self.0[slot].0 != K::FREE {
            slot = (slot + 1) % SLOTS;
        }
        self.0[slot] = (key, number);
    }

    fn find(&self, key: K) -> Option<LocalName> {
        let mut slot = key.slot::<SLOTS>();
        loop {
            let (found, number) = self.0[slot];
            if found == key {
                return Some(LocalName(number));
            }
            if found == K::FREE {
                return None;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// The known names: those of up to [`SHORT`] bytes, and the others.
struct Known {
    short: Slots<u64>,
    long: Slots<Key>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut known = Known { short: Slots::EMPTY, long: Slots::EMPTY };
    for number in 0..LocalName::NAMED_LEN as u16 {
        // Names as `foreignObject` are what the tree builder makes of others; no tag is read as such.
        let fits = |text: &&str| text.len() <= LONGEST && !text.bytes().any(|byte| byte.is_ascii_uppercase());
        let Some(text) = LocalName(number).as_named_str().filter(fits) else { continue };
        match text.len() {
            // These are no names of tags and attributes, unless somebody makes them up.
            _ if text.starts_with('#') => {}
            length @ ..=SHORT => known.short.insert(word(text.as_bytes(), 0, length) as u64, number),
            length => known.long.insert(Key::new(text.as_bytes(), 0, length), number),
        }
    }
    known
});

/// Looks names up for one page and its one `ExtraNames`.
pub(super) struct NameLookup {
    known: &'static Known,
    /// The page's own names, each in the slot of its key, where a later one takes the place of an earlier one. Empty
    /// until the page has such a name.
    recent: Vec<(Key, LocalName)>,
    /// A name in lower case while it is looked up.
    scratch: String,
}

impl NameLookup {
    pub(super) fn new() -> Self {
        NameLookup { known: &KNOWN, recent: Vec::new(), scratch: String::new() }
    }

    /// The short known name at the beginning of eight bytes of which `ends` marks the first one behind it, and its length.
    #[inline]
    pub(super) fn short(&self, word: u64, ends: u64) -> Option<(LocalName, usize)> {
        let bits = ends.trailing_zeros() & !7;
        let name = (word | LOWER_CASE) & 1u64.checked_shl(bits)?.wrapping_sub(1);
        Some((self.known.short.find(name)?, bits as usize / 8))
    }

    /// The name at `from..to` of the page, which is not empty: letters of ASCII are meant in lower case, U+0000 as
    /// U+FFFD.
    pub(super) fn name(&mut self, source: &str, from: usize, to: usize, names: &mut ExtraNames) -> LocalName {
        // A key cannot tell U+0000 at the end of a name from the zeros behind a shorter one.
        if to - from > LONGEST || source.as_bytes()[to - 1] == 0 {
            return self.intern(source, from, to, names);
        }
        let bytes = source.as_bytes();
        if to - from <= SHORT {
            let key = Key::new(bytes, from, to);
            let known = self.known.short.find(key.low as u64);
            return known.unwrap_or_else(|| self.recent(key, source, from, to, names));
        }
        let key = Key::new(bytes, from, to);
        let known = self.known.long.find(key);
        known.unwrap_or_else(|| self.recent(key, source, from, to, names))
    }

    /// A name that is not known, from the recent ones where it stands there.
    fn recent(&mut self, key: Key, source: &str, from: usize, to: usize, names: &mut ExtraNames) -> LocalName {
        let slot = key.slot::<RECENT>();
        if let Some(&(recent, name)) = self.recent.get(slot)
            && recent == key
        {
            return name;
        }
        let name = self.intern(source, from, to, names);
        self.recent.resize(RECENT, (Key::FREE, name));
        self.recent[slot] = (key, name);
        name
    }

    fn intern(&mut self, source: &str, from: usize, to: usize, names: &mut ExtraNames) -> LocalName {
        let text = source.get(from..to).unwrap_or_default();
        self.scratch.clear();
        self.scratch.extend(text.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c.to_ascii_lowercase() }));
        names.intern(&self.scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(lookup: &mut NameLookup, names: &mut ExtraNames, text: &str) -> LocalName {
        let bare = lookup.name(text, 0, text.len(), names);
        let page = format!("<{text}>{}", "x".repeat(40));
        assert_eq!(lookup.name(&page, 1, 1 + text.len(), names), bare, "{text}");
        bare
    }

    #[test]
    fn every_known_name_is_found_in_any_case() {
        let (mut lookup, mut names) = (NameLookup::new(), ExtraNames::default());
        for number in 0..LocalName::NAMED_LEN as u16 {
            let text = LocalName(number).as_named_str().unwrap();
            if text.to_ascii_lowercase() != text {
                assert_ne!(look(&mut lookup, &mut names, text), LocalName(number), "{text}");
                continue;
            }
            assert_eq!(look(&mut lookup, &mut names, text), LocalName(number), "{text}");
            assert_eq!(look(&mut lookup, &mut names, &text.to_uppercase()), LocalName(number), "{text}");
        }
    }

    #[test]
    fn other_names_are_those_of_extra_names() {
        let (mut lookup, mut names) = (NameLookup::new(), ExtraNames::default());
        let texts = [
            "x",
            "data-X",
            "É",
            "@[`{~",
            "div\0",
            "\0",
            "x\0",
            "x\0\0",
            "div\0",
            "A-name-of-twenty-two",
            "a-name-of-more-than-thirty-two-bytes-in-ALL",
            "p\u{130}",
            "a\0b",
            "a\u{7f}b",
            "\u{c1}\u{c1}",
        ];
        for _ in 0..2 {
            for text in texts {
                let name = look(&mut lookup, &mut names, text);
                assert_eq!(names.text(name), text.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
            }
        }
        for n in 0..2000 {
            let text = format!("x-{}", n % 700);
            let name = look(&mut lookup, &mut names, &text);
            assert_eq!(names.text(name), text);
        }
    }
}
