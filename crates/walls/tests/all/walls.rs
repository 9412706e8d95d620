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

/// As their pages are today, in short.
#[test]
fn further_challenges_of_providers() {
    all_are(
        Blocked,
        &[
            "<title>mill.example</title><script src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8'></script><div>Verifying</div>",
            "<title>Access denied | mill.example used Cloudflare to restrict access</title><span class=cf-error-code>1020</span><h1>Error</h1>",
            "<title>Nur einen Moment…</title><script>window._cf_chl_opt={}</script><p>mill.example muss überprüft werden.</p>",
            "<title>请稍候…</title><script>window._cf_chl_opt={}</script><div class=main-wrapper></div>",
            "<html><body><script>var i=1;var j=i+Number('1'+'2');xhr.open('POST','/_sec/verify?provider=interstitial');</script><noscript>x</noscript></body></html>",
            "<html><head><meta http-equiv=refresh content=\"5; URL='/?bm-verify=AAQ'\"></head><body></body></html>",
            "<title>Challenge Validation</title><div id=sec-text-container>One moment</div><div id=sec-if-cpt></div>",
            "<html><head><title>mill.example</title></head><body><p id=cmsg>Please enable JS</p><script data-cfasync=false>var dd = {'rt':'i','cid':'A'}</script></body></html>",
            "<html><head><script>window._pxVid='1';window._pxHostUrl='/X/xhr';window._pxJsClientSrc='/X/init.js'</script></head><body></body></html>",
            "<html><body><iframe id=main-iframe src='/_Incapsula_Resource?SWUDNSAI=31&xinfo=5-1'></iframe></body></html>",
            "<title>Pardon Our Interruption</title><div id=interstitial-inprogress></div><script>function onProtectionInitialized(p){}</script>",
            "<html><head><script>AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh().then(0)</script></head><body><div id=challenge-container></div></body></html>",
            "<html><body><script>window.KPSDK={};KPSDK.now=0;KPSDK.start=KPSDK.now()</script><script src='/149e9513-01fa-4fb0-aad4-566afd725d1b/x/ips.js?a=1'></script></body></html>",
            "<html><head><noscript>Please enable JavaScript to view the page content.<br>Your support ID is: 9.</noscript><script>window['bobcmn']='1'</script></head><body></body></html>",
            "<html><body><script src=/__qrator/qauth_utm_v2.js></script></body></html>",
            "<title>Access</title><script src=/.well-known/ddos-guard/js-challenge/index.js></script><div id=ddg-l10n-title></div>",
            "<html><body onload=challenge()><script src='/sbbi/?sbbpg=sbbShell&gprid=1'></script></body></html>",
            "<title>Radware Bot Manager Captcha</title><p>We apologize for the inconvenience</p>",
            "<title>滑动验证页面</title><div id=nc></div><script>var requestInfo={refer:''}</script>",
            "<title>405</title><p>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</p>",
            "<title>Amazon</title><form action=/errors/validateCaptcha><h4>Enter the characters you see below</h4></form>",
            "<title>Reddit - Please wait for verification</title><p>Loading</p>",
            "<title>Blocked</title><p>You've been blocked by network security. To continue, log in to your account.</p>",
            "<title>Mill</title><p>Please verify you are a human</p><div id=arkose><script src=https://client-api.arkoselabs.com/v2/x/api.js></script></div>",
            "<title>Oops</title><h1>Checking the site connection security</h1>",
            "<title>しばらくお待ちください...</title><script>window._cf_chl_opt={}</script><p>接続</p>",
            "<title>Por favor</title><p>Para continuar, confirma que eres humano.</p>",
        ],
    );
}

#[test]
fn further_questions_for_consent_and_parked_domains() {
    all_are(
        Blocked,
        &[
            "<title>Before you continue to YouTube</title><h1>Before you continue to YouTube</h1><p>We use cookies and data to measure audience and for advertising.</p><button>Reject all</button><button>Accept all</button>",
            "<title>Yahoo is part of the Yahoo family of brands</title><h1>Yahoo is part of the Yahoo family of brands</h1><p>We and our partners store cookies for personalised ads.</p><button>Accept all</button>",
            "<title>DPG Media Privacy Gate</title><h1>DPG Media Privacy Gate</h1><p>Wij en onze partners gebruiken cookies voor advertenties, met jouw toestemming.</p><button>Akkoord</button>",
            "<title>Zeitung</title><h1>Cookies zustimmen</h1><p>Mit Ihrer Einwilligung nutzen wir Cookies für Werbung.</p><button>Zustimmen und weiter</button><a>Abo</a>",
            "<title>Gazeta</title><h1>Szanujemy Twoją prywatność</h1><p>Za twoją zgodą my i partnerzy używamy plików cookie do reklam.</p><button>Przejdź do serwisu</button>",
        ],
    );
    all_are(
        Parked,
        &[
            "<html><head><script>window.onload=function(){window.location.href=\"/lander\"}</script></head><body></body></html>",
            "<html><body><div id=target></div><script>window.park = \"eyJ1dWlkIjoi\";</script></body></html>",
            "<title>mill.example</title><script src=https://d38psrni17bvxu.cloudfront.net/scripts/js3.js></script>",
            "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed.</p>",
            "<title>Looks like this domain isn't connected to a website yet</title><p>Is this your domain?</p>",
            "<title>mill.example</title><h1>Ce nom de domaine est à vendre</h1>",
        ],
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
fn faults_of_the_server_that_come_as_success_and_pages_about_them() {
    all_are(
        Blocked,
        &[
            "<title>502 Bad Gateway</title><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>",
            "<title>Mill</title><h1>Internal Server Error</h1><p>The server has met a fault of its own. Write to the miller.</p>",
            "<title>Database Error</title><h1>Error establishing a database connection</h1>",
            "<title>The mill | Under maintenance</title><h1>We'll be right back</h1><p>The stones are dressed.</p>",
        ],
    );
    let about =
        "A proxy says so where the server behind it gives no answer that it can read. Look at the logs of both. "
            .repeat(9);
    let page = format!("<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><p>{about}</p>");
    assert_eq!(found(200, "https://mill.example/help/502", &page), None);
}

#[test]
fn faults_that_are_all_that_comes() {
    all_are(
        Blocked,
        &[
            "Internal Server Error",
            "Service Unavailable",
            "Too many connections",
            "Error establishing a database connection",
            "<html><body>Access denied</body></html>",
            "Bad Request",
            "Rate limit exceeded. Please slow down.",
            "<title>Not available</title><h1>This content is not available in your region</h1><p>Our website is closed to readers of some countries.</p>",
            "null",
            "{\"error\":\"internal\"}",
            "{ \"status\": 500, \"message\": \"try later\" }",
            "[]",
            "Warning: mysqli_connect(): (HY000/2002): Connection refused in /srv/mill/config.php on line 12\nCould not connect to the database.",
            "<title>OperationalError at /rye</title><h1>OperationalError at /rye</h1><pre>could not connect to server</pre><p>Request Method: GET</p>",
            "<title>We're sorry, but something went wrong (500)</title><h1>We're sorry, but something went wrong.</h1><p>If you are the application owner check the logs for more information.</p>",
        ],
    );
    all_are(SoftNotFound, &["Not Found", "<html><body>Page not found</body></html>"]);
    all_are(Parked, &["<html><body><h1>It works!</h1></body></html>"]);
}

#[test]
fn last_words_of_programs_and_pages_about_them() {
    let page = |text: &str| {
        format!(
            "<title>Opening hours</title><header><a href=/>The mill</a> <a href=/hours>Hours</a></header>\
             <main><h1>Opening hours</h1>{text}</main><footer>The mill, by the river since 1740</footer>"
        )
    };
    let php = "<br><b>Fatal error</b>:  Uncaught Error: Call to undefined function hours() in /srv/mill/hours.php:7\
               <br>Stack trace:<br>#0 {main} thrown in <b>/srv/mill/hours.php</b> on line <b>7</b><br>";
    let java =
        "<pre>java.lang.NullPointerException\n at mill.Hours.show(Hours.java:7)\n at mill.Main.run(Main.java:12)</pre>";
    let sql = "<p>You have an error in your SQL syntax; check the manual for the right syntax to use near 'mill' at line 1</p>";
    all_are(Wall::Blocked, &[&page(php), &page(java), &page(sql), php]);
    let told = "<p>The miller is there from eight to noon, on Fridays until five, and whoever brings grain later leaves it in \
                the yard, under the roof, with a name on each sack, so that it is ground on the next morning.</p>";
    for fine in [page(&format!("{told}{php}")), page(&format!("<p>How do I get rid of this? {sql}{told}"))] {
        assert_eq!(found(200, "http://a.test/hours", &fine), None, "{fine}");
    }
}

#[test]
fn questions_for_an_age() {
    let gate = |title: &str| {
        format!(
            "<title>{title}</title><h1>{title}</h1><p>You must be of age to enter.</p><button>Yes</button><button>No</button>"
        )
    };
    all_are(
        Wall::Blocked,
        &[&gate("Are you over 18?"), &gate("Age verification"), &gate("Altersprüfung | Die Brauerei")],
    );
    assert_eq!(found(200, "http://a.test/", &gate("Rye beer")), None);
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

#[test]
fn missing_pages_with_much_beside_them() {
    let sorry = "We are sorry, but there is nothing at this address. It may have been moved or deleted, or you may have mistyped it. \
        Please use the search above, or go on from the start page of the mill.";
    let teaser = "<li><a href=/s><p>The miller of the valley has bought a new wheel of oak, and the whole village came to see how it \
        was lifted into its place by four horses and a crane from the harbour</p></a></li>";
    let about = "<footer><p>The mill has stood by the river since 1740. It grinds rye, wheat and oats for bakers of the valley, and \
        everybody who comes by on a Saturday may look at its stones and its wheel</p></footer>";
    let cookies = "<p>We and our partners use cookies to make this site better for you and to show advertising that you may like. You may \
        refuse them, or choose which of them we may set, at any time in the settings.</p>";
    let page = format!(
        "<title>Page not found | The Mill</title><h1>Page not found</h1><p>{sorry}</p><ul>{}</ul>{about}{cookies}",
        teaser.repeat(8)
    );
    all_are(SoftNotFound, &[&page]);
}

#[test]
fn sites_that_are_closed_for_a_while() {
    let page = |title: &str, text: &str| format!("<title>{title}</title><h1>{title}</h1><p>{text}</p>");
    for (title, text) in [
        ("Account Suspended", "This Account has been suspended. Contact your hosting provider for more information."),
        ("Wartungsarbeiten", "Unsere Website wird gerade gewartet. Bitte versuchen Sie es später noch einmal."),
        ("Site en maintenance", "Nous revenons dans quelques instants."),
        ("We will be back soon", "The site is down for maintenance. Please try again later."),
        ("Le Moulin | Bientôt disponible", "Merci de votre patience."),
        ("Coming soon", "We are working on something new."),
        ("Sitio en construcción", ""),
        ("Сайт на обслуживании", "Зайдите позже."),
        ("网站维护中", "请稍后再试"),
        ("Maintenance", "We are down for maintenance. Please come back later."),
        ("The mill shop", "Our site is under maintenance! Thank you for your patience."),
    ] {
        all_are(Blocked, &[&page(title, text)]);
    }
    let films = "<li><a href=/f>The miller of the valley, a film about flour</a></li>".repeat(6);
    let text = "In the ninth week the miller wrote that they would be back, and sang. ".repeat(8);
    for fine in [
        page("Coming soon", &films),
        page("We will be back soon: songs of farewell", &text),
        page("The mill", "We are down for maintenance of the wheel until May."),
        page("Maintenance", "We grease and balance your mill each spring, and come to you. Call us."),
    ] {
        assert_eq!(found(200, "https://mill.example/", &fine), None, "{fine}");
    }
}

#[test]
fn pages_that_say_in_one_sentence_what_they_are() {
    let page = |title: &str, text: &str| format!("<title>{title}</title><h1>{title}</h1><p>{text}</p>");
    let form = "<form method=post><input name=name><input type=password name=word><button>Go</button></form>";
    for (wall, title, text) in [
        (Blocked, "Maintenance", "Briefly unavailable for scheduled maintenance. Check back in a minute."),
        (Blocked, "Information", "Sorry but this board is currently unavailable."),
        (Blocked, "Error", "The website encountered an unexpected error. Please try again later."),
        (Blocked, "Informacja", "Przepraszamy, strona jest tymczasowo niedostępna."),
        (SoftNotFound, "Oops!", "We can't seem to find the page you're looking for. Error code: 404"),
        (SoftNotFound, "Information", "The requested topic does not exist."),
        (SoftNotFound, "Das Mühlenforum", "Das angeforderte Thema existiert nicht."),
        (Parked, "Website Expired", "This account has expired. If you are the site owner, click below to login."),
        (Parked, "mill.example is for sale", "mill.example is for sale. Buy now for $2,395 or pay $99.79 per month."),
        (Login, "Session", &format!("Please log in again. {form}")),
        (Login, "Log in to the Wiki of the mill", form),
        (Login, "Members area", &format!("This content is for members only. {form}")),
        (Login, "Mitglieder", &format!("Bitte melden Sie sich an. {form}")),
        (Login, "Working...", "<form method=post action=/sso><input type=hidden name=\"SAMLRequest\" value=x></form>"),
    ] {
        all_are(wall, &[&page(title, text)]);
    }
    let shop = "<p>Stone-ground rye flour of this year, in bags of five kilograms.</p>".repeat(15);
    for fine in [
        page("Mill works", "The mill is closed for maintenance of its wheel until May."),
        page("Rye flour", &format!("{shop}<p>Please log in to see your price.</p>{form}")),
        page("The lost page", &format!("{shop}<p>The requested page does not exist, said the monk.</p>")),
    ] {
        assert_eq!(found(200, "https://mill.example/rye", &fine), None, "{fine}");
    }
}
