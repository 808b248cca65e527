"""How the page looks: on narrow and wide screens, in light and in dark."""
from support import pictures
from support.shop import check
from .browser import in_tab
from .contents import NAMES, TAGLINES

WIDTHS = 320, 360, 800, 1280
CONTRAST = 4.5
WORD = "Rindfleischetikettierung" * 13

# What sticks out of the screen, is cut off or squeezed, or lies over something else.
_MISPLACED = """(() => {
    const found = [], wide = document.documentElement.clientWidth, name = e => e.localName + ' ' + e.textContent.slice(0, 20);
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const e of document.querySelectorAll('body *')) {
        const box = e.getBoundingClientRect();
        if (box.left < 0 || box.right > wide + 0.5) found.push(`${name(e)} is between ${box.left} and ${box.right}`);
        if (e.clientWidth && e.scrollWidth > e.clientWidth + 1)
            found.push(`${name(e)} has ${e.scrollWidth} px in ${e.clientWidth}`);
    }
    for (const row of document.querySelectorAll('li')) {
        const leaves = [...row.querySelectorAll('*')]
            .filter(e => !e.childElementCount && (e.textContent.trim() || e.localName == 'img'));
        const [icon, ...texts] = leaves.map(e => e.getBoundingClientRect());
        if (Math.abs(icon.width - icon.height) > 0.5 || icon.width < 32) found.push(`an icon is ${icon.width} by ${icon.height}`);
        if (texts.some(box => box.left < icon.right && box.top < icon.bottom && box.bottom > icon.top))
            found.push(`${name(row)} is over its icon`);
        if (row.getBoundingClientRect().height < 44) found.push(`${name(row)} is too low for a finger`);
    }
    return found;
})()"""

# The contrast of each text with what is behind it, by the formula of WCAG 2.2.
_CONTRASTS = """(() => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const rgba = colour => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim();
        if (!text) continue;
        let behind = null, flaw = '';
        for (let e = walker.currentNode.parentElement; e; e = e.parentElement) {
            const style = getComputedStyle(e), colour = rgba(style.backgroundColor);
            if (style.opacity != 1 || style.visibility != 'visible' || style.filter != 'none') flaw = 'is not opaque';
            if (style.backgroundImage != 'none') flaw = 'is on a picture';
            if (!behind && colour[3]) behind = colour;
        }
        const colour = rgba(getComputedStyle(walker.currentNode.parentElement).color);
        if (!behind || behind[3] != 255 || colour[3] != 255) flaw = 'is transparent, or on nothing';
        const [low, high] = [light(colour), light(behind || [0, 0, 0])].sort((a, b) => a - b);
        found.push([text, flaw, (high + 0.05) / (low + 0.05), light(behind || [0, 0, 0])]);
    }
    return found;
})()"""


def widths(shop, tab):
    """Long words everywhere, with a picture and without, and short ones."""
    taglines = {language: f"{language} {WORD}" for language in ("en", "ko", "ja")}
    long = [
        shop.app(number, WORD[:300], picture, category=WORD, tagline=taglines)
        for number, picture in enumerate([pictures.png(), None])]
    short = [shop.app(10 + number, name, tagline=TAGLINES[number]) for number, name in enumerate(NAMES)]
    shop.publish(long + short)
    shop.start()
    path = shop.page("--language", "ko")
    for is_mobile in False, True:
        tab.resize(WIDTHS[0], is_mobile)
        tab.open(path)
        for width in WIDTHS:
            tab.resize(width, is_mobile)
            tab.draw()
            where = f"at {width} px{' on a phone' if is_mobile else ''}"
            shop.expect_equal(tab.evaluate("innerWidth"), width, f"{where}: the page is laid out for")
            misplaced = tab.evaluate(_MISPLACED)
            shop.expect(not misplaced, f"{where}: {len(misplaced)} flaws: {misplaced[:4]}")
    return f"at {', '.join(map(str, WIDTHS))} px"


def contrast(shop, tab):
    """Every text, on every tile, and also while a row is pointed at or has the focus."""
    shop.publish([shop.app(number, name) for number, name in enumerate("ABCDEFGHIJKLMNOPQRST")])
    shop.start()
    least = {}
    for scheme in "light", "dark":
        tab.prefer(scheme)
        tab.open(shop.page())
        root = tab.call("DOM.getDocument")["root"]["nodeId"]
        links = tab.call("DOM.querySelectorAll", nodeId=root, selector="a")["nodeIds"]
        for state in [], ["hover"], ["focus", "focus-visible"], ["active"]:
            for link in links:
                tab.call("CSS.forcePseudoState", nodeId=link, forcedPseudoClasses=state)
            measured = tab.evaluate(_CONTRASTS)
            shop.expect(len(measured) > len(links), f"there are only {len(measured)} texts")
            bad = [(text, flaw, round(ratio, 2)) for text, flaw, ratio, _ in measured if flaw or ratio < CONTRAST]
            shop.expect(not bad, f"in {scheme} {' '.join(state)} {len(bad)} of {len(measured)} texts are hard to read: {bad[:4]}")
            least[scheme] = min([least.get(scheme, 99), *(ratio for _, _, ratio, _ in measured)])
        behind = measured[0][3]
        shop.expect(behind > 0.5 if scheme == "light" else behind < 0.1, f"in {scheme} the background is {behind} bright")
    return ", ".join(f"at least {ratio:.1f} in {scheme}" for scheme, ratio in least.items())


CHECKS = [
    check("widths", f"nothing has to be scrolled sideways, is cut off or covered, from {WIDTHS[0]} px up, whatever the texts",
          in_tab(widths)),
    check("contrast", f"every text has a contrast of at least {CONTRAST}:1, in light and in dark", in_tab(contrast)),
]
