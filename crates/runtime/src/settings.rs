//! Settings in layers: defaults → file → `GRISTMILL__SECTION__KEY` → flags; unknown keys are refused by name.

use std::path::{Path, PathBuf};

use config::builder::DefaultState;
use config::{Config, ConfigBuilder, File, FileFormat};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::environment::ENV_PREFIX;
use crate::environment::EnvironmentLayer;
use crate::mistakes::{SettingsFile, choices, elsewhere, single_underscores, told};
use crate::references::{self, ReferenceError};

/// Why the settings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("settings file `{}` cannot be read", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("settings file `{}` is no TOML: line {line}: {problem}", path.display())]
    Syntax { path: PathBuf, line: usize, problem: String },
    #[error("`{variable}` sets nothing: write `{right}`, with two underscores for each dot")]
    Underscores { variable: String, right: String },
    #[error("{message} (in {layers}); `gristmill config show` lists every setting")]
    Invalid { message: String, layers: String },
    #[error("`{old}` is now `{new}` (in {layers}): {why}")]
    Renamed { old: &'static str, new: &'static str, why: &'static str, layers: String },
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    #[error("defaults could not be written as TOML")]
    Defaults { source: toml::ser::Error },
}

/// Settings that have another name now: old, new, why.
const RENAMED: [(&str, &str, &str); 5] = [
    ("fetch.product", "agent", ONE_TOKEN),
    ("frontier.robots.agent", "agent", ONE_TOKEN),
    ("extractor.sites", "sites", ONE_TABLE),
    ("browser.patience", "browser.timeout", "each limit of time is named as one"),
    ("fetch.insecure_hosts", "insecure = true in [[sites]]", ONE_TABLE),
];
const ONE_TABLE: &str = "`[[sites]]` holds all rules for single sites; its `remove` is the old `exclude`";
const ONE_TOKEN: &str = "one token names the crawler to servers, in robots.txt and in robots directives";

/// One flag of the command line as a setting: dotted key and value.
pub type Override = (&'static str, String);

/// Reads the settings of type `T` from all layers, later ones winning.
///
/// * `file`: a TOML file, or none.
/// * `flags`: what the command line says, by dotted key.
///
/// # Errors
/// A file that is absent or not TOML, a value of the wrong type, and every key that `T` does not know.
pub fn load<T>(file: Option<&Path>, flags: &[Override]) -> Result<T, SettingsError>
where
    T: Default + Serialize + DeserializeOwned,
{
    let defaults = toml::to_string(&T::default()).map_err(|source| SettingsError::Defaults { source })?;
    let mut layers = vec!["the defaults".to_owned()];
    let mut builder = Config::builder().add_source(File::from_str(&defaults, FileFormat::Toml));
    let file = match file {
        None => None,
        Some(path) => {
            let file = SettingsFile::read(path)?;
            builder = builder.add_source(File::from_str(&file.text, FileFormat::Toml));
            layers.push(format!("`{}`", path.display()));
            Some(file)
        }
    };
    check_names::<T>(&defaults)?;
    layers.push(format!("`{ENV_PREFIX}__…` variables"));
    if !flags.is_empty() {
        layers.push("the command line".into());
    }
    let elsewhere = |name: &str| elsewhere::<T>(name, &defaults);
    let refused = |message: String| SettingsError::Invalid { message, layers: layers.join(", ") };
    let invalid = |error: config::ConfigError| refused(told(&error, file.as_ref(), elsewhere));
    let mut variables = EnvironmentLayer::of_process();
    let (layered, settings) = loop {
        let builder =
            variables.add_to(builder.clone()).and_then(|builder| add_flags(builder, flags)).map_err(invalid)?;
        let mut layered = builder.build().map_err(invalid)?;
        references::resolve(&mut layered.cache)?;
        for (old, new, why) in RENAMED {
            if layered.get::<config::Value>(old).is_ok() {
                return Err(SettingsError::Renamed { old, new, why, layers: layers.join(", ") });
            }
        }
        match layered.clone().try_deserialize::<T>() {
            Ok(settings) => break (layered, settings),
            Err(error) if variables.learn(&error) => {}
            Err(error) => {
                let choices = choices::<T>(&error, &layered, &defaults, file.as_ref());
                return Err(choices.map_or_else(|| invalid(error), refused));
            }
        }
    };
    let given: toml::Value = layered.try_deserialize().map_err(invalid)?;
    let read = toml::Value::try_from(&settings).map_err(|source| SettingsError::Defaults { source })?;
    match converted(&given, &read) {
        None => Ok(settings),
        Some(what) => Err(refused(what)),
    }
}

/// Refuses variables with one underscore where two belong: what was meant would not be in force.
fn check_names<T: DeserializeOwned>(defaults: &str) -> Result<(), SettingsError> {
    let defaults: toml::Table = toml::from_str(defaults).unwrap_or_default();
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    match single_underscores::<T>(names, &defaults) {
        Some((variable, right)) => Err(SettingsError::Underscores { variable, right }),
        None => Ok(()),
    }
}

/// The first setting whose value became another one on its way into its type: 3.7 would be 4, and 2 `true`.
fn converted(given: &toml::Value, read: &toml::Value) -> Option<String> {
    use toml::Value::{Array, Boolean, Float, Integer, Table};
    let mut open = vec![(String::new(), given, read)];
    while let Some((key, given, read)) = open.pop() {
        match (given, read) {
            (Table(given), Table(read)) => {
                let both = given.iter().filter_map(|(name, given)| Some((name, given, read.get(name)?)));
                let dotted = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                open.extend(both.map(|(name, given, read)| (dotted(name), given, read)));
            }
            (Array(given), Array(read)) => {
                let both = given.iter().zip(read).enumerate();
                open.extend(both.map(|(at, (given, read))| (format!("{key}[{at}]"), given, read)));
            }
            (Float(_) | Boolean(_), Integer(_)) => return Some(format!("`{key}` must be a whole number, got {given}")),
            (Float(_) | Integer(_), Boolean(_)) => return Some(format!("`{key}` must be true or false, got {given}")),
            _ => {}
        }
    }
    None
}

fn add_flags(
    mut builder: ConfigBuilder<DefaultState>,
    flags: &[Override],
) -> Result<ConfigBuilder<DefaultState>, config::ConfigError> {
    for (key, value) in flags {
        builder = builder.set_override(*key, value.as_str())?;
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Write;
    use std::time::Duration;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Settings {
        limit: u64,
        part: Part,
        hosts: BTreeMap<String, String>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Part {
        #[serde(with = "humantime_serde")]
        delay: Duration,
        on: bool,
        contact: String,
    }

    impl Default for Settings {
        fn default() -> Self {
            Self { limit: 3, part: Part::default(), hosts: BTreeMap::new() }
        }
    }

    impl Default for Part {
        fn default() -> Self {
            Self { delay: Duration::from_secs(1), on: false, contact: String::new() }
        }
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn a_setting_that_is_none_of_its_choices_is_told_with_them() {
        let flags = [("format", "xml".to_owned())];
        let error = load::<crate::telemetry::TelemetryConfig>(None, &flags).unwrap_err().to_string();
        assert!(error.starts_with("`format` has to be `text` or `json`, not `xml`"), "{error}");
        let file = file("\nformat = \"xml\"\n");
        let error = load::<crate::telemetry::TelemetryConfig>(Some(file.path()), &[]).unwrap_err().to_string();
        assert!(error.contains("not `xml` (line 2 of"), "{error}");
    }

    #[test]
    fn choices_are_told_in_tables_that_are_unset_and_for_values_of_another_type() {
        #[derive(Debug, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct DeepSettings {
            telemetry: Option<crate::telemetry::TelemetryConfig>,
        }
        for text in ["[telemetry]\nformat = \"xml\"\n", "telemetry.format = true\n"] {
            let file = file(text);
            let error = load::<DeepSettings>(Some(file.path()), &[]).unwrap_err().to_string();
            assert!(error.starts_with("`telemetry.format` has to be `text` or `json`, not `"), "{error}");
        }
    }

    #[test]
    fn a_setting_that_stands_twice_is_named() {
        let file = file("limit = 1\n[part]\ncontact = \"a\"\ncontact = \"hunter2\"\n");
        let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
        assert!(error.ends_with("line 4: duplicate key `contact`"), "{error}");
    }

    #[test]
    fn a_number_that_no_setting_can_hold_is_told_by_its_line() {
        let file = file("[part]\ndelay = \"2s\"\n\n[hosts]\nlimit = 99999999999999999999\n");
        let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
        assert!(error.ends_with("line 5: a number that is too large"), "{error}");
    }

    #[test]
    fn a_setting_in_the_wrong_section_is_told_with_the_right_one() {
        for (text, says) in [
            ("delay = \"2s\"\n", "`delay` is no setting (line 1 of"),
            ("delay = \"2s\"\n", "): did you mean `part.delay`?"),
            ("[part]\nlimit = 3\n", "): did you mean `limit`?"),
        ] {
            let file = file(text);
            let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let file = file("limit = 7\n[part]\ndelay = \"2s\"\n[hosts]\n\"a.test\" = \"127.0.0.1\"\n");
        let flags = [("part.delay", "250ms".to_owned()), ("part.on", "true".to_owned())];
        let settings: Settings = load(Some(file.path()), &flags).unwrap();
        assert_eq!(settings.limit, 7);
        assert_eq!(settings.part, Part { delay: Duration::from_millis(250), on: true, contact: String::new() });
        assert_eq!(settings.hosts["a.test"], "127.0.0.1");
    }

    #[test]
    fn a_misspelt_key_is_refused_by_name() {
        let file = file("[part]\ndelai = \"2s\"\n");
        let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
        let place = format!("(line 2 of `{}`)", file.path().display());
        assert!(
            error.starts_with(&format!("`part.delai` is no setting {place}: did you mean `part.delay`?")),
            "{error}"
        );
    }

    #[test]
    fn a_line_that_is_no_toml_is_told_by_its_number_and_not_shown() {
        for text in
            ["limit = 7\n[part]\ncontact = \"hunter2\n", "\n\ncontact: hunter2", "limit = 1\n\nlimit = hunter2 #"]
        {
            let file = file(text);
            let error = load::<Settings>(Some(file.path()), &[]).unwrap_err();
            let told = format!("{error} {error:?}");
            assert!(told.contains("line 3") && !told.contains("hunter2"), "{told}");
        }
    }

    #[test]
    fn a_text_in_the_place_of_a_section_is_not_shown() {
        let file = file("part = \"delay: hunter2, expected struct x\"\n");
        let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
        assert!(error.contains("for key `part`") && error.contains("line 1") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn variables_with_one_underscore_for_a_dot_are_told_and_those_of_others_are_not() {
        let defaults: toml::Table = toml::from_str(&toml::to_string(&Settings::default()).unwrap()).unwrap();
        let wrong = |name: &str| single_underscores::<Settings>([name.to_owned()].into_iter(), &defaults);
        for name in ["GRISTMILL_PART_CONTACT", "GRISTMILL__PART_CONTACT", "GRISTMILL_PART__CONTACT"] {
            assert_eq!(wrong(name), Some((name.to_owned(), "GRISTMILL__PART__CONTACT".to_owned())));
        }
        assert_eq!(wrong("GRISTMILL_HOSTS_A").unwrap().1, "GRISTMILL__HOSTS__A");
        let others = [
            "GRISTMILL__PART__CONTACT",
            "GRISTMILL_PART_PORT",
            "GRISTMILL_LIMIT",
            "GRISTMILL_DATA",
            "GRISTMILL_PART",
            "PART_ON",
        ];
        assert_eq!(others.map(wrong), [const { None }; 6]);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = load::<Settings>(Some(Path::new("/nowhere/gristmill.toml")), &[]).unwrap_err().to_string();
        assert!(error.contains("/nowhere/gristmill.toml"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_type_is_refused_with_its_key() {
        for (text, key, says) in [
            ("limit = \"many\"", "limit", "many"),
            ("limit = 3.7", "`limit`", "whole number, got 3.7"),
            ("limit = true", "`limit`", "whole number"),
            ("[part]\non = 2", "`part.on`", "true or false, got 2"),
        ] {
            let file = file(text);
            let error = load::<Settings>(Some(file.path()), &[]).unwrap_err().to_string();
            assert!(error.contains(key) && error.contains(says), "{error}");
        }
    }
}
