//! Settings in environment variables, `GRISTMILL__SECTION__KEY`: text, or lists and tables written as in the file.

use std::collections::{BTreeMap, BTreeSet};

use config::builder::DefaultState;
use config::{ConfigBuilder, ConfigError, Environment};

/// Prefix of environment variables that are settings: `GRISTMILL__FRONTIER__MIN_DELAY=2s`.
pub const ENV_PREFIX: &str = "GRISTMILL";

/// The variables, as a layer of settings.
pub(crate) struct EnvironmentLayer {
    texts: BTreeMap<String, String>,
    /// Dotted keys of those whose setting is a list, which so far only a refusal told.
    lists: BTreeSet<String>,
}

impl EnvironmentLayer {
    /// Those of `all` that are settings.
    pub(crate) fn of(all: impl Iterator<Item = (String, String)>) -> Self {
        let start = format!("{ENV_PREFIX}__");
        let texts = all.filter(|(name, _)| name.to_ascii_uppercase().starts_with(&start)).collect();
        Self { texts, lists: BTreeSet::new() }
    }

    /// Those of the process.
    pub(crate) fn of_process() -> Self {
        Self::of(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// Adds them above the layers that are there.
    ///
    /// Values stay the text that they are, and each setting reads its own type from it: a password `0815` is no number.
    /// Only what is written as a list or table is one.
    pub(crate) fn add_to(
        &self,
        mut builder: ConfigBuilder<DefaultState>,
    ) -> Result<ConfigBuilder<DefaultState>, ConfigError> {
        let mut plain = config::Map::new();
        for (name, text) in &self.texts {
            match structured(text).or_else(|| self.split(name, text)) {
                Some(value) => builder = builder.set_override(key_of(name), value)?,
                None => drop(plain.insert(name.clone(), text.clone())),
            }
        }
        let layer = Environment::with_prefix(ENV_PREFIX).prefix_separator("__").separator("__");
        Ok(builder.add_source(layer.source(Some(plain))))
    }

    fn split(&self, name: &str, text: &str) -> Option<config::Value> {
        let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
        self.lists.contains(&key_of(name)).then(|| parts().collect::<Vec<String>>().into())
    }

    /// Whether `error` says that one of the variables stands where a list is wanted, and was not known to be one: reading
    /// anew with its parts will help.
    pub(crate) fn learn(&mut self, error: &ConfigError) -> bool {
        let told = error.to_string();
        let wanted = ["expected an array for key `", "expected a sequence for key `"];
        let Some((_, rest)) = wanted.iter().find_map(|wanted| told.split_once(wanted)) else { return false };
        let key = rest.split('`').next().unwrap_or_default().to_owned();
        let ours = self.texts.keys().any(|name| key_of(name) == key);
        ours && self.lists.insert(key)
    }
}

/// `GRISTMILL__FETCH__ACCEPT` sets `fetch.accept`.
fn key_of(name: &str) -> String {
    name[ENV_PREFIX.len() + 2..].to_ascii_lowercase().replace("__", ".")
}

/// A text that is a list or table in TOML.
fn structured(text: &str) -> Option<config::Value> {
    let text = text.trim();
    let bracketed = text.starts_with('[') && text.ends_with(']') || text.starts_with('{') && text.ends_with('}');
    let table: toml::Table = toml::from_str(&format!("value = {text}")).ok().filter(|_| bracketed)?;
    table.get("value")?.clone().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(variables: &EnvironmentLayer) -> toml::Value {
        variables.add_to(config::Config::builder()).unwrap().build().unwrap().try_deserialize().unwrap()
    }

    #[test]
    fn what_is_written_as_a_list_is_one_and_a_password_of_digits_stays_text() {
        let all = [
            ("GRISTMILL__A__B", "[\"x\", \"y,z\"]"),
            ("GRISTMILL__A__C", "0815"),
            ("OTHER__A", "1"),
            ("GRISTMILL__A__D", "[x"),
        ];
        let variables = EnvironmentLayer::of(all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        let expected: toml::Table = toml::from_str("a = { b = ['x', 'y,z'], c = '0815', d = '[x' }").unwrap();
        assert_eq!(built(&variables), toml::Value::Table(expected));
    }

    #[test]
    fn a_refusal_that_wants_a_list_teaches_which_variable_has_parts() {
        let all = [("GRISTMILL__A__B".to_owned(), "x, y".to_owned())];
        let mut variables = EnvironmentLayer::of(all.into_iter());
        let refusal =
            |key: &str| ConfigError::Message(format!("invalid type: string, expected an array for key `{key}` in x"));
        assert!(!variables.learn(&refusal("a.c")), "no variable of ours");
        assert!(variables.learn(&refusal("a.b")) && !variables.learn(&refusal("a.b")), "once");
        assert_eq!(built(&variables)["a"]["b"], toml::Value::from(vec!["x", "y"]));
    }
}
