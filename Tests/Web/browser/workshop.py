"""A service that makes devices, as strict as its API is documented: bodies have the members that are declared and no others, whoever makes
something proved themselves lately, one batch is open at a time, and what is shown once is sealed to the page that asked for it.
"""

import base64
import csv
import io
import json
import re
import uuid

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from farm import LAKE, Farm

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
COLUMNS = ("hardware_id", "name", "firmware", "preset")
FIRMWARE = {"native", "tasmota", "esphome", "zigbee2mqtt", "senml", "sensorthings", "reef-pi", "shelly", "shelly-gen1"}
PRESETS = {"koi", "reef"}
BATCH = r"/enrolment/batches/(?P<batch>[0-9a-f-]{36})"


def secret(name):
    """The key of a device: as long as real ones, and told from all else on a page."""
    return f"k3y-{name}-".ljust(43, "x")


class Refusal(Exception):
    """Status and code of a problem document."""


class Workshop(Farm):
    def __init__(self, tanks, own=2):
        super().__init__(tanks, own)
        self.state, self.allows = "ready", "projects"
        self.left = 1000
        self.taken = {"elsewhere"}  # ids of somebody else's devices
        self.is_fresh = False
        self.batches, self.deleted = {}, []
        self.made = {}  # id: name
        self.pace = 2  # how many devices are made between two looks
        self.refuses = {}  # id: reason, found out only when it is made
        self.spoils = set()  # ids whose sealed text is not for the page
        self.looks, self.wishes, self.proofs = [], [], []
        self.is_cut = False  # batches are not read just now

    def device(self, name):
        device = super().device(name)
        made = self.made.get(name)
        return {**device, "name": made, "online": False, "lastReadingAt": None} if made else device

    def raw(self, method, path, query, headers, body):
        if (answer := super().raw(method, path, query, headers, body)) is not None:
            return answer
        try:
            return self.enrolment(method, path, headers.get("Aqua-Project"), headers.get("Idempotency-Key"), json.loads(body) if body else None)
        except Refusal as refusal:
            status, code = refusal.args
            return self.problem(status, f"Refused: {code}", code)

    def answer(self, method, path, query, body):
        if path.startswith("/devices/") and path.endswith(("/probes", "/rejects", "/watchers", "/invitations")):
            return []
        return super().answer(method, path, query, body)

    def enrolment(self, method, path, project, key, body):
        if (method, path) == ("GET", "/enrolment"):
            is_allowed = self.allows == "people" or project is not None
            told = {"state": self.state, "allowed": is_allowed, "left": self.left if is_allowed else 0, "most": 1000}
            return self.json({**told, "port": 8883, "tls": True, "httpUrl": None})
        if (method, path) == ("GET", "/presets"):
            return self.json([{"id": name, "name": name.title(), "sources": [], "limits": []} for name in sorted(PRESETS)])
        if (method, path) == ("GET", "/service"):
            return self.json({"takesPasswords": True, "provider": None})
        if (method, path) == ("POST", "/sessions/proof"):
            members(body, {"password"})
            self.proofs.append(body)
            self.is_fresh = True
            return 204, "text/plain", b""
        if (method, path) == ("POST", "/enrolment/look"):
            members(body, {"csv"})
            require(len(body["csv"]) <= 250_000, 413, "body-too-large")
            self.looks.append(body["csv"])
            return self.json(self.look(body["csv"]))
        if (method, path) == ("POST", "/enrolment"):
            members(body, {"key", "link", "devices"})
            require(self.allows == "people" or project is not None, 403, "not-allowed-here")
            require(isinstance(body["link"], bool), 422, "invalid-input")
            require(self.is_fresh, 403, "password-needed")
            return self.begin("make", key, body, [self.wish(wish) for wish in body["devices"]])
        if method == "GET" and (found := re.fullmatch(r"/enrolment/setup/([a-z0-9-]+)", path)):
            require(found[1] in FIRMWARE, 404, "not-found")
            return self.json({"title": "Set-up", "file": "device.yaml", "text": 'password: "{{password}}"\n', "authority": None})
        if method == "POST" and (found := re.fullmatch(r"/devices/([^/]+)/key", path)):
            members(body, {"key"})
            require(self.is_fresh, 403, "password-needed")
            require(found[1] in self.names, 404, "not-found")
            return self.begin("rotate", key, {**body, "link": True}, [{"id": found[1], "name": self.device(found[1])["name"], "firmware": None}])
        if found := re.fullmatch(BATCH, path):
            require(found["batch"] in self.batches, 404, "not-found")
            require(not self.is_cut, 503, "busy")
            if method == "DELETE":
                self.deleted.append(self.batches.pop(found["batch"]))
                return 204, "text/plain", b""
            return self.json(self.advanced(self.batches[found["batch"]]))
        return None

    def look(self, text):
        """All faults with their lines, and the devices of the other lines."""
        rows = list(csv.reader(io.StringIO(text.replace("\r\n", "\n"))))
        heads = rows[0] if rows else []
        faults = [fault(1, name, "columns", name) for name in heads if name not in COLUMNS]
        if "hardware_id" not in heads:
            faults.append(fault(1, "hardware_id", "column-missing"))
        if faults:
            return {"devices": [], "faults": faults}
        devices, seen = [], {}
        for line, row in enumerate(rows[1:], 2):
            if not any(row):
                continue
            cells = {name: value.strip() or None for name, value in zip(heads, row)}
            wrong = self.wrong(line, cells, seen)
            faults += wrong
            if not wrong:
                name = cells["hardware_id"]
                state = "taken" if name in self.taken else "known" if name in self.names else "new"
                devices.append({"line": line, "id": name, **{column: cells.get(column) for column in COLUMNS[1:]}, "state": state})
        if not devices and not faults:
            faults.append(fault(1, None, "empty"))
        return {"devices": devices, "faults": faults}

    def wrong(self, line, cells, seen):
        name = cells.get("hardware_id")
        found = [] if name is None or ID.fullmatch(name) else [fault(line, "hardware_id", "id")]
        if name is None:
            found.append(fault(line, "hardware_id", "id-missing"))
        elif name in seen:
            found.append(fault(line, "hardware_id", "id-twice", str(seen[name])))
        seen.setdefault(name, line)
        for column, known in (("firmware", FIRMWARE), ("preset", PRESETS)):
            if cells.get(column) not in (None, *known):
                found.append(fault(line, column, column, cells[column]))
        return found

    def wish(self, wish):
        require(wish.keys() <= {"id", "name", "firmware", "preset"} and None not in wish.values(), 422, "invalid-input")
        require(wish.get("firmware") in (None, *FIRMWARE) and wish.get("preset") in (None, *PRESETS), 422, "invalid-input")
        name = wish.get("id") or f"aqua-{len(self.wishes):04}{uuid.uuid4().hex[:4].upper()}"
        require(ID.fullmatch(name), 422, "invalid-input")
        self.wishes.append(wish)
        return {"id": name, "name": wish.get("name", name), "firmware": wish.get("firmware")}

    def begin(self, kind, key, body, wished):
        require(key is not None, 400, "no-idempotency-key")
        require(self.state == "ready", 503, "enroller-silent")
        require(not any(batch["done"] < len(batch["devices"]) for batch in self.batches.values()), 409, "batch-open")
        members(body["key"], {"public", "auth"})
        public, auth = (decoded(body["key"][name]) for name in ("public", "auth"))
        require(len(public) == 65 and len(auth) == 16, 422, "invalid-input")
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
        number = str(uuid.uuid4())
        devices = [{**wish, "state": "waiting", "reason": None, "sealed": None} for wish in wished]
        self.batches[number] = {"kind": kind, "public": public, "auth": auth, "link": body["link"], "devices": devices, "done": 0}
        return self.json({"batch": number}, status=202)

    def advanced(self, batch):
        devices = batch["devices"]
        for device in devices[batch["done"] : batch["done"] + self.pace]:
            self.make(batch, device)
            batch["done"] += 1
        state = "done" if batch["done"] == len(devices) else "waiting"
        return {"kind": batch["kind"], "state": state, "done": batch["done"], "of": len(devices), "devices": devices}

    def make(self, batch, device):
        name = device["id"]
        if reason := self.refuses.get(name):
            device.update(state="refused", reason=reason)
            return
        told = {"id": name, "user": name, "password": secret(name), "host": "s3.mqtt.example.org", "port": 8883, "tls": True, "httpUrl": None}
        claim = None if batch["link"] else f"7KQ2-M8XD-{len(self.names):04}"
        content = json.dumps({**told, "claimCode": claim}).encode()
        sender = ec.generate_private_key(ec.SECP256R1())
        auth = b"0" * 16 if name in self.spoils else batch["auth"]
        sealed = http_ece.encrypt(content, private_key=sender, dh=batch["public"], auth_secret=auth, version="aes128gcm")
        device.update(state="made", sealed=base64.urlsafe_b64encode(sealed).decode().rstrip("="))
        if batch["link"] and name not in self.names:
            self.names.append(name)
            self.inside.add(name)
            self.made[name] = device["name"]


def fault(line, column, code, detail=None):
    return {"line": line, "column": column, "code": code, "detail": detail}


def members(body, names):
    require(isinstance(body, dict) and body.keys() == names, 422, "invalid-input")


def require(is_so, status, code):
    if not is_so:
        raise Refusal(status, code)


def decoded(text):
    require(re.fullmatch(r"[A-Za-z0-9_-]+", text), 422, "invalid-input")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
