"""A service with a farm: a project with its people and tanks, as strict as the real one about who may do what, and as whom."""

import math
import re
from datetime import datetime, timedelta, timezone

from many import MEASURED, Service, at

ROLES = ("owner", "administrator", "keeper", "viewer")
# What may be asked for as a project, as the service's routes declare it: everything else is about the person who asks.
DEVICE = r"/devices/[^/]+"
AS_PROJECT = {
    "GET": rf"/enrolment(/batches/[^/]+|/setup/[^/]+)?|/devices|/device-lives|/parameters|/presets(/[^/]+)?|/journal|/readings/latest|/audit(\.csv)?|{DEVICE}"
    rf"|{DEVICE}/(parameters|readings|tests|journal)([./].*)?"
    rf"|{DEVICE}/(probes|rejects|invitations|watchers|calibrations|work|questionnaire|life|messages|report|deletions|approvals|public|sample-receivers)"
    r"|/field-samples/(senders|received(\.csv|/[^/]+)?)",
    "POST": rf"/enrolment(/look)?|/presets|/parameters/(preset|back-tests)|/devices|{DEVICE}/key|{DEVICE}/parameters/(preset|reset)|{DEVICE}/invitations|{DEVICE}/work/[^/]+/(extend|finish)"
    rf"|{DEVICE}/deletions|{DEVICE}/sample-receivers|{DEVICE}/approvals(/[^/]+/withdraw)?",
    "PUT": rf"/presets/[^/]+|{DEVICE}/(parameters/order|probes/chosen|questionnaire|public)",
    "PATCH": rf"{DEVICE}|{DEVICE}/parameters(/[^/]+)?",
    "DELETE": rf"/enrolment/batches/[^/]+|/sample-receivers/[^/]+|/presets/[^/]+|{DEVICE}|{DEVICE}/public|{DEVICE}/(invitations|watchers|tests|journal|work|parameters/[^/]+/calibrations)/.+",
}
LAKE = "42"
ROOMS = (("Hatchery", 24), ("Raceway", 12), ("Shop", 8), ("Quarantine", 4))


class Farm(Service):
    """`tanks` tanks of Lake Farm, and `own` of the person's own."""

    def __init__(self, tanks, own=2):
        super().__init__(tanks + own)
        self.role = "owner"
        self.project_name = "Lake Farm"
        self.inside = set(self.names[own:])
        self.members = [
            self.member("m1", "Mika Sato", "owner", isMe=True),
            self.member("m2", "Ana Ruiz", "keeper"),
            self.member("m3", "Vet, Dr. Vogel", "viewer", until=at(9 * 86_400)),
        ]
        self.invitations = []
        self.versions = 1
        self.limits = {}  # (tank, parameter): (minimum, maximum)
        self.as_project = []  # paths that were asked for as the project
        self.silent, self.working = set(), {}
        self.is_gone = False
        self.entries = []
        self.shifts, self.covers, self.always = [], [], False
        self.places = {}  # tank: (latitude, longitude)
        self.due = []  # (tank, name) of what is to be done today

    def member(self, number, name, role, until=None, isMe=False):  # noqa: N803
        return {"id": number, "name": name, "role": role, "since": at(-9e6), "until": until, "isMe": isMe}

    def raw(self, method, path, query, headers, body):
        project = headers.get("Aqua-Project")
        if project is not None:
            self.as_project.append(path)
            if not re.fullmatch(AS_PROJECT.get(method, "-"), path):
                return self.problem(400, "That is about a person", "not-for-projects")
            if project != LAKE:
                return self.problem(404, "There is no such project", "not-found")
            if self.role not in ROLES[:2]:
                return self.problem(403, "Administrators alone act as the project", "administrators-only")
            if path == "/devices" and method == "GET":
                return self.json({"items": [self.device(name) for name in self.names if name in self.inside], "next": None})
        if method == "PATCH" and path == f"/projects/{LAKE}" and headers.get("If-Match") is None:
            return self.problem(428, "Say which version you change", "precondition-required")
        if method == "DELETE" and path.startswith("/projects"):
            return self.removed(path)
        if method == "PUT" and path == f"/projects/{LAKE}/shifts" and self.role not in ROLES[:2]:
            return self.problem(403, "Administrators alone set shifts", "administrators-only")
        if method == "PUT" and path == f"/projects/{LAKE}/shifts" and headers.get("If-Match") is None:
            return self.problem(428, "Say which version you change", "precondition-required")
        return None

    def answer(self, method, path, query, body):
        if path == "/projects" and method == "GET":
            return [] if self.is_gone else [self.project()]
        if path == "/projects":
            self.is_gone, self.project_name = False, body["name"]
            return self.project()
        if path == "/projects/invitations/look":
            return {"name": "Lake Farm", "by": "Mika Sato", "role": "keeper", "devices": len(self.inside), "expiresAt": at(6e5), "state": "open"}
        if path == "/projects/join":
            self.role = "keeper"
            return self.project()
        if path == "/field-samples":
            return {"items": [], "next": None}
        if path == "/field-protocols":
            return {"protocols": []}
        if path == "/journal":
            tank = query.get("device", [None])[0]
            return {"items": [one for one in self.entries if tank in (None, one["device"])], "next": None}
        if path == "/parameters":
            items = [{"device": name, "tag": '"v1"', "parameters": self.listed(name)} for name in self.names]
            return {"items": items, "next": None}
        if path == "/care":
            return self.care()
        if path.endswith("/inventory"):
            koi = {"id": "l1", "species": "Koi", "count": 5, "since": None, "until": None, "note": None, "version": 1}
            return {"livestock": [koi], "equipment": []}
        if path == "/kits":
            return []
        if path.endswith("/series"):
            return self.series(path.split("/")[2], path.split("/")[4], query)
        if path.startswith(f"/projects/{LAKE}"):
            return self.of_project(method, path.removeprefix(f"/projects/{LAKE}"), body)
        return super().answer(method, path, query, body)

    def of_project(self, method, path, body):
        if self.is_gone:
            return None
        if path == "":
            if method == "PATCH":
                self.project_name = body["name"]
            return self.project()
        if path == "/members":
            return self.members
        if path.startswith("/members/"):
            member = next(one for one in self.members if one["id"] == path.split("/")[-1])
            member.update(body)
            return member
        if path == "/invitations":
            if method == "POST":
                made = {"id": str(len(self.invitations) + 1), "role": body["role"], "until": body.get("until"), "createdAt": at(), "expiresAt": at(6e5), "state": "open"}
                self.invitations.append(made)
                token = "aqj_" + "0" * 49
                return {"invitation": made, "token": token, "link": f"https://water.example/join#{token}"}
            return self.invitations
        if path.startswith("/shifts"):
            return self.of_shifts(method, path, body)
        if path == "/public":
            return {"page": None}
        if path == "/devices":
            self.inside.add(body["device"])
            return self.device(body["device"])
        if path.startswith("/parameters/"):
            name = path.split("/")[-1]
            for tank in body["devices"]:
                minimum, maximum = self.limits.get((tank, name), (7, 9))
                self.limits[tank, name] = (body.get("minimum", minimum), body.get("maximum", maximum))
            return {"devices": len(body["devices"]), "changed": len(body["devices"])}
        return None

    def of_shifts(self, method, path, body):
        if path == "/shifts/me":
            self.always = body["always"]
        elif path == "/shifts/cover":
            self.covers = [one for one in self.covers if (one["shift"], one["day"], one["from"]) != (body["shift"], body["day"], body["from"])]
            if body["member"] != body["from"]:
                self.covers.append(body)
        elif method == "PUT":
            self.shifts = [{**one, "id": one.get("id") or f"s{place}"} for place, one in enumerate(body["shifts"])]
        return self.rota()

    def rota(self):
        """Turns by the clock of UTC, which is the project's."""
        turns, now = [], datetime.now(timezone.utc)
        for ahead in range(-1, 8):
            day = (now + timedelta(days=ahead)).date()
            for shift in self.shifts:
                if day.strftime("%A").lower() not in shift["days"]:
                    continue
                since, until = (datetime.fromisoformat(f"{day}T{shift[end]}:00+00:00") for end in ("from", "until"))
                until += timedelta(days=until <= since)
                taken = {one["from"]: one["member"] for one in self.covers if (one["shift"], one["day"]) == (shift["id"], str(day))}
                if until > now and since < now + timedelta(days=7) and shift["members"]:
                    members = [taken.get(one, one) for one in shift["members"]]
                    turns.append({"shift": shift["id"], "day": str(day), "since": since.isoformat(), "until": until.isoformat(), "members": members})
        gaps, free = [], now
        for turn in sorted(turns, key=lambda one: one["since"]):
            since, until = (datetime.fromisoformat(turn[end]) for end in ("since", "until"))
            if since > free:
                gaps.append({"since": free.isoformat(), "until": since.isoformat()})
            free = max(free, until)
        known = {"timeZone": "UTC", "shifts": self.shifts, "covers": self.covers, "turns": turns, "gaps": gaps}
        return {**known, "isReached": True, "always": self.always, "version": 1}

    def removed(self, path):
        kind, number = path.split("/")[3:5] if path.count("/") > 2 else ("", "")
        if kind == "members":
            self.members = [one for one in self.members if one["id"] != number]
        elif kind == "invitations":
            self.invitations = [one for one in self.invitations if one["id"] != number]
        else:
            self.is_gone = True
            self.inside.clear()
        return 204, "text/plain", b""

    def project(self):
        return {"id": LAKE, "name": self.project_name, "role": self.role, "until": None, "devices": len(self.inside), "members": len(self.members), "version": 1}

    def device(self, name):
        place = self.names.index(name)
        own = len(self.names) - len(self.inside)
        is_inside = name in self.inside
        device = super().device(name)
        room = place - own
        for title, count in ROOMS:
            if room < count:
                break
            room -= count
        label = f"{title} {room + 1}" if is_inside else ("Koi pond", "Reef 300")[place] if place < 2 else f"Tank {place}"
        project = {"id": LAKE, "name": self.project_name, "role": self.role} if is_inside else None
        work = self.working.get(name)
        heard = {"online": False, "silentSince": at(-11_000), "lastReadingAt": at(-11_000)} if name in self.silent else {}
        latitude, longitude = self.places.get(name, (None, None))
        where = {"latitude": latitude, "longitude": longitude}
        return {**device, **where, "name": label, "role": "watcher" if is_inside else "owner", "project": project, "work": work, **heard}

    def latest(self, tank, name):
        row = super().latest(tank, name)
        place = self.names.index(tank) * 7 + MEASURED.index(name) * 3
        if row["state"] == "within":
            row["canonicalValue"] = 8.0 if name in self.flat.get(tank, []) else 7.3 + place % 13 / 10
        if tank in self.silent:
            row["time"] = at(-11_000)
        return row

    def entry(self, number, tank, kind, seconds, **more):
        """Something that Ana wrote down."""
        by = {"id": "m2", "name": "Ana", "isMe": False}
        nothing = dict.fromkeys(("amount", "unit", "subject", "count", "text", "details"))
        return {"id": f"e{number}", "device": tank, "kind": kind, "at": at(-seconds), "by": by, "photos": [], "version": 1, **nothing, **more}

    def care(self):
        """What is due today, for anybody to do."""
        day = at()[:10]
        usual = {"activity": "other", "rhythm": {"every": "day", "interval": 1}, "at": "00:00", "zone": "UTC", "startsOn": day, "state": "due", "late": 0}
        usual |= {"nextAt": None, "who": [], "notes": "", "endedAt": None, "lastDoneAt": None, "lastDoneBy": None, "version": 1}
        reminders = [{**usual, "id": f"r{number}", "device": tank, "name": name} for number, (tank, name) in enumerate(self.due)]
        nothing = dict.fromkeys(("act", "by", "actedAt", "laterUntil"))
        on = f"{day}T00:00"
        return {"zone": "UTC", "reminders": reminders, "occurrences": [{**nothing, "reminder": one["id"], "on": on, "at": f"{on}:00Z", "state": "due"} for one in reminders]}

    def series(self, tank, name, query):
        """A swing of a day, which is smaller from six days ago on; the second tank is half a unit lower."""
        begin = datetime.fromisoformat(query["from"][0])
        end = datetime.fromisoformat(query["until"][0]) if "until" in query else datetime.now(timezone.utc)
        step = max(60, (end - begin).total_seconds() / 400)
        points = []
        time = begin
        while time < min(end, datetime.now(timezone.utc)):
            swing = 1.2 if time.timestamp() < datetime.now(timezone.utc).timestamp() - 6 * 86_400 else 0.5
            value = 8 + swing * math.sin(time.timestamp() / 86_400 * 2 * math.pi) - 0.5 * (self.names.index(tank) % 2)
            points.append({"time": time.isoformat().replace("+00:00", "Z"), "mean": value, "minimum": value, "maximum": value, "count": 1})
            time += timedelta(seconds=step)
        figures = {"count": len(points), "secondsOutOfRange": 33_000 if self.names.index(tank) % 2 else 0}
        return {"unit": "ppm", "resolution": "raw", "step": step, "gap": 900 + step, "points": points, "statistics": figures}

    def listed(self, tank):
        rows = self.parameters()
        for row in rows:
            row["minimum"], row["maximum"] = self.limits.get((tank, row["name"]), (7, 9))
        return rows
