//! Names of months in the languages that pages are mostly written in.

use std::collections::HashMap;
use std::sync::LazyLock;

/// January to December: full names in the forms that dates use, and abbreviations, in lower case, the English name first.
const MONTHS: [&str; 12] = [
    "january jan januar jänner jaenner janvier janv enero ene gennaio gen januari janeiro styczeń stycznia sty ocak oca января январь янв січня leden ledna tammikuuta tammikuu januári január ianuarie ιανουαρίου يناير janúar januára januarja януари gener jaanuar sausio janvāris janvārī siječnja",
    "february feb februar februari février févr fév fevrier febrero febbraio febbr fevereiro fev luty lutego lut şubat şub февраля февраль фев лютого únor února helmikuuta helmikuu február februarie φεβρουαρίου فبراير febrúar februára februarja февруари febrer veebruar vasario februāris februārī veljače pebrero",
    "march mar märz mär maerz mrz mars marzo maart mrt março marzec marca mart марта март мар березня březen března maaliskuuta maaliskuu március martie μαρτίου مارس maret marts marec març märts kovo martā ožujka marso",
    "april apr avril avr abril abr aprile kwiecień kwietnia kwi nisan nis апреля апрель апр квітня duben dubna huhtikuuta huhtikuu április aprilie απριλίου أبريل apríl apríla април aprill balandžio aprīlis aprīlī travnja",
    "may mai mayo maggio mag mei maio maj maja mayıs мая май травня květen května toukokuuta toukokuu május μαΐου مايو maí mája maig gegužės maijs maijā svibnja",
    "june jun juni juin junio giugno giu junho czerwiec czerwca cze haziran haz июня июнь июн червня červen června kesäkuuta kesäkuu június iunie ιουνίου يونيو júní júna юни juny junij junija juuni birželio jūnijs jūnijā lipnja hunyo",
    "july jul juli juillet juil julio luglio lug julho lipiec lipca lip temmuz tem июля июль июл липня červenec července heinäkuuta heinäkuu július iulie ιουλίου يوليو júlí júla юли juliol julij julija juuli liepos jūlijs jūlijā srpnja hulyo julai",
    "august aug août aout agosto ago augustus sierpień sierpnia sie ağustos ağu августа август авг серпня srpen srpna elokuuta elokuu augusztus αυγούστου أغسطس augusti agustus ágúst augusta avgust avgusta agost rugpjūčio augusts augustā kolovoza ogos",
    "september sep sept septembre septiembre settembre set setembro wrzesień września wrz eylül eyl сентября сентябрь сен вересня září syyskuuta syyskuu szeptember septembrie σεπτεμβρίου سبتمبر septembra септември setembre rugsėjo septembris septembrī rujna setyembre",
    "october oct oktober okt octobre octubre ottobre ott outubro out październik października paź ekim eki октября октябрь окт жовтня říjen října lokakuuta lokakuu október octombrie οκτωβρίου أكتوبر októbra октомври oktoober spalio oktobris oktobrī oktobra oktubre",
    "november nov novembre noviembre novembro listopad listopada lis kasım kas ноября ноябрь ноя листопада marraskuuta marraskuu noiembrie νοεμβρίου نوفمبر nóvember novembra ноември lapkričio novembris novembrī studenoga nobyembre",
    "december dec dez dezember décembre déc decembre diciembre dic dicembre dezembro grudzień grudnia gru aralık ara декабря декабрь дек грудня prosinec prosince joulukuuta joulukuu decembrie δεκεμβρίου ديسمبر desember des decembra декември desembre detsember gruodžio decembris decembrī prosinca disyembre disember",
];

/// 1 to 12 for the name of a month in lower case.
///
/// Polish and Czech call different months `listopad`; it is November, as in the larger of the two.
pub(crate) fn month(word: &str) -> Option<u8> {
    BY_NAME.get(word).copied()
}

/// The same of an English name, or of its beginning as it is cut short.
pub(super) fn english_month(word: &str) -> Option<u8> {
    let is = |name: &str| word == name || word == &name[..3] || word == "sept" && name == "september";
    let names = MONTHS.iter().filter_map(|names| names.split(' ').next());
    names.zip(1..).find_map(|(name, month)| is(name).then_some(month))
}

static BY_NAME: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let mut months = HashMap::new();
    for (names, month) in MONTHS.iter().zip(1..) {
        // The first month of a name that two languages use has it.
        names.split(' ').for_each(|name| {
            months.entry(name).or_insert(month);
        });
    }
    months
});
