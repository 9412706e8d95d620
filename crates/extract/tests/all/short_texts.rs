//! Short items and short texts, which a row by itself says little of.

use gristmill_extract::{ExtractOptions, PageTypes, extract};
use gristmill_html::{Doc, TreeLimits};

use crate::pages::{ARTICLE, kept, post};

const LISTING: PageTypes = PageTypes([0.1, 0.02, 0.02, 0.02, 0.01, 0.8, 0.03]);

#[test]
fn a_plain_list_between_two_kept_paragraphs_stays_on_pages_of_any_type() {
    let list = "<p>出发以前请准备好：</p><ul><li>雨衣</li><li>手电筒</li><li>地图</li></ul><p>注意安全。</p>";
    let html = post("磨坊", &format!("<h1>磨坊</h1><div class=text>{list}</div>"));
    let rows = [("出发", 0.7), ("安全", 0.6), ("雨衣", 0.2), ("手电", 0.15), ("地图", 0.15)];
    for types in [ARTICLE, LISTING] {
        assert_eq!(kept(&html, types, &rows), ["出发以前请准备好：", "雨衣", "手电筒", "地图", "注意安全。"]);
    }
    let box_of_links = html.replace("<ul>", "<ul class=share>");
    assert_eq!(kept(&box_of_links, ARTICLE, &rows), ["出发以前请准备好：", "注意安全。"]);
}

#[test]
fn the_items_of_a_list_stay_together() {
    let list =
        "<ul><li>A warm coat</li><li>Boots</li><li>A lamp that burns for a night</li><li>Bread and cheese</li></ul>";
    let html = post("To take along", &format!("<h1>To take along</h1><div>{list}</div>"));
    let rows = [("coat", 0.3), ("Boots", 0.2), ("lamp", 0.8), ("Bread", 0.8)];
    assert_eq!(
        kept(&html, LISTING, &rows)[..4],
        ["A warm coat", "Boots", "A lamp that burns for a night", "Bread and cheese"]
    );
    let few = [("coat", 0.1), ("Boots", 0.1), ("lamp", 0.05), ("Bread", 0.8)];
    assert_eq!(kept(&html, LISTING, &few), ["Bread and cheese"]);
}

#[test]
fn the_only_element_that_is_called_the_text_stays_where_no_row_speaks_for_itself() {
    let text = "<p>可以带狗吗？</p><p>可以，但要牵绳。</p><p>门票多少钱？</p><p>免费。</p>";
    let other =
        |n: usize| format!("<p>Note {n} of the ferry, which runs on Sundays and has a bell of another country.</p>");
    let others: String = (0..12).map(other).collect();
    let html = post("问题", &format!("<h1>问题</h1><div class=post-content>{text}</div><aside>{others}</aside>"));
    let rows = [("狗", 0.31), ("牵绳", 0.31), ("门票", 0.31), ("免费", 0.31), ("Note", 0.15)];
    assert_eq!(kept(&html, LISTING, &rows), ["可以带狗吗？", "可以，但要牵绳。", "门票多少钱？", "免费。"]);
    let two = html.replace("</main>", "<div class=post-content><p>别的文章。</p></div></main>");
    assert!(kept(&two, LISTING, &rows).is_empty(), "a page of several texts");
    let unlikely = rows.map(|(row, p)| (row, p / 2.0));
    assert!(kept(&html, LISTING, &unlikely).is_empty());
}

#[test]
fn beside_a_mail_no_other_code_of_the_archive_stays() {
    let html = "<title>The wheel</title><form><pre><a href=../>public inbox</a> <a href=help>help</a> / color</pre></form>
<pre>From: Jane Doe &lt;jane@mill.example&gt;\nSubject: The wheel\nDate: Sat, 09 Mar 2024 10:15:00 +0100\n\nIt stops at night.</pre><hr>
<pre>Reply instructions:\n\n  git send-email --to=jane@mill.example</pre><p>Previous message: <a href=1.html>An older question</a></p>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let text = extract(&doc, &ExtractOptions { attach_title: false, ..ExtractOptions::default() }).text;
    assert!(text.contains("It stops at night.") && text.contains("Subject: The wheel"), "{text}");
    for other in ["public inbox", "Reply instructions", "git send-email", "An older question"] {
        assert!(!text.contains(other), "{other}: {text}");
    }
}

#[test]
fn the_contents_of_a_page_are_no_text_however_short_they_are() {
    let contents = "<div class=dw__toc><ul class=toc><li><a href=#made>What it is made of</a><li><a href=#clean>How it is cleaned</a></ul></div>";
    let text = "<p>The wheel has twenty-four buckets of elm and turns again since March, when the shaft was replaced by one of larch. \
                It is cleaned once a year, when the water is low, and then nobody may open the sluice for a whole day or \
                longer. The miller says that it has never run as quietly as it does now, and that he hears the birds again.";
    let html = post("Wheel", &format!("<h1>Wheel</h1>{contents}<h2 id=made>What it is made of</h2>{text}"));
    let rows = [("made of", 0.7), ("cleaned", 0.7), ("twenty-four", 0.9)];
    for types in [ARTICLE, LISTING] {
        assert_eq!(kept(&html, types, &rows)[0], "What it is made of");
        assert_eq!(kept(&html, types, &rows).len(), 2);
    }
    let elsewhere = html.replace("href=#", "href=/");
    assert_eq!(kept(&elsewhere, LISTING, &rows).len(), 4);
}
