//! The command line that starts a browser: as whom, in which namespaces, with which flags.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::StartError;
use crate::settings::{BrowserConfig, Isolation};

/// In this order where no program is named.
const PROGRAMS: &[&str] = &["chromium-headless-shell", "chromium", "google-chrome"];

const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en-US",
    // A tab that nobody looks at draws and runs its timers all the same.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
];

/// Bytes that a process of the browser maps and does not use, such as the stacks of its threads.
const UNUSED: u64 = 256 << 20;

/// Standard input and output become the pipe's ends 3 and 4, which is where Chromium looks for them. The shell stays, since it may
/// be the first process of a namespace, which has to reap those that others leave behind.
const ON_PIPE: &str = r#"exec 3<&0 4>&1 </dev/null >/dev/null; "$0" "$@" & exec 3<&- 4>&-; wait $!"#;

/// What a browser is started with.
pub(crate) struct LaunchPlan {
    pub(crate) program: PathBuf,
    /// As whom, where that is not ourselves.
    pub(crate) user: Option<u32>,
    /// Whether it has namespaces of its own.
    pub(crate) is_isolated: bool,
}

impl LaunchPlan {
    /// Finds the program, and out what the system allows.
    pub(crate) fn plan(settings: &BrowserConfig) -> Result<LaunchPlan, StartError> {
        let program = program(settings)?;
        let user = gristmill_sandbox::user(settings.user);
        let is_isolated = match (settings.isolation, gristmill_sandbox::probe(user)) {
            (Isolation::Off, _) => false,
            (_, Ok(())) => true,
            (Isolation::Auto, Err(_)) => false,
            (Isolation::Required, Err(reason)) => return Err(StartError::NoNamespaces { reason }),
        };
        Ok(LaunchPlan { program, user, is_isolated })
    }

    /// The command, for a profile that belongs to the browser's user.
    pub(crate) fn command(&self, settings: &BrowserConfig, profile: &Path, proxy: SocketAddr) -> Command {
        let mut words = gristmill_sandbox::wrapping(self.user, self.is_isolated);
        // What takes memory faster than it is looked at is stopped by the kernel. Mappings count that nothing is written to, too.
        words.extend(["prlimit".to_owned(), format!("--data={}", settings.max_memory.saturating_add(UNUSED))]);
        words.extend(["sh", "-c", ON_PIPE].map(str::to_owned));
        let mut command = Command::new("setpriv");
        command.args(words).arg(&self.program).args(FLAGS).args(guards(settings, proxy));
        command.arg(format!("--user-data-dir={}", profile.display()));
        if let Some(agent) = &settings.user_agent {
            command.arg(format!("--user-agent={agent}"));
        }
        // Nothing of our environment is for a page to see.
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        command.env("HOME", profile).env("TMPDIR", profile).env("LANG", "C.UTF-8").env("TZ", "UTC");
        command.env("XDG_CONFIG_HOME", profile).env("XDG_CACHE_HOME", profile);
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// What keeps it off the network where a request is not paused.
fn guards(settings: &BrowserConfig, proxy: SocketAddr) -> Vec<String> {
    let without = settings.without;
    let mut flags = Vec::new();
    if !without.proxy {
        flags.push(format!("--proxy-server=http://{proxy}"));
        if !without.loopback_rule {
            // Else Chromium asks hosts of this machine and 169.254/16 directly.
            flags.push("--proxy-bypass-list=<-loopback>".to_owned());
        }
    }
    if !without.resolver_rules {
        flags.push(format!("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {}", proxy.ip()));
    }
    if !without.webrtc_policy {
        flags.push("--force-webrtc-ip-handling-policy=disable_non_proxied_udp".to_owned());
        flags.push("--webrtc-ip-handling-policy=disable_non_proxied_udp".to_owned());
    }
    flags
}

fn program(settings: &BrowserConfig) -> Result<PathBuf, StartError> {
    if let Some(program) = &settings.program {
        return Ok(program.clone());
    }
    gristmill_sandbox::find(PROGRAMS).ok_or(StartError::NotFound)
}
