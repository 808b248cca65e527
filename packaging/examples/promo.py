"""Asks promod from a Python program: put this file beside yours. promod-protocol(7) describes the methods and the events."""
import base64
import contextlib
import json
import math
import os
import random
import socket
import time

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5  # seconds between two connections


class PromoError(Exception):
    """promod cannot be reached or has refused a request. The text is a sentence, and `reason` is the one to test for."""

    def __init__(self, text, reason="unreachable"):
        super().__init__(text)
        self.reason = reason


class Promo:
    """The user's promod, for the app `host`. A call fails if promod is silent for `deadline` seconds."""

    def __init__(self, host, catalog=None, language=None, deadline=5):
        self.host, self.catalog, self.language, self.deadline = host, catalog, language, deadline
        runtime = os.environ.get("XDG_RUNTIME_DIR", "")
        runtime = runtime if runtime.startswith("/") else f"/run/user/{os.getuid()}"
        self.path = os.environ.get("PROMOD_SOCKET") or f"{runtime}/promod/promod.sock"

    def list(self, **options):
        return self.ask("list", host=self.host, language=self.language, **options)

    def tap(self, app):
        return self.ask("tap", app=app, host=self.host, language=self.language)

    def impression(self, *apps):
        return self.ask("impression", apps=apps, host=self.host)

    def launch(self):
        return self.ask("launch", app=self.host, catalog=None)  # The history of launches and reviews is by app alone.

    def request_review(self, completed, page=None):
        return self.ask("review-request", app=self.host, completed=completed, page=page, needsPage=True)

    def icon(self, row):
        """The picture of a row of `list(icons=True)`, or None; after the event "icons", ask for the list again."""
        with contextlib.suppress(OSError), open(row["iconPath"] or "", "rb") as file:
            return file.read()
        data = row["iconPath"] and self.ask("icon", app=row["id"], host=self.host)["data"]  # In a sandbox, the file is not there.
        return data and base64.b64decode(data)

    def ask(self, method, **parameters):
        with self._asked(method, parameters) as (result, _):
            return result

    def follow(self, *events):
        """Yields {"event": "subscribed"} for each connection, then its events, and {"event": "away"} before each pause; never ends.

        Each event comes once, unless promod ends or no longer has it. Ask for the list after each "subscribed", because it may
        have changed before.
        """
        position, pause = {}, 0
        while True:
            began = math.inf
            try:
                with self._asked("subscribe", {"events": events or None, "host": self.host, **position}) as (result, lines):
                    began = time.monotonic()
                    position = {"since": result["since"], "epoch": result["epoch"]}
                    yield {"event": "subscribed", **result}
                    for event in (line["params"] for line in lines):
                        position["since"] = event["seq"]
                        yield event
                    raise PromoError("promod has ended the connection.")
            except PromoError as error:
                # It grows unless the connection was of use. Chance keeps all clients from coming back at once.
                pause = min(2 * pause * (time.monotonic() - began < LONGEST_PAUSE), LONGEST_PAUSE) or FIRST_PAUSE
                wait = pause * random.uniform(0.5, 1)
                yield {"event": "away", "text": str(error), "pause": wait}
                time.sleep(wait)

    @contextlib.contextmanager
    def _asked(self, method, parameters):
        given = {name: value for name, value in {"catalog": self.catalog, **parameters}.items() if value is not None}
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(self.deadline)
                connection.connect(self.path)
                connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}).encode() + b"\n")
                lines = map(json.loads, connection.makefile("rb"))
                reply = next(lines, {"error": {"message": "promod has ended the connection.", "data": {"reason": "unreachable"}}})
                if "error" in reply:
                    raise PromoError(reply["error"]["message"], reply["error"]["data"]["reason"])
                connection.settimeout(None)  # Events may take days.
                yield reply["result"], lines
        except (OSError, ValueError) as error:  # A promod that is killed may leave half a line.
            raise PromoError(f"promod cannot be reached at {self.path} ({error.args[-1]}).") from error
