//! Lines for people, on standard output and standard error.
//!
//! Who reads them may go before we are done, as `head` does. A line that nobody reads is lost, and stops nothing: unlike with `println!`
//! and `eprintln!`, which end the process then.

use std::fmt::Arguments;
use std::io::Write;

/// Writes a line to standard output.
macro_rules! say {
    () => { $crate::console::say(format_args!("")) };
    ($($line:tt)*) => { $crate::console::say(format_args!($($line)*)) };
}

/// Writes a line to standard error.
macro_rules! tell {
    ($($line:tt)*) => { $crate::console::tell(format_args!($($line)*)) };
}

pub fn say(line: Arguments<'_>) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
