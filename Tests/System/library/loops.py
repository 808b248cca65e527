"""Programs whose main thread runs a loop that knows nothing of Swift."""
from support.claims import expect
from support.shop import check
from support.wire import comes
from .probe import probe


def bridge(shop):
    """The loop watches the descriptor of the main queue."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    shop.start()
    with probe(shop, "bridge", "follow") as program:
        program.expect("Two")
        shop.publish([shop.app(0, "Three")])
        shop.daemon.refresh()
        program.expect("Three")


def nobody(shop):
    """Nothing serves the main queue."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    with probe(shop, "nobody") as program:
        program.expect("returned")
        expect(comes(lambda: "MainQueue.descriptor" in program.output), f"it does not say what to do: {program.output}")
        expect("GLib or Qt" in program.output, f"it does not say where this happens: {program.output}")


CHECKS = [
    check("bridge", "a loop that serves the main queue has the list, and what changes", bridge),
    check("nobody", "where nothing serves it, a call ends at its deadline, and the log says what to do", nobody),
]
