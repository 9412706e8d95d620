//! Words around the names of writers: one table by role and language.

/// What a word says of the name beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameRole {
    /// Before a name. No proof that it wrote the page: `reviewed by` stands before names, too.
    Before,
    /// Before a name that wrote the page, wherever a row begins with it.
    Phrase,
    /// Before a name that wrote the page, near the title. Those of other languages than English have other meanings as well,
    /// so that only proper names count behind them.
    By,
    /// Before a name that wrote the page, with a colon between them or in a row of its own.
    Noun,
    /// Before a colon and a proper name, near the title: it names who made any part of a page, and where it is the text, who wrote it.
    Credit,
    /// Anywhere in a line, with the name right behind it.
    Mark,
    /// Right behind the name of a reporter, with or without a space.
    Title,
    /// Behind the name of one who is quoted.
    Says,
    /// Behind the names of reporters, with or without a space.
    Reports,
    /// Behind a name: it begins what says when, where or what that person is.
    Ends,
    /// Within names and between them.
    Particle,
    /// Behind a comma, and no first name.
    Suffix,
    /// In the place of a name, and nobody's: roles, accounts of programs, links and labels.
    Nobody,
    /// In the names of sites and firms, and in no person's.
    Organisation,
    /// What one is by trade, behind a name or in a line of its own.
    Position,
    /// Before what one is by trade.
    Rank,
    /// Before the name of one who made the pictures, behind that of the writer.
    Picture,
    /// Before what the writer is to the paper: `unserer Korrespondentin`.
    Our,
    /// Names of networks and what one does there, as buttons beside a byline say.
    Sharing,
    /// At the end of what is no name yet: `Insights from`.
    Preposition,
    /// The first word of places and sections, which stand beside a date as names do.
    NoName,
    /// Before a colon and the agency or paper that a text is from, which is no writer.
    Source,
    /// Behind the whole name of one who writes: `Jón Sigurðsson skrifar`.
    Writes,
    /// Before a name, with a stop that ends no sentence.
    Honorific,
}

/// Role, language (ISO 639-1, `mul` for several), words in lower case. A word before a name has the role that says most.
#[rustfmt::skip]
const WORDS: &[(NameRole, &str, &[&str])] = &[
    (NameRole::Phrase, "en", &["written by", "posted by", "post by", "article by", "story by", "words by", "text by",
        "authored by", "contributed by", "submitted by", "guest post by", "interview by", "essay by", "column by", "opinion by",
        "commentary by", "review by", "report by", "reported by", "analysis by"]),
    (NameRole::Phrase, "en", &["view all posts by", "see all posts by", "all posts by", "more posts by", "posts by", "view all of"]),
    (NameRole::Phrase, "de", &["alle beiträge von"]), (NameRole::Phrase, "fr", &["voir tous les articles de", "tous les articles de"]),
    (NameRole::Phrase, "es", &["ver todas las entradas de", "ver todos los artículos de"]), (NameRole::Phrase, "pt", &["ver todos os posts de"]),
    (NameRole::Phrase, "it", &["visualizza tutti gli articoli di"]), (NameRole::Phrase, "nl", &["alle berichten van"]),
    (NameRole::Phrase, "de", &["geschrieben von", "ein artikel von", "ein beitrag von", "ein gastbeitrag von",
        "ein interview von", "das gespräch führte", "das interview führte", "verfasst von", "gespeichert von", "eingereicht von"]),
    (NameRole::Phrase, "de", &["beitrag von", "gastbeitrag von", "gastkommentar von", "ein kommentar von", "eine analyse von", "ein essay von", "eine kolumne von",
        "eine reportage von", "ein bericht von"]),
    (NameRole::Phrase, "fr", &["message par", "une tribune de", "une enquête de"]), (NameRole::Phrase, "es", &["mensaje por", "un artículo de", "una tribuna de"]),
    (NameRole::Phrase, "it", &["messaggio da", "un articolo di", "un commento di"]), (NameRole::Phrase, "pt", &["mensagem por", "um artigo de"]), (NameRole::Phrase, "nl", &["bericht door", "gastbijdrage van"]),
    (NameRole::Phrase, "en", &["this is a guest post by", "this guest post is by", "this guest post was written by", "reporting by",
        "as told to", "words and photos by", "text and photos by", "story and photos by", "photos and text by", "words & photos by",
        "words and pictures by"]),
    (NameRole::Phrase, "nl", &["geschreven door", "geplaatst door", "ingediend door"]),
    (NameRole::Phrase, "fr", &["rédigé par", "écrit par", "publié par", "soumis par", "propos recueillis par"]),
    (NameRole::Phrase, "es", &["escrito por", "redactado por", "publicado por", "enviado por"]),
    (NameRole::Phrase, "it", &["scritto da", "a cura di", "inviato da"]), (NameRole::Phrase, "ro", &["scris de"]),
    (NameRole::Phrase, "ru", &["написано автором"]), (NameRole::Phrase, "sv", &["skriven av"]), (NameRole::Phrase, "da", &["skrevet af"]), (NameRole::Phrase, "no", &["skrevet av"]),
    (NameRole::Phrase, "ar", &["بقلم"]), (NameRole::Phrase, "fa", &["به قلم"]), (NameRole::Phrase, "he", &["מאת"]),
    (NameRole::Phrase, "el", &["γράφει ο", "γράφει η", "του συντάκτη", "της συντάκτριας"]),
    (NameRole::Phrase, "pl", &["napisane przez"]), (NameRole::Phrase, "id", &["ditulis oleh"]),
    (NameRole::Phrase, "ca", &["escrit per", "publicat per", "un article de"]), (NameRole::Phrase, "sv", &["skrivet av", "upplagd av", "inlagd av"]),
    (NameRole::Phrase, "da", &["kronik af", "interview af", "en artikel af", "indlæg af"]), (NameRole::Phrase, "no", &["skrive av", "publisert av"]),
    (NameRole::Phrase, "it", &["saggio di", "articolo di", "intervista di", "testo di", "servizio di"]), (NameRole::Phrase, "th", &["เขียนโดย"]),
    (NameRole::Phrase, "pt", &["reportagem de", "texto de"]), (NameRole::Phrase, "nl", &["tekst door", "een artikel van"]),
    (NameRole::Phrase, "ru", &["автор статьи", "автор текста", "текст подготовил", "текст подготовила"]), (NameRole::Phrase, "fil", &["isinulat ni"]),
    (NameRole::Phrase, "en", &["curated by", "compiled by"]), (NameRole::Phrase, "pt", &["texto por"]), (NameRole::Phrase, "pl", &["oprac.", "opracował", "opracowała"]),
    (NameRole::Phrase, "es", &["una entrevista de", "entrevista de", "un reportaje de", "reportaje de", "crónica de"]),
    (NameRole::Phrase, "fr", &["posté par", "proposé par"]), (NameRole::Noun, "hi", &["रिपोर्ट", "रिपोर्टर", "संवाददाता"]),
    (NameRole::Phrase, "tr", &["yazan kişi"]), (NameRole::Phrase, "vi", &["viết bởi"]), (NameRole::Phrase, "fi", &["kirjoittaja on"]),
    (NameRole::Noun, "en", &["author", "authors", "author(s)", "contributor", "contributors", "guest contributor", "guest author", "guest writer",
        "contributing writer", "staff writer", "writer"]),
    (NameRole::Noun, "de", &["autor", "autorin"]), (NameRole::Noun, "es", &["autores"]), (NameRole::Noun, "fr", &["auteur"]),
    (NameRole::Noun, "it", &["autore"]), (NameRole::Noun, "ru", &["автор"]), (NameRole::Noun, "tr", &["yazar"]),
    (NameRole::Noun, "vi", &["tác giả"]), (NameRole::Noun, "id", &["penulis"]), (NameRole::Noun, "hu", &["szerző", "írta"]),
    (NameRole::Noun, "fi", &["kirjoittaja"]), (NameRole::Noun, "sv", &["skribent"]), (NameRole::Noun, "no", &["forfatter"]),
    (NameRole::Noun, "th", &["ผู้เขียน", "เรื่อง"]), (NameRole::Noun, "ar", &["كتب", "كتبت", "الكاتب", "الكاتبة"]), (NameRole::Noun, "fa", &["نویسنده"]),
    (NameRole::Noun, "hi", &["लेखक"]), (NameRole::Noun, "he", &["כתב", "כתבה"]), (NameRole::Noun, "el", &["συντάκτης", "συντάκτρια"]),
    (NameRole::Noun, "bn", &["লেখক"]), (NameRole::Noun, "ko", &["글쓴이", "작성자", "필자"]),
    (NameRole::Noun, "zh", &["作者"]), (NameRole::Noun, "ja", &["執筆者", "著者"]),
    (NameRole::Noun, "es", &["autora", "autoras"]), (NameRole::Noun, "lv", &["autors"]), (NameRole::Noun, "lt", &["autorius", "autorė", "parašė"]),
    (NameRole::Noun, "eu", &["egilea", "egileak", "idazlea"]), (NameRole::Noun, "ka", &["ავტორი"]), (NameRole::Noun, "sl", &["avtor", "avtorica", "piše"]),
    (NameRole::Noun, "sr", &["пише", "аутор"]), (NameRole::Noun, "hr", &["napisao", "napisala", "autorica"]), (NameRole::Noun, "ur", &["تحریر", "مصنف"]),
    (NameRole::Noun, "pl", &["autorka", "autorzy", "rozmawiał", "rozmawiała"]), (NameRole::Noun, "uk", &["авторка", "авторка тексту", "автор тексту"]),
    (NameRole::Noun, "bg", &["авторът"]), (NameRole::Noun, "is", &["höfundur"]), (NameRole::Noun, "hy", &["հեղինակ"]), (NameRole::Noun, "az", &["müəllif"]),
    (NameRole::Noun, "sw", &["mwandishi"]), (NameRole::Noun, "sq", &["autori"]), (NameRole::Noun, "fr", &["autrice", "auteure", "auteurs"]),
    (NameRole::Noun, "ru", &["авторы"]), (NameRole::Noun, "et", &["kirjutas"]), (NameRole::Noun, "fi", &["toimittaja"]),
    (NameRole::By, "en", &["by"]), (NameRole::By, "de", &["von"]), (NameRole::By, "fr", &["par"]), (NameRole::By, "es", &["por"]),
    (NameRole::By, "nl", &["door"]), (NameRole::By, "it", &["di"]), (NameRole::By, "sv", &["av"]), (NameRole::By, "da", &["af"]),
    (NameRole::By, "pl", &["przez"]), (NameRole::By, "id", &["oleh"]), (NameRole::By, "th", &["โดย"]), (NameRole::By, "ar", &["كتب", "كتبت"]),
    (NameRole::By, "hi", &["द्वारा"]), (NameRole::By, "el", &["του", "της", "από τον", "από την"]),
    (NameRole::By, "fi", &["kirjoittanut", "teksti"]), (NameRole::By, "mul", &["tekst"]), (NameRole::By, "cs", &["napsal", "napsala"]),
    (NameRole::By, "ca", &["per"]), (NameRole::By, "et", &["kirjutas"]), (NameRole::By, "hr", &["piše"]), (NameRole::By, "sr", &["пише"]), (NameRole::By, "sq", &["nga"]),
    (NameRole::By, "sk", &["napísal", "napísala"]), (NameRole::By, "af", &["deur"]),
    (NameRole::By, "ru", &["подготовил", "подготовила", "корреспондент"]), (NameRole::By, "lt", &["parašė"]), (NameRole::By, "ms", &["ditulis"]),
    (NameRole::Credit, "mul", &["words", "story", "reporter", "muhabir", "interview", "intervista", "entrevista", "wywiad", "text", "tekst", "texte", "texto", "testo", "текст", "teksti", "szöveg", "haber", "yazan", "글", "bài", "bài viết"]),
    (NameRole::Before, "en", &["about the author", "post author", "recipe by", "reviewed by", "edited by", "created by", "published by"]),
    (NameRole::Before, "de", &["artikel von", "erstellt von", "eingestellt von", "veröffentlicht von", "text von"]),
    (NameRole::Before, "nl", &["gepubliceerd door"]), (NameRole::Before, "fr", &["posté par", "recueilli par"]),
    (NameRole::Before, "es", &["creado por"]), (NameRole::Before, "pt", &["postado por", "criado por"]),
    (NameRole::Before, "it", &["pubblicato da"]), (NameRole::Before, "ro", &["publicat de"]),
    (NameRole::Before, "sv", &["publicerad av"]), 
    (NameRole::Before, "pl", &["dodane przez", "opublikowane przez"]),
    (NameRole::Before, "ru", &["опубликовал", "опубликовала"]), (NameRole::Before, "uk", &["опубліковано"]),
    (NameRole::Before, "zh", &["撰文", "文", "记者", "記者", "编辑", "本报记者", "通讯员", "發表"]),
    (NameRole::Before, "ja", &["投稿者"]), (NameRole::Before, "ko", &["글"]),
    (NameRole::Mark, "zh", &["撰稿：", "撰稿:", "撰稿人：", "撰稿人:", "采写：", "采写:", "作者：", "作者:", "作者丨", "撰文：", "撰文:", "记者：", "记者:", "文/", "文／", "文丨", "文｜", "作者／", "作者/", "撰文／", "撰文/", "撰文｜", "撰文丨",
        "撰文|", "撰文 | ", "文|", "文 | ", "文 ｜", "文 丨"]),
    (NameRole::Mark, "ja", &["記者：", "記者:", "取材・文・写真：", "文・写真：", "文・写真＝", "写真・文＝", "文と写真＝", "取材・文・写真＝", "文・写真\u{3000}", "文・写真 ", "写真・文：", "文と写真：", "取材・文：", "取材・文=", "取材・文＝", "執筆：", "執筆:", "筆者：", "ライター：", "文：", "文・", "文＝", "文="]),
    (NameRole::Title, "ko", &["선임기자", "선임 기자", "인턴기자", "인턴 기자", "객원기자", "전문기자", "수습기자", "기자", "특파원", "논설위원", "에디터", "칼럼니스트"]),
    (NameRole::Title, "ja", &["記者"]), (NameRole::Title, "zh", &["记者"]),
    (NameRole::Says, "en", &["says", "said", "wrote", "writes", "says:"]), (NameRole::Says, "de", &["sagt", "schrieb"]),
    (NameRole::Says, "fr", &["dit"]), (NameRole::Says, "es", &["dice", "dijo"]),
    (NameRole::Reports, "zh", &["发自", "发回", "报道", "報道", "報導", "摄", "攝", "通讯员"]),
    (NameRole::Ends, "en", &["on", "in", "for", "at", "special", "is", "with", "last", "updated", "published", "reviewed", "posted", "medically", "clinically", "scientifically",
        "fact-checked", "fact", "translated", "edited", "illustrated", "editing", "additional"]),
    (NameRole::Ends, "de", &["am", "mit", "aktualisiert", "veröffentlicht", "medizinisch", "geprüft", "übersetzt"]), (NameRole::Ends, "es", &["con", "publicado", "actualizado", "revisado", "traducido"]),
    (NameRole::Ends, "it", &["pubblicato", "aggiornato", "revisionato", "tradotto"]), (NameRole::Ends, "nl", &["met", "vertaald"]), (NameRole::Ends, "sv", &["med", "kl", "kl."]), (NameRole::Ends, "pt", &["atualizado", "traduzido"]), (NameRole::Ends, "th", &["เผยแพร่", "เผยแพร่เมื่อ", "อัปเดต"]),
    (NameRole::Ends, "fr", &["à", "avec", "publié", "mis", "pour", "traduit", "relu", "vérifié"]), (NameRole::Ends, "de", &["für"]), (NameRole::Ends, "es", &["para"]),
    (NameRole::Ends, "it", &["per"]), (NameRole::Ends, "nl", &["voor"]), (NameRole::Ends, "sv", &["för"]), (NameRole::Ends, "pl", &["dla"]),
    (NameRole::Ends, "hr", &["prije"]), (NameRole::Ends, "cs", &["pro"]), (NameRole::Ends, "ru", &["для"]), (NameRole::Ends, "tr", &["için"]),
    (NameRole::Particle, "mul", &["de", "da", "di", "del", "der", "den", "van", "von", "la", "le", "dos"]),
    (NameRole::Particle, "mul", &["und", "et", "y", "e", "en", "och", "og"]),
    (NameRole::Particle, "mul", &["bin", "binti", "ibn", "ben", "al", "el", "do", "ter", "ten", "della"]),
    (NameRole::Source, "en", &["source", "sources"]), (NameRole::Source, "de", &["quelle", "quellen"]), (NameRole::Source, "es", &["fuente", "fuentes"]),
    (NameRole::Source, "pt", &["fonte", "fontes"]), (NameRole::Source, "it", &["fonti"]), (NameRole::Source, "nl", &["bron", "bronnen"]),
    (NameRole::Source, "sv", &["källa"]), (NameRole::Source, "da", &["kilde"]), (NameRole::Source, "fi", &["lähde"]), (NameRole::Source, "is", &["heimild"]),
    (NameRole::Source, "pl", &["źródło"]), (NameRole::Source, "cs", &["zdroj"]), (NameRole::Source, "hu", &["forrás"]), (NameRole::Source, "ro", &["sursa", "sursă"]),
    (NameRole::Source, "hr", &["izvor"]), (NameRole::Source, "sr", &["извор"]), (NameRole::Source, "sl", &["vir"]), (NameRole::Source, "bg", &["източник"]),
    (NameRole::Source, "ru", &["источник"]), (NameRole::Source, "uk", &["джерело"]), (NameRole::Source, "el", &["πηγή"]), (NameRole::Source, "tr", &["kaynak"]),
    (NameRole::Source, "et", &["allikas"]), (NameRole::Source, "lv", &["avots"]), (NameRole::Source, "lt", &["šaltinis"]), (NameRole::Source, "sq", &["burimi"]),
    (NameRole::Source, "ca", &["font"]), (NameRole::Source, "eu", &["iturria"]), (NameRole::Source, "id", &["sumber"]), (NameRole::Source, "vi", &["nguồn"]),
    (NameRole::Source, "th", &["ที่มา"]), (NameRole::Source, "hi", &["स्रोत"]), (NameRole::Source, "ar", &["المصدر", "مصدر"]), (NameRole::Source, "fa", &["منبع"]),
    (NameRole::Source, "he", &["מקור"]), (NameRole::Source, "zh", &["来源", "來源", "稿源", "文章来源", "消息来源", "信息来源", "新闻来源", "资料来源"]),
    (NameRole::Source, "ja", &["出典", "提供", "情報元"]), (NameRole::Source, "ko", &["출처"]),
    (NameRole::Writes, "is", &["skrifar", "skrifaði"]), (NameRole::Writes, "sv", &["skriver"]), (NameRole::Writes, "hu", &["írta", "írja"]), (NameRole::Writes, "fi", &["kirjoittaa"]),
    (NameRole::Writes, "pl", &["pisze"]), (NameRole::Writes, "ru", &["пишет"]), (NameRole::Writes, "hr", &["piše"]), (NameRole::Writes, "sr", &["пише"]),
    (NameRole::Honorific, "mul", &["prof.", "dipl.-ing.", "univ.-prof.", "assoc.", "asst.", "dott.", "dott.ssa", "capt.", "проф.", "доц.", "акад."]),
    (NameRole::Suffix, "mul", &["jr", "jr.", "sr", "sr.", "ii", "iii", "phd", "ph.d.", "md", "m.d.", "inc", "inc.", "ltd",
        "ltd.", "llc", "ag"]),
    (NameRole::Nobody, "en", &["author", "the author", "editor", "editors", "editorial", "the editors", "editorial team",
        "editorial staff", "staff", "staff writer", "staff report", "posted on", "posted", "guest", "guest author", "guest post", "contributor",
        "moderator", "webmaster", "webmistress", "admin", "administrator", "super user", "root", "system", "automoderator",
        "name", "by", "my profile", "for authors", "last post", "first letter", "brands", "tags", "categories", "archives", "post", "posts", "unread post", "permalink", "publisher", "cc by", "cc by-sa", "cc by-nc", "cc0", "paid content", "sponsored content", "sponsored", "advertisement",
        "unknown", "anonymous", "no author", "not specified", "none", "n/a", "null", "undefined", "deleted user", "former member", "about us", "about me", "about the author", "wpadmin", "wordpress", "about", "share", "view profile",
        "follow", "login", "log in", "sign in", "register", "profile", "search", "archive"]),
    (NameRole::Nobody, "de", &["redaktion", "anonym", "von", "im wortlaut", "zvg", "anzeige", "beitrag", "beiträge", "ungelesener beitrag"]), (NameRole::Nobody, "nl", &["redactie", "bericht"]),
    (NameRole::Nobody, "fr", &["redaction", "rédaction", "la rédaction", "anonyme", "message"]),
    (NameRole::Nobody, "es", &["redacción", "anónimo", "mensaje"]), (NameRole::Nobody, "pt", &["redação"]),
    (NameRole::Nobody, "it", &["redazione", "messaggio"]), (NameRole::Nobody, "ru", &["редакция", "сообщение"]),
    (NameRole::Nobody, "zh", &["编辑", "編輯", "编辑部", "小编", "責任編輯", "编者", "管理员", "管理員", "匿名", "佚名", "更多",
        "简介", "介绍", "实习生", "手机版"]),
    (NameRole::Nobody, "ja", &["編集部", "管理人", "名無しさん", "募集", "募集中", "一覧", "紹介", "検索", "情報", "登録",
        "ランキング", "プロフィール", "について"]),
    (NameRole::Nobody, "ko", &["편집부", "관리자"]), (NameRole::Nobody, "hu", &["megosztom", "megosztás"]), (NameRole::Nobody, "tr", &["yorumlar kapalı"]),
    (NameRole::Nobody, "ja", &["ログイン"]), (NameRole::Nobody, "zh", &["最后回复", "版块来源"]), (NameRole::Nobody, "da", &["opret bruger"]),
    (NameRole::Organisation, "en", &["news", "daily", "times", "post", "mail", "media", "team", "magazine", "blog", "journal",
        "press", "network", "tv", "radio", "inc", "ltd", "llc", "university", "institute", "online", "digital", "today",
        "weekly", "review", "guide", "studio", "studios", "labs", "group", "club", "association", "company", "official",
        "desk", "office", "the", "world", "center", "centre", "foundation", "society", "community", "forum", "shop",
        "store", "herald", "tribune", "gazette", "observer", "chronicle"]),
    (NameRole::Position, "en", &["writer", "author", "editor", "contributor", "reporter", "journalist", "columnist", "correspondent",
        "staff", "founder", "photographer", "freelancer", "blogger", "researcher", "analyst"]),
    (NameRole::Position, "de", &["redakteur", "redakteurin", "autor", "autorin", "journalistin", "volontär", "gastautor"]),
    (NameRole::Position, "fr", &["journaliste", "rédacteur", "rédactrice"]), (NameRole::Position, "es", &["periodista", "redactor", "redactora"]),
    (NameRole::Position, "de", &["korrespondent", "korrespondentin", "reporterin", "redaktionsleiter"]),
    (NameRole::Position, "nl", &["verslaggever", "redacteur"]), (NameRole::Position, "ru", &["корреспондент", "журналист", "обозреватель"]),
    (NameRole::Position, "pl", &["dziennikarz", "dziennikarka"]), (NameRole::Position, "it", &["giornalista"]), (NameRole::Position, "pt", &["jornalista", "repórter"]),
    (NameRole::Position, "cs", &["redaktor", "redaktorka", "novinář", "novinářka", "zpravodaj", "zpravodajka"]),
    (NameRole::Position, "sk", &["spravodajca"]), (NameRole::Position, "hu", &["újságíró", "szerkesztő"]),
    (NameRole::Position, "fi", &["toimittaja"]), (NameRole::Position, "ro", &["jurnalist", "jurnalistă"]),
    (NameRole::Position, "tr", &["muhabir", "editör"]), (NameRole::Position, "uk", &["кореспондент", "кореспондентка", "журналіст", "журналістка"]),
    (NameRole::Position, "ru", &["корреспондентка", "журналистка"]), (NameRole::Position, "da", &["redaktør"]),
    (NameRole::Rank, "en", &["senior", "staff", "chief", "deputy", "managing", "contributing", "associate", "assistant", "guest", "freelance",
        "political", "science", "sports", "business", "culture", "foreign", "local", "health", "education", "environment", "technology",
        "food", "travel", "features", "investigative", "special", "arts", "city", "home", "affairs"]),
    (NameRole::Picture, "mul", &["foto", "fotos", "photo", "photos", "photography", "photographs", "pictures", "illustration",
        "illustrations", "bild", "bilder", "beeld", "kuva", "kuvat", "fotografía", "fotografie", "фото", "fotoğraf", "사진",
        "zdjęcia", "zdjęcie", "fot.", "fotó", "fotók", "ảnh", "gambar", "imagens", "immagini", "imágenes", "ภาพ", "снимки", "φωτογραφίες", "צילום", "صور",
        "تصوير"]),
    (NameRole::Our, "mul", &["unser", "unsere", "unserem", "unserer", "onze", "notre", "nuestro", "nuestra", "our"]),
    (NameRole::Sharing, "mul", &["twitter", "facebook", "instagram", "linkedin", "youtube", "whatsapp", "telegram", "pinterest", "tiktok",
        "reddit", "email", "e-mail", "print", "x", "xing", "rss", "bluesky", "mastodon", "threads", "copy", "link"]),
    (NameRole::Preposition, "en", &["by", "from", "with", "for", "of", "and", "in", "at", "about", "the", "to"]),
    (NameRole::Preposition, "de", &["von", "und", "aus", "für", "mit"]), (NameRole::Preposition, "fr", &["par", "et", "de"]),
    (NameRole::Preposition, "es", &["por", "y"]),
    (NameRole::Organisation, "de", &["gmbh", "zeitung", "nachrichten", "redaktion", "presse", "verlag", "verein", "ag", "kg", "e.v.", "agentur"]),
    (NameRole::Organisation, "mul", &["ab", "as", "aps", "oy", "oyj", "bv", "b.v.", "nv", "sl", "s.l.", "sa", "s.a.", "srl", "s.r.l.", "spa", "s.p.a.",
        "sarl", "sas", "kft", "zrt", "s.r.o.", "a.s.", "ooo", "ооо", "ltda", "plc", "llp", "corp", "corp.", "corporation", "co.", "holding", "publishing",
        "publications", "communications", "editorial", "éditions", "editions", "edizioni", "editora", "förlag", "forlag", "uitgeverij", "wydawnictwo"]),
    (NameRole::NoName, "mul", &["new", "san", "los", "las", "santa", "saint", "st.", "port", "puerto", "cape", "hong", "tel", "buenos", "rio", "são",
        "fort", "north", "south", "east", "west", "central", "upper", "lower", "mount", "lake", "bad", "sankt", "den", "la", "le", "el"]),
    (NameRole::NoName, "de", &["aktuelle", "aktueller", "aktuelles", "neue", "neues", "alle", "presse", "veranstaltung", "pressemitteilung"]),
    (NameRole::NoName, "en", &["copyright", "photo", "image", "credit", "date", "your", "press", "breaking", "top", "case", "blog", "news", "company", "product", "release", "read", "latest",
        "featured", "opinion", "sports", "business", "world", "local", "national", "politics", "our", "all", "special", "weekly", "monthly",
        "annual", "general", "public", "social", "good", "great", "happy", "event", "events", "version", "chapter", "part", "last", "first", "next",
        "updated", "published", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "united", "city", "home", "life",
        "health", "science", "tech", "technology", "open", "meeting", "official", "request", "explore", "contact", "book", "view", "see", "log", "sign", "get", "learn", "start", "watch",
        "download", "join", "meet", "about", "free", "system", "dark", "light", "show", "hide", "edit", "share", "print", "save", "summer", "winter", "spring", "autumn"]),
];

/// The words of some roles, each with its language.
pub(super) fn words(roles: &'static [NameRole]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = WORDS.iter().filter(|(role, _, _)| roles.contains(role));
    rows.flat_map(|(_, language, words)| words.iter().map(move |word| (*word, *language)))
}

/// What follows a word in a text that begins with it, whatever the case.
pub(super) fn behind<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, other) = (text.as_bytes().first()?, word.as_bytes().first()?);
    // Nearly all fail here.
    if first.is_ascii() != other.is_ascii() || first.is_ascii() && !first.eq_ignore_ascii_case(other) {
        return None;
    }
    let end = text.char_indices().nth(word.chars().count()).map_or(text.len(), |(end, _)| end);
    (text[..end].to_lowercase() == word).then(|| &text[end..])
}

/// Whether a word, in lower case, has a role.
pub(super) fn is(word: &str, role: NameRole) -> bool {
    WORDS.iter().any(|(own, _, words)| *own == role && words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case_and_have_a_role_once() {
        for (row, (role, language, words)) in WORDS.iter().enumerate() {
            assert!(matches!(language.len(), 2 | 3), "{language}");
            for (at, word) in words.iter().enumerate() {
                assert_eq!(word.to_lowercase(), *word);
                let before = WORDS[..row].iter().any(|(other, _, words)| other == role && words.contains(word));
                assert!(!before && !words[..at].contains(word), "{word} twice");
            }
        }
    }
}
