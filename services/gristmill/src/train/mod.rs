//! `gristmill train`: makes the models that come with the program from test packages.

mod clg;
mod kind;
mod mss;
mod pages;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};

use pages::Pages;

#[derive(Subcommand)]
pub enum TrainCommand {
    /// The model of CLG and its baselines over pseudo-layouts, as Rust source
    Clg(TrainArgs),
    /// The model of page types and kinds, as Rust source; pages of other licences are only asked about
    PageKind(kind::KindArgs),
    /// The model of supervised MSS, as a binary file
    Mss(TrainArgs),
}

#[derive(Args)]
pub struct TrainArgs {
    /// Test packages whose licence permits a model to be made of them (docs/evaluation.md)
    #[arg(required = true, value_name = "PACKAGE_DIR")]
    packages: Vec<PathBuf>,
    /// Where the model goes [default: only the scores are printed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take packages of any licence: for a model that is not given to others
    #[arg(long)]
    any_licence: bool,
}

/// Trains, prints what a cross-validation by domain reaches, and writes the model.
pub fn run(command: &TrainCommand) -> anyhow::Result<()> {
    let args = match command {
        TrainCommand::PageKind(args) => return kind::run(args),
        TrainCommand::Clg(args) | TrainCommand::Mss(args) => args,
    };
    let pages = Pages::read(&args.packages, args.any_licence)?;
    let model = match command {
        TrainCommand::Mss(_) => mss::train(&pages)?,
        _ => clg::train(&pages)?,
    };
    pages.print_problems();
    if let Some(out) = &args.out {
        std::fs::write(out, model).with_context(|| format!("could not write `{}`", out.display()))?;
    }
    Ok(())
}
