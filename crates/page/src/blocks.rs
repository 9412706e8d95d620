//! Which elements begin and end rows, never are text, or are headings: the one list for all that read pages.

use gristmill_html::{BLOCKS, DROPPED, Name};

const DROP: u8 = 1;
pub(crate) const BLOCK: u8 = 2;
pub(crate) const HEADING: u8 = 4;

static FLAGS: [u8; Name::TABLE_LEN] = flags();

const fn flags() -> [u8; Name::TABLE_LEN] {
    let mut flags = [0; Name::TABLE_LEN];
    mark(&mut flags, DROPPED, DROP);
    mark(&mut flags, BLOCKS, BLOCK);
    mark(&mut flags, &[Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6], HEADING)
}

const fn mark<const N: usize>(flags: &mut [u8; N], names: &[Name], flag: u8) -> [u8; N] {
    let mut n = 0;
    while n < names.len() {
        flags[names[n].index()] |= flag;
        n += 1;
    }
    *flags
}

#[inline]
pub(crate) fn flags_of(name: Name) -> u8 {
    FLAGS.get(name.index()).copied().unwrap_or(0)
}

/// Whether the element begins and ends a row.
#[inline]
pub fn is_block(name: Name) -> bool {
    flags_of(name) & BLOCK != 0
}

/// Whether the element and all below it never is text.
#[inline]
pub fn is_dropped(name: Name) -> bool {
    flags_of(name) & DROP != 0
}

/// Whether the element is `h1` to `h6`.
#[inline]
pub fn is_heading(name: Name) -> bool {
    flags_of(name) & HEADING != 0
}

/// 1 to 6 for `h1` to `h6`.
#[inline]
pub fn heading_rank(name: Name) -> Option<u8> {
    const HEADINGS: [Name; 6] = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];
    HEADINGS.iter().zip(1..).find(|(heading, _)| **heading == name).map(|(_, rank)| rank)
}
