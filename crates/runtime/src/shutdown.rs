//! One token that says "drain and stop", cancelled by the first SIGINT or SIGTERM; a second signal ends the process.

use tokio_util::sync::CancellationToken;

use crate::telemetry::tell;

/// A token that is cancelled at the first signal. Needs a tokio runtime.
///
/// # Errors
/// The signal handlers could not be installed.
pub fn on_signal() -> std::io::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let token = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let stop = token.clone();
    tokio::spawn(async move {
        for first in [true, false] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if first {
                tell("stopping: pages in flight are finished first (again to stop at once)");
                stop.cancel();
            } else {
                std::process::exit(130);
            }
        }
    });
    Ok(token)
}
