//! Documents made to cost time or memory, or to mislead.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gristmill_pdf::PdfToText;
use gristmill_reading::{PdfError, ReadPdf};

use crate::reader;
use crate::writer::{content, of_objects, of_streams, pdf};

fn refused(reader: &PdfToText, bytes: &[u8]) -> PdfError {
    reader.read(bytes).unwrap_err()
}

fn packed(piece: &[u8], times: usize) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..times {
        packer.write_all(piece).unwrap();
    }
    packer.finish().unwrap()
}

#[test]
fn garbage_is_refused_with_what_the_program_says() {
    let Some(reader) = reader() else { return };
    let noise: Vec<u8> = (0..200_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for bytes in
        [&b"%PDF-1.7"[..], b"%PDF-1.7\n1 0 obj <</Title (Mill)>> stream", &[b"%PDF-1.4\n", &noise[..]].concat()]
    {
        let error = refused(&reader, bytes);
        assert!(matches!(&error, PdfError::Unreadable(reason) if reason.contains("could not read it: ")), "{error:?}");
    }
}

#[test]
fn an_encrypted_document_is_refused_with_the_reason() {
    let Some(reader) = reader() else { return };
    let encrypt = "<</Filter/Standard/V 1/R 2/Length 40/P -4/O<00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff>\
                   /U<ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100>>>";
    let objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[]/Count 0>>", "<<>>", "<<>>", encrypt];
    let objects = objects.map(|object| object.as_bytes().to_vec());
    let id = "/Encrypt 5 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]";
    let error = refused(&reader, &of_objects(&objects, id));
    assert!(matches!(&error, PdfError::Unreadable(reason) if reason.contains("encrypted")), "{error:?}");
}

#[test]
fn a_bomb_is_stopped_at_a_limit_and_leaves_nothing_behind() {
    let Some(reader) = reader() else { return };
    // 400 MB of text in a few hundred kB.
    let piece = format!("{}\n", content(&["The mill grinds rye, day and night, and its stones turn slowly."; 100]));
    let bomb = of_streams("", "/Filter/FlateDecode", &[packed(piece.as_bytes(), 50_000)]);
    let begun = Instant::now();
    let error = refused(&reader.clone().with_limits(2, Duration::from_secs(30), 10 << 20), &bomb);
    assert!(matches!(&error, PdfError::TooLarge(_)), "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_nothing_is_left();
}

#[test]
fn a_form_that_draws_itself_many_times_ends() {
    let Some(reader) = reader() else { return };
    // Each form draws the next ten times: 10^9 lines of text.
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</X 6 0 R>>>>/Contents 14 0 R>>";
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[5 0 R]/Count 1>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
        "<<>>".to_owned(),
        page.to_owned(),
    ];
    for n in 6..14 {
        let draw = if n == 13 { content(&["Rye"]) } else { "/X Do ".repeat(10) };
        let resources = format!("<</Font<</F1 3 0 R>>/XObject<</X {} 0 R>>>>", n + 1);
        let length = draw.len();
        let dict = format!("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources{resources}/Length {length}");
        objects.push(format!("<<{dict}>>\nstream\n{draw}\nendstream"));
    }
    objects.push(format!("<</Length 50>>\nstream\n{:<50}\nendstream", "/X Do ".repeat(8)));
    let objects: Vec<Vec<u8>> = objects.into_iter().map(String::into_bytes).collect();
    let begun = Instant::now();
    // Whether it gives up by itself is up to the program.
    let read = reader.with_limits(1, Duration::from_secs(20), 1 << 20).read(&of_objects(&objects, ""));
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}: {read:?}", begun.elapsed());
    assert_nothing_is_left();
}

#[test]
fn a_text_above_the_limit_is_refused_and_says_the_limit() {
    let Some(reader) = reader() else { return };
    let lines = ["The mill grinds rye, day and night."; 40];
    let long = pdf(None, &[&lines[..]; 30]);
    let error = refused(&reader.clone().with_limits(10, Duration::from_secs(60), 10_000), &long);
    assert!(matches!(&error, PdfError::TooLarge(reason) if reason.contains("10000 bytes")), "{error:?}");
    assert!(reader.read(&long).is_ok());
}

#[test]
fn a_process_that_is_late_is_killed() {
    let Some(reader) = reader() else { return };
    let piece = format!("{}\n", content(&["The mill grinds rye."; 100]));
    let slow = of_streams("", "/Filter/FlateDecode", &[packed(piece.as_bytes(), 50_000)]);
    let error = refused(&reader.clone().with_limits(60, Duration::from_millis(300), 10 << 20), &slow);
    assert!(matches!(&error, PdfError::TooLarge(reason) if reason.contains("longer than 300ms")), "{error:?}");
    assert_nothing_is_left();
}

#[test]
fn where_namespaces_can_be_had_the_process_has_no_network_and_no_rights() {
    let user = gristmill_sandbox::user(gristmill_sandbox::NOBODY);
    if gristmill_sandbox::probe(user).is_err() {
        eprintln!("SKIPPED: no namespaces here");
        return;
    }
    let words = gristmill_sandbox::wrapping(user, true);
    let mut command = std::process::Command::new("setpriv");
    command.args(words).args(["sh", "-c", "tail -n +3 /proc/net/dev; id -u; ls /proc | grep -c '^[0-9]'"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].trim_start().starts_with("lo:") && lines.len() == 3, "{told}");
    assert!(user.is_none_or(|user| lines[1] == user.to_string()), "{told}");
    assert!(lines[2].parse::<u32>().unwrap() <= 5, "it sees its own processes alone: {told}");
}

/// Waits until no `pdftotext` runs whose parents are gone.
fn assert_nothing_is_left() {
    let stat = |pid: String| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_left = |stat: &String| {
        let rest = stat.rsplit_once("(pdftotext) ").map(|(_, rest)| rest.split(' ').take(2).collect::<Vec<_>>());
        // One that has ended and waits for the first process to take note is none.
        rest.is_some_and(|rest| rest[0] != "Z" && rest[1] == "1")
    };
    let left = || {
        let pids = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
        pids.map(stat).filter(is_left).count()
    };
    let begun = Instant::now();
    while left() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "a process is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}
