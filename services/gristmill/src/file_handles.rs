//! How many files and connections the process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More are of no use: the kernel tables of a process grow with the number.
const ENOUGH: u64 = 1 << 16;

/// Takes as many as the system grants. Shells begin with 1,024, for the sake of programs that can wait for no more at once.
pub(crate) fn raise() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(ENOUGH).min(ENOUGH);
    if current.is_some_and(|current| current < wanted) {
        // Without, connections are kept for fewer hosts.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

/// A half of them: the rest is for tables, segments and those who ask.
pub(crate) fn half() -> usize {
    getrlimit(Resource::Nofile).current.map_or(ENOUGH, |current| current / 2).min(ENOUGH) as usize
}
