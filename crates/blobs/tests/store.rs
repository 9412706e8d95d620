//! What every store must do, on a folder and on a server that speaks S3 where one can be had.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use gristmill_blobs::{BlobError, BlobStore, RemovalCounts, hourly_key};

const MIB: usize = 1 << 20;

fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut x = seed | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    (0..length).map(|_| next()).collect()
}

async fn keys(store: &BlobStore, prefix: &str) -> Vec<String> {
    store.list(prefix).await.unwrap().into_iter().map(|blob| blob.key).collect()
}

async fn what_is_put_is_got(store: &BlobStore) {
    let missing = store.get("a/none", 10).await.unwrap_err();
    assert!(matches!(&missing, BlobError::Missing { key } if key == "a/none"), "{missing}");
    assert!(!missing.passes());
    store.put("a/x", Bytes::from_static(b"hello")).await.unwrap();
    assert_eq!(store.get("a/x", 5).await.unwrap().as_ref(), b"hello");
    let large = store.get("a/x", 4).await.unwrap_err();
    assert!(matches!(large, BlobError::TooLarge { size: 5, limit: 4, .. }), "{large}");
    store.put("a/x", Bytes::from_static(b"other")).await.unwrap();
    assert_eq!(store.get("a/x", 100).await.unwrap().as_ref(), b"other", "replaced");
    store.put("a/empty", Bytes::new()).await.unwrap();
    assert!(store.get("a/empty", 0).await.unwrap().is_empty());
    assert_eq!(keys(store, "a").await, ["a/empty", "a/x"]);
    assert_eq!(store.list("a").await.unwrap()[1].size, 5);
    let age = SystemTime::now().duration_since(store.list("a").await.unwrap()[1].put_at).unwrap_or_default();
    assert!(age < Duration::from_secs(60), "{age:?}");
    store.delete("a/x").await.unwrap();
    store.delete("a/x").await.unwrap();
    assert_eq!(keys(store, "a").await, ["a/empty"]);
    for key in ["a//b", "../x", "a/./b"] {
        assert!(matches!(store.put(key, Bytes::new()).await, Err(BlobError::Key { .. })), "{key}");
    }
}

async fn a_large_blob_appears_when_it_is_finished(store: &BlobStore) {
    let bytes = noise(19 * MIB + 17, 5);
    let mut upload = store.upload("b/large").await.unwrap();
    for piece in bytes.chunks(3 * MIB + 1) {
        upload.write(piece).await.unwrap();
        assert!(keys(store, "b").await.is_empty(), "seen before it was finished");
    }
    assert_eq!(upload.finish().await.unwrap(), bytes.len() as u64);
    let mut download = store.download("b/large").await.unwrap();
    assert_eq!(download.size(), bytes.len() as u64);
    let mut got = Vec::new();
    while let Some(piece) = download.next().await.unwrap() {
        got.extend_from_slice(&piece);
    }
    assert!(got == bytes);
    let middle = bytes.len() as u64 / 2;
    let mut rest = store.download_from("b/large", middle).await.unwrap();
    assert_eq!((rest.size(), rest.version().is_some()), (bytes.len() as u64, true));
    let mut got = Vec::new();
    while let Some(piece) = rest.next().await.unwrap() {
        got.extend_from_slice(&piece);
    }
    assert!(got == bytes[middle as usize..]);
    assert!(store.download_from("b/large", bytes.len() as u64).await.unwrap().next().await.unwrap().is_none());
    let mut given_up = store.upload("b/given-up").await.unwrap();
    given_up.write(&bytes[..9 * MIB]).await.unwrap();
    given_up.abort().await.unwrap();
    store.upload("b/none").await.unwrap().finish().await.unwrap();
    assert_eq!(keys(store, "b").await, ["b/large", "b/none"]);
    assert!(store.get("b/none", 0).await.unwrap().is_empty());
}

async fn old_hours_go_and_nothing_else(store: &BlobStore) {
    let now = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let at = |hours_ago: u64, name: &str| hourly_key("c", (1_700_000_000 - hours_ago * 3600) * 1000, name);
    for hours_ago in 0..6 {
        store.put(&at(hours_ago, "one"), Bytes::from_static(b"12345")).await.unwrap();
        store.put(&at(hours_ago, "two"), Bytes::from_static(b"1")).await.unwrap();
    }
    store.put("c/unnamed/x", Bytes::new()).await.unwrap();
    store.put("d/2001-01-01-00/x", Bytes::new()).await.unwrap();
    let removed = store.remove_older("c", Duration::from_secs(3 * 3600), now).await.unwrap();
    assert_eq!(removed, RemovalCounts { blobs: 4, bytes: 12 }, "the hours that ended more than three hours ago");
    let left = keys(store, "c").await;
    assert_eq!(left.len(), 4 * 2 + 1, "{left:?}");
    assert!(left.contains(&at(3, "one")) && !left.contains(&at(4, "one")));
    assert_eq!(store.remove_older("c", Duration::from_secs(3 * 3600), now).await.unwrap(), RemovalCounts::default());
    assert_eq!(store.remove_older("nothing-here", Duration::ZERO, now).await.unwrap(), RemovalCounts::default());
    assert_eq!(keys(store, "d").await.len(), 1);
}

async fn below_a_folder_is_a_store_of_its_own(store: &BlobStore) {
    let (one, two) = (store.below("corpus.one.").unwrap(), store.below("corpus.two.").unwrap());
    one.put("x/1", Bytes::from_static(b"1")).await.unwrap();
    assert!(matches!(two.get("x/1", 9).await, Err(BlobError::Missing { .. })));
    assert_eq!(keys(&one, "x").await, ["x/1"]);
    assert_eq!(keys(store, "corpus.one.").await, ["corpus.one./x/1"]);
}

async fn behaves(store: BlobStore) {
    what_is_put_is_got(&store).await;
    a_large_blob_appears_when_it_is_finished(&store).await;
    old_hours_go_and_nothing_else(&store).await;
    below_a_folder_is_a_store_of_its_own(&store).await;
}

#[tokio::test]
async fn a_folder_behaves_as_a_store() {
    let dir = tempfile::tempdir().unwrap();
    behaves(BlobStore::local(&dir.path().join("made/on/demand")).unwrap()).await;
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

#[tokio::test]
async fn a_put_that_a_crash_cut_off_is_seen_by_nobody_and_cleared_with_its_hour() {
    let dir = tempfile::tempdir().unwrap();
    let store = BlobStore::local(dir.path()).unwrap();
    let key = hourly_key("c", 0, "cut");
    let mut upload = store.upload(&key).await.unwrap();
    upload.write(&noise(9 * MIB, 3)).await.unwrap();
    // As a process does that is killed: nothing is told.
    std::mem::forget(upload);
    assert!(keys(&store, "c").await.is_empty());
    assert_eq!(files(dir.path()), 1, "it left a file");
    store.remove_older("c", Duration::ZERO, SystemTime::now()).await.unwrap();
    assert_eq!(files(dir.path()), 0);
}

mod s3 {
    use std::process::Stdio;

    use gristmill_blobs::S3;
    use tokio::io::{AsyncBufReadExt, BufReader};
    use tokio::process::{Child, Command};

    use super::*;

    /// moto, a server that imitates Amazon's (`pip install 'moto[server]'`), on a free port, with one bucket.
    const SERVER: &str = "
import urllib.request
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer('127.0.0.1', 0)
server.start()
host, port = server.get_host_and_port()
urllib.request.urlopen(urllib.request.Request(f'http://{host}:{port}/corpus', method='PUT'))
print('port', port, flush=True)
import sys
sys.stdin.read()
";

    async fn server() -> Option<(Child, S3)> {
        let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
        let mut server = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(server.stdout.take()?).lines();
        let port = loop {
            let Ok(Some(line)) = lines.next_line().await else {
                eprintln!("SKIPPED: no server that speaks S3: `pip install 'moto[server]'` brings one");
                return None;
            };
            if let Some(port) = line.strip_prefix("port ") {
                break port.to_owned();
            }
        };
        let options = S3 {
            bucket: "corpus".into(),
            prefix: "below/here".into(),
            endpoint: format!("http://127.0.0.1:{port}"),
            region: "us-east-1".into(),
            access_key: "test".into(),
            secret_key: "test".into(),
            ..S3::default()
        };
        Some((server, options))
    }

    #[tokio::test]
    async fn a_bucket_behaves_as_a_store() {
        let Some((_server, options)) = server().await else { return };
        behaves(BlobStore::s3(&options).unwrap()).await;
        let other = BlobStore::s3(&S3 { bucket: "none".into(), ..options }).unwrap();
        let refused = other.put("x", Bytes::new()).await.unwrap_err();
        assert!(!matches!(refused, BlobError::Key { .. }), "{refused}");
    }

    #[tokio::test]
    async fn half_of_the_credentials_are_refused_with_their_key() {
        let half = S3 { bucket: "b".into(), access_key: "me".into(), ..S3::default() };
        let told = BlobStore::s3(&half).unwrap_err().to_string();
        assert!(told.contains("blobs.s3.access_key"), "{told}");
    }
}
