"""What must be true of first launches and grants, with rules by which an app gets one grant in the time of a test."""
import threading
from dataclasses import dataclass

from support.claims import expect

COMPLETIONS = 3


@dataclass
class Record:
    """What clients and the file have said of an app."""

    launched: str = None
    is_granted: bool = False


class Reviews:
    """All apps. A request is judged by what was said before it was sent."""

    def __init__(self):
        self.lock, self.apps, self.grants = threading.Lock(), {}, 0

    def known(self, app):
        """What was said of an app so far."""
        with self.lock:
            record = self.apps.get(app, Record())
            return Record(record.launched, record.is_granted)

    def judge(self, app, before, completed, result):
        """The result of a launch, a request or a question, and what was said before it was sent."""
        expect(result["app"] == app, f"the app is {result['app']}")
        with self.lock:
            record = self.apps.setdefault(app, Record())
            if "firstLaunch" in result:
                first = result["firstLaunch"]
                expect(record.launched in (None, first), f"the first launch was at {record.launched}, and is at {first}")
                expect(not (before.launched and result["recorded"]), "a launch is recorded again")
                record.launched = first
                return
            reasons = set(result["reasons"])
            expect(("too-few-completions" in reasons) == (completed < COMPLETIONS), f"after {completed} completions the reasons are {reasons}")
            expect(not before.launched or "never-launched" not in reasons, "a first launch is lost")
            expect(not before.is_granted or "too-soon-after-last-request" in reasons, "a grant is lost")
            expect(result.get("granted", result.get("eligible")) == (not reasons), "the verdict is not that of the reasons")
            if result.get("granted"):
                expect(not record.is_granted, "a grant is given twice")
                record.is_granted = True
                self.grants += 1

    def check_file(self, document):
        """Compares the history on disk, while promod does not run. A grant whose reply was lost may be there."""
        with self.lock:
            for app, entry in document["apps"].items():
                expect(len(entry["requests"]) <= 1, f"{app} was granted twice: {entry}")
                record = self.apps.setdefault(app, Record())
                expect(record.launched in (None, entry["firstLaunch"]), f"{app} was launched at {record.launched}: {entry}")
                expect(entry["requests"] or not record.is_granted, f"the grant of {app} is not on disk: {entry}")
                record.launched, record.is_granted = entry["firstLaunch"], bool(entry["requests"])
            lost = [app for app, record in self.apps.items() if app not in document["apps"] and (record.launched or record.is_granted)]
            expect(not lost, f"the history on disk lacks {lost[:5]}")
