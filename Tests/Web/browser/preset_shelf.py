"""A farm with presets of its own, as strict as their API is documented: a name once, a change names the version that it knows and comes as a whole,
what a project has is changed as the project alone, and limits of many are tried for eight devices at a time.
"""

import json
import re

from book import answered, refused
from farm import LAKE, Farm

MEMBERS = {
    "parameter", "unit", "minimum", "maximum", "criticalMinimum", "criticalMaximum", "delaySeconds", "tellsUnstable", "changePerHour", "aheadMinutes",
    "periods",
}  # fmt: skip
PRESET = r"/presets/([0-9a-f-]{36})"
REEF = {
    "id": "reef", "name": "Reef tank", "own": False, "project": None, "sources": ["reefsolutionsnv.com"],
    "limits": [{"parameter": "ph", "minimum": 7.8, "maximum": 8.4, "unit": "ppm", "decimals": 1, "convention": False, "periods": 0}],
}  # fmt: skip


class PresetShelf(Farm):
    def __init__(self, tanks, own=2):
        super().__init__(tanks, own)
        self.presets = {}  # id: (whose, name, limits)
        self.tried, self.taken = [], []  # bodies as they came

    def put(self, whose, name, limits):
        number = f"00000000-0000-4000-8000-{len(self.presets):012}"
        self.presets[number] = (whose, name, limits)
        return number

    def raw(self, method, path, query, headers, body):
        if (early := super().raw(method, path, query, headers, body)) is not None:
            return early
        me = headers.get("Aqua-Project")
        given = json.loads(body or b"null")
        if method == "GET" and path == "/presets":
            return answered(200, [self.listed_preset(number, me) for number in self.seen_by(me)] + [REEF])
        if method == "POST" and path == "/presets":
            return self.kept(None, me, given)
        if found := re.fullmatch(PRESET, path):
            return self.one(method, found[1], me, headers, given)
        if (method, path) == ("POST", "/parameters/back-tests"):
            return self.dry(given)
        if (method, path) == ("POST", "/parameters/preset") or path.endswith("/parameters/preset"):
            self.taken.append(given)
            many = given.get("devices")
            return answered(200, {"devices": len(many), "changed": len(many)} if many else self.parameters())
        if method == "GET" and re.fullmatch(r"/devices/[\w-]+/(probes|rejects|watchers|invitations)", path):
            return answered(200, [])
        if method == "GET" and re.fullmatch(r"/devices/[\w-]+/parameters", path):
            return answered(200, self.parameters())
        return None

    def seen_by(self, me):
        """Those of whoever acts, and a person's projects'."""
        return [number for number, (whose, _, _) in self.presets.items() if whose == me or me is None]

    def project_of(self, number, me):
        whose = self.presets[number][0]
        return None if whose == me else self.project_name

    def listed_preset(self, number, me):
        _, name, limits = self.presets[number]
        rows = [
            {"parameter": one["parameter"], "minimum": one.get("minimum"), "maximum": one.get("maximum"), "unit": "ppm", "decimals": 1,
             "convention": False, "periods": len(one.get("periods", []))}
            for one in limits
        ]  # fmt: skip
        return {"id": number, "name": name, "own": True, "project": self.project_of(number, me), "sources": [], "limits": rows}

    def whole(self, number, me):
        _, name, limits = self.presets[number]
        rows = {row["name"]: row for row in self.parameters()}
        blank = {"minimum": None, "maximum": None, "periods": [], "periodZone": None, "held": None, "follows": False, "tellsUnstable": False}
        parameters = [{**rows[one["parameter"]], **blank, **{name: value for name, value in one.items() if name != "parameter"}} for one in limits]
        return {"id": number, "name": name, "project": self.project_of(number, me), "version": 1, "parameters": parameters}

    def one(self, method, number, me, headers, given):
        if number not in self.seen_by(me):
            return refused(404, "not-found", "There is no such preset.")
        if method == "GET":
            return answered(200, self.whole(number, me))
        if self.presets[number][0] != me:
            return refused(404, "not-found", "There is no such preset.")
        if method == "DELETE":
            del self.presets[number]
            return 204, "text/plain", b""
        if headers.get("If-Match") is None:
            return refused(428, "precondition-required", "Say which version you change.")
        return self.kept(number, me, given)

    def kept(self, number, me, given):
        names = [one["parameter"] for one in given["limits"]]
        if not names or len(set(names)) != len(names) or any(not one.keys() <= MEMBERS or len(one) < 2 for one in given["limits"]):
            return refused(422, "invalid-input", f"{given}")
        if any(whose == me and name == given["name"] and other != number for other, (whose, name, _) in self.presets.items()):
            return self.problem(409, "There is a preset of this name", "preset-named")
        if number is None:
            return answered(201, self.whole(self.put(me, given["name"], given["limits"]), me))
        self.presets[number] = (me, given["name"], given["limits"])
        return answered(200, self.whole(number, me))

    def dry(self, given):
        if not 1 <= len(given["devices"]) <= 8 or not given["limits"].keys() <= MEMBERS:
            return refused(422, "invalid-input", f"{given}")
        self.tried.append(given)
        rows = []
        for tank in given["devices"]:
            place = self.names.index(tank)
            told = {"alarms": place % 5, "courseAlarms": 0, "reminders": 0}
            crossed = place % 7 == 6
            rows.append({
                "device": tank, "since": None if place % 11 == 10 else "2026-11-01T00:00:00Z", "tooNew": place % 9 == 8, "present": told,
                "next": None if crossed else {**told, "alarms": place},
            })  # fmt: skip
        return answered(200, rows)


def acting():
    return f"sessionStorage.setItem('aqua-acting', '{json.dumps({'id': LAKE, 'name': 'Lake Farm'})}');"
