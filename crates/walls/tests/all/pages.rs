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
