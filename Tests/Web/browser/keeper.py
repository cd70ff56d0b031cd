"""A service with reminders, as `many` has tanks: what is due, what was done about it, by whom, and the feeds of calendars."""

from datetime import date, datetime, timedelta, timezone

from many import Refused, Service, at

ME = {"id": "11", "name": "Mika", "isMe": True}
ANA = {"id": "12", "name": "Ana", "isMe": False}
LINK = "aqn_care"
NAMES = ("Koi pond", "Reef 300", "Nursery tank", "Quarantine")


class Keeper(Service):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.reminders = {}
        self.acts = {}  # (reminder, on): act
        self.puts = []  # every act and reminder that was sent
        self.feeds = []
        self.work = []
        self.told = []  # (reminder, on) of the message whose link is LINK
        self.refuses = None  # what acts are refused with

    def device(self, name):
        return {**super().device(name), "name": NAMES[self.names.index(name)]}

    def remind(self, number, device, name, rhythm, days=0, clock="18:00", who=(), activity="other", step=7):
        """A reminder whose open occurrence is so many days ahead, or past."""
        identifier = f"00000000-0000-4000-8000-{number:012}"
        self.reminders[identifier] = {
            "id": identifier, "device": device, "name": name, "activity": activity, "rhythm": rhythm, "at": clock, "zone": "UTC",
            "startsOn": str(today() + timedelta(days=days - 28)), "nextAt": None, "state": "ahead", "late": 0, "who": list(who),
            "notes": "", "endedAt": None, "lastDoneAt": None, "lastDoneBy": None, "version": 1, "days": days, "step": step,
        }  # fmt: skip
        return identifier

    def do(self, identifier, on, what="done", by=ANA, when=None):
        self.acts[identifier, on] = {"id": f"act {identifier} {on}", "what": what, "on": on, "at": when or at(-60), "by": by, "until": None}

    def on(self, identifier, days=0):
        return f"{today() + timedelta(days=days)}T{self.reminders[identifier]['at']}"

    def answer(self, method, path, query, body):
        steps = path.split("/")[1:]
        if path == "/account":
            return {**super().answer(method, path, query, body), "name": "Mika", "createdAt": "2026-01-01T00:00:00.000001Z"}
        if path == "/care":
            ends = [query.get(name, [None])[0] for name in ("from", "until")]
            return self.care(*(date.fromisoformat(end) if end else today() + timedelta(days) for end, days in zip(ends, (-30, 31), strict=True)))
        if steps[0] == "care-answers":
            return self.answer_link(path, body)
        if path == "/care/preview":
            return [{"on": f"{today() + timedelta(days=days)}T{body['at']}", "at": at()} for days in (0, 3, 7)]
        if steps[0] == "calendar-feeds":
            return self.feed(method, steps[1:], body)
        if len(steps) > 3 and steps[2] == "work":
            self.work.append((steps[1], body))
            return {"id": steps[3], **body}
        if len(steps) > 2 and steps[2] == "reminders":
            return self.reminder(method, steps[1], steps[3], steps[4:], body)
        if path == "/reminder-proposals":
            rhythms = {"water-change": ("Water change", "waterChange"), "clean-filter": ("Clean the filter", "cleanFilter")}
            return [{"id": one, "name": name, "activity": kind, "rhythm": {"afterDone": 7}, "at": "18:00"} for one, (name, kind) in rhythms.items()]
        if path.endswith("/chain"):
            return {"steps": [], "people": [{"id": ANA["id"], "name": "Ana"}], "last": None}
        return super().answer(method, path, query, body)

    def feed(self, method, steps, body):
        if method == "POST":
            made = {"id": str(len(self.feeds) + 1), "name": body["name"], "device": None, "alarms": False, "madeAt": at(), "fetchedAt": None}
            self.feeds.append(made)
            return {"address": "https://water.example.org/calendar/aqc_c2VjcmV0.ics", "feed": made}
        if method == "DELETE":
            self.feeds = [feed for feed in self.feeds if feed["id"] != steps[0]]
        return self.feeds

    def answer_link(self, path, body):
        """What a message told, and what its link answers: of what nobody has done yet, and only by a request that is no look."""
        if body["token"] != LINK:
            raise Refused(410, "The link has ended", "link-expired")
        is_look = path.endswith("/look")
        if not is_look and body["answer"] not in ("done", "tomorrow"):
            raise Refused(422, "No such answer")
        for told in [] if is_look else self.told:
            if told not in self.acts:
                self.do(*told, "done" if body["answer"] == "done" else "later", ME)
                self.acts[told]["until"] = None if body["answer"] == "done" else at(86_400)
        return {"said": "Said so.", "items": [self.told_item(*told) for told in self.told], "language": self.language}

    def told_item(self, identifier, on):
        one, act = self.reminders[identifier], self.acts.get((identifier, on))
        by = act and act["by"]
        return {
            "tank": NAMES[self.names.index(one["device"])], "name": one["name"], "on": on, "isOpen": act is None, "what": act and act["what"],
            "by": by and by["name"], "isYou": bool(by and by["isMe"]), "until": act and act["until"],
        }  # fmt: skip

    def reminder(self, method, device, identifier, steps, body):
        if method == "GET":
            acts = [{**act, "on": on} for (of, on), act in self.acts.items() if of == identifier]
            return {"items": sorted(acts, key=lambda act: act["on"], reverse=True), "next": None}
        self.puts.append((method, "/".join([identifier, *steps]), body))
        if self.refuses:
            raise Refused(*self.refuses)
        if steps:
            return self.act(method, identifier, steps[1], body)
        if method == "DELETE":
            self.reminders.pop(identifier, None)
            return {}
        # Whoever makes it is told, unless somebody is chosen.
        people = [by for by in (ME, ANA) if by["id"] in body.get("who", [ME["id"]])]
        before = self.reminders.get(identifier, {"days": 0, "step": 7, "version": 0, "endedAt": None, "lastDoneAt": None, "lastDoneBy": None})
        made = {**before, **body, "id": identifier, "device": device, "who": people, "version": before["version"] + 1}
        self.reminders[identifier] = made
        return made

    def act(self, method, identifier, number, body):
        if method == "DELETE":
            self.acts = {key: act for key, act in self.acts.items() if act["id"] != number}
            return {}
        if (body["what"] == "later") != ("until" in body):
            raise Refused(422, "Until when is not said")
        self.acts[identifier, body["on"]] = {"until": None, **body, "id": number, "by": ME}
        return self.acts[identifier, body["on"]]

    def care(self, first, last):
        reminders = [{name: value for name, value in one.items() if name not in ("days", "step")} for one in self.reminders.values()]
        occurrences = [found for one in self.reminders.values() for found in self.occurrences(one) if first <= date.fromisoformat(found["on"][:10]) <= last]
        return {"zone": "UTC", "reminders": reminders, "occurrences": occurrences}

    def occurrences(self, one):
        """Four that are over, the open one, and those to come."""
        for count in range(-4, 5):
            day = today() + timedelta(days=one["days"] + count * one["step"])
            on = f"{day}T{one['at']}"
            time = datetime.fromisoformat(on).replace(tzinfo=timezone.utc)
            is_over = time <= datetime.now(timezone.utc)
            act = self.acts.get((one["id"], on))
            if count < 0 and not act:
                act = {"id": f"act {one['id']} {on}", "what": "done", "at": f"{on}:00Z", "by": ME if count % 2 else ANA, "until": None}
            state = "missed" if one["days"] < 0 and count == -2 else act["what"] if act else "late" if day < today() else "due" if is_over else "ahead"
            if state == "missed":
                act = None
            if state == "later":
                state = "ahead"
            yield {
                "reminder": one["id"], "on": on, "at": act["until"] if act and act["until"] else f"{on}:00Z", "state": state, "act": act and act["id"],
                "by": act and act["by"], "actedAt": act and act["at"], "laterUntil": act and act["until"],
            }  # fmt: skip


def today():
    return datetime.now(timezone.utc).date()


def pond(service):
    """The story of the pictures: one late, two today, one done by somebody else, two to come."""
    koi, reef, nursery, quarantine = service.names
    month = {"every": "month", "interval": 1, "day": 1}
    service.remind(1, reef, "Calibrate the pH probe", {"every": "day", "interval": 30}, days=-3, clock="10:00", activity="calibrate", step=30)
    service.remind(2, koi, "Water change 20 %", {"every": "week", "interval": 1, "days": ["wednesday"]}, clock="23:50", who=[ME], activity="waterChange")
    service.remind(3, nursery, "Feed the fry", {"every": "day", "interval": 1}, clock="23:55", who=[ANA], activity="feed", step=1)
    tested = service.remind(4, quarantine, "Test ammonia by hand", {"every": "week", "interval": 1, "days": ["monday", "thursday"]}, clock="00:05", activity="test")
    service.remind(5, koi, "Clean the filter", {"afterDone": 14}, days=3, activity="cleanFilter", step=14)
    service.remind(6, reef, "Refill the doser", month, days=12, activity="dose", step=30)
    service.do(tested, service.on(tested))
