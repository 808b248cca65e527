#!/usr/bin/python3
"""Lists the apps that HOST may promote, or taps one of them: python3 more-apps.py HOST [APP]"""
import json
import os
import socket
import sys

PATH = os.environ.get("PROMOD_SOCKET") or os.environ.get("XDG_RUNTIME_DIR", "") + "/promod/promod.sock"
LANGUAGE = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
HOST = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)

def ask(method, **members):
    """The result of a request about the host: promod answers a line of JSON with another."""
    try:
        with socket.socket(socket.AF_UNIX) as promod:
            promod.settimeout(35)  # a first fetch may take 30
            promod.connect(PATH)
            promod.sendall(json.dumps({"method": method, "host": HOST, **members}).encode() + b"\n")
            reply = json.loads(promod.makefile().readline())
    except (OSError, ValueError):
        sys.exit("Apps cannot be shown right now.")
    return reply["result"] if "result" in reply else sys.exit(reply["error"]["message"])

if len(sys.argv) > 2:
    answer = ask("tap", app=sys.argv[2], language=LANGUAGE)
    print(answer.get("message") or f"Open {answer['storeURL']}")
else:
    more = ask("list", limit=100, language=LANGUAGE, wait=True)
    for app in more["apps"]:
        print(f"{app['id']}: {app['name']} ({app['category']}), {app['tagline']}")
    if more["apps"]:
        ask("impression", apps=[app["id"] for app in more["apps"]])
    else:
        print("Apps cannot be shown right now." if more["canRetry"] else "There are no other apps to show.")
