"""The pictures of the catalog that never changes."""
import base64
import hashlib
import os

from support.claims import compare, expect
from support.pictures import png

# The other apps have an address where nothing is.
PICTURES = {f"still-{number}": png(16, 16, (40 * number, 80, 200)) for number in range(4)}


def check_path(app, path, cache):
    """`iconPath` of a `list`: null, or a file below the cache with the picture of the app, named for its contents."""
    if path is None:
        return
    picture = PICTURES.get(app)
    expect(picture, f"{app} has no picture, but the path is {path}")
    name = f"{hashlib.sha256(picture).hexdigest()[:32]}.png"
    expect(path.startswith(f"{cache}/") and os.path.basename(path) == name, f"the picture of {app} is {path}, not {name} below {cache}")
    with open(path, "rb") as file:
        expect(file.read() == picture, f"{path} has other contents")


def check_icon(app, result):
    """The result of `icon`: nulls, or the picture of the app."""
    picture = PICTURES.get(app) if result["data"] is not None else None
    compare(result, {
        "app": app, "mediaType": picture and "image/png", "data": picture and base64.b64encode(picture).decode("ascii")})
