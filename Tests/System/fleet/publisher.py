"""The origin of a publisher, and the catalogs that it publishes."""
import json
import os
import random
import re
import ssl
import time

from support.scripted import ScriptedOrigin

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BEGINNING = 1_700_000_000  # The modification time of the first catalog.
CATEGORIES = ["Books", "Education", "Finance", "Games", "Health", "Music", "News", "Photo", "Productivity", "Travel"]


class Publisher(ScriptedOrigin):
    """An origin that counts its requests, and can be slow, refuse, or send what confuses a cache.

    Like some origins, it refuses clients that do not name it in the handshake or that speak HTTP/1.0, and it has two intermediates.
    """

    address, name = "::", "origin.test"

    def __init__(self, directory, authority, net):
        with net.from_far():
            super().__init__(directory)
        self.net = net
        self.good = self.context
        chain = authority.certify(self.name, intermediates=2)
        self.good.load_cert_chain(chain.certificates, chain.key)
        self.good.sni_callback = self._expect_name
        self.is_open = False
        self.recover()
        self._seen = 0
        self._published = 0

    def open(self):
        with self.net.from_far():
            super().open()
        self.is_open = True

    def close(self):
        if self.is_open:
            super().close()
        self.is_open = False

    def recover(self):
        """Makes it a good origin again."""
        if not self.is_open:
            self.open()
        self.script = None
        self.context = self.good
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
        if b" HTTP/1.1\r\n" not in request:
            return b"426 Upgrade Required\r\nContent-Length: 0\r\n", b""
        if self.status:
            return f"{self.status}\r\nContent-Length: 6\r\n{self.extra}".encode(), b"Sorry\n"
        tag = f'"v{self._published}"'
        head = f"Content-Type: application/json\r\nLast-Modified: {self.date}\r\n{self.extra}"
        head += f"ETag: {tag}\r\n" if self.has_tag else ""
        conditions = [f"If-None-Match: {tag}"] if self.has_tag else [f"If-Modified-Since: {self.date}"]
        if any(condition in request.decode() for condition in conditions):
            return f"304 Not Modified\r\n{head}".encode(), b""
        sent = self.body[:len(self.body) // 2] if self.is_cut_off else self.body
        return f"200 OK\r\nContent-Length: {len(self.body)}\r\n{head}".encode(), sent

    def _expect_name(self, _connection, name, _context):
        return None if name == self.name else ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME


def sample():
    """The bytes of the catalog that ships with promod."""
    with open(f"{ROOT}/Sources/PromoCore/Catalog/sample.json", "rb") as file:
        return file.read()


def portfolio(count):
    """The bytes of a catalog with words of the READMEs, because invented ones would compress too well or too badly."""
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
