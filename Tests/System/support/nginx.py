"""The origin of the catalogs."""
import os
import signal
import socket
import subprocess
import time

from .claims import Failed
from .wire import PATIENCE


class Nginx:
    """nginx as an HTTPS origin on a free port, with a self-signed certificate."""

    def __init__(self, bench):
        self.bench = bench
        self.certificate = bench.file("certificate.pem")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"https://127.0.0.1:{self.port}/catalog.json"
        os.makedirs(bench.file("www"), exist_ok=True)
        self.published = 0
        self.process = None

    def start(self):
        key = self.bench.file("key.pem")
        if not os.path.exists(self.certificate):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650",
                 "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
                check=True, capture_output=True)
        configuration = self.bench.file("nginx.conf", self._configuration(key).encode())
        self.process = subprocess.Popen(["nginx", "-p", self.bench.directory, "-c", configuration], stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed("nginx does not start")
            time.sleep(0.01)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()

    def publish(self, content):
        """Replaces the catalog atomically, with a new ETag."""
        path = self.bench.file("www/next", content)
        # nginx derives the ETag from the size and the modification time in seconds.
        self.published += 1
        os.utime(path, (self.published, self.published))
        os.rename(path, self.bench.file("www/catalog.json"))

    def _configuration(self, key):
        scratch = "".join(f"{kind}_temp_path {self.bench.file(kind)};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; worker_processes 1; pid {self.bench.file("nginx.pid")}; error_log {self.bench.file("error.log")};
            {"user root;" if os.getuid() == 0 else ""}
            events {{ worker_connections 128; }}
            http {{
                access_log off; {scratch}
                server {{
                    listen 127.0.0.1:{self.port} ssl;
                    ssl_certificate {self.certificate}; ssl_certificate_key {key};
                    root {self.bench.file("www")};
                }}
            }}
        """
