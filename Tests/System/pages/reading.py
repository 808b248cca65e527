"""What a page shows, as a browser has it, whatever the markup is."""
from dataclasses import dataclass

# The texts of the elements that hold nothing but text.
_LEAVES = "[...row.querySelectorAll('*')].filter(e => !e.childElementCount && e.textContent.trim())"
_ROWS = f"""[...document.querySelectorAll('li')].map(row => ({{
    texts: {_LEAVES}.map(e => e.textContent),
    languages: {_LEAVES}.map(e => e.closest('[lang]').lang),
    links: [...row.querySelectorAll('a')].map(e => e.getAttribute('href')),
    relations: [...row.querySelectorAll('a')].map(e => e.rel),
    pictures: [...row.querySelectorAll('img')].map(e => [e.complete, e.naturalWidth, e.naturalHeight]),
}}))"""
_OUTLINE = """[...document.querySelectorAll('*')].map(e => {
    const names = [];
    for (let up = e; up; up = up.parentElement) names.unshift(up.localName);
    return names.join(' ') + ' [' + e.getAttributeNames().sort().join(' ') + ']';
})"""


@dataclass
class Row:
    """An app on a page."""

    texts: list
    languages: list
    links: list
    relations: list
    pictures: list


def rows(tab):
    """The apps on the page, in its order."""
    return [Row(**row) for row in tab.evaluate(_ROWS)]


def outline(tab):
    """The path of each element of the page, with the names of its attributes."""
    return tab.evaluate(_OUTLINE)


def head(tab):
    """The language and the title of the page, and its headings."""
    language, title = tab.evaluate("[document.documentElement.lang, document.title]")
    return language, title, tab.texts("h1, h2, h3, h4, h5, h6")


def accessible(tab, role):
    """What assistive programs call the elements of a role."""
    root = tab.call("DOM.getDocument")["root"]["nodeId"]
    nodes = tab.call("Accessibility.queryAXTree", nodeId=root, role=role)["nodes"]
    return [node.get("name", {}).get("value", "") for node in nodes if not node["ignored"]]
