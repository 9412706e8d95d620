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

/// Writes text that has its line ends to standard output.
macro_rules! put {
    ($($text:tt)*) => { $crate::console::put(format_args!($($text)*)) };
}

/// Writes text that has its line ends to standard error.
macro_rules! put_err {
    ($($text:tt)*) => { $crate::console::put_err(format_args!($($text)*)) };
}

pub fn say(line: Arguments<'_>) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

pub fn put(text: Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_fmt(text).and_then(|()| out.flush());
}

pub fn put_err(text: Arguments<'_>) {
    let _ = std::io::stderr().lock().write_fmt(text);
}
