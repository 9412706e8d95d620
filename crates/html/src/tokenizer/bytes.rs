//! What single bytes mean inside of tags, as a table; and searches that look at eight bytes at once, since nearly all names,
//! values and texts are so short that a loop would end where no processor expects it.

use memchr::memchr2;

/// Tab, line feed, form feed, space.
pub(super) const SPACE: u8 = 1;
/// Ends the name of a tag: white space, `/` and `>`.
pub(super) const ENDS_TAG_NAME: u8 = 2;
/// Ends the name of an attribute: the same and `=`.
pub(super) const ENDS_ATTR_NAME: u8 = 4;
/// Ends a value without quotes: white space and `>`.
pub(super) const ENDS_VALUE: u8 = 8;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let spaces = *b"\t\n\x0C ";
    let mut n = 0;
    while n < spaces.len() {
        classes[spaces[n] as usize] = SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME | ENDS_VALUE;
        n += 1;
    }
    classes[b'/' as usize] = ENDS_TAG_NAME | ENDS_ATTR_NAME;
    classes[b'>' as usize] = ENDS_TAG_NAME | ENDS_ATTR_NAME | ENDS_VALUE;
    classes[b'=' as usize] = ENDS_ATTR_NAME;
    classes
}

/// Whether a byte is of a class.
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// The offset of the first byte of a class from `at` on, or the length.
pub(super) fn until(bytes: &[u8], mut at: usize, class: u8) -> usize {
    while bytes.get(at).is_some_and(|&byte| !is(byte, class)) {
        at += 1;
    }
    at
}

/// The offset of the first byte from `at` on that is no white space, or the length.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is(byte, SPACE)) {
        at += 1;
    }
    at
}

/// Eight bytes from `at` on, the first one lowest, if there are so many.
pub(super) fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

const EACH: u64 = u64::MAX / 255;

/// Sets the highest bit of the first byte of eight that is zero, and perhaps of some behind it.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(EACH) & !word & (EACH << 7)
}

/// The same for the first byte that is equal to this one.
fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ (EACH * u64::from(byte)))
}

/// The same for the first byte that may end the name of a tag: control characters are taken for white space.
pub(super) fn tag_name_ends(word: u64) -> u64 {
    let to_space = word.wrapping_sub(EACH * (u64::from(b' ') + 1)) & !word & (EACH << 7);
    to_space | equal(word, b'/') | equal(word, b'>')
}

/// The same for the name of an attribute, of which the first byte is always part.
pub(super) fn attr_name_ends(word: u64) -> u64 {
    (tag_name_ends(word) | equal(word, b'=')) & !0xFF
}

/// The offset of the first of two bytes from `at` on, or the length.
#[inline(always)]
pub(super) fn find2(bytes: &[u8], mut at: usize, one: u8, other: u8) -> usize {
    /// How many times eight bytes are cheaper than a call.
    const NEAR: usize = 3;
    for _ in 0..NEAR {
        let Some(word) = eight(bytes, at) else { break };
        let found = equal(word, one) | equal(word, other);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    find2_far(bytes, at, one, other)
}

#[inline(never)]
fn find2_far(bytes: &[u8], at: usize, one: u8, other: u8) -> usize {
    bytes.get(at..).and_then(|rest| memchr2(one, other, rest)).map_or(bytes.len(), |offset| at + offset)
}

/// Whether `word`, in lower case, stands at `at` in any case.
pub(super) fn has_word(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
}
