"""A service with a boat, as strict as its API is documented: positions are kept while its owner says that it moves, and go when all are deleted."""

import json
import math

from archive import Archive
from many import at

KEPT = 240  # positions, one in six minutes
ROUND = 60  # of them


class Boat(Archive):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.moves = False
        self.positions = [self.position(place) for place in range(KEPT)]
        self.tiles = None
        self.wishes = []

    def position(self, place):
        """Rounds over a lake, with a rest of three hours in the middle."""
        angle = place / ROUND * 2 * math.pi
        rest = 10_800 if place < KEPT / 2 else 0
        return {
            "time": at(-360 * (KEPT - 1 - place) - rest), "latitude": round(47.45 + 0.02 * math.sin(angle) + place * 5e-5, 5),
            "longitude": round(9.55 + 0.03 * math.cos(angle), 5), "accuracy": 8 if place % 2 else None,
        }  # fmt: skip

    def value(self, place):
        """Out of range at times, and not measured at others: the limits are 7 and 9."""
        return None if place % 40 < 3 else round(8 + 1.3 * math.sin(place / 17), 2)

    def device(self, name):
        last = self.positions[-1] if self.moves and self.positions else None
        return {**super().device(name), "moves": self.moves, "lastPosition": last}

    def raw(self, method, path, query, headers, body):
        if path.endswith("/track.geojson"):
            features = [{"type": "Feature", "geometry": None, "properties": {"time": one["time"]}} for one in self.positions]
            return 200, "application/geo+json", json.dumps({"type": "FeatureCollection", "features": features}).encode()
        return super().raw(method, path, query, headers, body)

    def answer(self, method, path, query, body):
        if path == "/map":
            return {"tiles": self.tiles, "attribution": None, "attributionLink": None}
        if path.endswith("/track"):
            if method == "DELETE":
                self.positions = []
                return {}
            self.wishes.append({key: values[0] for key, values in query.items()})
            points = [{"position": one, "value": self.value(place)} for place, one in enumerate(self.positions)]
            return {"parameter": query["parameter"][0], "unit": "ppm", "total": len(points), "points": points}
        if path.startswith("/devices/") and path.count("/") == 2 and method in ("GET", "PATCH"):
            self.moves = (body or {}).get("moves", self.moves)
            return self.device(path.split("/")[2])
        return super().answer(method, path, query, body)
