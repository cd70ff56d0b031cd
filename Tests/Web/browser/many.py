"""A service with as many tanks as a walk wants: linking 200 through the real one takes as long as its limits against guessing want.

It answers what the app asks for, counts it, and tells events when the walk says so.
"""

import contextlib
import json
import mimetypes
import os
import queue
import re
import threading
import time
from datetime import datetime, timedelta, timezone
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from declared import undeclared
from watched import require

# Another version of the app, to compare with.
WEB = Path(os.environ.get("AQUA_WEB") or Path(__file__).resolve().parents[3] / "Services/Gateway/Web")
MEASURED = ("temperature", "ph", "dissolved_oxygen", "ammonia", "nitrate", "nitrite", "alkalinity", "hardness")
PAGES = 50
# The product's own look, or that of a walk about another.
BRAND = {"name": "AquaMonitor", "filePrefix": "aquamonitor-", "logo": None}


def at(seconds=0):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def parameter(name, position):
    return {
        "name": name, "unit": "ppm", "units": ["ppm"], "minimum": 7, "maximum": 9, "criticalMinimum": None, "criticalMaximum": None,
        "delaySeconds": 0, "tellsUnstable": True, "changePerHour": None, "aheadMinutes": None, "hasMinimum": True, "least": 0, "greatest": 20,
        "decimals": 1, "colour": "#5882B8", "position": position, "version": 1,
        "scale": {"unit": "ppm", "decimals": 1, "factor": 1, "offset": 0, "table": None},
    }  # fmt: skip


def languages():
    """What the Gateway makes of the catalogues: the shell, the list of languages, and two scripts of the sentences of each."""
    folder = WEB.parents[2] / "Shared/Words/Languages"
    found = {file.stem: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}
    names = {code: words["language"]["name"] for code, words in found.items()}
    imports = ",".join(f'{code}: {{ first: () => import("./{code}.js"), others: () => import("./{code}-others.js") }}' for code in found)
    first = json.loads((WEB / "lang/first.json").read_text())
    files = {}
    for code, words in found.items():
        whole = {**words["shared"], **words["app"], "language": words["language"]}
        for path, are_first in ((f"/lang/{code}.js", True), (f"/lang/{code}-others.js", False)):
            part = {section: {name: text for name, text in texts.items() if is_first(first, section, name) == are_first} for section, texts in whole.items()}
            files[path] = "export default " + json.dumps(part)
    files["/lang/languages.js"] = f"export const languages = {json.dumps(names)};\nexport const catalogues = {{ {imports} }};\n"
    files["/lang/languages.js"] += f"export const brand = {json.dumps(BRAND)};\n"

    def spans(match):
        section, name = match[1].split(".")
        return "".join(f'<span lang="{code}">{escape(words["app"][section][name].replace("{brand}", BRAND["name"]))}</span>' for code, words in found.items())

    for path in ("/index.html", "/manifest.webmanifest"):
        files[path] = (WEB / path[1:]).read_text().replace("{brand}", BRAND["name"])
    shell = files["/index.html"].replace('data-languages=""', f'data-languages="{" ".join(found)}"')
    files["/index.html"] = re.sub(r'<span data-words="([^"]+)"></span>', spans, shell)
    return {path: text.encode() for path, text in files.items()}


def is_first(first, section, name):
    key = f"{section}.{name}"
    return section in first or key in first or key.startswith(tuple(entry + "_" for entry in first))


MADE = languages() if (WEB / "lang/index.js").exists() and 'data-languages=""' in (WEB / "index.html").read_text() else {}


def styles_of(path):
    """All styles below a folder, in the order of their names, as the Gateway packs them: /screens/*.css."""
    return b"".join(file.read_bytes() for file in sorted((WEB / path.split("/")[1]).rglob("*.css"), key=str))


class Refused(Exception):
    """The service does not take something, for good."""

    def __init__(self, status, title, code="refused"):
        super().__init__(title)
        self.status, self.title, self.code = status, title, code


class Service:
    """Tanks with the values of their parameters, and what was asked of them."""

    def __init__(self, tanks):
        self.names = [f"tank-{number:03}" for number in range(tanks)]
        self.outside = {}  # (tank, parameter): side
        self.snoozes = []
        self.answers = []
        self.calls = []
        self.chain = {"steps": [], "people": [], "last": None}
        self.link = {}  # what differs of the link of an alert
        self.ways = []
        self.here = None  # the way that is the browser itself
        self.untaken = {}  # way: alerts that it did not take
        self.bars = {}  # way: {place of a stretch from 0 to 27: (taken, not taken)}
        self.tested = []  # what became of a test, an answer for each time it is asked for; the last one stays
        self.summary = {"rhythm": "off", "weekday": "monday", "at": "08:00", "weeklyNote": "push", "timeZone": "UTC", "nextAt": None}
        self.has_session = True
        self.is_away = False  # files are served, and no request is answered
        self.flat = {}  # tank: [parameter]
        self.lives = {}  # tank: what it says of itself
        self.works = {}  # tank: the work on its water
        self.language = "en"
        self.asked, self.posted, self.streams = [], [], []
        self.refused = []  # requests by query names that their routes do not declare: a walk that made one fails
        self.began = at(-3600)

    def sizes(self):
        """How often each kind of thing was asked for since the last time."""
        asked, self.asked = self.asked, []
        kinds = [re.sub(r"/tank-\d+|/parameters/\w+", "", path) for path in asked]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}

    def tell(self, name, data):
        for stream in list(self.streams):
            stream.put((name, data))

    def end(self):
        """Ends the session, which the app finds out by asking for something."""
        self.has_session = False
        for stream in self.streams:
            stream.put(None)
        self.streams.clear()

    def read(self, tank, value, parameter="temperature"):
        self.tell("reading", {"device": tank, "time": at(), "values": {parameter: value}})

    def answer(self, method, path, query, body):
        if method == "POST" and path in ("/sessions", "/sessions/renewal"):
            return {"accessToken": "a", "expiresIn": 3600, "session": "s"}
        if path == "/account":
            return {"email": "ana@example.org", "language": self.language, "timeZone": "UTC", "createdAt": at(), "name": "Ana"}
        if path == "/settings":
            return {"language": self.language, "timeZone": "UTC", "throttleSeconds": None, "colourScheme": "system", "name": None}
        if path == "/devices":
            return {"items": [self.device(name) for name in self.names], "next": None}
        if path == "/device-lives":
            return {"items": [self.life(name) for name in self.names], "next": None}
        if path.endswith("/life"):
            return {**self.life(path.split("/")[2]), "days": [], "changes": []}
        if path == "/parameters":
            begin = int(query.get("cursor", ["0"])[0])
            items = [{"device": name, "tag": '"v1"', "parameters": self.parameters()} for name in self.names[begin : begin + PAGES]]
            return {"items": items, "next": str(begin + PAGES) if begin + PAGES < len(self.names) else None}
        if path == "/readings/latest":
            return [self.latest(tank, name) for tank in self.names for name in MEASURED]
        if path == "/snoozes":
            return self.snoozes
        if method == "GET" and path.endswith("/public"):
            return {"page": None}
        if method == "GET" and path.endswith("/second"):
            return {"pair": None}
        if method == "GET" and path.endswith(("/sample-receivers", "/field-samples/senders")):
            return []
        if path == "/field-samples/received":
            return {"items": [], "cursor": "0", "hasMore": False}
        if path == "/quiet-hours":
            return {"hours": None, "timeZone": "Europe/Vienna", "quietUntil": None, "waiting": 0, "waitingUntil": None}
        if path == "/summary":
            self.summary.update(body or {})
            return self.summary
        if path == "/summaries":
            return {"alert": "summary"}
        if path == "/calls":
            return self.calls
        if path == "/care":
            return {"zone": "UTC", "reminders": [], "occurrences": []}
        if path.endswith("/chain"):
            return self.chain
        if path == "/answers" and method == "GET":
            return self.answers
        if path in ("/answers/look", "/answers"):
            return self.linked()
        if path == "/alerts/test" and self.tested:
            return self.tested.pop(0) if len(self.tested) > 1 else self.tested[0]
        if path.startswith("/alerts/") and method == "GET":
            return next((alert for alert in self.alerts({}) if path == f"/alerts/{alert['id']}"), None)
        if path.endswith("/back-test"):
            return {"since": at(-9e6), "until": at(), "tooNew": False, "results": [{"alarms": 0, "reminders": 0, "times": []}]}
        if path.endswith("/questionnaire") and method == "GET":
            said = dict.fromkeys(("kind", "litres", "outdoors", "winter", "plants", "carbonDioxide", "probes"))
            follows = {"proposals": [], "parametersTag": '"v1"', "strangers": [], "reminders": []}
            return {"version": 0, "at": None, "by": None, "answers": {**said, "species": []}, **follows}
        if path == "/reminder-proposals":
            return []
        if path == "/journal":
            return {"items": [], "next": None}
        if path.endswith("/tests/latest"):
            return {"items": [], "nextDueAt": None}
        if path.endswith("/tests"):
            return {"items": [], "next": None}
        if path.endswith("/calibrations"):
            nothing = dict.fromkeys(("lastCalibratedAt", "ageDays", "deviation", "grade", "drift", "due", "reminderDays", "electrode"))
            return {"items": [], "handChecks": [], **nothing} if "/parameters/" in path else []
        if path.endswith("/by-hand"):
            return {"unit": "ppm", "points": []}
        if path.endswith("/why"):
            return {"steps": []}
        if path == "/enrolment":
            return {"state": "off", "allowed": False, "left": 0, "most": 1000, "port": 0, "tls": False, "httpUrl": None}
        if path == "/account/identities":
            return {"hasPassword": True, "identities": []}
        if path == "/account/events":
            return {"items": [], "next": None}
        if path == "/audit":
            return {"items": self.audit(), "next": None}
        if path == "/push-subscription":
            return {"applicationServerKey": "AQ" if self.here else None, "endpoint": self.way(self.here)}
        if path.split("/")[1] in ("endpoints", "messaging-services"):
            return self.ways_of(method, path.split("/")[1:])
        if path == "/test-alerts":
            return {"alert": "test"}
        if path == "/alerts":
            return {"items": self.alerts(query), "next": None}
        if path.endswith("/series"):
            now = time.time()
            points = [{"time": at(-age), "mean": 8 + age % 3600 / 7200, "count": 1} for age in range(43_200, 0, -360)]
            return {"unit": "ppm", "resolution": "raw", "step": 360, "gap": 900, "points": points, "statistics": {}, "now": now}
        if method == "POST" and path.endswith("/snooze"):
            device, name, side = path.split("/")[2].split(".")
            return {"device": device, "kind": "range", "parameter": name, "side": side, "until": at(1800), "acknowledged": False}
        if method == "POST" and path.endswith("/answer"):
            return {"onIt": self.answered(path.split("/")[2], body["parameter"], body["side"])}
        return None

    def raw(self, method, path, query, headers, body):
        """The answer to what is not JSON alone: status, type and contents. None: `answer` has it."""
        return None

    def json(self, answer, status=200):
        return status, "application/json", json.dumps(answer).encode()

    def problem(self, status, title, code, **more):
        return status, "application/problem+json", json.dumps({"title": title, "code": code, **more}).encode()

    def way(self, number):
        return next((way for way in self.ways if way["id"] == number), None)

    def ways_of(self, method, steps):
        """All ways, one of them, what it took, or another secret for it; one that is removed is there no longer."""
        if steps == ["endpoints"]:
            return {"items": self.ways, "next": None}
        if steps == ["messaging-services"]:
            return {"items": [{"channel": "email", "name": "E-mail", "fields": []}, {"channel": "ntfy", "name": "ntfy", "fields": []}]}
        number = int(steps[1]) if steps[1].isdigit() else 0
        way = self.way(number)
        if way is None:
            return None
        if method == "DELETE":
            self.ways.remove(way)
        if steps[2:] == ["secret"]:
            return {"endpoint": way, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
        if steps[2:] == ["deliveries"]:
            counts = [self.bars.get(number, {}).get(place, (0, 0)) for place in range(28)]
            periods = [
                {"begin": at((place - 28) * 21_600), "taken": taken, "untaken": untaken} for place, (taken, untaken) in enumerate(counts)
            ]
            return {"since": periods[0]["begin"], "until": at(), "periods": periods, "untaken": self.untaken.get(number, [])}
        return way

    def missed(self, tank, name, side, seconds, state="delivered", **answer):
        """An alert that a way did not take."""
        told = {**self.alert(tank, name, side), "decidedAt": at(-seconds), "state": state, "acceptedAt": at(-seconds) if state == "delivered" else None}
        return {**told, "delivery": "stale", "outcome": "retry", "status": None, **answer}

    def answered(self, device, name, side, by="Ana", is_you=True):
        """Somebody is on it, for an hour."""
        of = {"device": device, "kind": "range", "parameter": name, "side": side}
        return {**of, "name": by, "isYou": is_you, "since": at(-300), "until": at(3300), "solvedAt": None}

    def linked(self):
        """One alert, as the link of it shows it."""
        return {
            "title": "Oxygen is low", "text": "6.7 ppm, falling. Your minimum is 7.0.", "device": "Koi pond", "isOver": False, "you": "Mika",
            "sentAt": at(-60), "until": at(14_400), "onIt": None, "snoozedUntil": None, "others": ["Ana", "Kenji"],
            "said": "Reminders stop for an hour.", "language": self.language, **self.link,
        }  # fmt: skip

    def device(self, name):
        return {
            "id": name, "name": f"Tank {name[-3:]}", "role": "owner", "latitude": None, "longitude": None, "since": at(-9e6), "online": True,
            "showsOnDevice": False, "silentSince": None, "silenceHint": None, "lastReadingAt": at(-5), "brokenProbes": self.broken(name), "clock": None, "unreadable": None,
            "work": self.works.get(name), "moves": False, "lastPosition": None,
        }  # fmt: skip

    def life(self, tank):
        """The words of a device about itself; none unless a walk says so."""
        nothing = dict.fromkeys(
            ("family", "version", "versionSince", "newer", "battery", "batteryAt", "daysLeft", "signal", "signalAt", "linkQuality", "startedAt",
             "resetReason", "notedAt", "silence")
        )  # fmt: skip
        return {"device": tank, "isOlder": False, "restartsADay": 0, "needs": [], **nothing, **self.lives.get(tank, {})}

    def broken(self, tank):
        """Probes that have told the same value since the beginning."""
        return [{"parameter": name, "since": self.began, "flatAt": 8.0} for name in self.flat.get(tank, [])]

    def parameters(self):
        return [parameter(name, position) for position, name in enumerate(MEASURED)]

    def latest(self, tank, name):
        side = self.outside.get((tank, name))
        value = {"low": 6.0, "high": 10.0, None: 8.0}[side]
        return {
            "device": tank, "parameter": name, "time": at(-5), "canonicalValue": value, "state": side or "within",
            "since": self.began if side else None,
        }  # fmt: skip

    def audit(self):
        """What was changed in the last two days, of several kinds."""
        usual = dict.fromkeys(("actorName", "device", "parameter", "unit", "target", "subject", "session", "request", "network", "clientName"))
        usual |= {"outcome": "done", "times": 1, "actor": "account", "isOwn": True, "changes": []}
        pond = {"device": "tank-0", "subject": "Garden pond"}
        rows = [
            {"action": "limit.change", **pond, "parameter": "temperature", "unit": "C", "network": "203.0.113.0/24",
             "changes": [{"field": "maximum", "before": 24, "after": 26.5}, {"field": "criticalMaximum", "before": None, "after": 30}]},
            {"action": "watcher.join", **pond, "isOwn": False, "actorName": "Ben"},
            {"action": "request.refuse", "outcome": "refused", "times": 100, "actor": "token", "actorName": "Home Assistant", "subject": "insufficient-scope"},
            {"action": "session.open", "clientName": "Safari · iPhone", "network": "2001:db8:1::/48"},
            {"action": "device.rotateKey", **pond, "actor": "operator", "isOwn": False},
        ]
        return [{**usual, **row, "id": 50 - n, "at": at(-n * 36_000)} for n, row in enumerate(rows)]

    def alerts(self, query):
        wanted = {key: query.get(key, [None])[0] for key in ("device", "parameter")}
        return [
            self.alert(tank, name, side)
            for (tank, name), side in self.outside.items()
            if wanted["device"] in (None, tank) and wanted["parameter"] in (None, name)
        ]

    def alert(self, tank, name, side):
        return {
            "id": f"{tank}.{name}.{side}", "kind": "range", "purpose": "alarm", "state": "delivered", "title": "", "text": "",
            "decidedAt": self.began, "eventTime": self.began, "since": self.began, "acceptedAt": None,
            "device": {"id": tank, "name": f"Tank {tank[-3:]}"}, "parameter": name, "side": side, "unit": "ppm", "decimals": 1,
            "value": 6, "worst": 6, "limit": 7, "checkProbe": False, "reasons": [], "deliveries": [],
        }  # fmt: skip


def handler_of(service):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            self.serve("GET")

        def do_POST(self):
            self.serve("POST")

        def do_PUT(self):
            self.serve("PUT")

        def do_PATCH(self):
            self.serve("PATCH")

        def do_DELETE(self):
            self.serve("DELETE")

        def serve(self, method):
            url = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if not url.path.startswith("/api/v1"):
                return self.file(url.path)
            path = url.path.removeprefix("/api/v1")
            if service.is_away:
                self.close_connection = True
                return None
            service.asked.append(path)
            if names := undeclared(method, path, url.query):
                service.refused.append(f"{method} {self.path}: {names}")
                return self.send(422, "application/problem+json", json.dumps({"title": "Unknown inputs", "code": "invalid-input"}).encode())
            if path == "/live":
                return self.stream()
            if method == "POST" and path == "/sessions":
                service.has_session = True
            if not service.has_session:
                return self.send(401, "application/problem+json", b"{}")
            if (raw := service.raw(method, path, parse_qs(url.query), self.headers, body)) is not None:
                return self.send(*raw)
            try:
                answer = service.answer(method, path, parse_qs(url.query), json.loads(body or b"null"))
            except Refused as refused:
                problem = {"title": refused.title, "code": refused.code}
                return self.send(refused.status, "application/problem+json", json.dumps(problem).encode())
            if method != "GET":
                service.posted.append((path, json.loads(body or b"null")))
            self.send(404 if answer is None else 200, "application/json", json.dumps({} if answer is None else answer).encode())

        def file(self, path):
            file = WEB / path.lstrip("/")
            # Every path that is no file is a screen of the app.
            found = file if file.is_file() or path in MADE else WEB / "index.html"
            made = MADE.get(path if path in MADE else "/index.html" if found.name == "index.html" else "")
            content = styles_of(path) if "*" in path else made or found.read_bytes()
            self.send(200, "text/css" if "*" in path else mimetypes.guess_type(found)[0] or "text/plain", content)

        def send(self, status, kind, content):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("ETag", '"v1"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def stream(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            events = queue.Queue()
            service.streams.append(events)
            events.put(("ready", {}))
            number = 0
            with contextlib.suppress(OSError):
                while (event := events.get()) is not None:
                    number += 1
                    self.wfile.write(f"event: {event[0]}\nid: {number}\ndata: {json.dumps(event[1])}\n\n".encode())
                    self.wfile.flush()
            self.close_connection = True

    return Handler


@contextlib.contextmanager
def serving(tanks, make=Service):
    """A service with so many tanks, and its origin."""
    service = make(tanks)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(service))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service, f"http://127.0.0.1:{server.server_address[1]}"
        require(not service.refused, "no route declares these queries:\n  " + "\n  ".join(service.refused))
    finally:
        for stream in service.streams:
            stream.put(None)
        server.shutdown()
