//! What turns a library into a process: settings, telemetry, the admin port, the log, the blob store, shutdown.

pub mod admin;
pub mod backlog;
pub mod blobs;
pub mod clock;
mod environment;
pub mod epochs;
pub mod lag_gauges;
pub mod process;
pub mod settings;
pub mod shares;
pub mod shutdown;
pub mod telemetry;
pub mod unreadable;
