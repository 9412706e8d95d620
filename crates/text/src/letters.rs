//! Letters and digits of all scripts, told by a table.
//!
//! The standard library searches a compressed table for each character beyond ASCII, up to 250 ns for some: two seconds
//! for a page of 9 MB that repeats one of them.

use std::sync::OnceLock;

/// Characters of one block, and the blocks of all planes.
const BLOCK: usize = 256;
const BLOCKS: usize = (char::MAX as usize + 1) / BLOCK;

/// A bit for each character of a block: is it a letter, is it a letter or a number.
struct Block {
    letters: [u64; BLOCK / 64],
    words: [u64; BLOCK / 64],
}

/// Filled when a text first has a character of the block.
static TABLE: [OnceLock<Block>; BLOCKS] = [const { OnceLock::new() }; BLOCKS];

impl Block {
    fn of(number: usize) -> Block {
        let mut block = Block { letters: [0; BLOCK / 64], words: [0; BLOCK / 64] };
        for at in 0..BLOCK {
            let Some(c) = char::from_u32((number * BLOCK + at) as u32) else { continue };
            block.letters[at / 64] |= u64::from(c.is_alphabetic()) << (at % 64);
            block.words[at / 64] |= u64::from(c.is_alphanumeric()) << (at % 64);
        }
        block
    }
}

fn look_up(c: char, bits: fn(&Block) -> &[u64; BLOCK / 64]) -> bool {
    let (number, at) = (c as usize / BLOCK, c as usize % BLOCK);
    bits(TABLE[number].get_or_init(|| Block::of(number)))[at / 64] >> (at % 64) & 1 == 1
}

/// As [`char::is_alphabetic`], in the same time for any character.
#[inline]
pub fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { look_up(c, |block| &block.letters) }
}

/// As [`char::is_alphanumeric`], in the same time for any character.
#[inline]
pub fn is_letter_or_number(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { look_up(c, |block| &block.words) }
}

/// The letters and digits of a text in lower case, as names are compared whatever stands between their words.
pub fn lower_letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|&c| is_letter_or_number(c)).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_agrees_with_the_standard_library_on_every_character() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(is_letter_or_number(c), c.is_alphanumeric(), "{c:?}");
        }
    }
}
