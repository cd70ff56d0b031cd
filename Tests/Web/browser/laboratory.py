"""A service that takes tests by hand, as strict as its API is documented: the app chooses their ids, what is sent twice counts once, a number
that is far from the last one is asked about, and each value is judged."""

import json
import re

from book import Book, answered, refused
from many import MEASURED, Service, at

TEST = r"/devices/(?P<device>[\w-]+)/tests/(?P<test>[0-9a-f-]{36})"
STEPS = [
    {"choice": "0", "value": 0, "lower": None, "upper": 0.125}, {"choice": "0.25", "value": 0.25, "lower": 0.125, "upper": 0.375},
    {"choice": "8-12", "value": 10, "lower": 9.5, "upper": None},
]  # fmt: skip
KIT = {
    "id": "pond-kit", "name": "Pond kit", "source": "",
    "tests": [
        {"parameter": "nitrite", "unit": "ppm", "drop": None, "waitMinutes": 5, "steps": STEPS},
        {"parameter": "alkalinity", "unit": "ppm", "drop": None, "waitMinutes": None, "steps": []},
    ],
}  # fmt: skip
BY_HAND = ("nitrite", "alkalinity")  # no probe measures them
MEMBERS = {"at", "kit", "note", "values", "confirmed"}
LIMITS = (7, 9)
DAY = 86_400


class Laboratory(Book):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.tests = {}
        self.sent = []  # every test that came
        self.stern = False  # whether all that is not confirmed is asked about

    def latest(self, tank, name):
        return {**super().latest(tank, name), "canonicalValue": None, "state": None, "time": None} if name in BY_HAND else super().latest(tank, name)

    def answer(self, method, path, query, body):
        if path == "/readings/latest":
            return [Service.latest(self, tank, name) for tank in self.names for name in MEASURED if name not in BY_HAND]
        if path == "/account":
            return {**super().answer(method, path, query, body), "createdAt": "2026-01-01T00:00:00.000001Z"}
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        if path == "/kits":
            return answered(200, [KIT])
        if found := re.fullmatch(TEST, path):
            return self.test(method, headers, json.loads(body), found["test"])
        if path.endswith("/tests/latest"):
            return answered(200, {"items": [self.last(name) for name in MEASURED], "nextDueAt": None})
        if path.endswith("/tests"):
            return answered(200, {"items": self.ordered()[::-1], "next": None})
        if found := re.fullmatch(r"/devices/[\w-]+/parameters/(\w+)/by-hand", path):
            return answered(200, {"unit": "ppm", "points": self.points(found[1])})
        return super().raw(method, path, query, headers, body)

    def write(self, device, kind, seconds, **more):
        """A test from before where it is one, `seconds` ago; any other entry as ever."""
        if kind != "tested":
            return super().write(device, kind, seconds, **more)
        number = f"00000000-0000-4000-a000-{len(self.tests):012}"
        self.keep(number, {"at": at(-seconds), "kit": None, "note": None, "values": [{"unit": "ppm", **one} for one in more["values"]]})
        return number

    def keep(self, number, content):
        values = [self.value(one) for one in content["values"]]
        by = {"id": "1", "name": "Ana", "isMe": True}
        self.tests[number] = {"id": number, "at": content["at"], "kit": content["kit"], "note": None, "by": by, "version": 1, "values": values}

    def value(self, one):
        step = next((step for step in STEPS if step["choice"] == one.get("choice")), None)
        value = step["value"] if step else one["value"]
        lower, upper = (step["lower"], step["upper"]) if step else (None, None)
        low = upper is not None and upper < LIMITS[0] if step else value < LIMITS[0]
        high = lower is not None and lower > LIMITS[1] if step else value > LIMITS[1]
        return {
            "parameter": one["parameter"], "value": value, "unit": "ppm", "canonicalValue": value, "lower": lower, "upper": upper,
            "choice": one.get("choice"), "finding": "low" if low else "high" if high else "inRange",
        }  # fmt: skip

    def ordered(self):
        return sorted(self.tests.values(), key=lambda test: test["at"])

    def points(self, name):
        found = [(test, value) for test in self.ordered() for value in test["values"] if value["parameter"] == name]
        return [{"test": test["id"], "at": test["at"], "kit": test["kit"], "by": test["by"], "value": value} for test, value in found]

    def last(self, name):
        before, last = ([None, None] + self.points(name))[-2:]
        middle = last["value"]["value"] if last else 8
        expected = {"least": middle - 4, "greatest": middle + 4}
        return {"parameter": name, "last": last, "before": before, "expected": expected, "possible": {"least": 0, "greatest": 1_000}}

    def test(self, method, headers, content, number):
        self.sent.append((number, content))
        names = [one["parameter"] for one in content["values"]]
        strange = [one for one in content["values"] if one.keys() not in ({"parameter", "value", "unit"}, {"parameter", "choice"})]
        if method != "PUT" or content.keys() != MEMBERS or strange or len(set(names)) != len(names) or not names:
            return refused(422, "unprocessable", f"{method} {content}")
        if headers.get("If-Match"):
            return refused(412, "changed-elsewhere", "Nothing is changed here.")
        if number in self.tests:
            return answered(200, self.tests[number])
        typed = [one for one in content["values"] if "value" in one]
        far = [one for one in typed if abs(one["value"] - self.last(one["parameter"])["expected"]["least"] - 4) > 4]
        if (far or self.stern) and not content["confirmed"]:
            return refused(409, "please-confirm", "Some values are far from the last ones.")
        self.keep(number, content)
        return answered(201, self.tests[number])
