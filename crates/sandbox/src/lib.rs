//! Programs that read what strangers wrote: started as a user without rights, and without a network where the system allows that.
//!
//! Nothing is started here. [`wrapping`] gives the arguments of `setpriv` that stand before the program.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A user and group without rights, `nobody` of Debian.
pub const NOBODY: u32 = 65_534;

/// As whom a program is to run: `user` where we are root, ourselves else.
pub fn user(user: u32) -> Option<u32> {
    rustix::process::getuid().is_root().then_some(user)
}

/// Whether namespaces of network, processes and messages can be had. Starts `unshare`, some 10 ms.
///
/// # Errors
/// What the system said.
pub fn probe(user: Option<u32>) -> Result<(), String> {
    let words = unshare(user);
    let output = Command::new(words[0]).args(&words[1..]).arg("true").stdin(Stdio::null()).output();
    match output {
        Err(error) => Err(format!("`unshare`: {error}")),
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().chars().take(200).collect()),
    }
}

/// The arguments of `setpriv` up to the program: it ends with the thread that starts it, and has the user, and namespaces of its
/// own if `is_isolated`.
pub fn wrapping(user: Option<u32>, is_isolated: bool) -> Vec<String> {
    let mut words = vec!["--pdeathsig", "KILL"];
    if is_isolated {
        words.extend(unshare(user));
    }
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    if let Some(user) = user {
        if is_isolated {
            // Another user clears the signal, so it is asked for once more.
            words.extend(["setpriv", "--pdeathsig", "KILL"].map(str::to_owned));
        }
        words.extend([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
    }
    words
}

fn unshare(user: Option<u32>) -> Vec<&'static str> {
    let mut words = vec!["unshare"];
    if user.is_none() {
        // Who is not root first needs a namespace of users.
        words.extend(["--user", "--map-current-user"]);
    }
    words.extend(["--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    words
}

/// The first of these programs that a folder of `PATH` has.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| folders.iter().map(|dir| dir.join(OsStr::new(name))).find(|file| file.is_file()))
}
