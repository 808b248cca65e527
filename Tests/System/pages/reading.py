"""What a page shows, as a browser has it, whatever the markup is."""
from dataclasses import dataclass

# The texts of the elements that hold nothing but text.
_LEAVES = "[...{0}.querySelectorAll('*')].filter(e => !e.childElementCount && e.textContent.trim())"
_ROWS = f"""[...document.querySelectorAll('li')].map(row => ({{
    texts: {_LEAVES.format('row')}.map(e => e.textContent),
    languages: {_LEAVES.format('row')}.map(e => e.closest('[lang]').lang),
    links: [...row.querySelectorAll('a')].map(e => e.getAttribute('href')),
    relations: [...row.querySelectorAll('a')].map(e => e.rel),
    alternatives: [...row.querySelectorAll('img')].map(e => e.getAttribute('alt')),
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
    alternatives: list
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


class Accessible:
    """The tree that assistive programs read."""

    def __init__(self, tab):
        nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
        self.nodes = {node["nodeId"]: node for node in nodes}
        self.root = nodes[0]

    def within(self, role, node=None):
        """The nodes of a role below a node, in order."""
        found = []
        for name in (node or self.root).get("childIds", []):
            child = self.nodes[name]
            found += [child] if not child["ignored"] and child["role"]["value"] == role else []
            found += self.within(role, child)
        return found

    @staticmethod
    def name(node):
        return node.get("name", {}).get("value", "")
