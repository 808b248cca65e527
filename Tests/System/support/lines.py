"""The forms of a request on the wire, and lines that are wrong."""
import itertools
import json
import time

from .claims import Failed, compare, expect

PARSE, INVALID = (-32700, "parse-error"), (-32600, "invalid-request")
UNKNOWN, PARAMS, TOO_LARGE = (-32601, "unknown-method"), (-32602, "invalid-params"), (-32004, "too-large")


def parsed(line):
    """The value of a line, which must be strict JSON with unique members."""

    def unique(pairs):
        expect(len(dict(pairs)) == len(pairs), "a member is there twice")
        return dict(pairs)

    def refuse(name):
        raise Failed(f"{name} is not JSON")

    try:
        return json.loads(line.decode(), object_pairs_hook=unique, parse_constant=refuse)
    except ValueError as error:
        raise Failed(f"the reply is not JSON: {error}") from error


class Call:
    """A request without its form: what it asks, and what may come back."""

    def __init__(self, method, params, check, errors=None):
        self.method, self.params, self.check = method, params, check
        # Called with the code and the reason of an error; without it, no error is right.
        self.check_error = errors

    def judge(self, reply, sent, came):
        """Checks a reply that has the right id."""
        if "error" in reply:
            error = reply["error"]
            expect(self.check_error, f"{self.method} was answered with the error {error}")
            expect(isinstance(error["message"], str) and error["message"], "the error has no message")
            compare({**error, "message": None}, {"code": error["code"], "message": None, "data": {"reason": error["data"]["reason"]}})
            self.check_error((error["code"], error["data"]["reason"]), sent, came)
        else:
            self.check(reply["result"], sent, came)


def refused(expected):
    """A call that must be answered with this code and reason."""

    def check(result, *_):
        raise Failed(f"the result is {result}, not the error {expected}")

    return Call("", {}, check, errors=lambda error, *_: expect(error == expected, f"the error is {error}, not {expected}"))


class Line:
    """A line to send: its bytes, its call, and the call's id as written."""

    def __init__(self, content, identifier, call):
        self.content, self.identifier, self.call = content, identifier, call

    def sends(self):
        self.sent = time.time()

    def judge(self, reply, came):
        """Checks the line that answers this one."""
        value = parsed(reply)
        expect(reply.startswith(b'{"jsonrpc":"2.0","id":' + self.identifier + b","), f"the id is not {self.identifier}")
        kinds = {"result", "error"} & value.keys()
        expect(len(kinds) == 1 and value.keys() == {"jsonrpc", "id", *kinds}, f"the members are {list(value)}")
        compare([value["jsonrpc"], value["id"]], ["2.0", json.loads(self.identifier)])
        self.call.judge(value, self.sent, came)


class Writer:
    """Writes calls in a random form that the protocol allows."""

    def __init__(self, rng):
        self.rng = rng
        self.numbers = itertools.count(1)

    def line(self, call):
        """A line of a call that gets a reply."""
        identifier = self._identifier()
        form = self.rng.randrange(4)
        members = {"id": identifier.decode(), "method": json.dumps(call.method)}
        if form == 0 and not {"id", "method", "params", "jsonrpc"} & call.params.keys():
            # A script's short form.
            members.update({name: self._json(value) for name, value in call.params.items()})
            if self.rng.random() < 0.5:
                del members["id"]
                identifier = b"null"
        else:
            if form > 1:
                members["jsonrpc"] = '"2.0"'
            if call.params or self.rng.random() < 0.5:
                members["params"] = self._json(call.params)
        return Line(self._spaced(self._object(members)), identifier, call)

    def _object(self, members):
        members = list(members.items())
        self.rng.shuffle(members)
        gap = self.rng.choice(["", "", " ", "\t"])
        return ("{" + f",{gap}".join(f'"{name}":{gap}{value}' for name, value in members) + "}").encode()

    def _identifier(self):
        number = next(self.numbers)
        return self.rng.choice([
            b"%d" % number, b"%d" % number, b"-%d" % number, b"%d.50" % number, b"%de2" % number, b"null", b'"%d"' % number,
            b'"caf\\u00e9 \\"%d\\""' % number, "\"번호 {}\"".format(number).encode()])

    def _json(self, value):
        return json.dumps(value, ensure_ascii=self.rng.random() < 0.5)

    def _spaced(self, content):
        before = self.rng.choice([b"", b"", b"", b"\n", b" \t", b"\r\n\n"])
        return before + content + self.rng.choice([b"", b"", b"\r", b" "])

    # What is wrong

    def malformed(self):
        """A line that is no request, or no valid one; it must be answered, and change nothing."""
        rng, good = self.rng, b'{"jsonrpc":"2.0","id":1,"method":"status"}'
        # Comparing text with such a run in Swift's way would hold up everybody.
        marks = (rng.choice(["\u0301\u0323", "\u0308\u0345\u0316", "e\u0301"]) * rng.randint(1, 9_000)).encode()
        content, expected = rng.choice([
            (b'{"method":"%s"}' % marks, UNKNOWN), (b'{"method":"list","%s":1}' % marks, PARAMS), (b'{"method":"list","host":"%s"}' % marks, PARAMS),
            (good[: rng.randrange(1, len(good))], PARSE), (good + b"]", PARSE), (good[:-1] + b',"id":2}', PARSE), (b'{"method":"\\ud800"}', PARSE),
            (b'{"method":"\xff"}', PARSE), (b"\xef\xbb\xbf" + good, PARSE), (b"[" * rng.randint(33, 60_000), PARSE), (b"\x00", PARSE),
            (b"[]", INVALID), (b"[" + good + b"]", INVALID), (b"7", INVALID), (b'{"method":7}', INVALID),
            (b'{"jsonrpc":"2.0","method":"list","limit":1}', INVALID), (b"[" * 32 + b"]" * 32, INVALID),
            (b'{"method":"lists"}', UNKNOWN), (b'{"method":"list","limit":0}', PARAMS), (b'{"method":"launch","app":"%s"}' % (b"a" * 256), PARAMS),
            (b'{"method":"review-request","app":"a","completed":99999999999999999999}', PARAMS)])
        return Line(content, b"null", refused(expected))
