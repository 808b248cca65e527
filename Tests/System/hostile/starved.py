"""A promod whose user has as many processes as the user may have, so that the system grants it no thread."""
import json
import os
import resource
import time

from support.check import LeftOut
from support.claims import Failed
from support.daemon import GAP, Daemon
from support.wire import comes, connected, read_line
from .nobody import as_nobody

REFRESH = b'{"jsonrpc":"2.0","id":1,"method":"refresh"}\n'


def starved(binary):
    """Clients are answered, a fetch fails instead of promod, and what had to wait is done afterwards."""
    # There is no limit for root.
    if os.getuid() != 0:
        return _starve(binary)
    if reason := as_nobody(lambda: "" if os.access(binary, os.X_OK) else f"user {os.getuid()} may not execute {binary}"):
        raise LeftOut(reason)
    return as_nobody(lambda: _starve(binary))


def _starve(binary):
    daemon = Daemon(binary)
    try:
        daemon.configure(catalog__url="https://127.0.0.1:1/catalog.json", retry__base="1h", retry__cap="1h")
        daemon.start()
        answered = _without_any_thread(daemon)
        _with_few_threads(daemon)
        return f"{answered} replies meanwhile"
    finally:
        daemon.stop()


def _without_any_thread(daemon):
    """A client has promod begin something for which it needs a thread."""
    # Dispatch keeps threads for some seconds.
    if (sample := daemon.settled(lambda sample: sample.threads <= 2)).threads > 2:
        raise Failed(f"there are still {sample.threads} threads")
    _limit(daemon, 1)
    waiting, client = connected(daemon.socket), daemon.connect()
    waiting.sendall(REFRESH)
    if not comes(lambda: "refresh" in client.ask("status")["requests"]):
        raise Failed("a request for a refresh is not read")
    count = 1000
    for _ in range(count):
        client.ask("list")
    _limit(daemon, None)
    reply = json.loads(read_line(waiting))
    if "Connection refused" not in reply["result"]["error"]["message"]:
        raise Failed(f"when there are threads again, the refresh is answered {reply}")
    return count


def _with_few_threads(daemon):
    """There are so many threads left, none to a few: a fetch has enough, or it fails for want of them, or waits."""
    outcomes = set()
    for left in [*range(8)] * 2:
        # Without the process of an earlier fetch, and mostly while Dispatch still has threads.
        comes(lambda: not daemon.children)
        time.sleep(GAP)
        _limit(daemon, _processes() + left)
        client = connected(daemon.socket)
        # Without enough threads no reply comes, whose absence only time shows.
        client.settimeout(1)
        client.sendall(REFRESH)
        try:
            outcome = json.loads(read_line(client))["result"]["error"]["message"]
        except TimeoutError:
            outcome = None
        finally:
            _limit(daemon, None)
        client.close()
        if outcome and "cannot be started" not in outcome and "Connection refused" not in outcome:
            raise Failed(f"with {left} threads left, a refresh fails with {outcome}")
        outcomes.add(outcome)
        daemon.refresh()
    if len(outcomes - {None}) != 2:
        raise Failed(f"refreshes had only these outcomes: {outcomes}")


def _processes():
    """How many threads this user's processes have."""
    count = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return count


def _limit(daemon, processes):
    """Sets how many processes promod's user may have, as promod sees it; None for as many as it may."""
    most = resource.prlimit(daemon.pid, resource.RLIMIT_NPROC)[1]
    resource.prlimit(daemon.pid, resource.RLIMIT_NPROC, (most if processes is None else processes, most))
