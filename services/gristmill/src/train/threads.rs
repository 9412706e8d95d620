//! Work spread over the cores, results in order.

/// Applies `work` to all items, in as many threads as there are cores; results in order.
pub fn in_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..n_threads)
            .map(|k| {
                let mine = items.iter().enumerate().skip(k).step_by(n_threads);
                scope.spawn(move || mine.map(|(n, item)| (n, work(item))).collect::<Vec<_>>())
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a panic ends the program")).collect()
    });
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|(_, result)| result).collect()
}
