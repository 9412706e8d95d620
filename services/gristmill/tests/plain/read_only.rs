//! A data directory that may only be read can be searched, exported and served.

use crate::common;

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gristmill_index::{IndexConfig, IndexDocument, IndexWriter, Positions};

/// A user who owns nothing, for when the tests run as root, who may write everywhere.
const NOBODY: u32 = 65534;

fn set_mode(path: &Path, folders: u32, files: u32) {
    for entry in std::fs::read_dir(path).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => set_mode(&path, folders, files),
            path => std::fs::set_permissions(path, PermissionsExt::from_mode(files)).unwrap(),
        }
    }
    std::fs::set_permissions(path, PermissionsExt::from_mode(folders)).unwrap();
}

/// An index that nobody may write; with or without the lock file that a writer leaves.
fn corpus(with_lock: bool) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&dir.path().join("index"), &IndexConfig::default()).unwrap();
    for n in 0..3 {
        let document = IndexDocument {
            key: format!("k{n}"),
            title: "Mill".into(),
            text: "stone".into(),
            ..IndexDocument::default()
        };
        writer.upsert(&document).unwrap();
        writer.commit(&Positions::new()).unwrap();
    }
    writer.close().unwrap();
    if !with_lock {
        for name in [".tantivy-meta.lock", ".tantivy-writer.lock"] {
            let _ = std::fs::remove_file(dir.path().join("index").join(name));
        }
    }
    set_mode(dir.path(), 0o555, 0o444);
    dir
}

/// The program where another user may run it.
fn program(dir: &Path) -> PathBuf {
    let program = dir.join("gristmill");
    std::fs::copy(env!("CARGO_BIN_EXE_gristmill"), &program).unwrap();
    std::fs::set_permissions(dir, PermissionsExt::from_mode(0o755)).unwrap();
    program
}

fn command(program: &Path, data: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("--data").arg(data).current_dir("/").stdin(Stdio::null());
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

#[test]
fn what_may_only_be_read_is_searched_exported_checked_and_served() {
    let bin = tempfile::tempdir().unwrap();
    let program = program(bin.path());
    for with_lock in [true, false] {
        let data = corpus(with_lock);
        let before: Vec<_> =
            std::fs::read_dir(data.path().join("index")).unwrap().map(|entry| entry.unwrap().path()).collect();
        let run = |arguments: &[&str]| {
            let mut command = command(&program, data.path());
            let output = command.args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?} {}", common::text(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        assert!(run(&["search", "stone"]).contains("3 of 3 documents"));
        assert_eq!(run(&["export"]).lines().count(), 3);
        let mut served = command(&program, data.path());
        served.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = served.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
        let answer = ask(&address);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(answer.contains("\"total\":3"), "{answer}");
        let after: Vec<_> =
            std::fs::read_dir(data.path().join("index")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(before.len(), after.len(), "nothing was written");
        set_mode(data.path(), 0o755, 0o644);
    }
}

fn ask(address: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET /api/v1/search?q=stone HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
