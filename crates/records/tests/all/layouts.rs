//! Every layout and every pitfall as a small shop page: what must be read, and what must be left alone.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::{PairLayout, PairMethod, PairSource, ProductRecords, RecordOptions, records};

/// A shop page around a fragment: navigation, a heading, a price, a cart, a footer.
fn page(fragment: &str) -> String {
    format!(
        "<html lang=en><head><title>Lamp Nova 30 | Shop</title></head><body>
        <header><nav class=menu><a href=/>Home</a> <a href=/l>Lamps</a> <a href=/c>Contact: us</a></nav></header>
        <main class=product><h1>Lamp Nova 30</h1><div class=price>$49.90</div><button>Add to cart</button>
        <p>A quiet lamp for the desk. It turns on when you touch it.</p>
        {fragment}</main>
        <footer><a href=/t>Terms</a> <a href=/p>Privacy</a> <span>Phone: 555 0100</span></footer></body></html>"
    )
}

fn read(fragment: &str, method: PairMethod) -> ProductRecords {
    let doc = Doc::parse(&page(fragment), &TreeLimits::default());
    records(&Page::new(&doc), Some("https://shop.example/lamp"), &RecordOptions { method, ..RecordOptions::default() })
}

/// The paper's system on a page of nothing but a heading and the fragment.
fn located(fragment: &str) -> ProductRecords {
    let doc = Doc::parse(&format!("<h1>Lamp Nova 30</h1>{fragment}"), &TreeLimits::default());
    records(&Page::new(&doc), None, &RecordOptions { method: PairMethod::Hmm, ..RecordOptions::default() })
}

fn pairs(found: &ProductRecords) -> Vec<(&str, &str)> {
    found.pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect()
}

const SPEC: [(&str, &str); 7] = [
    ("Brand", "Acme"),
    ("Weight", "1.2 kg"),
    ("Material", "Steel"),
    ("Color", "Black"),
    ("Height", "30 cm"),
    ("Model Number", "N-30"),
    ("Country of Origin", "Italy"),
];

fn each(make: impl Fn(&str, &str) -> String) -> String {
    SPEC.iter().map(|(name, value)| make(name, value)).collect()
}

/// The shipped method reads all of the specification, and nothing else, when it is written like this.
#[track_caller]
fn reads_all(fragment: &str, layout: PairLayout) {
    let found = read(fragment, PairMethod::Records);
    assert_eq!(pairs(&found), SPEC, "{layout:?}");
    assert!(found.pairs.iter().all(|pair| pair.confidence >= 0.5 && pair.provenance.path.starts_with("body/")));
    // Two inline children may be read as cells or as a label and its text.
    let also = if layout == PairLayout::TwoCells { PairLayout::Label } else { layout };
    let same = |source: &PairSource| [layout, also].map(PairSource::Layout).contains(source);
    let n = found.pairs.iter().filter(|pair| same(&pair.provenance.source)).count();
    assert!(n >= SPEC.len() - 1, "{layout:?}: {:?}", found.pairs);
}

#[track_caller]
fn reads_nothing(fragment: &str) {
    let found = read(fragment, PairMethod::Records);
    assert_eq!(pairs(&found), []);
}

const HEADING: &str = "<h2>Specifications</h2>";

#[test]
fn two_cell_tables_are_read() {
    reads_all(
        &format!("{HEADING}<table class=specs>{}</table>", each(|n, v| format!("<tr><th>{n}</th><td>{v}</td></tr>"))),
        PairLayout::Row,
    );
    reads_all(
        &format!("{HEADING}<table>{}</table>", each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"))),
        PairLayout::Row,
    );
}

#[test]
fn definition_lists_are_read() {
    reads_all(
        &format!("{HEADING}<dl class=specs>{}</dl>", each(|n, v| format!("<dt>{n}</dt><dd>{v}</dd>"))),
        PairLayout::List,
    );
}

#[test]
fn two_cells_of_any_element_are_read() {
    let rows = each(|n, v| format!("<div class=spec-row><span class=n>{n}</span><span class=v>{v}</span></div>"));
    reads_all(&format!("{HEADING}<div class=specs>{rows}</div>"), PairLayout::TwoCells);
    let rows = each(|n, v| format!("<li><div class=n>{n}</div><div class=v>{v}</div></li>"));
    reads_all(&format!("{HEADING}<ul class=specs>{rows}</ul>"), PairLayout::TwoCells);
    let rows = each(|n, v| format!("<li><b>{n}</b><i>............</i><b>{v}</b></li>"));
    reads_all(&format!("{HEADING}<ul class=specs>{rows}</ul>"), PairLayout::TwoCells);
}

#[test]
fn name_colon_value_in_one_element_and_in_broken_lines_is_read() {
    reads_all(
        &format!("{HEADING}<ul class=specs>{}</ul>", each(|n, v| format!("<li>{n}: {v}</li>"))),
        PairLayout::Colon,
    );
    reads_all(&format!("{HEADING}<p class=specs>{}</p>", each(|n, v| format!("{n}: {v}<br>"))), PairLayout::Colon);
}

#[test]
fn names_in_brackets_are_read_where_several_rows_have_them() {
    reads_all(&format!("<p>{}</p>", each(|name, value| format!("【{name}】{value}<br>"))), PairLayout::Colon);
    reads_nothing("<p>【Free shipping】Ten times the points</p>");
}

#[test]
fn bare_elements_that_take_turns_and_marks_in_one_row_are_read() {
    let bare = each(|n, v| format!("<div>{n}</div><div>{v}</div>"));
    let found = read(&format!("{HEADING}<div class=specs>{bare}</div>"), PairMethod::Records);
    assert_eq!(pairs(&found), SPEC);
    let line = SPEC.map(|(name, value)| format!("{name}: {value}")).join(" | ");
    let found = read(&format!("{HEADING}<p class=specs>{line}</p>"), PairMethod::Records);
    assert_eq!(pairs(&found), SPEC);
    let dotted = each(|n, v| format!("<li><span>{n}</span><span>........</span><span>{v}</span></li>"));
    let found = read(&format!("{HEADING}<ul class=specs>{dotted}</ul>"), PairMethod::Records);
    assert_eq!(pairs(&found), SPEC);
}

#[test]
fn two_prices_side_by_side_are_no_pair() {
    reads_nothing("<p><span>Special Price $1,149.00</span> <span>Regular Price $1,399.00</span></p>");
}

#[test]
fn the_readers_find_the_rarer_layouts_of_the_located_area() {
    // Four cells, a header over values, the value on the next line: read by the plain method, whose order is fixed.
    let four = "<table><tr><th>Brand</th><td>Acme</td><th>Weight</th><td>1.2 kg</td></tr>
        <tr><th>Material</th><td>Steel</td><th>Color</th><td>Black</td></tr></table>";
    assert_eq!(pairs(&located(four)), SPEC[..4]);
    let header = "<table><tr><th>Brand</th><th>Weight</th><th>Material</th></tr><tr><td>Acme</td><td>1.2 kg</td><td>Steel</td></tr></table>";
    assert_eq!(pairs(&located(header)), SPEC[..3]);
    let lines = format!("<div>{}</div>", each(|n, v| format!("<p>{n}:</p><p>{v}</p>")));
    assert_eq!(pairs(&located(&lines)), SPEC);
}

#[test]
fn records_of_one_table_are_kept_apart() {
    let table = "<table><thead><tr><th>Model</th><th>Power</th><th>Color</th></tr></thead>
        <tr><td>N-30</td><td>5 W</td><td>red</td></tr><tr><td>N-40</td><td>7 W</td><td>red</td></tr>
        <tr><td>N-50</td><td>9 W</td><td>blue</td></tr></table>";
    let found = located(table);
    let of = |record| {
        found.pairs.iter().filter(|pair| pair.record == record).map(|pair| pair.value.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(
        (of(1), of(2), of(3)),
        (vec!["N-30", "5 W", "red"], vec!["N-40", "7 W", "red"], vec!["N-50", "9 W", "blue"])
    );
}

#[test]
fn sections_and_nested_groups_of_a_table_are_no_pairs_themselves() {
    let rows = each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"));
    let table = format!("{HEADING}<table class=specs><tr><th colspan=2>General</th></tr>{rows}</table>");
    reads_all(&table, PairLayout::Row);
    let nested = format!("<table><tr><td><table class=specs>{rows}</table></td><td>Side</td></tr></table>");
    assert_eq!(pairs(&read(&nested, PairMethod::Hmm)), SPEC);
}

#[test]
fn provenance_names_layout_path_and_row() {
    let rows = each(|n, v| format!("<tr><th>{n}</th><td>{v}</td></tr>"));
    let found = read(&format!("{HEADING}<table class=specs>{rows}</table>"), PairMethod::Records);
    assert_eq!(found.pairs[1].provenance.path, "body/main/table/tbody/tr[2]");
    assert_eq!(found.pairs[1].provenance.source.as_str(), "table-row");
    assert_eq!(found.pairs[0].canonical.as_deref(), Some("brand"));
    assert_eq!(found.pairs[1].quantity.as_ref().map(|q| (q.numbers[0], q.unit)), Some((1.2, "kg")));
    let product = &found.products[0];
    assert_eq!(product.title.as_deref(), Some("Lamp Nova 30"));
    assert_eq!(
        product.price.as_ref().map(|price| (price.value(), price.currency.as_deref())),
        Some((49.9, Some("USD")))
    );
    assert_eq!(product.attributes.len(), 7);
    let tags: Vec<&str> = found.trace.areas[0].path.iter().map(|step| step.tag.as_str()).collect();
    assert_eq!(tags[..3], ["body", "main", "table"]);
}

#[test]
fn related_products_are_left_alone() {
    let cards: String = (0..6)
        .map(|n| format!("<li class=card><a href=/p{n}>Lamp {n}</a><span class=price>$1{n}.00</span></li>"))
        .collect();
    reads_nothing(&format!("<section class=related-products><h2>You may also like</h2><ul>{cards}</ul></section>"));
}

#[test]
fn reviews_and_star_histograms_are_left_alone() {
    let bars: String =
        (1..=5).rev().map(|n| format!("<tr><td><a href=#>{n} star</a></td><td>{}%</td></tr>", n * 7)).collect();
    reads_nothing(&format!("<div id=reviews><h2>Customer reviews</h2><table class=histogram>{bars}</table></div>"));
    let reviews: String = (0..5)
        .map(|n| format!("<div class=review><span>Reviewer: user{n}</span><p>It is good. I like it.</p></div>"))
        .collect();
    reads_nothing(&format!("<div class=reviews><h2>Reviews</h2>{reviews}</div>"));
}

#[test]
fn shipping_and_payment_tables_are_left_alone() {
    reads_nothing(
        "<div class=shipping><h2>Shipping</h2><table><tr><td>Standard delivery</td><td>$4.90</td></tr>
        <tr><td>Express delivery</td><td>$9.90</td></tr><tr><td>Returns</td><td>30 days</td></tr></table></div>",
    );
}

#[test]
fn size_charts_of_many_columns_are_left_alone() {
    let rows: String = ["S", "M", "L", "XL"]
        .iter()
        .map(|s| format!("<tr><td>{s}</td><td>36</td><td>28</td><td>34</td></tr>"))
        .collect();
    reads_nothing(&format!(
        "<div class=size-chart><h3>Size guide</h3><table><tr><th>Size</th><th>Chest</th><th>Waist</th><th>Hip</th></tr>{rows}</table></div>"
    ));
}

#[test]
fn option_pickers_price_rows_questions_and_sellers_are_left_alone() {
    reads_nothing(
        "<form class=variants><div class=option><label>Colour:</label><select><option>red<option>blue</select></div>
        <div class=swatches><label>Size:</label> <button>S</button> <button>M</button></div></form>",
    );
    reads_nothing(
        "<div class=offers><table><tr><td>Shop A</td><td>$48.00</td></tr><tr><td>Shop B</td><td>$51.00</td></tr></table></div>",
    );
    reads_nothing("<div class=qa><h2>Questions &amp; answers</h2><p>Q: Does it dim?</p><p>A: Yes, it does.</p></div>");
    reads_nothing(
        "<div class=seller-info><h3>About the seller</h3><p>Member since: 2011</p><p>Location: Leeds</p></div>",
    );
}

#[test]
fn marketing_bullets_are_left_alone() {
    reads_nothing("<ul class=bullets><li>QUIET AND STRONG: The motor of this lamp is so quiet that you will not hear it at night, and it lasts.</li>
        <li>EASY TO CLEAN: Just wipe it with a wet cloth whenever you like, there is nothing that could break.</li>
        <li>A GIFT FOR ALL: Your friends and your family will love this lamp, and so will everybody else.</li></ul>");
}

#[test]
fn a_table_that_compares_products_gives_no_pairs_of_its_values() {
    let row = |name: &str, values: [&str; 3]| {
        format!("<tr><td>{name}</td>{}</tr>", values.map(|v| format!("<td>{v}</td>")).concat())
    };
    let rows = [
        row("Weight", ["1.2 kg", "2 kg", "3 kg"]),
        row("Height", ["30 cm", "31 cm", "32 cm"]),
        row("Power", ["9 W", "9 W", "12 W"]),
    ];
    let found = read(&format!("{HEADING}<table>{}</table>", rows.concat()), PairMethod::Records);
    let is_value = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    assert!(!pairs(&found).iter().any(|(name, _)| is_value(name)), "{:?}", pairs(&found));
}

#[test]
fn a_header_row_over_the_specification_is_no_pair() {
    let rows = each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"));
    reads_all(
        &format!(
            "{HEADING}<table class=specs><thead><tr><th>Specification</th><th>Value</th></tr></thead><tbody>{rows}</tbody></table>"
        ),
        PairLayout::Row,
    );
}

#[test]
fn an_article_shows_no_product_and_says_why() {
    let html = format!(
        "<title>Storm</title><article><h1>Storm hits the coast</h1>{}</article>",
        "<p>The storm went on, said the mayor: nobody knew. It was late.</p>".repeat(20)
    );
    let found = records(&Page::new(&Doc::parse(&html, &TreeLimits::default())), None, &RecordOptions::default());
    assert!(found.products.is_empty() && found.pairs.is_empty());
    assert!(
        found.warnings.iter().any(|why| why.contains("no candidate") || why.contains("no name")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn two_rows_are_a_product_where_blog_software_calls_every_page_an_article_and_a_product_is_marked() {
    let page = |scope: &str| {
        let rows = "<tr><th>Weight</th><td>5.5 oz</td></tr><tr><th>Dimensions</th><td>4 × 1.5 × 1.5 in</td></tr>";
        let html = format!(
            "<title>Face oil</title><meta property=og:type content=article><h1>Face oil</h1><p>$87.00</p>
             <div {scope}><h4>Additional information</h4><table class=shop_attributes>{rows}</table></div>"
        );
        records(&Page::new(&Doc::parse(&html, &TreeLimits::default())), None, &RecordOptions::default())
    };
    let names: Vec<String> =
        page("itemscope itemtype=http://schema.org/Product").pairs.into_iter().map(|pair| pair.name).collect();
    assert_eq!(names, ["Weight", "Dimensions"]);
    assert!(page("").products.is_empty(), "nothing but two rows on an article");
}

#[test]
fn markup_and_page_are_merged_with_their_sources() {
    let script = r#"<script type="application/ld+json">{"@type":"Product","name":"Lamp Nova 30 black","sku":"S-1",
        "offers":{"price":"47.00","priceCurrency":"USD","availability":"InStock"}}</script>"#;
    let rows = each(|n, v| format!("<tr><th>{n}</th><td>{v}</td></tr>"));
    let found = read(&format!("{HEADING}<table class=specs>{rows}</table>{script}"), PairMethod::Records);
    let product = &found.products[0];
    assert_eq!(
        (product.title.as_deref(), product.title_source.as_deref()),
        (Some("Lamp Nova 30 black"), Some("json-ld"))
    );
    assert_eq!(
        (product.price.as_ref().unwrap().amount.as_str(), product.price_source.as_deref()),
        ("47.00", Some("json-ld"))
    );
    assert_eq!(product.structured.sku.as_ref().unwrap().text, "S-1");
    assert_eq!(product.attributes.len(), SPEC.len());
}

#[test]
fn four_cell_rows_are_read_by_the_shipped_method_too() {
    let cell = |n: usize| format!("<th>{}</th><td>{}</td>", SPEC[n].0, SPEC[n].1);
    let rows: String = (0..3).map(|n| format!("<tr>{}{}</tr>", cell(2 * n), cell(2 * n + 1))).collect();
    let found = read(&format!("{HEADING}<table class=specs>{rows}</table>"), PairMethod::Records);
    assert_eq!(pairs(&found), SPEC[..6]);
}

#[test]
fn a_value_on_the_line_below_its_name_is_read_by_the_shipped_method_too() {
    let lines = each(|n, v| format!("<p><b>{n}:</b></p><p>{v}</p>"));
    assert_eq!(pairs(&read(&format!("{HEADING}<div class=specs>{lines}</div>"), PairMethod::Records)), SPEC);
    let broken = each(|n, v| format!("{n}:<br>{v}<br>"));
    assert_eq!(pairs(&read(&format!("{HEADING}<div class=specs>{broken}</div>"), PairMethod::Records)), SPEC);
}

#[test]
fn chinese_names_with_their_wide_colon_are_read() {
    let lines = "<li>品牌：联想</li><li>型号：T14</li><li>屏幕尺寸：14英寸</li><li>商品产地：中国大陆</li>";
    let found = read(&format!("<h2>规格参数</h2><ul class=parameter>{lines}</ul>"), PairMethod::Records);
    let expected = [("品牌", "联想"), ("型号", "T14"), ("屏幕尺寸", "14英寸"), ("商品产地", "中国大陆")];
    assert_eq!(pairs(&found), expected);
    assert_eq!(found.pairs[2].quantity.as_ref().map(|q| (q.numbers[0], q.unit)), Some((14.0, "in")));
}

#[test]
fn a_tab_that_is_only_folded_away_is_read() {
    let rows = each(|n, v| format!("<tr><th>{n}</th><td>{v}</td></tr>"));
    reads_all(
        &format!("<div class=tab-pane style='display:none'>{HEADING}<table class=specs>{rows}</table></div>"),
        PairLayout::Row,
    );
}

#[test]
fn a_value_of_several_list_items_is_one_value() {
    let rows = "<dt>Brand<dd>Acme<dt>Material<dd>Steel<dt>Included<dd><ul><li>Lamp</li><li>Cable</li></ul><dt>Weight<dd>1.2 kg";
    let found = read(&format!("{HEADING}<dl class=specs>{rows}</dl>"), PairMethod::Records);
    let expected = [("Brand", "Acme"), ("Material", "Steel"), ("Included", "Lamp Cable"), ("Weight", "1.2 kg")];
    assert_eq!(pairs(&found), expected);
}

#[test]
fn menus_and_footers_written_as_pairs_are_left_alone() {
    let links: String =
        (0..8).map(|n| format!("<li><a href=/{n}>Lamps {n}</a> <a href=/b{n}>Sale {n}</a></li>")).collect();
    reads_nothing(&format!("<nav class=menu><ul>{links}</ul></nav>"));
    reads_nothing(
        "<div class=footer-contact><h4>Contact us</h4><p>Phone: 555 0100</p><p>Fax: 555 0101</p>
         <p>Open: 9:00-17:00</p></div>",
    );
}

#[test]
fn rows_of_a_menu_and_of_links_to_share_are_no_rows_of_the_specification() {
    let rows = "<tr><th>Material<td>Brass<tr><th>Height<td>40 cm<tr><th>Weight<td>1.8 kg";
    let menu = "<nav><ul><li>Welcome: Guest<li>Your cart: 0 items<li>Currency: EUR</ul></nav>\
                <ul class=share-links><li>In stock: yes<li>Share: Facebook</ul>";
    let html = format!("{HEADING}<p>€49.90</p><button>Add to cart</button><table class=specs>{rows}</table>{menu}");
    let found = read(&html, PairMethod::Records);
    assert_eq!(pairs(&found), [("Material", "Brass"), ("Height", "40 cm"), ("Weight", "1.8 kg")]);
}

#[test]
fn the_specification_is_read_from_between_everything_that_is_none() {
    let rows = each(|n, v| format!("<tr><td>{n}</td><td>{v}</td></tr>"));
    let stars: String = (1..=5).rev().map(|n| format!("<tr><td>{n} star</td><td>{}%</td></tr>", n * 7)).collect();
    reads_all(
        &format!(
            "<div class=option><label>Colour:</label><select><option>red<option>blue</select></div>
             {HEADING}<table class=specs>{rows}</table>
             <div class=shipping><h2>Shipping</h2><table><tr><td>Standard delivery</td><td>$4.90</td></tr>
             <tr><td>Returns</td><td>30 days</td></tr></table></div>
             <div id=reviews><h2>Customer reviews</h2><table class=histogram>{stars}</table></div>
             <section class=related><h2>You may also like</h2><ul><li><a href=/1>Lamp 1</a><b>$1.00</b></li>
             <li><a href=/2>Lamp 2</a><b>$2.00</b></li><li><a href=/3>Lamp 3</a><b>$3.00</b></li></ul></section>"
        ),
        PairLayout::Row,
    );
}

#[test]
fn a_clock_an_address_and_a_sentence_are_no_pairs() {
    reads_nothing(
        "<p>Updated at 10:30 today</p><p>See https://shop.example/help for more</p>
         <p>We mean it when we say this: nobody ever brought one of these lamps back to us.</p>",
    );
}

#[test]
fn a_table_with_a_product_in_each_row_gives_records_kept_apart_and_a_size_chart_gives_none() {
    let table = "<h2>Models</h2><table><tr><th>Model</th><th>Processor</th><th>Memory</th><th>Weight</th></tr>
        <tr><td>E14-A</td><td>Core i5</td><td>8 GB</td><td>1.5 kg</td></tr>
        <tr><td>E14-B</td><td>Core i7</td><td>16 GB</td><td>1.6 kg</td></tr></table>";
    let found = read(&format!("{HEADING}{table}"), PairMethod::Records);
    let of = |record: u32| -> Vec<&str> {
        found.pairs.iter().filter(|pair| pair.record == record).map(|pair| pair.value.as_str()).collect()
    };
    assert_eq!(of(1), ["E14-A", "Core i5", "8 GB", "1.5 kg"]);
    assert_eq!(of(2), ["E14-B", "Core i7", "16 GB", "1.6 kg"]);
    assert_eq!(found.products.len(), 3, "the page's product and one for each row");
    let chart = "<table><tr><th>Size</th><th>Chest</th><th>Length</th><th>Weight</th></tr>
        <tr><td>M</td><td>96</td><td>70</td><td>60</td></tr><tr><td>L</td><td>102</td><td>72</td><td>70</td></tr></table>";
    assert_eq!(pairs(&read(&format!("{HEADING}{chart}"), PairMethod::Records)), []);
}

/// Names with what they are called in common.
fn named(fragment: &str) -> Vec<(String, Option<String>)> {
    let found = read(fragment, PairMethod::Records);
    let measures = found.pairs.into_iter().filter(|pair| pair.name != "Brand" && pair.name != "Material");
    measures.map(|pair| (pair.name, pair.canonical)).collect()
}

#[test]
fn measures_of_the_package_are_not_those_of_the_product() {
    let rows = |rows: &[(&str, &str)]| -> String {
        rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>")).collect()
    };
    let own = [("Brand", "Acme"), ("Material", "Steel"), ("Weight", "1.2 kg"), ("Height", "30 cm")];
    let name = |name: &str, canonical: Option<&str>| (name.to_owned(), canonical.map(str::to_owned));
    let by_name = named(&format!("<table>{}{}</table>", rows(&own), rows(&[("Shipping Weight", "1.9 kg")])));
    let ours = [name("Weight", Some("weight")), name("Height", Some("height"))];
    assert_eq!(by_name, [&ours[..], &[name("Shipping Weight", None)]].concat());

    let package = rows(&[("Weight", "1.9 kg"), ("Length", "41 cm")]);
    let apart = [&ours[..], &[name("Packaging: Weight", None), name("Packaging: Length", None)]].concat();
    let own_rows = rows(&own);
    for fragment in [
        format!("<table>{own_rows}<tr><th colspan=2>Packaging</th></tr>{package}</table>"),
        format!("<table>{own_rows}</table><div><h3>Packaging</h3><h4>Nova</h4><table>{package}</table></div>"),
    ] {
        assert_eq!(named(&fragment), apart, "{fragment}");
    }
    let ends = format!(
        "<h3>Packaging</h3><p>A box.</p><h3>Measures</h3><table>{own_rows}{}</table>",
        rows(&[("Weight", "2 kg")])
    );
    assert!(
        named(&ends).iter().all(|(_, canonical)| canonical.is_some()),
        "a section ends with the next: {:?}",
        named(&ends)
    );

    let alone = named(&format!("<table>{}</table>", rows(&[own[0], own[1], ("Shipping Weight", "1.9 kg")])));
    assert_eq!(alone, [name("Shipping Weight", Some("weight"))], "what is known is better than nothing");
}

#[test]
fn chinese_pages_tell_the_package_too() {
    let found = named(
        "<table><tr><th>净重</th><td>1.2 kg</td></tr><tr><th>毛重</th><td>1.9 kg</td></tr>
        <tr><th>产品尺寸</th><td>30x20x10 cm</td></tr><tr><th>包装尺寸</th><td>41x30x20 cm</td></tr></table>",
    );
    let with: Vec<&str> = found.iter().filter(|(_, name)| name.is_some()).map(|(name, _)| name.as_str()).collect();
    assert_eq!((found.len(), with), (4, vec!["净重", "产品尺寸"]));
}

/// A table with these columns, the first of names, each a list of cells.
fn columns(columns: &[[&str; 6]]) -> String {
    let row = |at: usize| -> String {
        let cells = columns.iter().map(|column| format!("<td>{}</td>", column[at]));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    format!("<h2>Models</h2><table>{}</table>", (0..6).map(row).collect::<String>())
}

const NAMES: [&str; 6] = ["Model", "Weight", "Height", "Material", "Price", "Availability"];
const SMALL: [&str; 6] = ["N-30", "1.2 kg", "30 cm", "Steel", "$49.90", "In stock"];
const LARGE: [&str; 6] = ["N-40", "1.9 kg", "40 cm", "Steel", "$69.90", "Sold out"];

#[test]
fn a_table_with_a_product_in_each_column_gives_records_kept_apart() {
    let found = read(&columns(&[NAMES, SMALL, LARGE]), PairMethod::Records);
    let of = |record: u32| -> Vec<(&str, &str)> {
        let pairs = found.pairs.iter().filter(|pair| pair.record == record);
        pairs.map(|pair| (pair.name.as_str(), pair.value.as_str())).collect()
    };
    let own = |values: [&'static str; 6]| -> Vec<(&str, &str)> {
        NAMES.into_iter().zip(values).filter(|(name, _)| *name != "Material").collect()
    };
    assert_eq!(of(0), [("Material", "Steel")], "what all have is the product's");
    assert!(found.pairs.is_sorted_by_key(|pair| pair.record));
    assert_eq!((of(1), of(2)), (own(SMALL), own(LARGE)));
    let amount = |n: usize| found.products[n].price.as_ref().map(|price| price.amount.as_str());
    assert_eq!((found.products.len(), amount(1), amount(2)), (3, Some("49.90"), Some("69.90")));
    let stock = |n: usize| found.products[n].availability.as_ref().map(|stock| stock.value.as_str());
    assert_eq!((stock(1), stock(2)), (Some("InStock"), Some("OutOfStock")));
}

#[test]
fn a_variant_without_a_value_lacks_the_pair_and_the_others_have_theirs() {
    for no_value in ["&nbsp;", "<table><tr><td>Another</table>"] {
        let without = ["N-40", no_value, "40 cm", "Steel", "$69.90", ""];
        let found = read(&columns(&[NAMES, SMALL, without]), PairMethod::Records);
        let names = |record: u32| -> Vec<&str> {
            found.pairs.iter().filter(|pair| pair.record == record).map(|pair| pair.name.as_str()).collect()
        };
        assert_eq!(names(1), ["Model", "Weight", "Height", "Price", "Availability"]);
        assert_eq!(names(2), ["Model", "Height", "Price"]);
    }
}

#[test]
fn columns_headed_by_what_the_page_is_about_are_its_variants_and_other_products_are_none() {
    let table = |small: &'static str, large: &'static str| {
        let headed = |head, column: [&'static str; 6]| [head, column[1], column[2], "9 W", "E27", "Italy"];
        let names = ["", "Gewigg", "Hööch", "Watt", "Sockel", "Land"];
        columns(&[names, headed(small, SMALL), headed(large, LARGE)])
    };
    let records = |fragment: &str| {
        let found = read(fragment, PairMethod::Records);
        let titles: Vec<String> = found.products.iter().skip(1).filter_map(|one| one.title.clone()).collect();
        (titles, found.pairs.iter().filter(|pair| pair.record == 1).count())
    };
    let with = |small: &'static str, large: &'static str| records(&table(small, large));
    let (titles, n) = with("Nova white", "Nova black");
    assert_eq!((titles, n), (vec!["Nova white".to_owned(), "Nova black".to_owned()], 3), "with the head as its name");
    assert_eq!(with("S", "M").1, 0, "a chart of sizes");
    assert_eq!(with("Nova 30", "Nova 40").1, 0, "other products beside the page's");
    assert_eq!(with("<a href=/a>Nova white</a>", "<a href=/b>Nova black</a>").1, 0, "links to other pages");
    let compared = format!("<div class=compare>{}</div>", table("Nova white", "Nova black"));
    assert_eq!(records(&compared).1, 0, "a comparison that says so");
}

mod ends {
    //! Values end where they end, stand behind their names, and are not those of the shop.

    use super::*;

    fn of(fragment: &str) -> Vec<(String, String)> {
        let found = read(&format!("<h2>Specifications</h2>{fragment}"), PairMethod::Records);
        found.pairs.into_iter().map(|pair| (pair.name, pair.value)).collect()
    }

    #[test]
    fn words_behind_most_values_are_cut_off_glued_or_not() {
        let row = |(name, value): (&str, &str)| format!("<tr><th>{name}</th><td>{value}</td></tr>");
        let rows = [
            ("Brand", "Acme<a href=#>report</a>"),
            ("Colour", "Blue<span>report</span>"),
            ("Material", "Steel report"),
            ("Weight", "2 kg report"),
            ("Made in", "Romereport"),
        ];
        let found = of(&format!("<table>{}</table>", rows.map(row).concat()));
        let values: Vec<&str> = found.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(values, ["Acme", "Blue", "Steel", "2 kg", "Rome"]);
    }

    #[test]
    fn a_value_above_its_name_stands_behind_it() {
        let row = |(value, name): (&str, &str)| format!("<div class=row><b>{value}</b><span>{name}</span></div>");
        let rows = [("31.0 cm", "width max"), ("20.0 cm", "height max"), ("Steel", "material"), ("2.4 kg", "weight")];
        let found = of(&format!("<div class=specs>{}</div>", rows.map(row).concat()));
        assert_eq!(found[0], ("width max".to_owned(), "31.0 cm".to_owned()));
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn how_the_shop_is_reached_and_paid_is_no_attribute() {
        let specs = "<table><tr><th>Brand<td>Acme<tr><th>Colour<td>Blue<tr><th>Material<td>Steel</table>";
        let others = "<table><tr><th>Telefon<td>+49 30 123456<tr><th>E-Mail<td>a@b.example<tr><th>Öffnungszeiten<td>Mo-Fr 9:00-18:00</table>
            <dl><dt>Versand<dd>2-3 Tage<dt>Rückgabe<dd>30 Tage<dt>Zahlungsarten<dd>Visa, PayPal</dl>
            <ul><li>Hotline: <a href=tel:123456>12 34 56</a></ul>";
        let found = of(&format!("{specs}{others}"));
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Brand", "Colour", "Material"]);
    }
}
