//! Clients that open connections and say nothing, or little, take no service from others.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gristmill_index::{IndexConfig, IndexDocument, IndexWriter, Positions};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How long a busy machine may take for what takes a moment.
const PATIENCE: Duration = Duration::from_secs(60);

/// File handles of the server.
const HANDLES: u64 = 256;

/// Slow connections, far more than the server has handles.
const SLOW: usize = 400;

struct Server {
    child: Child,
    address: SocketAddr,
    _dir: tempfile::TempDir,
}

impl Server {
    fn start(settings: &[(&str, &str)]) -> Self {
        Self::with_text("stone ".repeat(40_000), settings)
    }

    /// Has one document, with this text.
    fn with_text(text: String, settings: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = IndexConfig { max_text_bytes: text.len(), ..IndexConfig::default() };
        let mut writer = IndexWriter::open(&dir.path().join("index"), &config).unwrap();
        let document = IndexDocument { key: "k".into(), title: "Mill".into(), text, ..IndexDocument::default() };
        writer.upsert(&document).unwrap();
        writer.commit(&Positions::new()).unwrap();
        writer.close().unwrap();
        // The limit is set by a shell, which becomes the program.
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {HANDLES}; exec \"$0\" \"$@\"")]).arg(env!("CARGO_BIN_EXE_gristmill"));
        command.arg("--data").arg(dir.path()).args(["serve", "--listen", "127.0.0.1:0"]);
        command.envs(settings.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').parse().unwrap();
        Self { child, address, _dir: dir }
    }

    /// Asks as an honest client does: again where the server says that it is busy, for some time.
    fn ask(&self) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            match self.ask_once() {
                Err(said) if said.starts_with("HTTP/1.1 503") && begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(200));
                }
                answer => return answer,
            }
        }
    }

    fn ask_once(&self) -> Result<(), String> {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(self.address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            write!(stream, "GET /api/v1/search?q=stone HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        match ask() {
            Ok(answer) if answer.starts_with("HTTP/1.1 200") => Ok(()),
            Ok(answer) => Err(answer),
            Err(error) => Err(error.to_string()),
        }
    }

    fn slow(&self, says: &str) -> Vec<TcpStream> {
        let open = |_| {
            let mut stream = TcpStream::connect(self.address).ok()?;
            stream.write_all(says.as_bytes()).ok()?;
            Some(stream)
        };
        (0..SLOW).filter_map(open).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the other side has closed.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    match stream.read(&mut [0; 4096]) {
        Ok(0) => true,
        Ok(_) => is_closed(stream),
        Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
    }
}

/// Lets this process have more connections open than the 1,024 that a login begins with.
fn raise_file_handles() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

/// Opens slow connections of three kinds, and asks beside them.
fn serves_on(settings: &[(&str, &str)]) {
    raise_file_handles();
    let server = Server::start(settings);
    server.ask().unwrap();
    let kinds =
        ["", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "GET /document/k HTTP/1.1\r\nHost: localhost\r\n\r\n"];
    let mut slow = Vec::new();
    for says in kinds {
        slow.extend(server.slow(says));
        for _ in 0..5 {
            server.ask().unwrap_or_else(|error| panic!("beside {} connections that say {says:?}: {error}", slow.len()));
        }
    }
    let begun = Instant::now();
    while slow.iter_mut().any(|stream| !is_closed(stream)) {
        assert!(begun.elapsed() < PATIENCE, "slow connections stay open");
        std::thread::sleep(Duration::from_millis(100));
    }
    println!(
        "{} slow connections closed {:.1} s after the last one was opened",
        slow.len(),
        begun.elapsed().as_secs_f64()
    );
    server.ask().unwrap();
}

const BRISK: [(&str, &str); 3] = [
    ("GRISTMILL__SEARCHER__HEADER_TIMEOUT", "2s"),
    ("GRISTMILL__SEARCHER__IDLE_TIMEOUT", "3s"),
    ("GRISTMILL__SEARCHER__TIME_LIMIT", "2s"),
];

#[test]
fn hundreds_of_slow_connections_of_one_client_take_no_service_from_others() {
    serves_on(&BRISK);
}

#[test]
fn more_slow_connections_than_file_handles_take_no_service_from_others() {
    let many = [
        ("GRISTMILL__SEARCHER__MAX_CONNECTIONS_PER_CLIENT", "100000"),
        ("GRISTMILL__SEARCHER__MAX_CONNECTIONS", "100000"),
    ];
    serves_on(&[&BRISK[..], &many[..]].concat());
}

/// More than the kernel keeps for a client that does not read.
const LONG: usize = 24_000_000;

#[test]
fn an_answer_that_is_taken_in_byte_by_byte_is_cut_off_at_its_time_limit() {
    let limit = ("GRISTMILL__SEARCHER__ANSWER_TIMEOUT", "3s");
    // Without words, which would take long to index.
    let server = Server::with_text("-".repeat(LONG), &[&BRISK[..], &[limit]].concat());
    let mut stream = TcpStream::connect(server.address).unwrap();
    write!(stream, "GET /api/v1/document/k HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let begun = Instant::now();
    // Some bytes at a time and often, so that the server never finds the connection idle.
    let mut taken = 0;
    while begun.elapsed() < Duration::from_secs(6) {
        taken += stream.read(&mut [0; 2048]).unwrap_or(0);
        std::thread::sleep(Duration::from_millis(5));
    }
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(taken + rest.len() < LONG, "{taken} and {} bytes: all of it came", rest.len());
    server.ask().unwrap();
}

#[test]
fn a_request_that_comes_byte_by_byte_is_cut_off_at_its_time_limit() {
    let limit = ("GRISTMILL__SEARCHER__ANSWER_TIMEOUT", "3s");
    let server = Server::start(&[&BRISK[..], &[limit]].concat());
    let heads = [
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
    ];
    for head in heads {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let begun = Instant::now();
        while !is_closed(&mut stream) {
            assert!(begun.elapsed() < PATIENCE, "{head:?} goes on");
            let _ = stream.write_all(b"x");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn bounds_of_nothing_are_refused_by_name() {
    for (key, value) in [
        ("MAX_CONNECTIONS", "0"),
        ("MAX_CONNECTIONS_PER_CLIENT", "0"),
        ("HEADER_TIMEOUT", "0s"),
        ("IDLE_TIMEOUT", "1s"),
        ("ANSWER_TIMEOUT", "5s"),
    ] {
        let mut command = common::gristmill();
        command.args(["serve", "--listen", "127.0.0.1:0"]).env(format!("GRISTMILL__SEARCHER__{key}"), value);
        let output = common::finish(command);
        let said = common::text(&output);
        assert!(!output.status.success() && said.contains(&format!("searcher.{}", key.to_lowercase())), "{said}");
    }
}
