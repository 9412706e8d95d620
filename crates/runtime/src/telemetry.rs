//! Structured logs on stderr.

use std::io::{IsTerminal, Write};

use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;

/// How the process speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TelemetryConfig {
    /// What is logged: a level (`error`, `warn`, `info`, `debug`, `trace`) or a filter such as
    /// `warn,gristmill_fetcher=debug`. One page is followed with `debug` and the field `url`. Default: `"warn"`.
    pub filter: String,
    /// `text`, or `json` for one object a line. Default: `"text"`.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

impl Default for TelemetryConfig {
    fn default() -> Self {
        Self { filter: "warn".into(), format: LogFormat::Text }
    }
}

/// Starts logging for the whole process.
///
/// # Errors
/// A filter that does not parse, or logging that was started before.
pub fn init(config: &TelemetryConfig) -> anyhow::Result<()> {
    let filter = filter(config)?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Nobody may read stderr any more, and that is no reason to stop.
        .log_internal_errors(false)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let started = match config.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("logging was started twice: {error}"))
}

/// Writes a line to stderr; it is lost where nobody reads that any more.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn filter(config: &TelemetryConfig) -> anyhow::Result<EnvFilter> {
    if let Some(word) = config.filter.split(',').map(str::trim).find(|directive| is_bare_target(directive)) {
        anyhow::bail!(
            "`telemetry.filter = \"{}\"` is not a log filter: `{word}` is no level; there are `off`, `error`, `warn`, `info`, `debug` and \
             `trace`, and of one part of the program `gristmill_fetcher=debug`",
            config.filter
        );
    }
    EnvFilter::try_new(&config.filter)
        .map_err(|error| anyhow::anyhow!("`telemetry.filter = \"{}\"` is not a log filter: {error}", config.filter))
}

/// Whether a directive is a word alone that is no level. `EnvFilter` takes it for the name of a part of the program, and all others fall silent.
fn is_bare_target(directive: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
    !directive.is_empty()
        && directive.chars().all(is_word)
        && directive.parse::<tracing::metadata::LevelFilter>().is_err()
}

/// Checks the settings without starting anything.
///
/// # Errors
/// A filter that does not parse.
pub fn check(config: &TelemetryConfig) -> anyhow::Result<()> {
    filter(config).map(drop)
}
