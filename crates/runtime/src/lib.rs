//! What turns a library into a process: settings, telemetry, the admin port, shutdown.

pub mod admin;
pub mod settings;
pub mod shutdown;
pub mod telemetry;
