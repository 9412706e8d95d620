//! How often the language of a line is told rightly, and how honest the probability is.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};
use gristmill_text::language::identify;

/// Bins of the probability.
const BINS: usize = 10;
/// Languages that are shown with what they are taken for.
const SHOWN_BELOW: f64 = 0.95;

/// Reads CODE.txt files of a folder, a text a line, and prints the tables.
pub fn run(folder: &Path) -> anyhow::Result<()> {
    let mut scores = Vec::new();
    let mut bins = [Bin::default(); BINS];
    let mut files = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>())
        .with_context(|| format!("could not read `{}`", folder.display()))?;
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "txt")) {
        let bytes = std::fs::read(file).with_context(|| format!("could not read `{}`", file.display()))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        scores.push(LanguageScore::of(&name, &String::from_utf8_lossy(&bytes), &mut bins));
    }
    ensure!(!scores.is_empty(), "no file CODE.txt in `{}`", folder.display());
    print!("{}", tables(&scores, &bins));
    Ok(())
}

/// Answers whose probability lies between two tenths.
#[derive(Clone, Copy, Default)]
struct Bin {
    n: usize,
    right: usize,
    sum: f64,
}

/// What became of the lines of one file.
struct LanguageScore {
    code: String,
    n: usize,
    right: usize,
    wrong: BTreeMap<&'static str, usize>,
}

impl LanguageScore {
    fn of(name: &str, text: &str, bins: &mut [Bin; BINS]) -> LanguageScore {
        // Forms of one language are one: nb and nn, sr and sr-Latn.
        let code = match name.split('-').next().unwrap_or(name) {
            "nb" | "nn" => "no",
            code => code,
        };
        let mut score = LanguageScore { code: name.to_owned(), n: 0, right: 0, wrong: BTreeMap::new() };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let found = identify(line, None);
            let probability = f64::from(found.score.unwrap_or(0.0));
            let answer = found.language.unwrap_or("none");
            let right = answer == code;
            let bin = &mut bins[((probability * BINS as f64) as usize).min(BINS - 1)];
            *bin = Bin { n: bin.n + 1, right: bin.right + usize::from(right), sum: bin.sum + probability };
            score.n += 1;
            score.right += usize::from(right);
            if !right {
                *score.wrong.entry(answer).or_default() += 1;
            }
        }
        score
    }

    fn share(&self) -> f64 {
        self.right as f64 / self.n.max(1) as f64
    }
}

fn tables(scores: &[LanguageScore], bins: &[Bin; BINS]) -> String {
    let n: usize = scores.iter().map(|score| score.n).sum();
    let mean = scores.iter().map(LanguageScore::share).sum::<f64>() / scores.len() as f64;
    let off: f64 = bins.iter().map(|bin| (bin.right as f64 - bin.sum).abs()).sum::<f64>() / n.max(1) as f64;
    let mut out = format!(
        "{n} lines in {} files: mean {mean:.4}, calibration error {off:.4}\n\nprobability\tlines\tmean\tright\n",
        scores.len()
    );
    for (at, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.n > 0) {
        let (mean, right) = (bin.sum / bin.n as f64, bin.right as f64 / bin.n as f64);
        out.push_str(&format!(".{at}\t{}\t{mean:.3}\t{right:.3}\n", bin.n));
    }
    out.push_str("\nlanguage\tlines\tright\ttaken for\n");
    for score in scores.iter().filter(|score| score.share() < SHOWN_BELOW) {
        let mut wrong: Vec<_> = score.wrong.iter().collect();
        wrong.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let wrong: Vec<String> = wrong.iter().take(4).map(|(code, n)| format!("{code} {n}")).collect();
        out.push_str(&format!("{}\t{}\t{:.3}\t{}\n", score.code, score.n, score.share(), wrong.join(", ")));
    }
    out
}
