//! The log on a real Kafka broker: the common suite, and what only brokers and groups can promise.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_log::conformance::{self, MAX_RECORD_BYTES, PARTITIONS, broker, topics};
use gristmill_log::{
    KafkaConfig, KafkaLog, Log, LogError, LogReader, Membership, PartitionView, Positions, ProducerRecord, Protocol,
    Rebalance, SecurityConfig, StartOffset, partition_of,
};
use gristmill_secrets::Secret;

async fn try_open(config: KafkaConfig) -> Result<Arc<dyn Log>, LogError> {
    Ok(Arc::new(KafkaLog::open(&topics(), PARTITIONS, MAX_RECORD_BYTES, config).await?))
}

async fn open(config: KafkaConfig) -> Arc<dyn Log> {
    try_open(config).await.expect("the log opens")
}

fn numbered(range: std::ops::Range<u32>) -> Vec<ProducerRecord> {
    range
        .map(|i| ProducerRecord {
            topic: "work",
            key: format!("site{}.example", i % 7),
            payload: i.to_be_bytes().into(),
        })
        .collect()
}

/// Settings with a short session.
fn brisk(config: KafkaConfig) -> KafkaConfig {
    KafkaConfig { session_timeout: Duration::from_secs(2), handover_timeout: Duration::from_secs(10), ..config }
}

async fn read(reader: &mut dyn LogReader, count: usize) -> Vec<u32> {
    let (mut numbers, begun) = (Vec::new(), Instant::now());
    while numbers.len() < count && begun.elapsed() < Duration::from_secs(60) {
        for stored in reader.poll(100, Duration::from_secs(1)).await.expect("poll") {
            numbers.push(u32::from_be_bytes(stored.payload[..].try_into().expect("four bytes")));
        }
    }
    numbers
}

/// The next change, acknowledged at once where somebody waits for that.
async fn change(membership: &mut dyn Membership) -> (&'static str, Vec<u32>) {
    let next = tokio::time::timeout(Duration::from_secs(40), membership.change()).await;
    match next.expect("a change in time").expect("a change") {
        Rebalance::Assigned(partitions) => ("assigned", partitions),
        Rebalance::Revoked { partitions, drained } => {
            drained.send(()).expect("the group waits");
            ("revoked", partitions)
        }
        Rebalance::Lost(partitions) => ("lost", partitions),
    }
}

/// The next handover of partitions.
async fn handover(membership: &mut dyn Membership) -> Vec<u32> {
    loop {
        let (what, partitions) = change(membership).await;
        if what == "revoked" {
            return partitions;
        }
    }
}

/// The first assignment that is not empty, or the only one.
async fn assignment(membership: &mut dyn Membership) -> Vec<u32> {
    loop {
        let (what, partitions) = change(membership).await;
        if what == "assigned" && !partitions.is_empty() {
            return partitions;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_kafka_log_conforms() {
    let Some(address) = broker::shared() else { return };
    conformance::run(|| open(broker::settings(&address))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_and_positions_outlive_the_process() {
    let Some(address) = broker::shared() else { return };
    let config = broker::settings(&address);
    let log = open(config.clone()).await;
    log.append(numbered(0..50)).await.unwrap();
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    let mut seen = read(reader.as_mut(), 20).await;
    log.commit("main", &reader.positions()).await.unwrap();
    drop((reader, log));
    let log = open(config).await;
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    seen.extend(read(reader.as_mut(), 50 - seen.len()).await);
    seen.sort_unstable();
    assert_eq!(seen, (0..50).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn topics_with_another_count_of_partitions_are_refused_with_the_remedy() {
    let Some(address) = broker::shared() else { return };
    let config = broker::settings(&address);
    drop(open(config.clone()).await);
    let answer = KafkaLog::open(&topics(), PARTITIONS + 1, MAX_RECORD_BYTES, config.clone()).await;
    let told = answer.err().expect("refused").to_string();
    assert!(told.contains("log.partitions = 3") && told.contains("topic_prefix"), "{told}");
    let larger = KafkaLog::open(&topics(), PARTITIONS, 4 * MAX_RECORD_BYTES, config).await;
    let told = larger.err().expect("records that the topic would refuse").to_string();
    assert!(told.contains("log.max_record_bytes") && told.contains("max.message.bytes"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_is_an_error_with_the_setting_and_in_time() {
    let config = KafkaConfig {
        brokers: "127.0.0.1:1".into(),
        connect_timeout: Duration::from_secs(1),
        ..KafkaConfig::default()
    };
    let begun = Instant::now();
    let told = try_open(config).await.err().expect("nobody there").to_string();
    assert!(told.contains("log.kafka.brokers") && told.contains("127.0.0.1:1"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_beyond_the_end_of_topics_made_anew_is_refused() {
    let Some(address) = broker::shared() else { return };
    let old = open(broker::settings(&address)).await;
    old.append(numbered(0..40)).await.unwrap();
    let mut reader = old.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    read(reader.as_mut(), 40).await;
    let anew = open(broker::settings(&address)).await;
    let answer = anew.reader(&["work"], StartOffset::At(reader.positions())).await;
    assert!(matches!(answer.err(), Some(LogError::OutOfRange { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn members_divide_the_partitions_and_hand_them_over() {
    let Some(address) = broker::shared() else { return };
    let config = brisk(broker::settings(&address));
    let (first, second) = (open(config.clone()).await, open(config).await);
    let mut one = first.join("main", "work").await.unwrap();
    assert!(one.divides() && first.join("main", "work").await.is_err(), "a process joins once");
    let mut mine = assignment(one.as_mut()).await;
    mine.sort_unstable();
    assert_eq!(mine, [0, 1, 2], "alone: everything");
    let position = |partition: u32, to: u64| Positions::from([(("work".to_owned(), partition), to)]);
    first.append(numbered(0..70)).await.unwrap();
    first.commit("main", &position(0, 1)).await.unwrap();
    assert!(one.lease().holds(), "a commit proves ownership");

    let mut two = second.join("main", "work").await.unwrap();
    let (handed, taken) = tokio::join!(handover(one.as_mut()), assignment(two.as_mut()));
    assert_eq!(handed, taken, "what one gives the other gets");
    let gone = taken[0];
    let refused = first.commit("main", &position(gone, 2)).await;
    assert!(matches!(refused, Err(LogError::Fenced { .. })), "{refused:?}");
    second.commit("main", &position(gone, 3)).await.unwrap();
    let share = PartitionView::of(second.clone(), vec![gone]);
    let reader = share.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    assert_eq!(reader.positions()[&("work".to_owned(), gone)], 3);

    drop(two);
    assert_eq!(assignment(one.as_mut()).await, taken, "who leaves gives all back");
    first.commit("main", &position(gone, 4)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partition_waits_for_the_worker_that_still_drains() {
    let Some(address) = broker::shared() else { return };
    let config = brisk(broker::settings(&address));
    let (first, second) = (open(config.clone()).await, open(config).await);
    let mut one = first.join("main", "work").await.unwrap();
    assignment(one.as_mut()).await;
    let mut two = second.join("main", "work").await.unwrap();
    let Rebalance::Revoked { partitions, drained } = one.change().await.unwrap() else { panic!("a revocation") };
    // Longer than the session: heartbeats go on while the worker drains, and its commits count.
    let early = tokio::time::timeout(Duration::from_secs(3), assignment(two.as_mut())).await;
    assert!(early.is_err(), "nobody else has it while its worker drains");
    first.commit("main", &Positions::from([(("work".to_owned(), partitions[0]), 0)])).await.unwrap();
    drained.send(()).unwrap();
    assert_eq!(assignment(two.as_mut()).await, partitions);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_leaves_with_a_handover_unread_does_not_wait_for_it() {
    let Some(address) = broker::shared() else { return };
    let config = brisk(broker::settings(&address));
    let (first, second) = (open(config.clone()).await, open(config.clone()).await);
    let mut one = first.join("main", "work").await.unwrap();
    assignment(one.as_mut()).await;
    let mut two = second.join("main", "work").await.unwrap();
    // The handover has begun: the second one waits for it, and nobody reads of it here.
    let waits = tokio::time::timeout(Duration::from_secs(4), assignment(two.as_mut())).await;
    assert!(waits.is_err(), "it was handed over without its worker: {waits:?}");
    let begun = Instant::now();
    drop(one);
    assert!(begun.elapsed() < config.handover_timeout / 2, "it took {:?}", begun.elapsed());
    assert!(!assignment(two.as_mut()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_member_keeps_its_lease() {
    let Some(address) = broker::shared() else { return };
    let log = open(brisk(broker::settings(&address))).await;
    let mut one = log.join("main", "work").await.unwrap();
    assignment(one.as_mut()).await;
    let begun = Instant::now();
    while !one.lease().holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no proof comes");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(one.lease().holds(), "the lease is renewed without any commit of ours");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_instance_comes_back_to_its_partitions() {
    let Some(address) = broker::shared() else { return };
    let named = |name: &str, config: &KafkaConfig| KafkaConfig { instance: name.into(), ..config.clone() };
    let config = KafkaConfig { session_timeout: Duration::from_secs(10), ..broker::settings(&address) };
    let (first, second) = (open(named("a", &config)).await, open(named("b", &config)).await);
    let mut one = first.join("main", "work").await.unwrap();
    assignment(one.as_mut()).await;
    let mut two = second.join("main", "work").await.unwrap();
    let (handed, before) = tokio::join!(handover(one.as_mut()), assignment(two.as_mut()));
    assert_eq!(handed, before);
    drop((two, second));
    let again = open(named("b", &config)).await;
    let mut two = again.join("main", "work").await.unwrap();
    assert_eq!(assignment(two.as_mut()).await, before);
    while let Ok(moved) = tokio::time::timeout(Duration::from_secs(2), one.change()).await {
        // The last word of the division before is that nothing more was assigned.
        assert!(
            matches!(&moved, Ok(Rebalance::Assigned(none)) if none.is_empty()),
            "the other member notices: {moved:?}"
        );
    }
}

/// What a member has when nothing has changed for a while; `None` when its group takes it no more.
async fn fate(mut membership: Box<dyn Membership>) -> Option<BTreeSet<u32>> {
    let mut owned = BTreeSet::new();
    while let Ok(next) = tokio::time::timeout(Duration::from_secs(6), membership.change()).await {
        match next {
            Ok(Rebalance::Assigned(partitions)) => owned.extend(partitions),
            Ok(Rebalance::Revoked { partitions, .. } | Rebalance::Lost(partitions)) => {
                owned.retain(|number| !partitions.contains(number));
            }
            Err(error) => {
                assert!(matches!(error, LogError::Fenced { .. }) && owned.is_empty(), "{error}, {owned:?}");
                return None;
            }
        }
    }
    Some(owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_with_one_name_one_ends_and_the_other_gets_everything_back() {
    let Some(address) = broker::shared() else { return };
    let config = KafkaConfig { instance: "a".into(), ..brisk(broker::settings(&address)) };
    let (first, second) = (open(config.clone()).await, open(config).await);
    let mut one = first.join("main", "work").await.unwrap();
    let everything: BTreeSet<u32> = assignment(one.as_mut()).await.into_iter().collect();
    let two = second.join("main", "work").await.unwrap();
    let fates = tokio::join!(tokio::spawn(fate(one)), tokio::spawn(fate(two)));
    let fates = [fates.0.unwrap(), fates.1.unwrap()];
    assert!(fates.contains(&None) && fates.contains(&Some(everything)), "{fates:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_loses_nothing_repeats_nothing_and_shows() {
    let Some(broker) = broker::Broker::start() else { return };
    let log = open(broker::settings(&broker.address)).await;
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    log.append(numbered(0..10)).await.unwrap();
    assert_eq!(read(reader.as_mut(), 10).await.len(), 10);
    broker.stop(true);
    let writer = log.clone();
    let writing = tokio::spawn(async move {
        for i in 10..60 {
            writer.append(numbered(i..i + 1)).await.expect("an append waits the outage out");
        }
    });
    let begun = Instant::now();
    while log.healthy() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the outage shows");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!writing.is_finished());
    broker.start_again();
    let mut numbers = read(reader.as_mut(), 50).await;
    writing.await.unwrap();
    assert!(reader.poll(10, Duration::from_millis(300)).await.unwrap().is_empty(), "nothing comes twice");
    log.commit("main", &reader.positions()).await.unwrap();
    assert!(log.healthy());
    numbers.sort_unstable();
    assert_eq!(numbers, (10..60).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_told_at_once_and_not_shown() {
    let Some(broker) = broker::Broker::start_with(SASL, &[]) else { return };
    let config = |password: &str| KafkaConfig {
        security: SecurityConfig {
            protocol: Protocol::SaslPlaintext,
            username: "miller".into(),
            password: Secret::new(password),
            ..SecurityConfig::default()
        },
        ..broker::settings(&broker.address)
    };
    let log = open(config("grist")).await;
    log.append(numbered(0..3)).await.unwrap();
    let begun = Instant::now();
    let error = try_open(config("sawdust")).await.err().expect("refused");
    assert!(matches!(error, LogError::Authentication { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(60), "no long retries");
    let told = format!("{error} {error:?} {:?}", config("sawdust"));
    assert!(told.contains("log.kafka.security.password") && !told.contains("sawdust"), "{told}");
}

/// A listener with SASL beside the plain one of the controller.
const SASL: &str = "listener.security.protocol.map=PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
username=\"broker\" password=\"millstone\" user_broker=\"millstone\" user_miller=\"grist\";
";

/// Kafka's own console producer puts keys where [`partition_of`] does.
#[tokio::test(flavor = "multi_thread")]
async fn the_java_producer_puts_the_same_keys_into_the_same_partitions() {
    let Some(address) = broker::shared() else { return };
    let config = broker::settings(&address);
    let topic = format!("{}work", config.topic_prefix);
    let log = open(config).await;
    let keys: Vec<String> =
        (0..200).map(|i| format!("{}{i}.example", ["shop", "新聞", "b", "a-rather-long-name"][i % 4])).collect();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/kafka");
    let producer = Command::new(script)
        .args(["run", "org.apache.kafka.tools.ConsoleProducer", "--bootstrap-server", &address, "--topic", &topic])
        .args(["--property", "parse.key=true", "--property", "key.separator=|"])
        .env("JAVA_TOOL_OPTIONS", "-Dfile.encoding=UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut producer = producer.expect("scripts/kafka runs");
    let mut input = producer.stdin.take().unwrap();
    for key in &keys {
        writeln!(input, "{key}|x").unwrap();
    }
    drop(input);
    let output = producer.wait_with_output().unwrap();
    if !output.status.success() {
        eprintln!("SKIPPED: no Java tools of Kafka: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let mut reader = log.reader(&["work"], StartOffset::At(Positions::new())).await.unwrap();
    let (mut seen, begun) = (Vec::new(), Instant::now());
    while seen.len() < keys.len() && begun.elapsed() < Duration::from_secs(30) {
        for stored in reader.poll(100, Duration::from_secs(1)).await.unwrap() {
            assert_eq!(stored.place.partition, partition_of(stored.key.as_bytes(), PARTITIONS), "{}", stored.key);
            seen.push(stored.key);
        }
    }
    seen.sort();
    let mut keys = keys;
    keys.sort();
    assert_eq!(seen, keys);
}
