//! Threads, comments and listings made by hand.

use cpu_time::ThreadTime;
use gristmill_html::{Doc, TreeLimits};

use super::*;

fn found(html: &str, page_type: PageType) -> PageParts {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let mut types = PageTypes([0.0; 7]);
    types.0[page_type as usize] = 1.0;
    parts(&page, &Selection::all(&page), &types, Some("https://example.com/list/"))
}

fn post(author: Option<&str>, date: Option<&str>, text: &str) -> Post {
    Post { author: author.map(str::to_owned), published: date.map(str::to_owned), text: text.to_owned() }
}

#[test]
fn posts_of_a_thread_have_author_date_and_text() {
    let html = "<div class=thread><div class='post odd' id=p1><span class=username>Ann</span><time datetime='2020-01-02T03:04:05Z'>Thursday</time>
        <div class=content><p>How do I grind rye?</p><p>It sticks.</p></div><a href=#>Reply</a></div>
        <div class='post even' id=p2><a href='/users/7'>Bo Wu</a><span class=date>3 Jan 2020</span>
        <div class=content>Dry it first, then grind it coarse.</div><a href=#>Reply</a></div></div>
        <ul class=nav><li>Home of the mill<li>About the mill</ul>";
    let parts = found(html, PageType::Forum);
    let first = post(Some("Ann"), Some("2020-01-02T03:04:05Z"), "How do I grind rye?\nIt sticks.");
    assert_eq!(parts.posts, [first, post(Some("Bo Wu"), Some("2020-01-03"), "Dry it first, then grind it coarse.")]);
    assert!(parts.comments.is_empty());
}

#[test]
fn who_opened_a_thread_is_seen_from_its_first_posts() {
    let post = |n: u8| {
        let name = char::from(b'A' + n);
        format!(
            "<div class=post><b class=author>Ann {name}</b><time>2020-01-02</time><p>Rye sticks to the stones, again.</p></div>"
        )
    };
    let opener = |html: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        opener(&page, &Selection::all(&page)).and_then(|post| post.author)
    };
    let thread: String = (0..20).map(post).collect();
    assert_eq!(opener(&thread).as_deref(), Some("Ann A"));
    assert_eq!(opener("<ul><li>Home of the mill<li>About the mill</ul><p>Rye is a grass.</p>"), None);
}

#[test]
fn replies_within_posts_are_posts_of_their_own() {
    let post = |author: &str, text: &str, replies: &str| {
        format!("<li class=comment><div class=author>{author}</div><div class=text>{text}</div><ol>{replies}</ol></li>")
    };
    let inner = post("Cy", "I doubt that it sticks.", "");
    let html = format!(
        "<ol>{}{}</ol>",
        post("Ann", "Rye sticks to the stones.", &post("Bo", "Mine does, too.", &inner)),
        post("Di", "Dry it before you grind.", "")
    );
    let posts = found(&html, PageType::Forum).posts;
    let said: Vec<(&str, &str)> =
        posts.iter().map(|post| (post.author.as_deref().unwrap_or(""), post.text.as_str())).collect();
    let expected = [
        ("Ann", "Rye sticks to the stones."),
        ("Bo", "Mine does, too."),
        ("Cy", "I doubt that it sticks."),
        ("Di", "Dry it before you grind."),
    ];
    assert_eq!(said, expected);
}

#[test]
fn comments_below_an_article_are_apart_in_several_languages() {
    for class in ["comments", "kommentare", "commentaires", "pinglun-list"] {
        let html = format!(
            "<article><h1>Rye</h1><p>Rye is a grass.</p><p>It is grown for its grain.</p></article><div id='{class}'>
             <div class=entry-7><b class=author>Ann</b> <span class=date>2020-01-02</span><p>I like rye bread.</p></div>
             <div class=entry-8><b class=author>Bo</b> <span class=date>2020-01-03</span><p>So do I, with butter.</p></div></div>"
        );
        let comments = found(&html, PageType::Article).comments;
        let expected = [
            post(Some("Ann"), Some("2020-01-02"), "I like rye bread."),
            post(Some("Bo"), Some("2020-01-03"), "So do I, with butter."),
        ];
        assert_eq!(comments, expected, "{class}");
    }
}

#[test]
fn related_articles_with_dates_are_no_comments() {
    let html = "<article><p>Rye is a grass.</p></article><div class=related>
        <div class=card><span class=date>2020-01-02</span><a href=/a>Oats and how they grow</a></div>
        <div class=card><span class=date>2020-01-03</span><a href=/b>Wheat and how it grows</a></div></div>";
    assert!(found(html, PageType::Article).comments.is_empty());
}

#[test]
fn items_of_a_listing_have_title_link_and_text() {
    let card = |n: usize| {
        format!(
            "<li class='card c{n}'><a href='p{n}.html'><img></a><h3><a href='p{n}.html'>Story number {n}</a></h3><p>What it is about, {n}.</p></li>"
        )
    };
    let html = format!(
        "<ul class=menu><li><a href=/>Home page</a><li><a href=/x>Other page</a><li><a href=/y>Third page</a></ul><ul>{}{}{}{}</ul>",
        card(1),
        card(2),
        card(3),
        card(4)
    );
    let items = found(&html, PageType::Listing).items;
    assert_eq!(items.len(), 4, "{items:?}");
    assert_eq!(
        items[1],
        ListEntry {
            title: "Story number 2".into(),
            link: Some("https://example.com/list/p2.html".into()),
            text: "What it is about, 2.".into(),
        }
    );
}

#[test]
fn only_the_type_of_the_page_decides_what_is_looked_for() {
    let html = "<div class=post><b class=author>Ann</b><p>One thing that I say.</p></div><div class=post><b class=author>Bo</b><p>Another thing that I say.</p></div>";
    assert_eq!(found(html, PageType::Forum).posts.len(), 2);
    assert_eq!(found(html, PageType::Article), PageParts::default());
}

#[test]
fn many_alike_deep_and_empty_elements_cost_little() {
    let begun = ThreadTime::now();
    let deep = "<div class=post><b class=author>Ann</b> word word word ".repeat(400);
    let wide = "<div class=post><b class=author>Ann</b> word word word</div>".repeat(30_000);
    let lists = "<ul><li>one two three<li>one two three</ul>".repeat(30_000);
    for html in [deep, wide, lists] {
        for page_type in [PageType::Forum, PageType::Article, PageType::Listing] {
            found(&html, page_type);
        }
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn posts_in_wrappers_of_their_own_are_a_thread() {
    let post = |n: usize, author: &str, text: &str| {
        format!(
            "<div><div id=edit{n}><div class=tpost><div>Feb {n}, 2026 | 9:05 pm</div><a class=bigusername href=/m/{n}>{author}</a>
             <div>Join Date: Aug 2008</div><div id=post_message_{n}>{text}</div></div></div></div>"
        )
    };
    let html = [post(1, "stonefan", "I ground rye today."), post(2, "Bo", "With which stones?")].concat();
    let expected = [
        self::post(Some("stonefan"), Some("2026-02-01T21:05:00"), "I ground rye today."),
        self::post(Some("Bo"), Some("2026-02-02T21:05:00"), "With which stones?"),
    ];
    assert_eq!(found(&html, PageType::Forum).posts, expected);
}

#[test]
fn the_day_of_joining_and_lines_about_the_writer_belong_to_no_post() {
    let post = |author: &str, day: &str, text: &str| {
        format!(
            "<article class=message><div class=message-user><h4 class=message-name><a class=username href=/members/1>{author}</a> Elite</h4>
             <dl><dt>Joined</dt><dd>Jun 29, 2016</dd></dl><p class=message-userExtras>1,234 messages about mills and grain</p></div>
             <div class=message-main><header class=message-attribution><time datetime='{day}'>then</time></header>
             <div class=message-body>{text}</div></div></article>"
        )
    };
    let html = [post("Ann", "2024-07-18", "So it is."), post("Bo", "2024-07-19", "Is it?")].concat();
    let expected = [
        self::post(Some("Ann"), Some("2024-07-18"), "So it is."),
        self::post(Some("Bo"), Some("2024-07-19"), "Is it?"),
    ];
    assert_eq!(found(&html, PageType::Forum).posts, expected);
}

#[test]
fn a_question_and_its_answers_are_one_thread_with_their_declared_writers() {
    let signature = |verb: &str, day: usize, author: &str| {
        let declared = if verb == "edited" { "" } else { "itemprop=author" };
        format!(
            "<div>{verb} <span class=time title='2020-01-{day:02} 10:00:00Z'>then</span></div><div class=user-details {declared}><a href=/users/{day}/x>{author}</a></div>"
        )
    };
    let html = format!(
        "<div class=question><div class='post-text'>How is rye ground without sticking?</div>{}{}</div>
         <div id=answers><div class=answer><div class='post-text'>Dry it before you grind it.</div>{}
         <div itemprop=comment><span>How dry?</span> <a itemprop=author href=/users/9/di>Di</a></div></div></div>",
        signature("edited", 9, "Ed"),
        signature("asked", 1, "Ann"),
        signature("answered", 2, "Bo")
    );
    let posts = found(&html, PageType::Forum).posts;
    let said: Vec<_> = posts.iter().map(|post| (post.author.as_deref(), post.text.lines().next())).collect();
    assert_eq!(
        said,
        [(Some("Ann"), Some("How is rye ground without sticking?")), (Some("Bo"), Some("Dry it before you grind it."))]
    );
}

#[test]
fn boxes_below_a_thread_that_look_like_posts_are_none() {
    let post = |author: &str, text: &str| {
        format!(
            "<div class=block><b class=username>{author}</b><time datetime=2024-07-18>then</time><p>{text}</p></div>"
        )
    };
    let other = |n: usize| {
        format!(
            "<div class=block><time datetime=2024-07-19>now</time><a href=/t{n}>Another thread of this forum, {n}</a></div>"
        )
    };
    let others = [1, 2, 3].map(other).concat();
    let html = format!("{}{others}", post("Ann", "What I have to say takes a sentence."));
    let posts = found(&html, PageType::Forum).posts;
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].author.as_deref(), Some("Ann"));
    let menu = "<ul><li class=topic-a>Mills of the valley<li class=topic-b>Mills of the hills</ul>".repeat(4);
    assert!(found(&menu, PageType::Forum).posts.is_empty());
}

#[test]
fn entries_of_sections_are_the_items_and_not_the_sections() {
    let section = |name: &str| {
        let entries: String =
            (1..6).map(|n| format!("<li><a href=/{name}{n}>Entry {n} of {name}</a>, with more words</li>")).collect();
        format!("<section class=part><h2>{name}</h2><ul>{entries}</ul></section>")
    };
    let html = ["Oats", "Rye", "Wheat", "Barley"].map(section).concat();
    let items = found(&html, PageType::Listing).items;
    assert_eq!((items.len(), items[0].title.as_str()), (20, "Entry 1 of Oats"), "{items:?}");
}

#[test]
fn the_link_of_image_and_title_names_an_item_and_buttons_and_numbers_do_not() {
    let item = |n: usize| {
        format!(
            "<tr class=book><td><h3>{n}</h3><a href='/b{n}'><img></a><a href='/b{n}'>Book {n}</a> <a href='/author{n}'>The Writer of Book {n}</a> <a href='#'>1,234 people voted</a></td></tr>"
        )
    };
    let html = format!("<table>{}</table>", (1..6).map(item).collect::<String>());
    let items = found(&html, PageType::Listing).items;
    assert_eq!(items.len(), 5);
    assert_eq!((items[1].title.as_str(), items[1].link.as_deref()), ("Book 2", Some("https://example.com/b2")));
}

#[test]
fn comments_leave_the_text_of_pages_that_are_no_forums_and_stand_apart() {
    let comment = |name: &str, text: &str| {
        format!("<div class=entry-7><b class=author>{name}</b> <span class=date>2020-01-02</span><p>{text}</p></div>")
    };
    let comments = [comment("Ann", "I like rye bread."), comment("Bo", "So do I, with butter.")].concat();
    let kept = |class: &str, page_type: PageType| {
        let html = format!("<article><p>{RYE}</p></article><div class='{class}'>{comments}</div><p>End.</p>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut types = PageTypes([0.0; 7]);
        types.0[page_type as usize] = 1.0;
        let (rest, comments) = without_comments(&page, Selection::all(&page), &types, None);
        let authors: Vec<String> = comments.into_iter().filter_map(|comment| comment.author).collect();
        (crate::render_text(&page, &rest), authors.join(" "))
    };
    assert_eq!(kept("kommentare", PageType::Article), (format!("{RYE}\nEnd."), "Ann Bo".to_owned()));
    for (class, page_type) in [("kommentare", PageType::Forum), ("recipes", PageType::Article)] {
        let (text, authors) = kept(class, page_type);
        assert!(text.contains("butter") && authors.is_empty(), "{text}");
    }
}

const RYE: &str = "Rye is a grass, and it is grown for its grain, which the mills of the valley grind.";

#[test]
fn boxes_of_comments_are_known_by_their_names_and_what_has_to_do_with_comments_is_none() {
    use super::class_words::is_comment_box;
    for name in
        ["comments", "comments-area", "commentList", "disqus_thread", "article-comments", "wp-comment-17", "pinglun"]
    {
        assert!(is_comment_box(name), "{name}");
    }
    for name in
        ["comments-open", "comment-link", "no-comments", "responses", "content", "editor-comment", "has-comments"]
    {
        assert!(!is_comment_box(name), "{name}");
    }
}

#[test]
fn a_section_of_a_manual_on_comments_is_none_of_readers_and_one_with_dates_is() {
    let kept = |page_type: PageType, beside: &str| {
        let html = format!(
            "<article><h1>Words</h1><p>{RYE} {RYE}</p><section id=comments><h2>Comments</h2>{beside}<p>A comment starts with a hash.</p>\
             </section><h2>Lines</h2><p>End.</p></article>"
        );
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut types = PageTypes([0.0; 7]);
        types.0[page_type as usize] = 1.0;
        let (rest, _) = without_comments(&page, Selection::all(&page), &types, None);
        crate::render_text(&page, &rest).contains("A comment starts")
    };
    assert!(kept(PageType::Documentation, "") && !kept(PageType::Article, ""));
    assert!(!kept(PageType::Documentation, "<time>2 May 2020</time>"));
}

#[test]
fn what_holds_a_thread_is_no_post_of_it_though_it_is_set_as_they_are() {
    let post = |author: &str, day: usize, text: &str| {
        format!(
            "<div class='my-3 card post'><p><small>By: <a href=/member/profile/{day}>{author}</a> on Feb. {day}, 2023, 8:14 a.m.</small></p>
             <div class=post-content><p>{text}</p></div></div>"
        )
    };
    let posts =
        [post("Ann", 1, "The bearing squeaks when it is cold."), post("Bo", 2, "Warm the tallow first.")].concat();
    let html =
        format!("<div class='my-5 container'><h1>Bearing squeaks</h1><p>Forum index of the mill</p>{posts}</div>");
    let of = |author, day, text| self::post(Some(author), Some(day), text);
    let expected = [
        of("Ann", "2023-02-01T08:14:00", "The bearing squeaks when it is cold."),
        of("Bo", "2023-02-02T08:14:00", "Warm the tallow first."),
    ];
    assert_eq!(found(&html, PageType::Forum).posts, expected);
}

#[test]
fn rows_that_alternate_hold_posts_of_one_thread() {
    let row = |class: &str, author: &str, text: &str| {
        format!(
            "<div class={class}><h2 class=name>{author}</h2><time datetime=2023-02-01>then</time><p>{text}</p></div>"
        )
    };
    let html = [
        row("odd", "Ann", "The bearing squeaks when it is cold."),
        row("even", "Bo", "Warm the tallow first."),
        row("odd", "Cy", "Ours never did that."),
    ];
    assert_eq!(found(&html.concat(), PageType::Forum).posts.len(), 3);
}

#[test]
fn the_day_of_a_post_may_be_a_tip_and_the_line_with_it_is_no_text() {
    let post = |id: usize, author: &str, tip: &str, text: &str| {
        format!(
            "<div class=message><h4>RE: Bearing - Added by <a class='user active' href=/users/{id}>{author}</a> <a title='{tip}' \
             href=/activity>almost 3 years</a> ago</h4><div class=wiki><p>{text}</p></div></div>"
        )
    };
    let html = [
        post(1, "Ann Lee", "02/19/2024 09:00 AM", "The bearing squeaks when it is cold."),
        post(2, "Bo Wu", "2024-02-20 10:15", "Warm the tallow first."),
    ];
    let of = |author, day, text| self::post(Some(author), Some(day), text);
    let expected = [
        of("Ann Lee", "2024-02-19T09:00:00", "The bearing squeaks when it is cold."),
        of("Bo Wu", "2024-02-20T10:15:00", "Warm the tallow first."),
    ];
    assert_eq!(found(&html.concat(), PageType::Forum).posts, expected);
    let item = |author: &str, day: usize| {
        format!(
            "<li class=comment><a class=username href=/u/{author}>{author}</a><ul class=info-date><li title='Feb. {day}, 2023, 7:40 p.m.'>{day} Feb \
             '23</ul><div class=text>Warm the tallow first, says {author}.</div>"
        )
    };
    let posts = found(&format!("<ol>{}{}</ol>", item("ann", 1), item("bo", 2)), PageType::Forum).posts;
    let days: Vec<_> = posts.iter().map(|post| post.published.as_deref()).collect();
    assert_eq!(days, [Some("2023-02-01T19:40:00"), Some("2023-02-02T19:40:00")]);
}

#[test]
fn signatures_and_tags_are_neither_text_nor_writers_of_a_post() {
    let post = |author: &str, text: &str| {
        format!(
            "<div class=post><ul><li><a class=tag-name rel=tag href=/t/flour>flour</a></ul><a class=user-link href=/users/1/x>{author}</a>
             asked <abbr class=timeago title='2023-03-05 10:10:00Z'>a while ago</abbr>
             <div class=post-content>{text}<div class=post-signature>No mill without a stream</div></div></div>"
        )
    };
    let html = [post("Ann", "How fine must a sieve be?"), post("Bo", "As fine as silk.")].concat();
    let of = |author, text| self::post(Some(author), Some("2023-03-05T10:10:00Z"), text);
    let expected = [of("Ann", "How fine must a sieve be?"), of("Bo", "As fine as silk.")];
    assert_eq!(found(&html, PageType::Forum).posts, expected);
}

#[test]
fn mails_of_an_archive_are_posts_though_each_stands_in_a_box_of_its_own() {
    let mail = |class: &str, author: &str, text: &str| {
        format!(
            "<div class={class}><div class=email><h2 class=name>{author}</h2><time datetime=2023-02-01>then</time><p>{text}</p></div></div>"
        )
    };
    let html =
        [mail("first", "Ann", "The bearing squeaks when it is cold."), mail("reply", "Bo", "Warm the tallow first.")];
    let posts = found(&html.concat(), PageType::Forum).posts;
    assert_eq!(posts.iter().map(|post| post.author.as_deref()).collect::<Vec<_>>(), [Some("Ann"), Some("Bo")]);
}

#[test]
fn whoever_answers_what_stands_above_the_posts_has_not_opened_the_thread() {
    let answer =
        "<div class=answer><b class=author>Bo</b><time>2020-01-03</time><p>Dry it first, then grind it coarse.</div>";
    let asked = "<p>How do I grind rye that was harvested in a wet summer, where each of the stones is new and sharp and runs slowly?";
    let opened = |html: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        opener(&page, &Selection::all(&page)).and_then(|post| post.published)
    };
    let answers = format!("{answer}{}", answer.replace("Bo", "Ann"));
    assert_eq!(opened(&answers).as_deref(), Some("2020-01-03"));
    assert_eq!(opened(&format!("{asked}{answers}")), None);
}

#[test]
fn short_posts_of_a_thread_of_which_nothing_but_the_title_is_kept_stay_and_remarks_to_a_text_do_not() {
    let post = |author: &str, text: &str| {
        format!("<div class=post><b class=author>{author}</b><time datetime=2020-01-03>then</time><p>{text}</p></div>")
    };
    let posts = [post("Ann", "Rye sticks to the stones."), post("Bo", "Dry it first.")].concat();
    let kept = |html: &str, text: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut selection = Selection::none(&page);
        page.rows.iter().filter(|row| page.row_text(row) == text).for_each(|row| selection.keep_row(row));
        let mut types = PageTypes([0.0; 7]);
        types.0[PageType::Forum as usize] = 1.0;
        let selection = with_posts(&page, selection, &types);
        page.rows.iter().filter(|row| selection.keeps(row.first_leaf as usize)).count()
    };
    assert_eq!(kept(&format!("<h1>Rye</h1>{posts}"), "Rye"), 3);
    assert_eq!(kept(&format!("<h1>Rye</h1><p>Why does it stick?</p>{posts}"), "Why does it stick?"), 1);
}
