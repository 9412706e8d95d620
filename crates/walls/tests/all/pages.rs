//! What is none.

use gristmill_walls::{WallInput, wall};

fn is_page(html: &str) {
    let answer = WallInput { status: 200, url: "https://mill.example/rye/7", html };
    assert_eq!(wall(&answer), None, "{html}");
}

#[test]
fn short_pages_of_all_kinds() {
    let long = "<p>The stone turns slowly, and the meal falls warm into the sack below it.</p>".repeat(12);
    for html in [
        "<title>Rye</title><h1>Rye</h1><p>Rye is a grain. It grows on poor soil.",
        "<title>Contact</title><h1>Contact</h1><p>Mill Lane 1. Telephone 1234.</p>",
        "<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script src=/main.js></script>",
        "<title>The Mill</title><p>Short news.</p><script src=https://js.datadome.co/tags.js></script><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
        "<title>Rye bread</title><h1>Rye bread</h1><p>Bake it for an hour.</p><form action=/login><input name=user><input type=password><button>Log in</button></form>",
        "<title>Rye bread</title><h1>Rye bread</h1><p>Bake it for an hour.</p><div class=banner>We use cookies for advertising with our partners. <button>Accept all</button></div>",
        "<title>Write to us</title><h1>Write to us</h1><form><input name=name><textarea></textarea><div class=g-recaptcha></div><button>Send</button></form>",
        "<title>Error 404 and how to avoid it</title><h1>Error 404 and how to avoid it</h1><p>A server answers so where it has no page.",
        "<title>Join us</title><h1>Create your account</h1><form><input name=name><input type=email><input type=tel><input name=street><input type=password></form>",
        "<title>Lost and not found: a story of two millers</title><p>They looked for the stone for years.",
        "<title>Mill Lane</title><h1>A mill for sale</h1><p>With two stones and a wheel.",
        "<title>Cookies</title><h1>Oat cookies</h1><p>Mix oats, butter and sugar.</p><button>Print</button>",
        "<title>Verification of weights</title><h1>Verification</h1><p>The scales of the mill are verified each year.</p>",
        "<title>Bereshit</title><h1>Bereshit</h1><p>The first weekly portion.</p>",
        "<title>What is a parked domain?</title><h1>What is a parked domain?</h1><p>One that shows no pages of its owner.</p>",
        "<title>Account suspended? Ask us</title><h1>Account suspended? Ask us</h1><p>We help by telephone.</p>",
        "<title>Please wait</title><p>You are led on to another page of the mill.</p><meta http-equiv=refresh content='0; url=/next'>",
        "<title>Um momento</title><h1>Um momento no moinho</h1><p>A roda parou.</p>",
        "<title>Fees</title><h1>Blocked drains</h1><p>We come within the hour.",
        "",
    ] {
        is_page(html);
    }
    is_page(&format!("<title>Access denied: the strike at the mill</title><h1>Access denied</h1>{long}{long}{long}"));
    is_page(&format!("<title>Just a moment</title><h1>Just a moment</h1>{long}{long}"));
    is_page(&format!(
        "<title>How captchas work</title><h1>How captchas work</h1>{long}<p>You are not a robot, are you?</p>{long}"
    ));
    is_page(&format!("<title>Not found</title><h1>The treasure</h1>{long}{long}{long}{long}"));
}

#[test]
fn articles_about_walls() {
    let paragraph = "<p>A trade has grown around them since the first ones were registered: brokers keep lists, write to the owners, and \
        take a share. Whoever wants one asks for its price, and mostly hears of a sum that no small mill would ever pay for it.</p>";
    for title in [
        "404 Not Found: what the status code means",
        "This domain is for sale: how names are traded",
        "Domain for sale: how names are traded",
        "Just a moment: the art of waiting",
        "Please log in: the psychology of passwords",
        "Error 404: a short history",
    ] {
        for n in [2, 4, 8] {
            is_page(&format!("<title>{title}</title><h1>{title}</h1>{}", paragraph.repeat(n)));
        }
    }
}

#[test]
fn short_pages_on_what_has_the_name_of_a_wall() {
    for (title, text) in [
        (
            "Forbidden",
            "Forbidden is a 1932 American drama film directed by Frank Capra. It was released by Columbia Pictures.",
        ),
        (
            "Coming Soon",
            "Coming Soon is a 1999 comedy film about three friends in their last year at a school in New York.",
        ),
        ("Captcha", "A captcha is a type of test that tells humans from machines. The term was coined in 2003."),
        (
            "Access Denied",
            "Access Denied is a 2004 novel by Donna Andrews, the third one of her series about a machine.",
        ),
        ("404", "The Mazda 404 was a truck with three wheels that was built in Japan between 1959 and 1965."),
        ("Not Found", "Not Found is an album of 2011. It was recorded in Detroit in six weeks."),
        ("Zugriff verweigert", "Zugriff verweigert ist ein Kriminalroman von 1994, der in einer Mühle spielt."),
    ] {
        is_page(&format!("<title>{title} - Wiki</title><main><h1>{title}</h1><p>{text}</p></main>"));
    }
    for text in ["It works!", "It works! The new stone turns."] {
        is_page(&format!("<title>The mill</title><h1>{text}</h1><p>Since Monday we grind rye once more.</p>"));
    }
    is_page("<p>Bad Request</p><p>A song of three millers.</p><p>Words by the youngest one.</p>");
    is_page("{\"name\": \"Rye\", \"text\": \"TEXT\"}".replace("TEXT", &"A grain of poor soils. ".repeat(30)).as_str());
}

#[test]
fn documentation_of_errors() {
    let about = "The HTTP 404 Not Found client error response status code indicates that the server cannot find the requested \
        resource. Links that lead to such a page are often called broken or dead links and can be subject to link rot.";
    let own = "Owners of a site can send a page of their own with this status, which tells visitors what to do next and where to look \
        for help. In the Apache server the path of such a page is set in the file of settings, and nginx has a directive for it as well.";
    let more = "The status says nothing about whether the resource is gone for ever. A server that knows so sends 410 in its place, \
        and crawlers then ask less often. Frameworks have a route that takes what no other route takes, and sends the page from there.";
    let many = "The HTTP 429 Too Many Requests client error status indicates that the client has sent too many requests in a given \
        time. To ask clients to slow down is called rate limiting, and the field Retry-After may say for how long they are to wait.";
    is_page(&format!(
        "<title>429 Too Many Requests</title><h1>429 Too Many Requests</h1><p>{many}</p><p>{own}</p><p>{more}</p>"
    ));
    for (n, title) in [(1, "404 Not Found - HTTP | WebDocs"), (8, "404 Not Found"), (1, "Error 404")] {
        is_page(&format!(
            "<title>{title}</title><nav><a href=/>HTTP</a></nav><main><h1>404 Not Found</h1><p>{about}</p><h2>Status</h2>\
             <pre><code>HTTP/1.1 404 Not Found</code></pre><h2>Examples</h2><p>{own}</p>{}<h2>See also</h2><a href=/500>500</a></main>",
            format!("<p>{more}</p>").repeat(n)
        ));
    }
}
