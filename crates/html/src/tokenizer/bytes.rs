//! What single bytes mean inside of tags, as a table.

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

/// Whether `word`, in lower case, stands at `at` in any case.
pub(super) fn has_word(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
}
