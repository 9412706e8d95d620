//! `gristmill pause`, `resume` and `forget`: what an operator tells a crawl, whether it runs or not.
//!
//! A running crawl is told on its admin port, schedulers over Kafka in the log. Of a crawl that does not run the stores are changed.

use std::path::Path;

use gristmill_frontier::Frontier;
use gristmill_index::IndexWriter;
use gristmill_log::LogEngine;
use gristmill_proto::{ControlAction, ControlCommand};
use gristmill_runtime::process::shared_log;
use gristmill_scheduler::control::{Control, append, change_frontier, name};
use gristmill_urls::Takedown;
use serde_json::Value;

use crate::admin_client::AdminClient;
use crate::crawl::lock;
use crate::failure::wrong_use;
use crate::progress::write_status;
use crate::settings::Settings;

/// Tells the crawl of the data directory, or the schedulers on Kafka.
///
/// # Errors
/// A target is none, there is no crawl, or its stores or the brokers fail.
pub async fn run(control: Control, settings: Settings) -> anyhow::Result<()> {
    let commands = control.commands().map_err(wrong_use)?;
    if settings.log.engine == LogEngine::Kafka {
        let log = shared_log(&settings.data, &settings.log).await?;
        append(log.as_ref(), &commands).await?;
    } else if let Some(admin) = AdminClient::of_running(&settings) {
        for command in &commands {
            admin.post(&format!("/control/{}", name(command.action)), &[("target", &command.target)]).await?;
        }
    } else {
        tokio::task::block_in_place(|| change_stores(&commands, &settings))?;
    }
    commands.iter().for_each(tell);
    Ok(())
}

fn tell(command: &ControlCommand) {
    let whole = command.target.is_empty();
    let what = if whole { "the crawl" } else { command.target.as_str() };
    match command.action {
        ControlAction::Pause if whole => say!("paused: no page is asked for until `gristmill resume`"),
        ControlAction::Pause => say!("{what} is paused until `gristmill resume {what}`"),
        ControlAction::Resume if whole => say!("the crawl goes on, with all sites"),
        ControlAction::Resume => say!("{what} goes on"),
        ControlAction::TakeDown => {
            say!(
                "{what} leaves the corpus, and is neither fetched nor imported again; exports made before still have it"
            );
        }
    }
}

/// Changes the stores of a crawl that does not run.
fn change_stores(commands: &[ControlCommand], settings: &Settings) -> anyhow::Result<()> {
    let (frontier_dir, index_dir) = (settings.frontier_dir(), settings.index_dir());
    anyhow::ensure!(
        frontier_dir.is_dir() || index_dir.is_dir(),
        "`{}` holds no crawl: `--data` names the directory of one",
        settings.data.display()
    );
    let _lock = lock(&settings.data)?;
    if frontier_dir.is_dir() {
        let mut frontier = Frontier::open(&frontier_dir, settings.frontier.clone())?;
        change_frontier(commands, &mut frontier)?;
        note_pauses(&frontier, &settings.status_file())?;
    }
    for dir in gristmill_index::folders(&index_dir) {
        let mut writer = IndexWriter::open(&dir, &settings.index)?;
        for command in commands.iter().filter(|command| command.action == ControlAction::TakeDown) {
            writer.take_down(&Takedown::parse(&command.target)?)?;
        }
        let positions = writer.positions().clone();
        writer.commit(&positions)?;
        writer.close()?;
    }
    Ok(())
}

/// Lets `gristmill status` tell what is paused, as the crawl that writes its file does not run.
fn note_pauses(frontier: &Frontier, file: &Path) -> anyhow::Result<()> {
    let written = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(Value::Object(mut status)) = written else { return Ok(()) };
    status.insert("paused".to_owned(), frontier.paused().collect::<Vec<_>>().into());
    Ok(write_status(&status, file)?)
}
