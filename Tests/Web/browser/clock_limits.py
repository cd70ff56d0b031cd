"""A service whose limits change by the clock, as strict as its API is documented: periods come as a whole, two that hold at one time are refused,
and a change names the version that it knows. Whole hours of UTC are enough for a walk."""

import json
import re
import time

from book import answered, refused
from many import Service, at

PARAMETER = r"/devices/[\w-]+/parameters/(\w+)"
MEMBERS = {"from", "until", "firstDay", "lastDay", "minimum", "maximum", "criticalMinimum", "criticalMaximum"}


def hour(text):
    return int(text.split(":")[0])


class ClockLimits(Service):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.periods, self.version = [], 1
        self.sent = []  # all periods that came

    def parameters(self):
        return [self.with_periods(row) if row["name"] == "ph" else row for row in super().parameters()]

    def with_periods(self, row):
        zone = "Europe/Madrid" if self.periods else None
        return {**row, "periods": self.periods, "periodZone": zone, "held": self.held(row), "version": self.version}

    def place(self, number):
        """The period that holds in an hour of the day."""
        for index, period in enumerate(self.periods):
            if period["from"] and (number - hour(period["from"])) % 24 < (hour(period["until"]) - hour(period["from"])) % 24:
                return index
        return None

    def limits(self, row, number):
        place = self.place(number)
        of = row if place is None else self.periods[place]
        return {"period": place, "minimum": of["minimum"], "maximum": of["maximum"], "criticalMinimum": None, "criticalMaximum": None}

    def held(self, row):
        if not self.periods:
            return None
        now = time.gmtime().tm_hour
        turns = next((ahead for ahead in range(1, 25) if self.place(now + ahead) != self.place(now)), 24)
        return {**self.limits(row, now), "until": at((turns - 1) * 3600 + 3600 - time.time() % 3600)}

    def raw(self, method, path, query, headers, body):
        row = next(row for row in self.parameters() if row["name"] == "ph")
        if re.fullmatch(PARAMETER + "/limits", path):
            begin = time.time() // 3600 * 3600 - 20 * 3600
            steps = [
                {**self.limits(row, time.gmtime(begin + n * 3600).tm_hour), "from": at(begin + n * 3600 - time.time()), "until": at(begin + (n + 1) * 3600 - time.time())}
                for n in range(44)
            ]
            return answered(200, steps)
        if method == "PATCH" and re.fullmatch(PARAMETER, path):
            return self.change(headers, json.loads(body))
        return super().raw(method, path, query, headers, body)

    def change(self, headers, change):
        if headers.get("If-Match") != f'"v{self.version}"':
            return refused(412, "precondition-failed", "Somebody else changed it.")
        periods = change.get("periods", [])
        self.sent.append(periods)
        for period in periods:
            if not period.keys() <= MEMBERS or not (period["from"] or period["firstDay"]):
                return refused(422, "not-a-period", f"{period}")
        hours = [set((hour(p["from"]) + n) % 24 for n in range((hour(p["until"]) - hour(p["from"])) % 24)) for p in periods if p["from"]]
        if any(one & other for n, one in enumerate(hours) for other in hours[n + 1 :]):
            return refused(422, "periods-overlap", "The times 1 and 2 overlap: only one can hold at a time.")
        self.periods, self.version = periods, self.version + 1
        return answered(200, next(row for row in self.parameters() if row["name"] == "ph"))
