//! A searcher on a free port over a small index, and a client of a dozen lines.
#![allow(dead_code, reason = "each test program uses its part")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use gristmill_fetch::FetchConfig;
use gristmill_index::{DocumentKind, IndexConfig, IndexDocument, IndexWriter, Positions, ProductAttribute};
use gristmill_reading::PageReader;
use gristmill_searcher::{ExtractConfig, ExtractService, Metrics, Searcher, SearcherConfig, serve};
use prometheus::{Encoder, Registry, TextEncoder};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// An account of a crawl, as a running one writes it.
pub const STATUS: &str = r#"{"state":"running","started_at":"2024-01-01T00:00:00Z","updated_at":"2024-01-01T00:10:00Z",
    "fetched":12345,"queued":678,"failed":9,"documents":12000,"pages_per_second":87.5,
    "hosts":["docs.example.org",{"host":"www.example.cn"}],"outcomes":{"ok":12000,"disallowed":300,"timeout":9}}"#;

/// A server that ends with the test.
pub struct Server {
    pub address: SocketAddr,
    dir: tempfile::TempDir,
    registry: Registry,
    searcher: Searcher,
    stop: CancellationToken,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    /// Serves these documents; none at all, not even an index, if the list is empty.
    pub fn start(documents: &[IndexDocument]) -> Self {
        Self::launch(documents, &SearcherConfig::default(), None)
    }

    /// Serves these documents with these settings.
    pub fn with(documents: &[IndexDocument], config: &SearcherConfig) -> Self {
        Self::launch(documents, config, None)
    }

    /// Extracts pages by `config`, and fetches by `fetch` if that allows it.
    pub fn extracting(config: ExtractConfig, fetch: &FetchConfig) -> Self {
        Self::extracting_as(SearcherConfig { extract: config, ..SearcherConfig::default() }, fetch)
    }

    /// The same, with these settings of the server.
    pub fn extracting_as(mut config: SearcherConfig, fetch: &FetchConfig) -> Self {
        config.extract.enabled = true;
        Self::launch(&[], &config, Some(fetch))
    }

    fn launch(documents: &[IndexDocument], config: &SearcherConfig, fetch: Option<&FetchConfig>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (registry, stop) = (Registry::new(), CancellationToken::new());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let metrics = Metrics::register(&registry).unwrap();
        let reader = PageReader::default();
        let extraction =
            fetch.map(|fetch| ExtractService::new(&config.extract, reader, fetch, metrics.clone()).unwrap());
        let searcher = Searcher::new(dir.path().join("index"), dir.path().join("status.json"), config, metrics);
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Self { address, dir, registry, searcher: searcher.clone(), stop: stop.clone(), runtime };
        if !documents.is_empty() {
            server.index(documents);
        }
        server.runtime.spawn(serve(listener, searcher, extraction, stop));
        server
    }

    /// Adds documents and commits.
    pub fn index(&self, documents: &[IndexDocument]) {
        let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        let mut writer = IndexWriter::open(&self.dir.path().join("index"), &config).unwrap();
        documents.iter().for_each(|document| writer.upsert(document).unwrap());
        writer.commit(&Positions::new()).unwrap();
        writer.close().unwrap();
    }

    /// The number of documents, asked past the network.
    pub fn count(&self) -> Option<u64> {
        self.runtime.block_on(self.searcher.count()).unwrap()
    }

    /// The same, by who was told that there is something new.
    pub fn count_afresh(&self) -> Option<u64> {
        self.searcher.refresh();
        self.count()
    }

    /// Flips a bit in the middle of the first index file with this ending.
    pub fn damage(&self, ending: &str) {
        let entries = std::fs::read_dir(self.dir.path().join("index")).unwrap().map(|entry| entry.unwrap().path());
        let file = entries.into_iter().find(|path| path.extension().is_some_and(|end| end == ending)).unwrap();
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        std::fs::write(file, bytes).unwrap();
    }

    pub fn write_status(&self, json: &str) {
        std::fs::write(self.dir.path().join("status.json"), json).unwrap();
    }

    /// Status, head and body of the answer.
    pub fn get(&self, path: &str) -> (u16, String, String) {
        self.send(&format!("GET {path} HTTP/1.1"))
    }

    pub fn send(&self, request_line: &str) -> (u16, String, String) {
        self.exchange(request_line, b"")
    }

    /// Posts a body with these header lines, each with its line break; status, head and JSON of the answer.
    pub fn post(&self, path: &str, fields: &str, body: &[u8]) -> (u16, String, Value) {
        let head = format!("POST {path} HTTP/1.1\r\n{fields}Content-Length: {}", body.len());
        let (status, head, body) = self.exchange(&head, body);
        (status, head, serde_json::from_str(&body).unwrap())
    }

    fn exchange(&self, head: &str, body: &[u8]) -> (u16, String, String) {
        let host = format!("Host: {}\r\n", self.address);
        self.exchange_as(&host, head, body)
    }

    /// With these lines in the place of the `Host`.
    pub fn exchange_as(&self, host: &str, head: &str, body: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect();
        let request = format!("{head}\r\n{host}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        // The server may answer, and close, before it has read all.
        let _ = stream.write_all(body);
        Self::answer(stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    pub fn answer(mut stream: TcpStream) -> (u16, String, String) {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    pub fn json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub fn metrics(&self) -> String {
        let mut out = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Waits for a condition that must come true.
    pub fn until(&self, condition: impl Fn() -> bool) {
        let started = Instant::now();
        while !condition() {
            assert!(started.elapsed() < Duration::from_secs(30), "condition never came true");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A plain English page.
pub fn page(key: &str, title: &str, text: &str) -> IndexDocument {
    IndexDocument {
        key: key.into(),
        url: format!("https://docs.example.org/guide/{key}.html"),
        title: title.into(),
        text: text.into(),
        site: "example.org".into(),
        host: "docs.example.org".into(),
        language: "en".into(),
        fetched_at: 1_704_067_200,
        method: "twcem".into(),
        ..IndexDocument::default()
    }
}

/// A few documents in English and Chinese.
pub fn library() -> Vec<IndexDocument> {
    let mut all = vec![
        page(
            "async",
            "Running subprocesses with asyncio",
            "The event loop starts a child process and goes on with other work while the child runs.\n\
             With asyncio a program reads the output of a subprocess line by line, without a thread for each of them. \
             Cancel the task, and the pipe is closed; the child itself must be ended by hand.",
        ),
        IndexDocument {
            author: "R. Miller".into(),
            published: Some(1_688_169_600),
            ..page(
                "stones",
                "How a mill stone is dressed",
                "A pair of stones grinds well for some weeks. Then the miller lifts the runner stone, and cuts the \
                 furrows anew with a steel pick. Asyncio has nothing to do with it, but makes this page a hit.",
            )
        },
        IndexDocument {
            language: "zh".into(),
            site: "example.cn".into(),
            host: "www.example.cn".into(),
            url: "https://www.example.cn/ai/2024/03/机器学习.html".into(),
            author: "李晓明".into(),
            published: Some(1_709_596_800),
            ..page(
                "zh1",
                "机器学习与全文搜索",
                "搜索引擎先把网页切成词，再建立倒排索引。\n机器学习可以改进排序：模型根据用户的点击估计网页与查询的相关程度。\
                 中文没有空格，分词的好坏直接影响搜索结果。",
            )
        },
        IndexDocument {
            language: "zh".into(),
            site: "example.cn".into(),
            host: "www.example.cn".into(),
            url: "https://www.example.cn/tw/search.html".into(),
            ..page(
                "zh2",
                "搜尋引擎與電腦",
                "這篇文章說明搜尋引擎怎樣處理繁體中文。機器學習也用在這裡，電腦會自動分詞。",
            )
        },
        IndexDocument {
            kind: DocumentKind::Product,
            attributes: vec![
                ProductAttribute::new("Color", "deep red"),
                ProductAttribute { number: Some(1.2), unit: "kg".into(), ..ProductAttribute::new("Weight", "1.2 kg") },
            ],
            ..page("product", "Hand mill, cast iron", "A small mill for grain and spices, with an adjustable burr.")
        },
    ];
    let text = "This copy of a long agency report stands on three sites with the same words in the same order, and \
                only the name of the paper differs between the copies that readers get to see.";
    all.extend((0..3).map(|n| IndexDocument {
        site: "copies.example".into(),
        simhash: 0x1234_5678_9abc_def0 ^ (1 << n),
        simhash_version: gristmill_text::FINGERPRINT_VERSION,
        ..page(&format!("copy{n}"), "Agency report", text)
    }));
    all
}
