//! Encrypted connections and SCRAM against a real broker; with the cargo feature `kafka-tls` only, run by `scripts/soak --tls`.
#![cfg(feature = "kafka-tls")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gristmill_log::conformance::broker::{self, Broker};
use gristmill_log::{
    KafkaConfig, KafkaLog, Log, LogError, Mechanism, Protocol, Record, Retention, SecurityConfig, Start, TopicSpec,
};
use gristmill_secrets::Secret;

const TOPICS: [TopicSpec; 1] = [TopicSpec { name: "work", retention: Retention::Newest(1) }];

fn openssl(dir: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split(' ')).current_dir(dir).output().expect("openssl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes an authority `ca.pem`, and `broker.pem` with a key and a certificate for 127.0.0.1 that it signed.
fn certificates(dir: &Path) {
    openssl(dir, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem");
    openssl(dir, "req -newkey rsa:2048 -nodes -subj /CN=broker -keyout broker.key -out broker.csr");
    std::fs::write(dir.join("names"), "subjectAltName=IP:127.0.0.1").unwrap();
    openssl(
        dir,
        "x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out broker.crt",
    );
    let both = ["broker.key", "broker.crt"].map(|name| std::fs::read_to_string(dir.join(name)).unwrap());
    std::fs::write(dir.join("broker.pem"), both.concat()).unwrap();
    openssl(dir, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger -keyout other.key -out stranger.pem");
}

fn broker_of(dir: &Path) -> Option<Broker> {
    let properties = format!(
        "listener.security.protocol.map=PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT\n\
         ssl.keystore.type=PEM\nssl.keystore.location={0}/broker.pem\n\
         ssl.truststore.type=PEM\nssl.truststore.location={0}/ca.pem\n\
         sasl.enabled.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512\nsasl.mechanism.inter.broker.protocol=SCRAM-SHA-512\n",
        dir.display()
    );
    let users = ["SCRAM-SHA-256=[name=miller,password=grist]", "SCRAM-SHA-512=[name=miller,password=grist]"];
    Broker::start_with(&properties, &["--add-scram", users[0], "--add-scram", users[1]])
}

#[tokio::test(flavor = "multi_thread")]
async fn encrypted_and_with_scram_records_go_through_and_strangers_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    certificates(dir.path());
    let Some(broker) = broker_of(dir.path()) else { return };
    let config = |mechanism, password: &str, ca: &str| KafkaConfig {
        security: SecurityConfig {
            protocol: Protocol::SaslSsl,
            mechanism,
            username: "miller".into(),
            password: Secret::new(password),
            ca_file: dir.path().join(ca).display().to_string(),
            ..SecurityConfig::default()
        },
        connect_timeout: Duration::from_secs(5),
        ..broker::settings(&broker.address)
    };
    for mechanism in [Mechanism::ScramSha256, Mechanism::ScramSha512] {
        let log = KafkaLog::open(&TOPICS, 2, 1 << 20, config(mechanism, "grist", "ca.pem")).await.unwrap();
        log.append(vec![Record { topic: "work", key: "a".into(), payload: b"flour".to_vec() }]).await.unwrap();
        let mut reader = log.reader(&["work"], Start::At([].into())).await.unwrap();
        assert_eq!(reader.poll(1, Duration::from_secs(10)).await.unwrap()[0].payload, b"flour");
    }
    let open = |config| KafkaLog::open(&TOPICS, 2, 1 << 20, config);
    let error = open(config(Mechanism::ScramSha256, "sawdust", "ca.pem")).await.err().expect("a wrong password");
    assert!(matches!(error, LogError::Authentication { .. }) && !error.to_string().contains("sawdust"), "{error}");
    let error = open(config(Mechanism::ScramSha256, "grist", "stranger.pem")).await.err().expect("a strange broker");
    assert!(error.to_string().contains("certificate"), "{error}");
}
