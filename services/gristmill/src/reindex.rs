//! `gristmill reindex`: the index built anew beside the old one, which it replaces when it is whole.

use std::path::Path;

use anyhow::Context;
use gristmill_index::{IndexError, salvage};
use gristmill_indexer::{IndexRebuild, RebuildSources, index_parts, put_in_place};
use gristmill_log::LogEngine;
use gristmill_runtime::process::open_log;

use crate::cli::ReindexArgs;
use crate::crawl::lock;
use crate::settings::Settings;

/// Builds the index anew.
///
/// # Errors
/// There is nothing to build it from, a source or the disk cannot be read or written, or documents are lost: then the new index
/// is in place all the same.
pub async fn run(args: &ReindexArgs, settings: Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        settings.data.is_dir() || args.from.is_some(),
        "there is no `{}`, so nothing to build an index from; `--data` names the directory of a corpus, `--from FILE` takes an export",
        settings.data.display()
    );
    let _lock = lock(&settings.data)?;
    let (old, new) = (settings.index_dir(), settings.data.join("index.new"));
    if new.exists() {
        std::fs::remove_dir_all(&new)
            .with_context(|| format!("cannot remove `{}`, left by an earlier try", new.display()))?;
    }
    let parts = index_parts(&old, settings.log.partitions);
    let mut building =
        IndexRebuild::begin(&new, parts, settings.log.partitions, settings.indexer.keep_versions, &settings.index)?;
    building.inherit_takedowns(&old)?;
    let mut sources = RebuildSources::default();
    match &args.from {
        Some(file) => sources.exported = building.take_export(file)?,
        None => match salvage(&old, |document| building.upsert(&document)) {
            Ok(salvaged) => sources.salvaged = Some(salvaged),
            Err(IndexError::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        },
    }
    let has_log = settings.log.engine == LogEngine::Kafka || settings.data.join("log").join("version").is_file();
    if has_log {
        let log = open_log(&settings.data, &settings.log).await?;
        building.take_log(log.as_ref(), &mut sources).await?;
    }
    let documents = building.finish()?;
    if args.from.is_none() && documents == 0 && sources.salvaged.is_none() && sources.appended == 0 {
        std::fs::remove_dir_all(&new)?;
        anyhow::bail!(
            "there is nothing to build an index from in `{}`: neither an index nor a log; `--from FILE` takes an export",
            settings.data.display()
        );
    }
    let kept = put_in_place(&old, &new, sources.is_whole())?;
    say!("{documents} documents in `{}`", old.display());
    tell(&sources, kept.as_deref())
}

/// Tells what came from where, and fails with what is lost.
fn tell(sources: &RebuildSources, kept: Option<&Path>) -> anyhow::Result<()> {
    if sources.exported > 0 {
        say!("  {} from the export", sources.exported);
    }
    if let Some(old) = &sources.salvaged {
        say!("  {} from the index that was there", old.documents);
    }
    say!(
        "  {} from the log, which holds these of the {} documents that were ever appended",
        sources.log,
        sources.appended
    );
    if let Some(kept) = kept {
        say!("the index that was there is now `{}`; remove it when you do not need it", kept.display());
    }
    let losses = sources.losses();
    anyhow::ensure!(losses.is_empty(), "{}", losses.join("; "));
    Ok(())
}
