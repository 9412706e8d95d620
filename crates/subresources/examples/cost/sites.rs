//! Pages of a shop and a magazine, drawn by three frameworks from data that scripts ask for, with a style sheet of usual size.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Path of a framework's script in `node_modules`, and how it draws what `h` and `load` describe.
const FRAMEWORKS: [(&str, &[&str], &str); 3] = [
    (
        "react",
        &["react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js"],
        "const h = React.createElement; const draw = (view) => {
            const App = () => { const [data, set] = React.useState(null);
                React.useEffect(() => { load().then(set) }, []); return data ? view(data) : h('p', null, 'Loading') };
            ReactDOM.createRoot(document.getElementById('root')).render(h(App)) };",
    ),
    (
        "vue",
        &["vue/dist/vue.global.prod.js"],
        "const h = (tag, more, ...children) => Vue.h(tag, more, children.flat());
        const draw = (view) => Vue.createApp({ data: () => ({ data: null }), mounted() { load().then(data => this.data = data) },
            render() { return this.data ? view(this.data) : h('p', null, 'Loading') } }).mount('#root');",
    ),
    (
        "preact",
        &["preact/dist/preact.umd.js"],
        "const h = preact.h; const draw = (view) => { const root = document.getElementById('root');
            preact.render(h('p', null, 'Loading'), root); load().then(data => preact.render(view(data), root)) };",
    ),
];

/// What a page shows, as a function of its data.
const VIEWS: [(&str, &str); 3] = [
    (
        "listing",
        "data => h('main', {class: 'container', className: 'container'}, h('h1', null, 'Flour'), h('div', {className: 'row'},
            data.items.map(item => h('div', {key: item.id, className: 'col-4 card'}, h('h2', null, item.name),
                h('p', null, item.text), h('span', {className: 'price'}, item.price)))))",
    ),
    (
        "product",
        "data => h('main', {className: 'container'}, h('h1', null, data.items[0].name), h('span', {className: 'price'},
            data.items[0].price), h('table', {className: 'table'}, h('tbody', null, data.items.map(item =>
                h('tr', {key: item.id}, h('th', null, item.name), h('td', null, item.text))))))",
    ),
    (
        "article",
        "data => h('article', {className: 'container'}, h('h1', null, 'The mill of the valley'), data.items.map(item =>
            h('p', {key: item.id}, item.text + ' ' + item.text)))",
    ),
];

/// Serves the pages on loopback until the process ends.
pub struct Sites {
    address: SocketAddr,
}

impl Sites {
    pub fn start(modules: &Path) -> std::io::Result<Sites> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let modules: Arc<Path> = Arc::from(modules);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let modules = Arc::clone(&modules);
                std::thread::spawn(move || reply(&stream, &modules));
            }
        });
        Ok(Sites { address })
    }

    /// Each view with each framework, and with none: the same words in HTML.
    pub fn pages(&self) -> Vec<(String, String)> {
        let mut pages = Vec::new();
        for (view, body) in VIEWS {
            for (name, scripts, start) in FRAMEWORKS {
                let scripts: String = scripts.iter().map(|path| format!("<script src=/m/{path}></script>")).collect();
                let app = format!("{start} const load = () => fetch('/data.json').then(r => r.json()); draw({body})");
                let html = page(view, "", &format!("{scripts}<script>{app}</script>"));
                pages.push((format!("http://{}/{name}/{view}", self.address), html));
            }
            let items =
                (0..60).map(|n| format!("<div class='col-4 card'><h2>{}</h2><p>{}</p></div>", name(n), text(n)));
            let html = page(view, &format!("<main class=container>{}</main>", items.collect::<String>()), "");
            pages.push((format!("http://{}/plain/{view}", self.address), html));
        }
        pages
    }
}

fn page(title: &str, content: &str, scripts: &str) -> String {
    let menu: String =
        (0..20).map(|n| format!("<li class=nav-item><a class=nav-link href=/{n}>Part {n}</a></li>")).collect();
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title><link rel=stylesheet \
         href=/m/bootstrap/dist/css/bootstrap.min.css></head><body><ul class=nav>{menu}</ul><div id=root>{content}</div>\
         {scripts}<footer class='mt-5 text-muted'>The mill, 1520 to now</footer></body></html>"
    )
}

fn name(n: usize) -> String {
    format!("Stone ground flour number {n}")
}

fn text(n: usize) -> String {
    format!(
        "The mill grinds grain, day and night, and its {n} stones turn slowly while the water runs below the wheel, which \
         nobody has stopped since it was built five hundred years ago."
    )
}

fn data() -> String {
    let item = |n| format!(r#"{{"id":{n},"name":"{}","text":"{}","price":"{n}.50 €"}}"#, name(n), text(n));
    format!(r#"{{"items":[{}]}}"#, (0..60).map(item).collect::<Vec<_>>().join(","))
}

fn reply(mut stream: &TcpStream, modules: &Path) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let (status, kind, body) = match path.strip_prefix("/m/").filter(|path| !path.contains("..")) {
        Some(file) => {
            let kind = if file.ends_with(".css") { "text/css" } else { "text/javascript" };
            match std::fs::read(modules.join(PathBuf::from(file))) {
                Ok(body) => ("200 OK", kind, body),
                Err(_) => ("404 Not Found", kind, Vec::new()),
            }
        }
        None if path == "/data.json" => ("200 OK", "application/json", data().into_bytes()),
        None => ("404 Not Found", "text/plain", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // Who asked may be gone.
    let _ = stream.write_all(&[head.as_bytes(), &body].concat());
}
