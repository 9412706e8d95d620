//! `gristmill-lab models`: the trained models that come with the program, and what each was trained on.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::Args;
use gristmill_models::{ModelFile, SHIPPED};

#[derive(Args)]
pub struct ModelsArgs {
    /// Print the card of this model, or of this file, instead of the list
    #[arg(value_name = "NAME|FILE")]
    model: Option<String>,
}

/// Prints the list of models, or one card.
pub fn run(args: &ModelsArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let Some(asked) = &args.model else {
        for shipped in SHIPPED {
            writeln!(out, "{:<12}{:>9} bytes  {}", shipped.name, shipped.bytes.len(), shipped.purpose)?;
        }
        writeln!(out, "\n`gristmill-lab models NAME` says what a model was trained on.")?;
        return Ok(());
    };
    let card = match SHIPPED.iter().find(|shipped| shipped.name == asked) {
        Some(shipped) => shipped.open().card().to_owned(),
        None => card_of(Path::new(asked))?,
    };
    write!(out, "{card}")?;
    Ok(())
}

fn card_of(path: &Path) -> anyhow::Result<String> {
    let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
    let bytes = std::fs::read(path).with_context(|| {
        format!("`{}` is neither a model ({}) nor a file that can be read", path.display(), names.join(", "))
    })?;
    let model = ModelFile::read(&bytes).with_context(|| format!("could not read `{}`", path.display()))?;
    Ok(model.card().to_owned())
}
