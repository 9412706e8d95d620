//! Requests taken one by one by several threads, each answered by the thread that took it, and the answers written in order.
//!
//! ```text
//! next ─▶ work ─▶ write      thread 1
//! next ─▶ work ─▶ write      thread 2: whoever has the answer that is due writes it, and those behind it that wait
//! ```

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Answers for each thread that may wait for one before them.
const MOST_WAITING: u64 = 16;
/// Bytes of answers that may wait; a thread that has one more waits with it.
const MOST_BYTES: usize = 16 << 20;

/// Calls `next` until it gives no request, `work` on each, and `write` with the answers in the order of their requests.
///
/// The caller's thread is one of them. A request is taken when a thread is free for it, so that no more are in memory than there are
/// threads.
///
/// # Errors
/// The first error of `next` or `write`; what was taken before is finished, and no more is taken.
pub fn in_order<R: Send>(
    threads: usize,
    next: impl FnMut() -> io::Result<Option<R>> + Send,
    work: impl Fn(R) -> Vec<u8> + Sync,
    write: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> io::Result<()> {
    let line = Line {
        input: Mutex::new(Input { next, taken: 0 }),
        output: Mutex::new(Output {
            write,
            due: 0,
            waiting: BTreeMap::new(),
            bytes: 0,
            ended: false,
            closed: false,
            failed: None,
        }),
        written: Condvar::new(),
        most_waiting: MOST_WAITING * threads as u64,
    };
    let run = || {
        let _guard = EndsOnPanic(&|| line.end(None));
        while let Some((number, request)) = line.take() {
            line.put(number, work(request));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| {
            scope.spawn(run);
        });
        run();
    });
    let output = line.output.into_inner().unwrap_or_else(PoisonError::into_inner);
    output.failed.map_or(Ok(()), Err)
}

struct Input<N> {
    next: N,
    taken: u64,
}

struct Output<W> {
    write: W,
    /// The number of the answer that is to be written next.
    due: u64,
    waiting: BTreeMap<u64, Vec<u8>>,
    /// Of all answers that wait.
    bytes: usize,
    /// No more requests are taken.
    ended: bool,
    /// Nothing more can be written.
    closed: bool,
    failed: Option<io::Error>,
}

struct Line<N, W> {
    input: Mutex<Input<N>>,
    output: Mutex<Output<W>>,
    written: Condvar,
    most_waiting: u64,
}

impl<N, W, R> Line<N, W>
where
    N: FnMut() -> io::Result<Option<R>>,
    W: FnMut(&[u8]) -> io::Result<()>,
{
    /// The next request and its number, as soon as there is room for its answer.
    fn take(&self) -> Option<(u64, R)> {
        let mut input = lock(&self.input);
        // Whoever has the answer that is due has taken its request already, and so does not wait here.
        let output = self.written.wait_while(lock(&self.output), |output| {
            !output.ended && (input.taken >= output.due + self.most_waiting || output.bytes > MOST_BYTES)
        });
        if output.unwrap_or_else(PoisonError::into_inner).ended {
            return None;
        }
        match (input.next)() {
            Ok(Some(request)) => {
                let number = input.taken;
                input.taken += 1;
                Some((number, request))
            }
            Ok(None) => {
                self.end(None);
                None
            }
            Err(error) => {
                self.end(Some(error));
                None
            }
        }
    }

    /// Writes what is due.
    fn put(&self, number: u64, answer: Vec<u8>) {
        let mut output = lock(&self.output);
        let output = &mut *output;
        output.bytes += answer.len();
        output.waiting.insert(number, answer);
        // Requests that came before an error of the input are answered.
        while !output.closed
            && let Some(answer) = output.waiting.remove(&output.due)
        {
            output.due += 1;
            output.bytes -= answer.len();
            if let Err(error) = (output.write)(&answer) {
                output.failed = output.failed.take().or(Some(error));
                (output.closed, output.ended) = (true, true);
            }
        }
        self.written.notify_all();
    }
}

impl<N, W> Line<N, W> {
    fn end(&self, error: Option<io::Error>) {
        let mut output = lock(&self.output);
        output.ended = true;
        output.failed = output.failed.take().or(error);
        self.written.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that panics has an answer that never comes: the others must not wait for it.
struct EndsOnPanic<'f>(&'f dyn Fn());

impl Drop for EndsOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn answers_come_in_order_however_long_each_takes_and_few_wait() {
        let (mut asked, mut written) = (0u64..500, Vec::new());
        let (taken, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let next = || {
            taken.fetch_add(1, Ordering::SeqCst);
            Ok(asked.next())
        };
        let work = |number: u64| {
            if number == 3 {
                // All others could be taken meanwhile.
                std::thread::sleep(Duration::from_millis(50));
                assert!(taken.load(Ordering::SeqCst) <= 4 + 4 * MOST_WAITING);
            }
            done.fetch_add(1, Ordering::SeqCst);
            number.to_be_bytes().to_vec()
        };
        in_order(4, next, work, |bytes| {
            written.push(u64::from_be_bytes(bytes.try_into().unwrap()));
            Ok(())
        })
        .unwrap();
        assert_eq!(written, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_error_ends_it_and_is_told() {
        // Which thread comes first differs from run to run.
        for threads in [1, 3].repeat(200) {
            let mut asked = 0u64..;
            let mut n_written = 0;
            let write = |_: &[u8]| {
                n_written += 1;
                if n_written == 5 { Err(io::Error::other("full")) } else { Ok(()) }
            };
            let error = in_order(threads, || Ok(asked.next()), |_| vec![b'x'], write).unwrap_err();
            assert_eq!((error.to_string().as_str(), n_written), ("full", 5));
            let mut asked = 0u64..;
            let next = || if asked.next() == Some(7) { Err(io::Error::other("gone")) } else { Ok(Some(1)) };
            let mut n_written = 0;
            let error = in_order(
                threads,
                next,
                |_| vec![b'x'],
                |_| {
                    n_written += 1;
                    Ok(())
                },
            );
            assert_eq!((error.unwrap_err().to_string().as_str(), n_written), ("gone", 7));
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_one_thread_ends_the_others() {
        let here = std::thread::current().id();
        let mut asked = 0u64..;
        let work = |_| {
            assert!(std::thread::current().id() == here, "another thread");
            std::thread::sleep(Duration::from_millis(1));
            vec![b'x']
        };
        let _ = in_order(3, || Ok(asked.next()), work, |_| Ok(()));
    }
}
