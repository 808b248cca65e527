"""What every example does: it lists, follows, waits, and goes on."""
import re
import time

from support.claims import expect
from support.network import is_online
from support.shop import check
from support.wire import comes
from .doors import Door, cut_off, hang_up, relay, say_nothing
from .programs import ALL, HOST

AGAIN = "Trying again"
# Text that would change the terminal, the line and its direction, or be taken for markup.
EVIL = "Evil\u001b[31m\u202e\u0007\u0085\nname <b>&amp;</b>\u0000"
JOINED = "نیم\u200cفاصله 👨\u200d👩\u200d👧"  # with joiners, which are no control characters
LONG = "긴 소개 and a long one 🍅 " * 40
ROOM = 5  # connections
SUBSCRIPTIONS = 256  # as many as promod takes
PATIENT = 15  # seconds in which an example has to say that promod is silent
SETTLED, WATCHED = 2, 4  # seconds
FEW = 4  # wake-ups in that time
# How many connections there are in that time: with pauses of 0.1 s, and twice as long each time, or half of that by chance.
CONNECTIONS = range(3, 11)


def lists(example, shop):
    """Texts of all kinds."""
    shop.publish([shop.app(0, "One"), shop.app(1, EVIL, tagline={"en": LONG}), shop.app(2, JOINED)])
    shop.start()
    with example.run(shop) as program:
        for text in "One", ascii(JOINED)[1:-1] if example.name == "promo" else JOINED:
            program.expect(text)
        found = program.output
    if example.name == "promo":  # It only passes on what promod says.
        return
    expect(not re.search(r"[^\n\u0020-\u007e\u00a0-\u2027\u202f-\U0010ffff]", found), f"it writes control characters: {found!r}")
    shop.expect("name <b>&amp;</b>" in found, f"it does not write the markup of a name as it is: {found!r}")
    if not example.draws:
        longest = max(map(_width, found.splitlines()))
        shop.expect(70 < longest <= 80, f"its longest line has {longest} columns")


def changes(example, shop):
    """A rule that leaves out an app, and two publications while it runs."""
    shop.publish([shop.app(0, "Before"), shop.app(1, "Not for this host")], rules={HOST: ["app-0"]})
    shop.start()
    with example.run(shop) as program:
        program.expect("Before")
        for name in "Between", "After":
            shop.publish([shop.app(0, name)])
            shop.daemon.refresh()
            program.expect(name)
        shop.expect("Not for this host" not in program.output, "it lists an app that its host may not promote")


def restarts(example, shop):
    """promod is killed and started with another catalog, twice."""
    shop.publish([shop.app(0, "Before")])
    shop.start()
    with example.run(shop) as program:
        program.expect("Before")
        for name in "Between", "After":
            count = program.output.count(AGAIN)
            _kill(shop)
            program.expect(AGAIN, count + 1)
            shop.publish([shop.app(0, name)])
            shop.start()
            shop.daemon.refresh()
            program.expect(name)


def waits(example, shop):
    """It is there before promod."""
    shop.publish([shop.app(0, "There")])
    with example.run(shop) as program:
        program.expect(AGAIN)
        shop.expect(shop.daemon.socket in program.output, f"it does not say where promod should be: {program.output}")
        shop.start()
        program.expect("There")


def resumes(example, shop):
    """Taps while it has no connection, of the same promod, and of the next one. Each next connection ends before they come."""
    shop.publish([shop.app(number, f"App {number}") for number in range(5)])
    shop.start()
    path = f"{shop.directory}/door.sock"
    with Door(path, relay(shop.daemon.socket)) as door, example.run(shop, path) as program:
        def tap(number):
            shop.daemon.ask("tap", app=f"app-{number}", host=HOST)
        program.expect("App 4")
        shop.daemon.ask("tap", app="app-4", host="other")
        tap(0)
        program.expect("app-0 was tapped")
        door.shut()
        program.expect(AGAIN)
        tap(1)
        door.receive = cut_off(shop.daemon.socket)
        door.open()
        program.expect("app-1 was tapped")
        door.shut()
        program.expect(AGAIN, 3)
        _kill(shop)
        shop.start()
        tap(2)
        tap(3)
        door.receive = cut_off(shop.daemon.socket)
        door.open()
        program.expect("app-3 was tapped")
        tap(4)
        program.expect("app-4 was tapped")
        for number in range(5):
            shop.expect_equal(program.output.count(f"app-{number} was tapped"), 1, f"the number of taps of app-{number}")


def busy(example, shop):
    """There are as many connections as promod takes, and then as many subscribers."""
    shop.publish([shop.app(0, "There")])
    shop.daemon.configure(socket__max_connections=SUBSCRIPTIONS + ROOM)
    shop.start()
    others = [shop.daemon.connect() for _ in range(SUBSCRIPTIONS + ROOM)]
    for other in others[:SUBSCRIPTIONS]:
        other.ask("subscribe")
    with example.run(shop) as program:
        program.expect(AGAIN)
        for other in others[SUBSCRIPTIONS:]:
            other.close()
        program.expect("subscriptions")
        shop.expect("There" not in program.output, "it lists the apps before it has subscribed")
        others[0].close()
        program.expect("There")


def taps(example, shop):
    """Ids on the standard input, of an app, of none, and without promod."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    shop.start()
    with example.run(shop) as program:
        program.expect("Two")
        program.write("app-1")
        program.expect("Open https://apps.apple.com/app/id6000000001" if is_online() else "needs an internet connection")
        program.expect("app-1 was tapped")
        program.write('no"such')
        program.expect("No app in the catalog has the id")
        _kill(shop)
        program.expect(AGAIN)
        count = program.output.count("promod cannot be reached")
        program.write("app-0")
        program.expect("promod cannot be reached", count + 1)


def pauses(example, shop):
    """Something ends each connection at once."""
    path = f"{shop.directory}/door.sock"
    with Door(path, hang_up) as door, example.run(shop, path):
        comes(lambda: door.connections)
        time.sleep(WATCHED)
        shop.expect(door.connections in CONNECTIONS, f"it connects {door.connections} times in {WATCHED} s")
        return f"{door.connections} connections in {WATCHED} s"


def silence(example, shop):
    """Something accepts connections, and never answers."""
    path = f"{shop.directory}/door.sock"
    with Door(path, say_nothing), example.run(shop, path) as program:
        said = comes(lambda: AGAIN in program.output, PATIENT)
        shop.expect(said, f"it says nothing of a promod that is silent: {program.output}")


def sleeps(example, shop):
    """Nothing happens."""
    shop.publish([shop.app(0, "There")])
    shop.start()
    with example.run(shop) as program:
        expect(comes(lambda: shop.daemon.ask("status")["socket"]["subscribers"]), "it does not subscribe")
        time.sleep(SETTLED)
        before = program.wakings
        time.sleep(WATCHED)
        wakings = program.wakings - before
        shop.expect(wakings <= FEW, f"its threads wake {wakings} times in {WATCHED} s")
        return f"{wakings} wake-ups in {WATCHED} s"


def _kill(shop):
    shop.daemon.process.kill()
    shop.daemon.process.wait()


def _width(line):
    return sum(2 if re.match("[\uac00-\ud7a3\U0001f300-\U0001faff]", character) else 1 for character in line)


BODIES = (
    ("list", "lists the apps, each on its line, whatever is in their texts", lists),
    ("changes", "shows a new catalog as soon as promod has it", changes),
    ("restart", "goes on when promod was killed, and shows the catalog of the next one", restarts),
    ("waits", "says in a sentence that there is no promod yet, and lists the apps when there is", waits),
    ("resume", "shows each tap once, those too that it was not connected for", resumes),
    ("busy", "says why promod has no room for it, and lists the apps when it has", busy),
    ("taps", "taps the app whose id is typed, and says in a sentence why it cannot", taps),
    ("idle", "sleeps while nothing happens", sleeps),
    ("loop", "connects less and less often to what ends each connection at once", pauses),
    ("silence", "does not wait for ever for a promod that is silent", silence),
)


def _with(example, body):
    return lambda shop: body(example, shop)


CHECKS = [
    check(f"{example.name}-{name}", f"{example.name} {claim}", _with(example, body))
    for example in ALL for name, claim, body in BODIES
    if (example.shows_taps or body is not resumes) and (example.takes_taps or body is not taps) and not (example.draws and body is sleeps)]
