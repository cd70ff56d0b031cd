"""An installation as its operators see it: as strict as the service about who that is, and about the password, given lately."""

import json

from book import answered, refused
from many import Service, at

COUNT = 120


def finding(topic, status, text, mend=None):
    return {"topic": topic, "status": status, "finding": text, "mend": mend}


class Installation(Service):
    def __init__(self, tanks=1):
        super().__init__(tanks)
        self.is_operator = True
        self.is_fresh = False
        self.is_well = False
        self.sessions = {f"keeper-{number:03}@example.org": number % 3 for number in range(COUNT)} | {"ada@example.org": 2}
        self.signed_out = []

    def answer(self, method, path, query, body):
        if path == "/account":
            return {**super().answer(method, path, query, body), "isOperator": self.is_operator}
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        if (method, path) == ("POST", "/sessions/proof"):
            self.is_fresh = json.loads(body)["password"] == "a very good password"
            return answered(204, None) if self.is_fresh else refused(403, "wrong-password", "Wrong")
        if not path.startswith("/operation"):
            return None
        if not self.is_fresh:
            return refused(403, "password-needed", "Once more")
        if not self.is_operator:
            return refused(404, "not-found", "There is nothing here")
        if path == "/operation":
            return answered(200, self.well() if self.is_well else self.ill())
        if path == "/operation/accounts":
            return answered(200, self.page(query, "email", [self.account(email) for email in sorted(self.sessions)], "email"))
        if path == "/operation/devices":
            return answered(200, self.page(query, "id", self.devices(), "id"))
        if path == "/operation/audit":
            return answered(200, {"items": self.changes(), "next": None})
        if (method, path) == ("POST", "/operation/sign-out"):
            email = json.loads(body)["email"]
            ended, self.sessions[email] = self.sessions[email], 0
            self.signed_out.append(email)
            return answered(200, {"sessions": ended})
        return None

    def page(self, query, name, items, key):
        begins, cursor = (query.get(one, [""])[0] for one in (name, "cursor"))
        limit = int(query["limit"][0])
        found = [item for item in items if item[key].startswith(begins) and item[key] > cursor]
        return {"items": found[:limit], "next": found[limit - 1][key] if len(found) > limit else None}

    def account(self, email):
        return {
            "email": email, "createdAt": at(-9e6), "seenAt": at(-7200) if self.sessions[email] else None, "sessions": self.sessions[email],
            "devices": 3, "projects": int(email.startswith("ada")), "isReached": not email.endswith("7@example.org"), "isOperator": email.startswith("ada"),
        }  # fmt: skip

    def devices(self):
        usual = {"heardAt": at(-20), "isOnline": True, "family": "esphome", "version": "2026.4.1", "owner": "ada@example.org", "isOfProject": False, "rejected": 0}
        return [
            {"id": "canary-1", "standing": "live", **usual},
            {"id": "hatchery-01", "standing": "live", **usual, "isOfProject": True},
            {"id": "pond-1", "standing": "silent", **usual, "heardAt": at(-200_000), "rejected": 12},
            {"id": "pond-2", "standing": "unheard", **usual, "heardAt": None, "isOnline": None, "family": None, "version": None},
            {"id": "spare-1", "standing": "unlinked", **usual, "heardAt": None, "isOnline": None, "family": None, "version": None, "owner": None},
        ]

    def changes(self):
        usual = {**self.audit()[0], "changes": [], "subject": None, "parameter": None, "unit": None, "isOwn": False, "account": "ben@example.org"}
        rows = [
            {"action": "limit.change", "device": "pond-1", "actorName": "ben@example.org"},
            {"action": "endpoint.add", "device": None, "actorName": "ben@example.org"},
            {"action": "session.end", "device": None, "actor": "operator", "actorName": "ana@example.org", "clientName": "Safari · iPhone"},
            {"action": "operator.give", "device": None, "actor": "operator", "actorName": "root", "network": None, "account": "ana@example.org"},
            {"action": "device.change", "device": "hatchery-01", "actor": "token", "actorName": "Importer", "account": "Lake Farm"},
        ]
        return [{**usual, **row, "id": 90 - n, "at": at(-n * 30_000)} for n, row in enumerate(rows)]

    def well(self):
        nothing = {"count": 0, "since": None}
        return {
            "away": [], "readings": nothing, "alerts": nothing, "deliveries": nothing, "people": 12, "unreached": 0, "projects": 1,
            "devices": {"live": 48, "silent": 0, "unheard": 0, "unlinked": 2}, "rejects": [], "sent": [], "lookedAt": None, "findings": [],
        }  # fmt: skip

    def ill(self):
        fine = [finding("database", "ok", f"check {number}") for number in range(31)]
        return {
            "away": ["notifier"], "readings": {"count": 3, "since": at(-2)}, "alerts": {"count": 100_000, "since": at(-4000)},
            "deliveries": {"count": 14, "since": at(-600)}, "people": 121, "unreached": 2, "projects": 1,
            "devices": {"live": 1204, "silent": 1, "unheard": 3, "unlinked": 17},
            "rejects": [{"reason": "malformed", "count": 1834}, {"reason": "unknownDevice", "count": 12}, {"reason": "unknownUnit", "count": 3}, {"reason": "landslide", "count": 1}],
            "sent": [
                {"channel": channel, "state": state, "count": count}
                for channel, state, count in (("webPush", "failed", 3), ("webPush", "accepted", 2120), ("email", "accepted", 80), ("telegram", "stale", 1), ("pigeon", "lost", 1))
            ],
            "lookedAt": at(-3600),
            "findings": [
                *fine,
                finding("backup", "wrong", "the last good backup is 3 days old", "Look at its log: docker compose logs backup; deploy/OPERATING.md, “Backups”."),
                finding("canary", "notice", "there is none: nobody outside would notice that no alert arrives any more", "Run: aqua canary create --webhook URL"),
                finding("disk", "skipped", "not looked at, for AQUA_DISK_SIZE does not say how large it is"),
            ],
        }  # fmt: skip
