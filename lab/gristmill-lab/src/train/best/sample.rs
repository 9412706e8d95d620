//! Rows of CC-BY pages with what the trainer says of them, for the test that the compiled model says the same.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use gristmill_extract::best::{BestModel, FIRST, SECOND};

use super::read::FoldPage;

const N_ROWS: usize = 1_000;

/// Gzip-packed 32-bit floats, little endian, row by row: the numbers of both looks, then both probabilities.
pub fn sample(inputs: &[FoldPage], seen: &[Vec<f32>], model: &BestModel) -> anyhow::Result<Vec<u8>> {
    const WIDTH: usize = FIRST + SECOND;
    let free = |input: &FoldPage| input.trains && !input.disguised && input.licence.starts_with("CC-BY-4.0");
    let taken = inputs.iter().zip(seen).filter(|(input, _)| free(input));
    let rows: Vec<&[f32]> = taken.flat_map(|(_, seen)| seen.chunks(WIDTH)).collect();
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    for row in rows.iter().step_by((rows.len() / N_ROWS).max(1)).take(N_ROWS) {
        let first = model.first.as_ref().probability(&row[..FIRST]);
        let second = model.second.as_ref().probability(row);
        for value in row.iter().chain(&[first, second]) {
            packed.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(packed.finish()?)
}
