//! Shops that three frameworks draw, with listings, variants and prices from requests of their scripts.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::server::{Answer, HTML, serve};

/// A shop: the files of its program, and what its API tells.
pub struct Shop {
    pub name: &'static str,
    pub index: &'static str,
    pub app: &'static str,
    pub library: Option<(&'static str, &'static str)>,
    pub products: fn(usize) -> Value,
    pub price: &'static str,
}

pub const N_PRODUCTS: usize = 3;

pub const SHOPS: [Shop; 3] = [
    Shop {
        name: "preact",
        index: include_str!("../shops/preact/index.html"),
        app: include_str!("../shops/preact/app.js"),
        library: Some(("/preact.js", include_str!("../shops/preact/preact.js"))),
        products: tool,
        price: "$",
    },
    Shop {
        name: "vue",
        index: include_str!("../shops/vue/index.html"),
        app: include_str!("../shops/vue/app.js"),
        library: Some(("/vue.js", include_str!("../shops/vue/vue.js"))),
        products: teapot,
        price: "¥",
    },
    Shop {
        name: "elements",
        index: include_str!("../shops/elements/index.html"),
        app: include_str!("../shops/elements/app.js"),
        library: None,
        products: lamp,
        price: "€",
    },
];

pub fn tool(n: usize) -> Value {
    let name = ["Cordless drill Rook", "Jig saw Heron", "Bench grinder Wren"][n];
    let about = format!(
        "The {name} is made for long days in the workshop. Its motor is quiet, its grip stays cool, and its battery lasts from the \
         first cup of coffee to the last light. A case and two spare parts come with it."
    );
    let power = ["18 V", "650 W", "350 W"][n];
    json!({"name": name, "about": about, "specs": [["Brand", "Rookworks"], ["Model", format!("RK-{n}40")], ["Power", power],
        ["Weight", format!("1.{n} kg")], ["Warranty", "3 years"]]})
}

pub fn teapot(n: usize) -> Value {
    let name = ["紫砂壶西施", "白瓷盖碗", "铁壶南部"][n];
    let material = ["紫砂", "白瓷", "铸铁"][n];
    let about = format!(
        "{name}由老师傅手工制作，适合冲泡乌龙茶和普洱茶，保温效果好，出水流畅，是送给爱茶朋友的好礼物。每一把都经过三次检验，包装精美。"
    );
    json!({"name": name, "about": about, "specs": [["品牌", "石磨坊"], ["材质", material], ["容量", format!("{}00ml", n + 2)],
        ["产地", "江苏宜兴"], ["重量", format!("0.{}kg", n + 3)]]})
}

pub fn lamp(n: usize) -> Value {
    let colour = ["White", "Amber", "Smoke"][n];
    let name = ["Desk lamp Aurora", "Floor lamp Borealis", "Wall lamp Cirrus"][n];
    let about = format!(
        "{name} gives a warm, even light that does not tire the eyes. The shade is of hand-blown glass and turns in every direction, \
         and the foot of oak keeps it where it was put. Bulbs of all makers fit."
    );
    json!({"name": name, "about": about, "specs": [["Brand", "Lumen & Oak"], ["Material", "Glass, oak"], ["Height", format!("{}5 cm", n + 4)],
        ["Colour", colour], ["Voltage", "230 V"]]})
}

pub fn price(shop: &Shop, n: usize) -> String {
    format!("{}{}9.00", shop.price, n + 3)
}

/// Serves a shop; its pages all have the same bytes.
pub fn open(shop: &'static Shop) -> (String, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let address = serve(move |_, path| -> Answer {
        log.lock().unwrap().push(path.to_owned());
        let js = "Content-Type: text/javascript\r\n";
        if let Some(path) = path.strip_prefix("/api/") {
            let n = path.rsplit('/').next().and_then(|n| n.parse::<usize>().ok()).filter(|n| *n < N_PRODUCTS);
            let body = match (path.split('/').next(), n) {
                (Some("list"), _) => {
                    (0..N_PRODUCTS).map(|n| json!({"id": n, "name": (shop.products)(n)["name"]})).collect()
                }
                (Some("product"), Some(n)) => (shop.products)(n),
                (Some("variants"), Some(n)) => {
                    ["S", "M", "L"].iter().map(|name| json!({"name": name, "price": price(shop, n)})).collect()
                }
                _ => return ("404 Not Found", "", String::new()),
            };
            return ("200 OK", "Content-Type: application/json\r\n", body.to_string());
        }
        match path {
            "/app.js" => ("200 OK", js, shop.app.to_owned()),
            "/shop.css" => ("200 OK", "Content-Type: text/css\r\n", include_str!("../shops/shop.css").to_owned()),
            "/robots.txt" | "/sitemap.xml" | "/favicon.ico" | "/.well-known/tdmrep.json" => {
                ("404 Not Found", "", String::new())
            }
            path if shop.library.is_some_and(|(library, _)| library == path) => {
                ("200 OK", js, shop.library.map_or("", |(_, text)| text).to_owned())
            }
            _ => ("200 OK", HTML, shop.index.to_owned()),
        }
    });
    (format!("http://{address}/"), asked)
}

pub fn is_there() -> bool {
    let there = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].iter().any(|path| Path::new(path).exists());
    if !there {
        eprintln!("SKIPPED: Debian's packages `chromium-headless-shell` and `chromium` are absent");
    }
    there
}
