//! `gristmill dataset s3://bucket/key --out DIR`, from a server that speaks S3.

use crate::common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use common::archives::{archive, articles};
use common::{finish, gristmill, text};
use tempfile::TempDir;

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

/// Ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn server() -> Option<(Server, u16)> {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut child = Command::new(python)
        .args(["-c", SERVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let lines = BufReader::new(child.stdout.take()?).lines().map_while(Result::ok);
    let port = lines.into_iter().find_map(|line| line.strip_prefix("port ")?.parse().ok());
    let server = Server(child);
    if port.is_none() {
        eprintln!("SKIPPED: no server that speaks S3: `pip install 'moto[server]'` brings one");
    }
    Some((server, port?))
}

fn put(port: u16, key: &str, bytes: &[u8]) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "PUT /corpus/{key} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-amz-acl: public-read\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(bytes)).unwrap();
    let status = BufReader::new(stream).lines().next().unwrap().unwrap();
    assert!(status.contains("200"), "{status}");
}

#[test]
fn archives_in_buckets_are_read_one_by_one_by_their_folder_and_by_lists() {
    let Some((_server, port)) = server() else { return };
    let folder = TempDir::new().unwrap();
    let pages = articles();
    put(port, "crawl/a.warc.gz", &archive(&pages[..2]));
    put(port, "crawl/b.warc.gz", &archive(&pages[2..5]));
    put(port, "crawl/notes.txt", b"no archive");
    put(port, "warc.paths", b"crawl/b.warc.gz\n");
    let run = |named: &str, out: &str, more: &[(&str, &str)]| -> (Output, String) {
        let mut command = gristmill();
        command.args(["dataset", named, "--format", "jsonl", "--out"]).arg(folder.path().join(out));
        command.env("GRISTMILL__BLOBS__S3__ENDPOINT", format!("http://127.0.0.1:{port}"));
        command.envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test"), ("AWS_REGION", "us-east-1")]);
        command.envs(more.iter().copied());
        let output = finish(command);
        let told = text(&output);
        (output, told)
    };
    for (named, n_pages) in
        [("s3://corpus/crawl/a.warc.gz", 2), ("s3://corpus/crawl/", 5), ("@s3://corpus/warc.paths", 3)]
    {
        let (output, told) = run(named, &n_pages.to_string(), &[]);
        assert!(output.status.success() && told.contains(&format!("pages {n_pages}")), "{named}: {told}");
    }
    let (output, told) = run("s3://corpus/crawl/a.warc.gz", "unsigned", &[("AWS_SKIP_SIGNATURE", "true")]);
    assert!(output.status.success(), "{told}");
    for (named, wanted) in [
        ("s3://corpus/none.warc.gz", "none.warc.gz"),
        ("s3://corpus/nothing/", "no archive"),
        ("s3://none/a.warc.gz", "none"),
    ] {
        let (output, told) = run(named, wanted, &[]);
        assert_eq!(output.status.code(), Some(1), "{named}: {told}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.lines().count() == 1 && said.contains(wanted), "{named}: {told}");
    }
}
