"""What a client in a sandbox cannot do."""
import os
import socket
import stat

from .sandbox import HOME
from .stage import check

TEST_NET = "192.0.2.1"


def socket_stays(stage):
    """Whatever would let it answer in promod's place, or keep others out."""
    directory, path = stage.place, stage.socket
    before = _snapshot(stage)
    with stage.sandbox() as box:
        for what, expected, *attempt in [
            ("remove the socket", "EROFS", "remove", path),
            ("rename the socket", "EROFS", "rename", path, f"{path}.old"),
            ("change the socket's mode", "EROFS", "change_mode", path),
            ("listen on the socket's path", "EADDRINUSE", "listen", path),
            ("make another socket", "EROFS", "listen", f"{directory}/other.sock"),
            ("remove the lock", "EROFS", "remove", f"{path}.lock"),
            ("write to the lock", "EROFS", "write", f"{path}.lock"),
            # A lock needs no right to write: whoever held it would keep promod from starting.
            ("take the lock", "EACCES", "lock", f"{path}.lock"),
            ("change the directory's mode", "EROFS", "change_mode", directory),
            ("make the mount writable", "EPERM", "remount", directory),
        ]:
            found = box.attempt(*attempt)
            stage.expect(found == expected, f"the attempt to {what} ends with {found}, not {expected}")
        stage.expect(_snapshot(stage) == before, f"inodes and modes were {before} and are {_snapshot(stage)}")
        stage.expect_service(box, "after all attempts")


def files_hidden(stage):
    """A client knows the paths of promod's files, but the files are not there."""
    stage.daemon.ask("launch", app="fittoday")
    directory = stage.daemon.directory
    private = [f"{stage.daemon.cache}/catalog", *(f"{directory}/{name}" for name in (
        "state/promod/reviews.json", "config/promod/config.toml", "log"))]
    missing = [path for path in private if not os.path.isfile(path)]
    stage.expect(not missing, f"there are no {missing} outside")
    with stage.sandbox() as box:
        for path in private:
            for place in path, f"/proc/{stage.daemon.pid}/root{path}", f"{stage.place}/../..{path.removeprefix(directory)}":
                found = box.attempt("read", place)
                stage.expect(found == "ENOENT", f"reading {place} ends with {found}")
        seen = [name for name in box.get("files", directory) if not name.startswith("run/promod/")]
        stage.expect(seen == ["run", "run/promod"], f"it sees {seen} beside the files in the socket's directory")
        stage.expect(not box.get("files", HOME), f"it sees {box.get('files', HOME)} in its home directory")
        stage.expect(box.attempt("signal", stage.daemon.pid) == "ESRCH", "it can signal promod")
    return f"{len(private)} files"


def no_network(stage):
    """promod fetches, and the client cannot."""
    port = stage.origin.port
    socket.create_connection(("127.0.0.1", port)).close()
    with stage.sandbox() as box:
        found = {"interfaces": box.get("interfaces"), "loopback": box.attempt("reach", "127.0.0.1", port),
                 "elsewhere": box.attempt("reach", TEST_NET, 443)}
        expected = {"interfaces": ["lo"], "loopback": "ECONNREFUSED", "elsewhere": "ENETUNREACH"}
        stage.expect(found == expected, f"it finds {found}, not {expected}")
        result = box.promoctl_json("refresh")
        stage.expect(result["error"] is None, f"a refresh by promod is answered {result}")


def _snapshot(stage):
    """The inodes and the modes of the socket, its lock and their directory."""
    found = [os.stat(path) for path in (stage.place, stage.socket, f"{stage.socket}.lock")]
    return [(status.st_ino, stat.filemode(status.st_mode)) for status in found]


CHECKS = [
    check("socket-stays", "a client with the directory read-only can neither replace nor remove anything in it", socket_stays),
    check("files-hidden", "a client cannot read the cache, the review history, the configuration and the log", files_hidden),
    check("no-network", "a client without a network reaches neither the origin nor anything else", no_network),
]
