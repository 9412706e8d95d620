//! Serbian in Latin letters: each Cyrillic letter has its Latin one or two.

const LETTERS: [(char, &str); 30] = [
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('д', "d"),
    ('ђ', "đ"),
    ('е', "e"),
    ('ж', "ž"),
    ('з', "z"),
    ('и', "i"),
    ('ј', "j"),
    ('к', "k"),
    ('л', "l"),
    ('љ', "lj"),
    ('м', "m"),
    ('н', "n"),
    ('њ', "nj"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('ћ', "ć"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "h"),
    ('ц', "c"),
    ('ч', "č"),
    ('џ', "dž"),
    ('ш', "š"),
];

/// A small letter in Latin; others stay.
pub(super) fn serbian_letter(c: char, out: &mut String) {
    match LETTERS.iter().find(|(cyrillic, _)| *cyrillic == c) {
        Some((_, latin)) => out.push_str(latin),
        None => out.push(c),
    }
}

/// A text in small Latin letters.
pub(super) fn serbian(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().flat_map(char::to_lowercase).for_each(|c| serbian_letter(c, &mut out));
    out
}
