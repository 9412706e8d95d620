//! The command line of the laboratory.

use clap::{Parser, Subcommand};

use crate::digest::DigestArgs;
use crate::eval::EvalArgs;
use crate::label::LabelArgs;
use crate::layout::LayoutArgs;
use crate::models::ModelsArgs;
use crate::train::TrainCommand;

/// Trains, scores and looks at the methods of Gristmill.
#[derive(Parser)]
#[command(name = "gristmill-lab", version, about, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Score methods, commands and proxies on pages with gold texts
    Eval(EvalArgs),
    /// Train the models that come with the program
    #[command(subcommand)]
    Train(TrainCommand),
    /// Ask a browser where everything is on pages, for methods such as `clg` (docs/rendering.md); no script runs and nothing is
    /// fetched
    Layout(LayoutArgs),
    /// Mark what the rows of pages are, in a local web page or by JSON (docs/labelling.md)
    Label(LabelArgs),
    /// Fingerprints of all that is read from pages, to compare two builds (docs/evaluation.md)
    Digest(DigestArgs),
    /// List the methods of extraction and those for product records
    Methods,
    /// List the trained models that come with the program, and what each was trained on
    Models(ModelsArgs),
}
