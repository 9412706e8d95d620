//! Pages that try to reach somebody past the fetcher.

/// A way out that a page tries.
pub struct Case {
    pub name: &'static str,
    /// `{T}` is the address of a listener, `{P}` its port, `{U}` the port of one for packets, `{IP}` an address of this machine.
    pub html: &'static str,
    /// Whether it works in a browser without our defences. Else the browser itself, or this machine, is in its way.
    pub is_live: bool,
}

const fn live(name: &'static str, html: &'static str) -> Case {
    Case { name, html, is_live: true }
}

/// One that a browser without defences does not let through either, here.
const fn shut(name: &'static str, html: &'static str) -> Case {
    Case { name, html, is_live: false }
}

pub const CASES: &[Case] = &[
    // Where a page goes on to.
    live("meta_refresh", "<meta http-equiv=refresh content='0;url=http://{T}/meta'>"),
    live("location", "<script>location = 'http://{T}/location'</script>"),
    live("click_on_a_link", "<a id=a href=http://{T}/click>x</a><script>a.click()</script>"),
    live("form_post", "<form id=f method=post action=http://{T}/post><input name=a value=b></form><script>f.submit()</script>"),
    live("form_into_a_popup", "<form id=f target=_blank action=http://{T}/form></form><script>f.submit()</script>"),
    live("popup", "<script>open('http://{T}/popup')</script>"),
    live("popup_without_opener", "<script>open('http://{T}/popup', '_blank', 'noopener')</script>"),
    live(
        "popup_that_its_opener_fills",
        "<script>const w = open('about:blank'); w.document.write('<script>fetch(\"http://{T}/filled\")<\\/script>')</script>",
    ),
    live("download", "<a id=a download href=http://{T}/file.zip>x</a><script>a.click()</script>"),
    live("redirect_of_a_script", "<script src='/redirect?http://{T}/redirected.js'></script>"),
    live("redirect_of_fetch", "<script>fetch('/redirect?http://{T}/redirected', {mode: 'no-cors'})</script>"),
    // Frames.
    live("frame", "<iframe src=http://{T}/frame></iframe>"),
    live("frame_behind_a_redirect", "<iframe src='/redirect?http://{T}/frame'></iframe>"),
    live("frame_of_data", "<iframe src=\"data:text/html,<script>fetch('http://{T}/data',{mode:'no-cors'})</script>\"></iframe>"),
    live(
        "frame_of_srcdoc",
        "<iframe srcdoc=\"<script>fetch('http://{T}/srcdoc',{mode:'no-cors'})</script><img src=http://{T}/img>\"></iframe>",
    ),
    live(
        "frame_of_blob",
        "<iframe id=f></iframe><script>f.src = URL.createObjectURL(new Blob([
        '<script>fetch(\"http://{T}/blob\",{mode:\"no-cors\"})<\\/script>'], {type: 'text/html'}))</script>",
    ),
    live("object", "<object data=http://{T}/object type=text/html></object>"),
    shut("pdf", "<embed src=http://{T}/a.pdf type=application/pdf width=100 height=100>"),
    // What stands on a page.
    live("image", "<img src=http://{T}/a.png>"),
    live("style_sheet", "<link rel=stylesheet href=http://{T}/a.css>"),
    live("style_import", "<style>@import 'http://{T}/a.css';</style>"),
    live("style_image", "<p style='background: url(http://{T}/a.png)'>x</p>"),
    live("font", "<style>@font-face { font-family: a; src: url(http://{T}/a.woff2) } p { font-family: a }</style><p>x</p>"),
    live("video", "<video src=http://{T}/a.mp4 preload=auto autoplay muted></video>"),
    live("script", "<script src=http://{T}/a.js></script>"),
    live("module", "<script type=module>import 'http://{T}/a.mjs'</script>"),
    live("svg_use", "<svg><image href=http://{T}/a.svg width=9 height=9></image></svg>"),
    live("track", "<video src=data:video/mp4,><track default kind=captions src=/redirect?http://{T}/a.vtt></video><img src=http://{T}/b>"),
    // What is fetched ahead.
    shut("preconnect", "<link rel=preconnect href=http://{T}/>"),
    live("preload", "<link rel=preload as=fetch crossorigin href=http://{T}/preload>"),
    live("module_preload", "<link rel=modulepreload href=http://{T}/a.mjs>"),
    live("prefetch", "<link rel=prefetch href=http://{T}/prefetch>"),
    live(
        "prerender",
        "<script type=speculationrules>{\"prefetch\": [{\"source\": \"list\", \"urls\": [\"http://{T}/rules\"]}]}</script>",
    ),
    live(
        "prerender_of_the_same_site",
        "<script type=speculationrules>{\"prerender\": [{\"source\": \"list\", \"urls\": [\"/redirect?http://{T}/pre\"]}]}</script>",
    ),
    shut("icon", "<link rel=icon href=http://{T}/favicon.ico>"),
    shut("manifest", "<link rel=manifest href=http://{T}/app.webmanifest>"),
    shut("name_ahead", "<link rel=dns-prefetch href=//somewhere.example>"),
    // What scripts ask for.
    live("fetch", "<script>fetch('http://{T}/fetch', {mode: 'no-cors'})</script>"),
    live("fetch_that_outlives_the_page", "<script>fetch('http://{T}/alive', {mode: 'no-cors', keepalive: true})</script>"),
    live("xhr", "<script>const x = new XMLHttpRequest(); x.open('GET', 'http://{T}/xhr'); x.send()</script>"),
    live("xhr_that_waits", "<script>const x = new XMLHttpRequest(); x.open('GET', 'http://{T}/xhr', false); try { x.send() } catch (e) {}</script>"),
    live("put", "<script>fetch('http://{T}/put', {method: 'PUT', body: 'x', mode: 'cors'}).catch(() => 0)</script>"),
    shut("put_to_its_own_site", "<script>fetch('/changed', {method: 'PUT', body: 'x'}).catch(() => 0)</script>"),
    shut("form_to_its_own_site", "<iframe name=i></iframe><form id=f target=i method=post action=/changed></form><script>f.submit()</script>"),
    live("beacon", "<script>navigator.sendBeacon('http://{T}/beacon', 'x')</script>"),
    live("beacon_at_the_end", "<script>addEventListener('pagehide', () => navigator.sendBeacon('http://{T}/end', 'x')); location = '/other'</script>"),
    live("ping", "<a id=a ping=http://{T}/ping href=#x>x</a><script>a.click()</script>"),
    live("event_source", "<script>new EventSource('http://{T}/events')</script>"),
    live("web_socket", "<script>new WebSocket('ws://{T}/socket')</script>"),
    live("web_socket_by_name", "<script>new WebSocket('ws://localhost:{P}/socket')</script>"),
    live("web_transport", "<script>new WebTransport('https://127.0.0.1:{U}/transport').ready.catch(() => 0)</script>"),
    live(
        "web_rtc",
        "<script>const c = new RTCPeerConnection({iceServers: [{urls: 'stun:{IP}:{U}'}]});
        c.createDataChannel('a'); c.createOffer().then(o => c.setLocalDescription(o))</script>",
    ),
    live(
        "web_rtc_over_tcp",
        "<script>const c = new RTCPeerConnection({iceServers: [{urls: 'turn:{IP}:{P}?transport=tcp', username: 'a', credential: 'b'}]});
        c.createDataChannel('a'); c.createOffer().then(o => c.setLocalDescription(o))</script>",
    ),
    // Workers.
    live("worker", "<script>new Worker('/echo?fetch(\"http://{T}/worker\",{mode:\"no-cors\"})')</script>"),
    live("worker_that_imports", "<script>new Worker('/echo?importScripts(\"http://{T}/imported.js\")')</script>"),
    live("worker_with_a_socket", "<script>new Worker('/echo?new%20WebSocket(\"ws://{T}/worker\")')</script>"),
    live(
        "worker_of_blob",
        "<script>new Worker(URL.createObjectURL(new Blob(['fetch(\"http://{T}/blob\",{mode:\"no-cors\"})'])))</script>",
    ),
    live("shared_worker", "<script>new SharedWorker('/echo?fetch(\"http://{T}/shared\",{mode:\"no-cors\"})')</script>"),
    live("service_worker", "<script>navigator.serviceWorker.register('/echo?fetch(\"http://{T}/service\",{mode:\"no-cors\"})')</script>"),
    live("worklet", "<script>new AudioContext().audioWorklet.addModule('http://{T}/worklet.js').catch(() => 0)</script>"),
    // Other ways to write an address.
    live("decimal_address", "<script>fetch('http://2130706433:{P}/decimal', {mode: 'no-cors'})</script>"),
    live("hexadecimal_address", "<script>fetch('http://0x7f000001:{P}/hex', {mode: 'no-cors'})</script>"),
    live("octal_address", "<script>fetch('http://0177.0.0.1:{P}/octal', {mode: 'no-cors'})</script>"),
    live("short_address", "<script>fetch('http://127.1:{P}/short', {mode: 'no-cors'})</script>"),
    live("address_of_ipv6", "<script>fetch('http://[::1]:{P}/six', {mode: 'no-cors'})</script>"),
    live("mapped_address", "<script>fetch('http://[::ffff:127.0.0.1]:{P}/mapped', {mode: 'no-cors'})</script>"),
    live("another_loopback_address", "<script>fetch('http://127.8.9.10:{P}/other', {mode: 'no-cors'})</script>"),
    live("name_of_this_machine", "<script>fetch('http://localhost:{P}/name', {mode: 'no-cors'})</script>"),
    live("name_below_that", "<script>fetch('http://metadata.localhost:{P}/name', {mode: 'no-cors'})</script>"),
    live("address_of_the_network", "<script>fetch('http://{IP}:{P}/network', {mode: 'no-cors'})</script>"),
    live("zero_address", "<script>fetch('http://0.0.0.0:{P}/zero', {mode: 'no-cors'})</script>"),
    shut("metadata", "<script>fetch('http://169.254.169.254/latest/meta-data/', {mode: 'no-cors'})</script>"),
    // Other schemes.
    shut("file_frame", "<iframe src=file:///etc/passwd></iframe><script>fetch('file:///etc/passwd').then(r => r.text()).then(t => document.body.append(t))</script>"),
    shut("file_location", "<script>location = 'file:///etc/passwd'</script>"),
    shut("view_source", "<script>open('view-source:http://{T}/source')</script><iframe src='view-source:http://{T}/source'></iframe>"),
    shut("ftp", "<script>fetch('ftp://{T}/ftp').catch(() => 0)</script><iframe src=ftp://{T}/ftp></iframe>"),
    shut("browser_page", "<script>location = 'chrome://version'</script><iframe src=chrome://net-export></iframe>"),
];
