//! A proxy that passes everything on, one that is out of order, one that hangs.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

/// Serves `n` connections with `answer`, each given the request's head.
fn proxy(n: usize, answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(n) {
            let mut stream = stream.unwrap();
            let mut head = [0; 2000];
            let length = stream.read(&mut head).unwrap();
            answer(std::str::from_utf8(&head[..length]).unwrap(), &mut stream);
        }
    });
    Proxy { timeout: Duration::from_secs(20), ..Proxy::parse(&format!("p=http://{address}")).unwrap() }
}

fn pass_on(request: &str, stream: &mut TcpStream) {
    let url = request.split(' ').nth(1).unwrap().trim_start_matches("http://");
    let (host, path) = url.split_once('/').unwrap();
    let mut upstream = TcpStream::connect(host).unwrap();
    write!(upstream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = Vec::new();
    upstream.read_to_end(&mut page).unwrap();
    stream.write_all(&page).unwrap();
}

#[test]
fn the_page_comes_back_through_the_proxy_without_its_tags() {
    let proxy = proxy(3, pass_on);
    for html in ["<p>one<p>two &amp; three", "", "<script>x</script>"] {
        let answer = proxy.answer(html.as_bytes()).unwrap();
        assert_eq!(answer.text, strip(html.as_bytes(), None));
        assert!(answer.seconds.unwrap() < 20.0);
    }
}

#[test]
fn only_the_time_after_serving_counts() {
    let slow = proxy(1, |request, stream| {
        std::thread::sleep(Duration::from_millis(400));
        pass_on(request, stream);
    });
    assert!(slow.answer(b"<p>x").unwrap().seconds.unwrap() < 0.3, "the wait before the request is not extraction");
}

#[test]
fn an_error_status_a_silent_proxy_and_none_at_all_are_told() {
    let broken = proxy(1, |_, stream| stream.write_all(b"HTTP/1.1 502 Bad\r\n\r\n<h1>No way</h1>").unwrap());
    assert_eq!(broken.answer(b"x").unwrap_err(), "status 502: No way");
    let made_up = proxy(1, |_, stream| stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nhi").unwrap());
    assert!(made_up.answer(b"x").unwrap_err().contains("without asking"));
    let mut hangs = proxy(1, |_, _| std::thread::sleep(Duration::from_secs(5)));
    hangs.timeout = Duration::from_millis(300);
    assert!(hangs.answer(b"x").unwrap_err().contains("no answer within 300ms"));
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = Proxy::parse(&format!("http://{nobody}")).unwrap();
    assert!(nobody.answer(b"x").unwrap_err().contains("could not reach the proxy"));
}

#[test]
fn a_proxy_is_a_url_with_a_name_or_without() {
    let parsed = Proxy::parse("mine=http://127.0.0.1:3128").unwrap();
    assert_eq!((parsed.name.as_str(), parsed.address.port()), ("mine", 3128));
    assert_eq!(Proxy::parse("http://127.0.0.1:99/").unwrap().name, "127.0.0.1:99");
    assert!(Proxy::parse("https://127.0.0.1").unwrap_err().to_string().contains("not an `http` URL"));
    assert!(Proxy::parse("localhost").is_err());
}
