"""A service with places along a river and in a basin, as strict about windows, outlines and versions as the real one."""

import json
import math
from datetime import datetime, timezone

from many import Service
from watched import require

UPPER = [(47.50, 9.50), (47.54, 9.50), (47.54, 9.54), (47.50, 9.54)]
# By how much each place changed, in milligrams a litre; None: too little is known.
CHANGES = [-2.2, -1.3, -0.8, -0.4, 0.1, 0.2, 0.6, 1.4, 2.3, None]
BOUNDS = [0.2, 1.0, 2.0]


def rank(change):
    if change is None:
        return None
    size = sum(abs(change) >= bound for bound in BOUNDS)
    return -size if change < 0 else size


class River(Service):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.wishes, self.sent = [], []
        self.zones = {"1": self.zone("1", "Upper river", UPPER, True)}
        self.count = len(CHANGES)
        self.map = {"tiles": None, "attribution": None, "attributionLink": None}

    def zone(self, number, name, places, favourite):
        outline = [{"latitude": latitude, "longitude": longitude} for latitude, longitude in places]
        return {"id": number, "project": None, "name": name, "outline": outline, "favourite": favourite, "mayChange": True, "version": 1}

    def device(self, name):
        place = self.point(int(name[-3:]))
        return {**super().device(name), "latitude": place["latitude"], "longitude": place["longitude"]}

    def point(self, place):
        change = CHANGES[place % len(CHANGES)]
        by_hand = place % 4 == 2
        angle = place * 2.399963  # the golden angle: nowhere on each other
        distance = 0.012 * math.sqrt(place)
        return {
            "device": f"tank-{place:03}", "name": f"Gauge {place}", "site": by_hand, "latitude": round(47.52 + distance * math.sin(angle), 6),
            "longitude": round(9.52 + distance * math.cos(angle), 6), "before": None if change is None else 8.7,
            "after": None if change is None else round(8.7 + change, 1), "change": change, "class": rank(change), "byHand": by_hand,
            "readings": 0 if by_hand or change is None else 5_760, "flagged": 0 if by_hand else 0.012,
        }  # fmt: skip

    def changes(self, query):
        wish = {key: values[0] for key, values in query.items()}
        since, until = (datetime.fromisoformat(wish[key].replace("Z", "+00:00")) for key in ("from", "to"))
        span = int(wish["span"])
        require((until - since).total_seconds() >= span * 3_600, f"windows lie on each other: {wish}")
        require(until <= datetime.now(timezone.utc), f"a moment to come: {wish}")
        self.wishes.append(wish)
        west, south, east, north = (float(side) for side in wish.get("bbox", "-180,-90,180,90").split(","))
        points = [self.point(place) for place in range(self.count)]
        inside = [point for point in points if west <= point["longitude"] <= east and south <= point["latitude"] <= north]
        before, after = ({"from": wish[key], "until": wish[key]} for key in ("from", "to"))
        return {
            "parameter": wish["parameter"], "unit": wish.get("unit", "ppm"), "bounds": BOUNDS, "before": before, "after": after,
            "part": "hour" if span < 48 else "day", "points": inside, "cut": False,
        }  # fmt: skip

    def answer(self, method, path, query, body):
        if path == "/map/change":
            return self.changes(query)
        if path == "/field-protocols":
            return {"protocols": []}
        if path == "/map":
            return self.map
        if path == "/zones" and method == "GET":
            return list(self.zones.values())
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        steps = path.split("/")[1:]
        if steps[0] != "zones" or method == "GET":
            return super().raw(method, path, query, headers, body)
        self.sent.append((method, path))
        if method == "DELETE":
            return (204, "text/plain", b"") if self.zones.pop(steps[1], None) else self.problem(404, "There is no such zone", "not-found")
        wish = json.loads(body)
        require(3 <= len(wish["outline"]) <= 200 and set(wish) <= {"name", "outline", "favourite", "project"}, f"{wish}")
        if not wish["name"]:
            return self.problem(422, "It has no name", "invalid-input")
        number = steps[1] if len(steps) > 1 else str(len(self.zones) + 1)
        had = self.zones.get(number)
        if had and headers.get("If-Match") != f'"v{had["version"]}"':
            return self.problem(412, "It was changed", "precondition-failed")
        require(had is not None or "Idempotency-Key" in headers, "what is drawn is drawn once")
        self.zones[number] = {**self.zone(number, wish["name"], [], wish["favourite"]), "outline": wish["outline"], "version": (had or {}).get("version", 0) + 1}
        return self.json(self.zones[number])
