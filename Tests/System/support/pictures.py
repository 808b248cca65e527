"""Pictures for icons."""
import base64
import os
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(width=64, height=64, colour=(200, 40, 40)):
    """A PNG picture of one colour."""
    return _png(width, height, (b"\0" + bytes(colour) * width) * height, 9)


def noise(size):
    """A PNG picture of about so many bytes, which no compression makes smaller, whatever they are."""
    width = 100
    height = size // (3 * width)
    return _png(width, height, b"".join(b"\0" + os.urandom(3 * width) for _ in range(height)), 0)


def encoded(tab, kind, width=64, height=64, colour="#2878c8"):
    """A picture of one colour, which a browser encodes as image/KIND."""
    url = tab.evaluate(
        f"(() => {{ const canvas = Object.assign(document.createElement('canvas'), {{width: {width}, height: {height}}}); "
        f"const pen = canvas.getContext('2d'); pen.fillStyle = '{colour}'; pen.fillRect(0, 0, {width}, {height}); "
        f"return canvas.toDataURL('image/{kind}'); }})()")
    return base64.b64decode(url.removeprefix(f"data:image/{kind};base64,"), validate=True)


def _png(width, height, rows, level):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, level)) + _chunk(b"IEND", b"")


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
