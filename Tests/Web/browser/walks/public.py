"""A tank that everybody with the address may read: its owner chooses what, hands the address on, moves it and withdraws it; a stranger reads it in
their own language, in both schemes, on a narrow phone and on paper, and is told what is old. A project shows some of its tanks.
"""

import json
import math
from datetime import datetime

from playwright.sync_api import expect

from asking import until
from farm import LAKE, Farm
from inspection import inspect, photograph, require_narrow
from many import Service, at, serving
from walks.farm import closed
from watched import Watched, require, seen

POND = "tank-000"
SECRET = "aqv_0000000000000000000000000000000000000000000000000"
TITLE = "The pond at the school <b>"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
LANGUAGES = {"de-DE": "Letzter Messwert", "es-ES": "Último dato", "ja-JP": "最終受信"}


class Shown:
    """What the service shows to everybody, as strict as it is documented."""

    page = None
    addresses = 0
    age = 20  # seconds since something was measured
    is_known = True

    def published(self, path, method, body):
        if method == "GET":
            return {"page": self.page}
        require(set(body) <= {"title", "parameters", "days", "limits", "newAddress", "tanks"}, f"members: {body}")
        require(1 <= len(body["title"]) <= 60 and body["days"] in (1, 7, 30) and body["parameters"], f"a wish: {body}")
        if self.page is None or body.get("newAddress"):
            self.addresses += 1
        tanks = body.get("tanks") or [{"device": path.split("/")[2], "title": body["title"]}]
        kept = {name: body[name] for name in ("title", "parameters", "days", "limits")}
        self.page = {**kept, "tanks": tanks, "publishedAt": at(), "address": f"https://water.example/public#{SECRET[:-1]}{self.addresses}"}
        return {"page": self.page}

    def value(self, parameter, state, low):
        points = [{"time": at(-604_800 + 3600 * hour), "mean": low + math.sin(hour / 9), "afterGap": hour == 90} for hour in (*range(60), *range(90, 168))]
        return {
            "parameter": parameter, "unit": "C" if parameter == "temperature" else "pH", "decimals": 1, "colour": "#7c3f00", "value": low,
            "at": at(-self.age), "state": state, "step": 3600, "gap": 7200, "points": points,
        }  # fmt: skip

    def read(self):
        values = [self.value("temperature", "inRange", 21.4), self.value("ph", "high", 8.9)]
        return {"title": TITLE, "days": 7, "readAt": at(), "tanks": [{"title": TITLE, "values": values}]}


class Window(Shown, Service):
    def answer(self, method, path, query, body):
        if path == f"/devices/{POND}/public" and method != "DELETE":
            return self.published(path, method, body)
        if path.split("/")[-1] in ("rejects", "watchers", "invitations", "probes"):
            return []
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        if path == f"/devices/{POND}/public" and method == "DELETE":
            self.page = None
            return 204, "text/plain", b""
        if path == f"/public/{SECRET}" and self.is_known:
            require("Authorization" not in headers, "nobody is signed in for it")
            return 200, "application/json", json.dumps(self.read()).encode()
        if path.startswith("/public/"):
            return 404, "application/problem+json", json.dumps({"title": "Not found", "code": "not-found"}).encode()
        return super().raw(method, path, query, headers, body)


class ShownFarm(Shown, Farm):
    def answer(self, method, path, query, body):
        if path == f"/projects/{LAKE}/public":
            return self.published(path, method, body)
        return super().answer(method, path, query, body)


def walk(browser, _):
    with serving(1, Window) as (service, origin):
        chosen(browser, service, origin)
        read(browser, service, origin)
        languages(browser, origin)
        gone(browser, service, origin)
    with serving(5, lambda tanks: ShownFarm(tanks - 2)) as (service, origin):
        of_project(browser, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def chosen(browser, service, origin):
    """Nothing is shown until the owner chose it; what is chosen is handed on, moved, and withdrawn."""
    watched = Watched(browser, service_workers="block")
    watched.context.add_init_script(SIGNED_IN)
    page = watched.page
    page.goto(f"{origin}/devices/{POND}")
    button(page, "Show it to everybody").click()
    sheet = page.get_by_role("dialog", name="Public page")
    require(sheet.get_by_label("Title").input_value() == "", "no name of the tank stands there by itself")
    sheet.get_by_label("Title").fill(TITLE)
    sheet.get_by_role("switch", name="Say whether values are within your limits").click()
    inspect(watched, "publishing")
    button(sheet, "Show it").click()
    row = page.get_by_role("button", name=TITLE)
    expect(row).to_contain_text("Everybody with the address sees it")
    expect(row).to_be_focused()
    require(service.page["limits"] is True and "ph" in service.page["parameters"], f"what was chosen: {service.page}")
    row.click()
    sheet = page.get_by_role("dialog", name=TITLE)
    expect(sheet).to_contain_text("https://water.example/public#aqv_")
    inspect(watched, "published")
    button(sheet, "Change what is shown").click()
    expect(page.get_by_role("dialog", name="Public page").get_by_label("Title")).to_have_value(TITLE)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row).to_be_focused()
    row.click()
    button(sheet, "New address").click()
    button(page.get_by_role("alertdialog", name="Make a new address?"), "New address").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    until("another address of the same page", lambda: service.addresses == 2)
    require(service.page["title"] == TITLE, f"the same page: {service.page}")
    row.click()
    button(page.get_by_role("dialog", name=TITLE), "Stop showing it").click()
    button(page.get_by_role("alertdialog", name="Withdraw this page?"), "Stop showing it").click()
    expect(button(page, "Show it to everybody")).to_be_visible()
    require(service.page is None, "it is withdrawn")
    closed(watched)
    seen("a page that its owner chose, moved and withdrew")


def opened(browser, origin, locale="en-GB"):
    watched = Watched(browser, service_workers="block", locale=locale)
    watched.page.goto(f"{origin}/public#{SECRET}")
    return watched


def read(browser, service, origin):
    """A stranger sees words and figures, and no markup of a title; what is old says so; the way to it stays in the address."""
    watched = opened(browser, origin)
    page = watched.page
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    expect(page.locator("main")).to_contain_text("Last heard 2")
    cards = page.locator(".public-parameter")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text("21.4 °C")
    expect(cards.nth(0)).to_contain_text("Within its limits")
    expect(cards.nth(1)).to_contain_text("Above its limits")
    expect(page.get_by_role("navigation")).to_have_count(0)
    require(page.locator("meta[name=robots]").get_attribute("content") == "noindex", "no machine lists it")
    require(page.url.endswith(SECRET), "whoever keeps the page keeps the way to it")
    inspect(watched, "public")
    page.set_viewport_size({"width": 1440, "height": 900})
    photograph(page, "public-desktop")
    expect(page.get_by_text("Updated every minute")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".public-printed")).to_contain_text(str(datetime.now().year))
    expect(page.get_by_text("Updated every minute")).to_be_hidden()
    photograph(page, "public-printed")
    page.emulate_media(media="screen")
    service.age = 3 * 3600
    page.reload()
    expect(page.locator("main")).to_contain_text("Nothing heard for 3 h")
    expect(cards.nth(0)).to_contain_text("3 h old")
    expect(cards.nth(0)).to_contain_text("Too old to tell")
    expect(page.get_by_text("Within its limits")).to_have_count(0)
    inspect(watched, "public-old")
    service.age = 20
    closed(watched)
    seen("a page that a stranger reads")


def languages(browser, origin):
    for locale, words in LANGUAGES.items():
        watched = opened(browser, origin, locale)
        expect(watched.page.locator("main")).to_contain_text(words)
        require_narrow(watched.page, f"public in {locale}")
        photograph(watched.page, f"public-{locale[:2]}")
        closed(watched)
    seen("it speaks the reader's language")


def gone(browser, service, origin):
    """What was withdrawn, and what never was, look alike."""
    service.is_known = False
    for secret in (SECRET, "aqv_guessed", ""):
        watched = Watched(browser, service_workers="block")
        watched.allowed.append(r"404.*/public/")
        watched.page.goto(f"{origin}/public#{secret}")
        expect(watched.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
        expect(watched.page.locator(".public-parameter")).to_have_count(0)
        if secret == SECRET:
            inspect(watched, "public-gone")
        closed(watched)
    seen("nothing where nothing is shown")


def of_project(browser, service, origin):
    """Some tanks of a project, each by words of its own."""
    watched = Watched(browser, service_workers="block")
    watched.context.add_init_script(SIGNED_IN)
    page = watched.page
    page.goto(f"{origin}/settings/projects/{LAKE}")
    button(page, "Show it to everybody").click()
    sheet = page.get_by_role("dialog", name="Public page")
    sheet.get_by_label("Title", exact=True).fill("Our farm")
    tank = sheet.get_by_role("switch").first
    name = tank.get_attribute("aria-label")
    tank.click()
    expect(sheet.get_by_label(f"Title of {name}")).to_be_hidden()
    inspect(watched, "publishing-project")
    button(sheet, "Show it").click()
    expect(page.get_by_role("button", name="Our farm")).to_be_visible()
    shown = service.page["tanks"]
    require(len(shown) == len(service.inside) - 1 and all(one["title"].startswith("Tank ") for one in shown), f"tanks: {shown}")
    closed(watched)
    seen("tanks of a project that everybody may read")
