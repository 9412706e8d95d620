//! What turns a library into a service process: settings, logging, the admin port, the log, the blob store, shutdown.
//!
//! ```
//! use gristmill_runtime::settings;
//! use serde::{Deserialize, Serialize};
//!
//! /// Each setting has a default; `GRISTMILL__LISTEN=…` and a TOML file override it, and flags come last.
//! #[derive(Debug, Default, Serialize, Deserialize)]
//! #[serde(deny_unknown_fields, default)]
//! struct Settings {
//!     listen: String,
//!     threads: usize,
//! }
//!
//! let flags = [("threads", "4".to_owned())];
//! let settings: Settings = settings::load(None, &flags).unwrap();
//! assert_eq!(settings.threads, 4);
//! let error = settings::load::<Settings>(None, &[("thread", "4".to_owned())]).unwrap_err();
//! assert!(error.to_string().contains("thread"));
//! ```

pub mod admin;
pub mod backlog;
pub mod blob_gc;
pub mod blobs;
pub mod clock;
pub mod decode_errors;
mod environment;
pub mod epochs;
pub mod fetch_body;
pub mod lag_gauges;
pub mod listen;
pub mod metrics;
pub mod mistakes;
pub mod ordered_workers;
pub mod partition_workers;
pub mod process;
pub mod read_input;
mod references;
pub mod server_names;
pub mod settings;
pub mod shutdown;
pub mod telemetry;
