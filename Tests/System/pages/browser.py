"""Chromium without a window, driven by the DevTools protocol through a pair of pipes."""
import base64
import collections
import contextlib
import fcntl
import json
import os
import shutil
import signal
import tempfile
import threading
import time

from support.claims import Failed
from support.wire import PATIENCE

PROGRAM = "/usr/bin/chromium"
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-component-update",
    "--disable-default-apps", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
    "--lang=en", "about:blank"]
# Where Chromium reads commands, and where it writes answers and events.
COMMANDS, ANSWERS = 3, 4
FIRST_FREE = 10


class Browser:
    """One Chromium with a profile of its own, from the beginning to the end of a block."""

    # The only one.
    it = None

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="promod-test-chromium-")
        self.last_id, self.lock, self.has_news = 0, threading.Lock(), threading.Condition()
        self.answers, self.tabs, self.is_over = {}, {}, False
        reads, self.commands = _pipe()
        self.replies, writes = _pipe()
        log = os.open(f"{self.profile}/log", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.pid = os.posix_spawn(
            PROGRAM, [PROGRAM, f"--user-data-dir={self.profile}", *self.options, *OPTIONS],
            {**os.environ, "HOME": self.profile, "TMPDIR": self.profile, "LANG": "C.UTF-8"}, setpgroup=0,
            file_actions=[(os.POSIX_SPAWN_DUP2, *pair) for pair in ((reads, COMMANDS), (writes, ANSWERS), (log, 1), (log, 2))])
        for descriptor in reads, writes, log:
            os.close(descriptor)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        Browser.it = self
        return self

    def __exit__(self, *failure):
        # It ends when nobody can command it any more. What is left of it must not keep the profile in use.
        os.close(self.commands)
        end = time.monotonic() + PATIENCE
        while os.waitpid(self.pid, os.WNOHANG) == (0, 0) and time.monotonic() < end:
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.listener.join(PATIENCE)
        os.close(self.replies)
        shutil.rmtree(self.profile, ignore_errors=True)

    @contextlib.contextmanager
    def tab(self):
        """A tab until the end of the block. It is not a private one, because these connect to fewer hosts."""
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        try:
            session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            tab = self.tabs[session] = Tab(self, session)
            tab.prepare()
            yield tab
        finally:
            self.call("Target.closeTarget", targetId=target)

    def call(self, method, session=None, **parameters):
        """The result of a command to the browser, or to the tab of a session."""
        number = self.send(method, session, **parameters)
        with self.has_news:
            if not self.has_news.wait_for(lambda: number in self.answers or self.is_over, PATIENCE) or number not in self.answers:
                raise Failed(f"Chromium does not answer {method}: {self._log}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"Chromium refuses {method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, method, session=None, **parameters):
        """Sends a command, and returns its number."""
        with self.lock:
            self.last_id += 1
            message = {"id": self.last_id, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
            _write(self.commands, json.dumps(message).encode() + b"\0")
            return self.last_id

    @property
    def _log(self):
        with open(f"{self.profile}/log", encoding="utf-8", errors="replace") as file:
            return file.read()[-1000:]

    def _listen(self):
        rest = b""
        while piece := os.read(self.replies, 1 << 20):
            *messages, rest = (rest + piece).split(b"\0")
            with self.has_news:
                for message in map(json.loads, messages):
                    self._receive(message)
                self.has_news.notify_all()
        with self.has_news:
            self.is_over = True
            self.has_news.notify_all()

    def _receive(self, message):
        session = message.get("sessionId")
        if "id" in message:
            self.answers[message["id"]] = message
        elif session in self.tabs:
            self.tabs[session].events.append((message["method"], message["params"]))
            if message["method"] == "Page.javascriptDialogOpening":
                # A page with a dialog stands still.
                self.send("Page.handleJavaScriptDialog", session, accept=False)


class Tab:
    """A tab, and what has happened in it."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.events = collections.deque()

    def prepare(self):
        for domain in "Page", "Runtime", "Network", "Log", "DOM", "CSS", "Accessibility":
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        # As if it were the only tab.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def load(self, address):
        """Loads an address, and returns when all of it is there and drawn."""
        self.events.clear()
        answer = self.call("Page.navigate", url=address)
        if error := answer.get("errorText"):
            raise Failed(f"Chromium does not load {address}: {error}")
        self.wait("Page.lifecycleEvent", lambda event: (event["name"], event["loaderId"]) == ("load", answer["loaderId"]))
        self.draw()

    def draw(self):
        """Returns when the page is drawn as it is now."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def open(self, path):
        """Loads a file."""
        self.load(f"file://{path}")

    def wait(self, method, condition=lambda parameters: True):
        """The parameters of an event for which the condition holds, which may have happened since the page began to load."""
        with self.browser.has_news:
            if not self.browser.has_news.wait_for(lambda: any(map(condition, self.all(method))), PATIENCE):
                raise Failed(f"Chromium does not report {method}, only {[name for name, _ in self.events]}")
            return next(filter(condition, self.all(method)))

    def all(self, method):
        """The parameters of all such events since the page began to load."""
        return [parameters for name, parameters in self.events.copy() if name == method]

    def evaluate(self, expression):
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if details := answer.get("exceptionDetails"):
            raise Failed(f"{expression[:200]} throws {details}")
        return answer["result"].get("value")

    def texts(self, selector):
        """What the elements of a selector show."""
        return self.evaluate(f"Array.from(document.querySelectorAll({json.dumps(selector)}), element => element.innerText)")

    @property
    def requests(self):
        """The addresses that the page asked for, without the data in it."""
        urls = [event["request"]["url"] for event in self.all("Network.requestWillBeSent")]
        return [url for url in urls if not url.startswith("data:")]

    def resize(self, width, height=800, is_mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_mobile)

    def prefer(self, scheme):
        """Has the person prefer light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        """Presses and releases a key."""
        for kind in "rawKeyDown", "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode={"Tab": 9, "Enter": 13}[key])

    def screenshot(self, path):
        """Saves a picture of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def in_tab(body):
    """The body of a check with a tab of its own, from one with a tab as its second argument."""
    def run(subject):
        with Browser.it.tab() as tab:
            return body(subject, tab)
    return run


def _pipe():
    """A pipe whose ends have numbers that are not those of Chromium's pipes."""
    ends = []
    for end in os.pipe():
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE))
        os.close(end)
    return ends


def _write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]
