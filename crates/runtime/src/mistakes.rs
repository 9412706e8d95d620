//! Mistakes in settings, told by the name, its place in the file and the nearest name that there is; never by a value that may be
//! secret.

use std::path::{Path, PathBuf};

use config::{Config, ConfigError};
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

use crate::environment::ENV_PREFIX;
use crate::settings::SettingsError;

/// A settings file.
pub(crate) struct SettingsFile {
    path: PathBuf,
    pub(crate) text: String,
}

impl SettingsFile {
    /// Reads a file that is TOML.
    pub(crate) fn read(path: &Path) -> Result<Self, SettingsError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| SettingsError::File { path: path.to_owned(), source })?;
        // The whole of it: the parser alone passes over numbers that are too large.
        if let Err(error) = toml::from_str::<toml::Table>(&text) {
            // The library would show the line, and with it what stands there.
            let line = line_at(&text, error.span().map_or(0, |span| span.start));
            let mut problem = error.message().lines().collect::<Vec<_>>().join("; ");
            if problem.starts_with("invalid type: integer") {
                "a number that is too large".clone_into(&mut problem);
            }
            // A name is no secret, and the library says only that it is there twice.
            if let Some(name) = error.span().filter(|_| problem == "duplicate key").and_then(|span| text.get(span)) {
                problem = format!("{problem} `{name}`");
            }
            return Err(SettingsError::Syntax { path: path.to_owned(), line, problem });
        }
        Ok(Self { path: path.to_owned(), text })
    }

    /// The line of the setting with this dotted key, from 1 on.
    fn line_of(&self, key: &str) -> Option<usize> {
        let whole = DeTable::parse(&self.text).ok()?;
        let (mut table, mut rest) = (whole.get_ref(), key);
        loop {
            // The names of some tables have dots themselves.
            let is_next =
                |name: &str| rest == name || rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            let (name, value) = table.iter().find(|(name, _)| is_next(name.get_ref()))?;
            if rest.len() == name.get_ref().len() {
                return Some(line_at(&self.text, name.span().start));
            }
            rest = &rest[name.get_ref().len() + 1..];
            let DeValue::Table(inner) = value.get_ref() else { return None };
            table = inner;
        }
    }
}

fn line_at(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// A name that no setting has.
struct Unknown<'e> {
    /// The dotted key of its table; empty at the top.
    table: &'e str,
    name: &'e str,
    /// The names that there are.
    known: Vec<&'e str>,
}

impl<'e> Unknown<'e> {
    fn of(error: &'e ConfigError) -> Option<Self> {
        let (table, message) = match error {
            ConfigError::At { error, key, .. } => match error.as_ref() {
                ConfigError::Message(message) => (key.as_deref().unwrap_or_default(), message),
                _ => return None,
            },
            ConfigError::Message(message) => ("", message),
            _ => return None,
        };
        let (name, list) = message.strip_prefix("unknown field `")?.split_once("`, expected ")?;
        Some(Self { table, name, known: list.split('`').skip(1).step_by(2).collect() })
    }

    fn key(&self, name: &str) -> String {
        if self.table.is_empty() { name.to_owned() } else { format!("{}.{name}", self.table) }
    }
}

/// Where a setting stands in the file, if it does.
fn place(file: Option<&SettingsFile>, key: &str) -> String {
    let place = file.and_then(|file| Some((&file.path, file.line_of(key)?)));
    place.map_or(String::new(), |(path, line)| format!(" (line {line} of `{}`)", path.display()))
}

/// What a setting that is none of its choices may be: the library says what it is not alone, and TOML by itself names the choices.
pub(crate) fn choices<T: DeserializeOwned>(
    error: &ConfigError,
    layered: &Config,
    defaults: &str,
    file: Option<&SettingsFile>,
) -> Option<String> {
    let ConfigError::At { error, key: Some(key), .. } = error else { return None };
    let said = error.to_string();
    (said.contains("does not have variant") || said.contains("value of enum")).then_some(())?;
    let value: String = layered.get(key).ok()?;
    let mut only: toml::Value = toml::from_str(defaults).ok()?;
    let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
    // Tables that are not set by default do not stand there.
    let mut parts = table.split('.').filter(|part| !part.is_empty());
    let table = parts.try_fold(&mut only, |at, part| {
        Some(at.as_table_mut()?.entry(part).or_insert_with(|| toml::Table::new().into()))
    })?;
    table.as_table_mut()?.insert(name.to_owned(), toml::Value::String(value.clone()));
    let message = only.try_into::<T>().err()?.message().to_owned();
    let (_, choices) = message.split_once("expected ")?;
    Some(format!("`{key}` has to be {choices}, not `{value}`{}", place(file, key)))
}

/// What is wrong, and where.
///
/// * `elsewhere`: the settings of other sections that have a name.
pub(crate) fn told(
    error: &ConfigError,
    file: Option<&SettingsFile>,
    elsewhere: impl Fn(&str) -> Vec<String>,
) -> String {
    let place = |key: &str| place(file, key);
    if let Some(unknown) = Unknown::of(error) {
        let key = unknown.key(unknown.name);
        let place = place(&key);
        let near = nearest(unknown.name, unknown.known.iter().copied()).map(|name| unknown.key(name));
        let meant = near.map_or_else(|| elsewhere(unknown.name), |name| vec![name]);
        return match meant.is_empty() {
            false => format!("`{key}` is no setting{place}: did you mean `{}`?", meant.join("` or `")),
            true => format!("{error}{place}"),
        };
    }
    let key = match error {
        ConfigError::Type { key, .. } | ConfigError::At { key, .. } => key.as_deref(),
        _ => None,
    };
    let message = unseen(error.to_string());
    let help = if message.contains("expected a duration") { "; a time has a unit, as in `20s`" } else { "" };
    message + &key.map_or(String::new(), place) + help
}

/// A message that does not show the text that stands where a table should: a password may be in it.
fn unseen(message: String) -> String {
    let shown = message.split_once("invalid type: string ").and_then(|(before, rest)| {
        let (_, after) = rest.rsplit_once(", expected struct ")?;
        Some(format!("{before}invalid type: a text, expected struct {after}"))
    });
    shown.unwrap_or(message)
}

/// The one of `known` that is most like `word`, if it is so like it that it may be meant.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let far = |name: &str| strsim::damerau_levenshtein(&word, &name.to_lowercase());
    let (distance, name) = known.into_iter().map(|name| (far(name), name)).min_by_key(|(distance, _)| *distance)?;
    (distance <= (word.chars().count() / 3).max(1)).then_some(name)
}

/// The first of some variables that would set something if it had two underscores for each dot; it, and how it is spelt then.
pub(crate) fn single_underscores<T: DeserializeOwned>(
    mut variables: impl Iterator<Item = String>,
    defaults: &toml::Table,
) -> Option<(String, String)> {
    variables.find_map(|variable| {
        let words = variable.strip_prefix(ENV_PREFIX)?.strip_prefix('_')?.to_ascii_lowercase().replace("__", "_");
        let key = key_of(words.trim_start_matches('_'), defaults)?;
        let right = format!("{ENV_PREFIX}__{}", key.to_ascii_uppercase().replace('.', "__"));
        (right != variable && is_setting::<T>(&key)).then_some((variable, right))
    })
}

/// The dotted key that words with underscores between them may stand for: sections as far as there are such. What stands in no section
/// is none, since tools have variables of their own.
fn key_of(words: &str, defaults: &toml::Table) -> Option<String> {
    let (mut table, mut rest, mut key) = (defaults, words, String::new());
    let section = |table: &'_ toml::Table, rest: &str| {
        let sections = table.iter().filter(|(_, value)| value.is_table());
        let begins = |name: &str| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
        sections.map(|(name, _)| name.clone()).filter(|name| begins(name)).max_by_key(String::len)
    };
    while let Some(name) = section(table, rest) {
        rest = &rest[name.len() + 1..];
        table = table[&name].as_table()?;
        key = key + &name + ".";
    }
    (!key.is_empty() && !rest.is_empty()).then(|| key + rest)
}

/// The settings with this name, in whatever section, where there are few of them.
pub(crate) fn elsewhere<T: DeserializeOwned>(name: &str, defaults: &str) -> Vec<String> {
    let defaults: toml::Table = toml::from_str(defaults).unwrap_or_default();
    let (mut open, mut found) = (vec![(String::new(), &defaults)], Vec::new());
    while let Some((section, table)) = open.pop() {
        let key = |name: &str| if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        // Sections whose names are free, such as hosts, have any.
        let is_free = is_setting::<T>(&key("no_such_setting"));
        if !is_free && is_setting::<T>(&key(name)) {
            found.push(key(name));
        }
        open.extend(table.iter().filter_map(|(name, value)| Some((key(name), value.as_table()?))));
    }
    found.sort();
    if found.len() > MOST_ELSEWHERE { Vec::new() } else { found }
}

/// More settings of one name tell nobody which is meant.
const MOST_ELSEWHERE: usize = 3;

fn is_setting<T: DeserializeOwned>(key: &str) -> bool {
    let built = Config::builder().set_override(key, "").and_then(|builder| builder.build());
    built.and_then(Config::try_deserialize::<T>).err().is_none_or(|error| Unknown::of(&error).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_like_the_word_or_there_is_none() {
        let known = ["contact", "connect_timeout", "proxy", "min_speed"];
        for (word, name) in [
            ("contatc", Some("contact")),
            ("Contact", Some("contact")),
            ("proxi", Some("proxy")),
            ("connect_timout", Some("connect_timeout")),
            ("xyz", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), name, "{word}");
        }
    }

    #[test]
    fn lines_of_settings_are_found_however_their_tables_are_written() {
        let text = "a = 1\n[b.c]\nd = 2 # e\n'x.y' = { z = 3 }\n\n[f]\ng.h = 4\n";
        let file = SettingsFile { path: PathBuf::new(), text: text.to_owned() };
        for (key, line) in [("a", 1), ("b.c.d", 3), ("b.c.x.y", 4), ("b.c.x.y.z", 4), ("f.g.h", 7)] {
            assert_eq!(file.line_of(key), Some(line), "{key}");
        }
        for key in ["b.d", "a.b", "", "b.c.e", "b.c.x"] {
            assert_eq!(file.line_of(key), None, "{key}");
        }
    }
}
