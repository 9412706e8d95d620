//! Whatever is changed in the stored documents of an index, reading them gives documents with keys or counts them as lost.
//!
//! The input is a list of changes: place (u16 LE), what the byte there is combined with.

#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use gristmill_index::{IndexDocument, IndexConfig, IndexWriter, Positions, install_panic_hook, salvage};
use libfuzzer_sys::fuzz_target;

const DOCUMENTS: u64 = 20;

struct Sound {
    dir: tempfile::TempDir,
    store: PathBuf,
    bytes: Vec<u8>,
}

/// An index of one segment, made once.
fn sound() -> &'static Sound {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    SOUND.get_or_init(|| {
        // Panics that are caught and told as damage are none; all others end the run.
        install_panic_hook();
        let dir = tempfile::tempdir().expect("a folder");
        let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        let mut writer = IndexWriter::open(dir.path(), &config).expect("an index");
        for n in 0..DOCUMENTS {
            let text = format!("The mill of {n} stands at the river and grinds the grain of {} farmers. ", n * 7);
            let document = IndexDocument { key: format!("key{n}"), text: text.repeat(3), ..IndexDocument::default() };
            writer.upsert(&document).expect("a document");
        }
        writer.commit(&Positions::new()).expect("a commit");
        writer.close().expect("an end");
        let files = std::fs::read_dir(dir.path()).expect("files").map(|file| file.expect("a file").path());
        let store = files.into_iter().find(|path| path.extension().is_some_and(|end| end == "store")).expect("a store");
        let bytes = std::fs::read(&store).expect("its bytes");
        Sound { dir, store, bytes }
    })
}

fuzz_target!(|changes: &[u8]| {
    let sound = sound();
    let mut bytes = sound.bytes.clone();
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[place] ^= change[2];
    }
    std::fs::write(&sound.store, &bytes).expect("the store is written");
    let mut taken = 0;
    let salvaged = salvage(sound.dir.path(), |document| {
        assert!(!document.key.is_empty());
        taken += 1;
        Ok(())
    });
    let salvaged = salvaged.expect("damage is no error");
    assert_eq!((salvaged.documents, salvaged.documents + salvaged.lost), (taken, DOCUMENTS));
    if bytes == sound.bytes {
        assert_eq!((salvaged.lost, salvaged.doubtful), (0, 0));
    }
});
