//! The shipped model, opened on first use.

use std::sync::LazyLock;

use gristmill_models::{LANGUAGE, ModelError, ModelFile};

use crate::language::languages::{FILLER, Language, taught};
use crate::language::scorer::{MOST_LANGUAGES, ScriptScorer, Sums, softmax};
use crate::language::script::Script;

/// Scores of the languages of each script.
pub(crate) struct LanguageModel {
    /// By the place of the script; `None` where the script has one language or none.
    scripts: Vec<Option<ScriptModel>>,
}

pub(crate) struct ScriptModel {
    pub(crate) scorer: ScriptScorer,
    languages: Vec<&'static Language>,
    /// For each language the place of the first that is printed as it is.
    first_forms: Vec<usize>,
}

static SHIPPED: LazyLock<LanguageModel> = LazyLock::new(|| LANGUAGE.load(LanguageModel::read));

/// The model that comes with the program.
pub(crate) fn shipped() -> &'static LanguageModel {
    &SHIPPED
}

impl LanguageModel {
    pub(crate) fn read(file: &ModelFile) -> Result<LanguageModel, ModelError> {
        let scripts =
            Script::all().map(|script| taught(script).next().map(|_| ScriptModel::read(file, script)).transpose());
        Ok(LanguageModel { scripts: scripts.collect::<Result<_, _>>()? })
    }

    pub(crate) fn of(&self, script: Script) -> Option<&ScriptModel> {
        self.scripts[script.index()].as_ref()
    }
}

impl ScriptModel {
    fn read(file: &ModelFile, script: Script) -> Result<ScriptModel, ModelError> {
        let scorer = ScriptScorer::read(file, script)?;
        let languages: Vec<&'static Language> = taught(script).collect();
        if !languages.iter().map(|language| language.code).eq(scorer.languages.iter().map(String::as_str)) {
            return Err(ModelError::Shape("its languages are not those of the program"));
        }
        let first = |one: &&Language| languages.iter().position(|other| other.printed() == one.printed()).unwrap_or(0);
        let first_forms = languages.iter().map(first).collect();
        Ok(ScriptModel { scorer, languages, first_forms })
    }

    /// The language of the highest score: at less cost than [`ScriptModel::best`], and nearly always the same.
    pub(crate) fn highest(&self, sums: &Sums) -> &'static Language {
        let scores = self.scorer.scores(sums);
        let most = (0..self.languages.len()).fold(0, |most, at| if scores[at] > scores[most] { at } else { most });
        self.languages[most]
    }

    /// The most probable language and its probability, with what a claim adds to each score. Forms of one language are taken
    /// together. O(languages).
    pub(crate) fn best(&self, sums: &Sums, added: impl Fn(&Language) -> f32) -> (&'static Language, f32) {
        let mut scores = self.scorer.scores(sums);
        scores.iter_mut().zip(&self.languages).for_each(|(score, language)| *score += added(language));
        let scores = &mut scores[..self.languages.len()];
        softmax(scores);
        let mut together = [0.0; MOST_LANGUAGES];
        scores.iter().zip(&self.first_forms).for_each(|(probability, first)| together[*first] += probability);
        let most = (0..scores.len()).fold(0, |most, at| if together[at] > together[most] { at } else { most });
        (self.languages[most], together[most])
    }
}

/// Whether a language stands for filler text.
pub(crate) fn is_filler(language: &Language) -> bool {
    language.code == FILLER
}
