//! The language of a text: by its letters first, by what its page claims second.

use serde::Serialize;

use crate::language::chinese;
use crate::language::languages::{Evidence, Language, code_of_tag, languages, only};
use crate::language::model::{ScriptModel, is_filler, shipped};
use crate::language::ngrams::keep_script;
use crate::language::sample::{ScriptWeights, Stretch, stretch, stretches};
use crate::language::scorer::Sums;
use crate::language::script::Script;

/// What a claim adds to the score of its language: pages are right in some twenty cases of twenty-one.
const CLAIM: f32 = 3.0;
/// A claim of English is left over from a template more often than others.
const CLAIM_OF_ENGLISH: f32 = 1.5;
/// What a claim adds between languages that letters cannot tell apart.
const CLAIM_IN_FAMILY: f32 = 7.0;
/// Below this probability a claim decides alone.
const UNSURE: f32 = 0.5;
/// From this probability on, English contradicts a claim of a language without statistics, and a stretch stands for its language.
const SURE: f32 = 0.8;
/// How probable a language is that the claim alone tells. Not measured.
const BY_CLAIM: f32 = 0.8;
/// How probable a language is that its script tells.
const BY_SCRIPT: f32 = 0.99;
/// Codes that are set by mistake or left over from a template: those of countries (`br`, `se`).
const DOUBTFUL: [&str; 5] = ["br", "se", "co", "an", "st"];
/// Fewer Chinese characters without kana may be Japanese if that is claimed.
const FEW_CHARACTERS: u32 = 16;

/// What is known of the language of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextLanguage {
    /// ISO 639-1, or ISO 639-3 where there is none. Norwegian is `no`, whichever of its two forms. `None` for a text without letters
    /// and without a claim, and for filler text.
    pub language: Option<&'static str>,
    /// How probable `language` is, 0 to 1; `None` without a language.
    pub score: Option<f32>,
    /// ISO 15924: the script of most letters; `Hans` and `Hant` for Chinese where they can be told apart, `Jpan` for Japanese.
    pub script: Option<&'static str>,
    /// The languages of the paragraphs with their shares of the letters, greatest first; filler text has no share.
    pub shares: Vec<LanguageShare>,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LanguageShare {
    /// As [`TextLanguage::language`].
    pub language: &'static str,
    /// Its share of the letters, above 0 to 1.
    pub share: f32,
}

/// The language of `text`. `claim` is what its page declares (`zh-Hans-CN`, `en_US`), if anything.
///
/// Some 200 letters are looked at, from up to five places. Where these differ, up to 64 paragraphs are looked at each. Of long texts
/// without letters all is read. A claim counts as evidence: it decides where the letters are unsure, between close relatives, and for
/// languages that the model does not know; it loses where the letters are sure.
pub fn identify(text: &str, claim: Option<&str>) -> TextLanguage {
    let claim = claim.and_then(code_of_tag);
    let mut reader = StretchReader { letters: Vec::new(), rows: Vec::new(), claim };
    let stretches = stretches(text, &mut reader.letters);
    let mut weights = ScriptWeights::new();
    stretches.iter().for_each(|stretch| weights.add(&stretch.weights));
    let Some(script) = weights.main() else {
        return TextLanguage { language: claim, score: claim.map(|_| BY_CLAIM), ..TextLanguage::default() };
    };
    let script_code = reader.script_code(script);
    let mut all = Sums::default();
    let mut parts = Vec::with_capacity(stretches.len());
    for stretch in &stretches {
        let Some(own) = stretch.weights.main() else { continue };
        let sums = reader.sums(stretch, own);
        if own == script {
            all.add(&sums);
        }
        parts.push((own, sums, &stretch.weights));
    }
    let whole = reader.decide(script, &all, &weights);
    let differs = |(own, sums, weights): &(Script, Sums, &ScriptWeights)| {
        let is_same = |language: &Language| Some(language.printed()) == whole.language;
        let model = shipped().of(*own);
        !model.is_some_and(|model| is_same(model.highest(sums))) && reader.decide(*own, sums, weights).differs(&whole)
    };
    let is_mixed = parts.iter().any(differs);
    let mixed = if is_mixed { reader.by_paragraph(text, whole) } else { Vec::new() };
    answer(whole, mixed, script_code)
}

/// The language of `text`, as [`identify`] tells it.
pub fn language(text: &str, claim: Option<&str>) -> Option<&'static str> {
    identify(text, claim).language
}

fn answer(whole: Guess, mixed: Vec<PartSum>, script: &'static str) -> TextLanguage {
    let (mut language, mut score) = (whole.language, whole.probability);
    let total: f32 = mixed.iter().map(|part| part.weight).sum();
    if let Some(most) = mixed.first() {
        (language, score) = (most.language, most.probable / most.weight);
    }
    let mut shares: Vec<LanguageShare> = mixed
        .iter()
        .filter_map(|part| Some(LanguageShare { language: part.language?, share: part.weight / total }))
        .collect();
    if let (Some(language), true) = (language, shares.is_empty()) {
        shares.push(LanguageShare { language, share: 1.0 });
    }
    TextLanguage { language, score: language.map(|_| score), script: Some(script), shares }
}

/// What a stretch or a text is taken for.
#[derive(Clone, Copy)]
struct Guess {
    /// `None` for filler text, and for a script that no known language has.
    language: Option<&'static str>,
    family: Option<&'static str>,
    probability: f32,
}

impl Guess {
    fn of(language: &Language, probability: f32) -> Guess {
        Guess {
            language: Some(language.printed()).filter(|_| !is_filler(language)),
            family: language.family,
            probability,
        }
    }

    /// Whether this is surely another language, and no close relative.
    fn differs(&self, other: &Guess) -> bool {
        let is_relative = self.family.is_some() && self.family == other.family;
        self.probability >= SURE && self.language != other.language && !is_relative
    }
}

/// The paragraphs of one language.
struct PartSum {
    language: Option<&'static str>,
    weight: f32,
    /// The probabilities of its paragraphs, each times its weight.
    probable: f32,
}

/// Reads stretches one after the other into the same buffers.
struct StretchReader {
    letters: Vec<char>,
    rows: Vec<u32>,
    claim: Option<&'static str>,
}

impl StretchReader {
    fn sums(&mut self, stretch: &Stretch, script: Script) -> Sums {
        let Some(model) = shipped().of(script) else { return Sums::default() };
        let letters = &mut self.letters[stretch.from..stretch.end];
        keep_script(letters, script);
        model.scorer.sums(letters, &mut self.rows)
    }

    fn script_code(&self, script: Script) -> &'static str {
        match script {
            Script::HAN => chinese::form(&self.letters),
            Script::KANA => "Jpan",
            Script::HANGUL => "Kore",
            script => script.code(),
        }
    }

    fn decide(&self, script: Script, sums: &Sums, weights: &ScriptWeights) -> Guess {
        match shipped().of(script) {
            Some(_) if sums.n == 0 => Guess { language: None, family: None, probability: 0.0 },
            Some(model) => self.decide_by_model(model, script, sums),
            None => self.decide_by_script(script, weights),
        }
    }

    /// What the page claims, if it is a language of this script.
    fn claimed(&self, script: Script) -> Option<&'static Language> {
        languages().iter().find(|one| one.script == script && self.claim == Some(one.printed()))
    }

    fn decide_by_model(&self, model: &ScriptModel, script: Script, sums: &Sums) -> Guess {
        let (free, probability) = model.best(sums, |_| 0.0);
        let Some(claimed) = self.claimed(script) else { return Guess::of(free, probability) };
        if claimed.evidence == Evidence::Claim {
            let is_wrong =
                probability >= SURE && (free.code == "en" || DOUBTFUL.contains(&claimed.code) || is_filler(free));
            return if is_wrong { Guess::of(free, probability) } else { Guess::of(claimed, BY_CLAIM) };
        }
        let is_relative = free.family.is_some() && free.family == claimed.family;
        let added = match claimed.code {
            _ if is_relative => CLAIM_IN_FAMILY,
            "en" => CLAIM_OF_ENGLISH,
            _ => CLAIM,
        };
        let (best, after) = model.best(sums, |one| if one.printed() == claimed.printed() { added } else { 0.0 });
        if probability < UNSURE && best.printed() != claimed.printed() {
            return Guess::of(claimed, UNSURE);
        }
        Guess::of(best, after)
    }

    /// Han without kana may be Japanese where there are few characters and Japanese is claimed.
    fn decide_by_script(&self, script: Script, weights: &ScriptWeights) -> Guess {
        let few = weights.n_cjk() < FEW_CHARACTERS;
        if script == Script::HAN && few && self.claim == Some("ja") {
            return Guess { language: Some("ja"), family: None, probability: BY_CLAIM };
        }
        match self.claimed(script).or_else(|| only(script)) {
            Some(language) => Guess::of(language, BY_SCRIPT),
            None => Guess { language: None, family: None, probability: 0.0 },
        }
    }

    /// The languages of the paragraphs, greatest first. Those that are unsure are counted with the whole, and so are languages of less
    /// than a twentieth.
    fn by_paragraph(&mut self, text: &str, whole: Guess) -> Vec<PartSum> {
        const MOST_PARAGRAPHS: usize = 64;
        const LETTERS: usize = 100;
        const LEAST_SHARE: f32 = 0.05;
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let step = lines().count().div_ceil(MOST_PARAGRAPHS).max(1);
        let mut parts: Vec<PartSum> = Vec::new();
        for line in lines().step_by(step) {
            self.letters.clear();
            let found = stretch(line, LETTERS, &mut self.letters);
            let Some(script) = found.weights.main() else { continue };
            let sums = self.sums(&found, script);
            let guess = self.decide(script, &sums, &found.weights);
            let guess = if guess.differs(&whole) { guess } else { Guess { probability: whole.probability, ..whole } };
            let weight = found.weights.length() * line.len() as f32 / found.bytes.max(1) as f32;
            add_part(&mut parts, guess.language, weight, guess.probability);
        }
        let total: f32 = parts.iter().map(|part| part.weight).sum();
        let (small, mut parts): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| part.weight < total * LEAST_SHARE);
        small.iter().for_each(|part| add_part(&mut parts, whole.language, part.weight, whole.probability));
        parts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        parts
    }
}

fn add_part(parts: &mut Vec<PartSum>, language: Option<&'static str>, weight: f32, probability: f32) {
    let probable = weight * probability;
    match parts.iter_mut().find(|part| part.language == language) {
        Some(part) => (part.weight, part.probable) = (part.weight + weight, part.probable + probable),
        None => parts.push(PartSum { language, weight, probable }),
    }
}
