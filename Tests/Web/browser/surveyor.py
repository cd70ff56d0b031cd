"""A service that takes field samples, as strict as its API is documented: the app chooses the ids, the same again is no new version, a change names
the version it knows, photos carry nothing that their camera wrote, and nothing is deleted by absence."""

import json
import re
from datetime import datetime
from urllib.parse import unquote

from book import Book, answered, jpeg, refused
from many import at

SAMPLE = r"/field-samples/(?P<sample>[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"
PROTOCOL = r"/field-protocols/(?P<protocol>[a-z][a-z0-9-]{0,39})"
PHOTO = SAMPLE + r"/photos/(?P<photo>[0-9a-f-]{36})"
MEMBERS = {
    "device", "protocol", "protocolVersion", "begunAt", "endedAt", "zone", "utcOffset", "state", "surveyors", "weather", "habitat", "comment",
    "position", "values", "track",
}  # fmt: skip
FIELD = {"id", "kind", "label", "help", "method", "required", "each", "parameter", "unit", "minimum", "maximum", "choices", "species"}
SAID = {"number", "below", "above", "choice", "count", "text", "flag", "notMeasured"}
ME = {"id": "1", "name": "Mika", "isMe": True}


def field(identifier, kind, label, **more):
    nothing = {"help": None, "parameter": None, "unit": None, "minimum": None, "maximum": None, "method": None}
    return {**nothing, "choices": [], "species": [], "meanOf": [], "required": False, "each": "sample", "id": identifier, "kind": kind, "label": label, **more}


def choices(*names):
    return [{"id": name, "label": name.capitalize(), "from": None, "to": None} for name in names]


QUICK = [
    field("oxygen", "number", "Oxygen", parameter="dissolved_oxygen", unit="mg/L", minimum=0, maximum=30, help="optical probe"),
    field("water_temperature", "number", "Temperature", parameter="temperature", unit="C", minimum=-5, maximum=60, required=True),
    field("nitrate", "class", "Nitrate", unit="mg/L", choices=[
        {"id": "0-1", "label": "0 to 1", "from": 0, "to": 1}, {"id": "1-5", "label": "1 to 5", "from": 1, "to": 5}, {"id": "5", "label": "5 and more", "from": 5, "to": None}]),
    field("smell", "choice", "Smell", choices=choices("none", "earthy", "sewage")),
    field("foam", "flag", "Foam on the water"),
]  # fmt: skip
LAKE = [
    field("secchi_down", "number", "Disk out of sight", unit="m", minimum=0, maximum=80),
    field("secchi_up", "number", "Disk in sight again", unit="m", minimum=0, maximum=80),
    field("secchi_mean", "number", "Secchi depth", unit="m", meanOf=["secchi_down", "secchi_up"]),
    field("oxygen", "number", "Oxygen", unit="mg/L", minimum=0, maximum=30, each="depth"),
]
ROUTE = [
    field("colour", "choice", "Colour", choices=choices("clear", "brown", "green"), each="station"),
    field("animals", "count", "Animals found", species=[
        {"id": "mayfly", "label": "Mayfly larva", "scientific": "Ephemeroptera"}, {"id": "stonefly", "label": "Stonefly larva", "scientific": "Plecoptera"},
        {"id": "leech", "label": "Leech", "scientific": "Hirudinea"}]),
]  # fmt: skip


def protocol(identifier, name, fields, stations=0, depths=False, text=None):
    return {"id": identifier, "version": 1, "name": name, "help": text, "builtIn": True, "stations": stations, "depths": depths, "fields": fields}


PROTOCOLS = [
    protocol("river-quick", "River, quick", QUICK, text="5 values, about 10 minutes"), protocol("lake-secchi", "Lake with Secchi disk", LAKE, depths=True),
    protocol("fixed-route", "Fixed route", ROUTE, stations=4),
]  # fmt: skip


class Surveyor(Book):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.versions = {}  # sample: [each version as it was answered], the present one last
        self.pictures = {}  # (sample, photo): bytes
        self.sent = []  # every request that changed something: method, path, content
        self.loses = set()  # photos that are taken and then forgotten
        self.own = {}  # protocols that people made: each version, the present one last
        self.denies = None  # why samples are refused
        self.sites = {}  # key: site
        self.asked_of = []  # of which place samples were listed; None: of all

    def device(self, name):
        place = {"tank-000": (46.9480, 7.4474), "tank-001": (46.9520, 7.4474)}.get(name)
        named = {"name": {"tank-000": "Weir, lower gauge", "tank-001": "Old mill"}.get(name, name), "kind": "site"}
        return {**super().device(name), **named, **({"latitude": place[0], "longitude": place[1]} if place else {})}

    def answer(self, method, path, query, body):
        if path == "/account":
            return {**super().answer(method, path, query, body), "name": "Mika", "createdAt": "2026-01-01T00:00:00.000001Z"}
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        if path == "/sessions/sign-out":
            self.has_session = False
            return answered(204, None)
        if method == "GET" and path in ("/sessions", "/tokens"):
            return answered(200, [])
        if path == "/service":
            return answered(200, {"provider": None})
        if path == "/field-protocols":
            return answered(200, {"protocols": [*PROTOCOLS, *(versions[-1] for versions in self.own.values())]})
        if found := re.fullmatch(PROTOCOL, path):
            return self.protocol(method, headers, body, found["protocol"])
        if path == "/field-samples":
            self.asked_of.append(query.get("device", [None])[0])
            known = [all_of[-1] for all_of in self.versions.values() if self.asked_of[-1] in (None, all_of[-1]["device"])]
            present = sorted(({**one, "track": []} for one in known), key=lambda one: one["changedAt"], reverse=True)
            return answered(200, {"items": present, "next": None})
        if path == "/sites" and method == "POST":
            return self.site(headers, json.loads(body))
        if found := re.fullmatch(PHOTO, path):
            return self.picture(method, headers, body, query, **found.groupdict())
        if found := re.fullmatch(SAMPLE + "/versions", path):
            return answered(200, [{**{name: one[name] for name in ("version", "state", "changedAt")}, "by": ME} for one in self.versions[found["sample"]][::-1]])
        if found := re.fullmatch(SAMPLE, path):
            return self.sample(method, headers, query, body, found["sample"])
        return super().raw(method, path, query, headers, body)

    def site(self, headers, wish):
        key = headers.get("Idempotency-Key")
        self.sent.append(("POST", "/sites", wish))
        if not key or not wish.get("name"):
            return refused(422, "unprocessable", f"{key} {wish}")
        if key not in self.sites:
            name = f"tank-{len(self.names):03}"
            self.names.append(name)
            self.sites[key] = {**self.device(name), "id": name, "name": wish["name"]}
        return answered(201, self.sites[key])

    def protocol(self, method, headers, body, name):
        versions = self.own.get(name, [])
        if method == "GET":
            return tagged(200, versions[-1]) if versions else refused(404, "not-found", "There is none.")
        content = json.loads(body)
        self.sent.append((method, name, content))
        if any(one["id"] == name for one in PROTOCOLS):
            return refused(409, "protocol-is-built-in", "")
        if fault := protocol_fault(content):
            return refused(422, "invalid-input", fault)
        if versions and "If-Match" not in headers and all(versions[-1][member] == content[member] for member in ("name", "help", "stations", "depths")):
            return tagged(200, versions[-1])  # the same again
        if bool(versions) != ("If-Match" in headers) or versions and headers["If-Match"] != f'"v{len(versions)}"':
            return refused(412, "precondition-failed", "Somebody else changed it.")
        fields = [{**one, "meanOf": []} for one in content["fields"]]
        self.own.setdefault(name, []).append({**content, "fields": fields, "id": name, "version": len(versions) + 1, "builtIn": False})
        return tagged(200 if versions else 201, self.own[name][-1])

    def sample(self, method, headers, query, body, sample):
        kept = self.versions.get(sample)
        if method == "GET":
            number = int(query["version"][0]) if "version" in query else 0
            return tagged(200, kept[number - 1]) if kept else refused(404, "not-found", "There is none.")
        condition = headers.get("If-Match")
        if method == "DELETE":
            self.sent.append((method, sample, None))
            if not condition:
                return refused(428, "precondition-required", "")
            if condition != f'"v{kept[-1]["version"]}"':
                return refused(412, "precondition-failed", "")
            kept.append({**kept[-1], "values": [], "state": "withdrawn", "version": len(kept) + 1, "changedAt": at()})
            return tagged(200, kept[-1])
        content = json.loads(body)
        self.sent.append((method, sample, content))
        if self.denies:
            return refused(422, "unprocessable", self.denies)
        if fault := fault_of(content, [*PROTOCOLS, *(versions[-1] for versions in self.own.values())]):
            return refused(400, "invalid-input", fault)
        content.pop("sentAt", None)
        if kept and same(kept[-1], content):
            return tagged(200, kept[-1])
        if condition and not kept:
            return refused(404, "not-found", "There is none.")
        if bool(kept) != bool(condition) or kept and condition != f'"v{kept[-1]["version"]}"':
            return refused(412, "precondition-failed", "Somebody else changed it.")
        return tagged(201 if not kept else 200, self.keep(sample, content))

    def keep(self, sample, content, by=ME):
        kept = self.versions.setdefault(sample, [])
        photos = kept[-1]["photos"] if kept else []
        values = [{**dict.fromkeys(("station", "depth", *SAID)), **value} for value in content["values"]]
        kept.append({
            **content, "values": values, "id": sample, "version": len(kept) + 1, "isFlagged": False, "clockOffset": 0, "author": by, "receivedAt": at(),
            "changedAt": at(), "means": [], "review": None, "photos": photos, "receivers": ["Water board"],
        })  # fmt: skip
        return kept[-1]

    def change(self, sample, value):
        """As another phone changes one value."""
        before = self.versions[sample][-1]
        values = [{**one, "number": value} if one["field"] == "oxygen" else one for one in before["values"]]
        self.keep(sample, {**{name: before[name] for name in MEMBERS}, "values": values})

    def picture(self, method, headers, body, query, sample, photo):
        present = self.versions[sample][-1]
        if method == "GET":
            found = self.pictures.get((sample, photo))
            return (200, "image/jpeg", found) if found else refused(404, "not-found", "")
        self.sent.append((method, photo, None))
        if method == "DELETE":
            present["photos"] = [one for one in present["photos"] if one["id"] != photo]
            return answered(204, {})
        (width, height), words = jpeg(body)
        taken = datetime.fromisoformat(unquote(query["takenAt"][0]).replace("Z", "+00:00"))
        if len(body) > 300_000 or words or taken.year < 2000:
            return refused(422, "unprocessable", f"{len(body)} bytes, {words}")
        if photo in self.loses:
            self.loses.remove(photo)
            return answered(201, {})
        self.pictures[sample, photo] = body
        if photo not in [one["id"] for one in present["photos"]]:
            present["photos"] = [*present["photos"], {"id": photo, "takenAt": at(), "type": "image/jpeg", "width": width, "height": height, "bytes": len(body)}]
        return answered(201, {})


def tagged(status, sample):
    return status, "application/json", json.dumps(sample).encode()


def same(one, content):
    """Whether a version says the same, whatever is null."""
    plain = [[{name: said for name, said in value.items() if said is not None} for value in of["values"]] for of in (one, content)]
    return plain[0] == plain[1] and all(one[name] == content[name] for name in MEMBERS - {"values"})


def protocol_fault(content):
    if set(content) != {"name", "help", "stations", "depths", "fields"} or not 0 <= content["stations"] <= 50 or not content["fields"]:
        return f"/{set(content)}"
    if len({one["id"] for one in content["fields"]}) != len(content["fields"]):
        return "/fields"
    for number, one in enumerate(content["fields"]):
        if set(one) != FIELD or not re.fullmatch("[a-z0-9_-]{1,40}", one["id"]) or not 1 <= len(one["label"]) <= 80:
            return f"/fields/{number}"
        if one["each"] == "station" and content["stations"] == 0 or one["each"] == "depth" and not content["depths"]:
            return f"/fields/{number}/each"
        kind = one["kind"]
        if (len(one["choices"]) >= 2) != (kind in ("class", "choice")) or bool(one["species"]) != (kind == "count"):
            return f"/fields/{number}/choices"
        if kind not in ("number", "class") and (one["parameter"] or one["unit"]):
            return f"/fields/{number}/parameter"
    return None


def fault_of(content, protocols):
    if strange := content.keys() ^ MEMBERS ^ {"sentAt"}:
        return f"/{strange}"
    known = next((one for one in protocols if one["id"] == content["protocol"]), None)
    if not known or known["version"] != content["protocolVersion"] or content["state"] not in ("begun", "done") or not content["device"]:
        return "/protocol"
    if not isinstance(content["utcOffset"], int) or len(content["track"]) > 20:
        return "/track"
    for number, value in enumerate(content["values"]):
        of = next((one for one in known["fields"] if one["id"] == value["field"]), None)
        said = [name for name in SAID if value.get(name) is not None]
        spot = {"sample": (False, False), "station": (True, False), "depth": (False, True)}[of["each"]] if of else None
        if not of or of["meanOf"] or len(said) != 1 or spot != (value.get("station") is not None, value.get("depth") is not None):
            return f"/values/{number}"
        if set(value) - SAID - {"field", "station", "depth"}:
            return f"/values/{number}"
        figure = next((value[name] for name in ("number", "below", "above") if name in value), None)
        if figure is not None and of["minimum"] is not None and not of["minimum"] <= figure <= of["maximum"]:
            return f"/values/{number}/number"
        if said == ["count"] and any(set(one) != {"species", "count"} for one in value["count"]):
            return f"/values/{number}/count"
    return None
