//! How often the answer is right, on sentences that the model never saw.
//!
//! Test data: `languages` below `GRISTMILL_DATA`, files CODE.txt with a sentence a line; skipped, and said so, where it is missing.

use std::path::PathBuf;

use gristmill_text::language::identify;

/// Sentences by the code that their language is printed with.
fn sentences() -> Option<Vec<(String, Vec<String>)>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("GRISTMILL_DATA").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(data.join("languages")).ok()?.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "txt"));
    files.sort();
    let read = |file: &PathBuf| {
        let code = file.file_stem().unwrap().to_str().unwrap();
        let code = if ["nb", "nn"].contains(&code) { "no" } else { code };
        let text = std::fs::read(file).unwrap();
        let lines =
            String::from_utf8_lossy(&text).lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        (code.to_owned(), lines)
    };
    Some(files.iter().map(read).collect())
}

#[test]
fn sentences_in_75_languages_are_told_and_the_probability_is_honest() {
    let Some(languages) = sentences() else { return eprintln!("SKIPPED: no sentences (GRISTMILL_DATA)") };
    let (mut shares, mut low) = (0.0, Vec::new());
    let mut bins = [(0usize, 0usize, 0.0f64); 10];
    for (code, lines) in &languages {
        let mut right = 0;
        for line in lines {
            let found = identify(line, None);
            let is_right = found.language == Some(code);
            let score = f64::from(found.score.unwrap_or(0.0));
            let bin = &mut bins[((score * 10.0) as usize).min(9)];
            *bin = (bin.0 + 1, bin.1 + usize::from(is_right), bin.2 + score);
            right += usize::from(is_right);
        }
        let share = right as f64 / lines.len() as f64;
        shares += share;
        if share < 0.9 {
            low.push((code.as_str(), share));
        }
    }
    let mean = shares / languages.len() as f64;
    let n: usize = bins.iter().map(|bin| bin.0).sum();
    let off: f64 = bins.iter().map(|(_, right, sum)| (*right as f64 - sum).abs()).sum::<f64>() / n as f64;
    assert!(mean >= LEAST_MEAN, "mean {mean:.4}: {low:?}");
    assert!(off <= MOST_OFF, "calibration error {off:.4}: {bins:?}");
}

/// What the shipped model reaches, less a little.
const LEAST_MEAN: f64 = 0.96;
const MOST_OFF: f64 = 0.025;
