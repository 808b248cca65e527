"""A program with promo.py that writes what the examples for a terminal write."""
import os
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../../packaging/examples")
from promo import Promo, PromoError

promo, shown = Promo(sys.argv[1]), None
for event in promo.follow("catalog", "tap"):
    if event["event"] == "away":
        print(f"{event['text']} Trying again in {event['pause']:.1f} s.")
    elif event["event"] == "tap":
        print(f"{event['app']} was tapped.")
    else:
        try:
            names = [app["name"] for app in promo.list()["apps"]]
        except PromoError as error:
            print(error)
            continue
        if names != shown:
            print(*(ascii(name).strip("'") for name in names), sep="\n")
        shown = names
