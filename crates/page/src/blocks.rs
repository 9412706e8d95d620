//! Which elements begin and end rows, never are text, or are headings: the one table for all that read pages.

use gristmill_html::{BLOCKS, DROPPED, LocalName};

const DROP: u8 = 1;
const BLOCK: u8 = 2;
const HEADING: u8 = 4;
const CHOICE: u8 = 8;
const ALONE: u8 = 16;

static FLAGS: [u8; LocalName::TABLE_LEN] = flags();

const fn flags() -> [u8; LocalName::TABLE_LEN] {
    let mut flags = [0; LocalName::TABLE_LEN];
    mark(&mut flags, DROPPED, DROP);
    mark(&mut flags, BLOCKS, BLOCK);
    mark(&mut flags, &[LocalName::SELECT, LocalName::OPTION, LocalName::TEXTAREA], CHOICE);
    mark(&mut flags, &[LocalName::BUTTON, LocalName::SELECT, LocalName::TITLE], ALONE);
    mark(
        &mut flags,
        &[LocalName::H1, LocalName::H2, LocalName::H3, LocalName::H4, LocalName::H5, LocalName::H6],
        HEADING,
    )
}

const fn mark<const N: usize>(flags: &mut [u8; N], names: &[LocalName], flag: u8) -> [u8; N] {
    let mut n = 0;
    while n < names.len() {
        flags[names[n].index()] |= flag;
        n += 1;
    }
    *flags
}

/// What is text and where rows end, for one kind of reader.
#[derive(Debug, Clone, Copy)]
pub struct BlockRules {
    dropped: u8,
    block: u8,
    /// Words within a row that the page hides are text.
    hears: bool,
}

impl BlockRules {
    /// For main text: a button stands in its line, and choices are words.
    pub const TEXT: BlockRules = BlockRules { dropped: DROP, block: BLOCK, hears: false };
    /// For product records: choices are not what a product has, a control parts what stands beside it, and words for the ear may say
    /// which of two prices is the old one.
    pub const RECORDS: BlockRules = BlockRules { dropped: DROP | CHOICE, block: BLOCK | ALONE, hears: true };

    /// Whether words within a row that the page hides are text.
    pub(crate) fn hears(self) -> bool {
        self.hears
    }

    /// Whether the element begins and ends a row.
    #[inline]
    pub fn is_block(self, name: LocalName) -> bool {
        flags_of(name) & self.block != 0
    }

    /// Whether the element and all below it never is text.
    #[inline]
    pub fn is_dropped(self, name: LocalName) -> bool {
        flags_of(name) & self.dropped != 0
    }
}

#[inline]
fn flags_of(name: LocalName) -> u8 {
    FLAGS.get(name.index()).copied().unwrap_or(0)
}

/// Whether the element begins and ends a row.
#[inline]
pub fn is_block(name: LocalName) -> bool {
    BlockRules::TEXT.is_block(name)
}

/// Whether the element and all below it never is text.
#[inline]
pub fn is_dropped(name: LocalName) -> bool {
    BlockRules::TEXT.is_dropped(name)
}

/// Whether the element is `h1` to `h6`.
#[inline]
pub fn is_heading(name: LocalName) -> bool {
    flags_of(name) & HEADING != 0
}

/// 1 to 6 for `h1` to `h6`.
#[inline]
pub fn heading_rank(name: LocalName) -> Option<u8> {
    const HEADINGS: [LocalName; 6] =
        [LocalName::H1, LocalName::H2, LocalName::H3, LocalName::H4, LocalName::H5, LocalName::H6];
    HEADINGS.iter().zip(1..).find(|(heading, _)| **heading == name).map(|(_, rank)| rank)
}
