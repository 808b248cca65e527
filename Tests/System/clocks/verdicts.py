"""Reviews whose times were recorded while the clock was ahead, and reviews while the clock is set."""
import json
import time

from support import chance
from support.clock import Clock
from support.reviews import Operation, Reviews
from support.times import DAY, TOLERANCE, Timeline, seconds, written
from .scene import DECADE, SOON, check

POLICY = {"completions": 3, "days_launch": 7, "days_request": 30, "per_year": 3}
APP = "fittoday"
STEPS = 100


def walk(scene):
    """Random requests about some apps, whose replies are compared with a model, while the clock is set and promod starts again."""
    scene.start()
    settings, rng, count = Timeline(), chance.choices("walk"), 0
    settings.begin(POLICY, time.time())
    reviews = Reviews(scene.clock, settings)
    offsets = (*Clock.OFFSETS, 280, -280, 320, -320, DECADE, -DECADE)
    for number in range(STEPS):
        if number % 10 == 9:
            scene.restart(rng.choice(offsets))
        else:
            scene.clock.step(rng.choice(offsets))
        for _ in range(4):
            operation = Operation(
                rng.choice(["launch", "review-eligible", "review-request"]), f"app-{rng.randrange(4)}", rng.choice([2, 3, 9]))
            reviews.send(operation)
            completed = {} if operation.method == "launch" else {"completed": operation.completed}
            reviews.answered(operation, scene.daemon.ask(operation.method, app=operation.app, **completed))
            count += 1
    scene.stop()
    reviews.check_file(json.loads(scene.daemon.files["reviews.json"]))
    return f"{count} replies and the history are right, {reviews.grants} grants, {STEPS} steps"


def ahead(offset, is_granted):
    """A first launch or a grant is recorded while the clock is ahead by so much, and then the clock is set right."""
    def body(scene):
        launched, recorded, wait = record_ahead(scene, offset, is_granted)
        is_believed = offset <= TOLERANCE
        before = int(scene.clock.now())
        end = (recorded if is_believed else scene.clock.now()) + wait
        refused(scene, is_granted, end, "when the clock is right")
        scene.restart()
        refused(scene, is_granted, end, "after a restart")
        result = scene.daemon.ask("launch", app=APP)
        first = seconds(result["firstLaunch"])
        right = first == launched if is_granted or is_believed else before <= first <= scene.clock.now()
        scene.expect(right and not result["recorded"], f"then a launch is answered {result}")
        scene.clock.step(wait - 10)
        refused(scene, is_granted, end, "just before the end of the wait")
        scene.clock.step(wait + TOLERANCE + 10)
        result = request(scene)
        scene.expect(result["granted"], f"after the wait it is refused because of {result['reasons']}")
        scene.clock.step(-DECADE)
        scene.expect(not request(scene)["granted"], "another is granted when the clock is set back")
        return f"granted {wait / DAY:.0f} days later"
    return body


def wait_ends(is_granted):
    """A client asks each day, but never launches again."""
    def body(scene):
        *_, wait = record_ahead(scene, DECADE, is_granted)
        days = wait // DAY + 1
        for day in range(days + 1):
            scene.clock.step(day * DAY)
            result = request(scene)
            if result["granted"]:
                return f"granted after {day} days"
        scene.expect(False, f"after {days} days it is refused until {result['eligibleAt']}, because of {result['reasons']}")
    return body


def record_ahead(scene, offset, is_granted):
    """Records a first launch or a grant while the clock is ahead, and sets it right.

    Returns the times of the launch and of what was recorded, and the length of the wait that follows.
    """
    scene.clock.set(-40 * DAY if is_granted else offset)
    scene.start()
    launched = recorded = seconds(scene.daemon.ask("launch", app=APP)["firstLaunch"])
    if is_granted:
        scene.clock.step(offset)
        recorded = scene.clock.now()
        scene.expect(request(scene)["granted"], "the first request is refused")
    scene.clock.step(0)
    return launched, recorded, (30 if is_granted else 7) * DAY


def request(scene):
    return scene.daemon.ask("review-request", app=APP, completed=9)


def refused(scene, is_granted, end, when):
    """Neither method allows a review before that time."""
    reason = "too-soon-after-last-request" if is_granted else "too-soon-after-first-launch"
    for result in request(scene), scene.daemon.ask("review-eligible", app=APP, completed=9):
        scene.expect(result["reasons"] == [reason], f"{when} the reasons are {result['reasons']}")
        scene.expect(abs(seconds(result["eligibleAt"]) - end) <= SOON, f"{when} it is {result}, not eligible at {written(int(end))}")


KINDS = {"launched": False, "granted": True}
CHECKS = [
    check("reviews-walk", "all replies and the history are those of the model, however the clock is set", walk),
    *(check(f"{kind}-ahead-{name}", "a time up to 5 minutes ahead is believed, and a later one counts as now", ahead(offset, is_granted))
      for kind, is_granted in KINDS.items() for name, offset in {"4-minutes": 240, "6-minutes": 360, "day": DAY, "decade": DECADE}.items()),
    *(check(f"wait-ends-{kind}", "the wait for a time in the future ends for a client that asks for a review each day",
            wait_ends(is_granted)) for kind, is_granted in KINDS.items()),
]
