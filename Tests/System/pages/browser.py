"""Chromium without a window, driven by the DevTools protocol through its input and output."""
import json
import os
import select
import signal
import subprocess
import tempfile
import time

from support.claims import Failed
from support.files import read
from support.wire import PATIENCE

PROGRAM = "/usr/bin/chromium"
# Chromium reads commands from the descriptor 3, and writes answers and events to 4.
COMMAND = ["sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null >log 2>&1', "sh", PROGRAM]
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-component-update",
    "--disable-default-apps", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
    "--lang=en", "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"]


class Tab:
    """A tab of a Chromium of its own, and what has happened in it, from the beginning to the end of a block."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="promod-test-chromium-", ignore_cleanup_errors=True)
        home = self.profile.name
        self.process = subprocess.Popen(
            [*COMMAND, f"--user-data-dir={home}", *OPTIONS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=home,
            env={**os.environ, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}, start_new_session=True)
        self.session, self.last_id, self.unread, self.answers, self.events = None, 0, b"", {}, []
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log", "DOM", "CSS", "Accessibility":
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        return self

    def __exit__(self, *failure):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self.profile.cleanup()

    def call(self, method, **parameters):
        """The result of a command."""
        number = self._send(method, **parameters)
        self._receive_until(lambda: number in self.answers, f"does not answer {method}")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"Chromium refuses {method}: {answer['error']['message']}")
        return answer["result"]

    def _send(self, method, **parameters):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        return self.last_id

    def _receive_until(self, condition, complaint):
        """Takes answers and events until the condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            is_there = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]
            piece = os.read(self.process.stdout.fileno(), 1 << 20) if is_there else b""
            if not piece:
                raise Failed(f"Chromium {complaint}: {read(self.profile.name + '/log')[-1000:]}")
            *messages, self.unread = (self.unread + piece).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers[message["id"]] = message
                elif message.get("sessionId") == self.session:
                    self.events.append((message["method"], message["params"]))
                    if message["method"] == "Page.javascriptDialogOpening":
                        # A page with a dialog stands still.
                        self._send("Page.handleJavaScriptDialog", accept=False)

    def open(self, path):
        """Loads a file, and returns when all of it is there and drawn."""
        self.events.clear()
        loader = self.call("Page.navigate", url=f"file://{path}").get("loaderId")
        self._receive_until(
            lambda: any((event["name"], event["loaderId"]) == ("load", loader) for event in self.all("Page.lifecycleEvent")),
            f"does not load {path}")
        self.draw()

    def draw(self):
        """Returns when the page is drawn as it is now."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def all(self, method):
        """The parameters of all such events since the page began to load."""
        return [parameters for name, parameters in self.events if name == method]

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
        """The addresses that the page asked for, without the data in it and without what its policy refuses."""
        refused = {event["requestId"] for event in self.all("Network.loadingFailed") if event.get("blockedReason") == "csp"}
        sent = [event["request"]["url"] for event in self.all("Network.requestWillBeSent") if event["requestId"] not in refused]
        return [url for url in sent if not url.startswith("data:")]

    def resize(self, width, is_mobile):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=is_mobile)

    def prefer(self, scheme):
        """Has the person prefer light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


def in_tab(body):
    """The body of a check with a tab of its own, from one with a tab as its second argument."""
    def run(subject):
        with Tab() as tab:
            return body(subject, tab)
    return run
