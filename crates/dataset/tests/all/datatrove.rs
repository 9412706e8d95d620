//! The decisions of datatrove's own filters, on the texts of all test packages.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gristmill_dataset::quality::{QualityRules, Signal, TextSignals};
use serde_json::{Value, json};

/// Each set of rules, and how many decisions in a hundred may be others.
///
/// Both cut words in their own way (abbreviations, addresses, emoticons), so counts of tokens differ by a few in a hundred, and
/// with them what lies near a limit. Lines and their ends are told alike.
const SETS: [(&str, f64); 4] = [("gopher-quality", 5.0), ("gopher-repetition", 2.0), ("c4", 0.5), ("fineweb", 0.5)];
/// A rule, whether its difference from the limit in a text is explained, and by what.
type Reason = (&'static str, fn(&str, f64) -> bool, &'static str);
/// Why decisions differ. Any other difference is a fault of ours.
const REASONS: [Reason; 4] = [
    ("no-letters", has_ruling, "spaCy makes a token of each underscore of a line drawn with them, here they are one"),
    ("top-", has_ruling, "the same: a phrase of four underscores is the most frequent there"),
    (
        "no-letters",
        |_, difference| difference < 0.02,
        "a mark at the end of an abbreviation, address or number is its own token here",
    ),
    (
        "top-",
        |_, difference| difference < 0.02,
        "spaCy cuts contractions and units, so that the same phrase has other characters",
    ),
];

/// Whether a line is drawn with underscores.
fn has_ruling(text: &str, _: f64) -> bool {
    text.contains("____")
}

/// Languages that the English tokenizer of the filters cuts at spaces alone, or not at all; our words of them are shorter.
const UNSPACED: [&str; 6] = ["zh", "ja", "ko", "th", "my", "km"];
/// Every so many texts are compared, as the other side is slow.
const STEP: usize = 8;

/// Texts and their languages.
fn texts(packages: &Path) -> Vec<(String, String)> {
    let files = |folder: &Path| -> Vec<PathBuf> {
        let mut files: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        files
    };
    let pages = files(packages).into_iter().flat_map(|package| files(&package.join("pages")));
    let golds = pages.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let read = |path: PathBuf| {
        let about: Value = serde_json::from_slice(&fs::read(path.with_extension("json")).ok()?).ok()?;
        Some((fs::read_to_string(&path).ok()?, about["language"].as_str().unwrap_or_default().to_owned()))
    };
    golds.step_by(STEP).filter_map(read).filter(|(_, language)| !UNSPACED.contains(&language.as_str())).collect()
}

fn stop_words(language: &str) -> Vec<&'static str> {
    let lines = include_str!("../../src/quality/stop_words.tsv").lines();
    let line = lines.filter_map(|line| line.split_once('\t')).find(|(code, _)| *code == language);
    line.map_or_else(Vec::new, |(_, words)| words.split(' ').collect())
}

/// What the filters say of each text; none without datatrove.
fn decisions(texts: &[(String, String)]) -> Option<Vec<Value>> {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer_filters.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take().unwrap();
    let line =
        |(text, language): &(String, String)| json!({"text": text, "stop_words": stop_words(language)}).to_string();
    let lines: Vec<String> = texts.iter().map(line).collect();
    let writer = std::thread::spawn(move || lines.iter().try_for_each(|line| writeln!(input, "{line}")));
    let output = child.wait_with_output().unwrap();
    // Without datatrove the script ends before it has read.
    let _ = writer.join();
    if output.status.code() == Some(77) {
        return None;
    }
    assert!(output.status.success());
    let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Some(lines.map(|line| serde_json::from_slice(line).unwrap()).collect())
}

#[test]
fn datatrove_decides_as_we_do_but_where_words_are_cut_otherwise() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let texts = texts(&std::env::var_os("GRISTMILL_DATA").map_or(beside, PathBuf::from).join("articles"));
    if texts.is_empty() {
        eprintln!("SKIPPED: no test packages (set GRISTMILL_DATA)");
        return;
    }
    let Some(theirs) = decisions(&texts) else {
        eprintln!("SKIPPED: no datatrove (set GRISTMILL_PYTHON)");
        return;
    };
    assert_eq!(theirs.len(), texts.len());
    let signals: Vec<TextSignals> = texts.iter().map(|(text, language)| TextSignals::of(text, language)).collect();
    for (set, allowed) in SETS {
        let rules: QualityRules = set.parse().unwrap();
        let mut n = 0;
        for ((signals, theirs), (text, _)) in signals.iter().zip(&theirs).zip(&texts) {
            let (ours, theirs) = (rules.refuses(signals), theirs[set].as_str().unwrap());
            if ours.is_some() == theirs.is_empty() {
                n += 1;
                let rule = ours.map_or_else(|| our_name(theirs), |refusal| refusal.rule.to_owned());
                explain(set, &rule, text, signals, ours.is_some());
            }
        }
        println!("{set}: {n} of {} decisions differ", texts.len());
        assert!(n as f64 <= allowed / 100.0 * texts.len() as f64, "{set}: {n} of {}", texts.len());
    }
}

/// Tells a difference with its reason, and fails where none of [`REASONS`] explains it.
fn explain(set: &str, rule: &str, text: &str, signals: &TextSignals, is_refused: bool) {
    let line =
        include_str!("../../src/quality/rules.tsv").lines().find(|line| line.starts_with(&format!("{set}\t{rule}\t")));
    let fields: Vec<&str> = line.unwrap_or_else(|| panic!("{set}: no rule `{rule}`")).split('\t').collect();
    let signal = Signal::ALL.iter().find(|signal| signal.name() == fields[2]).unwrap();
    let (value, limit) = (signals.get(*signal), fields[4].parse::<f64>().unwrap());
    let explains = |reason: &&Reason| rule.starts_with(reason.0) && reason.1(text, (value - limit).abs());
    let reason = REASONS.iter().find(explains);
    let (_, _, why) = reason.unwrap_or_else(|| panic!("{set} {rule}: {value:.3} against {limit} is not explained"));
    let who = if is_refused { "refused here alone" } else { "refused there alone" };
    println!("{set} {rule}: {value:.3} against {limit}, {who}: {why}");
}

/// Our name of the rule for which a filter of datatrove gives this reason.
fn our_name(reason: &str) -> String {
    match reason {
        "gopher_below_alpha_threshold" => "no-letters".to_owned(),
        "gopher_enough_stop_words" => "stop-words".to_owned(),
        "gopher_short_doc" => "short".to_owned(),
        "gopher_below_avg_threshold" => "short-words".to_owned(),
        "gopher_above_avg_threshold" => "long-words".to_owned(),
        "too_few_sentences" => "sentences".to_owned(),
        "list_ratio" => "lists".to_owned(),
        other => match other.strip_prefix("duplicated_") {
            Some(grams) => format!("repeated-{}", grams.replacen("_n", "", 1).replace('_', "-")),
            None => other.replace('_', "-"),
        },
    }
}
