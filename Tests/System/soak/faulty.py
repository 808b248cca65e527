"""nginx as an origin over TLS that can fail in every way that promod distinguishes."""
import contextlib
import os
import signal

from support.claims import expect
from support.nginx import Nginx
from support.scratch import Scratch

# The fault, and the code with which a refresh fails. A redirect leads to the same path, so that a fetch that the end of the fault
# overtakes gets what it asked for.
REPLIES = {
    "404": ("return 404;", "not-found"), "500": ("return 500;", "unavailable"), "redirects": ("return 302 $uri;", "redirect"),
    "pause": ('add_header Retry-After 1 always; return 503;', "retry-after"), "plain": ("return 302 http://127.0.0.1/;", "redirect"),
}
FAULTS = [*REPLIES, "down", "silent", "untrusted", "content"]


class FaultyNginx(Nginx):
    """The origin, with one fault at a time."""

    def __init__(self, directory):
        super().__init__(Scratch(directory))

    def publish_steady(self, content):
        """Publishes a second catalog beside the first, and returns its address."""
        self.bench.file("www/steady.json", content)
        return self.url.replace("catalog.json", "steady.json")

    def publish_icons(self, pictures):
        """Publishes the pictures of apps, and returns the address below which they are."""
        os.makedirs(self.bench.file("www/icons"))
        for app, picture in pictures.items():
            self.bench.file(f"www/icons/{app}.png", picture)
        return self.url.replace("catalog.json", "icons")

    def expect_pauses(self, starts):
        """No request for the first catalog came within the second for which the one before it was told to stay away, unless promod started."""
        with open(self.bench.file("access.log"), encoding="utf-8") as file:
            lines = [line.split() for line in file if line.endswith("\n")]
        times = [(float(moment), status) for moment, path, status in lines if path == "/catalog.json"]
        for (paused, status), (moment, _) in zip(times, times[1:]):
            is_early = status == "503" and moment - paused < 0.99
            expect(not is_early or any(paused <= start <= moment for start in starts), f"{moment - paused:.2f} s after a Retry-After of 1 s came a request")
        return sum(status == "503" for _, status in times)

    @contextlib.contextmanager
    def failing(self, fault):
        """Fails in this way until the end of the block."""
        if fault == "down":
            super().stop()
        elif fault == "silent":
            self._signal(signal.SIGSTOP)
        elif fault == "untrusted":
            os.rename(self.certificate, self.certificate + ".away")
        else:
            self.bench.file(f"fault-{fault}", b"")
        try:
            yield
        finally:
            if fault == "down":
                super().start()
            elif fault == "silent":
                self._signal(signal.SIGCONT)
            elif fault == "untrusted":
                os.rename(self.certificate + ".away", self.certificate)
            else:
                os.unlink(self.bench.file(f"fault-{fault}"))

    def stop(self):
        if self.process:
            self._signal(signal.SIGCONT)
        super().stop()

    def _signal(self, number):
        """To the master and its worker."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            for pid in [self.process.pid, *map(int, file.read().split())]:
                os.kill(pid, number)

    def _configuration(self, key):
        faults = "".join(f"if (-f {self.bench.file(f'fault-{name}')}) {{ {action} }}\n" for name, (action, _) in REPLIES.items())
        log = f'log_format times "$msec $uri $status"; access_log {self.bench.file("access.log")} times;'
        whole = super()._configuration(key).replace("access_log off;", log)
        return whole.replace("ssl_certificate_key", f"location / {{ {faults} }}\nssl_certificate_key", 1)
