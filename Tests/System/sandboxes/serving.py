"""What a client in a sandbox can do, which is the same as outside."""
import json
import os

from support.cases import GOOD, NEW
from support.check import LeftOut
from support.claims import Failed
from support.network import is_online
from support.programs import missing
from support.wire import comes
from .stage import check

ELSEWHERE = "/run/host/promod"
# The parameters of the methods that need some.
PARAMETERS = {
    "tap": {"app": "app-1"}, "icon": {"app": "app-1"}, "impression": {"apps": ["app-1"]}, "launch": {"app": "app-1"},
    "review-eligible": {"app": "app-1", "completed": 9}, "review-request": {"app": "app-1", "completed": 9},
    "review-reset": {"app": "app-1"},
}


def promoctl(stage):
    """list, tap and events, inside and outside."""
    with stage.sandbox() as box, stage.following(box) as follower:
        code, output, errors = box.promoctl("list")
        names = [app["name"] for app in GOOD.apps.values()]
        stage.expect(code == 0 and all(name in output for name in names), f"promoctl list ends with {code}: {output}{errors}")
        stage.expect_service(box, "in a sandbox")
        stage.tap("outside")
        result = box.promoctl_json("tap", "app-2", "--host", "inside")
        # It depends on the network of promod; the sandbox has none.
        presentation = "store" if is_online() else "offline"
        stage.expect(result["presentation"] == presentation, f"promoctl tap says {result}")
        stage.expect_taps(follower, "outside", "inside")
        return f"{len(names)} apps, {result['presentation']}, {len(follower.events)} events"


def plain(stage):
    """Several lines, and a batch, from a program that knows nothing of promod."""
    requests = [
        {"method": "list", "limit": 1}, {"method": "status"}, {"method": "tap", "app": "nowhere"},
        [{"jsonrpc": "2.0", "id": n, "method": "list"} for n in range(3)]]
    with stage.sandbox() as box:
        replies = box.get("ask", stage.socket, "".join(json.dumps(request) + "\n" for request in requests)).splitlines()
    listing, status, tap, batch = (json.loads(reply) for reply in replies)
    stage.expect([app["id"] for app in listing["result"]["apps"]] == ["app-0"], f"list is answered {listing}")
    stage.expect(status["result"]["pid"] == stage.daemon.pid, f"status is answered {status}")
    stage.expect(tap["error"]["data"]["reason"] == "unknown-app", f"tap is answered {tap}")
    stage.expect([reply["id"] for reply in batch] == [0, 1, 2], f"the batch is answered {batch}")
    return f"{len(replies)} lines"


def netcat(stage):
    """The line of the documentation."""
    if reason := missing("nc.openbsd"):
        raise LeftOut(reason)
    with stage.sandbox() as box:
        line = "printf '{\"method\":\"status\"}' | nc.openbsd -NU $XDG_RUNTIME_DIR/promod/promod.sock"
        code, output, errors = box.get("run", "sh", "-c", line)
        if code != 0 or not output:
            raise Failed(f"nc ends with {code}: {output}{errors}")
        status = json.loads(output)["result"]
    stage.expect(status["pid"] == stage.daemon.pid, f"status is answered {status}")


def elsewhere(stage):
    """The way of containers."""
    path = f"{ELSEWHERE}/promod.sock"
    with stage.sandbox(target=ELSEWHERE, PROMOD_SOCKET=path, XDG_RUNTIME_DIR="") as box, stage.following(box) as follower:
        stage.expect_service(box, f"with PROMOD_SOCKET={path}", path)
        stage.expect(not box.get("files", stage.place), "the directory is at its own path, too")
        stage.tap("outside")
        stage.expect_taps(follower, "outside")


def default_path(stage):
    """Neither XDG_RUNTIME_DIR nor PROMOD_SOCKET is set."""
    place = f"/run/user/{os.getuid()}/promod"
    with stage.sandbox(target=place, XDG_RUNTIME_DIR="") as box:
        stage.expect_service(box, f"at {place}", f"{place}/promod.sock")


def every_method(stage):
    """All that rpc.discover lists."""
    with stage.sandbox() as box:
        names = [method["name"] for method in stage.ask(box, "rpc.discover")["result"]["methods"]]
        for name in names:
            reply = stage.ask(box, name, **PARAMETERS.get(name, {}))
            stage.expect("result" in reply, f"{name} is answered {reply}")
    return f"{len(names)} methods"


def changes(stage):
    """Whatever changes the state of promod takes effect."""
    with stage.sandbox() as box:
        stage.origin.body = NEW.bytes
        updated = comes(lambda: box.promoctl_json("refresh")["outcome"] == "updated")
        stage.expect(updated, "a refresh in the sandbox does not update the catalog")
        before = stage.origin.connections
        box.promoctl_json("clear", "--yes")
        stage.expect(comes(lambda: stage.origin.connections > before), "after a clear nothing is fetched")
        box.promoctl_json("launch", "fittoday")
        grant = box.promoctl_json("review", "request", "fittoday", "--completed", "0", "--page", "https://example.com/")
        stage.expect(grant["granted"], f"a review is not granted: {grant}")
        again = stage.daemon.ask("review-request", app="fittoday", completed=0)
        stage.expect(not again["granted"], f"a review is granted outside, too: {again}")
        stage.ask(box, "review-reset", app="fittoday")
        forgotten = stage.daemon.ask("review-request", app="fittoday", completed=0)
        stage.expect(forgotten["reasons"] == ["never-launched"], f"the history is not forgotten: {forgotten}")
        stage.daemon.configure(review__min_completions=5)
        box.promoctl_json("reload")
        reasons = stage.daemon.ask("review-eligible", app="fittoday", completed=0)["reasons"]
        stage.expect("too-few-completions" in reasons, f"after a reload the reasons are {reasons}")


CHECKS = [
    check("promoctl", "promoctl lists, taps and follows the events from within a sandbox", promoctl),
    check("plain-program", "a program that only knows the socket's path is answered", plain),
    check("netcat", "the documentation's line with nc works in a sandbox", netcat),
    check("mounted-elsewhere", "PROMOD_SOCKET names the socket where the directory is mounted elsewhere", elsewhere),
    check("default-path", "without any variable the socket is found in /run/user/UID", default_path),
    check("every-method", "a client in a sandbox may call every method, because it has the daemon's uid", every_method),
    check("changes", "refresh, clear, launch, review-request, review-reset and reload from a sandbox take effect", changes),
]
