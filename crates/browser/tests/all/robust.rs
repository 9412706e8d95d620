//! Pages that break what draws them, and what is left behind when we are killed ourselves.

use crate::common;

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Shelf, URL, browser, draw, settings};
use gristmill_browser::{
    Browser, BrowserConfig, Isolation, RenderEnd, RenderError, RenderMode, RenderRequest, StartError,
};

/// Whether a process has not ended; one that nobody has waited for has.
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// A process and all that descend from it.
fn tree(root: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |pid| -> Option<(u32, u32)> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Some((pid, stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?))
    };
    let all: Vec<(u32, u32)> = pids.filter_map(parent).collect();
    let mut found = vec![root];
    let mut at = 0;
    while let Some(&pid) = found.get(at) {
        found.extend(all.iter().filter(|(_, parent)| *parent == pid).map(|(pid, _)| *pid));
        at += 1;
    }
    found
}

fn command_line(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default().replace('\0', " ")
}

fn are_gone_within(pids: &[u32], limit: Duration) -> bool {
    assert!(pids.len() > 4, "a browser has more processes than {pids:?}");
    let begun = Instant::now();
    while begun.elapsed() < limit {
        if !pids.iter().any(|pid| is_alive(*pid)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    pids.iter().filter(|pid| is_alive(**pid)).for_each(|pid| eprintln!("left: {pid} {}", command_line(*pid)));
    false
}

fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([format!("-{name}"), pid.to_string()]).status().unwrap().success());
}

async fn next_page_works(browser: &mut Browser) {
    let drawn = draw(browser, "<p id=a></p><script>a.textContent = 'Wheat'</script>", &Shelf::default()).await;
    assert!(drawn.html.contains(">Wheat</p>"), "{}", drawn.html);
}

#[tokio::test]
async fn endless_and_noisy_pages_are_taken_at_the_cap() {
    let wait = Duration::from_millis(800);
    let Some(mut browser) = browser(BrowserConfig { max_wait: wait, ..settings() }).await else { return };
    let shelf = Shelf::default().with("http://mill.test/w.js", "text/javascript", "while (true) {}");
    for (name, script) in [
        ("a loop", "while (true) {}"),
        ("a loop of microtasks", "const f = () => Promise.resolve().then(f); f()"),
        ("growing text", "setInterval(() => document.body.append(' rye'), 5)"),
        ("dialogs without end", "while (true) { alert(1); confirm(2); prompt(3) }"),
        ("dialogs now and then", "setInterval(() => alert(1), 10)"),
        ("a busy history", "setInterval(() => history.pushState(0, '', '#' + Math.random()), 1)"),
    ] {
        let html = format!("<body><p>Rye</p><script>{script}</script>");
        let drawn = browser.render(&RenderRequest::html(URL, html), RenderMode::Scripts, &shelf).await;
        let drawn = drawn.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(drawn.html.contains("Rye"), "{name}: {}", drawn.html);
        // Others may come to rest before.
        let is_endless = !name.contains("history") && !name.contains("now and then");
        assert!(drawn.ended == RenderEnd::Cap || !is_endless, "{name}: {:?}", drawn.ended);
    }
    next_page_works(&mut browser).await;
    assert_eq!(browser.starts(), 1, "none of them costs the browser its process");
    for script in ["for (;;) document.write('<b>')", "for (;;) document.body.append(document.createElement('i'), 'x')"]
    {
        let page = RenderRequest::html(URL, format!("<body><p>Rye</p><script>{script}</script>"));
        let ended = browser.render(&page, RenderMode::Scripts, &shelf).await;
        // Chromium may end the tab itself before we do, on some days four times in a row, and on a busy machine the time is over
        // before there are too many elements: whichever comes first is told.
        let is_cap = ended.as_ref().is_ok_and(|drawn| drawn.ended == RenderEnd::Cap);
        let is_told = is_cap
            || matches!(
                ended,
                Err(RenderError::TooManyElements { .. }
                    | RenderError::Memory { .. }
                    | RenderError::Timeout { .. }
                    | RenderError::Crashed)
            );
        assert!(is_told, "{script}: {ended:?}");
        next_page_works(&mut browser).await;
    }
}

#[tokio::test]
async fn pages_that_go_on_reload_or_close_are_no_pages_of_others() {
    let Some(mut browser) = browser(settings()).await else { return };
    let shelf = Shelf::default();
    let stays = draw(&mut browser, "<p>Rye</p><script>location = '/next'</script>", &shelf).await;
    assert_eq!((stays.leads_to.as_deref(), stays.html.contains("Rye")), (Some("http://mill.test/next"), true));
    draw(&mut browser, "<p>Rye</p><script>close(); print()</script>", &shelf).await;
    let again = draw(&mut browser, "<p>Rye</p><script>location.reload()</script>", &shelf).await;
    assert_eq!(again.leads_to.as_deref(), Some(URL));
    for script in ["location = 'about:blank'", "location = URL.createObjectURL(new Blob(['x'], {type: 'text/html'}))"] {
        let page = RenderRequest::html(URL, format!("<p>Rye</p><script>{script}</script>"));
        let left = browser.render(&page, RenderMode::Scripts, &shelf).await;
        assert!(matches!(left, Err(RenderError::Left { .. })), "{script}: {left:?}");
        next_page_works(&mut browser).await;
    }
}

/// Looks at the memory of a browser all the time.
struct MemoryWatch {
    stop: Arc<AtomicBool>,
    watching: std::thread::JoinHandle<u64>,
}

impl MemoryWatch {
    fn start(pid: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let watching = std::thread::spawn(move || {
            let mut peak = 0;
            while !stopped.load(Ordering::Relaxed) {
                peak = peak.max(tree(pid).into_iter().map(memory_of).sum());
                std::thread::sleep(Duration::from_millis(5));
            }
            peak
        });
        Self { stop, watching }
    }

    /// The most bytes that were seen.
    fn peak(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.watching.join().unwrap()
    }
}

/// Anonymous and shared memory of a process.
fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = status.lines().filter(|line| line.starts_with("RssAnon:") || line.starts_with("RssShmem:"));
    kilobytes.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum::<u64>() * 1024
}

#[tokio::test]
async fn a_memory_bomb_ends_its_page_and_the_next_one_is_drawn() {
    let limit = 400 << 20;
    let Some(mut browser) =
        browser(BrowserConfig { max_memory: limit, max_wait: Duration::from_secs(120), ..settings() }).await
    else {
        return;
    };
    for (bomb, may_be_refused) in [
        // As fast as the machine gives it. The kernel may say no before anybody looks, which ends the script and not the page.
        ("const a = []; for (;;) a.push(new Uint8Array(1 << 26).fill(1))", true),
        ("const a = []; for (;;) a.push(new Uint8Array(1 << 24).fill(1))", true),
        ("const a = []; for (;;) a.push('x'.repeat(1000) + a.length)", false),
        (
            "for (let n = 0; n < 40; n++) new Worker(URL.createObjectURL(new Blob(['const a=[];for(;;)a.push(new Uint8Array(1<<22).fill(1))'])))",
            false,
        ),
    ] {
        let page = RenderRequest::html(URL, format!("<p>Rye</p><script>{bomb}</script>"));
        let watch = MemoryWatch::start(browser.pid().unwrap());
        let ended = browser.render(&page, RenderMode::Scripts, &Shelf::default()).await;
        let is_ended = matches!(ended, Err(RenderError::Memory { .. } | RenderError::Crashed));
        assert!(is_ended || may_be_refused && ended.is_ok(), "{bomb}: {ended:?}");
        let (most, peak) = (limit + (500 << 20), watch.peak());
        assert!(peak < most, "{bomb}: {} MiB were taken", peak >> 20);
        next_page_works(&mut browser).await;
    }
}

#[tokio::test]
async fn a_crashed_tab_is_told_and_the_next_page_is_drawn() {
    let Some(mut browser) = browser(settings()).await else { return };
    let pid = browser.pid().unwrap();
    let killer = tokio::task::spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(700));
        let renderers = tree(pid).into_iter().filter(|pid| command_line(*pid).contains("--type=renderer"));
        renderers.for_each(|pid| signal(pid, "KILL"));
    });
    let page = RenderRequest::html(URL, "<p>Rye</p><script>setInterval(() => document.body.append('x'), 5)</script>");
    let ended = browser.render(&page, RenderMode::Scripts, &Shelf::default()).await;
    killer.await.unwrap();
    assert!(matches!(ended, Err(RenderError::Crashed)), "{ended:?}");
    next_page_works(&mut browser).await;
}

#[tokio::test]
async fn a_browser_that_does_not_answer_is_replaced() {
    let timeout = Duration::from_secs(2);
    let settings = BrowserConfig { timeout, max_wait: Duration::from_secs(1), ..settings() };
    let Some(mut browser) = browser(settings).await else { return };
    let old = tree(browser.pid().unwrap());
    old.iter().for_each(|pid| signal(*pid, "STOP"));
    let ended = browser.render(&RenderRequest::html(URL, "<p>Rye"), RenderMode::Scripts, &Shelf::default()).await;
    assert!(matches!(ended, Err(RenderError::Timeout { .. })), "{ended:?}");
    next_page_works(&mut browser).await;
    assert!(are_gone_within(&old, Duration::from_secs(2)));
}

#[tokio::test]
async fn a_process_is_renewed_and_a_page_sees_nothing_of_the_one_before() {
    let Some(mut browser) = browser(BrowserConfig { max_pages: 2, ..settings() }).await else { return };
    let first = tree(browser.pid().unwrap());
    let html = "<p id=a></p><script>a.textContent = 'seen ' + (localStorage.mill || document.cookie || 'nothing');
        localStorage.mill = 'rye'; document.cookie = 'mill=rye'</script>";
    for _ in 0..5 {
        let drawn = draw(&mut browser, html, &Shelf::default()).await;
        assert!(drawn.html.contains("seen nothing"), "{}", drawn.html);
    }
    assert_eq!(browser.starts(), 3);
    assert!(are_gone_within(&first, Duration::from_secs(2)));
    // A future that is dropped leaves no process to be used again, and no orphan.
    let last = tree(browser.pid().unwrap());
    let page = RenderRequest::html(URL, "<script>while (true) {}</script>");
    let shelf = Shelf::default();
    let dropped = tokio::time::timeout(Duration::from_millis(300), browser.render(&page, RenderMode::Scripts, &shelf));
    assert!(dropped.await.is_err());
    assert!(are_gone_within(&last, Duration::from_secs(2)));
    next_page_works(&mut browser).await;
}

/// Runs in a process of its own, which the next test kills.
#[tokio::test]
#[ignore = "a part of the next test"]
async fn held() {
    let isolation = if std::env::var_os("HELD_OPEN").is_some() { Isolation::Off } else { Isolation::Auto };
    let settings = BrowserConfig { isolation, max_wait: Duration::from_secs(60), ..settings() };
    let Some(mut browser) = browser(settings).await else { return };
    println!("HELD {}", browser.pid().unwrap());
    let page = RenderRequest::html(URL, "<script>while (true) {}</script>");
    let _ = browser.render(&page, RenderMode::Scripts, &Shelf::default()).await;
}

#[tokio::test]
async fn nothing_is_left_two_seconds_after_we_are_killed() {
    if browser(settings()).await.is_none() {
        return;
    }
    for open in [None, Some("HELD_OPEN")] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "robust::held", "--ignored", "--nocapture"]).stdout(Stdio::piped());
        open.map(|name| command.env(name, "1"));
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let pid = lines.filter_map(|line| line.split_once("HELD ")?.1.parse().ok()).next().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let held = tree(pid);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(are_gone_within(&held, Duration::from_secs(2)), "{open:?}");
    }
}

/// A user namespace that allows no further one stands for a system that allows none.
#[tokio::test]
async fn without_a_sandbox_it_does_not_start_and_says_what_to_do() {
    let Some(there) = browser(settings()).await else { return };
    drop(there);
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("chromium-in-a-cage");
    let program = ["chromium-headless-shell", "chromium"]
        .iter()
        .find(|name| std::path::Path::new("/usr/bin").join(name).exists());
    let cage = format!(
        "#!/bin/sh\nexec unshare --user --map-root-user sh -c 'echo 1 > /proc/sys/user/max_user_namespaces && exec unshare --user \
         --map-user=1000 --map-group=1000 {} \"$@\"' sh \"$@\"\n",
        program.unwrap()
    );
    std::fs::write(&script, cage).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused =
        Browser::start(BrowserConfig { program: Some(script), ..settings() }).await.err().expect("it must not start");
    let told = refused.to_string();
    assert!(matches!(refused, StartError::NoSandbox { .. }), "{told}");
    assert!(told.contains("user namespaces") && told.contains("chromium-sandbox"), "{told}");
}
