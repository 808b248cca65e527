"""Many apps at once, whose promod is killed or ends, the last one, and one without a parent."""
import os
import random
import signal
import subprocess
import threading
import time

from support import chance
from support.claims import Failed, expect
from support.wire import comes, connected, read_line
from .machine import check

APPS = 10
STAYS = 15  # seconds that promod stays after the last app
# How long promod stays without a client, and how often it ends for each of the clients.
IDLE, CLIENTS, ROUNDS = 1, 6, 12


def subscribers(machine):
    """How many apps follow the list, at a promod that may just start."""
    try:
        return machine.ask("status")["socket"]["subscribers"]
    except (OSError, Failed):
        return 0


def is_alone(machine):
    """Whether one promod runs. Until it is another program, a child looks like it."""
    return comes(lambda: machine.promods() == [machine.promod()])


def crowd(machine):
    """Ten start at once, one is killed, and then promod is."""
    apps = [machine.library("own", machine.origin.url) for _ in range(APPS)]
    for app in apps:
        expect(machine.shown(app) == machine.content.promoted("finebill"), "an app of ten has another list")
    expect(comes(lambda: subscribers(machine) == APPS), f"{subscribers(machine)} of {APPS} apps follow the list")
    expect(is_alone(machine), f"{machine.promods()} run")
    apps[0].kill()
    expect(comes(lambda: subscribers(machine) == APPS - 1), "an app that was killed is still counted")
    machine.kill_promod()
    expect(comes(lambda: subscribers(machine) == APPS - 1), f"after promod was killed, {subscribers(machine)} of {APPS - 1} apps follow the list")
    expect(is_alone(machine), f"after promod was killed, {machine.promods()} run")
    expect(all(app.poll() is None for app in apps[1:]), "an app has ended with its promod")


def ends(machine):
    """Each client has a socket of its own, at which promod ends again and again, just when the client connects."""
    problems, late = [], []

    def client(number):
        path = f"{machine.directory}/{number}.sock"
        turn = random.Random(f"{chance.seed} {number}")

        def ask(start):
            """Whether promod answers, which it must if it has accepted."""
            if start:
                machine.run(machine.binary, "--background", f"--exit-idle-time={IDLE}", env={"PROMOD_SOCKET": path})
            try:
                connection = connected(path)
            except (ConnectionRefusedError, FileNotFoundError):
                return False
            with connection:
                connection.sendall(b'{"id":1,"method":"list"}\n')
                return b'"result"' in read_line(connection)
        try:
            for _ in range(ROUNDS):
                # On a busy machine it may have ended again before the client connects.
                expect(any(ask(True) for _ in range(5)), "five starts brought no promod")
                time.sleep(IDLE + turn.uniform(-0.002, 0.004))
                late.append(ask(False))
        except (Failed, OSError) as error:
            problems.append(f"{type(error).__name__} {error}")
        comes(lambda: not os.path.exists(path))
    threads = [threading.Thread(target=client, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise Failed(f"{len(problems)} of {CLIENTS} clients failed: {problems[0]}")
    return f"{late.count(True)} of {len(late)} came in time to keep it"


def orphaned(machine):
    """The app has lost its parent, so that the first process of the system has it, and so is the daemon's."""
    # It waits for the end of its parent, whose number is $$.
    app = f'(while kill -0 $$ 2>/dev/null; do :; done; "$@"; echo $? >"{machine.directory}/code") >/dev/null 2>&1 &'
    machine.run("sh", "-c", app, "sh", machine.binary, "--background", stdin=subprocess.DEVNULL, start_new_session=True)
    code = f"{machine.directory}/code"
    expect(comes(lambda: os.path.exists(code) and open(code, encoding="ascii").read()) == "0\n", "--background fails, or does not end")
    pid = machine.promod()
    os.kill(pid, signal.SIGTERM)
    expect(comes(lambda: not os.path.exists(f"/proc/{pid}")), "promod stays as a zombie")


def stays(machine):
    """An app that showed its list and followed the events."""
    app = machine.library("own", machine.origin.url)
    expect(machine.shown(app) == machine.content.promoted("finebill"), "the app has another list")
    app.kill()
    app.communicate()
    began = time.monotonic()
    expect(comes(lambda: not machine.promods()), "promod stays after its last app")
    took = time.monotonic() - began
    expect(took > STAYS - 1, f"promod ends {took:.1f} s after its last app")
    return f"promod ended {took:.1f} s after the app"


CHECKS = [
    check("stays", f"promod ends {STAYS} s after the last app that it was started for", stays),
    check("crowd", f"{APPS} apps that start at once share a promod, and go on when one of them, or promod, is killed", crowd),
    check("ends", "a promod that ends while clients connect answers each that it has accepted, and comes again for the others", ends),
    check("orphan", "an app without a parent has its promod, which leaves no zombie", orphaned),
]
