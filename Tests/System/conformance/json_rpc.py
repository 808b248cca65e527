"""JSON-RPC 2.0: the examples of its section 7 with promod's methods, the clauses behind them, and where promod differs by its manual."""
import json

from support.claims import compare, expect
from support.lines import INVALID, PARAMS, PARSE, TOO_LARGE, UNKNOWN
from support.wire import ANYTHING

UNKNOWN_APP = (-32001, "unknown-app")
THE = "JSON-RPC 2.0"
MANUAL = "promod-protocol(7)"


def result(identifier, value):
    """A reply to a request that succeeded."""
    return {"jsonrpc": "2.0", "id": identifier, "result": value}


def error(identifier, code_and_reason):
    """A reply to a request that failed; its message may be any text."""
    code, reason = code_and_reason
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": ANYTHING, "data": {"reason": reason}}}


def call(identifier, method="impression", params=None, **members):
    """A request as bytes, a notification if the id is None."""
    envelope = {"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})}
    return json.dumps({**envelope, **({"id": identifier} if identifier is not None else {}), **members}).encode()


SHOWN = {"apps": ["app-1", "app-2"], "host": "outside"}
ONE = {"apps": ["app-3"]}
STATUS = call("last", "status")
ANSWERED = result("last", ANYTHING)

# Clause, claim, the lines that are sent, and the replies that must come, in order. `impression` counts what it is given, as the
# specification's `sum` does, and changes nothing but the events.
EXAMPLES = [
    (f"{THE} §7, named parameters", "the order of the members of params does not matter",
     [call(3, params=SHOWN), call(4, params=dict(reversed(SHOWN.items())))], [result(3, {"emitted": 2}), result(4, {"emitted": 2})]),
    (f"{THE} §7, a notification", "a method is called without a reply", [call(None, params=SHOWN), STATUS], [ANSWERED]),
    (f"{THE} §7, a notification", "a method that does not exist gets no reply either", [call(None, "foobar"), STATUS], [ANSWERED]),
    (f"{THE} §7, non-existent method", "it is -32601, with the request's id", [call("1", "foobar")], [error("1", UNKNOWN)]),
    (f"{THE} §7, invalid JSON", "it is -32700, with id null",
     [b'{"jsonrpc": "2.0", "method": "impression, "params": "bar", "baz]'], [error(None, PARSE)]),
    (f"{THE} §7, invalid Request object", "a method that is no string is -32600, with id null",
     [b'{"jsonrpc": "2.0", "method": 1, "params": "bar"}'], [error(None, INVALID)]),
]

CLAUSES = [
    (f"{THE} §4", "jsonrpc must be exactly the string 2.0",
     [call(n, "status", jsonrpc=version) for n, version in enumerate(["1.0", "2", "2.00", "", 2.0, 2, None, ["2.0"]])],
     [error(n, INVALID) for n in range(8)]),
    (f"{THE} §4", "a method must be a string, and must be there",
     [call(n, method) for n, method in enumerate([None, True, [], {}, 1])] + [b'{"jsonrpc":"2.0","id":5}'],
     [error(n, INVALID) for n in range(6)]),
    (f"{THE} §4", "an id that is no string, number or null is -32600, with id null by §5",
     [call(identifier, "status") for identifier in (True, False, [], [1], {}, {"a": 1})], [error(None, INVALID)] * 6),
    (f"{THE} §4.2", "params that are not structured are refused",
     [call(n, params=params) for n, params in enumerate(["bar", 1, True])] + [b'{"jsonrpc":"2.0","id":3,"method":"status","params":null}'],
     [error(n, PARAMS) for n in range(4)]),
    (f"{THE} §4.2", "names of parameters match exactly, including case, and all that are expected must be there",
     [call(1, params={"Apps": ["app-1"]}), call(2, params={}), call(3, params={**ONE, "color": "red"})],
     [error(1, PARAMS), error(2, PARAMS), error(3, PARAMS)]),
    (f"{THE} §4 and §8", "a name that begins with rpc. is reserved, and an unknown one is -32601",
     [call(1, "rpc.foobar"), call(2, "rpc."), call(3, "rpc.discover")], [error(1, UNKNOWN), error(2, UNKNOWN), result(3, ANYTHING)]),
    (f"{THE} §5.1", "an error of promod's own has a code from -32000 to -32099",
     [call(1, params={"apps": ["nowhere"]}), call(2, "tap", {"app": "nowhere"})], [error(1, UNKNOWN_APP), error(2, UNKNOWN_APP)]),
]

# Where promod does something else than the specification says or allows it to do, its manual says so.
DIFFERENCES = [
    (f"{MANUAL}, ENVELOPE, unlike {THE} §6", "an array is one -32600 with id null, and none of its requests is carried out",
     [b"[]", b"[1,2,3]", b"[" + STATUS + b"," + call(2, "foobar") + b"]", STATUS], [error(None, INVALID)] * 3 + [ANSWERED]),
    (f"{MANUAL}, FRAMING, unlike {THE} §6", "an array that is not JSON is -32700 with id null",
     [b"[" + STATUS + b',{"jsonrpc": "2.0", "method"]'], [error(None, PARSE)]),
    (f"{MANUAL}, ENVELOPE, unlike {THE} §4.2 and §7, positional parameters", "params that are an array are -32602, unless it is empty",
     [call(1, params=[["app-1"], "outside"]), call(2, params=["outside", ["app-1"]]), call(3, params=[]), call(4, "launch", ["app-1"])],
     [error(n, PARAMS) for n in range(1, 5)]),
    (f"{MANUAL}, ENVELOPE", "an empty array of params is none", [call("last", "status", [])], [ANSWERED]),
    (f"{MANUAL}, Without jsonrpc, unlike {THE} §4", "a request without jsonrpc is carried out, and always answered",
     [b'{"method":"impression","apps":["app-1"]}', b'{"id":2,"method":"impression","params":{"apps":["app-1"]}}', b'{"method":"foobar"}'],
     [result(None, {"emitted": 1}), result(2, {"emitted": 1}), error(None, UNKNOWN)]),
    (f"{MANUAL}, FRAMING", "a line of more than 65,536 bytes is -32004 with id null, and the last of its connection",
     [STATUS.ljust(65_536), STATUS.ljust(65_537), STATUS], [ANSWERED, error(None, TOO_LARGE)]),
    (f"{MANUAL}, FRAMING", "after any other error the connection goes on, and replies come in order",
     [b"{", b"[]", call(1, "foobar"), call(2, params={}), STATUS],
     [error(None, PARSE), error(None, INVALID), error(1, UNKNOWN), error(2, PARAMS), ANSWERED]),
]

IDS = [
    b"0", b"-0", b"1.50", b"-1.5e-300", b"1E+05", b"123456789012345678901234567890", b'""', b'"1"', b'"null"', b'"\\u0061\\/\\n"',
    b'"\\ud83d\\ude00"', b'"\\u0000"', '"번호 ①"'.encode(), b'"\x7f"',
]


def check(report, subject):
    """Runs all checks."""
    for clause, claim, lines, expected in EXAMPLES + CLAUSES + DIFFERENCES:
        report.check(clause, claim, exchange, subject, lines, expected)
    report.check(f"{THE} §5", "the id of a reply is the id of the request, byte for byte", same_ids, subject)
    report.check(f"{THE} §4.1", "a notification is carried out", carried_out, subject)


def exchange(subject, lines, expected):
    """Sends lines, and compares all replies."""
    compare(subject.replies(b"\n".join(lines) + b"\n"), expected)


def same_ids(subject):
    """Ids in every form, in a reply with a result and in one with an error."""
    for identifier in IDS:
        for method in (b"status", b"foobar"):
            [line] = subject.lines(b'{"jsonrpc":"2.0","id":%s,"method":"%s"}\n' % (identifier, method))
            expect(line.startswith(b'{"jsonrpc":"2.0","id":%s,' % identifier), f"the id {identifier} became {line[:100]}")


def carried_out(subject):
    """A subscriber hears of the impression that a notification reports."""
    connection = subject.daemon.connect()
    try:
        connection.ask("subscribe", events=["impression"])
        connection.socket.sendall(call(None, params=ONE) + b"\n")
        [event] = [json.loads(line) for line in connection.read_lines()]
        compare([event["method"], event["params"]["app"], "id" in event], ["event", "app-3", False])
    finally:
        connection.close()
