//! What the processes of a browser take of the machine, as `/proc` tells it.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// CPU time and memory of a process and all that descend from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ProcessUsage {
    /// Of all of them, and of those that have ended and been waited for.
    pub(crate) cpu: Duration,
    /// Anonymous and shared memory in bytes, without the files that all processes map.
    pub(crate) memory: u64,
}

impl ProcessUsage {
    /// Of the process `root` and its descendants; nothing where there are none.
    pub(crate) fn of(root: u32) -> ProcessUsage {
        let ticks_per_second = rustix::param::clock_ticks_per_second().max(1);
        let (mut ticks, mut memory) = (0, 0);
        for process in tree(root) {
            ticks += process.ticks;
            memory += memory_of(process.pid);
        }
        ProcessUsage { cpu: Duration::from_secs_f64(ticks as f64 / ticks_per_second as f64), memory }
    }
}

#[derive(Clone, Copy)]
struct Process {
    pid: u32,
    parent: u32,
    ticks: u64,
}

/// The processes at and below `root`.
fn tree(root: u32) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut children: HashMap<u32, Vec<Process>> = HashMap::new();
    let mut found = Vec::new();
    for process in pids.filter_map(stat) {
        if process.pid == root {
            found.push(process);
        } else {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut at = 0;
    while let Some(process) = found.get(at) {
        // Each is taken out once, so a circle, which a reused number could make, ends.
        found.extend(children.remove(&process.pid).unwrap_or_default());
        at += 1;
    }
    found
}

fn stat(pid: u32) -> Option<Process> {
    parse_stat(pid, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Fields 4 (parent) and 14 to 17 (CPU time of the process and of its children that were waited for) of proc(5).
fn parse_stat(pid: u32, line: &str) -> Option<Process> {
    // The name in brackets may hold anything.
    let fields: Vec<&str> = line.get(line.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
    let parent = fields.get(1)?.parse().ok()?;
    let ticks = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Process { pid, parent, ticks })
}

fn memory_of(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    ["RssAnon:", "RssShmem:"].into_iter().filter_map(kilobytes).sum::<u64>() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let process = parse_stat(7, "7 (a) b) S 3 7 7 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 99").unwrap();
        assert_eq!((process.parent, process.ticks), (3, 100));
        assert!(parse_stat(7, "7 (a").is_none());
    }

    #[test]
    fn our_own_tree_holds_at_least_ourselves() {
        let usage = ProcessUsage::of(std::process::id());
        assert!(usage.memory > 100_000, "{usage:?}");
        assert_eq!(ProcessUsage::of(u32::MAX), ProcessUsage::default());
    }
}
