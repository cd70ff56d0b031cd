"""A second device in the same water: chosen on the device's page, compared there, told on Home and in its alert, drawn as a second line."""

import re

from playwright.sync_api import expect

from inspection import inspect, open_in, photograph, require_accessible, require_narrow
from many import Refused, Service, at, serving
from watched import VIEWPORT, Watched, require, seen

SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
POND, DEEP, OTHER = (f"tank-{number:03}" for number in range(3))
NAMES = {POND: "Koi pond", DEEP: "Koi pond, deep end", OTHER: "Quarantine"}
DESKTOP = {"width": 1440, "height": 900}
ALERT = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e"
SINCE = at(-9_000)


class Ponds(Service):
    """Three devices, of which two may be paired; the third is in a pair with one that nobody sees here."""

    def __init__(self, tanks):
        super().__init__(tanks)
        self.pair = None
        self.apart = False

    def device(self, name):
        apart = [{"parameter": "ph", "since": SINCE, "by": 0.46}] if self.apart and name == POND else []
        second = self.pair if name == POND else None
        return {**super().device(name), "name": NAMES[name], "second": second, "differingProbes": apart}

    def parameters(self):
        ph = {"unit": "pH", "units": ["pH"], "scale": {"unit": "pH", "decimals": 1, "factor": 1, "offset": 0, "table": None}}
        return [{**each, **ph} if each["name"] == "ph" else each for each in super().parameters()]

    def shown(self):
        if self.pair is None:
            return {"pair": None}
        difference = {"unit": "pH", "decimals": 1, "since": SINCE if self.apart else None}
        found = [
            {**difference, "parameter": "ph", "by": 0.5 if self.apart else 0.04},
            {**difference, "parameter": "temperature", "unit": "C", "by": -0.2, "since": None},
            {**difference, "parameter": "dissolved_oxygen", "unit": "ppm", "by": None, "since": None},
        ]
        compared = at(-200) if self.apart else None
        member = lambda name: {"id": name, "name": NAMES[name]}  # noqa: E731
        return {"pair": {"first": member(POND), "second": member(self.pair), "pairedAt": at(-90_000), "comparedAt": compared, "differences": found}}

    def answer(self, method, path, query, body):
        if path.endswith("/second"):
            if method == "PUT":
                if body["second"] == OTHER:
                    raise Refused(422, "It is compared with another device already.", "invalid-input")
                self.pair = body["second"]
            if method == "DELETE":
                self.pair = None
                return {}
            return self.shown()
        if path == f"/alerts/{ALERT}":
            alert = self.alert(POND, "ph", None)
            told = {"kind": "fault", "value": None, "worst": None, "limit": None, "differs": {"by": 0.46, "unit": "pH", "decimals": 1}}
            return {**alert, **told, "id": ALERT, "since": SINCE, "device": {"id": POND, "name": NAMES[POND]}}
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        if path.endswith("/ph/series"):
            told = super().answer(method, path, query, body)
            lower = 0.46 if path.split("/")[2] == DEEP else 0
            return {**told, "unit": "pH", "points": [{**point, "mean": point["mean"] - lower} for point in told["points"]]}
        return super().answer(method, path, query, body)


def walk(browser, _):
    with serving(3, Ponds) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        choose(watched, service, origin)
        differ(watched, service, origin)
        languages(watched, service, origin)
        part(watched, service, origin)


def section(page):
    return page.locator("section.second")


def choose(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    row = section(page).get_by_role("button")
    expect(row).to_contain_text("None")
    row.click()
    expect(page.get_by_text("you are told that one of them drifts")).to_be_visible()
    expect(page.get_by_role("button", name="Koi pond, deep end")).to_be_visible()
    require_narrow(page, "the choice of a second probe")
    require_accessible(page, "the choice of a second probe")
    photograph(page, "second-choice")
    watched.allowed.append(r"422.*/second")
    page.get_by_role("button", name="Quarantine").click()
    expect(page.get_by_text("It is compared with another device already.")).to_be_visible()
    page.get_by_role("button", name="Koi pond, deep end").click()
    expect(row).to_contain_text("Compared for the first time in a few minutes")
    require(("/devices/tank-000/second", {"second": DEEP}) in service.posted, "what was asked of the service")
    inspect(watched, "second-chosen")
    seen("the choice of a second probe")


def differ(watched, service, origin):
    """The difference stands on the device's page, on Home's card and below the line, in the alert, and in the graph."""
    page = watched.page
    service.apart = True
    page.goto(f"{origin}/devices/{POND}")
    expect(section(page)).to_contain_text("pH: 0.5 higher here")
    expect(section(page)).to_contain_text(re.compile("Temperature: 0.2\\s°C lower here"))
    expect(section(page)).to_contain_text("too few readings in common yet")
    inspect(watched, "second-compared")
    # Seen from the other one it is the other way round.
    page.goto(f"{origin}/devices/{DEEP}")
    expect(section(page)).to_contain_text("Second probe of Koi pond")
    expect(section(page)).to_contain_text("pH: 0.5 lower here")
    page.evaluate("(tank) => localStorage.setItem('aqua-tank', tank)", POND)
    page.goto(f"{origin}/devices/{POND}")
    page.get_by_role("button", name="See its water").click()
    told = page.get_by_text(re.compile(r"^pH reads 0\.\d higher than its second probe since "))
    expect(told.first).to_be_visible()
    expect(page.locator(".card[data-name=ph]")).to_contain_text("Probes differ")
    inspect(watched, "home-second")
    told.first.click()
    line = page.get_by_role("button", name="Second probe")
    expect(line).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".graph-second").first).to_be_attached()
    expect(page.locator(".details-now")).to_contain_text("higher than its second probe since")
    inspect(watched, "details-second")
    page.set_viewport_size(DESKTOP)
    photograph(page, "details-second-desktop")
    page.set_viewport_size(VIEWPORT)
    line.click()
    expect(line).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".graph-second")).to_have_count(0)
    page.goto(f"{origin}/alerts/{ALERT}")
    expect(page.locator("h1")).to_contain_text("Two pH probes differ")
    expect(page.get_by_text("Check both in a standard, and calibrate the one that is off.")).to_be_visible()
    inspect(watched, "alert-second")
    seen("probes that lie apart")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/devices/{POND}")
        expect(section(page)).to_contain_text("0")
        require_narrow(page, f"second probes in {language}")
        section(page).scroll_into_view_if_needed()
        photograph(page, f"second-{language}")
        page.goto(f"{origin}/")
        expect(page.locator(".card[data-name=ph] .card-word")).not_to_be_empty()
        require_narrow(page, f"home with a second probe in {language}")
        photograph(page, f"home-second-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("second probes in each language")


def part(watched, service, origin):
    page = watched.page
    service.apart = False
    page.goto(f"{origin}/devices/{POND}")
    section(page).get_by_role("button").click()
    page.get_by_role("button", name=re.compile("^None")).click()
    expect(section(page).get_by_role("button")).to_contain_text("None")
    require(service.pair is None, "the pair is taken apart")
    seen("a pair that is taken apart")
