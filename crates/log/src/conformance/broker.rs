//! A Kafka broker for tests: the one that `KAFKA_BOOTSTRAP` names, or one that `scripts/kafka` starts.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::kafka::KafkaConfig;

/// The broker that the tests of this process share, as `host:port`; `None`, said loudly, when none can be had.
pub fn shared() -> Option<String> {
    static SHARED: OnceLock<Result<String, String>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| match std::env::var("KAFKA_BOOTSTRAP") {
        Ok(bootstrap) if !bootstrap.is_empty() => Ok(bootstrap),
        _ => Broker::try_start("", &[]).map(|broker| broker.address),
    });
    or_skipped(shared.clone())
}

/// Each test that does without says so.
fn or_skipped<T>(broker: Result<T, String>) -> Option<T> {
    broker.inspect_err(|reason| eprintln!("SKIPPED: no Kafka broker can be had: {reason}")).ok()
}

/// Settings for the broker at `address`, with topics of their own.
pub fn settings(address: &str) -> KafkaConfig {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let born = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_micros();
    let topic_prefix = format!("test-{}-{born}-{count}.", std::process::id());
    KafkaConfig { brokers: address.to_owned(), topic_prefix, replication: 1, ..KafkaConfig::default() }
}

/// A broker of a test's own, which the test may stop and start; it ends with the process.
pub struct Broker {
    pub address: String,
    dir: PathBuf,
}

impl Broker {
    /// Starts one on a free port. `None`, said loudly, when none can be had.
    pub fn start() -> Option<Self> {
        Self::start_with("", &[])
    }

    /// Starts one with more lines in its `server.properties`, and more arguments where its storage is formatted.
    ///
    /// # Panics
    /// The folder for temporary files cannot be written.
    pub fn start_with(properties: &str, format: &[&str]) -> Option<Self> {
        or_skipped(Self::try_start(properties, format))
    }

    fn try_start(properties: &str, format: &[&str]) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("gristmill-kafka-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("temporary files can be written");
        std::fs::write(dir.join("extra.properties"), properties).expect("temporary files can be written");
        std::fs::write(dir.join("format.arguments"), format.join("\n")).expect("temporary files can be written");
        let broker = Self { address: String::new(), dir };
        let address = broker.script(&["start", "--port", "0", "--while", &std::process::id().to_string()])?;
        Ok(Self { address, ..broker })
    }

    /// Ends the broker, as a crash would with `kill`.
    ///
    /// # Panics
    /// The script failed.
    pub fn stop(&self, kill: bool) {
        let arguments: &[&str] = if kill { &["stop", "--kill"] } else { &["stop"] };
        self.script(arguments).expect("`scripts/kafka stop` works");
    }

    /// Starts it again on the same port, with the same data.
    ///
    /// # Panics
    /// The script failed.
    pub fn start_again(&self) {
        self.script(&["start"]).expect("`scripts/kafka start` works");
    }

    fn script(&self, arguments: &[&str]) -> Result<String, String> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/kafka");
        let output = Command::new(script)
            .args(arguments)
            .arg("--dir")
            .arg(&self.dir)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
        }
    }
}
