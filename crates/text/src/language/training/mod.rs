//! Trains the model: lines are made from texts and counts, and a softmax regression over their n-grams is fitted.
//! No randomness from outside: the same sources give the same model.

mod counts;
mod filler;
mod lines;
mod random;
mod regression;
mod romanised;

pub use counts::NgramCounts;

use gristmill_models::ModelFile;

use crate::language::languages::{Language, taught};
use crate::language::script::Script;

use lines::LineMaker;
use random::Random;

/// What is there of one language.
#[derive(Default)]
pub struct LanguageSource {
    /// Strings of it: messages, names, sentences.
    pub texts: Vec<String>,
    /// Counts of n-grams in texts of it.
    pub counts: Option<NgramCounts>,
}

/// How long to train.
#[derive(Debug, Clone, Copy)]
pub struct TrainingPlan {
    /// Lines of each language that has counts.
    pub lines: usize,
    /// Rounds over all lines.
    pub rounds: usize,
}

/// What ships.
impl Default for TrainingPlan {
    fn default() -> TrainingPlan {
        TrainingPlan { lines: 60_000, rounds: 5 }
    }
}

/// The tables of the model. `source_of` reads what is there of a language by the name of its files, `sr` or `sr-Latn`: once for
/// each form that is taught, some 110 times. Needs about 2 GB, and a quarter of an hour of one processor.
///
/// # Errors
/// What `source_of` fails with.
pub fn train<E: Send>(
    plan: TrainingPlan,
    card: &str,
    source_of: impl Fn(&str) -> Result<LanguageSource, E> + Sync,
) -> Result<ModelFile, E> {
    let scripts: Vec<Script> = Script::all().filter(|script| taught(*script).next().is_some()).collect();
    let (latin, others): (Vec<Script>, Vec<Script>) = scripts.into_iter().partition(|script| *script == Script::LATIN);
    let each = |scripts: &[Script]| {
        scripts.iter().map(|script| train_script(plan, *script, &source_of)).collect::<Result<Vec<_>, E>>()
    };
    let tables = std::thread::scope(|scope| {
        let others = scope.spawn(|| each(&others));
        let latin = each(&latin);
        Ok([latin?, others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?].concat())
    })?;
    Ok(tables.into_iter().fold(ModelFile::new(card), |file, table| table.put_into(file)))
}

/// What was learnt of one script.
#[derive(Clone)]
struct ScriptTable {
    script: Script,
    languages: Vec<&'static Language>,
    scale: f32,
    weights: Vec<i8>,
}

impl ScriptTable {
    fn put_into(self, file: ModelFile) -> ModelFile {
        let name = |part: &str| format!("{}.{part}", self.script.code());
        file.with(
            name("languages"),
            self.languages.iter().map(|language| language.code.to_owned()).collect::<Vec<String>>(),
        )
        .with(name("priors"), self.languages.iter().map(|language| language.prior()).collect::<Vec<f32>>())
        .with(name("scale"), vec![self.scale])
        .with(name("weights"), self.weights)
    }
}

/// Rows of the table of a script: as many as four megabytes permit, most for the script with most languages.
fn n_rows(script: Script) -> usize {
    match script.code() {
        "Latn" => 46_000,
        "Cyrl" => 16_384,
        "Arab" | "Deva" => 8_192,
        _ => 4_096,
    }
}

fn train_script<E>(
    plan: TrainingPlan,
    script: Script,
    source_of: &impl Fn(&str) -> Result<LanguageSource, E>,
) -> Result<ScriptTable, E> {
    let languages: Vec<&'static Language> = taught(script).collect();
    let mut lines = Vec::new();
    for (class, language) in languages.iter().enumerate() {
        let maker = LineMaker::new(script, source_for(language, source_of)?, Random::new(class as u64 + 1));
        lines.extend(maker.lines(plan.lines).into_iter().map(|line| (class as u16, line)));
    }
    Random::new(0).shuffle(&mut lines);
    let (scale, weights) = regression::fit(&lines, languages.len(), n_rows(script), plan.rounds);
    Ok(ScriptTable { script, languages, scale, weights })
}

/// Filler text comes from nowhere else, and Serbian in Latin letters from Serbian in Cyrillic ones, too.
fn source_for<E>(
    language: &Language,
    source_of: &impl Fn(&str) -> Result<LanguageSource, E>,
) -> Result<LanguageSource, E> {
    match (language.code, language.script) {
        ("zxx", _) => Ok(filler::source()),
        ("sr", Script::LATIN) => {
            let mut source = source_of("sr-Latn")?;
            let cyrillic = source_of("sr")?;
            source.texts.extend(cyrillic.texts.iter().map(|text| romanised::serbian(text)));
            source.counts = cyrillic.counts.map(|counts| counts.written(romanised::serbian_letter));
            Ok(source)
        }
        (code, _) => source_of(code),
    }
}
