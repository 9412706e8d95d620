//! Trains the model of page types, and shows how it and the records decide on sites that it has not seen.

mod pages;
mod report;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use gristmill_extract::{TypeTrainer, TypedPage};
use gristmill_models::PAGE_KIND;

use pages::KindReportPage;

use super::held_out_sites::{HELD_OUT, is_held_out};

/// Parts of the cross-validation; a site is in one of them.
const FOLDS: usize = 10;

#[derive(Args)]
pub struct KindArgs {
    /// Test packages of articles and of products; pages whose licence does not permit a model are only asked about
    #[arg(required = true, value_name = "PACKAGE_DIR")]
    packages: Vec<PathBuf>,
    /// Where the model goes [default: only the tables are printed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List the pages that are taken for something else
    #[arg(long)]
    errors: bool,
}

/// Cross-validates, prints the tables of `docs/page-kind.md`, and writes the model.
pub fn run(args: &KindArgs) -> anyhow::Result<()> {
    let (asked, typed): (Vec<KindReportPage>, Vec<TypedPage>) = pages::read(&args.packages)?.into_iter().unzip();
    anyhow::ensure!(
        typed.iter().any(|page| page.trains),
        "no page whose licence permits a model to be made of it and given away"
    );
    let trainer = TypeTrainer::default();
    let predicted = trainer.cross_validate(&typed, FOLDS);
    let summary = report::print(&asked, &typed, &predicted, args.errors);
    if let Some(out) = &args.out {
        let (asked, typed): (Vec<KindReportPage>, Vec<TypedPage>) =
            asked.into_iter().zip(typed).filter(|(_, page)| !is_held_out(&page.site)).unzip();
        let card = pages::card(&asked, &typed).note(summary).note(HELD_OUT).text(&PAGE_KIND);
        let model = trainer.train(&typed, predicted.sharpness, &card);
        std::fs::write(out, model.to_bytes()).with_context(|| format!("could not write `{}`", out.display()))?;
    }
    Ok(())
}
