//! The languages that are told, and those that pages may claim.

use std::sync::LazyLock;

use crate::language::script::Script;

/// A language in one script.
#[derive(Debug)]
pub(crate) struct Language {
    /// ISO 639-1, or ISO 639-3 where there is none; the two forms of Norwegian apart.
    pub(crate) code: &'static str,
    pub(crate) script: Script,
    pub(crate) evidence: Evidence,
    /// Languages of one family are hard to tell apart.
    pub(crate) family: Option<&'static str>,
    /// Other codes, with blanks between.
    aliases: &'static str,
}

/// How a language is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Evidence {
    /// By the model, with this prior.
    Model(f32),
    /// By its script, which no other has.
    Script,
    /// By the claim of a page alone.
    Claim,
}

/// Filler text, which is no language.
pub(crate) const FILLER: &str = "zxx";

impl Language {
    /// What is added to its score.
    pub(crate) fn prior(&self) -> f32 {
        match self.evidence {
            Evidence::Model(prior) => prior,
            Evidence::Script | Evidence::Claim => 0.0,
        }
    }

    /// The code that is printed: Bokmål, Nynorsk and both are one language to a reader.
    pub(crate) fn printed(&self) -> &'static str {
        printed(self.code)
    }
}

fn printed(code: &'static str) -> &'static str {
    if matches!(code, "nb" | "nn") { "no" } else { code }
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let lines = include_str!("languages.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(language_of).collect()
});

fn language_of(line: &'static str) -> Option<Language> {
    let mut fields = line.split('\t');
    let (code, script) = (fields.next()?, Script::from_code(fields.next()?)?);
    let evidence = match fields.next()? {
        "only" => Evidence::Script,
        "claim" => Evidence::Claim,
        prior => Evidence::Model(prior.parse().ok()?),
    };
    let family = fields.next().filter(|family| *family != "-");
    Some(Language { code, script, evidence, family, aliases: fields.next()? })
}

/// All of them.
pub(crate) fn languages() -> &'static [Language] {
    &LANGUAGES
}

/// Those of a script that the model knows, in its order.
pub(crate) fn taught(script: Script) -> impl Iterator<Item = &'static Language> {
    languages()
        .iter()
        .filter(move |language| language.script == script && matches!(language.evidence, Evidence::Model(_)))
}

/// The language that a script stands for where no other is written in it.
pub(crate) fn only(script: Script) -> Option<&'static Language> {
    languages().iter().find(|language| language.script == script && language.evidence == Evidence::Script)
}

/// The printed code of the language that a tag names: `zh` of `zh-Hans-CN`, `en` of `en_US` and `eng`, `no` of `nb-NO`.
pub(crate) fn code_of_tag(tag: &str) -> Option<&'static str> {
    let primary = tag.trim().split(['-', '_', ',', ';', ' ']).next()?;
    let is = |code: &str| code.eq_ignore_ascii_case(primary);
    if is(FILLER) {
        return None;
    }
    languages().iter().find(|language| is(language.code) || language.aliases.split(' ').any(is)).map(Language::printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_language_and_none_stands_twice() {
        let lines = include_str!("languages.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(languages().len(), lines);
        for (at, language) in languages().iter().enumerate() {
            let same = |other: &Language| (other.code, other.script) == (language.code, language.script);
            assert!(!languages()[..at].iter().any(same), "{language:?}");
            assert!(matches!(language.code.len(), 2 | 3), "{language:?}");
        }
        let mut told: Vec<&str> =
            languages().iter().filter(|one| one.evidence != Evidence::Claim).map(Language::printed).collect();
        told.sort_unstable();
        told.dedup();
        assert!(told.len() > 100, "{}", told.len());
    }

    #[test]
    fn tags_of_all_forms_name_their_language() {
        for (tag, code) in [
            ("zh-Hans-CN", "zh"),
            ("zh_CN", "zh"),
            ("cn", "zh"),
            ("EN_us", "en"),
            ("eng", "en"),
            ("deu", "de"),
            ("ger", "de"),
            ("nb-NO", "no"),
            ("nn", "no"),
            ("no", "no"),
            ("nor", "no"),
            ("fil", "tl"),
            ("iw", "he"),
            ("jp", "ja"),
            (" fr, de", "fr"),
        ] {
            assert_eq!(code_of_tag(tag), Some(code), "{tag}");
        }
        for tag in ["", "<script>", "xx", "en1", "zxx", "-"] {
            assert_eq!(code_of_tag(tag), None, "{tag}");
        }
    }
}
