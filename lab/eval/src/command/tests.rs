//! Real processes: `sh`, `cat` and what else every system has.

use super::*;
use crate::package::GoldPage;
use crate::system::System;
use std::time::Instant;

fn single(command: &str) -> SingleCommand {
    SingleCommand::new(CommandLine::parse(command).unwrap())
}

fn answer(command: &SingleCommand, html: &[u8]) -> crate::system::Answer {
    command.extract(&GoldPage::default(), html).remove(0)
}

#[test]
fn a_command_line_has_a_name_or_that_of_its_program() {
    let parse = |given| CommandLine::parse(given).map(|line| (line.name, line.words.len()));
    assert_eq!(parse("mine=python3 x.py --a=b").unwrap(), ("mine".to_owned(), 3));
    assert_eq!(parse("/usr/bin/python3 x.py --a=b").unwrap(), ("python3".to_owned(), 3));
    assert_eq!(parse("sh -c 'x=1; echo \"$x\"'").unwrap(), ("sh".to_owned(), 3));
    assert_eq!(parse("t(a,b)=cat").unwrap(), ("t(a,b)".to_owned(), 1));
    assert!(parse("").unwrap_err().to_string().contains("it is empty"));
    assert!(parse("x='").unwrap_err().to_string().contains("left open"));
}

#[test]
fn html_goes_in_and_text_comes_out() {
    let output = answer(&single("cat"), b"<p>\xffhello").unwrap();
    assert_eq!(output.text, "<p>\u{fffd}hello");
    assert!(output.seconds.unwrap() > 0.0);
}

#[test]
fn a_command_that_reads_nothing_is_no_error_however_long_the_page() {
    assert_eq!(answer(&single("echo done"), &vec![b'x'; 1 << 20]).unwrap().text, "done\n");
}

#[test]
fn a_failing_command_is_told_with_its_status_and_last_words() {
    let error = answer(&single("sh -c 'echo text; echo went wrong >&2; exit 3'"), b"").unwrap_err();
    assert!(error.contains('3') && error.contains("went wrong"), "{error}");
    let error = answer(&single("/no/such/program"), b"").unwrap_err();
    assert!(error.contains("could not start `/no/such/program`"), "{error}");
}

#[test]
fn a_hanging_command_is_killed_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let mut command = single(&format!("sh -c 'sleep 300 & echo $! > {}; wait'", file.display()));
    command.timeout = std::time::Duration::from_millis(700);
    let start = Instant::now();
    assert!(answer(&command, b"").unwrap_err().contains("no answer within 700ms"));
    assert!(start.elapsed().as_secs() < 20);
    let pid = std::fs::read_to_string(file).unwrap();
    let gone = || {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        state.map_or(true, |state| state.contains(") Z "))
    };
    let end = Instant::now() + std::time::Duration::from_secs(10);
    while !gone() {
        assert!(Instant::now() < end, "the grandchild {pid} lives on");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn too_much_output_is_an_error_and_does_not_fill_the_memory() {
    let mut command = single("yes");
    command.max_output = 1000;
    assert!(answer(&command, b"").unwrap_err().contains("more than 1000 bytes"));
}

fn batch(script: &str, n: usize) -> Vec<crate::system::Answer> {
    let mut command =
        BatchCommand::new(CommandLine { name: "b".into(), words: vec!["sh".into(), "-c".into(), script.into()] });
    command.timeout = std::time::Duration::from_millis(1500);
    let document =
        |n: usize| GoldPage { id: n.to_string(), package: "p".into(), html: "page.html".into(), ..GoldPage::default() };
    let documents: Vec<GoldPage> = (0..n).map(document).collect();
    let mut answers = Vec::new();
    command.answer_all(&documents.iter().collect::<Vec<_>>(), &mut |at, answer| {
        assert_eq!(at, answers.len(), "in order, each once");
        answers.push(answer);
    });
    assert_eq!(answers.len(), n);
    answers
}

/// Answers each request with its own id as text.
const ECHO: &str = r#"sed -u 's/^{"id":"\([^"]*\)".*/{"id":"\1","text":"t \1","cpu_seconds":0.5}/'"#;

#[test]
fn one_process_answers_many_pages() {
    let answers = batch(ECHO, 300);
    let last = answers[299].clone().unwrap();
    assert_eq!((last.text.as_str(), last.cpu_seconds), ("t p/299", Some(0.5)));
}

#[test]
fn a_process_that_takes_all_before_it_answers_is_no_deadlock() {
    assert_eq!(batch(&format!("{ECHO} | tac | tac"), 50)[49].clone().unwrap().text, "t p/49");
}

#[test]
fn a_process_that_dies_or_hangs_is_started_again_for_the_pages_after_it() {
    let dies = batch(&format!("head -n 2 | {ECHO}; echo died >&2; exit 1"), 6);
    assert!(dies[2].clone().unwrap_err().contains("died"), "{:?}", dies[2]);
    assert_eq!(dies.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false, true, true, false]);
    let hangs = batch(&format!("head -n 2 | {ECHO}; sleep 60"), 4);
    assert!(hangs[2].clone().unwrap_err().contains("no answer within"));
    assert!(hangs[3].is_ok());
}

#[test]
fn a_process_that_never_answers_is_given_up() {
    let answers = batch("exit 7", 40);
    assert!(answers[0].clone().unwrap_err().contains('7'));
    assert!(answers[39].clone().unwrap_err().contains("not asked"));
}

#[test]
fn bad_answers_are_told() {
    let answers = batch(&format!("{ECHO} | sed -u 's/.*p.1\".*/nonsense/; s/\"id\":\"p.3\"/\"id\":\"x\"/'"), 6);
    assert!(answers[1].clone().unwrap_err().contains("not an answer"));
    assert!(answers[3].clone().unwrap_err().contains("instead of `p/3`"), "{:?}", answers[3]);
    assert!(answers[2].is_ok() && answers[5].is_ok());
    let error = batch(r#"sed -u 's/,.*/,"error":"too odd"}/'"#, 1);
    assert_eq!(error[0].clone().unwrap_err(), "too odd");
}
