//! What a kept section keeps, and what of other pages and of readers does not stand in the text of a page.

use gristmill_extract::{ExtractOptions, PageTypes};

use crate::pages::{ARTICLE, COLLECTION, DOCUMENTATION, FORUM, SECTIONS, kept, post, read};

#[test]
fn a_heading_that_stays_keeps_its_code() {
    let option = |name: &str, does: &str| {
        format!("<dt><span class=term><code class=literal>{name}</code></span></dt><dd><p>{does}</p></dd>")
    };
    let options = [
        option("QUIET", "Prints nothing while the grain is milled, which suits scripts that are run at night."),
        option("COARSE", "Keeps the husks in the flour, so that the loaf is darker than a white one and keeps longer."),
        option("TWICE", "Sends the flour through the stones a second time; this takes twice as long."),
    ];
    let html = format!(
        "<!doctype html><title>GRIND</title><div class=navheader><table width=100%><tr><td><a href=a.html>Prev</a><td>\
         <a href=i.html>Up</a><td><a href=b.html>Next</a></table></div><div class=refentry id=SQL-GRIND><div \
         class=refnamediv><h2><span class=refentrytitle>GRIND</span></h2><p>GRIND — turn sacks of grain into bins of \
         flour</p></div><div class=refsynopsisdiv><h2>Synopsis</h2><pre class=synopsis>GRIND [ ALL | SACK ] <em \
         class=replaceable><code>sack</code></em> [, ...]\n    [ INTO <em class=replaceable><code>bin</code></em> ]\n    \
         [ QUIET | COARSE | TWICE ]</pre></div><div class=refsect1><h2>Description</h2><p><code>GRIND</code> takes the \
         sacks that are named and sends them through the stones of the mill. The flour of all of them comes into one \
         bin unless the command says otherwise.</p><p>You must have the right to open the sacks. When a sack is empty \
         the command ends without an error and says how many sacks were milled.</p></div><div class=refsect1>\
         <h2>Parameters</h2><div class=variablelist><dl class=variablelist>{}</dl></div></div></div>",
        options.concat()
    );
    let text = read(&html, &ExtractOptions::default()).text;
    assert!(text.contains("Synopsis\nGRIND [ ALL | SACK ] sack [, ...]"), "{text}");
    assert!(text.contains("[ QUIET | COARSE | TWICE ]") && !text.contains("Prev"), "{text}");
}

#[test]
fn code_between_kept_paragraphs_stays_whatever_its_rows_are_given_and_the_numbers_of_its_lines_go() {
    let html = "<h1>Mill</h1><p>First the sacks are opened, one by one.<table><tr><td><pre>1\n2\n3</pre><td><pre>open \
                sack<br>tip sack<br>close sack</pre></table><p>Then the stones are set, and the water is let in.<nav>\
                <pre>go home</pre></nav>";
    let rows = kept(html, ARTICLE, &[("First", 0.9), ("Then", 0.9)]);
    let [first, code @ .., then] = &rows[..] else { panic!("{rows:?}") };
    assert!(first.starts_with("First") && then.starts_with("Then"), "{rows:?}");
    assert_eq!(code, ["open sack", "tip sack", "close sack"]);
}

#[test]
fn tables_lists_and_captions_between_kept_rows_of_one_section_stay_and_links_and_other_sections_do_not() {
    let html = "<h2>Grain</h2><p>The valley grows four kinds of grain, and all of them are milled here.<table><tr><th>\
                PageKind<th>Sacks<tr><td>Rye<td>300<tr><td>Wheat<td>120</table><ul><li>Rye is sown in autumn.<li>Wheat is \
                sown in spring.</ul><figure><img src=m.png><figcaption>The mill in May</figcaption></figure><ul><li><a \
                href=/a>Other mills of the land</a><li><a href=/b>Old mills that stand still</a></ul><p>What is left \
                over goes to the pigs of the parish.<h2>Read on</h2><ul><li>More about pigs</ul><p>The end of it all, \
                as the miller says it.";
    let given =
        [("valley", 0.9), ("left over", 0.9), ("end of it", 0.9), ("Grain", 0.8), ("sown", 0.32), ("May", 0.32)];
    let with =
        |more: &[(&'static str, f32)]| -> Vec<(&'static str, f32)> { given.iter().chain(more).copied().collect() };
    let table = [("Kind", 0.15), ("Sacks", 0.15), ("Rye", 0.15), ("300", 0.15), ("Wheat", 0.15), ("120", 0.15)];
    let rows = kept(html, ARTICLE, &with(&table)).join("\n");
    for stays in ["Rye\n300\nWheat\n120", "Rye is sown in autumn.\nWheat is sown in spring.", "The mill in May"] {
        assert!(rows.contains(stays), "{stays} is not in\n{rows}");
    }
    for goes in ["Other mills", "Read on", "More about pigs"] {
        assert!(!rows.contains(goes), "{goes} is in\n{rows}");
    }
    let rows = kept(html, FORUM, &with(&table)).join("\n");
    assert!(rows.contains("Wheat\n120") && !rows.contains("sown"), "lists of threads are left to the model: {rows}");
}

#[test]
fn a_heading_that_leads_to_itself_and_the_summary_of_what_is_folded_stay_with_what_is_below() {
    let html = "<h1>Mill</h1><p>First the sacks are opened, one by one.<h2><a href=#stones>Stones</a></h2><p>Then the \
                stones are set, and the water is let in.<details><summary>Log</summary><pre>open\nclose</pre></details>\
                <h2><a href=/pigs>Pigs</a></h2><p>The end of it all, as the miller says it.<details><summary>None\
                </summary></details><p>The end of the year is dark.";
    let given = [("First", 0.9), ("Then", 0.9), ("Stones", 0.15), ("Pigs", 0.15), ("The end", 0.9)];
    let rows = kept(html, ARTICLE, &given);
    let [_, heading, _, summary, code @ .., _, _] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((heading.as_str(), summary.as_str()), ("Stones", "Log"), "{rows:?}");
    assert!(code.join(" ").contains("open") && !rows.iter().any(|row| row == "Pigs" || row == "None"), "{rows:?}");
}

#[test]
fn sections_and_items_that_go_on_as_those_before_them_stay_with_their_headings() {
    let main = "<h1>Mill</h1><div class=sect1><h2>Sacks</h2><p>First the sacks are opened, one by one.</div><div \
                class=sect1><h2>Stones</h2><table><tr><th>Stone<th>Width<tr><td>Upper<td>4 feet</table></div><div \
                class=sect1><h2>Rules</h2><p>Then the water is let in, by three rules.<ol><li>Nobody stands at the \
                wheel.<li>Nobody sings.<li>Nobody sleeps.</ol></div><div class=sect1><h2>Letters</h2><p>Write to us \
                each week</div><h2>More</h2><p>Then all of it is said.<figure><img src=a><figcaption>At work</figcaption>\
                </figure><figure><img src=b><figcaption>At work</figcaption></figure><table><tr><th>Wheel<th>Wood<tr><td>\
                Small<td>oak</table>";
    let html = post("Mill", main);
    let given = [
        ("First", 0.9),
        ("Then", 0.9),
        ("stands at", 0.7),
        ("sings", 0.7),
        ("sleeps", 0.2),
        ("Sacks", 0.5),
        ("Rules", 0.5),
        ("Stone", 0.2),
        ("Width", 0.2),
        ("Upper", 0.2),
        ("4 feet", 0.2),
        ("More", 0.15),
        ("Wheel", 0.15),
        ("Wood", 0.15),
        ("Small", 0.15),
        ("oak", 0.15),
        ("At work", 0.3),
    ];
    let rows = kept(&html, ARTICLE, &given).join("\n");
    assert!(!rows.contains("oak"), "tables at the end are those of the site: {rows}");
    let rows = kept(&html, DOCUMENTATION, &given).join("\n");
    for stays in
        ["said.\nWheel\nWood\nSmall\noak", "Stones\nStone\nWidth\nUpper\n4 feet", "Nobody sings.\nNobody sleeps."]
    {
        assert!(rows.contains(stays), "{stays} is not in\n{rows}");
    }
    assert!(!rows.contains("At work") && !rows.contains("Letters") && !rows.contains("Write to us"), "{rows}");
}

#[test]
fn a_box_that_asks_for_an_address_and_one_of_links_go_and_the_times_of_entries_stay() {
    let entry = |time: &str, text: &str| {
        format!("<article class=block><time>{time}</time><p>{text}</p><button>Share</button></article>")
    };
    let html = format!(
        "<h1>Mill</h1>{}{}<div class=ad>Advertisement</div>{}<div class=letters><p>Be told of all we mill.</p><form>\
         <input type=email></form></div><p>What is left over goes to the pigs of the parish.<div role=navigation><table>\
         <tr><th>Mills<td><a href=/a>Tide mills</a><tr><th>Land<td><a href=/b>Wind mills</a></table></div>",
        entry("14:32", "The last sacks are opened at the gate, one by one."),
        entry("13:05", "Then the stones are set, and the water is let in."),
        entry("11:40", "Nobody had come to the gate before noon that day."),
    );
    let given = [
        (":", 0.25),
        ("sacks", 0.9),
        ("stones", 0.9),
        ("Nobody", 0.9),
        ("Advert", 0.3),
        ("Be told", 0.45),
        ("left over", 0.9),
        ("mills", 0.5),
        ("Mills", 0.5),
        ("Land", 0.5),
    ];
    let rows = kept(&html, ARTICLE, &given);
    let times: Vec<&str> = rows.iter().map(String::as_str).filter(|row| row.contains(':')).collect();
    assert_eq!(times, ["14:32", "13:05", "11:40"], "{rows:?}");
    assert_eq!(rows.len(), 7, "{rows:?}");
}

#[test]
fn a_remark_below_a_table_stays_and_the_heading_of_a_menu_goes() {
    let html = "<h1>Mill</h1><p>First the sacks are opened, one by one.<h2>Contents</h2><nav><ul><li><a href=#a>Stones</a>\
                </ul></nav><h2>Hours</h2><table><tr><th>Day<th>From<tr><td>Monday<td>7:00*</table><p>* not in winter<p>* \
                <a href=/b>All our mills</a><h2>Stones</h2><p>Then the stones are set, and the water is let in.";
    let given = [
        ("First", 0.9),
        ("Contents", 0.7),
        ("Hours", 0.7),
        ("Day", 0.7),
        ("From", 0.7),
        ("Monday", 0.7),
        ("7:00", 0.7),
        ("winter", 0.2),
        ("Then", 0.9),
    ];
    let rows = kept(html, ARTICLE, &given);
    assert!(rows.contains(&"* not in winter".to_owned()), "{rows:?}");
    assert!(!rows.iter().any(|row| row == "Contents" || row.contains("our mills")), "{rows:?}");
}

#[test]
fn a_heading_is_not_left_without_its_section() {
    let html = "<h1>Mill</h1><p>First the sacks are opened, one by one.<h2>Most read</h2><ul><li><a href=/a>Pigs on the \
                bridge</a></ul><h2>Stones</h2><p>Then the stones are set, and the water is let in.";
    let rows = kept(html, ARTICLE, &[("First", 0.7), ("Then", 0.7), ("Most read", 0.49), ("Stones", 0.49)]);
    assert!(rows.contains(&"Stones".to_owned()) && !rows.contains(&"Most read".to_owned()), "{rows:?}");
}

#[test]
fn a_heading_of_headings_stays_and_so_does_one_with_a_link_to_its_source() {
    let html = "<h1>Boat</h1><p>First the oars are laid into the boat.<h2>Methods</h2><h3>row</h3><p>Then the boat is \
                rowed, as the crew likes it.<h2>Rules</h2><p><a href=/source>Source</a></p><p>Then the \
                boat is moored, with two ropes.";
    let given = [("First", 0.9), ("Then", 0.9), ("Methods", 0.2), ("row", 0.2), ("Rules", 0.2)];
    let rows = kept(html, DOCUMENTATION, &given);
    let headings: Vec<&str> = rows.iter().map(String::as_str).filter(|row| row.len() < 20).collect();
    assert_eq!(headings, ["Methods", "row", "Rules"], "{rows:?}");
}

#[test]
fn a_list_of_facts_needs_less_than_a_list_of_items_behind_the_last_kept_row() {
    let html = "<h1>Tides</h1><p>First it is said what the course is.<dl><dt>Credits<dd>4<dt>Teacher<dd>Ana Reis</dl><p>\
                Then it is said what is learnt.<p>Then it is said who may come.<ul><li>Home<li>Other courses</ul>";
    let given = [("First", 0.9), ("Then", 0.9)];
    let facts = ["Credits", "4", "Teacher", "Reis", "Home", "courses"].map(|text| (text, 0.18));
    let rows = kept(&post("Tides", html), ARTICLE, &[&given[..], &facts].concat()).join("\n");
    assert!(rows.contains("Credits\n4\nTeacher\nAna Reis") && !rows.contains("Home"), "{rows}");
}

#[test]
fn plain_lists_and_facts_at_the_end_of_the_paragraphs_stay_with_their_heading() {
    let page = |end: &str| {
        let text = "<p>First the sacks are opened, one by one, as they always were.<p>Then the stones are set, and the \
                    water is let in from the pond.";
        let given = [("First", 0.9), ("Then", 0.9), ("Fees", 0.1), ("Adults", 0.15), ("euro", 0.15), ("boots", 0.22)];
        kept(&post("Mill", &format!("<h1>Mill</h1><div>{text}{end}</div>")), ARTICLE, &given).join("|")
    };
    let facts = "<h2>Fees</h2><dl><dt>Adults<dd>4 euro</dl>";
    assert!(page(facts).ends_with("Fees|Adults|4 euro"), "{}", page(facts));
    assert!(page("<ul><li>Bring boots</ul>").ends_with("|Bring boots"));
    assert!(page("<aside><ul><li>Bring boots</ul></aside>").ends_with("|Bring boots"));
    for other in [
        "<ul class=tags><li>Bring boots</ul>",
        "<ul><li><a href=/b>Bring boots</a></ul>",
        "<form><ul><li>Bring boots</ul></form>",
    ] {
        assert!(!page(other).contains("boots"), "{other}");
    }
}

#[test]
fn a_label_of_a_list_and_a_heading_before_buttons_stay() {
    let given = [("First", 0.9), ("Returns", 0.1), ("flour", 0.9), ("Sacks", 0.2), ("rye", 0.9)];
    let html = "<h1>Mill</h1><p>First the sacks are opened, one by one.<p>Returns:</p><ul><li>flour of the same kind</ul>\
                <h3>Sacks</h3><div><button>Copy</button></div><div><button>1x</button></div><ul><li>two sacks of rye</ul>";
    let rows = kept(html, DOCUMENTATION, &given).join("|");
    assert!(rows.contains("Returns:|flour of the same kind|Sacks|two sacks of rye"), "{rows}");
}

#[test]
fn a_page_with_a_few_links_around_a_table_that_nothing_speaks_for_is_not_left_empty() {
    let page = |around: &str| {
        format!(
            "<title>Timetable 6b</title>{around}<h1>Timetable 6b</h1><table border=1><tr><th>Time<th>Monday<tr><td>8:00\
             <td>Maths<tr><td>8:50<td>Art<tr><td>9:40<td>Sport</table><p>Valid from the first of February."
        )
    };
    let rows = kept(&page("<div><a href=/>School</a> <a href=/6a>6a</a></div>"), DOCUMENTATION, &[]).join("\n");
    assert!(rows.contains("Maths") && rows.contains("February") && !rows.contains("6a"), "{rows}");
    let menu = "<nav><a href=/>School</a> <a href=/6a>6a</a></nav>";
    assert_eq!(kept(&page(menu), DOCUMENTATION, &[]), [""; 0], "with parts of a site around it");
    let links: String = (0..60).map(|n| format!("<li><a href=/n/{n}>Story of the week {n}</a>")).collect();
    assert_eq!(kept(&page(&format!("<ul>{links}</ul>")), DOCUMENTATION, &[]), [""; 0]);
}

#[test]
fn a_short_notice_is_kept_though_its_page_has_much_else() {
    let others: String =
        (0..60).map(|n| format!("<li><a href=/n/{n}>Sixty stories of the week, number {n}</a>")).collect();
    let notice = "<h1>Lorry blocks the mill road</h1><p>A lorry that lost its load of flour blocked the mill road for two \
                  hours on Monday morning. Nobody was hurt, the police said.<p>By ten the road was open again.";
    let html = post("Lorry blocks the mill road", &format!("<div>{notice}</div><ul>{others}</ul>"));
    let rows = kept(&html, ARTICLE, &[("lorry", 0.05)]);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].contains("lost its load of flour") && rows[1].contains("open again"), "{rows:?}");
    assert_eq!(kept(&html, FORUM, &[("lorry", 0.05)]), [""; 0]);
}

#[test]
fn a_page_that_is_one_table_of_numbers_keeps_it() {
    let team = |n: i32| {
        format!("<tr><td>{n}<td><a href=/t/{n}>Mill Rovers {n}</a><td>22<td>{}<td>{}<td>{}", 22 - n, n, 66 - n)
    };
    let rows: String = (1..=14).map(team).collect();
    let table = format!("<table><tr><th>#<th>Team<th>Played<th>Won<th>Lost<th>Points{rows}</table>");
    let html = post("League table", &format!("<h1>League table</h1>{table}<p>All times are local.</p>"));
    let rows = kept(&html, ARTICLE, &[("All times", 0.6)]);
    assert!(rows.contains(&"Points".to_owned()) && rows.contains(&"Mill Rovers 14".to_owned()), "{rows:?}");
    let text = "The table of the league says little of what the season was like. ".repeat(12);
    let html = post("The season", &format!("<h1>The season</h1><p>{text}</p><aside>{table}</aside>"));
    assert_eq!(kept(&html, ARTICLE, &[("season was", 0.9)]).len(), 1);
}

#[test]
fn the_head_and_the_caption_of_a_table_stay_where_it_is_all_that_is_kept() {
    let team = |n: i32| format!("<tr><td>{n}<td>Mill Rovers {n}<td>22<td>{}", 66 - n);
    let rows: String = (1..=14).map(team).collect();
    let table = format!(
        "<table><caption>After 22 rounds</caption><thead><tr><th>Place<th>Team<th>Played<th>Points</thead><tbody>{rows}</table>"
    );
    let html = post("League table", &format!("<h1>League table</h1><div>{table}</div>"));
    let others = [("Place", 0.1), ("Team", 0.1), ("Played", 0.1), ("Points", 0.1), ("After", 0.1), ("League", 0.1)];
    let given: Vec<(&str, f32)> = others.into_iter().chain([("", 0.9)]).collect();
    let menu: Vec<(&str, f32)> =
        SECTIONS.map(|name| (name, 0.01)).into_iter().chain([("Imprint", 0.01), ("©", 0.01)]).collect();
    let kept = kept(&html, ARTICLE, &[menu, given].concat());
    assert_eq!(kept[..5], ["After 22 rounds", "Place", "Team", "Played", "Points"], "{kept:?}");
    assert_eq!(kept.len(), 5 + 14 * 4, "{kept:?}");
}

const STORY: &str = "<p>The clock of the old station has stood still since Sunday, and nobody knows who has the key to its case. The \
     railway says that the clock belongs to the town, and the town says that it belongs to the railway.</p><p>Travellers \
     have begun to set their watches by the bell of the abbey, which is four minutes late. The council will speak about \
     the matter next week, and until then the hands stay at twenty past three.</p>";

const SAID: [(&str, &str); 3] = [
    (
        "Bo",
        "I have lived here for forty years and the clock was never right in any of them, so why does it matter now? When I \
         was a boy the ferryman set his watch by it and missed every tide of the summer.",
    ),
    (
        "Cy Miller",
        "My father had the key. He gave it to the station master in 1971, who gave it to his son, I believe. The son went \
         to sea, and whether the key went with him is more than anybody here can say.",
    ),
    (
        "Dee",
        "Set it by the abbey and be done with it. Four minutes never killed anybody in this valley, and the trains are \
         later than that on the best of days.",
    ),
];

#[test]
fn what_readers_wrote_below_an_article_stands_apart_unless_it_is_asked_for() {
    let each = |form: fn(&str, &str) -> String| SAID.map(|(name, said)| form(name, said)).concat();
    let forms = [
        each(|name, said| {
            format!("<div class=entry><p>{said}<p class=posted>Posted by: {name} | May 1, 2024 10:00</div>")
        }),
        each(|name, said| format!("<dl><dt>{name} said<dd><p>{said}</dl>")),
        each(|name, said| format!("<p><b>{name}:</b> {said}")),
    ];
    for form in forms {
        let title = "The clock of the station stands still";
        let comments = format!("<div id=comments><h3>Comments</h3>{form}</div>");
        let html = post(title, &format!("<article class=post><h1>{title}</h1>{STORY}{comments}</article>"));
        let document = read(&html, &ExtractOptions::default());
        let text = &document.text;
        assert!(
            text.contains("twenty past three") && !text.contains("ferryman") && !text.contains("Comments"),
            "{text}"
        );
        let said: String = document.comments.iter().map(|comment| comment.text.as_str()).collect();
        assert!(said.contains("ferryman set his watch") && said.contains("best of days"), "{:?}", document.comments);
        let with = read(&html, &ExtractOptions { comments: true, ..ExtractOptions::default() });
        assert!(with.text.contains("ferryman") && with.comments.is_empty(), "{}", with.text);
    }
}

#[test]
fn a_thread_keeps_its_posts_and_so_does_a_page_with_nothing_else() {
    let posts = SAID.map(|(name, said)| {
        format!(
            "<div class=post><a class=username href=/users/{name}>{name}</a> <time datetime=2024-05-01>May 1</time><div \
             class=post-body>{said}</div></div>"
        )
    });
    let html = format!(
        "<title>Who has the key? - Valley Forum</title><body><h1>Who has the key?</h1><div class=thread>{}</div><a \
         href=/reply class=button>Reply to thread</a>",
        posts.concat()
    );
    let url = Some("https://valley.example/forum/viewtopic.php?t=17");
    let document = read(&html, &ExtractOptions { url, ..ExtractOptions::default() });
    assert!(document.text.contains("ferryman") && document.text.contains("best of days"), "{}", document.text);
    let html = html.replace("class=thread", "id=comments").replace("class=post>", "class=comment>");
    assert!(read(&html, &ExtractOptions::default()).text.contains("ferryman"));
}

const OTHERS: [(&str, &str); 4] = [
    (
        "How flour is made",
        "In this film the miller shows how the grain comes into the hopper, how the stones are dressed, and what becomes of \
         the husks. You will see the great wheel from within, and hear what it sounds like when the water is high.",
    ),
    (
        "The baker at night",
        "We follow the baker from two in the morning until the shop opens. She tells us why rye needs more time than wheat, \
         and what her grandmother did when the oven went out in the winter of the great snow.",
    ),
    (
        "A day on the ferry",
        "The ferryman has crossed the river forty times a day for thirty years. He tells us of ice, of cows that jumped, \
         and of the night when the rope broke and the ferry drifted down to the weir.",
    ),
    (
        "Bees in the orchard",
        "The keeper opens a hive for us and shows the queen. He says how much honey nine hives give in a good summer, and \
         why the lime trees by the abbey matter more to him than all the clover of the valley.",
    ),
];

#[test]
fn texts_of_other_videos_in_a_carousel_are_not_the_article() {
    let slide = |n: usize, title: &str, said: &str| {
        format!("<div class=swiper-slide><h3><a href=/videos/{n}>{title}</a></h3><p class=transcript>{said}</div>")
    };
    let slides: String = OTHERS.iter().enumerate().map(|(n, (title, said))| slide(n, title, said)).collect();
    let title = "The clock of the station stands still";
    let html = post(
        title,
        &format!(
            "<article class=story><h1>{title}</h1>{STORY}</article><section class=\"video-carousel swiper\"><h2>More \
             videos</h2><div class=swiper-wrapper>{slides}</div></section>"
        ),
    );
    let text = read(&html, &ExtractOptions::default()).text;
    assert!(text.contains("twenty past three") && !text.contains("hopper") && !text.contains("rope broke"), "{text}");
}

#[test]
fn of_a_calendar_the_event_that_is_the_page_is_kept_and_a_round_up_keeps_all() {
    let entry = |n: usize, title: &str, said: &str| {
        format!(
            "<div class=event-item><h2><a href=/events/{n}>{title}</a></h2><time datetime=2024-06-1{n}>1{n} June</time>\
             <p>{said}</div>"
        )
    };
    let entries: String = OTHERS.iter().enumerate().map(|(n, (title, said))| entry(n, title, said)).collect();
    let html = post(
        "Open day at the mill",
        &format!(
            "<div class=detail><h1>Open day at the mill</h1><p class=when>Saturday, 8 June 2024, 10 to 17</p><p>On the open \
             day visitors may see the great wheel, the stones and the store under the roof. The miller himself takes \
             groups around every hour, and there is bread from the oven in the yard.</p><p>Entry is free. Dogs must stay \
             outside because of the flour, and the upper floor cannot be reached with a pram.</p></div><div \
             class=calendar><h2>Calendar</h2>{entries}</div>"
        ),
    );
    let text = read(&html, &ExtractOptions::default()).text;
    assert!(text.contains("bread from the oven") && !text.contains("hopper") && !text.contains("rope broke"), "{text}");
    // Without dates, or with links to other sites, they are what an article is about.
    let round_up = html.replace("<time datetime", "<i title").replace("</time", "</i");
    assert!(read(&round_up, &ExtractOptions::default()).text.contains("hopper"));
    let elsewhere = html.replace("href=/events", "href=https://elsewhere.example");
    assert!(read(&elsewhere, &ExtractOptions::default()).text.contains("hopper"));
}

#[test]
fn comments_of_code_are_code() {
    let html = post(
        "Waking the board",
        &format!(
            "<article><h1>Waking the board</h1>{STORY}<pre><code><span class='token comment'>// Sleep first.</span>\n<span \
             class=\"token keyword\">open</span>(1) <span class='token comment'>// 21.5</span></code></pre><p>Use <code \
             class=x><i class=comment># rye</i></code> where the code is read by nobody but the miller himself.</article>"
        ),
    );
    let document = read(&html, &ExtractOptions::default());
    assert!(document.text.contains("// Sleep first.\nopen(1) // 21.5"), "{}", document.text);
    assert!(document.text.contains("Use # rye where") && document.comments.is_empty(), "{}", document.text);
}

#[test]
fn a_standfirst_questions_facts_corrections_and_captions_stay_with_a_long_text() {
    let says = "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley, as in other years";
    let head = "<meta property=og:description content='The line will close for six weekends, and nobody knows why.'>";
    let page = |top: &str, amid: &str, end: &str| {
        format!(
            "{head}<nav><a href=/>Home</a></nav><h1>The mill</h1>{top}<div class=body><p>First {says}.</p>{amid}<p>Then {says}.</p>\
             <p>Last {says}.</p>{end}</div><aside><p>Beside the text.</p></aside><a href=/x>Next</a>"
        )
    };
    let sure = [("First", 0.9), ("Then", 0.9), ("Last", 0.9), ("The mill", 0.9)];
    let more = |top: &str, amid: &str, end: &str| {
        let mut rows = kept(&page(top, amid, end), ARTICLE, &sure);
        rows.retain(|row| !row.contains(says) && row != "The mill");
        rows
    };
    let line = "<p>The line will close for six weekends, and nobody knows why.</p>";
    assert_eq!(more(line, "", "").len(), 1, "the description of the page");
    assert_eq!(
        more("<p class=article__standfirst>A year of mending, week by week.</p><p class=meta>By Ann Lee</p>", "", ""),
        ["A year of mending, week by week."]
    );
    assert!(more("<p>Another line that says much of what is below it.</p>", "", "").is_empty());
    assert!(more("<p class=intro><a href=/x>Subscribe to the letters of the mill</a></p>", "", "").is_empty());
    let facts = "<aside class=facts><h3>In numbers</h3><ul><li>1891: built<li>2013: closed</ul></aside>";
    assert_eq!(more("", facts, ""), ["In numbers", "1891: built", "2013: closed"]);
    assert!(
        more("", "<aside class=related><p>More of it <a href=/y>here and there and everywhere</a></p></aside>", "")
            .is_empty()
    );
    assert!(more("", "<aside class=newsletter><p>Letters each week.</p><input type=email></aside>", "").is_empty());
    assert!(more("", "", "<aside><p>Behind the text.</p></aside>").is_empty());
    assert_eq!(more("", "", "<div class=correction><p>The wheel is older.</p></div>"), ["The wheel is older."]);
    let question = |text: &str| format!("<details class=q><summary>{text}</summary><p>In May, {text}</p></details>");
    let asked = question("When does it open?") + &question("Who pays?");
    assert_eq!(more("", "", &asked).len(), 4);
    assert!(more("", "", &question("Who pays?")).is_empty(), "one may be anything");
    let caption = |text: &str| format!("<figure><img src=a.jpg><figcaption>{text}</figcaption></figure>");
    assert_eq!(more("", &caption("The wheel as it stood in the year of the flood."), "").len(), 1);
    assert!(more("", &caption("© Ann Lee for the Valley Post, all rights"), "").is_empty());
    assert!(more("", "", &caption("The wheel as it stood in the year of the flood.")).is_empty());
}

#[test]
fn short_blocks_at_the_ends_of_a_text_stay_where_they_stand_in_its_element() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let more = |begin: &str, end: &str, given: f32| {
        let html = format!(
            "<nav><a href=/>Home</a></nav><h1>The mill</h1><div class=body>{begin}<p>First {says}.</p><p>Then {says}.</p>\
             <p>Last {says}.</p>{end}</div><aside><p>Beside the text.</p></aside><a href=/x>Next</a>"
        );
        let given = [("First", 0.9), ("Then", 0.9), ("Last", 0.9), ("The mill", 0.9), ("Beside", 0.0), ("", given)];
        let mut rows = kept(&html, ARTICLE, &given);
        rows.retain(|row| !row.contains(says) && row != "The mill");
        rows
    };
    let facts = "<div class=facts><div><b>When</b> Thursday at noon</div><div><b>Where</b> The upper hall</div></div>";
    assert_eq!(more("", facts, 0.2), ["When Thursday at noon", "Where The upper hall"]);
    assert_eq!(more(facts, "", 0.2).len(), 2);
    assert!(more("", facts, 0.05).is_empty(), "it is not likely");
    let steps = "<div class=steps><div>1</div><div>Open the sack</div><div>2</div><div>Let the water in</div></div>";
    assert_eq!(more("", steps, 0.2).len(), 4);
    for other in [
        "<div class=share>Tell it to others and to their friends</div>",
        "<div class=box><p>Letters each week.</p><button>Yes</button></div>",
        "<div><a href=/y>Another mill, which stands in another valley</a></div>",
        "<div>Reporting by Ann Lee in the valley</div>",
        "<h3>What others read</h3>",
        "<div>More of it in these letters:</div>",
    ] {
        assert!(more("", other, 0.2).is_empty(), "{other}");
    }
}

#[test]
fn captions_stay_above_the_first_paragraph_and_in_a_gallery_below_the_last() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let caption = |n: usize| {
        format!(
            "<figure><img src={n}.jpg><figcaption>Picture {n}: the wheel as it stood that year</figcaption></figure>"
        )
    };
    let gallery: String = (2..12).map(caption).collect();
    let html = format!(
        "<nav><a href=/>Home</a></nav><article><h1>The mill</h1>{}<p>First {says}.</p><p>Last {says}.</p><div class=gallery>{gallery}\
         </div></article><a href=/x>Next</a>",
        caption(1)
    );
    let rows = kept(&html, ARTICLE, &[("First", 0.9), ("Last", 0.9), ("The mill", 0.9), ("Picture", 0.1)]);
    assert_eq!(rows.iter().filter(|row| row.starts_with("Picture")).count(), 11, "{rows:?}");
}

#[test]
fn a_box_is_kept_with_its_title_and_a_post_with_the_text_that_quotes_it() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let html = format!(
        "<nav><a href=/>Home</a></nav><h1>The mill</h1><div><p>First {says}.</p><div class='alert alert-note'><p class=title>Note</p><p>The \
         old stone is gone.</p></div><blockquote class=twitter-tweet><p>Nine years for a wheel.</p>— Ann (@ann) <a href=//t.example/1>May \
         4</a></blockquote><p>Last {says}.</p></div><a href=/x>Next</a>"
    );
    let rows = kept(&html, ARTICLE, &[("First", 0.9), ("Last", 0.9), ("Note", 0.6)]);
    assert!(rows.iter().any(|row| row == "The old stone is gone."), "{rows:?}");
    assert!(rows.iter().any(|row| row.starts_with("Nine years")), "{rows:?}");
}

#[test]
fn signatures_of_a_thread_and_what_says_that_it_is_boilerplate_go() {
    let post = |n: usize| {
        format!(
            "<div class=post><div class=content>Answer {n} of the thread, at some length.</div><div class=signature>Ann, the miller</div></div>"
        )
    };
    let thread: String = (0..4).map(post).collect();
    let html = format!(
        "<nav><a href=/>Home</a></nav><h1>A wheel that sticks</h1>{thread}<section class=pg-boilerplate><p>Licence</p></section>"
    );
    let given = [("Answer", 0.9), ("Ann", 0.8), ("Licence", 0.8)];
    assert!(kept(&html, FORUM, &given).iter().all(|row| !row.starts_with("Ann") && row != "Licence"));
    assert!(kept(&html, ARTICLE, &given).iter().any(|row| row.starts_with("Ann")), "elsewhere a signature is text");
}

#[test]
fn entries_below_a_heading_that_says_so_are_others() {
    let card = |(title, said): &(&str, &str)| {
        format!("<div class=card><h3><a href=/{}>{title}</a></h3><p>{said}</p></div>", title.len())
    };
    let cards: String = OTHERS.iter().map(card).collect();
    let title = "The clock of the station stands still";
    let page = |above: &str| {
        let html = post(
            title,
            &format!("<div class=story><h1>{title}</h1>{STORY}</div><section><h2>{above}</h2>{cards}</section>"),
        );
        read(&html, &ExtractOptions { url: Some("https://valley.example/clock"), ..ExtractOptions::default() }).text
    };
    assert!(!page("You may also like").contains("rope broke"));
    let links = "<ul><li><a href=/rope>The rope of the ferry broke again</a></li><li><a href=/ice>Ice on the river</a></li></ul>";
    let html = post(title, &format!("<article><h1>{title}</h1>{STORY}<h2>More on this story</h2>{links}</article>"));
    let text =
        read(&html, &ExtractOptions { url: Some("https://valley.example/clock"), ..ExtractOptions::default() }).text;
    assert!(!text.contains("ferry broke") && !text.contains("More on"), "{text}");
}

#[test]
fn a_short_post_stays_beside_the_long_ones_of_its_thread() {
    let post =
        |text: &str| format!("<div class=post><div class=who>ann_lee</div><div class=content>{text}</div></div>");
    let long = ["One", "Two", "Three", "Four", "Five"].map(|n| format!("{n} long answer"));
    let thread = |n: usize| {
        let posts: String =
            long.iter().take(n).map(String::as_str).chain(["Thanks, that was it.", "ok"]).map(post).collect();
        let html = format!("<nav><a href=/>Home</a></nav><h1>A wheel that sticks</h1>{posts}<a href=/x>Next</a>");
        kept(&html, FORUM, &[("long answer", 0.9), ("Thanks", 0.25), ("ok", 0.25)])
    };
    assert!(thread(5).ends_with(&["Thanks, that was it.".into(), "ok".into()]));
    assert_eq!(thread(2).last().unwrap(), "Two long answer");
}

#[test]
fn a_small_box_that_asks_for_an_address_goes_and_a_form_that_is_the_text_stays() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let html = format!(
        "<nav><a href=/>Home</a></nav><h1>The mill</h1><div><p>First {says}.</p><p>Second {says}.</p><p>Third {says}.</p><div class=box>\
         <h3>Letters</h3><p>What happened in the valley, each Friday.</p><form><label>Address <input type=email></label></form><p>You \
         can stop at any time.</p></div><p>Last {says}.</p></div>"
    );
    let given = [("says", 0.9), ("Letters", 0.8), ("What happened", 0.8), ("You can stop", 0.8), ("Address", 0.2)];
    let rows = kept(&html, ARTICLE, &given);
    assert!(rows.iter().all(|row| row.contains("says") || row == "The mill"), "{rows:?}");
    let contact = "<nav><a href=/>Home</a></nav><h1>Write to us</h1><div><p>We answer within a day.</p><form><input type=email></form></div>";
    assert_eq!(
        kept(contact, ARTICLE, &[("We answer", 0.9), ("Write", 0.9)]),
        ["Write to us", "We answer within a day."]
    );
}

#[test]
fn a_quote_that_was_pulled_out_of_the_text_is_in_it_once() {
    let said = "We found the letters of the first miller between two rolls of tax";
    let html = |quoted: &str| {
        format!(
            "<nav><a href=/>Home</a></nav><h1>The mill</h1><div><p>“{said},” said Ann Lee, who had come by the first train in the \
             morning.</p><aside class=pullquote><p>{quoted}</p><p>Ann Lee</p></aside><p>Nobody else had looked there before.</p></div>"
        )
    };
    let given = [("said Ann", 0.9), ("We found", 0.7), ("Ann Lee", 0.6), ("Nobody", 0.9), ("Another", 0.7)];
    let n_rows = |quoted: &str| kept(&html(quoted), ARTICLE, &given).iter().filter(|row| *row != "The mill").count();
    assert_eq!(n_rows(said), 1 + 1);
    assert_eq!(n_rows("Another thing that she said of the letters and their clerks"), 2 + 2);
}

#[test]
fn callouts_notes_and_folded_answers_among_paragraphs_stay() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let html = format!(
        "<nav><a href=/>Home</a></nav><h1>The mill</h1><div><p>First {says}.</p><div class='kg-card kg-callout-card'><div>💡</div><div>Wet \
         rope is short.</div></div><div class=kg-toggle-card><div class=kg-toggle-heading><h4>How long is a coil?</h4><button></button></div>\
         <div>Forty fathoms.</div></div><div class=promo><h4>Want more?</h4><div>Join us today.</div></div><p>Last {says}.</p><div \
         role=note><p>A card is no passport.</p></div></div><a href=/x>Next</a>"
    );
    let given = [
        ("says", 0.9),
        ("💡", 0.2),
        ("Wet", 0.2),
        ("coil", 0.2),
        ("Forty", 0.2),
        ("more", 0.2),
        ("Join", 0.2),
        ("card", 0.2),
    ];
    let rows = kept(&html, ARTICLE, &given);
    for row in ["Wet rope is short.", "How long is a coil?", "Forty fathoms.", "A card is no passport."] {
        assert!(rows.iter().any(|kept| kept == row), "{row}: {rows:?}");
    }
    assert!(rows.iter().all(|row| row != "Join us today."), "{rows:?}");
}

#[test]
fn who_speaks_stands_above_what_is_said_and_who_posts_does_not() {
    let line = |who: &str, n: usize| format!("<p><b>{who}</b></p><p>Line {n} of what they say on the stage.</p>");
    let play = ["MARTA", "JONAS", "MARTA"].iter().zip(0..).map(|(who, n)| line(who, n)).collect::<String>();
    let html = format!("<nav><a href=/>Home</a></nav><h1>The gate</h1><div>{play}</div>");
    let given = [("Line", 0.9), ("MARTA", 0.1), ("JONAS", 0.1)];
    assert_eq!(kept(&html, ARTICLE, &given).iter().filter(|row| row.len() == 5).count(), 3);
    let post =
        |who: &str, n: usize| format!("<div class=post><b>{who}</b><div><p>Line {n} of what they say.</p></div></div>");
    let thread = ["MARTA", "JONAS", "MARTA"].iter().zip(0..).map(|(who, n)| post(who, n)).collect::<String>();
    let html = format!("<nav><a href=/>Home</a></nav><h1>The gate</h1><div>{thread}</div>");
    assert!(kept(&html, FORUM, &given).iter().all(|row| row.len() != 5));
}

#[test]
fn comments_are_in_the_text_for_who_asks_for_them() {
    let comment = |who: &str, said: &str| {
        format!(
            "<li class=comment><b class=fn>{who}</b> <time datetime=2024-05-04>May 4</time><div class=comment-content><p>{said}</p></div><a>Reply</a>"
        )
    };
    let comments = comment("Tilda", "The soup of the mill is excellent.")
        + &comment("Olaf", "My father worked there for thirty years.");
    let html = post(
        "The mill",
        &format!(
            "<article><h1>The mill</h1>{STORY}</article><div id=comments><ol class=comment-list>{comments}</ol></div>"
        ),
    );
    let text = |comments| read(&html, &ExtractOptions { comments, ..ExtractOptions::default() }).text;
    assert!(!text(false).contains("soup"));
    assert!(text(true).contains("soup of the mill is excellent.\nMy father worked there"), "{}", text(true));
}

#[test]
fn a_table_beside_the_one_paragraph_that_is_kept_stays_and_the_foot_of_a_table_with_it() {
    let table = "<div class=table-wrap><table><tr><th>Salt<th>Hardness<tr><td>0.0<td>88<tr><td>1.4<td>31</table><a href=/t1>Open</a><div class=tw-foot><p>Mean of nine samples.</p></div></div>";
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let html = |end: &str| {
        format!(
            "<nav><a href=/>Home</a></nav><div><h1>The mill</h1><p>First {says}.</p>{table}<p>{end}</p></div><a href=/x>Next</a>"
        )
    };
    let given = [
        ("says", 0.9),
        ("End", 0.5),
        ("Salt", 0.3),
        ("Hardness", 0.3),
        ("0.0", 0.3),
        ("88", 0.3),
        ("1.4", 0.3),
        ("31", 0.3),
    ];
    let rows = kept(&html("End."), DOCUMENTATION, &given);
    assert_eq!(&rows[rows.len() - 3..], ["31", "Mean of nine samples.", "End."], "{rows:?}");
}

#[test]
fn what_a_box_behind_the_text_says_of_its_writer_goes() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let of_ann = "<p>Ann lives above a shop with two parrots and has written for us since 2014.</p>";
    let html = |before: &str, behind: &str| {
        format!(
            "<nav><a href=/>Home</a></nav><article><h1>The mill</h1><div>{before}<p>First {says}.</p><p>Last {says}.</p></div>{behind}\
             </article><a href=/x>Next</a>"
        )
    };
    let of_writer = format!("<div class=box><div><a href=/author/ann>Ann Lee</a></div>{of_ann}</div>");
    let given = [("says", 0.9), ("parrots", 0.7), ("Ann Lee", 0.1)];
    let has = |html: &str| kept(html, ARTICLE, &given).iter().any(|row| row.contains("parrots"));
    assert!(!has(&html("", &of_writer)));
    assert!(has(&html(&of_writer, "")), "a text about her");
    assert!(has(&html("", &format!("<div><div><a href=/shop>Ann Lee</a></div>{of_ann}</div>"))));
}

#[test]
fn a_page_without_links_to_others_keeps_all_but_its_table_of_contents() {
    let html = "<body class=book><h1>Guide</h1><div id=toc class=toc2><div id=toctitle>Table of Contents</div><ul><li><a href='#a'>1. Start</a></ul></div>\
                <h2 id=a>1. Start</h2><p>A broker is one process.</p><div id=footer>Last updated 2025-02-11</div>";
    let rows = kept(html, DOCUMENTATION, &[("broker", 0.9)]);
    assert_eq!(rows, ["Guide", "1. Start", "A broker is one process."]);
}

#[test]
fn a_post_of_which_nothing_is_kept_is_that_of_a_thread_all_the_same() {
    let comment = |who: &str, said: &str| {
        format!(
            "<tr class=comtr><td><div class=comhead><a class=hnuser href=/u/{who}>{who}</a> <span class=age>2024-05-04</span></div><div \
             class=comment><div class=commtext>{said}</div></div></td></tr>"
        )
    };
    let long = "Tallow gets hard below zero, which every miller of the coast learns in his first winter on the dike, and then never forgets.";
    let posts = [
        ("olaf", long),
        ("ines", "Rapeseed oil does not."),
        ("tilda", long),
        ("jan", long),
        ("uwe", long),
        ("mara", "Nor lard."),
    ];
    let thread: String = posts.iter().map(|(who, said)| comment(who, said)).collect();
    let html = format!(
        "<title>Why tallow squeaks | Mill News</title><a href=/new>new</a><h1>Why tallow squeaks</h1><table class=comment-tree>{thread}</table>"
    );
    let text = read(&html, &ExtractOptions::default()).text;
    assert!(text.contains("Rapeseed oil") && text.contains("Nor lard"), "{text}");
}

#[test]
fn a_menu_that_was_kept_goes_where_the_page_says_enough_beside_it() {
    let items: String = (1..30).map(|n| format!("<li><a href=p{n}>mill.part{n}</a>")).collect();
    let text = "The wheel turns the shaft that turns the stones of the mill, and takes its water from the pond above. ";
    let menu = format!("<div class=sphinxsidebar><ul>{items}</ul></div>");
    let has_menu = |html: &str, types: PageTypes| {
        let kept = kept(html, types, &[("mill.part", 0.9), ("The wheel turns", 0.95)]);
        kept.iter().any(|row| row.starts_with("mill.part"))
    };
    let page = format!(
        "<title>Wheel</title><body>{menu}<main><h1>Wheel</h1><p>{text}</p><p>1. {text}</p><p>2. {text}</p></main>"
    );
    assert!(!has_menu(&page, DOCUMENTATION));
    assert!(has_menu(&page.replace(text, "The wheel turns."), DOCUMENTATION), "an index has little else");
    assert!(has_menu(&page.replace("sphinxsidebar", "members"), DOCUMENTATION), "a list of the text is none");
    let short = page.replace(text, "The wheel turns the stones.");
    assert!(has_menu(&short, DOCUMENTATION) && !has_menu(&short.replace(&items, &items.repeat(4)), DOCUMENTATION));
    let pages =
        "<div class=navfooter><table><tr><td><a href=a>Prev</a><td>mill.part 7<tr><td>mill.part 8</table></div>";
    assert!(!has_menu(&page.replace(&menu, pages), DOCUMENTATION));
}

#[test]
fn what_narrows_a_list_of_products_down_goes_where_the_page_says_enough_beside_it() {
    let filter = |name: &str| {
        let choices: String =
            (1..4).map(|n| format!("<li><label><input type=checkbox>{name} {n} <span>({n}7)</span></label>")).collect();
        format!("<div><p>Only {name}</p><ul>{choices}</ul></div>")
    };
    let filters = format!("<div class=x1>{}</div>", ["Stone", "Grain", "Width"].map(filter).concat());
    let things: String = (1..12).map(|n| format!("<li><a href=p{n}>Hand mill {n} of oak and granite</a>")).collect();
    let says = |html: &str| kept(html, COLLECTION, &[("Only", 0.9), ("7)", 0.9), ("Hand mill", 0.9)]);
    let page = |things: &str| format!("<title>Mills</title><h1>Mills</h1>{filters}<ul class=things>{things}</ul>");
    let text = says(&page(&things));
    assert!(text.iter().all(|row| row.starts_with("Hand mill") || row == "Mills"), "{text:?}");
    assert!(says(&page("")).iter().any(|row| row.contains("(17)")), "a page of parts has little else");
    let counts = page(&things).replace("<label>", "").replace("</label>", "").replace("<input type=checkbox>", "");
    assert!(says(&counts).iter().any(|row| row.contains("(17)")), "a table of counts is none");
}

#[test]
fn code_behind_a_heading_and_a_line_that_are_all_that_is_kept_stays() {
    let html = "<title>wheel</title><body><div class=entry><div class=name><h2>Struct wheel</h2><p>mill::wheel turns the stones of a mill.\
                </p></div><h2>Synopsis</h2><div class=synopsis><pre>template&lt;typename Shaft>\nstruct wheel { Shaft shaft; };</pre></div></div>";
    let kept = kept(
        html,
        DOCUMENTATION,
        &[("Struct wheel", 0.95), ("turns the stones", 0.95), ("Synopsis", 0.4), ("typename", 0.1)],
    );
    assert!(kept.iter().any(|row| row.contains("typename Shaft")), "{kept:?}");
}

#[test]
fn a_remark_beside_the_text_of_a_manual_may_name_other_pages() {
    let text = "The wheel turns the shaft that turns the stones of the mill, and takes its water from the pond above.";
    let html = format!(
        "<title>Wheel</title><main><h1>Wheel</h1><p>1. {text}</p><aside class=topic><p>Scaling</p><p>Note that <a href=a>mill.large_wheels</a> \
         turn slowly, for which see <a href=b>mill.gears</a>.</p></aside><p>{text}</p></main>"
    );
    let kept = kept(&html, DOCUMENTATION, &[("The wheel turns", 0.95), ("Scaling", 0.1), ("Note that", 0.2)]);
    assert!(kept.iter().any(|row| row.starts_with("Note that")), "{kept:?}");
}

#[test]
fn a_term_stays_above_its_description_and_the_name_of_a_manual_below_its_title() {
    let text = "Turns the sacks of grain that are named into flour, which comes into one bin unless the command says otherwise, and the miller is told how many there were.";
    let html = format!(
        "<title>grind(1)</title><div id=header><h1>grind(1) Manual Page</h1><h2>NAME</h2><div class=sectionbody><p>grind - makes flour of the grain of the valley</p></div>\
         </div><div id=content><h2>DESCRIPTION</h2><p>{text}</p><dl><dt>mill.grind(<a href=s>sack</a>, coarse=False)</dt><dd><p>{text}</p></dd></dl></div>"
    );
    let kept = kept(&html, DOCUMENTATION, &[("Turns the sacks", 0.95), ("DESCRIPTION", 0.9)]);
    assert!(kept.iter().any(|row| row.starts_with("grind - makes")), "{kept:?}");
    assert!(kept.iter().any(|row| row.starts_with("mill.grind(")), "{kept:?}");
}

#[test]
fn the_first_section_of_a_manual_is_not_all_of_it() {
    let text = "The mill grinds the grain of the valley, and the flour of all sacks comes into one bin unless the miller says otherwise. ";
    let html = format!(
        "<title>grind</title><div class=entry><div class=sect><h2>Description</h2><p>{text}{text}</p><p>{text}{text}</p></div><div class=sect>\
         <h2>Options</h2><table><tr><td>--coarse</td><td>Keeps the husks in the flour</td></tr><tr><td>--twice</td><td>Grinds it again</td></tr>\
         </table></div></div>"
    );
    let kept = kept(&html, DOCUMENTATION, &[("The mill grinds", 0.95), ("Description", 0.9), ("", 0.2)]);
    assert!(kept.iter().any(|row| row.contains("Keeps the husks")), "{kept:?}");
}

#[test]
fn short_rows_among_those_of_the_element_that_is_called_the_text_stay() {
    let page = |class: &str, within: &str| {
        let text = format!(
            "<p>First the sacks are opened, one by one, as they always were.{within}<p>Then the stones are set, and the water is let in from the \
             pond."
        );
        let given = [("First", 0.9), ("Then", 0.9), ("oak", 0.25), ("rolls", 0.25)];
        kept(&post("Mill", &format!("<h1>Mill</h1><div class={class}>{text}</div>")), ARTICLE, &given).join("|")
    };
    let columns = "<div class=columns><div class=column><h4>Left</h4><p>Two of oak</div><div class=column><p>48 rolls</div></div>";
    assert!(page("entry-content", columns).contains("|Two of oak|48 rolls|"), "{}", page("entry-content", columns));
    assert!(!page("wide", columns).contains("oak"), "{}", page("wide", columns));
    for other in [
        "<div class=newsletter><div><p>Two of oak</div></div>",
        "<aside><div><p><a href=/b>All of oak</a></div></aside>",
        "<div class=x><p><a href=/b>Two of oak</a></div>",
        "<form><div><p>Two of oak</div></form>",
    ] {
        assert!(!page("entry-content", other).contains("oak"), "{other}");
    }
    let long = format!("<div class=x>{}</div>", "<p>Two of oak".repeat(15));
    assert!(!page("entry-content", &long).contains("oak"), "what is much is another text");
}

#[test]
fn posts_that_are_lost_stay_where_others_of_their_class_are_kept() {
    let posted = |said: &str| {
        format!(
            "<div class=windowbg><h4>Ana</h4><ul><li>Posts: 51</ul><div class=post><div class=inner>{said}</div></div></div>"
        )
    };
    let thread: String = [
        "Pressed cane into a groove, and a spline on top of it all.",
        "<blockquote>Pressed cane into a groove, and a spline on top of it all.</blockquote>White glue. You want it out again.",
        "Good point!",
    ]
    .map(posted)
    .concat();
    let given = [("Pressed", 0.9), ("White", 0.2), ("Good", 0.12)];
    let rows = kept(&post("Glue", &format!("<h1>Glue</h1>{thread}")), FORUM, &given);
    assert_eq!(
        rows,
        [
            "Pressed cane into a groove, and a spline on top of it all.",
            "White glue. You want it out again.",
            "Good point!"
        ]
    );
}

#[test]
fn boxes_that_are_called_what_they_are_go_and_headings_of_other_pages_go_with_these() {
    let html = "<h1>Mill</h1><article class=post><p>First the sacks are opened, one by one, as they always were.<div class=donation-banner><p>If \
                you value our mill, give a sack.</div><p>Then the stones are set, and the water is let in from the pond.<h2>Related \
                mills</h2><ul><li><a href=/a>Tide mills</a></ul><div class=author-box><h4>About</h4><p>Ana has kept the mill since \
                2009.</div></article><div class=package-alerts><p>HTML may fail.</div>";
    let given =
        [("First", 0.9), ("Then", 0.9), ("value", 0.85), ("Related", 0.6), ("About", 0.6), ("Ana", 0.7), ("fail", 0.7)];
    let rows = kept(&post("Mill", html), ARTICLE, &given).join("|");
    assert!(rows.contains("First") && rows.ends_with("from the pond."), "{rows}");
    assert!(!rows.contains("value"), "{rows}");
}

#[test]
fn the_title_of_what_is_folded_stays_where_that_is_kept() {
    let says =
        "says that the wheel turned all through the winter, and that nobody had to carry a sack to the next valley";
    let folded = |id: &str, title: &str, text: &str| {
        format!(
            "<div><button aria-expanded=false aria-controls={id}>{title}</button><div id={id} hidden><p>{text}.</p></div></div>"
        )
    };
    let html = format!(
        "<nav><a href=/>Home</a></nav><h1>The mill</h1><div><p>First {says}.</p>{}{}<button aria-controls=x>Next slide</button><p id=x>Last \
         {says}.</p><details><summary>As code</summary><span>sh</span><pre>mill --twice</pre></details></div><a href=/x>Next</a>",
        folded("a", "How long is a coil?", &format!("Forty fathoms {says}")),
        folded("b", "Subscribe", "Join us"),
    );
    let given = [("says", 0.9), ("coil", 0.3), ("Subscribe", 0.1), ("Join", 0.05), ("slide", 0.1), ("As code", 0.2)];
    let rows = kept(&html, ARTICLE, &given);
    for row in ["How long is a coil?", "As code"] {
        assert!(rows.iter().any(|kept| kept == row), "{row}: {rows:?}");
    }
    assert!(!rows.iter().any(|row| ["Subscribe", "Join us.", "Next slide"].contains(&row.as_str())), "{rows:?}");
}

#[test]
fn lists_of_which_something_stands_right_between_kept_rows_are_whole() {
    let html = "<h1>Mill</h1><div class=a>First the sacks are opened, one by one, as they always were.</div><dl><dt>1.</dt><dd>the rope of it \
                is wet or<dl><dt>a)</dt><dd>short</dd></dl></dd></dl><div class=a>Then the stones are set, and the water is let \
                in.</div><ul><li>by hand<li>by the wheel</ul><div class=a>At last the flour falls into the sacks below.</div><a href=/x>Next</a>";
    let given = [
        ("First", 0.9),
        ("1.", 0.2),
        ("rope", 0.6),
        ("a)", 0.2),
        ("short", 0.2),
        ("Then", 0.9),
        ("by hand", 0.2),
        ("wheel", 0.6),
        ("At last", 0.9),
    ];
    let rows = kept(html, ARTICLE, &given).join("/");
    assert!(
        rows.contains("1./the rope of it is wet or/a)/short/Then") && rows.contains("by hand/by the wheel/At"),
        "{rows}"
    );
}

#[test]
fn titles_of_menus_go_with_them_and_those_of_asides_stay() {
    let says = "says that the wheel turned all through the winter, and that nobody carried a sack over the hills to the mill in the next valley";
    let links = "<ul><li><a href=#a>How it was built</a><li><a href=#b>Who paid for it</a></ul>";
    let given =
        [("says", 0.9), ("Jump", 0.9), ("How", 0.1), ("Who", 0.1), ("Caution", 0.05), ("Tilda", 0.05), ("gate", 0.9)];
    let rows = |boxed: &str, kind| {
        kept(&format!("<h1>Mill</h1><div><p>First {says}.</p>{boxed}<p>Last {says}.</p></div>"), kind, &given)
    };
    for menu in [
        format!("<div class=box><p>Jump to one of these parts</p><nav>{links}</nav></div>"),
        format!("<details class=toc><summary>Jump to one of these parts</summary>{links}</details>"),
        "<div class=table-of-contents><p>Jump to one of these parts</p></div>".to_owned(),
    ] {
        let rows = rows(&menu, ARTICLE);
        assert!(!rows.contains(&"Jump to one of these parts".to_owned()), "{rows:?}");
    }
    let front = format!("<title>Mill</title><div><h1>Mill</h1><nav>{links}</nav></div>");
    let linked = front.replace("<h1>Mill</h1>", "<header><a href=/>Mill</a></header>");
    for front in [front, linked] {
        assert_eq!(kept(&front, ARTICLE, &[("Mill", 0.9)]), ["Mill"], "a front page has little else than its title");
    }
    let fact = "<details><summary>Jump to one of these parts</summary><p>The gate is shut.</details>";
    assert!(rows(fact, ARTICLE).contains(&"Jump to one of these parts".to_owned()));
    let aside = |class: &str, title: &str| {
        format!("<aside class={class}><p class=box__title>{title}</p><div><p>Mind the gate.</p></div></aside>")
    };
    assert!(rows(&aside("box", "Caution"), DOCUMENTATION).contains(&"Caution".to_owned()));
    assert!(!rows(&aside("quote", "Tilda:"), DOCUMENTATION).contains(&"Tilda:".to_owned()));
}

#[test]
fn all_posts_stay_that_say_who_wrote_them_and_when_however_many_of_them_are_lost() {
    let posted = |(who, said): (&str, &str)| {
        format!(
            "<div class=message><p><a class=username href=/users/{who}>{who}</a> <time datetime=2024-05-04>then</time></p><div class=wiki><p>{said}</p></div></div>"
        )
    };
    let long = "Tallow gets hard below zero, which every miller of the coast learns in his first winter on the dike, and then never forgets.";
    let said = [
        ("olaf", long),
        ("ines", "Nun, hier nicht."),
        ("tilda", "Bei uns schon."),
        ("jan", "Talg hilft."),
        ("uwe", "Danke."),
    ];
    let thread: String = said.map(posted).concat();
    let html = format!(
        "<title>Why tallow squeaks | Mill forum</title><a href=/new>new</a><h1>Why tallow squeaks</h1>{thread}"
    );
    let text =
        read(&html, &ExtractOptions { url: Some("https://mill.example/forum/thread/7"), ..ExtractOptions::default() })
            .text;
    assert!(said.iter().all(|(_, said)| text.contains(said)), "{text}");
}

#[test]
fn a_list_that_a_post_announces_stays_with_it() {
    let posted = |said: &str| format!("<div class=post><div class=text>{said}</div></div>");
    let list = "<ul><li>mix at nine in the evening<li>fold once before bed<li>bake at seven</ul>";
    let rows = |said: &str| {
        let thread =
            [format!("<p>{said}</p>{list}"), "<p>Thanks to all of you.</p>".to_owned()].map(|said| posted(&said));
        kept(&post("Rye", &format!("<h1>Rye</h1>{}", thread.concat())), FORUM, &[("overnight", 0.9), ("Thanks", 0.9)])
    };
    assert!(rows("I let it stand overnight:").contains(&"bake at seven".to_owned()));
    assert!(!rows("I let it stand overnight.").contains(&"bake at seven".to_owned()));
}

#[test]
fn the_subject_of_a_thread_is_not_said_again_above_each_reply() {
    let posted = |(subject, said): (&str, &str)| {
        format!("<div class=post><p>{subject}</p><div class=text><p>{said}</p></div></div>")
    };
    let said = [
        ("Why tallow squeaks", "It does so below zero."),
        ("Re: Why tallow squeaks", "Warm it first."),
        ("Re: Why tallow squeaks", "Re: the cold, ours is dry."),
    ];
    let html = post("Why tallow squeaks", &format!("<h1>Why tallow squeaks</h1>{}", said.map(posted).concat()));
    let given = [("tallow", 0.9), ("below zero", 0.9), ("Warm", 0.9), ("ours", 0.9)];
    let rows = kept(&html, FORUM, &given);
    assert!(!rows.contains(&"Re: Why tallow squeaks".to_owned()), "{rows:?}");
    assert!(rows.ends_with(&["Warm it first.".to_owned(), "Re: the cold, ours is dry.".to_owned()]), "{rows:?}");
    assert!(kept(&html, ARTICLE, &given).contains(&"Re: Why tallow squeaks".to_owned()));
    let first = html.replace("Why tallow squeaks", "Lard").replacen("<p>Lard", "<p>Re: The wheel", 1);
    assert!(kept(&first, FORUM, &[("wheel", 0.9)]).contains(&"Re: The wheel".to_owned()));
}
