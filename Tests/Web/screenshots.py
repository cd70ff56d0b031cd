"""Pictures of every screen of the web app, from a running system.

screenshots.py STATE DIRECTORY REGEX     STATE is what deploy/screenshots has prepared; ends with 0 when all pictures whose
                                         names match were made
"""

import csv
import json
import math
import os
import re
import subprocess
import sys
import threading
import time
import traceback
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en": "en-GB", "ja": "ja-JP", "es": "es-ES", "de": "de-DE"}
SCHEMES = ("light", "dark")
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
PATIENCE = 30_000
PROBLEMS = {code: json.loads((ROOT / f"Shared/Words/Languages/{code}.json").read_text())["services"]["problem"] for code in LANGUAGES}
KEPT = """new Promise((resolve) => {
    const asked = indexedDB.open("aquamonitor");
    asked.onsuccess = () => {
        const got = asked.result.transaction("kept").objectStore("kept").get("overview");
        got.onsuccess = () => {
            asked.result.close();
            resolve(got.result?.devices?.length > 0);
        };
    };
})"""

expect.set_options(timeout=PATIENCE)


# --- Water ----------------------------------------------------------------------------------------------------------------

# What the recording does not have, drawn around these values: middle, daily swing.
UNRECORDED = {
    "ammonia": (0.08, 0.03, 2),
    "nitrate": (14.0, 3.0, 1),
    "nitrite": (0.09, 0.04, 2),
    "alkalinity": (118, 9, 0),
    "hardness": (362, 20, 0),
    "salinity": (4.9, 0.5, 1),
}
RECORDED = {"temp": "temperature", "ph": "ph", "do": "dissolved_oxygen"}


def recorded(until, changes=None, silent=()):
    """The recorded three days, the last of them at a time, as messages.

    changes: what other values there are, by the hours before the end. silent: spans of hours in which nothing was heard.
    """
    rows = list(csv.DictReader(open(ROOT / "deploy/demo/mendon-july-2019.csv", encoding="utf-8")))
    last = datetime.strptime(rows[-1]["datetime"], "%Y-%m-%d %H:%M")
    for row in rows:
        ago = (last - datetime.strptime(row["datetime"], "%Y-%m-%d %H:%M")).total_seconds() / 3600
        if any(begin >= ago >= end for begin, end in silent):
            continue
        values = {name: round(float(row[column]), 1) for column, name in RECORDED.items()}
        values |= unrecorded(ago)
        values |= changes(ago) if changes else {}
        yield until - timedelta(hours=ago), values


def unrecorded(ago):
    return {
        name: round(middle + swing * math.sin(ago / 24 * 2 * math.pi + index) + swing / 6 * math.sin(ago * 3 + index), decimals)
        for index, (name, (middle, swing, decimals)) in enumerate(UNRECORDED.items())
    }


def falling(ago):
    """A pump that failed two hours ago."""
    if ago > 2:
        return {"dissolved_oxygen": 8.1, "ph": 8.0} if ago < 6 else {}
    return {"dissolved_oxygen": round(5.9 + ago * 1.1, 1), "ph": 8.6 if ago < 1 else 8.3}


def calm(_):
    return {"ph": 8.1, "dissolved_oxygen": 8.2}


def sinking(ago):
    """On the way to a limit."""
    return {"ph": 8.1, "dissolved_oxygen": round(7.4 + min(ago, 2.5) * 0.4, 2)}


def stuck(ago):
    """A pH probe that has dried out."""
    return {"dissolved_oxygen": 8.2, "ph": 8.12 if ago < 30 else round(8.1 + 0.3 * math.sin(ago / 24 * 2 * math.pi), 2)}


# What a DS18B20 without its wire says.
BROKEN = -127


class Probe:
    """A device, which publishes as firmware does."""

    def __init__(self, state, device, password):
        self.device = device
        home = state / "probes" / device
        home.mkdir(parents=True)
        # mosquitto_pub reads options from here, so that no password is among its arguments.
        (home / "mosquitto_pub").write_text(f"-u {device}\n-P {password}\n", encoding="utf-8")
        topic = f"aqua/v1/{device}/readings"
        self.process = subprocess.Popen(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", os.environ["AQUA_PORT_MQTT"], "-i", device, "-q", "1", "-t", topic, "-l"],
            stdin=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(home)},
        )

    def publish(self, at, values):
        text = at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        self.process.stdin.write(json.dumps({"time": text, "readings": values}) + "\n")
        self.process.stdin.flush()


class Live(threading.Thread):
    """Publishes the last values of each probe, until it is stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.waters = {}
        self.stopped = threading.Event()

    def run(self):
        tick = 0
        while not self.stopped.wait(2):
            tick += 1
            for probe, values in list(self.waters.items()):
                wave = 0.1 * round(math.sin(tick / 9))
                moves = values.get("temperature") != BROKEN
                now = {name: round(value + (wave if moves and name == "temperature" else 0), 2) for name, value in values.items()}
                probe.publish(datetime.now(timezone.utc), now)


class Receiver(BaseHTTPRequestHandler):
    """Takes every alert."""

    def do_POST(self):  # noqa: N802, the name is the server's
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


# --- People ---------------------------------------------------------------------------------------------------------------


class Person:
    """Somebody, through the API."""

    def __init__(self, origin, name, password):
        self.origin, self.email, self.password = origin, f"{name}@aquamonitor.example", password
        self.client, self.token, self.signed_in_at = str(uuid.uuid4()), None, 0

    def require_session(self):
        # Access tokens live for ten minutes.
        if time.monotonic() - self.signed_in_at < 300 and self.token:
            return
        self.token, self.signed_in_at = None, time.monotonic()
        body = {"email": self.email, "password": self.password, "clientId": self.client}
        self.token = self.send("POST", "/sessions", body)["accessToken"]

    def ask(self, method, path, body=None, tag=None):
        self.require_session()
        return self.send(method, path, body, tag)

    def send(self, method, path, body=None, tag=None):
        headers = {"Content-Type": "application/json", "Origin": self.origin}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if tag:
            headers["If-Match"] = tag
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self.origin}/api/v1{path}", data, headers, method=method), timeout=30) as answer:
                self.tag = answer.headers.get("ETag")
                text = answer.read()
                return json.loads(text) if text else None
        except HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()[:500]}") from error

    def change(self, path, change):
        self.ask("GET", path)
        self.ask("PATCH", path, change, tag=self.tag)

    def link(self, code, name, place=None):
        device = self.ask("POST", "/devices", {"claimCode": code, "name": name})
        if place:
            self.change(f"/devices/{device['id']}", {"latitude": place[0], "longitude": place[1]})


def provision(origin, state):
    """Everybody's water. Returns the people and the thread that keeps the probes alive."""
    password = (state / "secrets/people").read_text(encoding="utf-8").strip()
    devices = {}
    for line in (state / "devices.json").read_text(encoding="utf-8").splitlines():
        added = json.loads(line)
        devices[added["deviceId"]] = added
    people = {name: Person(origin, name, password) for name in ("ana", "ben", "ida", "kai", "leo", "mia")}
    link = {
        "koi-pond": ("ana", "Koi pond", (48.2085, 16.3721)),
        "reef-tank": ("ana", "Reef tank", (48.2190, 16.3990)),
        "nursery": ("ana", "Nursery", (48.1901, 16.3304)),
        "rain-barrel": ("kai", "Rain barrel", None),
        "garden": ("ben", "Garden pond", (47.0707, 15.4395)),
        "lagoon": ("ida", "Lagoon", None),
        "hatchery": ("leo", "Hatchery", None),
    }
    for device, (name, title, place) in link.items():
        people[name].link(devices[device]["claimCode"], title, place)
    # Somebody shares theirs.
    people["ben"].token_of_share = people["ben"].ask("POST", "/devices/garden/invitations", {})["token"]
    people["ana"].ask("POST", "/invitations/accept", {"token": people["ben"].token_of_share})
    people["ben"].open_share = people["ben"].ask("POST", "/devices/garden/invitations", {})["token"]
    people["spring-code"] = devices["spring"]["claimCode"]

    now = datetime.now(timezone.utc)
    live = Live()
    probes = {device: Probe(state, device, added["mqttPassword"]) for device, added in devices.items() if device in link}
    sent = 0
    # By which the probe that has dried out is known.
    for at, values in recorded(now - timedelta(days=3, minutes=19), lambda ago: stuck(ago + 72)):
        probes["hatchery"].publish(at, values)
        sent += 1
    for device, changes, silent, lead in (
        ("koi-pond", falling, [(9.2, 8.4)], 4),
        ("reef-tank", sinking, [], 4),
        ("garden", calm, [], 4),
        ("hatchery", stuck, [], 4),
        ("nursery", calm, [(3.1, 0)], 4),
        ("lagoon", calm, [(2.1, 0)], 4),
    ):
        for at, values in recorded(now - timedelta(minutes=lead), changes, silent):
            probes[device].publish(at, values)
            sent += 1
    await_silence(sent)
    report_probes()
    report_rejects()
    fine = {"temperature": 15.3, "ph": 8.1, "dissolved_oxygen": 8.2} | unrecorded(0)
    alarm = fine | {"dissolved_oxygen": 5.8}
    # Something that was over at once, and something that goes on.
    probes["koi-pond"].publish(now - timedelta(seconds=3), alarm | {"nitrite": 0.31})
    # A probe that has been broken for two minutes, and limits that something is asked beside.
    broken = fine | stuck(0) | {"temperature": BROKEN}
    for minutes in (3, 2, 1):
        probes["hatchery"].publish(now - timedelta(minutes=minutes), broken)
    oxygen = "/devices/{}/parameters/dissolved_oxygen".format
    people["ana"].change(oxygen("koi-pond"), {"criticalMinimum": 4, "delaySeconds": 600})
    # Values that change fast, go to a limit, and have not changed for long.
    people["ana"].change("/devices/koi-pond/parameters/ph", {"changePerHour": 0.4})
    people["ana"].change(oxygen("reef-tank"), {"aheadMinutes": 180})
    sunk = fine | {"dissolved_oxygen": 7.4}
    for minutes in (3, 2, 1):
        probes["koi-pond"].publish(now - timedelta(minutes=minutes), alarm)
        probes["reef-tank"].publish(now - timedelta(minutes=minutes), sunk)
    live.waters = {
        probes["koi-pond"]: alarm, probes["reef-tank"]: sunk, probes["garden"]: fine, probes["hatchery"]: broken,
    }
    live.start()
    await_courses()
    # Of somebody whose water is fine: nothing waits.
    people["ben"].change(oxygen("garden"), {"criticalMinimum": 4})
    days = ["monday", "tuesday", "wednesday", "thursday", "sunday"]
    people["ben"].ask("PUT", "/quiet-hours", {"from": "22:30", "until": "07:00", "days": days, "silenceRings": True})
    people["ben"].ask("PUT", "/summary", {"rhythm": "weekly", "weekday": "sunday", "at": "09:00", "weeklyNote": "push"})
    remind(people["ben"], "garden")
    # Ana is asked whether she may be called.
    [other] = people["ben"].ask("GET", "/devices/garden/chain")["people"]
    people["ben"].ask("PUT", "/devices/garden/chain", {"steps": [{"after": 10, "person": other["id"]}]}, tag=people["ben"].tag)
    return people, live


def remind(person, device):
    """Something to do today, in some days, and every month."""
    plan = {"at": "23:30", "zone": "Europe/Vienna", "startsOn": str(datetime.now(timezone.utc).date()), "notes": ""}
    for name, activity, rhythm in (
        ("Feed the fry", "feed", {"every": "day", "interval": 1}),
        ("Clean the filter", "cleanFilter", {"afterDone": 14}),
        ("Refill the doser", "dose", {"every": "month", "interval": 1, "day": 1}),
    ):
        person.ask("PUT", f"/devices/{device}/reminders/{uuid.uuid4()}", {**plan, "name": name, "activity": activity, "rhythm": rhythm})


def ask(statement):
    return subprocess.run(["psql", "-XqAtc", statement], check=True, text=True, capture_output=True).stdout.strip()


def report_probes():
    """Two devices with several probes. In the reef tank the one in the water was replaced three hours ago."""
    ask("""
        INSERT INTO temperature_probe (slot, device_id, probe_id)
            SELECT slot, device_id, '00000566CC39' FROM device WHERE hardware_id IN ('koi-pond', 'reef-tank');
        INSERT INTO reported_probe
            SELECT d.slot, d.device_id, p.id, p.value, now() - p.age
            FROM device d JOIN (VALUES
                ('koi-pond', '00000566CC39', 15.3, interval '1 minute'), ('koi-pond', '0000059352D4', 21.8, '1 minute'),
                ('koi-pond', '00000A41F07B', NULL, '1 minute'), ('reef-tank', '00000566CC39', 15.2, '3 hours'),
                ('reef-tank', '0000059352D4', 15.3, '1 minute')
            ) AS p (device, id, value, age) ON p.device = d.hardware_id
        """)


def report_rejects():
    """The hatchery's firmware calls a parameter by a name of its own, and sent nonsense yesterday."""
    ask("""
        UPDATE ownership SET linked_at = now() - interval '5 days'
            FROM device d WHERE d.device_id = ownership.device_id AND d.hardware_id = 'hatchery';
        INSERT INTO device_reject
            SELECT slot, device_id, (now() - r.age)::date, r.reason, r.subject, r.messages, now() - r.age, now() - r.age / 2,
                'aqua/v1/hatchery/readings', r.detail, convert_to(r.payload, 'UTF8')
            FROM device CROSS JOIN (VALUES
                ('unknownParameter', 'po4', 3, interval '20 minutes', 'no parameter is called ''po4''', '{"po4":0.03}'),
                ('wrongType', 'ph', 1, '25 minutes', 'ph is the text ''7,4''', '{"ph":"7,4"}'),
                ('malformed', '', 12, '26 hours', 'no JSON object', 'temperature=21.4;ph=7.4')
            ) AS r (reason, subject, messages, age, detail, payload) WHERE hardware_id = 'hatchery'
        """)


def wait(question):
    deadline = time.monotonic() + 120
    while ask(f"SELECT {question}") != "t":
        if time.monotonic() > deadline:
            raise RuntimeError(f"not so after two minutes: {question}")
        time.sleep(0.2)


def await_courses():
    """Once the past is rolled up, what has not changed for long is found, and the next reading tells of it."""
    wait("count(*) = 0 FROM rollup_due d JOIN rollup_progress USING (slot) WHERE hour < hours_until")
    ask("UPDATE rollup_progress SET flat_until = '-infinity'")
    for kind, parameter in (("rate", 1), ("ahead", 7), ("fault", 0), ("fault", 1)):
        wait(f"count(*) = 1 FROM alert WHERE kind = '{kind}' AND parameter = {parameter} AND purpose = 'alarm'")


def await_silence(sent):
    """As if each reading had been received when it was measured: what is silent has been for hours, and is told."""
    wait(f"count(*) = {sent} FROM sample")
    ask("""
        UPDATE sample SET received_at = event_time;
        UPDATE ownership SET readings_from = '-infinity';
        UPDATE setting SET valid_from = now() - interval '5 days';
        UPDATE silence_clock SET runs_from = now() - interval '1 day';
        UPDATE silence_check SET due_at = now(), rhythm = NULL, learnt_until = NULL
        """)
    wait("count(*) = 1 FROM alert WHERE kind = 'silence'")


# --- Pictures -------------------------------------------------------------------------------------------------------------


class Screen:
    """A page of one person, whose requests can be held, failed and cut."""

    def __init__(self, browser, origin, person, language, with_worker=False):
        self.origin, self.person, self.language = origin, person, language
        self.context = browser.new_context(
            viewport={"width": 390, "height": 844}, device_scale_factor=2, locale=LANGUAGES[language],
            timezone_id="Europe/Vienna", reduced_motion="reduce",
            # The service worker's answers cannot be held or failed, and few screens need it.
            service_workers="allow" if with_worker else "block", permissions=["notifications"],
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.pending = set()
        self.quiet_since = time.monotonic()
        self.rules, self.held = [], []
        # Whether the page may go on: nothing was held from it, failed or cut.
        self.is_whole = False
        self.refusals = 0
        self.page.on("response", self.heard)
        self.page.route("**/api/v1/**", self.answer)
        self.page.on("request", self.began)
        self.page.on("requestfinished", self.ended)
        self.page.on("requestfailed", self.ended)
        if person:
            self.sign_in()

    def heard(self, response):
        self.refusals += response.status == 429

    def began(self, request):
        if not request.url.endswith(("/live", "/events")):
            self.pending.add(request)
            self.quiet_since = time.monotonic()

    def ended(self, request):
        self.pending.discard(request)
        self.quiet_since = time.monotonic()

    def answer(self, route):
        path = route.request.url.split("/api/v1", 1)[1]
        for pattern, what in self.rules:
            if not re.search(pattern, path):
                continue
            if what == "hold":
                self.held.append(route)
                return
            if what == "cut":
                return route.abort()
            status, code = what
            title, detail = (PROBLEMS[self.language][f"internal-error_{part}"] for part in ("title", "detail"))
            body = {
                "type": "/api/problems/internal-error", "title": title, "status": status, "code": code, "detail": detail,
            }
            return route.fulfill(status=status, content_type="application/problem+json", body=json.dumps(body))
        return route.continue_()

    def sign_in(self):
        page = self.page
        page.goto(f"{self.origin}/sign-in")
        page.locator("input[type=email]").fill(self.person.email)
        page.locator("input[autocomplete=current-password]").fill(self.person.password)
        page.locator("form button[type=submit]").click()
        page.wait_for_url(f"{self.origin}/")
        expect(page.locator("h1").first).to_be_visible()

    def open(self, path, rules=(), forget=False):
        """Shows a screen. forget: what is kept on the device, so that nothing is known before the service answers."""
        page = self.page
        if self.is_whole and not rules and not forget and page.locator("dialog[open]").count() == 0:
            # As somebody does who presses a link: what was read stays.
            page.evaluate("(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", path)
            page.wait_for_timeout(100)
            expect(page.locator("h1").first).to_be_visible()
            self.settle()
            return
        self.is_whole = not rules
        self.release()
        self.context.set_offline(False)
        if forget:
            page.goto(f"{self.origin}/manifest.webmanifest")
            page.evaluate("new Promise((done) => { const asked = indexedDB.deleteDatabase('aquamonitor');"
                          " asked.onsuccess = asked.onerror = asked.onblocked = done; })")
        self.rules = list(rules)
        self.pending.clear()
        page.goto("about:blank")
        page.goto(self.origin + path)
        expect(page.locator("h1").first).to_be_visible()
        self.settle()

    def release(self):
        """What was held is given up."""
        self.rules = []
        while self.held:
            self.held.pop().abort()

    def settle(self):
        """Until nothing was asked for a while, and what came is drawn."""
        deadline = time.monotonic() + 20
        held = any(what == "hold" for _, what in self.rules)
        while time.monotonic() < deadline:
            if (held or not self.pending) and time.monotonic() - self.quiet_since > (0.6 if held else 0.25):
                break
            self.page.wait_for_timeout(50)
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, selector):
        self.page.locator(selector).first.click()
        self.settle()

    def silence(self):
        """The service answers no more; the screen is opened again."""
        # What is known is written to the device a moment after it changed.
        deadline = time.monotonic() + 30
        while not self.page.evaluate(KEPT) and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        self.is_whole = False
        self.rules = [(r".", "cut")]
        self.page.reload()
        expect(self.page.locator("h1").first).to_be_visible()
        self.settle()

    def cut_off(self):
        self.is_whole = False
        self.context.set_offline(True)
        self.page.wait_for_timeout(300)
        self.settle()


def failing(pattern):
    return [(pattern, (500, "internal-error"))]


def holding(pattern):
    return [(pattern, "hold")]


def alert_of(screen, purpose, parameter, kind=None):
    for alert in screen.person.ask("GET", "/alerts?limit=100")["items"]:
        if alert["purpose"] == purpose and alert["parameter"] == parameter and kind in (None, alert["kind"]):
            return f"/alerts/{alert['id']}"
    raise RuntimeError(f"there is no {purpose} of {parameter}")


# Name, whose, and how it comes to be.
def states(people):
    oxygen = "/p/koi-pond/dissolved_oxygen"

    def refused_sign_in(screen):
        screen.open("/sign-in")
        screen.page.locator("input[type=email]").fill("ana@aquamonitor.example")
        screen.page.locator("input[autocomplete=current-password]").fill("not the password at all")
        screen.press("form button[type=submit]")

    def refused_sign_up(screen):
        screen.open("/sign-up")
        screen.page.locator("input[type=email]").fill("noa@aquamonitor.example")
        screen.page.locator("input[autocomplete=new-password]").fill("short")
        screen.press("form button[type=submit]")

    def link_asked(screen):
        screen.open("/forgot-password")
        screen.page.locator("input[type=email]").fill("ada@example.org")
        screen.press("form button[type=submit]")

    def refused_reset(screen):
        screen.open("/reset-password#aqr_cut")
        screen.page.locator("input[autocomplete=new-password]").fill("short")
        screen.press("form button[type=submit]")

    def offline(path):
        def show(screen):
            screen.open(path)
            screen.cut_off()

        return show

    def then(path, *selectors, last=None):
        def show(screen):
            screen.open(path)
            for selector in selectors:
                screen.press(selector)
            if last:
                last(screen)

        return show

    tests = []

    def tested(screen):
        """One test for all pictures: a person may send few."""
        if not tests:
            tests.append(screen.person.ask("POST", "/test-alerts", {})["alert"])
        screen.open(f"/settings/notifications/tests/{tests[0]}")

    def plain(path, rules=(), forget=False):
        return lambda screen: screen.open(path, rules, forget)

    def refused_code(screen):
        screen.open("/devices/link")
        screen.page.locator("input").first.fill("0000-0000-0000")
        screen.page.locator("input").nth(1).fill("Koi pond")
        screen.press("form button[type=submit]")

    def koi(screen):
        screen.page.set_viewport_size({"width": 390, "height": 844})
        screen.open("/")
        screen.press(".air-switcher")
        screen.press("dialog .menu-row:has-text('Koi pond')")
        screen.page.locator("dialog").wait_for(state="detached")

    def question(screen):
        """The last button of a page asks before it does something."""
        screen.page.locator(".row-grave").last.click()
        screen.settle()

    return [
        ("introduction", None, plain("/introduction")),
        ("sign-in", None, plain("/sign-in")),
        ("sign-in-refused", None, refused_sign_in),
        ("sign-in-failing", None, refused_sign_in_failing),
        ("sign-up", None, plain("/sign-up")),
        ("sign-up-refused", None, refused_sign_up),
        ("forgot-password", None, plain("/forgot-password")),
        ("forgot-password-sent", None, link_asked),
        # Before the page holds a link's token.
        ("reset-password-incomplete", None, plain("/reset-password")),
        ("reset-password", None, plain("/reset-password#aqr_cut")),
        ("reset-password-refused", None, refused_reset),
        ("unsubscribe", None, plain("/unsubscribe#aqu_cut")),
        ("unsubscribe-unknown", None, then("/unsubscribe#aqu_cut", "main .button-primary")),
        ("join", None, lambda s: s.open(f"/join#{people['ben'].open_share}")),
        ("join-used", None, lambda s: s.open(f"/join#{people['ben'].token_of_share}")),
        ("home-alarm", "ana", koi),
        ("home-fine", "ben", plain("/")),
        ("home-silent", "ida", plain("/")),
        ("home-fault", "leo", plain("/")),
        ("home-waiting", "kai", plain("/")),
        ("home-empty", "mia", plain("/")),
        ("home-loading", "ben", plain("/", holding(r"^/(devices|readings|settings|parameters|account)"), True)),
        ("home-failing", "ben", plain("/", failing(r"^/(devices|readings)"), True)),
        ("home-noanswer", "ben", lambda s: (s.open("/"), s.silence())),
        ("home-offline", "ben", offline("/")),
        ("home-offline-alarm", "ana", lambda s: (koi(s), s.cut_off())),
        ("home-devices", "ana", lambda s: (koi(s), s.press(".air-switcher"))),
        ("home-menu", "ana", lambda s: (koi(s), s.press(".air-more"))),
        ("details", "ana", plain(oxygen)),
        ("details-fine", "ana", plain("/p/koi-pond/temperature")),
        ("details-recovered", "ana", plain("/p/koi-pond/ph")),
        ("details-week", "ana", then(oxygen, ".details-spans button:nth-child(3)")),
        ("details-year", "ana", then(oxygen, ".details-spans button:last-child")),
        ("details-why", "ana", then(oxygen, ".details-buttons button:nth-of-type(1)")),
        ("details-fault", "leo", plain("/p/hatchery/temperature")),
        ("details-flat", "leo", plain("/p/hatchery/ph")),
        ("details-ahead", "ana", plain("/p/reef-tank/dissolved_oxygen")),
        ("details-rate", "ana", plain("/p/koi-pond/ph")),
        ("details-silent", "ida", plain("/p/lagoon/temperature")),
        ("details-empty", "kai", plain("/p/rain-barrel/temperature")),
        ("details-loading", "ben", plain("/p/garden/temperature", holding(r"/series"), True)),
        ("details-failing", "ben", plain("/p/garden/temperature", failing(r"/series"), True)),
        ("details-offline", "ben", offline("/p/garden/temperature")),
        ("details-unknown", "ben", plain("/p/nothing/temperature")),
        ("alerts", "ana", plain("/alerts")),
        ("alerts-empty", "mia", plain("/alerts")),
        ("alerts-quiet", "ben", plain("/alerts")),
        ("alerts-loading", "ana", plain("/alerts", holding(r"^/alerts"), True)),
        ("alerts-failing", "ana", plain("/alerts", failing(r"^/alerts"), True)),
        ("alerts-offline", "ana", offline("/alerts")),
        ("alert", "ana", lambda s: s.open(alert_of(s, "alarm", "dissolved_oxygen", "range"))),
        ("alert-past", "ana", lambda s: s.open(alert_of(s, "alarm", "nitrite"))),
        ("alert-silence", "ana", lambda s: s.open(alert_of(s, "alarm", None))),
        ("alert-fault", "leo", lambda s: s.open(alert_of(s, "alarm", "temperature"))),
        ("alert-flat", "leo", lambda s: s.open(alert_of(s, "alarm", "ph"))),
        ("alert-rate", "ana", lambda s: s.open(alert_of(s, "alarm", "ph", "rate"))),
        ("alert-ahead", "ana", lambda s: s.open(alert_of(s, "alarm", "dissolved_oxygen", "ahead"))),
        ("alert-unknown", "ana", plain("/alerts/0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e")),
        ("alert-loading", "ana", lambda s: s.open(alert_of(s, "alarm", "nitrite"), holding(r"^/alerts/"), True)),
        ("alert-failing", "ana", lambda s: s.open(alert_of(s, "alarm", "nitrite"), failing(r"^/alerts/"), True)),
        ("devices", "ana", plain("/devices")),
        ("devices-empty", "mia", plain("/devices")),
        ("devices-loading", "ana", plain("/devices", holding(r"^/(devices|readings)"), True)),
        ("devices-failing", "ana", plain("/devices", failing(r"^/(devices|readings)"), True)),
        ("devices-offline", "ana", offline("/devices")),
        ("chart", "ana", plain("/devices/chart")),
        ("link-device", "mia", plain("/devices/link")),
        ("link-device-refused", "mia", refused_code),
        ("device", "ben", plain("/devices/garden")),
        ("device-watched", "ana", plain("/devices/garden")),
        ("device-probes", "ana", plain("/devices/koi-pond")),
        ("device-probe-replaced", "ana", plain("/devices/reef-tank")),
        ("device-rejects", "leo", plain("/devices/hatchery")),
        ("device-reject", "leo", then("/devices/hatchery", ".rejects button.row")),
        ("device-presets", "ben", then("/devices/garden", "main button.row:has(.symbol-devices)")),
        ("device-preset", "ben", then("/devices/garden", "main button.row:has(.symbol-devices)", "dialog li:nth-child(4) .choice")),
        ("device-name", "ben", then("/devices/garden", "main button.row:has(.row-value):has-text('Garden pond')")),
        ("device-remove", "ben", then("/devices/garden", last=question)),
        ("chain", "ben", plain("/devices/garden/chain")),
        ("chain-empty", "ana", plain("/devices/reef-tank/chain")),
        ("chain-add", "ana", then("/devices/reef-tank/chain", "main button.row:has(.symbol-plus)")),
        ("chain-step", "ben", then("/devices/garden/chain", ".chain-step:nth-child(2) button")),
        ("chain-rehearsal", "ben", then("/devices/garden/chain", ".chain-rehearse button")),
        ("chain-loading", "ben", plain("/devices/garden/chain", holding(r"/chain$"), True)),
        ("chain-failing", "ben", plain("/devices/garden/chain", failing(r"/chain$"), True)),
        ("chain-offline", "ben", offline("/devices/garden/chain")),
        ("care", "ben", plain("/care")),
        ("care-empty", "mia", plain("/care")),
        ("care-sheet", "ben", then("/care", ".care-open >> nth=0")),
        ("care-loading", "ben", plain("/care", holding(r"^/care"), True)),
        ("care-failing", "ben", plain("/care", failing(r"^/care"), True)),
        ("care-offline", "ben", offline("/care")),
        ("care-answer-incomplete", None, plain("/care/answer")),
        ("care-answer-unknown", None, plain("/care/answer#aqn_cut")),
        ("care-calendar", "ben", plain("/care/calendar")),
        ("care-form", "ben", plain("/care/reminders/new")),
        ("calendar-feed", "ben", plain("/settings/calendar")),
        ("settings", "ana", plain("/settings")),
        ("settings-call", "ana", then("/settings", "main button.row:has(.symbol-person)")),
        ("settings-empty", "mia", plain("/settings")),
        ("settings-loading", "ana", plain("/settings", holding(r"^/(devices|settings|account)"), True)),
        ("settings-offline", "ana", offline("/settings")),
        ("parameter", "ana", plain("/settings/koi-pond/dissolved_oxygen")),
        ("parameter-picker", "ana", then("/settings/koi-pond/dissolved_oxygen", "main button.row")),
        ("parameter-delay", "ana", then("/settings/koi-pond/dissolved_oxygen", "main button.row >> nth=3")),
        ("parameter-critical", "ana", then("/settings/koi-pond/dissolved_oxygen", "main button.row >> nth=4")),
        ("parameter-offline", "ana", offline("/settings/koi-pond/dissolved_oxygen")),
        ("notifications", "ana", plain("/settings/notifications")),
        ("notifications-none", "mia", plain("/settings/notifications")),
        ("notifications-failing", "ana", plain("/settings/notifications", failing(r"^/(endpoints|push|browsers)"), True)),
        ("notifications-one", "ana", then("/settings/notifications", "main a.row")),
        ("notifications-one-unknown", "ana", plain("/settings/notifications/999999")),
        ("notifications-tests", "ana", tested),
        ("notifications-ways", "ana", then("/settings/notifications", ".row:has(.symbol-plus)")),
        ("notifications-mail", "ana", then("/settings/notifications", ".row:has(.symbol-plus)", "dialog .row >> nth=0")),
        ("notifications-way", "ana", then("/settings/notifications", ".row:has(.symbol-plus)", "dialog .row:has-text('Telegram')")),
        ("quiet-hours", "ben", plain("/settings/quiet-hours")),
        ("quiet-hours-off", "mia", plain("/settings/quiet-hours")),
        ("quiet-hours-rings", "ben", then("/settings/quiet-hours", "main button.row >> nth=0")),
        ("quiet-hours-waits", "ben", then("/settings/quiet-hours", "main button.row >> nth=1")),
        ("summary", "ben", plain("/settings/summary")),
        ("projects", "ben", plain("/settings/projects")),
        ("tanks", "ben", plain("/tanks")),
        ("tanks-wall", "ben", plain("/tanks/wall")),
        ("change", "ben", plain("/change")),
        ("tanks-limits", "ben", plain("/tanks/limits")),
        ("summary-off", "mia", plain("/settings/summary")),
        ("summary-failing", "ben", plain("/settings/summary", failing(r"^/summary"), True)),
        ("quiet-hours-loading", "ben", plain("/settings/quiet-hours", holding(r"^/quiet-hours"), True)),
        ("quiet-hours-failing", "ben", plain("/settings/quiet-hours", failing(r"^/quiet-hours"), True)),
        ("quiet-hours-offline", "ben", offline("/settings/quiet-hours")),
        ("journal", "ana", plain("/care/journal")),
        ("journal-add", "ana", then("/care/journal?tank=koi-pond", "main .care-add button")),
        ("journal-failing", "ana", plain("/care/journal", failing(r"^/journal"), True)),
        ("journal-offline", "ana", offline("/care/journal")),
        ("field", "ana", plain("/field")),
        ("field-new", "ana", plain("/field/new")),
        ("hand-test", "ana", plain("/devices/koi-pond/test")),
        ("calibration", "ana", plain("/settings/koi-pond/ph/calibration")),
        ("questions", "ana", plain("/devices/koi-pond/questions")),
        ("account", "ana", plain("/settings/account")),
        ("account-failing", "ana", plain("/settings/account", failing(r"^/(sessions$|tokens|account$)"), True)),
        ("account-close", "ana", then("/settings/account", last=question)),
        ("unknown", "ben", plain("/nothing/here/at/all")),
    ]


def refused_sign_in_failing(screen):
    screen.open("/sign-in")
    screen.page.locator("input[type=email]").fill("ana@aquamonitor.example")
    screen.page.locator("input[autocomplete=current-password]").fill("not the password at all")
    screen.rules, screen.is_whole = [(r"^/sessions", "cut")], False
    screen.press("form button[type=submit]")


def surroundings(entry):
    """Whose browser shows a state, and whether it has the service worker."""
    name, whose, _ = entry
    return whose, name.startswith("notifications")


class Pictures:
    def __init__(self, directory, wanted):
        self.directory, self.wanted = directory, re.compile(wanted)
        self.made, self.failed = 0, []

    def names(self, state, language):
        for scheme in SCHEMES:
            for size in SIZES:
                name = f"{state}.{language}.{scheme}.{size}"
                if self.wanted.search(name):
                    yield name, scheme, size

    def take(self, screen, state, language, show):
        names = list(self.names(state, language))
        try:
            # Screens measure what room there is: each size is opened as it is on that device.
            first = SIZES[names[0][2]]
            screen.page.set_viewport_size({"width": first[0], "height": first[1]})
            screen.page.emulate_media(color_scheme=names[0][1])
            refusals = screen.refusals
            show(screen)
            while screen.refusals > refusals:
                # So much is asked for in a minute, and no more.
                refusals = screen.refusals
                screen.is_whole = False
                screen.page.wait_for_timeout(61_000)
                show(screen)
            for name, scheme, size in names:
                width, height = SIZES[size]
                screen.page.emulate_media(color_scheme=scheme)
                if screen.page.viewport_size != {"width": width, "height": height}:
                    screen.page.set_viewport_size({"width": width, "height": height})
                    screen.page.wait_for_timeout(150)
                screen.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                screen.page.screenshot(path=self.directory / f"{name}.png")
                self.made += 1
        except Exception:  # noqa: BLE001, the others are made all the same
            self.failed += [name for name, *_ in names]
            print(f"not made: {state}.{language}", file=sys.stderr)
            traceback.print_exc()


def main():
    state, directory, wanted = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    origin = f"http://127.0.0.1:{os.environ['AQUA_PORT_PEOPLE']}"
    receiver = ThreadingHTTPServer(("127.0.0.1", int(os.environ["AQUA_PORT_WEBHOOK"])), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    people, live = provision(origin, state)
    pictures = Pictures(directory, wanted)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("AQUA_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        for language in LANGUAGES:
            todo = [entry for entry in states(people) if any(pictures.names(entry[0], language))]
            for whose, with_worker in dict.fromkeys(map(surroundings, todo)):
                person = people[whose] if whose else None
                if person:
                    person.change("/settings", {"language": language})
                screen = Screen(browser, origin, person, language, with_worker)
                for name, _, show in (entry for entry in todo if surroundings(entry) == (whose, with_worker)):
                    pictures.take(screen, name, language, show)
                screen.release()
                screen.context.close()
            print(f"    {language}: {pictures.made} pictures so far", flush=True)
        browser.close()
    live.stopped.set()
    receiver.shutdown()
    if pictures.failed:
        print(f"{len(pictures.failed)} were not made: {', '.join(pictures.failed)}", file=sys.stderr)
        sys.exit(1)
    if not pictures.made:
        sys.exit("No picture has such a name.")
    print(f"    {pictures.made} pictures in {directory}")


main()
