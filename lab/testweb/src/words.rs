//! Sentences in English and Chinese, put together from word lists.

use crate::rng::Rng;

const NOUNS: &[&str] = &[
    "harbour",
    "council",
    "bridge",
    "orchard",
    "library",
    "river",
    "festival",
    "railway",
    "market",
    "museum",
    "school",
    "engineer",
    "farmer",
    "baker",
    "painter",
    "storm",
    "budget",
    "survey",
    "report",
    "garden",
    "valley",
    "factory",
    "ferry",
    "archive",
    "choir",
    "workshop",
    "lighthouse",
    "mill",
    "canal",
    "teacher",
    "doctor",
    "pilot",
    "harvest",
];
const ADJECTIVES: &[&str] = &[
    "old",
    "quiet",
    "northern",
    "new",
    "small",
    "wooden",
    "early",
    "careful",
    "public",
    "heavy",
    "bright",
    "local",
    "narrow",
    "rebuilt",
    "unexpected",
    "patient",
    "coastal",
    "yearly",
    "modest",
    "crowded",
    "steady",
    "green",
];
const VERBS: &[&str] = &[
    "opened",
    "repaired",
    "welcomed",
    "measured",
    "planned",
    "visited",
    "described",
    "restored",
    "delayed",
    "praised",
    "sold",
    "counted",
    "photographed",
    "inherited",
    "defended",
    "painted",
    "closed",
    "surveyed",
    "funded",
    "followed",
];
const PLACES: &[&str] = &[
    "Ashford",
    "Millbrook",
    "Norwick",
    "Eastham",
    "Calder",
    "Fenwick",
    "Portlea",
    "Langley",
    "Thornby",
    "Westmere",
    "Holt",
    "Brackley",
    "Dunmore",
    "Silverton",
    "Oakhurst",
    "Redmarsh",
];
const TAILS: &[&str] = &[
    "before the winter came",
    "although nobody had asked",
    "with the help of neighbours",
    "after three long years",
    "because the money was there at last",
    "while the rain kept falling",
    "as the records show",
    "to the surprise of the visitors",
    "and the work went on until dusk",
    "in spite of the cost",
];
const FIRST_NAMES: &[&str] =
    &["Anna", "Peter", "Maria", "James", "Helen", "Tomas", "Ruth", "Simon", "Clara", "Victor", "Nora", "Daniel"];
const LAST_NAMES: &[&str] =
    &["Hill", "Marsh", "Keller", "Novak", "Brook", "Stone", "Carter", "Lind", "Weaver", "Moss", "Field", "Ward"];

const ZH_SUBJECTS: &[&str] = &[
    "市图书馆",
    "老码头",
    "农业合作社",
    "新建的铁路",
    "县博物馆",
    "山区小学",
    "研究人员",
    "当地居民",
    "年轻画家",
    "气象部门",
    "造船厂",
    "志愿者",
    "社区医院",
    "渔民",
    "茶园",
    "设计师",
];
const ZH_TIMES: &[&str] = &[
    "今年春天",
    "去年冬天",
    "上个月",
    "昨天上午",
    "经过三年努力",
    "在大雨之后",
    "节日期间",
    "按照计划",
    "最近几天",
    "与此同时",
];
const ZH_VERBS: &[&str] = &[
    "公布了",
    "修复了",
    "完成了",
    "接待了",
    "展出了",
    "记录了",
    "推迟了",
    "改善了",
    "介绍了",
    "保护了",
    "种植了",
    "测量了",
];
const ZH_OBJECTS: &[&str] = &[
    "一座古桥",
    "新的调查报告",
    "两百多名游客",
    "珍贵的手稿",
    "沿海的灯塔",
    "全部的果树",
    "一批旧照片",
    "河流的水质",
    "传统的手工艺",
    "明年的预算",
    "公共花园",
    "一条安静的街道",
];
const ZH_TAILS: &[&str] = &[
    "受到了大家的欢迎",
    "这让许多人感到意外",
    "工作一直持续到傍晚",
    "费用由地方政府承担",
    "附近的商店也因此热闹起来",
    "结果将在下周说明",
    "孩子们看得非常认真",
    "专家认为意义重大",
];
const TW_SUBJECTS: &[&str] =
    &["市立圖書館", "舊碼頭", "農業合作社", "新建的鐵路", "縣立博物館", "研究人員", "當地居民", "年輕畫家"];
const TW_VERBS: &[&str] = &["公布了", "修復了", "完成了", "接待了", "展出了", "記錄了", "改善了", "保護了"];
const TW_OBJECTS: &[&str] =
    &["一座古橋", "新的調查報告", "兩百多名遊客", "珍貴的手稿", "沿海的燈塔", "一批舊照片", "河流的水質"];
const TW_TAILS: &[&str] =
    &["受到了大家的歡迎", "這讓許多人感到意外", "工作一直持續到傍晚", "結果將在下週說明", "專家認為意義重大"];

/// The language and script of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageLanguage {
    English,
    Simplified,
    Traditional,
}

impl PageLanguage {
    /// The value of `html lang`.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            PageLanguage::English => "en",
            PageLanguage::Simplified => "zh-CN",
            PageLanguage::Traditional => "zh-TW",
        }
    }
}

pub(crate) fn sentence(rng: &mut Rng, language: PageLanguage) -> String {
    match language {
        PageLanguage::English => english(rng),
        PageLanguage::Simplified => {
            let time = rng.pick(ZH_TIMES);
            let (subject, verb) = (rng.pick(ZH_SUBJECTS), rng.pick(ZH_VERBS));
            format!("{time}，{subject}{verb}{}，{}。", rng.pick(ZH_OBJECTS), rng.pick(ZH_TAILS))
        }
        PageLanguage::Traditional => {
            let (subject, verb) = (rng.pick(TW_SUBJECTS), rng.pick(TW_VERBS));
            format!("{subject}{verb}{}，{}。", rng.pick(TW_OBJECTS), rng.pick(TW_TAILS))
        }
    }
}

fn english(rng: &mut Rng) -> String {
    let (first, noun, verb) = (rng.pick(ADJECTIVES), rng.pick(NOUNS), rng.pick(VERBS));
    let (second, object) = (rng.pick(ADJECTIVES), rng.pick(NOUNS));
    match rng.below(3) {
        0 => format!("The {first} {noun} of {} {verb} the {second} {object}.", rng.pick(PLACES)),
        1 => format!("In {}, the {first} {noun} {verb} the {second} {object}, {}.", rng.pick(PLACES), rng.pick(TAILS)),
        _ => {
            let tail = rng.pick(TAILS);
            format!("{}{}, the {noun} {verb} the {second} {object}.", tail[..1].to_ascii_uppercase(), &tail[1..])
        }
    }
}

pub(crate) fn paragraph(rng: &mut Rng, language: PageLanguage) -> String {
    let n_sentences = 3 + rng.below(4);
    let sentences: Vec<String> = (0..n_sentences).map(|_| sentence(rng, language)).collect();
    sentences.join(if language == PageLanguage::English { " " } else { "" })
}

pub(crate) fn title(rng: &mut Rng, language: PageLanguage) -> String {
    match language {
        PageLanguage::English => {
            let (adjective, noun, verb) = (rng.pick(ADJECTIVES), rng.pick(NOUNS), rng.pick(VERBS));
            let place = rng.pick(PLACES);
            format!("{place} {noun} {verb} {adjective} {}", rng.pick(NOUNS))
        }
        PageLanguage::Simplified => format!("{}{}{}", rng.pick(ZH_SUBJECTS), rng.pick(ZH_VERBS), rng.pick(ZH_OBJECTS)),
        PageLanguage::Traditional => format!("{}{}{}", rng.pick(TW_SUBJECTS), rng.pick(TW_VERBS), rng.pick(TW_OBJECTS)),
    }
}

pub(crate) fn person(rng: &mut Rng) -> String {
    format!("{} {}", rng.pick(FIRST_NAMES), rng.pick(LAST_NAMES))
}

pub(crate) fn product(rng: &mut Rng) -> String {
    format!("{} {}", capital(rng.pick::<&str>(ADJECTIVES)), rng.pick(NOUNS))
}

fn capital(word: &str) -> String {
    format!("{}{}", word[..1].to_ascii_uppercase(), &word[1..])
}
