"""A service with calibration logs, as strict as its API is documented: the app chooses the ids of entries, what is sent twice counts once, a
check has a reading and changes nothing, and a change names the version it knows. Drift and dates are what a walk says that they are."""

import json
import re

from book import answered, refused
from keeper import Keeper
from many import at

ENTRY = r"/devices/(?P<device>[\w-]+)/parameters/(?P<parameter>\w+)/calibrations/(?P<entry>[0-9a-f-]{36})"
LOG = r"/devices/(?P<device>[\w-]+)/parameters/(?P<parameter>\w+)/calibrations"
MEMBERS = {"kind", "at", "unit", "points", "temperature", "note"}
KINDS = ("check", "clean", "calibrate", "replace")


class Bench(Keeper):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.entries = {}
        self.sent = []  # every entry that came
        self.told = {"drift": None, "due": None, "deviation": None, "grade": None, "reminderDays": None, "electrode": None}
        self.checks = []

    def answer(self, method, path, query, body):
        answer = super().answer(method, path, query, body)
        if path.endswith("/series") and query.get("corrected") == ["true"]:
            points = [{**point, "corrected": point["mean"] - 0.4} for point in answer["points"]]
            return {**answer, "points": points}
        return answer

    def raw(self, method, path, query, headers, body):
        if found := re.fullmatch(ENTRY, path):
            return self.entry(method, headers, found["entry"], json.loads(body) if body else None)
        if re.fullmatch(LOG, path):
            return answered(200, self.log())
        if re.fullmatch(r"/devices/[\w-]+/calibrations", path):
            standing = {name: value for name, value in self.log().items() if name not in ("items", "handChecks")}
            return answered(200, [standing] if self.entries else [])
        return super().raw(method, path, query, headers, body)

    def log(self):
        items = sorted(self.entries.values(), key=lambda entry: entry["at"], reverse=True)
        last = next((entry["at"] for entry in items if entry["kind"] in ("calibrate", "replace")), None)
        return {
            "parameter": "ph", "unit": "ppm", "items": items, "handChecks": self.checks, "lastCalibratedAt": last, "ageDays": 0, **self.told,
        }  # fmt: skip

    def write(self, number, days, kind="calibrate", points=()):
        self.keep(f"00000000-0000-4000-b000-{number:012}", {"kind": kind, "at": at(-days * 86_400), "unit": "ppm", "points": list(points)})

    def keep(self, number, content, version=1):
        self.entries[number] = {
            "id": number, "parameter": "ph", "kind": content["kind"], "at": content["at"], "unit": content["unit"],
            "points": [{"before": None, "after": None, "millivolts": None, **point} for point in content["points"]], "deviation": None,
            "temperature": content.get("temperature"), "note": content.get("note"), "by": {"id": "11", "name": "Mika", "isMe": True}, "version": version,
        }  # fmt: skip

    def entry(self, method, headers, number, content):
        if method == "DELETE":
            return answered(204, None) if self.entries.pop(number, None) else refused(404, "not-found", "There is none.")
        self.sent.append((number, content))
        if method != "PUT" or not content.keys() <= MEMBERS or content["kind"] not in KINDS:
            return refused(422, "unprocessable", f"{method} {content}")
        standards = [point.get("standard") for point in content["points"]]
        if len(set(standards)) < len(standards):
            return refused(422, "repeated", f"{standards}")
        for point in content["points"]:
            if not {"standard"} <= point.keys() <= {"standard", "before", "after", "millivolts"} or None in point.values():
                return refused(422, "not-a-calibration-point", f"{point}")
            if content["kind"] == "check" and ("before" not in point or "after" in point):
                return refused(422, "check-changes-nothing", f"{point}")
        had = self.entries.get(number)
        if had and headers.get("If-Match") != f'"v{had["version"]}"' or not had and headers.get("If-Match"):
            return refused(412, "changed-elsewhere", "Somebody else changed it.")
        self.keep(number, content, had["version"] + 1 if had else 1)
        return answered(200 if had else 201, self.entries[number])
