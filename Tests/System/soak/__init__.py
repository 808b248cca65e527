"""Tests one promod for some minutes, with many clients at once, while everything changes and fails.

Clients send requests in all forms, right and wrong, and a subscriber follows all events, while catalogs are published, the configuration
changes, the origin fails, the disk is full or read-only, and promod is stopped and killed, all at random from a seed. No reply may be
wrong, no event missing, no grant lost or given twice. The second half is without a restart, and memory, descriptors and threads must not
grow in it.
"""
import traceback

from support.check import Check, Suite
from support.claims import Failed
from support.programs import missing
from .tests import crashes, everything
from .world import World


def _checks(arguments):
    def perform(binary, test, length):
        world = World(arguments.seed, binary)
        try:
            try:
                test(world, length)
            except Exception as error:  # Whatever it is, what clients saw is reported with it.
                world.fail("the test", ("", ""), error)
            return world.figures(), [_shown(world)] if world.failure else []
        finally:
            world.close()

    return [
        Check("everything", "every reply is right and every event comes once, whatever happens meanwhile",
              lambda binary: perform(binary, everything, arguments.minutes * 60), alone=True),
        Check("crashes", "no grant is lost or given twice, however often promod is killed",
              lambda binary: perform(binary, crashes, arguments.kills), alone=True),
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
    __doc__, _checks, obstacle=lambda: missing("openssl"), is_random=True, fast=("crashes",),
    options={
        "--minutes": {"metavar": "N", "type": float, "default": 2, "help": "how long everything lasts (2)"},
        "--kills": {"metavar": "N", "type": int, "default": 50, "help": "how often promod is killed (50)"}})
