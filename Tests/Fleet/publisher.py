"""The origin of a publisher, and the catalogs that it publishes."""
import json
import os
import random
import re
import time

from scripted import ScriptedOrigin

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BEGINNING = 1_700_000_000  # The modification time of the first catalog.
CATEGORIES = ["Books", "Education", "Finance", "Games", "Health", "Music", "News", "Photo", "Productivity", "Travel"]


class Publisher(ScriptedOrigin):
    """An origin that counts its requests, and can be slow, refuse, or send what confuses a cache."""

    address, names = "::", "DNS:origin.test"

    def __init__(self, directory):
        super().__init__(directory)
        self.recover()
        self._seen = 0
        self._published = 0

    def recover(self):
        """Makes it a good origin again."""
        self.script = None
        self.status = ""  # That of a failure.
        self.delay = 0
        self.has_tag = True
        self.is_cut_off = False  # Whether a body ends in the middle.
        self.extra = ""  # Further lines of the head.

    def publish(self, body):
        self.body = body
        self._published += 1

    @property
    def date(self):
        """When the catalog was published."""
        return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(BEGINNING + self._published))

    def new_requests(self):
        """The heads of the requests since the last call, in lower case, without the request line."""
        seen, self._seen = self._seen, len(self.requests)
        return [request.decode().partition("\r\n")[2].lower() for request in self.requests[seen:]]

    def reply_to(self, request):
        self.requests.append(request)
        time.sleep(self.delay)
        if self.status:
            return f"{self.status}\r\nContent-Length: 6\r\n{self.extra}".encode(), b"Sorry\n"
        tag = f'"v{self._published}"'
        head = f"Content-Type: application/json\r\nLast-Modified: {self.date}\r\n{self.extra}"
        head += f"ETag: {tag}\r\n" if self.has_tag else ""
        conditions = [f"If-None-Match: {tag}"] if self.has_tag else [f"If-Modified-Since: {self.date}"]
        if any(condition in request.decode() for condition in conditions):
            return f"304 Not Modified\r\n{head}".encode(), b""
        return f"200 OK\r\nContent-Length: {len(self.body)}\r\n{head}".encode(), self.body[:len(self.body) // 2 if self.is_cut_off else None]


def sample():
    """The bytes of the catalog that ships with promod."""
    with open(f"{ROOT}/Sources/PromoCore/Catalog/sample.json", "rb") as file:
        return file.read()


def portfolio(count):
    """The bytes of a catalog whose names and taglines are words of the READMEs, because invented ones would compress too well or too badly."""
    choice = random.Random(count)
    english, korean = _words("README.md", "[A-Za-z]{2,}"), _words("README.ko.md", "[가-힣]{2,}")
    return json.dumps({"apps": [_app(number, choice, english, korean) for number in range(count)]}, ensure_ascii=False, indent=2).encode()


def _app(number, choice, english, korean):
    name = " ".join(word.capitalize() for word in choice.sample(english, 2))
    first, second = number * 7 % (len(english) - 7), number * 5 % (len(korean) - 5)
    identifier = f"{name.replace(' ', '').lower()}-{number}"
    return {
        "id": identifier, "name": name, "appStoreID": str(choice.randrange(10**9, 10**10)),
        "iconURL": f"https://example.com/icons/{identifier}.png", "category": choice.choice(CATEGORIES),
        "tagline": {"en": " ".join(english[first:first + 7]), "ko": " ".join(korean[second:second + 5])},
    }


def _words(readme, form):
    with open(f"{ROOT}/{readme}", encoding="utf-8") as file:
        return re.findall(form, file.read())
