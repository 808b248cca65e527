"""A well-behaved client beside hostile ones: a process of its own, whose replies must stay right, and whose waits are measured."""
import contextlib
import multiprocessing
import time
import traceback

from support.claims import Failed
from support.wire import PATIENCE, Connection


class Neighbour:
    """Asks for a list again and again from the beginning to the end of a block."""

    PAUSE = 0.001  # seconds between its requests

    def __init__(self, path, expected):
        # Forked, so that the other clients' Python does not delay it.
        context = multiprocessing.get_context("fork")
        self.pipe, end = context.Pipe()
        self.process = context.Process(target=self._live, args=[path, expected, end], daemon=True)

    def __enter__(self):
        self.process.start()
        if not self.pipe.poll(PATIENCE):
            raise Failed("a well-behaved client gets no reply")
        self.pipe.recv()
        return self

    def __exit__(self, *failure):
        # If something disturbed it, it has ended, and says why.
        with contextlib.suppress(BrokenPipeError):
            self.pipe.send("end")
        if not self.pipe.poll(PATIENCE):
            raise Failed("a well-behaved client gets no reply")
        waits, problem = self.pipe.recv()
        self.process.join()
        if problem:
            raise Failed(f"a well-behaved client was disturbed: {problem}")
        waits.sort()
        self.count, self.p99 = len(waits), waits[len(waits) * 99 // 100] * 1e3

    @classmethod
    def _live(cls, path, expected, pipe):
        waits, problem = [], None
        try:
            connection = Connection(path)
            while not (waits and pipe.poll()):
                begin = time.monotonic()
                result = connection.ask("list", limit=3)
                waits.append(time.monotonic() - begin)
                if len(waits) == 1:
                    pipe.send("connected")
                if result != expected:
                    raise Failed(f"a list was answered {str(result)[:1000]}")
                time.sleep(cls.PAUSE)
        except Exception:  # Whatever it is, the test has to know.
            problem = traceback.format_exc()
            if not waits:
                pipe.send("failed")
        pipe.send((waits, problem))
