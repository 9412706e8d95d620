//! The Chinese pages: their commands are those of the English ones, and work as they stand.

use crate::common;

use common::{commands, finish, shell, text};
use gristmill_warc::write::{NewRecord, WarcWriter, urn_uuid};

#[test]
fn both_readmes_have_the_same_commands() {
    let english = commands("README.md");
    assert!(english.len() >= 5, "{english:?}");
    assert_eq!(commands("README.zh-CN.md"), english);
}

#[test]
fn the_commands_of_the_chinese_guide_work_one_after_the_other() {
    const PAGE: &str = "<html lang=zh><title>石磨</title><h1>石磨</h1><p>石磨是用石头做的磨，可以把黄豆磨成豆浆，也可以把小麦磨成面粉。</p>";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("page.html"), PAGE).unwrap();
    let mut archive = WarcWriter::new(Vec::new());
    let id = urn_uuid([1; 16]);
    let record = NewRecord::response(&id, "2026-01-02T03:04:05Z", "https://mill.example/");
    archive
        .write(&record, &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", PAGE.as_bytes()])
        .unwrap();
    std::fs::write(dir.path().join("crawl.warc.gz"), archive.into_inner()).unwrap();
    let commands = commands("docs/getting-started.zh-CN.md");
    assert!(commands.len() >= 9, "{commands:?}");
    for line in commands {
        let mut command = shell(&line);
        command.current_dir(dir.path());
        let output = finish(command);
        assert!(output.status.success(), "{line}: {}", text(&output));
        if line.starts_with("gristmill extract page.html") || line.contains("search") {
            assert!(text(&output).contains("石磨"), "{line}: {}", text(&output));
        }
    }
    assert!(dir.path().join("corpus/manifest.json").exists() && dir.path().join("demo.csv").exists());
}
