//! Runs the laboratory, and the program whose parts it looks at.
#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../../../../services/gristmill/tests/common/program.rs"]
mod program;

use std::path::Path;
use std::process::Command;

pub use program::{finish, text};

pub fn lab() -> Command {
    program::without_settings(Command::new(env!("CARGO_BIN_EXE_gristmill-lab")))
}

/// The product's program, which is built beside the laboratory.
pub fn gristmill() -> Command {
    let path = Path::new(env!("CARGO_BIN_EXE_gristmill-lab")).with_file_name("gristmill");
    assert!(path.is_file(), "`{}` is not there: cargo build -p gristmill", path.display());
    program::without_settings(Command::new(path))
}
