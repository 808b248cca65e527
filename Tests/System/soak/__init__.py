"""Tests one promod for some minutes, with all kinds of clients at once, and compares every reply with a model.

Clients send requests in all forms, right and wrong, and subscribers receive events, while catalogs are published, the configuration
changes, the origin fails, files are replaced and removed, the disk is full or read-only, the clock is set, and the daemon is stopped and
killed, all at random from a seed. No grant may be lost or given twice. The second half is without a restart, and at its end memory,
descriptors and threads must be as they were at its beginning.
"""
import traceback

from support.check import Check, Suite
from support.claims import Failed
from support.programs import missing
from .tests import Crashes, Soak
from .world import World


def _checks(arguments):
    def perform(binary, make):
        world = World(arguments.seed, binary)
        test = make(world)
        try:
            try:
                test.run()
            except Exception as error:  # Whatever it is, what clients saw is reported with it.
                world.fail("the test", ("", ""), error)
            world.is_over = True
            return test.figures(), [_shown(world)] if world.failure else []
        finally:
            world.close()
            test.close()

    return [
        Check("everything", "every reply is one that the model allows, whatever happens at once",
              lambda binary: perform(binary, lambda world: Soak(world, arguments.minutes * 60)), alone=True),
        Check("crashes", "no grant is lost or given twice, however often promod is killed",
              lambda binary: perform(binary, lambda world: Crashes(world, arguments.kills)), alone=True),
    ]


def _shown(world):
    """What went wrong, with the exchange."""
    name, (sent, came), error = world.failure
    lines = [f"with --seed {world.seed}: {name}: {error}"]
    if not isinstance(error, Failed):
        lines += traceback.format_exception(error)
    for label, content in ("sent", sent), ("came", came):
        if content:
            lines.append(f"  {label}: {content if isinstance(content, str) else content[:4000].decode(errors='backslashreplace')}")
    if (code := world.daemon.exit_code) is not None:
        lines.append(f"  promod has ended with {code}. The end of its log:\n{world.daemon.end_of_log}")
    return "\n".join(lines)


SUITE = Suite(
    __doc__, _checks, obstacle=lambda: missing("nginx", "openssl", "gcc"), longest=24 * 3600, is_random=True, fast=("crashes",),
    options={
        "--minutes": {"metavar": "N", "type": float, "default": 2, "help": "how long everything lasts (2)"},
        "--kills": {"metavar": "N", "type": int, "default": 50, "help": "how often promod is killed (50)"}})
