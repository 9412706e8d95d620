//! `gristmill-lab label` over HTTP, as a browser or a script asks it, and `eval --labels` with what it wrote.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use common::{finish, lab, text};
use serde_json::{Value, json};

const PAGE: &str = "<title>Storm</title><nav><a href=/>Home</a></nav><script>alert(1)</script><h1>Storm hits coast</h1>\
    <p>The storm reached the coast at night, and nobody slept.<p>In the morning the sun came, and boats lay on the streets.\
    <figure><img src=a><figcaption>A boat</figcaption></figure><div class=comment>It was loud, says Ann.</div>";

/// A running server with its address; it ends with the test.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start(package: &Path) -> Server {
        let mut child = lab().arg("label").arg(package).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        Server(child, address.to_owned())
    }

    /// The whole answer.
    fn ask(&self, method: &str, path: &str, host: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        let (n, close) = (body.len(), "Connection: close");
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{close}\r\nContent-Length: {n}\r\n\r\n{body}")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn get(&self, path: &str) -> Value {
        serde_json::from_str(self.ask("GET", path, "localhost", "").split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

/// A package with one page.
fn package(folder: &Path) -> PathBuf {
    let page = folder.join("news/pages/storm.html");
    std::fs::create_dir_all(page.parent().unwrap()).unwrap();
    std::fs::write(&page, PAGE).unwrap();
    page
}

#[test]
fn marks_are_put_over_http_and_methods_are_judged_by_them() {
    let folder = tempfile::tempdir().unwrap();
    let (page, package, labels) =
        (package(folder.path()), folder.path().join("news"), folder.path().join("news/labels"));
    let server = Server::start(&package);
    let rows = server.get("/pages/storm")["rows"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[1]["text"]), (6, &json!("Storm hits coast")));
    let put = |marks: &[(&str, usize, usize)]| {
        let mark = |(kind, first, last): &(&str, usize, usize)| json!({"kind": kind, "first": first, "last": last});
        let body = json!({"page_type": "article", "marks": marks.iter().map(mark).collect::<Vec<_>>()});
        server.ask("PUT", "/pages/storm", "127.0.0.1:80", &body.to_string())
    };
    let overlapping: &[_] = &[("main", 2, 3), ("aside", 3, 4)];
    for (marks, why) in [(&[("main", 4, 6)][..], "no rows 4 to 6"), (overlapping, "twice"), (&[("a", 2, 3)], "JSON")] {
        let answer = put(marks);
        assert!(answer.starts_with("HTTP/1.1 422") && answer.contains(why), "{answer}");
    }
    assert_eq!(server.get("/pages"), json!([{"id": "storm", "marked": false}]));
    put(&[("boilerplate", 0, 0), ("aside", 1, 1), ("main", 2, 3), ("comment", 5, 5)]);
    let kept = server.get("/pages/storm")["marks"].clone();
    assert_eq!((kept.as_array().unwrap().len(), &kept[1]["begins"]), (3, &json!("The storm reached th")));
    assert_eq!(server.get("/pages"), json!([{"id": "storm", "marked": true}]));

    std::fs::create_dir(labels.join("news")).unwrap();
    std::fs::rename(labels.join("storm.json"), labels.join("news/storm.json")).unwrap();
    let eval = || {
        let mut command = lab();
        command.arg("eval").arg(&package).args(["--labels".as_ref(), &*labels, "--labels".as_ref(), &*labels]);
        text(&finish(command))
    };
    let judged = eval();
    let all: Vec<&str> = judged.lines().filter(|line| line.starts_with("| all")).collect();
    assert!(all.len() == 2 && all[1].contains("1.000 | 1.000 | 1.000"), "{judged}");
    std::fs::write(page, PAGE.replace("slept", "woke")).unwrap();
    let refused = "rows 2 to 3 are not those that were marked (`The storm reached th`)";
    assert!(eval().contains(refused));
    std::fs::copy(labels.join("news/storm.json"), labels.join("storm.json")).unwrap();
    let again = server.get("/pages/storm");
    assert_eq!((&again["problem"], &again["marks"]), (&json!(refused), &json!([])));
}

#[test]
fn scripts_of_pages_do_not_run_and_strange_names_addresses_and_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let page = package(folder.path());
    std::fs::write(page.with_file_name("bad.html.gz"), "no gzip").unwrap();
    let server = Server::start(folder.path());
    let answers = [
        ("/look/storm", "localhost", "200", "content-security-policy: sandbox; default-src 'none'"),
        ("/", "[::1]:1", "200", "<iframe sandbox>"),
        ("/pages/bad", "localhost", "422", "bad.html.gz"),
        ("/pages/..%2F..%2Fstorm", "localhost", "404", "no page"),
        ("/pages", "evil.example", "421", "only as"),
    ];
    for (path, host, status, holds) in answers {
        let answer = server.ask("GET", path, host, "");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.contains(holds), "{path}: {answer}");
    }
    for (package, listen, why) in
        [(folder.path(), "0.0.0.0:0", "no loopback"), (Path::new("/none"), "[::1]:0", "/none")]
    {
        let mut command = lab();
        command.arg("label").arg(package).args(["--listen", listen]);
        let output = finish(command);
        assert!(output.status.code() == Some(1) && text(&output).contains(why), "{}", text(&output));
    }
}
