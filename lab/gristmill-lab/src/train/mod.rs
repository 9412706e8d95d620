//! `gristmill-lab train`: makes the models that come with the program from test packages.

mod best;
mod card;
mod clg;
mod dictionary;
mod held_out_sites;
mod kind;
mod language;
mod mss;
mod pages;
pub mod records;
mod rendering;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};

use gristmill_models::ModelFile;

use dictionary::DictionaryArgs;
use pages::GoldPages;

use crate::layout::Sidecars;

#[derive(Subcommand)]
pub enum TrainCommand {
    /// The model of the method `best`; pages of other licences are only asked about
    Best(best::BestArgs),
    /// The model of CLG and its baselines: over pseudo-layouts, or over those of a browser
    Clg(ClgArgs),
    /// The model of page types and kinds; pages of other licences are only asked about
    PageKind(kind::KindArgs),
    /// The language identifier, from the texts that `scripts/language/fetch` unpacks
    Language(language::LanguageArgs),
    /// The model of supervised MSS
    Mss(TrainArgs),
    /// The model that accepts the attribute–value pairs of products
    Records(TrainArgs),
    /// The model that says whether a page needs a browser, from pages that one drew
    Rendering(rendering::RenderingArgs),
    /// The model of CNBE, the baseline for records that needs no gold pairs
    Cnbe(TrainArgs),
    /// Attribute names for `records.dictionary`, from product pages or from the harvest of a crawl
    Dictionary(DictionaryArgs),
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

#[derive(Args)]
pub struct ClgArgs {
    #[command(flatten)]
    common: TrainArgs,
    /// Side-cars that `gristmill-lab layout` made of these packages: for the model that works on layouts of a browser
    #[arg(long, value_name = "DIR")]
    layouts: Option<PathBuf>,
}

/// Trains, prints what a cross-validation by domain reaches, and writes the model.
pub fn run(command: &TrainCommand) -> anyhow::Result<()> {
    let (args, model) = match command {
        TrainCommand::Clg(args) => (&args.common, on_texts(&args.common, args.layouts.as_deref(), clg::train)?),
        TrainCommand::Mss(args) => (args, on_texts(args, None, mss::train)?),
        TrainCommand::Records(args) => (args, records::train(&args.packages, args.any_licence)?),
        TrainCommand::Cnbe(args) => (args, records::train_cnbe(&args.packages, args.any_licence)?),
        TrainCommand::Best(args) => return best::run(args),
        TrainCommand::PageKind(args) => return kind::run(args),
        TrainCommand::Language(args) => return language::run(args),
        TrainCommand::Rendering(args) => return rendering::run(args),
        TrainCommand::Dictionary(args) => return dictionary::run(args),
    };
    if let Some(out) = &args.out {
        std::fs::write(out, model.to_bytes()).with_context(|| format!("could not write `{}`", out.display()))?;
    }
    Ok(())
}

fn on_texts(
    args: &TrainArgs,
    layouts: Option<&Path>,
    train: fn(&GoldPages) -> anyhow::Result<ModelFile>,
) -> anyhow::Result<ModelFile> {
    let mut pages = GoldPages::read(&args.packages, args.any_licence)?;
    if let Some(folder) = layouts {
        pages = pages.with_layouts(Sidecars::new(folder));
    }
    let model = train(&pages)?;
    pages.print_problems();
    Ok(model)
}
