//! `gristmill dataset https://… --out DIR`: archives on a web server that gives parts, breaks off, changes its mind and refuses.

use crate::common;

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::archives::{archive, articles};
use tempfile::TempDir;

/// How a server gives its file.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// With ranges; breaks off after so many bytes of each answer.
    Parts(usize),
    /// As `Parts`, but its file is another one after the first answer.
    Changing(usize),
    /// Without ranges; breaks off the first answers.
    Whole(usize),
    /// With ranges; a byte now and then.
    Drip,
    Status(&'static str),
    /// A redirect to this path or URL.
    To(&'static str),
}

struct Server {
    address: SocketAddr,
    /// Range of each request, as it was asked for.
    asked: Arc<Mutex<Vec<Option<u64>>>>,
}

impl Server {
    /// Serves `file` on every path, in the manner that `manner` gives for the path.
    fn of(file: Vec<u8>, manner: impl Fn(&str) -> Manner + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, n_answers) = (asked.clone(), AtomicUsize::new(0));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (path, range) = head(&stream);
                log.lock().unwrap().push(range);
                answer(&stream, &file, manner(&path), range, n_answers.fetch_add(1, Ordering::Relaxed));
            }
        });
        Server { address, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }
}

fn head(stream: &TcpStream) -> (String, Option<u64>) {
    let lines: Vec<String> =
        BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let path = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let range = lines.iter().find_map(|line| line.to_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
    (path, range.and_then(|range| range.trim_end_matches('-').parse().ok()))
}

fn answer(mut stream: &TcpStream, file: &[u8], manner: Manner, range: Option<u64>, number: usize) {
    let (cut, tag) = match manner {
        Manner::Parts(cut) => (cut, 1),
        Manner::Drip => (0, 1),
        Manner::Changing(cut) => (cut, 1 + usize::from(range.is_some())),
        Manner::Whole(cut) => (if number < 2 { cut } else { usize::MAX }, 1),
        Manner::Status(status) => {
            let _ = stream
                .write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes());
            return;
        }
        Manner::To(target) => {
            let head =
                format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(head.as_bytes());
            return;
        }
    };
    let from = range.filter(|_| !matches!(manner, Manner::Whole(_))).unwrap_or(0) as usize;
    let rest = &file[from.min(file.len())..];
    let (status, part) = match from {
        0 => ("200 OK", String::new()),
        _ => ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{}\r\n", file.len() - 1, file.len())),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\n{part}ETag: \"v{tag}\"\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        rest.len()
    );
    let mut drip = rest.iter().filter(|_| manner == Manner::Drip);
    let _ = stream.write_all(head.as_bytes());
    while drip.next().is_some_and(|byte| stream.write_all(&[*byte]).is_ok()) {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    // Who asked may be gone.
    let _ = stream.write_all(&rest[..rest.len().min(cut)]);
}

fn extract(arguments: &[&str], out: &Path) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.arg("dataset").args(arguments).arg("--out").arg(out).args(["--format", "jsonl"]).stdin(Stdio::null());
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, told)
}

fn rows(out: &Path) -> Vec<u8> {
    std::fs::read(out.join("data/part-00000.jsonl")).unwrap()
}

/// The texts of the rows that a file on the disk gives.
fn texts(out: &Path) -> Vec<String> {
    let rows = String::from_utf8(rows(out)).unwrap();
    let text =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
    rows.lines().map(text).collect()
}

#[test]
fn an_archive_that_breaks_off_again_and_again_is_read_as_if_it_were_a_file() {
    let folder = TempDir::new().unwrap();
    let file = archive(&articles());
    let path = folder.path().join("a.warc.gz");
    std::fs::write(&path, &file).unwrap();
    let calm = folder.path().join("calm");
    assert!(extract(&[path.to_str().unwrap()], &calm).0.status.success());
    let cut = file.len() / 5;
    let server = Server::of(file, move |path| match path {
        "/whole" => Manner::Whole(cut),
        "/moved" => Manner::To("/parts"),
        _ => Manner::Parts(cut),
    });
    for name in ["parts", "whole", "moved"] {
        let out = folder.path().join(name);
        let (output, told) = extract(&[&server.url(name), "--allow-private"], &out);
        assert!(output.status.success(), "{name}: {told}");
        assert_eq!(texts(&out), texts(&calm), "{name}");
    }
    let asked = server.asked.lock().unwrap();
    assert!(asked.iter().filter(|range| range.is_some_and(|from| from > 0)).count() >= 8, "{asked:?}");
}

/// A WACZ of these archives.
fn wacz(archives: &[Vec<u8>]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (n, archive) in archives.iter().enumerate() {
        zip.start_file(format!("archive/{n}.warc.gz"), stored).unwrap();
        zip.write_all(archive).unwrap();
        zip.start_file(format!("pages/{n}.jsonl"), stored).unwrap();
        zip.write_all(b"{}\n").unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_wacz_is_read_by_its_parts_and_equals_its_archives() {
    let folder = TempDir::new().unwrap();
    let pages = articles();
    let file = wacz(&[archive(&pages[..3]), archive(&pages[3..])]);
    assert!(file.len() > 200_000, "more than the blocks of its directory: {}", file.len());
    std::fs::write(folder.path().join("a.wacz"), &file).unwrap();
    let (output, told) = extract(&[folder.path().join("a.wacz").to_str().unwrap()], &folder.path().join("disk"));
    assert!(output.status.success(), "{told}");
    let cut = file.len() / 6;
    let server = Server::of(file, move |_| Manner::Parts(cut));
    let out = folder.path().join("net");
    let (output, told) = extract(&[&server.url("a.wacz"), "--allow-private"], &out);
    assert!(output.status.success(), "{told}");
    assert_eq!(texts(&out), texts(&folder.path().join("disk")));
    assert_eq!(texts(&out).len(), pages.len());
    let named = String::from_utf8(rows(&out)).unwrap();
    assert!(named.contains("a.wacz!archive/0.warc.gz") && named.contains("a.wacz!archive/1.warc.gz"), "{named}");
}

#[test]
fn what_cannot_be_read_over_the_network_is_said_with_the_address_and_what_to_do() {
    let folder = TempDir::new().unwrap();
    let file = archive(&articles());
    let (cut, zip) = (file.len() / 2, b"PK\x03\x04 and more".to_vec());
    let server = Server::of(file, move |path| match path {
        "/forbidden" => Manner::Status("403 Forbidden"),
        "/busy" => Manner::Status("503 Busy"),
        "/changing" => Manner::Changing(cut),
        "/circle" => Manner::To("/circle"),
        _ => Manner::Status("404 Not Found"),
    });
    let zips = Server::of(zip, |_| Manner::Parts(usize::MAX));
    let whole = Server::of(wacz(&[vec![0; 100_000]]), |_| Manner::Whole(usize::MAX));
    for (n, (url, wanted)) in [
        (server.url("forbidden"), "403"),
        (server.url("none"), "check the address"),
        (server.url("busy"), "given up after 3 tries"),
        (server.url("changing"), "not the file any more"),
        (server.url("circle"), "redirects"),
        (zips.url("x.warc.gz"), "it is a ZIP"),
        (zips.url("x.wacz"), "could not read the ZIP"),
        (whole.url("x.wacz?version=1"), "ranges"),
        ("http://user:secret@mill.example/a.warc.gz".to_owned(), "names a user"),
        (format!("@{}", server.url("list")), "404"),
    ]
    .into_iter()
    .enumerate()
    {
        let (output, told) = extract(&[&url, "--allow-private"], &folder.path().join(n.to_string()));
        assert_eq!(output.status.code(), Some(1), "{url}: {told}");
        assert!(told.lines().last().unwrap_or("").contains(wanted), "{url}: {told}");
        assert!(!told.contains("secret"), "{told}");
    }
}

#[test]
fn private_addresses_are_refused_unless_allowed_behind_a_redirect_too() {
    let folder = TempDir::new().unwrap();
    let server = Server::of(Vec::new(), |_| Manner::To("http://10.0.0.1/a.warc.gz"));
    let (output, told) = extract(&[&server.url("a.warc.gz")], &folder.path().join("o1"));
    assert!(!output.status.success() && told.contains("127.0.0.1") && told.contains("fetch.allow_private"), "{told}");
    assert!(server.asked.lock().unwrap().is_empty(), "it was asked");
    // The name may be asked, the address behind its redirect may not.
    let settings = folder.path().join("gristmill.toml");
    std::fs::write(&settings, format!("[fetch]\nproxy = \"http://{}\"\n", server.address)).unwrap();
    let config = settings.to_str().unwrap();
    let (output, told) = extract(&["http://mill.example/a.warc.gz", "--config", config], &folder.path().join("o2"));
    assert!(!output.status.success() && told.contains("10.0.0.1") && told.contains("a private address"), "{told}");
    assert_eq!(server.asked.lock().unwrap().len(), 1);
}

#[test]
fn lines_of_lists_stand_behind_the_origin_of_the_list_or_the_base() {
    let folder = TempDir::new().unwrap();
    let file = archive(&articles()[..3]);
    let archives = Server::of(file, |_| Manner::Parts(usize::MAX));
    let list = |text: &str| Server::of(text.as_bytes().to_vec(), |_| Manner::Parts(usize::MAX));
    // The server of this list gives the list for every path, which is no archive: the line was asked for there.
    let own = list("crawl-data/a.warc.gz\n");
    let (output, told) =
        extract(&[&format!("@{}", own.url("x/warc.paths")), "--allow-private"], &folder.path().join("o1"));
    assert!(!output.status.success() && told.contains(&own.url("crawl-data/a.warc.gz")), "{told}");
    let paths = folder.path().join("warc.paths");
    std::fs::write(&paths, "crawl-data/a.warc.gz\n").unwrap();
    let out = folder.path().join("o2");
    let list_name = format!("@{}", paths.display());
    let (output, told) = extract(&[&list_name, "--base", &archives.url(""), "--allow-private"], &out);
    assert!(output.status.success() && !texts(&out).is_empty(), "{told}");
    let greedy = list("s3://secrets/a.warc.gz\n");
    let (output, told) = extract(&[&format!("@{}", greedy.url("l")), "--allow-private"], &folder.path().join("o3"));
    assert!(!output.status.success() && told.contains("credentials"), "{told}");
}

#[test]
fn the_commands_of_the_documentation_work_over_the_network() {
    let folder = TempDir::new().unwrap();
    let lists = Server::of(b"a.warc.gz\n".to_vec(), |_| Manner::Parts(usize::MAX));
    let file = archive(&articles()[..3]);
    let archives = Server::of(file, |_| Manner::Parts(usize::MAX));
    std::fs::write(folder.path().join("warc.paths.gz"), "a.warc.gz\n").unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/archives.md");
    let text = std::fs::read_to_string(page).unwrap();
    let commands: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("gristmill dataset ") && line.contains("https://mill.example/"))
        .collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let is_list = command.contains("@https");
        let mut words = command.replace("https://mill.example/", &archives.url(""));
        if is_list {
            // Its lines stand behind the archives all the same.
            words = format!("{} --base {}", command.replace("https://mill.example/", &lists.url("")), archives.url(""));
        }
        let arguments: Vec<&str> = words.split(' ').skip(1).collect();
        let mut program = Command::new(env!("CARGO_BIN_EXE_gristmill"));
        program.args(&arguments).arg("--allow-private").current_dir(&folder).stdin(Stdio::null());
        let output = program.output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let out = command.split("--out ").nth(1).unwrap();
        assert!(folder.path().join(out).join("manifest.json").is_file(), "{command}");
    }
}

#[test]
fn a_server_that_gives_a_byte_now_and_then_is_given_up() {
    let server = Server::of(archive(&articles()), |_| Manner::Drip);
    let out = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.arg("dataset").arg(server.url("a.warc.gz")).arg("--allow-private").arg("--out").arg(out.path());
    let output = common::finish({
        command.env("GRISTMILL__FETCH__MIN_SPEED_AFTER", "300ms");
        command
    });
    let told = common::text(&output);
    assert!(
        output.status.code() == Some(1) && told.contains("`fetch.min_speed`") && told.contains("given up"),
        "{told}"
    );
}
