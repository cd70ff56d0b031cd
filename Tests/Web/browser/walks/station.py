"""A public station whose values a place shows: chosen, asked, its series told apart, at fault, and let go."""

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
SITE = "tank-000"
DESKTOP = {"width": 1440, "height": 900}
HOSTS = ["api.waterdata.usgs.gov", "sta.example.org"]


class Weir(Service):
    """A place without a device, which may show a station."""

    def __init__(self, tanks):
        super().__init__(tanks)
        self.station = None
        self.looks = 0
        self.role = "owner"
        self.kinds = ["usgs", "sensorThings"]

    def device(self, name):
        return {**super().device(name), "name": "Weir at the mill", "kind": "site", "role": self.role}

    def shown(self):
        return {"station": self.station, "kinds": self.kinds, "hosts": HOSTS if self.kinds else []}

    def series(self, name, unit, parameter, newest):
        return {"id": name, "name": name, "unit": unit, "parameter": parameter, "newest": newest}

    def choose(self, body):
        if not re.fullmatch(r"(USGS-)?\d{8,15}", body["station"]):
            raise Refused(422, "This names no station: a number of 8 to 15 digits, or the https address of a Thing.", "invalid-input")
        said = {one["id"]: one["parameter"] for one in body.get("series", [])}
        found = [("Temperature, water", "°C", "temperature"), ("pH", "", "ph"), ("Nitrate and nitrite, as nitrogen", "mg/L NO₃-N", None)]
        self.looks = 0
        self.station = {
            "kind": "usgs", "station": "01646500", "title": None, "source": "U.S. Geological Survey",
            "page": "https://waterdata.usgs.gov/monitoring-location/USGS-01646500/", "setAt": at(-5), "askedAt": None, "fetchedAt": None,
            "fault": None, "dueAt": at(0), "series": [],
        }
        self.known = [self.series(name, unit, said.get(name, parameter), at(-1_800)) for name, unit, parameter in found]

    def answer(self, method, path, query, body):
        if path.endswith("/station"):
            if method == "PUT":
                self.choose(body)
            elif method == "DELETE":
                self.station = None
                return {}
            elif self.station and self.station["fetchedAt"] is None and not self.station["fault"]:
                self.looks += 1
                self.station |= {
                    "title": "Potomac River near Washington, DC", "askedAt": at(-2), "fetchedAt": at(-2), "dueAt": at(900), "series": self.known,
                }
            return self.shown()
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        if path.endswith("/second"):
            return {"pair": None}
        return super().answer(method, path, query, body)


def walk(browser, _):
    with serving(1, Weir) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        choose(watched, service, origin)
        tell_apart(watched, service, origin)
        fault(watched, service, origin)
        languages(watched, service, origin)
        end(watched, service, origin)


def choose(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{SITE}")
    page.get_by_role("link", name="Public station").click()
    expect(page.get_by_text("what a public station of somebody else measures")).to_be_visible()
    require_accessible(page, "the choice of a station")
    require_narrow(page, "the choice of a station")
    photograph(page, "station-choice")
    page.get_by_role("button", name="SensorThings").click()
    expect(page.get_by_text("These hosts may be asked: api.waterdata.usgs.gov, sta.example.org.")).to_be_visible()
    page.get_by_role("button", name="USGS, United States").click()
    number = page.get_by_label("Number of the station")
    watched.allowed.append(r"422.*/station")
    number.fill("the river")
    page.get_by_role("button", name="Show this station").click()
    expect(page.get_by_text("This names no station")).to_be_visible()
    number.fill(" USGS-01646500 ")
    page.get_by_role("button", name="Show this station").click()
    expect(page.get_by_text("It is asked within a minute.")).to_be_visible()
    expect(page.get_by_text("Potomac River near Washington, DC")).to_be_visible()
    require((f"/devices/{SITE}/station", {"kind": "usgs", "station": "USGS-01646500"}) in service.posted, "what was asked of the service")
    link = page.get_by_role("link", name="About this station")
    require(link.get_attribute("rel") == "noopener noreferrer", "the way to the station's page")
    inspect(watched, "station")
    page.set_viewport_size(DESKTOP)
    photograph(page, "station-desktop")
    page.set_viewport_size(VIEWPORT)
    seen("the choice of a station")


def tell_apart(watched, service, origin):
    page = watched.page
    row = page.get_by_role("button", name=re.compile("^Nitrate and nitrite"))
    expect(row).to_contain_text("Not shown")
    row.click()
    expect(page.get_by_text("has to fit: mg/L NO₃-N.")).to_be_visible()
    require_accessible(page, "what a series is")
    photograph(page, "station-series")
    page.get_by_role("button", name="Nitrate", exact=True).click()
    expect(row).to_contain_text("Nitrate")
    expect(row).not_to_contain_text("Not shown")
    said = [body["series"] for path, body in service.posted if path.endswith("/station") and "series" in body][-1]
    require({"id": "Nitrate and nitrite, as nitrogen", "parameter": "nitrate"} in said and len(said) == 3, f"what was said: {said}")
    seen("what a series is")


def fault(watched, service, origin):
    page = watched.page
    service.station |= {"fault": "unreachable", "askedAt": at(-60)}
    page.goto(f"{origin}/devices/{SITE}/station")
    expect(page.get_by_text("It does not answer.")).to_be_visible()
    expect(page.get_by_text("Asked last")).to_be_visible()
    inspect(watched, "station-fault")
    service.station |= {"fault": None}
    seen("a station that does not answer")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/devices/{SITE}/station")
        expect(page.get_by_text("Potomac River near Washington, DC")).to_be_visible()
        require_narrow(page, f"a station in {language}")
        photograph(page, f"station-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("a station in each language")


def end(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{SITE}/station")
    page.get_by_role("button", name="Show no station").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Show no station").click()
    expect(page.get_by_label("Number of the station")).to_be_visible()
    require(service.station is None, "the station is let go")
    # Whoever only shares the place chooses none; where the operator allows none, nobody does.
    service.role = "watcher"
    page.goto(f"{origin}/devices/{SITE}/station")
    expect(page.get_by_text("It shows the values of no station.")).to_be_visible()
    service.role, service.kinds = "owner", []
    page.goto(f"{origin}/devices/{SITE}/station")
    expect(page.get_by_text("allows no stations yet")).to_be_visible()
    seen("a station that is let go")
