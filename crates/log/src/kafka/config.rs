//! Settings of the brokers, and what follows from them for the client library.

use std::time::Duration;

use gristmill_secrets::Secret;
use rdkafka::ClientConfig;
use serde::{Deserialize, Serialize};

use crate::types::LogError;

/// How the brokers are reached and what they keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KafkaConfig {
    /// Where to find the first broker, as `host:port`, several with commas between. Default: `"127.0.0.1:19092"`.
    pub brokers: String,
    /// Stands before the name of each topic and consumer group, so that several corpora share brokers.
    /// Default: `"gristmill."`.
    pub topic_prefix: String,
    /// Copies of each new topic; -1 takes what the brokers have as default. Default: `-1`.
    pub replication: i32,
    /// How long records are kept. A service that stays away for longer cannot go on. Default: `7days`.
    #[serde(with = "humantime_serde")]
    pub retention: Duration,
    /// Name of this process among those of its kind, kept over restarts: with it a restart within the session timeout
    /// moves no partition. Two processes of one kind must not have the same. Empty: none, each start is a new member.
    /// Default: `""`.
    pub instance: String,
    /// After how long without a sign of life a process loses its partitions to others. Default: `30s`.
    #[serde(with = "humantime_serde")]
    pub session_timeout: Duration,
    /// How long a process may take to hand over partitions; longer than its longest download. Default: `2m`.
    #[serde(with = "humantime_serde")]
    pub handover_timeout: Duration,
    /// How long the start waits for a broker. Later outages are waited out without limit. Default: `1m`.
    #[serde(with = "humantime_serde")]
    pub connect_timeout: Duration,
    /// Memory for records on their way to the brokers, and for records read ahead. No setting: `67108864` (64 MiB) each.
    #[serde(skip)]
    pub buffer_bytes: usize,
    pub security: SecurityConfig,
}

impl Default for KafkaConfig {
    fn default() -> Self {
        Self {
            brokers: "127.0.0.1:19092".into(),
            topic_prefix: "gristmill.".into(),
            replication: -1,
            retention: Duration::from_secs(7 * 24 * 3600),
            instance: String::new(),
            session_timeout: Duration::from_secs(30),
            handover_timeout: Duration::from_secs(120),
            connect_timeout: Duration::from_secs(60),
            buffer_bytes: 64 << 20,
            security: SecurityConfig::default(),
        }
    }
}

/// How connections are protected, and who we are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SecurityConfig {
    /// `"plaintext"`, `"ssl"`, `"sasl_plaintext"` or `"sasl_ssl"`; those with `ssl` need the cargo feature `kafka-tls`.
    /// Default: `"plaintext"`.
    pub protocol: Protocol,
    /// With SASL: `"PLAIN"`, `"SCRAM-SHA-256"` or `"SCRAM-SHA-512"`; SCRAM needs the cargo feature `kafka-tls`.
    /// Default: `"PLAIN"`.
    pub mechanism: Mechanism,
    /// With SASL. Default: `""`.
    pub username: String,
    /// With SASL. Best set as `GRISTMILL__LOG__KAFKA__SECURITY__PASSWORD`; never shown. Default: `""`.
    pub password: Secret,
    /// File with the certificates that sign the brokers' ones, as PEM; empty takes those of the system. Default: `""`.
    pub ca_file: String,
    /// Our own certificate and its key, as PEM, where the brokers ask for one. Default: `""`.
    pub certificate_file: String,
    pub key_file: String,
    /// Password of the key file; never shown. Default: `""`.
    pub key_password: Secret,
}

/// How connections are protected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    #[default]
    Plaintext,
    Ssl,
    SaslPlaintext,
    SaslSsl,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Self::Plaintext => "plaintext",
            Self::Ssl => "ssl",
            Self::SaslPlaintext => "sasl_plaintext",
            Self::SaslSsl => "sasl_ssl",
        }
    }

    fn encrypts(self) -> bool {
        matches!(self, Self::Ssl | Self::SaslSsl)
    }

    fn authenticates(self) -> bool {
        matches!(self, Self::SaslPlaintext | Self::SaslSsl)
    }
}

/// How a password is shown to the brokers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mechanism {
    #[default]
    #[serde(rename = "PLAIN")]
    Plain,
    #[serde(rename = "SCRAM-SHA-256")]
    ScramSha256,
    #[serde(rename = "SCRAM-SHA-512")]
    ScramSha512,
}

impl Mechanism {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::ScramSha256 => "SCRAM-SHA-256",
            Self::ScramSha512 => "SCRAM-SHA-512",
        }
    }
}

/// Whether this program can encrypt connections.
const HAS_TLS: bool = cfg!(feature = "kafka-tls");

impl KafkaConfig {
    /// The rules between settings that the client library would tell in its own words, or not at all.
    pub(crate) fn check(&self) -> Result<(), LogError> {
        let wrong = |key, problem: &str| Err(LogError::Setting { key, problem: problem.into() });
        if self.brokers.trim().is_empty() {
            return wrong("log.kafka.brokers", "name at least one broker as `host:port`");
        }
        if self.topic_prefix.len() > 100
            || !self.topic_prefix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
        {
            return wrong("log.kafka.topic_prefix", "letters, digits, `.`, `_` and `-` only, at most 100 of them");
        }
        if self.session_timeout < Duration::from_secs(1) || self.session_timeout > self.handover_timeout {
            return wrong("log.kafka.session_timeout", "at least 1s, and at most `log.kafka.handover_timeout`");
        }
        self.security.check()
    }

    /// What every client of this process is told.
    pub(super) fn client(&self) -> ClientConfig {
        let mut client = ClientConfig::new();
        client
            .set("bootstrap.servers", &self.brokers)
            .set("client.id", "gristmill")
            .set("security.protocol", self.security.protocol.name())
            .set("socket.timeout.ms", "10000")
            .set("socket.nagle.disable", "true")
            .set("reconnect.backoff.ms", "50")
            .set("reconnect.backoff.max.ms", "2000")
            .set("topic.metadata.refresh.interval.ms", "60000");
        self.security.apply(&mut client);
        client
    }

    pub(super) fn topic(&self, name: &str) -> String {
        format!("{}{name}", self.topic_prefix)
    }
}

impl SecurityConfig {
    fn check(&self) -> Result<(), LogError> {
        let wrong = |key, problem: &str| Err(LogError::Setting { key, problem: problem.into() });
        if self.protocol.encrypts() && !HAS_TLS {
            return wrong(
                "log.kafka.security.protocol",
                "this program was built without TLS; build it with `--features kafka-tls`",
            );
        }
        if self.protocol.authenticates() {
            if self.mechanism != Mechanism::Plain && !HAS_TLS {
                return wrong(
                    "log.kafka.security.mechanism",
                    "SCRAM needs a program built with `--features kafka-tls`; `PLAIN` does not",
                );
            }
            if self.username.is_empty() || self.password.reveal().is_empty() {
                return wrong("log.kafka.security.username", "SASL needs a user name and a password");
            }
        }
        Ok(())
    }

    fn apply(&self, client: &mut ClientConfig) {
        let mut set = |key: &str, value: &str| {
            if !value.is_empty() {
                client.set(key, value);
            }
        };
        if self.protocol.authenticates() {
            set("sasl.mechanism", self.mechanism.name());
            set("sasl.username", &self.username);
            set("sasl.password", self.password.reveal());
        }
        if self.protocol.encrypts() {
            set("ssl.ca.location", &self.ca_file);
            set("ssl.certificate.location", &self.certificate_file);
            set("ssl.key.location", &self.key_file);
            set("ssl.key.password", self.key_password.reveal());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_work_are_refused_with_their_key() {
        let refused = |config: KafkaConfig| config.check().unwrap_err().to_string();
        assert!(refused(KafkaConfig { brokers: " ".into(), ..KafkaConfig::default() }).contains("log.kafka.brokers"));
        let prefix = KafkaConfig { topic_prefix: "a/b".into(), ..KafkaConfig::default() };
        assert!(refused(prefix).contains("log.kafka.topic_prefix"));
        let sasl = SecurityConfig { protocol: Protocol::SaslPlaintext, ..SecurityConfig::default() };
        let nobody = KafkaConfig { security: sasl, ..KafkaConfig::default() };
        assert!(refused(nobody).contains("log.kafka.security.username"));
        let tls = SecurityConfig { protocol: Protocol::Ssl, ..SecurityConfig::default() };
        let checked = KafkaConfig { security: tls, ..KafkaConfig::default() }.check();
        assert_eq!(checked.is_ok(), HAS_TLS, "{checked:?}");
        assert!(KafkaConfig::default().check().is_ok());
    }
}
