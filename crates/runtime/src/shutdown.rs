//! One token that says "drain and stop", cancelled by the first SIGINT, SIGTERM or SIGHUP; a second signal ends the process.

use tokio_util::sync::CancellationToken;

use crate::telemetry::tell;

/// A token that is cancelled at the first signal. Needs a tokio runtime.
///
/// * `first`: what is done before the end, told at the first signal.
///
/// # Errors
/// The signal handlers could not be installed.
pub fn on_signal(first: &'static str) -> std::io::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let token = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = if ignores_hangups() { None } else { Some(signal(SignalKind::hangup())?) };
    let stop = token.clone();
    tokio::spawn(async move {
        loop {
            let may_end = tokio::select! {
                _ = interrupt.recv() => true,
                _ = terminate.recv() => true,
                // A terminal that closes may say so several times, and nobody is there who would be in a hurry.
                () = next(&mut hangup) => false,
            };
            if !stop.is_cancelled() {
                tell(&format!("stopping: {first} (again to stop at once)"));
                stop.cancel();
            } else if may_end {
                std::process::exit(130);
            }
        }
    });
    Ok(token)
}

async fn next(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => std::future::pending().await,
    }
}

/// Whether the process was started to outlive its terminal, as by `nohup`; also where nobody can tell.
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The first bit of the mask is signal 1, SIGHUP.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}
