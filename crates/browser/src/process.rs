//! One running browser: commands and their answers over its pipe.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};

use crate::cdp_pipe::PipeError;
use crate::deny_proxy::DenyAll;
use crate::error::{RenderError, StartError};
use crate::launch::LaunchPlan;
use crate::settings::BrowserConfig;
use crate::supervisor::{self, BrowserHandle};
use crate::usage::ProcessUsage;

/// What the names of profiles begin with; the number of our process follows.
const PROFILE: &str = "gristmill-browser-";

/// A browser that was started and pauses every request.
pub(crate) struct BrowserProcess {
    pub(crate) commands: CdpSender,
    pub(crate) incoming: mpsc::Receiver<Result<Value, PipeError>>,
    pub(crate) product: String,
    pub(crate) is_isolated: bool,
    /// Pages that it has drawn.
    pub(crate) pages: u32,
    pid: u32,
    deny: DenyAll,
    thread: Option<std::thread::JoinHandle<()>>,
    /// Gone after the processes that use it.
    profile: Option<TempDir>,
}

/// The way to tell the browser something.
pub(crate) struct CdpSender {
    /// None when it is to end.
    to: Option<Sender<Vec<u8>>>,
    last: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    timeout: Duration,
}

/// Whom a command is for: a target that is attached, or the browser itself.
pub(crate) type Session<'s> = Option<&'s str>;

impl CdpSender {
    /// Sends a command, whose answer is not waited for.
    pub(crate) fn tell(&self, session: Session<'_>, method: &str, params: Value) {
        self.send(session, method, params);
    }

    /// Sends a command; the answer comes while someone passes messages to [`CdpSender::answered`].
    pub(crate) async fn call(
        &self,
        session: Session<'_>,
        method: &'static str,
        params: Value,
    ) -> Result<Value, RenderError> {
        self.call_within(self.timeout, session, method, params).await
    }

    /// The same with another timeout.
    pub(crate) async fn call_within(
        &self,
        limit: Duration,
        session: Session<'_>,
        method: &'static str,
        params: Value,
    ) -> Result<Value, RenderError> {
        let (sender, receiver) = oneshot::channel();
        let id = {
            let mut waiting = self.lock();
            let id = self.send(session, method, params);
            waiting.insert(id, sender);
            id
        };
        let answer = tokio::time::timeout(limit, receiver).await;
        self.lock().remove(&id);
        let mut answer = answer.map_err(|_| RenderError::Timeout { method, limit })?.map_err(|_| RenderError::Ended)?;
        match answer["error"]["message"].as_str() {
            Some(reason) => Err(RenderError::Refused { method, reason: reason.chars().take(300).collect() }),
            None => Ok(answer["result"].take()),
        }
    }

    /// Takes in the answer to a command; gives back what is none.
    pub(crate) fn answered(&self, message: Value) -> Option<Value> {
        let Some(id) = message["id"].as_u64() else { return Some(message) };
        if let Some(waiting) = self.lock().remove(&id) {
            // Whoever asked may have given up.
            let _ = waiting.send(message);
        }
        None
    }

    fn send(&self, session: Session<'_>, method: &str, params: Value) -> u64 {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        if let Some(to) = &self.to {
            // A browser that has ended is found out by the end of its own messages.
            let _ = to.send(bytes);
        }
        id
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, oneshot::Sender<Value>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BrowserProcess {
    /// Starts a browser, which has `timeout` to come up.
    pub(crate) async fn start(settings: &BrowserConfig) -> Result<BrowserProcess, StartError> {
        let launch = LaunchPlan::plan(settings)?;
        let spawn = |source| StartError::Spawn { program: launch.program.display().to_string(), source };
        let deny = DenyAll::start().await.map_err(spawn)?;
        let profile = profile(launch.user).map_err(spawn)?;
        let command = launch.command(settings, profile.path(), deny.address());
        let kept = supervisor::start(command).map_err(|source| StartError::Helper { source })?;
        let BrowserHandle { pid, to, from, said, thread } = kept;
        let commands =
            CdpSender { to: Some(to), last: AtomicU64::new(0), waiting: Mutex::default(), timeout: settings.timeout };
        let mut process = BrowserProcess {
            commands,
            incoming: from,
            product: String::new(),
            is_isolated: launch.is_isolated,
            pages: 0,
            pid,
            deny,
            thread: Some(thread),
            profile: Some(profile),
        };
        match process.open(settings).await {
            Ok(()) => Ok(process),
            Err(error) => {
                // Ended, so that all it has to say is said soon.
                drop(process);
                for _ in 0..20 {
                    if said.is_whole() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(why(&launch, &error, &said.lines()))
            }
        }
    }

    async fn open(&mut self, settings: &BrowserConfig) -> Result<(), RenderError> {
        let version = self.call("Browser.getVersion", json!({})).await?;
        self.product = version["product"].as_str().unwrap_or("unknown").chars().take(100).collect();
        if !settings.without.pausing {
            // Asked of the browser itself it holds for all targets: frames, workers of each kind, popups.
            self.call("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]})).await?;
        }
        self.call("Target.setAutoAttach", auto_attach()).await?;
        Ok(())
    }

    /// A command while nobody draws a page.
    async fn call(&mut self, method: &'static str, params: Value) -> Result<Value, RenderError> {
        let BrowserProcess { commands, incoming, .. } = self;
        tokio::select! {
            answer = commands.call(None, method, params) => answer,
            error = async {
                loop {
                    match incoming.recv().await {
                        Some(Ok(message)) => drop(commands.answered(message)),
                        Some(Err(PipeError::NoJson(reason))) => break RenderError::Protocol { method, reason },
                        Some(Err(_)) | None => break RenderError::Ended,
                    }
                }
            } => Err(error),
        }
    }

    /// Connections that the deny-all proxy refused.
    pub(crate) fn refused_connections(&self) -> u64 {
        self.deny.refused()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    pub(crate) fn usage(&self) -> ProcessUsage {
        ProcessUsage::of(self.pid)
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        // Its thread ends all processes when nobody can send any more, and only then the profile can go.
        self.commands.to = None;
        let (thread, profile) = (self.thread.take(), self.profile.take());
        std::thread::spawn(move || {
            thread.map(std::thread::JoinHandle::join);
            drop(profile);
        });
    }
}

/// The targets below one are attached to as they come up, and wait until they are told to go on.
pub(crate) fn auto_attach() -> Value {
    // A tab stands for its page, and both at once are refused.
    let filter = json!([{"type": "browser", "exclude": true}, {"type": "tab", "exclude": true}, {}]);
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter})
}

/// A folder that only the browser's user may enter.
fn profile(user: Option<u32>) -> std::io::Result<TempDir> {
    sweep();
    let folder = tempfile::Builder::new().prefix(&format!("{PROFILE}{}-", std::process::id())).tempdir()?;
    if let Some(user) = user {
        std::os::unix::fs::chown(folder.path(), Some(user), Some(user))?;
    }
    Ok(folder)
}

/// Removes the profiles of processes that were killed.
fn sweep() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PROFILE)?.split_once('-')?.0.parse::<u32>().ok());
        if owner.is_some_and(|pid| !std::path::Path::new(&format!("/proc/{pid}")).exists()) {
            // Another process may do the same, or it is not ours to remove.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// What a start failed of, by what the browser wrote.
fn why(launch: &LaunchPlan, error: &RenderError, said: &[String]) -> StartError {
    let program = launch.program.display().to_string();
    if said.iter().any(|line| line.contains("No usable sandbox") || line.contains("SUID sandbox helper binary")) {
        let user = launch.user.unwrap_or_else(|| rustix::process::getuid().as_raw());
        return StartError::NoSandbox { program, user };
    }
    let problem = match error {
        RenderError::Ended => "has ended as soon as it was started".to_owned(),
        other => format!("cannot be used: {other}"),
    };
    let tail: Vec<&str> = said.iter().rev().take(3).rev().map(String::as_str).collect();
    let said = if tail.is_empty() { String::new() } else { format!("; it said: {}", tail.join(" / ")) };
    StartError::Silent { program, problem, said }
}
