"""A service with messages, deletions, approvals and reports, as strict as its API is documented: a dry run deletes nothing, what is deleted is
what was counted, and nothing of an approved period goes."""

from keeper import Keeper
from many import Refused, at

HOUR = 3_600


class Archive(Keeper):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.readings = 120
        self.deletions, self.approvals, self.wishes = [], [], []

    def answer(self, method, path, query, body):
        steps = path.split("/")[1:]
        kind = steps[2] if len(steps) > 2 and steps[0] == "devices" else None
        if kind == "messages":
            return self.messages(query)
        if kind == "deletions" and method == "POST":
            return self.delete(body)
        if kind == "approvals" and method == "POST":
            return self.withdraw(steps[3], body) if steps[-1] == "withdraw" else self.approve(body)
        if kind == "report":
            return self.report(steps[1], query)
        if kind in ("rejects", "probes", "watchers", "invitations"):
            return []
        return super().answer(method, path, query, body)

    def messages(self, query):
        """Two pages, of which the second begins after a page without any."""
        only, cursor = query.get("only", [None])[0], query.get("cursor", [None])[0]
        if only == "history":
            return {"items": [], "next": None}
        if cursor == "gap":
            return {"items": [], "next": "older"}
        late = only == "late"
        items = [self.message(number + (50 if cursor else 0), late) for number in range(1 if late else 20)]
        return {"items": items, "next": None if cursor or late else "gap"}

    def message(self, number, is_late):
        delay = HOUR if is_late or number == 3 else 2
        return {
            "time": at(-60 * number - delay), "receivedAt": at(-60 * number), "delay": delay, "late": delay > 900, "receiptTime": number == 5,
            "history": False, "doubtedTime": False, "inParts": number == 7, "approved": number > 50,
            "deleted": ["ph"] if number == 9 else [], "values": [{"parameter": "ph", "value": 7.4 + number / 100, "unit": "ppm"}],
        }  # fmt: skip

    def delete(self, wish):
        self.wishes.append(wish)
        if any(approval["withdrawn"] is None for approval in self.approvals):
            raise Refused(409, "A period in it is approved", "period-approved")
        if wish.get("dryRun"):
            return {"deleted": False, "messages": self.readings, "readings": self.readings}
        if wish["readings"] != self.readings:
            raise Refused(409, "The readings have changed", "readings-changed")
        count, self.readings = self.readings, 0
        self.deletions.append({
            "id": "1", "at": at(), "from": wish["from"], "until": wish["until"], "parameters": ["ph"], "messages": count, "readings": count,
            "reason": wish["reason"], "by": {"id": "11", "name": "Mika", "isMe": True},
        })  # fmt: skip
        return {"deleted": True, "messages": count, "readings": count}

    def approve(self, wish):
        approval = {
            "id": f"00000000-0000-4000-b000-{len(self.approvals):012}", "from": wish["from"], "until": wish["until"], "at": at(),
            "note": wish["note"], "by": {"id": "11", "name": "Mika", "isMe": True}, "withdrawn": None,
        }  # fmt: skip
        self.approvals.append(approval)
        return approval

    def withdraw(self, number, wish):
        approval = next(one for one in self.approvals if one["id"] == number)
        approval["withdrawn"] = {"at": at(), "by": "Mika", "reason": wish["reason"]}
        return approval

    def report(self, device, query):
        approved = any(one["withdrawn"] is None for one in self.approvals)
        figures = {"unit": "ppm", "count": 1000, "secondsUndecided": 0, "worked": 0, "leastAt": at(-HOUR), "greatestAt": at(-HOUR)}
        parameters = [
            {"parameter": "ph", **figures, "hours": 160, "mean": 7.43, "least": 7.1, "greatest": 8.9, "secondsOutOfRange": 5400, "minimum": 6.5, "maximum": 8.5},
            {"parameter": "temperature", **figures, "hours": 168, "mean": 8.2, "least": 8, "greatest": 8.5, "secondsOutOfRange": 0, "minimum": None, "maximum": 9},
        ]  # fmt: skip
        alerts = [
            {"at": at(-2 * HOUR), "since": at(-2 * HOUR), "kind": "range", "purpose": "alarm", "parameter": "ph", "title": "Koi pond: pH too high",
             "text": "8.9, above your maximum of 8.5 since 14:05.", "readingsDeletedAt": at(-HOUR) if self.deletions else None},
        ]  # fmt: skip
        journal = [{
            "id": "2", "device": device, "kind": "waterChanged", "at": at(-HOUR), "amount": 30, "unit": "percent", "subject": None, "count": None,
            "text": "Dechlorinated.", "photos": [], "by": {"id": "12", "name": "Ana", "isMe": False}, "details": None, "version": 1,
        }]  # fmt: skip
        report = {
            "device": device, "name": "Koi pond", "from": query["from"][0], "until": query["until"][0], "hours": 168,
            "approvedHours": 168 if approved else 0, "parameters": parameters, "alerts": alerts, "journal": journal, "deletions": self.deletions,
            "approvals": self.approvals, "complete": True,
        }  # fmt: skip
        return {"report": report, "checksum": "0123456789abcdef" * 4, "matches": None}
