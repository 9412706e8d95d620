//! Commands and options that have another name now, told by it where the old one is typed.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What was typed, and what it is now; options stand behind their command.
const MOVED: [(&str, &str); 12] = [
    ("train", "gristmill-lab train"),
    ("eval", "gristmill-lab eval"),
    ("layout", "gristmill-lab layout"),
    ("digest", "gristmill-lab digest"),
    ("methods", "gristmill-lab methods"),
    ("models", "gristmill-lab models"),
    ("extract --out", DATASET),
    ("extract --base", DATASET),
    ("extract --dedup", DATASET),
    ("extract --columns", DATASET),
    ("extract --shard-rows", DATASET),
    ("extract --dump", DATASET),
];
const DATASET: &str = "gristmill dataset ARCHIVE... --out DIR";

/// The sentence that names the new word for what `error` does not know.
pub fn hint(error: &clap::Error) -> Option<String> {
    let (kind, command) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, None),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, std::env::args().nth(1)),
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let typed = command.map_or(typed.clone(), |command| format!("{command} {typed}"));
    let (old, new) = MOVED.iter().find(|(old, _)| *old == typed)?;
    Some(format!("`gristmill {old}` is `{new}` now"))
}
