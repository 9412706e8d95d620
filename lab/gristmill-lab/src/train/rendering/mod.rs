//! Grows the model `rendering`, and tells how well it does on sites that it has not seen (docs/rendering.md).

mod archives;
mod packages;
mod report;
mod sample;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use gristmill_models::trees::{LevelwiseParams, TrainingRows, grow};
use gristmill_reading::need::{N_FEATURES, RenderModel};

use sample::RenderSample;

const FOLDS: u64 = 5;

#[derive(Args)]
pub struct RenderingArgs {
    /// Test packages; pages whose licence does not permit a model are only asked about
    #[arg(value_name = "PACKAGE_DIR")]
    packages: Vec<PathBuf>,
    /// Archives of a crawl with `--render always`: each answer and the drawn page beside it are a pair
    #[arg(long, value_name = "DIR")]
    archives: Option<PathBuf>,
    /// Where the model goes [default: only the tables are printed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// List the pages that are judged wrongly
    #[arg(long)]
    errors: bool,
}

/// Cross-validates, prints the tables of `docs/rendering.md`, and writes the model.
pub fn run(args: &RenderingArgs) -> anyhow::Result<()> {
    let mut samples = Vec::new();
    if let Some(folder) = &args.archives {
        samples.extend(archives::samples(folder));
    }
    for package in &args.packages {
        samples.extend(packages::samples(package));
    }
    // Pages without scripts are not asked about.
    samples.retain(|sample| sample.features.has_scripts);
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let model = fit(samples.iter().filter(|sample| fold_of(sample) != fold && sample.trains));
        let held_out = samples.iter().filter(|sample| fold_of(sample) == fold);
        judged.extend(held_out.map(|sample| {
            let begun = Instant::now();
            let p = model.probability(&sample.features).unwrap_or_default();
            (sample, p, sample.seconds + begun.elapsed().as_secs_f64())
        }));
    }
    report::print(&judged);
    if args.errors {
        report::errors(&judged);
    }
    if let Some(out) = &args.out {
        let model = fit(samples.iter().filter(|sample| sample.trains));
        let card = report::card(samples.iter().filter(|sample| sample.trains));
        let bytes = model.to_file(&card).to_bytes();
        std::fs::write(out, bytes).with_context(|| format!("could not write `{}`", out.display()))?;
    }
    Ok(())
}

/// FNV-1a of the site's name.
fn fold_of(sample: &RenderSample) -> u64 {
    let hash = sample
        .site
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) % FOLDS
}

fn fit<'s>(samples: impl Iterator<Item = &'s RenderSample>) -> RenderModel {
    let mut rows = TrainingRows { width: N_FEATURES, ..TrainingRows::default() };
    for sample in samples {
        rows.features.extend(sample.features.values);
        rows.labels.push(f32::from(u8::from(sample.needs)));
        rows.weights.push(1.0);
    }
    let growth = LevelwiseParams {
        n_trees: 200,
        depth: 4,
        rate: 0.06,
        lambda: 4.0,
        min_weight: 2.0,
        feature_share: 0.3,
        row_share: 1.0,
        n_forests: 1,
    };
    RenderModel::new(grow(&rows, &growth))
}
