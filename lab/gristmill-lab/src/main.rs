//! The laboratory of Gristmill: trains, scores and looks at methods of extraction. Nothing of the product needs it.

mod cli;
mod digest;
mod eval;
mod label;
mod layout;
mod methods;
mod models;
mod threads;
mod train;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gristmill-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Eval(args) => eval::run(&args),
        Command::Train(command) => train::run(&command),
        Command::Layout(args) => tokio::runtime::Runtime::new()?.block_on(layout::run(&args)),
        Command::Label(args) => tokio::runtime::Runtime::new()?.block_on(label::run(&args)),
        Command::Digest(args) => digest::run(&args),
        Command::Methods => methods::run(),
        Command::Models(args) => models::run(&args),
    }
}

/// `gristmill-lab methods | head` is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut io = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
