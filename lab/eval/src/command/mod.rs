//! Any external command as a system: a process for each page, or one process for many.

mod batch;
mod process;
mod single;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

pub use batch::BatchCommand;
pub use single::SingleCommand;

/// Default for how long a page may take.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Most bytes taken from a command for one page.
pub const MAX_OUTPUT_BYTES: usize = 64 << 20;

/// What a command is called and how it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// In tables.
    pub name: String,
    /// Program and arguments.
    pub words: Vec<String>,
}

/// Why a command line cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no command: {reason}")]
pub struct CommandError {
    given: String,
    reason: &'static str,
}

impl CommandLine {
    /// Reads `NAME=COMMAND` or `COMMAND`, split into words as a shell does (quotes, backslashes; nothing is expanded).
    ///
    /// What stands before the first `=` is the name if it has no white space, quote or `/`; else the command bears the
    /// name of its program.
    ///
    /// # Errors
    /// When there is no word, or a quote is not closed.
    pub fn parse(given: &str) -> Result<CommandLine, CommandError> {
        let error = |reason| CommandError { given: given.to_owned(), reason };
        let named = given.split_once('=').filter(|(name, _)| {
            let plain = |c: char| !c.is_whitespace() && !"'\"\\/".contains(c);
            !name.is_empty() && name.chars().all(plain)
        });
        let words = shlex::split(named.map_or(given, |(_, command)| command));
        let words = words.ok_or_else(|| error("a quote or backslash is left open"))?;
        let program = words.first().ok_or_else(|| error("it is empty"))?;
        let file_name = || Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = named.map(|(name, _)| name.to_owned()).or_else(file_name).unwrap_or_else(|| program.clone());
        Ok(CommandLine { name, words })
    }

    /// Whether its program is there, so that this is told once and not of each page.
    ///
    /// # Errors
    /// No file of that name, or none that may be started, at the path given or in the folders of `PATH`.
    pub fn check(&self) -> Result<(), CommandError> {
        let program = self.words.first().map(String::as_str).unwrap_or_default();
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = match program.contains('/') {
            true => may_start(Path::new(program)),
            false => std::env::split_paths(&folders).any(|folder| may_start(&folder.join(program))),
        };
        let reason = "there is no such program, or it may not be started";
        if found { Ok(()) } else { Err(CommandError { given: program.to_owned(), reason }) }
    }
}

fn may_start(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests;
