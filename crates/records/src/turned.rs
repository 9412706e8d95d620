//! Blocks with each value before its name: `31.0 cm` over `Width`.

use crate::candidate::{Candidate, PairLayout, is_name};
use crate::dictionary::{Dictionary, NameKind};
use crate::hash::Map;
use crate::units::has_quantity;
use crate::view::RecordView;

/// Pairs of a block that show which way round it is.
const MIN_PAIRS: usize = 3;

/// Turns round the pairs of each block in which the values are names and the names are none: known ones, or words without a digit where the
/// others are quantities. A single pair says nothing. O(candidates).
pub(crate) fn turn(view: &RecordView, dictionary: &Dictionary, candidates: &mut [Candidate]) {
    let mut blocks: Map<(PairLayout, u32), Vec<usize>> = Map::default();
    for (n, candidate) in candidates.iter().enumerate() {
        if matches!(
            candidate.layout,
            PairLayout::TwoCells | PairLayout::Alternating | PairLayout::Columns | PairLayout::Row | PairLayout::List
        ) {
            blocks.entry((candidate.layout, candidate.container)).or_default().push(n);
        }
    }
    for block in blocks.values().filter(|block| block.len() >= MIN_PAIRS) {
        let pairs: Vec<[&str; 2]> =
            block.iter().map(|&n| [candidates[n].name, candidates[n].value].map(|span| view.slice(span))).collect();
        if is_turned(&pairs, dictionary) {
            for &n in block {
                let candidate = &mut candidates[n];
                std::mem::swap(&mut candidate.name, &mut candidate.value);
            }
        }
    }
}

fn is_turned(pairs: &[[&str; 2]], dictionary: &Dictionary) -> bool {
    let share = |is_one: &dyn Fn(&[&str; 2]) -> bool| {
        pairs.iter().filter(|pair| is_one(pair)).count() as f32 / pairs.len() as f32
    };
    if share(&|[_, value]| is_name(value) && !value.contains('\n')) < 1.0 {
        return false;
    }
    let known = |text: &str| dictionary.kind_loose(text) == Some(NameKind::Spec);
    let (names, values) = (share(&|[name, _]| known(name)), share(&|[_, value]| known(value)));
    let has_digit = |text: &str| text.contains(char::is_numeric);
    let are_quantities = || {
        share(&|[name, _]| has_quantity(name)) >= 0.6 && share(&|[_, value]| has_digit(value)) == 0.0 && names == 0.0
    };
    values >= 0.5 && names * 3.0 <= values || are_quantities()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_turned_where_its_values_are_names() {
        let dictionary = Dictionary::built_in();
        let is_turned = |pairs: &[[&str; 2]]| is_turned(pairs, &dictionary);
        assert!(is_turned(&[["31.0 cm", "Width"], ["20.0 cm", "Height"], ["Steel", "Material"]]));
        assert!(is_turned(&[["31.0 cm", "Foo max"], ["20.0 cm", "Foo min"], ["2 kg", "Quux"]]));
        assert!(!is_turned(&[["Width", "31.0 cm"], ["Height", "20.0 cm"], ["Material", "Steel"]]));
        assert!(!is_turned(&[["Blue", "Quux"], ["Red", "Foo"], ["Green", "Bar"]]));
        assert!(!is_turned(&[["Material", "Colour"], ["Width", "Height"], ["Weight", "Size"]]), "names alone");
    }
}
