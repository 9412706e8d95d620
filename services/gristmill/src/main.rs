//! The command line of Gristmill, and all five services in one process.

#[macro_use]
mod console;

mod admin_client;
mod archives;
mod changes;
mod check;
mod cli;
mod command_line;
mod control;
mod crawl;
mod crawl_summary;
mod dataset;
mod demo;
mod doors;
mod explain;
mod export;
mod extract;
mod extract_args;
mod failure;
mod file_handles;
mod import;
mod manual;
mod moved;
mod pipeline;
mod progress;
mod reading_args;
mod reindex;
mod render;
mod repair_advice;
mod replay;
mod run;
mod search;
mod seeds;
mod serve;
mod settings;
mod sign_directory;
mod sites;
mod status;
mod values;
mod wiring;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use gristmill_proto::ControlAction;
use gristmill_reading::PageReader;
use gristmill_scheduler::control::Control;

use crate::cli::{Cli, Command, ConfigCommand, CrawlArgs, ServeArgs};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gristmill_index::install_panic_hook();
    file_handles::raise();
    let cli = match Cli::try_parse_from(cli::arguments()) {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(hint) = moved::hint(&error) {
                tell!("gristmill: {hint}");
                return ExitCode::from(2);
            }
            error.exit()
        }
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("gristmill: {}", failure::told(&error));
            if failure::is_wrong_use(&error) { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let settings = settings::load(&cli)?;
    // A service process starts its own.
    if !matches!(cli.command, Command::Run(_)) {
        gristmill_runtime::telemetry::init(&settings.telemetry)?;
    }
    let data = settings.data.clone();
    dispatch(cli.command, settings).map_err(|error| failure::with_room(repair_advice::with(error, &data), &data))
}

fn dispatch(command: Command, settings: settings::Settings) -> anyhow::Result<()> {
    match command {
        Command::Crawl(args) => block_on(crawl::run(args, settings)),
        Command::Watch(args) => block_on(crawl::run(CrawlArgs { watch: true, ..args }, settings)),
        Command::Import(args) => block_on(import::run(args, settings)),
        Command::Run(args) => block_on(run::run(args.service, settings)),
        Command::Seed(args) => block_on(run::seed_log(&args, settings)),
        Command::Serve(ServeArgs { proxy: Some(address), method, never_empty, include, .. }) => {
            let reader = gristmill_extractor::page_reader(&settings.extractor, &settings.records)?;
            let comments = reader.comments || include.contains(&reading_args::OptionalText::Comments);
            let reader = PageReader { method: method.parse()?, comments, ..reader };
            block_on(serve::proxy(&address, reader, never_empty, &settings.fetch))
        }
        Command::Status(args) => block_on(status::run(&args, settings)),
        Command::Pause(args) => told(ControlAction::Pause, args.sites, settings),
        Command::Resume(args) => told(ControlAction::Resume, args.sites, settings),
        Command::Forget(args) => told(ControlAction::TakeDown, args.targets, settings),
        Command::Serve(_) => block_on(serve::run(settings)),
        Command::Manual { folder } => manual::write(&folder),
        Command::Mcp => block_on(doors::mcp(settings)),
        Command::Explain(args) => block_on(explain::run(&args, settings)),
        Command::Changes(args) => block_on(changes::run(&args, settings)),
        Command::Export(args) => export::run(&args, &settings),
        Command::Check => block_on(check::run(settings)),
        Command::Reindex(args) => block_on(reindex::run(&args, settings)),
        Command::Search(args) => search::run(&args, &settings),
        Command::Dataset(args) => archives::to_dataset::run(&args, &settings),
        Command::Extract(args) if args.batch => extract::batch(&args, &settings),
        Command::Extract(args) => block_on(extract::run(&args, &settings)),
        Command::Config(ConfigCommand::Show) => settings::show(&settings),
    }
}

/// Tells the crawl what is to be done.
fn told(action: ControlAction, targets: Vec<String>, settings: settings::Settings) -> anyhow::Result<()> {
    block_on(control::run(Control { action, targets }, settings))
}

/// Runs to the end; threads that still read a page then do not hold the process.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(Duration::from_secs(2));
    done
}

/// `gristmill search … | head` is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
