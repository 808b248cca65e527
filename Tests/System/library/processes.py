"""What a process with the library costs."""
import contextlib
import os
import resource
import time

from support import pictures
from support.claims import expect
from support.running import wakings_of
from support.shop import check
from .probe import probe

CALLS = (
    "loadApps", "forceRefresh", "handleAppTap", "handleAppImpression", "icon", "recordLaunch", "isEligible", "requestReviewIfEligible",
    "show", "follow", "events", "plain")
# The threads of a process end five seconds after their last work, and some calls have a patience of two.
SETTLED, WATCHED = 8, 6  # seconds
SERVICES, DESCRIPTORS = 1000, 20


def idle(shop):
    """One process a call, all at the same time."""
    shop.publish([shop.app(0, "One", pictures.png()), shop.app(1, "Two")])
    shop.start()
    with contextlib.ExitStack() as stack:
        programs = {name: stack.enter_context(probe(shop, name)) for name in CALLS}
        for program in programs.values():
            program.expect("done")

        def counts():
            return {**{name: program.wakings for name, program in programs.items()}, "promod": wakings_of(shop.daemon.pid)}
        time.sleep(SETTLED)
        before = counts()
        time.sleep(WATCHED)
        found = {name: count - before[name] for name, count in counts().items()}
    # Each comes from another process, so a thread that ends late is no pattern; a timer would wake it as often as there are seconds.
    for name, count in found.items():
        shop.expect(count <= 1, f"{name} wakes {count} times in {WATCHED} s")
    return f"{sum(found.values())} times in all"


def alone(shop):
    """The same without promod, which is then started."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    with probe(shop, "follow") as program:
        program.expect("Something went wrong")
        # With pauses that grow twofold it has tried eight times by now, and waits for the socket to be made.
        time.sleep(SETTLED)
        before = program.wakings
        time.sleep(WATCHED)
        wakings = program.wakings - before
        expect(wakings <= 3, f"without promod, it wakes {wakings} times in {WATCHED} s")
        shop.start()
        began = time.monotonic()
        program.expect("Two")
        return f"{wakings} times; the list comes {time.monotonic() - began:.1f} s after promod"


def many(shop):
    """A thousand services in a process that may open twenty files."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    shop.start()
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))}
    with probe(shop, "services", str(SERVICES), **limit) as program:
        program.expect("all 2")
        shop.publish([shop.app(number, "Some") for number in range(5)])
        shop.daemon.refresh()
        program.expect("all 5")
        connections = shop.daemon.ask("status")["socket"]
        shop.expect_equal(connections["subscribers"], 1, "the number of subscribers")
        threads = max(_threads(program) for _ in range(30))
        shop.expect(threads < 20, f"it has {threads} threads")
        return f"{len(os.listdir(f'/proc/{program.process.pid}/fd'))} descriptors, {threads} threads"


def _threads(program):
    """How many there are; each call a moment later, until after the calls' patience has ended."""
    time.sleep(0.1)
    return len(os.listdir(f"/proc/{program.process.pid}/task"))


CHECKS = [
    check("idle", "after any of the library's calls, neither an idle process nor its promod is woken", idle),
    check("alone", "without promod, a process waits for it without polling, and has the list as soon as it is there", alone),
    check("many", f"{SERVICES} services of a process work with {DESCRIPTORS} descriptors, and share a connection for events", many),
]
