//! Words beside prices in many languages, in lower case.

/// Before the price of the maker, or of the time before a reduction.
#[rustfmt::skip]
pub(crate) const BEFORE: &[&str] = &[
    // English
    "list price", "list", "retail price", "retail", "was", "rrp", "msrp", "srp", "regular price", "regular", "reg",
    "original price", "original", "originally", "old price", "former price", "previously", "compare at", "suggested",
    // German, Dutch
    "uvp", "unverb. preisempf", "statt", "bisher", "bisheriger preis", "früher", "ehemals", "alter preis",
    "listenpreis", "originalpreis", "streichpreis", "adviesprijs", "oude prijs", "normale prijs",
    // French, Spanish, Portuguese, Italian, Romanian
    "ancien prix", "prix conseillé", "prix barré", "prix public", "prix d'origine", "au lieu de", "avant", "antes",
    "precio anterior", "precio original", "precio recomendado", "pvpr", "preço anterior", "preço original",
    "preço de", "prezzo consigliato", "prezzo di listino", "prezzo precedente", "anziché", "invece di", "preț vechi",
    "pret vechi", "prp",
    // Swedish, Danish, Norwegian, Finnish
    "ord. pris", "ordinarie pris", "tidigare pris", "rek. pris", "før", "førpris", "normalpris", "vejl", "veil",
    "ovh", "norm", "aiemmin",
    // Polish, Czech, Slovak, Hungarian
    "cena katalogowa", "cena regularna", "poprzednia cena", "stara cena", "zamiast", "původní cena", "běžná cena",
    "doporučená cena", "pôvodná cena", "bežná cena", "eredeti ár", "listaár", "régi ár",
    // Russian, Ukrainian, Bulgarian, Greek, Turkish
    "старая цена", "цена без скидки", "вместо", "ррц", "рекомендованная цена", "стара ціна", "замість", "стара цена",
    "αρχική τιμή", "π.λ.τ", "eski fiyat", "liste fiyatı", "piyasa fiyatı",
    // Chinese, Japanese, Korean, Vietnamese, Indonesian, Thai, Arabic
    "原价", "原價", "市场价", "市場價", "定价", "定價", "划线价", "专柜价", "吊牌价", "参考价", "建議售價", "定価",
    "参考価格", "希望小売価格", "通常価格", "旧価格", "정가", "정상가", "소비자가", "시중가", "giá gốc",
    "giá niêm yết", "harga normal", "harga asli", "ราคาปกติ", "السعر السابق", "بدلا من",
];

/// Before a price without the tax that is paid.
#[rustfmt::skip]
pub(crate) const NET: &[&str] = &[
    "excl. vat", "excl vat", "ex vat", "ex. vat", "excl. tax", "ex tax", "ex. tax", "ohne mwst", "exkl. mwst", "netto",
    "excl. btw", "hors taxes", "hors tva", "prix ht", "sin iva", "sem iva", "iva esclusa", "fără tva", "fara tva",
    "exkl. moms", "ekskl. moms", "ekskl. mva", "eks. mva", "alv 0", "bez dph", "brez ddv", "bez pdv", "nettó",
    "без ндс", "без пдв", "без ддс", "χωρίς φπα", "kdv hariç", "未税", "税抜",
];

/// At the beginning of rows that name a saving or the cost of carriage and no price.
#[rustfmt::skip]
pub(crate) const OTHER: &[&str] = &[
    // English
    "save", "you save", "saving", "savings", "free shipping", "free delivery", "shipping", "delivery", "discount",
    // German, Dutch
    "sparen", "sie sparen", "du sparst", "spare", "ersparnis", "versand", "versandkosten", "versandkostenfrei",
    "rabatt", "bespaar", "je bespaart", "verzending", "verzendkosten", "bezorging", "korting",
    // French, Spanish, Portuguese, Italian, Romanian
    "économisez", "vous économisez", "économie", "livraison", "remise", "ahorra", "ahorras", "envío", "envio",
    "gastos de envío", "descuento", "poupe", "poupa", "economize", "frete", "portes", "desconto", "risparmi",
    "risparmia", "risparmio", "spedizione", "sconto", "economisești", "livrare", "transport", "reducere",
    // Swedish, Danish, Norwegian, Finnish
    "spara", "du sparar", "frakt", "spar", "du sparer", "fragt", "levering", "säästä", "säästät", "toimitus",
    // Polish, Czech, Slovak, Hungarian
    "oszczędzasz", "dostawa", "wysyłka", "rabat", "ušetříte", "doprava", "sleva", "ušetríte", "zľava",
    "megtakarítás", "szállítás", "kedvezmény",
    // Russian, Ukrainian, Bulgarian, Greek, Turkish
    "экономия", "вы экономите", "скидка", "доставка", "економія", "знижка", "спестявате", "отстъпка", "κερδίζετε",
    "έκπτωση", "μεταφορικά", "kazanç", "indirim", "kargo",
    // Chinese, Japanese, Korean, Vietnamese, Indonesian, Arabic
    "立减", "立減", "已省", "节省", "節省", "运费", "運費", "包邮", "免運", "优惠券", "送料", "割引", "무료배송",
    "배송비", "할인", "tiết kiệm", "phí vận chuyển", "hemat", "ongkir", "توصيل", "وفر",
];

/// What classes call an amount that is struck out by style.
pub(crate) const STRUCK: &[&str] =
    &["strike", "line-through", "linethrough", "old-price", "price-old", "oldprice", "was-price", "price-was"];
