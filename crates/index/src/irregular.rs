//! Forms of words that no stemmer finds, such as `mice` of `mouse`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The base form of each English form.
static ENGLISH: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let rows = include_str!("irregular.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.flat_map(|row| {
        let (base, forms) = row.split_once('\t').unwrap_or((row, ""));
        forms.split('\t').map(move |form| (form, base))
    })
    .collect()
});

/// Gives the base form of a folded word of a language to `take`, where it is another than rules find.
pub(crate) fn base_form(language: &str, folded: &str, mut take: impl FnMut(&str)) {
    match language {
        "en" => {
            if let Some(base) = ENGLISH.get(folded) {
                take(base);
            }
        }
        // A `z` at the end of a word is a `c` before `e`: `lápiz`, `lápices`.
        "es" => {
            if let Some(stem) = folded.strip_suffix("ces") {
                take(&[stem, "z"].concat());
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_has_one_base_form_and_begins_as_it_does() {
        let rows: Vec<&str> = include_str!("irregular.tsv").lines().skip(1).collect();
        assert!(rows.is_sorted());
        assert_eq!(ENGLISH.len(), rows.iter().map(|row| row.split('\t').count() - 1).sum::<usize>());
        for (form, base) in ENGLISH.iter() {
            assert_eq!(
                form.as_bytes()[0],
                base.as_bytes()[0],
                "{form}: highlighting looks at words by their first letter"
            );
            assert!(!ENGLISH.contains_key(base) && form.bytes().all(|byte| byte.is_ascii_lowercase()), "{form}");
        }
    }
}
