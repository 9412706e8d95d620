//! Shell completions and manual pages, written by the hidden command `gristmill manual` for packages.

use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Writes `completions/` and `man1/` into a folder.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let (completions, pages) = (folder.join("completions"), folder.join("man1"));
    for made in [&completions, &pages] {
        std::fs::create_dir_all(made).with_context(|| format!("cannot make `{}`", made.display()))?;
    }
    let mut command = Cli::command();
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command, "gristmill", &completions)?;
    }
    clap_mangen::generate_to(command, &pages)?;
    Ok(())
}
