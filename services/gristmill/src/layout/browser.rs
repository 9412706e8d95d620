//! Chromium over its debugging pipe: messages in JSON, each ended by a zero byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Size of the window in CSS pixels; boxes of pages that were laid out in another do not compare.
pub const VIEWPORT: [u32; 2] = [1280, 1024];
/// What is asked of every node, in this order.
pub const STYLES: [&str; 4] = ["visibility", "opacity", "font-size", "color"];

/// Snapshots of one megabyte are rare; what is beyond this is no page to learn from.
const MAX_MESSAGE: u64 = 128 << 20;
const FLAGS: [&str; 12] = [
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
    // Whatever a page names, nothing is looked up and nobody is asked.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--mute-audio",
];
/// Standard input and output become the pipe's ends 3 and 4, which is where Chromium looks for them.
const ON_PIPE: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// A running browser with one tab that runs no scripts and fetches nothing.
pub struct Browser {
    child: Child,
    to: SyncSender<Vec<u8>>,
    from: Receiver<anyhow::Result<Value>>,
    /// Identifier of the last message sent.
    last: u64,
    session: Option<String>,
    tab: String,
    product: String,
    /// `Page.loadEventFired` came since it was last set to `false`.
    loaded: bool,
    _profile: TempDir,
}

impl Browser {
    /// Starts the program, which has `patience` to come up with a tab.
    pub fn start(program: &Path, patience: Duration) -> anyhow::Result<Browser> {
        let profile = tempfile::tempdir().context("could not make a folder for the browser's profile")?;
        let mut command = Command::new("sh");
        command.args(["-c", ON_PIPE]).arg(program).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if rustix::process::getuid().is_root() {
            // Chromium refuses to run as root with its sandbox. No script of a page runs here.
            command.arg("--no-sandbox");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("could not start `sh`")?;
        let to = sender(child.stdin.take().expect("it is piped"));
        let from = receiver(child.stdout.take().expect("it is piped"));
        let mut browser = Browser {
            child,
            to,
            from,
            last: 0,
            session: None,
            tab: String::new(),
            product: String::new(),
            loaded: false,
            _profile: profile,
        };
        let could_not = || format!("could not use `{}`; `--browser` names Chromium or Chrome", program.display());
        browser.open_tab(Instant::now() + patience).with_context(could_not)?;
        Ok(browser)
    }

    fn open_tab(&mut self, until: Instant) -> anyhow::Result<()> {
        self.product = text(&self.call("Browser.getVersion", json!({}), until)?, "product")?;
        self.tab = text(&self.call("Target.createTarget", json!({"url": "about:blank"}), until)?, "targetId")?;
        let attached = self.call("Target.attachToTarget", json!({"targetId": self.tab, "flatten": true}), until)?;
        self.session = Some(text(&attached, "sessionId")?);
        let [width, height] = VIEWPORT;
        let window = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", window, until)?;
        self.call("Emulation.setScriptExecutionDisabled", json!({"value": true}), until)?;
        self.call("Network.enable", json!({}), until)?;
        self.call(
            "Network.setBlockedURLs",
            json!({"urls": ["http://*", "https://*", "ws://*", "wss://*", "file://*"]}),
            until,
        )?;
        self.call("Page.enable", json!({}), until)?;
        Ok(())
    }

    /// What the browser calls itself, with its version.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// The answer of `DOMSnapshot.captureSnapshot` for a page, within `patience`. After an error the browser is not to be used
    /// again.
    pub fn snapshot(&mut self, html: &str, patience: Duration) -> anyhow::Result<Value> {
        let until = Instant::now() + patience;
        // A new document: the old one keeps colours of links and delayed redirections for the next page.
        self.load("Page.navigate", json!({"url": "about:blank"}), until)?;
        self.load("Page.setDocumentContent", json!({"frameId": self.tab, "html": html}), until)?;
        let snapshot = self.call("DOMSnapshot.captureSnapshot", json!({"computedStyles": STYLES}), until)?;
        let url = snapshot["documents"][0]["documentURL"].as_u64().and_then(|at| usize::try_from(at).ok());
        let url = url.and_then(|at| snapshot["strings"][at].as_str());
        ensure!(url == Some("about:blank"), "the page goes on to another by itself");
        Ok(snapshot)
    }

    fn load(&mut self, method: &str, params: Value, until: Instant) -> anyhow::Result<()> {
        self.loaded = false;
        self.call(method, params, until)?;
        while !self.loaded {
            self.receive(until)?;
        }
        Ok(())
    }

    fn call(&mut self, method: &str, params: Value, until: Instant) -> anyhow::Result<Value> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.send(bytes).context("the browser has ended")?;
        loop {
            let mut answer = self.receive(until).with_context(|| format!("no answer to `{method}`"))?;
            if answer["id"] == json!(self.last) {
                let refused = &answer["error"]["message"];
                ensure!(refused.is_null(), "the browser refuses `{method}`: {refused}");
                return Ok(answer["result"].take());
            }
        }
    }

    fn receive(&mut self, until: Instant) -> anyhow::Result<Value> {
        let message = match self.from.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(message) => message?,
            Err(RecvTimeoutError::Timeout) => bail!("the browser took too long (`--timeout`)"),
            Err(RecvTimeoutError::Disconnected) => bail!("the browser has ended"),
        };
        self.loaded |= message["method"] == "Page.loadEventFired";
        Ok(message)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is lost with it either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands messages to a thread that writes them: writing to a pipe knows no deadline.
fn sender(mut pipe: ChildStdin) -> SyncSender<Vec<u8>> {
    let (sender, receiver) = sync_channel::<Vec<u8>>(1);
    std::thread::spawn(move || receiver.iter().try_for_each(|message| pipe.write_all(&message)));
    sender
}

/// Messages as they come, from a thread that reads them: no more does reading.
fn receiver(pipe: ChildStdout) -> Receiver<anyhow::Result<Value>> {
    let (sender, receiver) = sync_channel(64);
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        while let Some(message) = next(&mut pipe).transpose() {
            let failed = message.is_err();
            if sender.send(message).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

fn next(pipe: &mut impl BufRead) -> anyhow::Result<Option<Value>> {
    let mut bytes = Vec::new();
    pipe.take(MAX_MESSAGE).read_until(0, &mut bytes).context("could not read from the browser")?;
    match bytes.pop() {
        None => Ok(None),
        Some(0) => Ok(Some(serde_json::from_slice(&bytes).context("the browser's message is no JSON")?)),
        Some(_) if bytes.len() as u64 + 1 == MAX_MESSAGE => bail!("the snapshot has more than {MAX_MESSAGE} bytes"),
        Some(_) => bail!("the browser has ended"),
    }
}

fn text(answer: &Value, field: &str) -> anyhow::Result<String> {
    let found = answer[field].as_str().map(str::to_owned);
    found.with_context(|| format!("the browser's answer has no `{field}`"))
}
