//! A new database that is there as a whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use fjall::{Database, Error};

/// Opens the database in `path` with `open`, or makes it, as a whole or not at all.
///
/// fjall makes a database file by file, and refuses one whose making was cut off by a crash. So a new one is made beside its place and
/// moved there. A folder that cannot be moved to, as it holds other files or is mounted, is left to fjall.
///
/// # Errors
/// [`Error::Locked`] while another process makes it; what `open` returns; the disk does not answer.
pub fn open_whole(path: &Path, open: impl Fn(&Path) -> Result<Database, Error>) -> Result<Database, Error> {
    if !is_filled(path)? {
        make(path, &open)?;
    }
    open(path)
}

fn make(path: &Path, open: impl Fn(&Path) -> Result<Database, Error>) -> Result<(), Error> {
    let Some((parent, unfinished)) = unfinished_of(path) else { return Ok(()) };
    remove_unfinished(&unfinished)?;
    drop(open(&unfinished)?);
    match fs::rename(&unfinished, path) {
        Ok(()) => File::open(parent)?.sync_all()?,
        Err(error) if matches!(error.kind(), io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices) => {
            fs::remove_dir_all(&unfinished)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// The folder of a path, and where the database is until it is finished.
fn unfinished_of(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut name = path.file_name()?.to_owned();
    name.push(".unfinished");
    let parent = match path.parent()? {
        parent if parent.as_os_str().is_empty() => PathBuf::from("."),
        parent => parent.to_owned(),
    };
    let unfinished = parent.join(name);
    Some((parent, unfinished))
}

fn is_filled(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes what a crash left, unless its process is at work.
fn remove_unfinished(unfinished: &Path) -> Result<(), Error> {
    if let Ok(lock) = File::open(unfinished.join("lock"))
        && matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock))
    {
        return Err(Error::Locked);
    }
    match fs::remove_dir_all(unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use fjall::KeyspaceCreateOptions;

    use super::*;

    fn open(path: &Path) -> Result<Database, Error> {
        Database::builder(path).open()
    }

    #[test]
    fn what_a_crash_left_of_a_database_is_made_anew_and_one_that_stands_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let unfinished = folder.path().join("store.unfinished");
        fs::create_dir_all(&unfinished).unwrap();
        fs::write(unfinished.join("0.jnl"), "").unwrap();
        let words = |database: &Database| database.keyspace("words", KeyspaceCreateOptions::default).unwrap();
        words(&open_whole(&path, open).unwrap()).insert("rye", "a grass").unwrap();
        assert!(!unfinished.exists());
        let again = |path: &Path| {
            assert!(!path.ends_with("store.unfinished"), "it stands");
            open(path)
        };
        let database = open_whole(&path, again).unwrap();
        assert_eq!(words(&database).get("rye").unwrap().unwrap().as_ref(), b"a grass");
    }

    #[test]
    fn a_folder_with_other_files_is_left_alone_and_one_at_work_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let unfinished = folder.path().join("store.unfinished");
        let at_work = open(&unfinished).unwrap();
        assert!(matches!(open_whole(&path, open), Err(Error::Locked)));
        drop(at_work);
        fs::create_dir(&path).unwrap();
        drop(open_whole(&path, open).unwrap());
        fs::remove_file(path.join("version")).unwrap();
        assert!(matches!(open_whole(&path, open), Err(Error::Io(_))), "it holds files");
        assert!(!unfinished.exists());
    }
}
