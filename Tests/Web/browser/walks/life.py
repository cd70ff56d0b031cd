"""Lives of devices: a table of all of them where there is room, a line below each name on a phone, a device's own page, and what explains a
silence on Home and in its alert.
"""

import re

from playwright.sync_api import expect

from inspection import inspect, open_in, photograph, require_accessible, require_narrow
from many import Service, at, serving
from watched import VIEWPORT, Watched, require, seen

SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
LOW, HEARS_BADLY, OLD, SILENT, MAINS = (f"tank-{number:03}" for number in range(5))
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1440, "height": 900}
ALERT = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e"


class Farm(Service):
    """Five devices, of which three need a hand and one is silent."""

    def __init__(self, tanks):
        super().__init__(tanks)
        said = {"family": "native", "version": "1.8.0", "startedAt": at(-90_000), "resetReason": "poweron", "notedAt": at(-60)}
        self.lives = {
            LOW: {**said, "battery": 9, "daysLeft": 4, "signal": -67, "needs": ["battery"]},
            HEARS_BADLY: {**said, "signal": -88, "needs": ["signal"]},
            OLD: {**said, "version": "1.6.2", "isOlder": True, "signal": -59, "restartsADay": 5, "needs": ["restarts", "firmware"]},
            MAINS: {**said, "battery": 78, "daysLeft": 35, "signal": -61},
        }

    def device(self, name):
        device = super().device(name)
        if name != SILENT:
            return device
        return {**device, "online": False, "silentSince": at(-10_800), "silenceHint": {"kind": "battery", "number": 4}}

    def latest(self, tank, name):
        latest = super().latest(tank, name)
        return {**latest, "time": at(-10_800)} if tank == SILENT else latest

    def answer(self, method, path, query, body):
        if path == f"/alerts/{ALERT}":
            alert = self.alert(SILENT, None, None)
            told = {"kind": "silence", "unit": None, "value": None, "worst": None, "limit": None, "silenceHint": {"kind": "signals", "number": -88}}
            return {**alert, **told, "id": ALERT, "since": at(-10_800)}
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        return super().answer(method, path, query, body)


def walk(browser, _):
    with serving(5, Farm) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        phone(watched, service, origin)
        table(watched, origin)
        device(watched, origin)
        silence(watched, origin)
        languages(watched, service, origin)


def chip(page):
    return page.get_by_role("button", name="Life", exact=True)


def phone(watched, service, origin):
    """Nothing is asked of it before the chip is pressed; then each device says it below its name."""
    page = watched.page
    page.goto(f"{origin}/devices")
    expect(page.locator(".device-card")).to_have_count(5)
    require("/device-lives" not in service.asked, "asked for before anybody wants it")
    expect(chip(page)).to_have_attribute("aria-pressed", "false")
    chip(page).click()
    expect(page.get_by_text("3 devices need a hand", exact=True)).to_be_visible()
    expect(page.get_by_text("One device runs an older version than the others of its firmware.")).to_be_visible()
    card = page.locator(".device-card", has_text="Tank 000")
    expect(card).to_contain_text("9\u00a0% · lasts about 4 days · −67\u00a0dBm · 1.8.0")
    expect(page.locator(".device-card", has_text="Tank 003")).to_contain_text("It has said nothing of itself yet.")
    expect(page.get_by_role("table")).to_be_hidden()
    inspect(watched, "devices-life")
    chip(page).click()
    expect(card).not_to_contain_text("dBm")
    seen("life below each name on a phone")


def table(watched, origin):
    """A table where there is room: trouble first, amber in the cell that asks."""
    page = watched.page
    page.set_viewport_size(TABLET)
    page.goto(f"{origin}/devices")
    chip(page).click()
    expect(page.get_by_role("table")).to_be_visible()
    expect(page.locator(".device-card").first).to_be_hidden()
    names = page.locator(".device-life tbody th").all_inner_texts()
    require([name.strip() for name in names] == [f"Tank {number:03}" for number in range(5)], f"trouble first: {names}")
    rows = page.locator(".device-life tbody tr")
    asking = [rows.nth(number).locator("td[data-needs]").all_inner_texts() for number in range(5)]
    require([len(cells) for cells in asking] == [1, 1, 2, 0, 0], f"{asking}")
    expect(rows.nth(0)).to_contain_text(re.compile("9\\s%.*lasts about 4 days"))
    require_accessible(page, "devices-life-table", TABLET)
    photograph(page, "devices-life-tablet")
    page.set_viewport_size(DESKTOP)
    photograph(page, "devices-life-desktop")
    page.get_by_role("link", name="Tank 002", exact=True).click()
    page.wait_for_url(f"**/devices/{OLD}")
    page.set_viewport_size(VIEWPORT)
    seen("the table of lives")


def device(watched, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{OLD}")
    expect(page.get_by_role("heading", name="How it lives")).to_be_visible()
    expect(page.get_by_text("Another of your devices runs a newer version of this firmware.")).to_be_visible()
    expect(page.get_by_text("It restarts about 5 times a day. Check its power supply.")).to_be_visible()
    expect(page.locator(".life .row", has_text="Firmware")).to_contain_text("1.6.2")
    inspect(watched, "device-life")
    page.goto(f"{origin}/devices/{SILENT}")
    expect(page.get_by_role("heading", name="Only for you")).to_be_visible()
    expect(page.get_by_role("heading", name="How it lives")).to_be_hidden()
    seen("the life of one device")


def silence(watched, origin):
    """Home and the alert say what the device had said before."""
    page = watched.page
    page.evaluate("(tank) => localStorage.setItem('aqua-tank', tank)", SILENT)
    page.goto(f"{origin}/alerts/{ALERT}")
    expect(page.get_by_text("The signal was weak before each silence: −88 dBm.")).to_be_visible()
    inspect(watched, "alert-silence-explained")
    page.goto(f"{origin}/devices/{SILENT}")
    page.get_by_role("button", name="See its water").click()
    expect(page.locator("h1")).to_contain_text("Silent for")
    expect(page.get_by_text("The battery was at 4 % before it fell silent.")).to_be_visible()
    inspect(watched, "home-silence-explained")
    seen("what explains a silence")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/devices")
        page.locator(".devices-chips button").click()
        expect(page.locator(".device-card").first).to_contain_text("dBm")
        require_narrow(page, f"devices in {language}")
        photograph(page, f"devices-life-{language}")
        page.set_viewport_size(TABLET)
        expect(page.get_by_role("table")).to_be_visible()
        photograph(page, f"devices-life-table-{language}")
        page.set_viewport_size(VIEWPORT)
    seen("lives in each language")
