//! What is a wall.

use gristmill_walls::Wall::{self, Blocked, Login, Parked, SoftNotFound};
use gristmill_walls::{WallInput, wall};

fn found(status: u16, url: &str, html: &str) -> Option<Wall> {
    wall(&WallInput { status, url, html }).map(|found| found.wall)
}

fn all_are(wanted: Wall, pages: &[&str]) {
    for html in pages {
        assert_eq!(found(200, "https://mill.example/rye/7", html), Some(wanted), "{html}");
    }
}

#[test]
fn challenges_of_providers() {
    all_are(
        Blocked,
        &[
            "<title>Just a moment...</title><body><noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cvId:'3'}</script>",
            "<title>Attention Required! | Cloudflare</title><div id=cf-error-details><h1>Sorry, you have been blocked</h1><p>You are unable to access mill.example",
            "<title>mill.example</title><p>Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','cid':'x','host':'geo.captcha-delivery.com'}</script>",
            "<title>Access to this page has been denied</title><div id=px-captcha></div><p>Press & Hold to confirm you are a human (and not a bot).",
            "<html><head></head><body><iframe src='/_Incapsula_Resource?CWUDNSAI=9' width=100%>Request unsuccessful. Incapsula incident ID: 7-1</iframe></body></html>",
            "<title>Access Denied</title><h1>Access Denied</h1>You don't have permission to access \"http://mill.example/\" on this server.<p>Reference #18.2<p>https://errors.edgesuite.net/18.2",
            "<title></title><script>window.awsWafCookieDomainList=[];window.gokuProps={}</script><div id=challenge-container></div>",
            "<title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={};sucuri_cloudproxy_js='';</script>",
            "<title>DDoS-Guard</title><h1>Checking your browser before accessing mill.example.</h1><script src=https://check.ddos-guard.net/check.js></script>",
            "<title>Making sure you're not a bot!</title><script id=anubis_challenge type=application/json>{}</script><h1>Making sure you're not a bot!</h1><p>Loading...</p>",
            "<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>",
            "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 77</body></html>",
            "<title>Radware Captcha Page</title><script src=https://captcha.perfdrive.com/x.js></script><h1>We apologize for the inconvenience...</h1>Unusual activity from your network",
            "<title>Robot Challenge Screen</title><h1>Checking the site connection security</h1><script src=/.well-known/sgcaptcha/x></script>verify you are human",
            "<title>One moment, please...</title><h1>Please wait while your request is being verified...</h1><script src=https://cdn.imunify/x></script>",
            "<html><script>var arg1='AA';function setCookie(){document.cookie='acw_sc__v2='+arg1}</script></html>",
        ],
    );
    assert_eq!(
        found(403, "https://mill.example/", "<p>Blocked</p><script src=https://ct.captcha-delivery.com/c.js></script>"),
        Some(Blocked)
    );
}

#[test]
fn blocks_that_name_nobody() {
    all_are(
        Blocked,
        &[
            "<title>Are you a robot?</title><h1>Are you a robot?</h1><form><div class=g-recaptcha></div><script src=https://www.google.com/recaptcha/api.js></script><button>Continue</button></form>",
            "<title>Security check</title><p>Please verify you are human</p><div class=h-captcha></div><script src=https://js.hcaptcha.com/1/api.js></script>",
            "<title>Too Many Requests</title><h1>Too Many Requests</h1><p>Slow down, please.",
            "<title>mill.example</title><h2>Rate limit exceeded</h2><p>Try again in 60 seconds.</p>",
            "<title>Pardon Our Interruption</title><h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot.</p>",
            "<title>Sicherheitsüberprüfung</title><p>Bitte bestätigen Sie, dass Sie ein Mensch sind.</p>",
            "<title>Проверка браузера</title><p>Подождите несколько секунд",
            "<title>安全验证</title><div>请完成安全验证</div>",
            "<p>To read on, please enable JavaScript and cookies in your browser.</p>",
        ],
    );
}

#[test]
fn questions_for_consent() {
    all_are(
        Blocked,
        &[
            "<title>Before you continue</title><h1>Before you continue</h1><p>We use cookies and data to deliver and maintain services, and for advertising.</p><form><button>Reject all</button><button>Accept all</button></form>",
            "<title>Mill News - We value your privacy</title><h1>We value your privacy</h1><p>We and our 812 partners store cookies and process personal data for advertising.</p><button>I agree</button><a href=/pay>Subscribe</a>",
            "<title>Mühlenzeitung</title><h2>Mit Werbung und Cookies weiterlesen</h2><p>Besuchen Sie uns wie gewohnt mit Werbung. Details finden Sie in der Datenschutzerklärung. Ihre Zustimmung können Sie widerrufen.</p><button>Akzeptieren und weiter</button>",
            "<title>Le Moulin</title><h1>Le respect de votre vie privée</h1><p>Avec nos partenaires, nous utilisons des cookies pour la publicité avec votre consentement.</p><button>Tout accepter</button>",
        ],
    );
    let gate = "<title>Mill News</title><p>With our partners we use cookies for advertising. Do you consent?</p><button>Accept all</button>";
    assert_eq!(found(200, "https://consent.mill.example/?to=rye", gate), Some(Blocked));
}

#[test]
fn logins() {
    all_are(
        Login,
        &[
            "<title>Sign in - The Mill</title><h1>Sign in</h1><form><input name=u><input type=password name=p><button>Sign in</button></form><p>Forgot your password?",
            "<title>The Mill</title><h2>Anmelden</h2><form><input type=password></form>",
            "<title>用户登录</title><form><input name=account><input type=password></form>",
            "<title>Вход</title><form><input name=login><input type=password></form><a href=/r>Регистрация</a>",
            "<title>Sign in to your account</title><form><input type=email name=loginfmt><input type=submit value=Next></form>",
            "<title>Connexion | Le Moulin</title><form><input type=email><input type=password></form>",
            "<title>Log In ‹ The Mill — WordPress</title><form><input name=log><input type=password></form>",
        ],
    );
    let form = "<title>The Mill</title><form><input name=u><input type=password></form>";
    assert_eq!(found(200, "https://mill.example/login?next=/rye", form), Some(Login));
    assert_eq!(found(200, "https://mill.example/", "<title>The Mill</title><form>No fields</form>"), None);
}

#[test]
fn parked_domains() {
    all_are(
        Parked,
        &[
            "<title>mill.example</title><script src=https://img.sedoparking.com/x.js></script>",
            "<title>mill.example is for sale | HugeDomains</title><a href=https://www.hugedomains.com/domain_profile.cfm?d=mill>Buy</a>",
            "<title>mill.example</title><h1>This domain is for sale</h1><p>Make an offer</p>",
            "<title>mill.example - This domain may be for sale!</title><p>Related searches</p>",
            "<title>mill.example steht zum Verkauf</title><h1>Diese Domain steht zum Verkauf</h1>",
            "<title>Domain geparkt</title><p>Hier entsteht eine neue Seite.</p>",
            "<html><head><script src='//www.google.com/adsense/domains/caf.js'></script></head><body><div id=ads></div></body></html>",
        ],
    );
}

#[test]
fn pages_that_are_not_there() {
    all_are(
        SoftNotFound,
        &[
            "<title>404</title><p>Nothing here.",
            "<title>Page not found | The Mill</title><h1>Oops! Page not found</h1><p>Try the search.</p>",
            "<title>The Mill</title><h1>404 – Not Found</h1><p>The page you asked for is not here.",
            "<title>The Mill</title><h1>Sorry, this page isn't available.</h1><p>The link may be broken.",
            "<title>The Mill</title><h1>Oops! That page can’t be found.</h1><p>Maybe try a search?</p>",
            "<title>Seite nicht gefunden – Die Mühle</title><h1>Seite nicht gefunden</h1>",
            "<title>Erreur 404 : page introuvable</title><p>Retour à l'accueil",
            "<title>Página no encontrada</title><h1>Error 404</h1>",
            "<title>Страница не найдена</title><p>Ошибка 404</p>",
            "<title>页面不存在</title><p>返回首页</p>",
            "<title>ページが見つかりません | 水車</title><p>トップへ戻る</p>",
            "<title>الصفحة غير موجودة</title><p>العودة",
            "<title>Mill Shop</title><h1>Product no longer available</h1><p>Have a look at others.",
        ],
    );
    let long = format!(
        "<title>Page not found - The Mill</title><h1>Page not found</h1>{}",
        "<p>Ten most read stories of the week, one more.</p>".repeat(60)
    );
    assert_eq!(found(200, "https://mill.example/x", &long), Some(SoftNotFound));
}
