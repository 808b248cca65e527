"""Frames of HTTP/2 (RFC 9113), as far as an origin needs them that answers no request over it."""
import struct

_HEADERS, _RST_STREAM, _SETTINGS, _GOAWAY = 1, 3, 4, 7
HTTP_1_1_REQUIRED = 13
REQUEST = 1  # the first stream of a client


def _frame(kind, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, 0]) + struct.pack(">I", stream) + payload


SETTINGS = _frame(_SETTINGS, 0)


def goaway(code=0, last=0):
    """The end of a connection on which no stream after the last is answered."""
    return _frame(_GOAWAY, 0, struct.pack(">II", last, code))


def reset(code):
    """The end of the request's stream."""
    return _frame(_RST_STREAM, REQUEST, struct.pack(">I", code))


def read_request(connection):
    """Reads what a client sends up to its first request."""
    read = connection.makefile("rb").read
    read(len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
    kind = None
    while kind != _HEADERS:
        head = read(9)
        if len(head) < 9:
            raise ConnectionError("no request")
        kind = head[3]
        read(int.from_bytes(head[:3], "big"))
