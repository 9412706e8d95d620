//! Time and memory for synthetic fingerprints: `synthetic [MILLIONS] [BATCH] [THREADS]`.
//!
//! One in ten is another with at most ten bits turned; the rest are spread evenly.

use std::time::Instant;

use gristmill_dataset::duplicates::DedupBatch;

fn main() {
    let number = |n: usize, or: usize| std::env::args().nth(n).and_then(|word| word.parse().ok()).unwrap_or(or);
    let (n, size, threads) = (number(1, 2) * 1_000_000, number(2, 1 << 20), number(3, 2));
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let mut prints: Vec<u64> = Vec::with_capacity(n);
    let mut made = 0;
    for at in 0..n {
        let is_copy = at > 0 && random() % 10 == 0;
        made += usize::from(is_copy);
        let print = if is_copy { prints[random() as usize % at] } else { random() };
        let turned = if is_copy { random() % 11 } else { 0 };
        prints.push((0..turned).fold(print, |print, _| print ^ 1 << (random() % 64)));
    }
    let begun = Instant::now();
    let mut kept: Vec<u64> = Vec::with_capacity(n);
    for chunk in prints.chunks(size) {
        let mut batch = DedupBatch::new(chunk.to_vec(), 10, threads);
        for (n, piece) in kept.chunks(size).enumerate() {
            batch.compare((n * size) as u64, piece);
        }
        let decided = batch.decide(kept.len() as u64);
        kept.extend(chunk.iter().zip(decided).filter(|(_, original)| original.is_none()).map(|(print, _)| *print));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
    println!("{n} fingerprints, {made} made near: {} duplicates in {:.1?}; {peak}", n - kept.len(), begun.elapsed());
}
