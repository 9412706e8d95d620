//! `gristmill pause`, `resume` and `forget`: what an operator tells a crawl, whether it runs or not.
//!
//! A running crawl is told on its admin port, schedulers over Kafka in the log. Of a crawl that does not run the stores are changed.

use std::path::Path;

use gristmill_frontier::Frontier;
use gristmill_index::{IndexReader, IndexWriter};
use gristmill_log::LogEngine;
use gristmill_proto::{ControlAction, ControlCommand};
use gristmill_runtime::process::shared_log;
use gristmill_scheduler::control::{Control, ControlOrder, append, change_frontier, name};
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
    let orders = control.orders().map_err(wrong_use)?;
    let leaving = orders.iter().map(|order| n_leaving(order, &settings)).collect::<anyhow::Result<Vec<_>>>()?;
    let commands: Vec<ControlCommand> = orders.iter().flat_map(|order| order.commands.clone()).collect();
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
    orders.iter().zip(leaving).for_each(|(order, n_leaving)| tell(order, n_leaving));
    Ok(())
}

/// How many documents leave the index, where there is one here.
fn n_leaving(order: &ControlOrder, settings: &Settings) -> anyhow::Result<Option<u64>> {
    if order.commands[0].action != ControlAction::TakeDown {
        return Ok(None);
    }
    let takedowns = order.commands.iter().map(|command| Takedown::parse(&command.target));
    let takedowns = takedowns.collect::<Result<Vec<_>, _>>()?;
    let Ok(reader) = IndexReader::open_damaged(&settings.index_dir()) else { return Ok(None) };
    let n_leaving = takedowns.iter().map(|takedown| reader.n_covered(takedown)).sum::<Result<u64, _>>()?;
    let target = &order.commands[0].target;
    // Such a word names all hosts below it, too: `test` would mean `www.mill.test`.
    let is_word = matches!(&takedowns[0], Takedown::Site(host) if !host.contains(['.', ':']));
    if is_word && !reader.has_host(target)? {
        return Err(wrong_use(anyhow::anyhow!(
            "`{target}` is a word without a dot, and the corpus has no page of a host of that name: a site is named like \
             `www.example.org`, a page by its URL"
        )));
    }
    Ok(Some(n_leaving))
}

fn tell(order: &ControlOrder, n_leaving: Option<u64>) {
    let ControlCommand { action, target: what, .. } = &order.commands[0];
    let whole = what.is_empty();
    match action {
        ControlAction::Pause if whole => say!("paused: no page is asked for until `gristmill resume`"),
        ControlAction::Pause => say!("{what} is paused until `gristmill resume {what}`"),
        ControlAction::Resume if whole => say!("the crawl goes on, with all sites"),
        ControlAction::Resume => say!("{what} goes on"),
        ControlAction::TakeDown => {
            let also = if order.commands.len() > 1 { " (http and https)" } else { " with all hosts below it" };
            match n_leaving {
                Some(0) => tell!(
                    "gristmill: the corpus has no document of {what}{also}; nothing of it is fetched or imported from now on"
                ),
                n_leaving => {
                    let plural = if n_leaving == Some(1) { "" } else { "s" };
                    let n = n_leaving.map_or(String::new(), |n| format!(": {n} document{plural}"));
                    say!(
                        "{what}{also} leaves the corpus{n}; nothing of it is fetched or imported again, and exports made before still \
                         have it"
                    );
                }
            }
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
