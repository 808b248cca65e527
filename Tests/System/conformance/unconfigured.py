"""promod-protocol(7) on a daemon for which no catalog is configured, and on one that serves the sample."""
import contextlib
import json
import os

from support.claims import expect
from support.daemon import Daemon
from support.wire import comes

THE = "promod-protocol(7)"
APP = {"app": "bookary"}
REFUSED = {"tap": (APP, "no-catalog"), "icon": (APP, "no-catalog"), "impression": ({"apps": ["bookary"]}, "no-catalog"),
           "refresh": ({}, "no-origin")}


def check(report, binary):
    """Runs all checks."""
    for claim, function in [
            ("without a catalog a list is empty, and says why", empty), ("the status has no catalog, and no problem", status),
            ("what needs a catalog is refused, with how to begin", refused)]:
        report.check(THE, claim, _with, binary, (), function)
    report.check(THE, "the sample says what it is in its list, its status and its events", _with, binary, ("--sample",), sample)
    report.check(THE, "the icons of the sample come without a network", _with, binary, ("--sample",), icons)


def _with(binary, arguments, body):
    daemon = Daemon(binary)
    daemon.is_sample = False
    daemon.arguments = arguments
    try:
        daemon.start()
        return body(daemon)
    finally:
        daemon.stop()


def empty(daemon):
    for params in {}, {"wait": True}, {"icons": True, "wait": True}, {"host": "bookary", "unlaunched": True}:
        result = daemon.ask("list", **params)
        expect(result == {
            "state": "empty", "source": "none", "generation": None, "fetchedAt": None, "expiresAt": None,
            "canRetry": False, "retryAt": None, "hostKnown": None, "language": "en", "apps": [], "emptyBecause": "not-configured"},
            f"the list is {result}")


def status(daemon):
    result = daemon.ask("status")
    expect(result["catalogs"] == [] and result["problems"] == [], f"the status is {result}")


def refused(daemon):
    for method, (params, reason) in REFUSED.items():
        failure = _failure(daemon, method, params)
        expect(failure["data"]["reason"] == reason, f"{method} is refused with {failure}")
        for part in "promoctl setup https://", "promoctl setup --sample":
            expect(part in failure["message"], f"{method} is refused with {failure}")



def sample(daemon):
    with contextlib.closing(daemon.connect()) as connection:
        connection.ask("subscribe", events=["tap", "impression"])
        for answer in daemon.ask("list"), daemon.catalog:
            expect(answer["source"] == "sample" and "emptyBecause" not in answer, f"the answer is {answer}")
        page = daemon.ask("tap", **APP)["storeURL"]
        expect(page == "https://example.com/?app=bookary", f"a tap leads to {page}")
        daemon.ask("impression", apps=["stedio"])
        events = []
        while len(events) < 2:
            events += [json.loads(line)["params"] for line in connection.read_lines()]
        kinds = [(event["event"], event.get("source")) for event in events]
        expect(kinds == [("tap", "sample"), ("impression", "sample")], f"the events are {events}")



def icons(daemon):
    paths = comes(lambda: None not in (found := [app["iconPath"] for app in daemon.ask("list", icons=True)["apps"]]) and found)
    expect(paths, "there are no files of icons")
    for path in paths:
        with open(path, "rb") as file:
            expect(file.read(8) == b"\x89PNG\r\n\x1a\n" and os.path.getsize(path) < 1024, f"{path} is no small PNG")
    expect(daemon.ask("icon", **APP)["mediaType"] == "image/png", "the icon is not sent")


def _failure(daemon, method, params):
    with contextlib.closing(daemon.connect()) as connection:
        connection.socket.sendall(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
        [line] = connection.read_lines()
    expect(b'"error"' in line, f"{method} is answered {line}")
    return json.loads(line)["error"]
