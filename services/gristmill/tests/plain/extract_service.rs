//! `gristmill serve --extract` says of a page what `gristmill extract` says.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use common::gristmill;
use serde_json::Value;

const PAGE: &str = "<html lang=en><title>Rye</title><h1>Rye</h1><p>Rye is a grass, and it is grown for its grain, which \
                    mills grind to flour.</p><p>Bread of rye keeps for a week, and longer when it is dark.</p></html>";

struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_answer_is_what_the_command_line_prints() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(dir.path()).args(["serve", "--extract", "--listen", "127.0.0.1:0"]);
    let mut serving = Serving(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(serving.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    let head = format!(
        "POST /api/v1/extract HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}",
        PAGE.len()
    );
    write!(stream, "{head}\r\n\r\n{PAGE}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let answer: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();

    let file = dir.path().join("page.html");
    std::fs::write(&file, PAGE).unwrap();
    let output = gristmill().args(["extract", "--format", "json"]).arg(&file).output().unwrap();
    let mut printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(printed["text"].as_str().unwrap().contains("grass"), "{printed}");
    printed.as_object_mut().unwrap().remove("file");
    assert_eq!(answer, printed);
}
