//! Which prices are seen on a page.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;

use super::*;

fn of(html: &str) -> (String, Option<String>) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let found = prices(&RecordView::new(&Page::new(&doc)), None).expect("a price");
    (found.price.amount, found.list_price.map(|price| price.amount))
}

#[test]
fn a_struck_or_labelled_amount_is_the_price_before() {
    let both = ("10.00".to_owned(), Some("20.00".to_owned()));
    for html in [
        "<p><del>$20.00</del> <ins>$10.00</ins></p>",
        "<p>$10.00 <s>$20.00</s></p>",
        "<p><span class=price-old>$20.00</span><br>$10.00",
        "<li>Retail Price: <strike>$20.00</strike></li><li>Online Price: $10.00</li>",
        "<tr><td>RRP:</td><td>$20.00</td></tr><p>$10.00</p>",
        "<p>Was $20.00 Now $10.00</p>",
        "<p>原价$20.00</p><p>现价$10.00</p>",
        "<p>Statt $20.00</p><p>nur $10.00</p>",
        "<div class='price with-list-price'>$10.00</div><span class=list-price-price>$20.00</span>",
        "<p><span>$10.00</span> <span class=was>$20.00</span></p>",
        "<p class=price><del><bdi>$20.00</bdi></del> <span class=screen-reader-text>Original price was: $20.00</span><ins>$10.00</ins>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
}

#[test]
fn amounts_of_a_list_are_no_price_before() {
    for html in [
        "<ul><li>$20.00<li>$10.00<li>$5.00</ul>",
        "<p>Large $20.00</p><p>Small $10.00</p>",
        "<p class=regular>$20.00</p><p class=sale>$0.50</p>",
        "<p><b>$20.00</b> <i>$10.00</i></p>",
        "<p>$20.00</p><p>a</p><p>b</p><p>$10.00</p>",
    ] {
        assert_eq!(of(html), ("20.00".into(), None), "{html}");
    }
    let thousands = "<h1>Board</h1><p class=price><s>16 990 Ft</s> <b>12 990 Ft</b></p>";
    assert_eq!(of(thousands), ("12990".into(), Some("16990".into())));
    let glued =
        "<p class=price><s>65,00 €</s> <i class=sr-only>Ursprünglicher Preis war: 65,00 €</i><b>49,00 €</b></p>";
    assert_eq!(of(glued), ("49.00".into(), Some("65.00".into())));
}

#[test]
fn digits_of_different_elements_are_cents_or_another_number() {
    assert_eq!(of("<p>$19<sup>99</sup></p>"), ("19.99".into(), None));
    assert_eq!(of("<p><b>$1</b><b>,299</b><sup>00</sup></p>"), ("1299.00".into(), None));
    assert_eq!(of("<p>$116.97 <s>$145</s><span>19% off</span></p>"), ("116.97".into(), Some("145".into())));
    assert_eq!(of("<p>€ 20<del>€ 30<i>25</i></del></p>"), ("20".into(), Some("30.25".into())));
}

#[test]
fn two_prices_in_neighbouring_elements_and_a_saving_behind_one_are_told_apart() {
    let both = ("12990".to_owned(), Some("15490".to_owned()));
    for html in [
        "<p><span>12 990 ₽</span><span class=price__old>15 490 ₽</span></p>",
        "<p><span>12.990 ₽</span><span class=price__old>15.490 ₽</span></p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
    let saved = "<p>statt € 64,90</p><p><b>€ 49,90</b> <i>Sie sparen € 15,00</i></p>";
    assert_eq!(of(saved), ("49.90".into(), Some("64.90".into())));
    assert_eq!(of("<p>$5 shipping</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>Sell us your copy for $4.25</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>149 руб. 90 коп.</p>").0, "149.90");
    assert_eq!(of("<p class=price>34 <sup>99</sup></p>").0, "34.99");
}

#[test]
fn numbers_of_two_elements_are_no_one_number() {
    let both = ("180".to_owned(), Some("250".to_owned()));
    for html in [
        "<p><s>250</s> <b>180 €</b></p>",
        "<p><del>250</del><ins>180 €</ins></p>",
        "<p><s>250</s> <b>180</b> €</p>",
        "<p><del>۲۵۰</del> <span>۱۸۰ تومان</span></p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
    let in_two = "<p><del>189,00 € / 369,65 лв.</del></p><p>159,00 € / 310,98 лв.</p>";
    assert_eq!(of(in_two), ("159.00".into(), Some("189.00".into())));
    assert_eq!(of("<p><del>1 290</del> <b>990 Kč</b></p>"), ("990".into(), Some("1290".into())));
    assert_eq!(of("<p><del>120</del> <b>95 €</b></p>"), ("95".into(), Some("120".into())));
    assert_eq!(of("<p>Anzahl 2 <b>500 €</b></p>").0, "500");
    for (html, price) in [
        ("<p><span>1</span><sup>299</sup> kr</p>", "1299"),
        ("<p><span>1.299</span><sup>00</sup> €</p>", "1299.00"),
        ("<p>$<span>1,299<span>.</span></span><span>00</span></p>", "1299.00"),
        ("<p><span>12</span> <sup>95</sup> €</p>", "12.95"),
    ] {
        assert_eq!(of(html), (price.to_owned(), None), "{html}");
    }
}

#[test]
fn of_two_prices_a_shown_share_leads_to_the_lower_is_paid() {
    let both = ("90.93".to_owned(), Some("129.90".to_owned()));
    for html in [
        "<p><i>-30%</i> <i>129,90 €</i> <i>90,93 €</i></p>",
        "<p>-30%</p><p>129,90 €</p><p>90,93 €</p>",
        "<p>129,90 € 90,93 € -30%</p>",
        "<p>90,93 € 129,90 € -30%</p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
    assert_eq!(of("<p>-75%</p><p>19,99€</p><p>4,99€</p>"), ("4.99".into(), Some("19.99".into())));
    assert_eq!(of("<p>-20%</p><p>129,90 €</p><p>90,93 €</p>").0, "129.90", "it leads elsewhere");
}

#[test]
fn amounts_of_other_things_between_heading_and_price_are_no_prices() {
    for other in [
        "Cart (2) $84.00",
        "Cart: 2 items $84.00",
        "Get $20 when you trade in your old pot",
        "5+ $9.00 each",
        "Your cart: $0.00",
        "Trade in and get up to $200",
        "Gift cards from $5",
        "Add a 3-year protection plan for $9.99",
        "3-year protection plan $9.99",
        "$0.25 per count",
        "Buy 10+ at $9.00",
        "ab 10 Stück $9.00",
        "Subscribe: $9.00",
        "Final price after cashback $9.00",
        "Compare with similar: $99.00",
        "$14.97 / kuu",
        "$14.97 /mėn.",
        "首付 $17",
        "$50 üzeri kargo bedava",
        "$50以上送料無料",
        "$50 이상 무료배송",
        "ส่งฟรีเมื่อซื้อครบ $99",
    ] {
        let html = format!("<h1>Pot</h1><p>{other}</p><p>$10.00</p>");
        assert_eq!(of(&html).0, "10.00", "{other}");
    }
    assert_eq!(of("<h1>Gift cards</h1><p>$10.00</p>").0, "10.00", "the name of the thing is no label");
    assert_eq!(of("<h1>Phone</h1><p>월 1,980원</p><p>47,520원</p>").0, "47520");
    assert_eq!(of("<h1>Car</h1><p>₹5,45,000 <i>EMI from ₹9,812/m</i></p>").0, "545000");
    for viewed in ["<h3>Recently viewed</h3>", "<p>Recently viewed</p>"] {
        let html = format!("<h1>Record</h1><p>Sold out</p>{viewed}<p>Another $19.99</p>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        assert_eq!(prices(&RecordView::new(&Page::new(&doc)), None), None);
    }
}

#[test]
fn words_that_mean_the_price_before_only_by_themselves_do_so() {
    let both = ("10.00".to_owned(), Some("20.00".to_owned()));
    for html in [
        "<p>Van $20.00</p><p>Voor $10.00</p>",
        "<p>De $20.00</p><p>Por $10.00</p>",
        "<p>Oferta $10.00</p><p>Normal $20.00</p>",
        "<p>$10.00</p><p>Prix courant $20.00</p>",
        "<p>Původně $20.00</p><p>$10.00</p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
    assert_eq!(of("<p>Normal</p><p>$10.00</p>"), ("10.00".into(), None), "a kind of skin");
    assert_eq!(of("<p>de $10.00 a $20.00</p><p>$50.00</p>").0, "10.00");
}

#[test]
fn a_price_may_stand_right_above_the_heading() {
    let read = |html: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        prices(&RecordView::new(&Page::new(&doc)), Some("PKR")).map(|found| found.price.amount)
    };
    let top = "<header><p>Cart $0.00</p><nav>Lamps</nav></header>";
    let price = Some("23450".to_owned());
    assert_eq!(read(&format!("{top}<section><p>Rs 23,450</p><h1>Phone</h1></section><p>Only call.")), price);
    let box_above = "<div data-testid=price>Rs 23,450</div><p>New</p><p>In stock</p><p>Blue</p><h1>Phone</h1><p>Text";
    assert_eq!(read(&format!("{top}{box_above}")), price);
    assert_eq!(read(&format!("{top}<h1>Phone</h1><p>Only call.")), None);
    assert_eq!(read("<p>Rs 1,000</p><h1>Phone</h1><p>Rs 23,450</p>"), price);
}

#[test]
fn savings_and_shipping_are_no_prices() {
    assert_eq!(of("<p>Save $5.00</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>Free shipping over $35</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>Get $5 off your first order</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>$5 coupon inside</p><p>+ 2 years of care for $4</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>Hotline: Mo–Fr 9–17 Uhr</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>运费 $5</p><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<dt>You save:</dt><dd>$5.00</dd><p>$10.00</p>").0, "10.00");
    assert_eq!(of("<p>Discount 10%</p><p>$10.00 <s>$12.00</s></p>").0, "10.00");
}

#[test]
fn a_price_that_stands_alone_is_the_price_whatever_it_is_called() {
    assert_eq!(of("<p>Retail price: $13.99</p>"), ("13.99".into(), None));
    let others = format!("<p>List: $13.99</p>{}<p>$10.00</p>", "<p>words</p>".repeat(20));
    assert_eq!(of(&others), ("13.99".into(), None), "another product");
    assert_eq!(of("<p>Washing $10.00</p>"), ("10.00".into(), None), "`was` is a word of its own");
    assert_eq!(of("<b class=price-old>$10.00</b><p>Excl. VAT: $8.20</p>"), ("10.00".into(), None));
    assert_eq!(of("<p>$10.00</p><p>Was $5.00</p>"), ("10.00".into(), None), "no reduction");
}

#[test]
fn a_higher_price_that_a_share_leads_down_from_is_that_before() {
    let both = ("10.00".to_owned(), Some("20.00".to_owned()));
    for html in [
        "<p>$10.00</p><p>-50%</p><p>$20.00</p>",
        "<p>$10.00</p><p>$20.00</p><p>%50 İndirim</p>",
        "<p><b>$10.00</b> <i>$20.00</i> <u>50 % off</u></p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
    for html in ["<p>$10.00</p><p>-20%</p><p>$20.00</p>", "<p>$10.00</p><p>$20.00</p>", "<p>$10.00</p><p>100% wool</p>"]
    {
        assert_eq!(of(html).1, None, "{html}");
    }
}

#[test]
fn deposits_and_counts_of_reviews_are_no_prices() {
    assert_eq!(of("<p>1 l ($1.89 / l), zzgl. $0.15 Pfand</p><p>$1.89</p>").0, "1.89");
    assert_eq!(of("<p>+ $0.15 deposit</p><p>$1.89</p>").0, "1.89");
    assert_eq!(of("<p>1,2k</p><p>Đánh Giá</p><p>3,4k</p><p>$10.00</p>").0, "10.00");
}

#[test]
fn amounts_from_which_carriage_is_free_are_no_prices() {
    for html in [
        "<p>Ab €50 versandkostenfrei</p><p>$10.00</p>",
        "<p>Noch $30.10 bis zum Gratisversand</p><p>$10.00</p>",
        "<p>Darmowa dostawa od $99</p><p>$10.00</p>",
        "<p>Normaler Preis</p><p>$10.00</p><p>Ab $75 versandkostenfrei.</p>",
        "<p>Earn 20 points worth $0.20</p><p>$10.00</p>",
        "<p>Part 8ZK004</p><p>Model 12AUD3</p><p>$10.00</p>",
    ] {
        assert_eq!(of(html).0, "10.00", "{html}");
    }
    for html in ["<p>$10.00 free shipping</p><p>$7.00</p>", "<p>Neu ab $10.00 + kostenloser Versand</p><p>$7.00</p>"] {
        assert_eq!(of(html).0, "10.00", "{html}");
    }
}

#[test]
fn of_two_prices_in_one_row_the_one_with_the_tax_is_paid() {
    for html in [
        "<p>$8.26 netto / $10.00 brutto</p>",
        "<p>€ 8.26 excl. btw € 10.00 incl. btw</p>",
        "<p>$8.26 HT</p><p>$10.00 TTC</p>",
        "<p>$9.09 ex GST</p><p>$10.00 inc GST</p>",
        "<p>$9.09（税抜） $10.00（税込）</p>",
    ] {
        assert_eq!(of(html), ("10.00".to_owned(), None), "{html}");
    }
}

#[test]
fn a_price_that_is_told_who_asks_is_none() {
    let doc = Doc::parse("<h1>Orgel</h1><p>Preis auf Anfrage</p><p>Bank</p><p>$480</p>", &TreeLimits::default());
    assert_eq!(prices(&RecordView::new(&Page::new(&doc)), None), None);
}

#[test]
fn labels_of_both_prices_may_stand_in_one_row() {
    let both = ("10.00".to_owned(), Some("20.00".to_owned()));
    for html in [
        "<p class=price><del>$20.00</del> <span class=sr-only>Original price was: $20.00.</span> <ins>$10.00</ins>
         <span class=sr-only>Current price is: $10.00.</span></p>",
        "<p><span class=sr-only>Previous price:</span>$20.00 <span class=sr-only>Discounted price</span>$10.00</p>",
        "<p>$10.00 (was $20.00)</p>",
        "<p>$10.00 | RRP $20.00</p>",
        "<p>Prezzo precedente $20.00</p><p>$10.00</p>",
        "<p><span style='text-decoration: line-through'>$20.00</span> $10.00</p>",
        "<p>$20.00 RRP</p><p>$10.00</p>",
        "<div class=product-price><p class=small>$20.00</p><p class=big>$10.00</p></div>",
        "<p>$20.00<i class=sr-only>Previous price</i> $10.00<i class=sr-only>Discounted price</i></p>",
        "<p>$10.00 statt $20.00 inkl. MwSt.</p>",
        "<p>de $20.00 por</p><p>$10.00 à vista</p>",
        "<p>De: $20.00</p><p>Por: $10.00</p>",
        "<p>$20.00 yerine $10.00</p>",
        "<p>M.R.P.: $20.00 Deal: $10.00</p>",
    ] {
        assert_eq!(of(html), both, "{html}");
    }
}

#[test]
fn the_least_of_thirty_days_is_not_the_price() {
    for html in [
        "<p>Najniższa cena z 30 dni: $8.00</p><p>$10.00</p>",
        "<p>Niedrigster Preis der letzten 30 Tage vor der Aktion</p><p>$8.00</p><p>$10.00</p>",
        "<p>$8.00 lowest price in 30 days</p><p>$10.00</p>",
        "<p><b>Special</b><b>10,00 zł</b><i>Regular price</i><i>20,00 zł</i></p><p>Najniższa cena z 30 dni: 8,00 zł</p>",
    ] {
        assert_eq!(of(html).0, "10.00", "{html}");
    }
    assert_eq!(of("<p>Lowest price: $10.00</p>").0, "10.00");
}

#[test]
fn unit_prices_and_instalments_are_not_the_price() {
    for html in [
        "<p>($1.20 / 100 g)</p><p>$10.00</p>",
        "<p>$1.20/kg</p><p>$10.00</p>",
        "<p>Cost to ship: $1.20</p><p>$10.00</p>",
        "<p>Grundpreis: $1.20</p><p>$10.00</p>",
        "<p>4 payments of $2.50</p><p>$10.00</p>",
        "<p>$2.50/month</p><p>$10.00</p>",
        "<p>em até 12x de $0.90</p><p>$10.00</p>",
        "<p>3 x $3.34</p><p>$10.00</p>",
        "<p>$3.34 × 3 months</p><p>$10.00</p>",
        "<p>Club price $9.00</p><p>$10.00</p>",
        "<p>$10.00 or $2.50 per month</p>",
        "<p>$10.00/ 2 pack</p><p>$17.00</p>",
    ] {
        assert_eq!(of(html).0, "10.00", "{html}");
    }
    assert_eq!(of("<p>$1.20/kg</p>").0, "1.20", "cloth and cheese are sold so");
}

#[test]
fn a_number_without_a_sign_is_a_price_where_it_calls_itself_so_or_is_bought() {
    let read = |html: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        prices(&RecordView::new(&Page::new(&doc)), Some("NOK"))
            .map(|found| (found.price.amount, found.price.currency.unwrap_or_default()))
    };
    let some = |amount: &str| Some((amount.to_owned(), "NOK".to_owned()));
    assert_eq!(read("<p class=product-price>1 299</p>"), some("1299"));
    assert_eq!(read("<p class=price>Now 1299.50 (-20%)</p>"), some("1299.50"));
    assert_eq!(read("<p>1 299</p><button>Add to cart</button>"), some("1299"));
    assert_eq!(read("<p>1 299:-</p>"), some("1299"));
    let tiers = "<tr><th>1 – 9</th><td>24,50 kr</td></tr><tr><th>10 +</th><td>22,90 kr</td></tr>";
    assert_eq!(read(&format!("<table class=prices>{tiers}</table>")), some("24.50"));
    assert_eq!(read("<p>12.50 each</p><button>Add to cart</button>"), some("12.50"));
    for html in ["<p>1 299</p>", "<p>1</p><button>Add to cart</button>", "<p>2.50 kg</p><button>Add to cart</button>"] {
        assert_eq!(read(html), None, "{html}");
    }
}

#[test]
fn codes_ratings_and_counts_before_the_button_are_no_prices() {
    for other in [
        "EAN: 4006381333931",
        "UPC: 123456789012345",
        "Kód 48213",
        "Арт. 48213",
        "<span>Kód:</span> <span>48213</span>",
        "★★★★★ 1,204",
        "4.50",
        "4.9",
        "2021",
        "(1,204)",
        "4.9</p><p>1.2k sold",
        "<b>Model</b> <i>LB-2210</i>",
    ] {
        let html = format!("<h1>Lamp</h1><p>{other}</p><p>$10.00</p><button>Add to cart</button>");
        assert_eq!(of(&html).0, "10.00", "{other}");
        let html = format!("<h1>Lamp</h1><p>{other}</p><button>Add to cart $10.00</button>");
        assert_eq!(of(&html).0, "10.00", "{other}");
    }
    let bare = |row: &str| {
        let html = format!("<h1>Lamp</h1>{row}<button>Add to cart</button>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        prices(&RecordView::new(&Page::new(&doc)), Some("CZK")).map(|found| found.price.amount)
    };
    for row in [
        "<p>4.9</p>",
        "<p>★★★★★ 1,204</p>",
        "<p>Kód 48213</p>",
        "<p>Model</p><p>2210</p>",
        "<p>LB-2210</p>",
        "<p>4006381333931</p>",
        "<p>(1 204)</p>",
        "<div class=price-box><p>SKU: 48213</p></div>",
        "<p>12 000 km</p>",
    ] {
        assert_eq!(bare(row), None, "{row}");
    }
    assert_eq!(bare("<p>48213</p><p class=price>490</p>").as_deref(), Some("490"));
    assert_eq!(bare("<p>1299</p><p>12 x 108 Kč</p>").as_deref(), Some("1299"), "several payments are no price");
    assert_eq!(bare("<p>59:90 /st</p>").as_deref(), Some("59.90"));
}

#[test]
fn numbers_of_the_heading_are_no_prices() {
    for heading in [
        "Dress size 38.50",
        "Bearing 6205-2RS",
        "Heft A5, 48 Seiten",
        "Aktenordner A4, 10 Stück",
        "Preisschild 12.50",
        "911",
    ] {
        let html = format!("<h1>{heading}</h1><p>$10.00</p><button>Add to cart</button>");
        assert_eq!(of(&html).0, "10.00", "{heading}");
    }
    assert_eq!(of("<h1>Lamp $10.00</h1><button>Add to cart</button>").0, "10.00");
    let doc = Doc::parse("<p>6205-2RS</p><h1>Bearing</h1><button>Add to cart</button>", &TreeLimits::default());
    assert_eq!(prices(&RecordView::new(&Page::new(&doc)), None), None);
}

#[test]
fn what_a_row_says_of_its_own_number_is_said_of_no_amount_below() {
    for row in [
        "Earn 39 points",
        "Free delivery",
        "Discount applied",
        "Livraison rapide",
        "Versand: kostenlos",
        "Versandkostenfrei",
        "Spare 5",
        "Livraison gratuite",
    ] {
        assert_eq!(of(&format!("<h1>Lamp</h1><p>{row}</p><p>$10.00</p>")).0, "10.00", "{row}");
    }
    let lowest = "<p><i>39,99 €</i> <i>Niedrigster Preis der letzten 30 Tage: 44,99 €</i> <i>UVP 59,99 €</i></p>";
    assert_eq!(of(&format!("<h1>Hemd</h1>{lowest}")), ("39.99".into(), Some("59.99".into())));
}

#[test]
fn what_others_pay_in_part_or_beside_is_not_the_price() {
    for other in [
        "As low as $5.00 with Affirm",
        "12 pagos de $5.00",
        "12 rat po $5.00",
        "12 платежів по $5.00",
        "12 rater á $5.00",
        "12개월 무이자 $5.00",
        "3 Raten zu $5.00",
        "Student price $5.00",
        "Students: $5.00",
        "Mit Kundenkarte $5.00",
        "Prix carte fidélité : $5.00",
        "Členská cena $5.00",
        "Üyelere özel $5.00",
        "Harga member $5.00",
        "Rent for $5.00/day",
        "$5.00 / Tag",
        "$5.00 per night",
        "Miete: $5.00 pro Woche",
        "dont $5.00 d’éco-participation",
        "Occasion dès $5.00",
        "משלוח $5.00",
        "ค่าส่ง $5.00",
        "الشحن $5.00",
        "Altgeräte-Mitnahme $5.00",
        "Booking fee $5.00",
        "Service fee: $5.00",
        "$5.00 booking fee",
        "Kaution: $5.00",
        "Pickup fee $5.00",
        "Leihgebühr $5.00",
        "$5.00 shipping",
        "zzgl. $5.00 Versand",
        "12回払い $5.00",
    ] {
        let html = format!("<h1>Pot</h1><p>{other}</p><p>$10.00</p>");
        assert_eq!(of(&html).0, "10.00", "{other}");
    }
    for price in [
        "Non-members: $10.00",
        "Set of 12 $10.00",
        "Price incl. booking fee: $10.00",
        "Coffee $10.00",
        "Student desk $10.00",
    ] {
        assert_eq!(of(&format!("<h1>Pot</h1><p>{price}</p><p>$15.00</p>")).0, "10.00", "{price}");
    }
    assert_eq!(of("<h1>Pot</h1><p>Members: $5.00</p><p>Non-members: $10.00</p>").0, "10.00");
    assert_eq!(of("<h1>Room</h1><p>$10.00 per night</p>").0, "10.00", "it is sold so");
}

#[test]
fn ranges_and_three_decimals_are_read_by_the_page() {
    let doc = Doc::parse("<p>$10.00 - $20.00</p>", &TreeLimits::default());
    let found = prices(&RecordView::new(&Page::new(&doc)), None).unwrap();
    assert_eq!((found.price.amount.as_str(), found.most.unwrap().amount.as_str()), ("10.00", "20.00"));
    let excl = "<p>£3.350 <small>per pack, ex. VAT</small> · <span>£4.02</span> <small>inc. VAT</small></p>";
    assert_eq!(of(excl).0, "4.02");
    assert_eq!(of("<p>£3.350</p><p>£4.02</p>").0, "3.350");
    assert_eq!(of("<p>£3.350</p><p>£4,02</p>").0, "3350");
}
