//! Which title is shown.

use super::*;
use gristmill_html::TreeLimits;

fn title(html: &str, hints: &TitleHints<'_>) -> Option<String> {
    Some(headline(&Doc::parse(html, &TreeLimits::default()), hints)?.value)
}

fn of(html: &str) -> Option<String> {
    title(html, &TitleHints::default())
}

#[test]
fn the_first_heading_that_is_a_part_of_the_declared_title_wins_over_a_nearer_one() {
    let html = "<title>Flexbox - Learn the web | Docs</title><h2>Flexbox - Learn</h2><h1>Docs of all kinds</h1><h1>Flexbox</h1>";
    assert_eq!(of(html).as_deref(), Some("Flexbox"));
}

#[test]
fn a_site_that_stands_as_a_heading_above_the_title_is_none() {
    let html = "<title>Leaking bilge pump - Boat forum</title><h1>Boat forum</h1><h2>Leaking bilge pump</h2>";
    assert_eq!(of(html).as_deref(), Some("Leaking bilge pump"));
    let book = "<title>E12 - Error codes</title><header><h1>Error codes</h1></header><main><h1>Error code E12</h1>";
    assert_eq!(of(book).as_deref(), Some("Error code E12"));
    assert_eq!(of(&book.replace("Error code E12", "E12")).as_deref(), Some("E12"));
    let html = "<title>Water pumps - All about pumps</title><h2>Water pumps</h2><h1>All about pumps</h1>";
    assert_eq!(of(html).as_deref(), Some("All about pumps"));
}

#[test]
fn a_byline_behind_and_a_badge_before_the_heading_are_no_title() {
    let html = "<title>Bilge pump by Jane Doe | Boat forum</title><h1>Bilge pump</h1>";
    assert_eq!(of(html).as_deref(), Some("Bilge pump"));
    let html = "<title>Bilge pump - Boat forum</title><h1><i>Premium</i> Bilge pump</h1>";
    assert_eq!(of(html).as_deref(), Some("Bilge pump"));
}

#[test]
fn a_heading_of_a_section_is_no_title() {
    let html =
        "<title>Meditation costs - Calm</title><h1>How much is it?</h1><h2>What is within the meditation costs?</h2>";
    assert_eq!(of(html).as_deref(), Some("Meditation costs"));
}

#[test]
fn a_heading_names_the_page_where_a_program_or_a_section_named_it() {
    let html = "<title>Untitled Document</title><h1>Grafting old trees</h1>";
    assert_eq!(of(html).as_deref(), Some("Grafting old trees"));
    let html = "<title>A new roof for the mill | News | Valley</title><h1>News</h1><h2>A new roof for the mill</h2>";
    assert_eq!(of(html).as_deref(), Some("A new roof for the mill"));
}

#[test]
fn the_only_heading_names_the_page_where_the_title_is_that_of_the_site() {
    for (title, rest) in [
        ("Pier Daily", "<a class=logo href=/>Pier Daily</a>"),
        ("Pier Daily", "<footer>© 2026 Pier Daily. All rights reserved</footer>"),
        ("Aktuelles | Hafenkurier", "<a href=/>Hafenkurier</a>"),
        ("React App", "<script>'© A boat of the React App'</script>"),
        ("Loading...", ""),
    ] {
        let html = format!("<title>{title}</title>{rest}<h1>A boat for the north</h1>");
        assert_eq!(of(&html).as_deref(), Some("A boat for the north"), "{title}");
        let two = format!("<title>{title}</title>{rest}<h1>A boat for the north</h1><h1>Another boat</h1>");
        assert_eq!(of(&two).as_deref(), Some(title).map(|title| title.split(" | ").next().unwrap_or(title)), "{title}");
    }
}

#[test]
fn badges_and_buttons_behind_a_heading_are_no_part_of_it() {
    for badge in ["<span class=badge>Premium</span>", "<a href=/e>[edit]</a>", "<button>Share</button>"] {
        let html = format!("<title>A boat for the north | Pier Daily</title><h1>A boat for the north {badge}</h1>");
        assert_eq!(of(&html).as_deref(), Some("A boat for the north"), "{badge}");
    }
    for heading in [
        "<span class=badge>Premium</span>A boat for the north<button>Share</button>",
        "A boat for the north <small>3 March 2026</small>",
    ] {
        let html = format!("<title>A boat for the north | Pier Daily</title><h1>{heading}</h1>");
        assert_eq!(of(&html).as_deref(), Some("A boat for the north"), "{heading}");
    }
    let more = "<title>A boat for the north | Pier</title><h1>A boat for the north <i>and what it means for the south</i></h1>";
    assert_eq!(of(more).as_deref(), Some("A boat for the north and what it means for the south"));
}

#[test]
fn titles_without_spaces_are_parted_from_their_sites() {
    for html in [
        "<title>北线将增开渡轮_海港网</title><h1>海港网</h1><h2>北线将增开渡轮</h2>",
        "<title>北线将增开渡轮_新闻频道_海港网</title><h1>海港网</h1>",
        "<title>北线将增开渡轮-海港网</title><p>a",
        "<title>北线将增开渡轮—海港日报</title><p>a",
    ] {
        assert_eq!(of(html).as_deref(), Some("北线将增开渡轮"), "{html}");
    }
    let issue = "<title>Pier Daily | February 16, 2004</title><a href=/>Pier Daily</a><p>a";
    assert_eq!(of(issue).as_deref(), Some("Pier Daily | February 16, 2004"));
    assert_eq!(of("<title>中国-东盟博览会</title>").as_deref(), Some("中国-东盟博览会"));
    let dated = "<title>Mais um barco na rota do norte - 03/11/2026 - Cotidiano - Jornal</title><p>a";
    assert_eq!(of(dated).as_deref(), Some("Mais um barco na rota do norte"));
}

#[test]
fn the_name_of_the_site_goes_from_either_end() {
    assert_eq!(
        of("<meta property=og:site_name content=Calm><title>Calm | The app for sleep</title>").as_deref(),
        Some("The app for sleep")
    );
    assert_eq!(of("<title>台风登陆沿海_新闻网</title>").as_deref(), Some("台风登陆沿海"));
    assert_eq!(of("<title>Storm: the whole story</title>").as_deref(), Some("Storm: the whole story"));
}

#[test]
fn the_site_is_parted_by_many_signs_and_in_several_parts() {
    for sign in ["·", "⋆", "~", "★", "→", "‹"] {
        let title = format!("<title>The long way to the sea wall {sign} Tidewater Notes</title>");
        assert_eq!(of(&title).as_deref(), Some("The long way to the sea wall"), "{sign}");
    }
    let three = "<title>The long way to the sea wall · Tidewater Notes — essays</title>";
    assert_eq!(of(three).as_deref(), Some("The long way to the sea wall"));
    let of_host = |title: &str| {
        let hints = TitleHints { url: Some("https://tidewaternotes.example/a"), ..TitleHints::default() };
        super::headline(&Doc::parse(title, &TreeLimits::default()), &hints).map(|found| found.value)
    };
    assert_eq!(of_host("<title>Tidewater Notes: The way home</title><p>a").as_deref(), Some("The way home"));
    assert_eq!(of_host("<title>Tides: The way home</title><p>a").as_deref(), Some("Tides: The way home"));
    let site = "<meta property=og:site_name content='Tidewater'><title>Tidewater: The long way home</title><h1>The long way home</h1>";
    assert_eq!(of(site).as_deref(), Some("The long way home"));
}

#[test]
fn signs_of_permanent_links_go_and_quotes_do_not_matter() {
    assert_eq!(of("<title>Don't go — Docs</title><h1>Don’t go¶</h1><h1>Docs</h1>").as_deref(), Some("Don’t go"));
}

fn linked(html: &str, anchor: &str) -> Option<String> {
    let hints =
        TitleHints { anchor: Some(anchor), url: Some("https://www.millpost.example/2024/a"), ..TitleHints::default() };
    title(html, &hints)
}

#[test]
fn what_a_front_page_says_never_replaces_a_headline_that_the_page_confirms() {
    let html = "<title>Hurricane floods town - Mill Post</title><meta property=og:title content='Hurricane floods town'>\
                <h1>Hurricane floods town</h1>";
    for anchor in ["Picture of the day", "Live updates", "Politics", "17 May 2024", "Read more", "Umbrellas everywhere"]
    {
        assert_eq!(linked(html, anchor).as_deref(), Some("Hurricane floods town"), "{anchor}");
    }
}

#[test]
fn the_link_decides_between_names_that_the_page_gives_itself() {
    let html = "<title>What the river left behind</title><h1>Flood of May</h1>";
    assert_eq!(linked(html, "Rain, again").as_deref(), Some("What the river left behind"));
    assert_eq!(linked(html, "The flood of May").as_deref(), Some("Flood of May"));
}

#[test]
fn the_link_stands_alone_where_the_page_says_no_more_than_its_site() {
    for html in [
        "<p>text",
        "<title>Untitled Document</title><p>text",
        "<title>Mill Post</title><p>text",
        "<title>The Post</title><meta property=og:site_name content='The Post'><p>text",
    ] {
        assert_eq!(linked(html, "The chronicle of 1840").as_deref(), Some("The chronicle of 1840"), "{html}");
        assert_ne!(linked(html, "Read more").as_deref(), Some("Read more"), "{html}");
    }
    assert_eq!(linked("<h3>Of 1840</h3><p>text", "A chronicle").as_deref(), Some("Of 1840"));
}

#[test]
fn the_home_page_keeps_the_name_of_its_site() {
    let html =
        "<title>Mill Post</title><meta property=og:site_name content='Mill Post'><h1><a href=/>Mill Post</a></h1>";
    let hints =
        TitleHints { anchor: Some("Front page"), url: Some("https://www.millpost.example/"), ..TitleHints::default() };
    assert_eq!(title(html, &hints).as_deref(), Some("Mill Post"));
}

#[test]
fn posts_are_not_called_by_their_weblog_or_its_writer() {
    let of_author = |html: &str| {
        let hints = TitleHints { author: Some("Jane Doe"), ..TitleHints::default() };
        title(html, &hints)
    };
    for html in [
        "<title>Small models - Jane Doe</title><h1>Jane Doe</h1><h3>Small models</h3>",
        "<title>Jane Doe: Small models</title><h1>Jane Doe</h1><h1>A section</h1>",
        "<title>Doe's notes: Small models</title><h1 class=title><a href=/>Doe's notes</a></h1><h3>Small models</h3>",
        "<title>Small models : notes</title><meta property=og:title content='Small models'><h1>notes</h1>",
    ] {
        assert_eq!(of_author(html).as_deref(), Some("Small models"), "{html}");
    }
    assert_eq!(of_author("<title>Jane Doe</title><h1>Jane Doe</h1>").as_deref(), Some("Jane Doe"), "about herself");
    assert_eq!(linked("<title>Millpost | Rye</title><h1>Millpost</h1>", "x").as_deref(), Some("Rye"), "by its host");
}

#[test]
fn each_source_is_told() {
    crate::metadata::sources::assert_is_sound(TITLES);
    let part = "<title>Storm hits the coast - Mill Post</title>";
    let cases = [
        ("heading", &*format!("{part}<h1>Storm hits the coast</h1><h2>Storm hits the coast</h2>")),
        ("similar-heading", "<title>What the big storm did to the coast</title><h1>The big storm and the coast</h1>"),
        ("sub-heading", &*format!("{part}<h2>Storm hits the coast</h2>")),
        ("linked", "<title>What the river left behind</title><h1>Flood of May</h1>"),
        ("meta", "<meta property=og:title content='A day at the river'>"),
        ("title-element", "<title>A day at the river</title>"),
        ("nearest-heading", "<h3>A day at the river</h3>"),
        ("link-text", "<title>Untitled Document</title>"),
    ];
    for (source, html) in cases {
        let hints = TitleHints { anchor: Some("The flood of May"), ..TitleHints::default() };
        let found = headline(&Doc::parse(html, &TreeLimits::default()), &hints).unwrap();
        assert_eq!(found.provenance.source.name(), source);
    }
    let bare = Doc::parse("<title>Untitled Document</title>", &TreeLimits::default());
    let found = headline(&bare, &TitleHints::default()).unwrap();
    assert_eq!((&*found.value, found.provenance.source.name()), ("Untitled Document", "placeholder"));
}

#[test]
fn names_of_code_and_chapters_of_books_stay_whole() {
    for (declared, expected) in [
        ("Struct unary_plus", "Struct unary_plus"),
        ("Mill API: mill::wheel_ref_cc Class Reference", "Mill API: mill::wheel_ref_cc Class Reference"),
        (
            "Mill: Matrix< Scalar, Rows > Class Template Reference",
            "Mill: Matrix< Scalar, Rows > Class Template Reference",
        ),
        ("MILL (ref) - Chapter 64: Lie Algebras", "Chapter 64: Lie Algebras"),
        ("mill_wheel_template.h Source File", "mill_wheel_template.h Source File"),
        ("The wheels turn again_mill.example", "The wheels turn again"),
        ("风车转动了_新浪网", "风车转动了"),
        ("The wheels turn again_China Daily", "The wheels turn again"),
    ] {
        assert_eq!(of(&format!("<title>{declared}</title><p>Text")).as_deref(), Some(expected));
    }
    let doxygen = "<title>Mill API: mill::wheel Class Reference</title><div class=headertitle><div class=title>mill::wheel Class Reference</div></div><h2>Public Types</h2>";
    assert_eq!(of(doxygen).as_deref(), Some("mill::wheel Class Reference"));
}

#[test]
fn the_manual_above_a_short_heading_is_no_title() {
    let html =
        "<title>Domain | Mill v18 Documentation</title><h1>Mill v18 documentation</h1><h2>Domain</h2><h2>Other</h2>";
    assert_eq!(of(html).as_deref(), Some("Domain"));
}

#[test]
fn numbered_headings_are_those_of_sections() {
    let html = "<title>Mill File Format</title><div>Mill File Format</div><h1>1. The Mill File</h1><h1>2. Sacks</h1>";
    assert_eq!(of(html).as_deref(), Some("Mill File Format"));
    let html = "<title>Mills of the valley, 2. edition</title><h1>2. edition of the mills of the valley</h1>";
    assert_eq!(of(html).as_deref(), Some("2. edition of the mills of the valley"));
}

#[test]
fn a_heading_that_any_page_has_gives_way_to_what_meta_says() {
    let head = "<title>News - Mill</title><meta property=og:title content='The wheel turns again'>";
    assert_eq!(of(&format!("{head}<h1>News</h1>")).as_deref(), Some("The wheel turns again"));
    assert_eq!(
        of(&format!("{head}<h1>News</h1><h1>The wheel turns again</h1>")).as_deref(),
        Some("The wheel turns again")
    );
}

#[test]
fn section_and_site_in_the_heading_are_no_part_of_the_title() {
    let head = "<title>The wheel turns again | Mill</title><meta property=og:site_name content=Mill>
        <meta property=og:title content='The wheel turns again'>";
    for heading in ["Local News | The wheel turns again", "The wheel turns again | Mill"] {
        let found = of(&format!("{head}<h1>{heading}</h1>"));
        assert_eq!(found.as_deref(), Some("The wheel turns again"), "{heading}");
    }
    let chinese = "<title>水车又转起来了！-磨坊网</title>";
    assert_eq!(of(chinese).as_deref(), Some("水车又转起来了！"));
}

#[test]
fn lines_of_a_heading_are_parted() {
    let html = "<h1><span>At last, at last!</span><span>The wheel turns again</span></h1>";
    assert_eq!(of(html).as_deref(), Some("At last, at last! The wheel turns again"));
    assert_eq!(of("<title>JavaScript</title><h1><b>Java</b><b>Script</b></h1>").as_deref(), Some("JavaScript"));
}

#[test]
fn a_site_that_is_called_like_its_page_is_none() {
    let html = "<title>The old wheel of the mill turns again</title><h1>The old wheel of the mill turns again</h1><h2>More of it</h2>";
    let named = TitleHints { site_name: Some("The old wheel of the mill turns again"), ..TitleHints::default() };
    assert_eq!(title(html, &named).as_deref(), Some("The old wheel of the mill turns again"));
}

#[test]
fn the_only_heading_counts_where_the_site_alone_is_declared() {
    let url = TitleHints { url: Some("https://mill.example/wheel"), ..TitleHints::default() };
    let html =
        "<title>mill.example</title><h1><a href=https://mill.example/><img></a></h1><h2>The wheel turns again</h2>";
    assert_eq!(title(html, &url).as_deref(), Some("The wheel turns again"));
}

#[test]
fn the_only_element_that_is_called_the_title_of_a_post_counts_where_there_is_no_heading() {
    let url = TitleHints { url: Some("https://mill.example/wheel"), ..TitleHints::default() };
    let head = "<title>Notes from the mill | Wood and water</title>";
    let html = format!("{head}<div class=post-title>The wheel turns again</div><h2>What was broken</h2>");
    assert_eq!(title(&html, &url).as_deref(), Some("The wheel turns again"));
    for other in ["<a class=post-title>Older</a>", "<b class=post-title>One</b><b class=post-title>Two</b>"] {
        assert_eq!(title(&format!("{head}{other}"), &url).as_deref(), Some("Notes from the mill"), "{other}");
    }
}

#[test]
fn the_place_of_a_page_in_a_wiki_is_no_title() {
    let html =
        "<title>mill:wheel [Mill wiki]</title><h1><a href=/doku.php?id=start>Mill wiki</a></h1><h1>How it turns</h1>";
    assert_eq!(of(html).as_deref(), Some("How it turns"));
    let other =
        html.replace("<h1><a href=/doku.php?id=start>Mill wiki</a></h1>", "").replace("How it turns", "mill:wheel");
    assert_eq!(of(&other).as_deref(), Some("mill:wheel"));
}

#[test]
fn the_name_of_a_project_above_one_of_its_pages_is_no_title() {
    let page = |title: &str, below: &str| of(&format!("<title>{title}</title><h1>Hollow Mill</h1>{below}"));
    let title = "Bug #7: Cogs slip in the rain - Hollow Mill - Parish";
    assert_eq!(
        page(title, "<h2>Bug #7</h2><h3>Cogs slip in the rain</h3>").as_deref(),
        Some("Bug #7: Cogs slip in the rain")
    );
    let board = "Cogs slip in the rain - Board - Hollow Mill - Parish";
    assert_eq!(page(board, "<h2>Cogs slip in the rain</h2>").as_deref(), Some("Hollow Mill"));
    assert_eq!(page(title, "<h2>Another</h2>").as_deref(), Some("Hollow Mill"), "no heading says the same");
}
