//! The forms of the corpus that programs ask for: Markdown, OpenSearch, `llms.txt`.

use crate::support;

use quick_xml::Reader;
use quick_xml::events::Event;

use support::{Server, library, page};

fn get(server: &Server, path: &str, accept: &str) -> (u16, String, String) {
    let fields = format!("Host: {}\r\nAccept: {accept}\r\n", server.address);
    server.exchange_as(&fields, &format!("GET {path} HTTP/1.1"), b"")
}

#[test]
fn a_document_is_given_as_markdown_to_who_asks_for_it() {
    let mut documents = library();
    documents.push(page("marks", "A \n title", "# no heading\n> no quotation\n```\nplain"));
    let server = Server::start(&documents);
    for path in ["/document/stones", "/api/v1/document/stones"] {
        let (status, head, body) = get(&server, path, "text/markdown");
        let head = head.to_lowercase();
        assert!(status == 200 && head.contains("content-type: text/markdown; charset=utf-8"), "{head}");
        assert!(head.contains("vary: accept"), "{head}");
        assert!(
            body.starts_with(
                "# How a mill stone is dressed\n\n<https://docs.example.org/guide/stones.html>\n\nR. Miller, 2023-07-01"
            ),
            "{body}"
        );
        assert!(body.ends_with("a hit.\n"), "{body}");
        let (_, head, _) = get(&server, path, "*/*");
        assert!(
            !head.to_lowercase().contains("text/markdown") && head.to_lowercase().contains("vary: accept"),
            "{head}"
        );
        assert_eq!(get(&server, "/document/absent", "text/markdown").0, 404);
    }
    let (_, _, body) = get(&server, "/document/marks", "text/markdown");
    assert!(
        body.contains("# A title\n") && body.contains("\n\\# no heading\n\n\\> no quotation\n\n\\```\n\nplain\n"),
        "{body}"
    );
}

#[test]
fn the_search_page_names_an_opensearch_description_and_that_names_the_searches() {
    let server = Server::start(&library());
    let (_, _, start) = server.get("/");
    assert!(start.contains("<link rel=\"search\" type=\"application/opensearchdescription+xml\""), "{start}");
    let (status, head, xml) = server.get("/opensearch.xml");
    assert!(status == 200 && head.to_lowercase().contains("application/opensearchdescription+xml"), "{head}");
    let (mut reader, mut templates) = (Reader::from_str(&xml), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Empty(element) if element.name().as_ref() == "Url" => {
                let template = element.try_get_attribute("template").unwrap().unwrap();
                templates.push(template.value.replace("&amp;", "&"));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(templates.len(), 3, "{xml}");
    for template in templates {
        let path = template.strip_prefix(&format!("http://{}", server.address)).expect("the server's own address");
        let path = path.replace("{searchTerms}", "asyncio").replace("{startIndex?}", "");
        let (status, _, body) = server.get(&path);
        assert!(status == 200 && body.to_lowercase().contains("asyncio"), "{path}");
    }
}

#[test]
fn what_llms_txt_names_is_there() {
    let server = Server::start(&library());
    let (status, _, text) = server.get("/llms.txt");
    assert!(status == 200 && text.starts_with("# Gristmill\n\n> "), "{text}");
    let links: Vec<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() >= 4, "{text}");
    for link in links {
        assert_eq!(server.get(link).0, 200, "{link}");
    }
    assert!(!text.contains("token") && !text.contains("/extract"), "{text}");
}
