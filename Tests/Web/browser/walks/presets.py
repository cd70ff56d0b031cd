"""Presets of one's own: saved from a tank, made, changed and deleted, those of a project, taken over on one tank and on many; and what limits of many
tanks would have told, before they are set.
"""

import re

from playwright.sync_api import expect

from farm import LAKE
from inspection import inspect, photograph
from many import serving
from preset_shelf import PresetShelf, acting
from walks.farm import DESKTOP, KNOWN, PHONE, closed
from watched import Watched, require, seen

POND = "tank-000"
TROUT = [{"parameter": "dissolved_oxygen", "unit": "ppm", "minimum": 6, "maximum": None, "criticalMinimum": 5}]


def walk(browser, _):
    own(browser)
    project(browser)
    many(browser)
    one(browser)
    period(browser)


def opened(browser, origin, path, size=PHONE, acts=False):
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(KNOWN + (acting() if acts else ""))
    watched.page.goto(origin + path)
    return watched


def button(place, name):
    return place.get_by_role("button", name=name, exact=True)


def own(browser):
    """From a tank's limits; a name that is taken is refused beside its field; a parameter less, another limit, another name, and its end."""
    with serving(6, PresetShelf) as (service, origin):
        watched = opened(browser, origin, f"/devices/{POND}")
        watched.allowed.append("409")
        page = watched.page
        button(page, "Save limits as a preset").click()
        sheet = page.get_by_role("dialog")
        button(sheet, "Make preset").click()
        expect(sheet).to_contain_text("Give it a name.")
        photograph(page, "preset-save")
        sheet.get_by_label("Name").fill("Koi, winter")
        button(sheet, "Make preset").click()
        expect(page.locator("h1")).to_have_text("Koi, winter")
        expect(page.get_by_text("No tank changes")).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("^pH"))).to_be_visible()
        inspect(watched, "preset")
        _, _, limits = next(iter(service.presets.values()))
        require(len(limits) == 8 and limits[0]["minimum"] == 7, f"what was saved: {limits}")
        # One limit of it, and one parameter less.
        page.get_by_role("link", name=re.compile("^pH")).click()
        expect(page.get_by_role("heading", name="At other times")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Maximum")).click()
        page.get_by_role("listbox").press("ArrowUp")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Set")).click()
        expect(page.get_by_role("button", name=re.compile("^Maximum.*8.9"))).to_be_visible()
        inspect(watched, "preset-parameter")
        button(page, "Leave this parameter out").click()
        expect(page.locator("h1")).to_have_text("Koi, winter")
        expect(page.get_by_role("link", name=re.compile("^pH"))).to_have_count(0)
        # One more is begun with a preset of the service, and may not have the same name.
        page.goto(f"{origin}/settings/presets")
        expect(page.get_by_role("link", name=re.compile("^Koi, winter"))).to_be_visible()
        inspect(watched, "presets")
        button(page, "New preset").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("Begin with").select_option(label="Reef tank")
        sheet.get_by_label("Name").fill("Koi, winter")
        photograph(page, "preset-new")
        button(sheet, "Make preset").click()
        expect(sheet).to_contain_text("There is a preset of this name")
        sheet.get_by_label("Name").fill("Reef, mine")
        button(sheet, "Make preset").click()
        expect(page.locator("h1")).to_have_text("Reef, mine")
        page.get_by_role("button", name=re.compile("^Name")).click()
        page.get_by_role("dialog").get_by_label("Name").fill("Reef, ours")
        button(page.get_by_role("dialog"), "Save").click()
        expect(page.locator("h1")).to_have_text("Reef, ours")
        button(page, "Delete preset").click()
        button(page.get_by_role("alertdialog"), "Delete preset").click()
        expect(page.get_by_role("link", name=re.compile("^Koi, winter"))).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("^Reef"))).to_have_count(0)
        closed(watched)
    seen("presets of one's own")


def project(browser):
    """Members see a project's presets and change none; who acts as the project does."""
    with serving(6, PresetShelf) as (service, origin):
        number = service.put(LAKE, "Trout, first year", TROUT)
        watched = opened(browser, origin, "/settings/presets")
        page = watched.page
        expect(page.get_by_role("heading", name="Lake Farm")).to_be_visible()
        page.get_by_role("link", name=re.compile("^Trout")).click()
        expect(page.get_by_text("A preset of Lake Farm.")).to_be_visible()
        expect(page.get_by_role("button", name="Delete preset")).to_have_count(0)
        closed(watched)
        watched = opened(browser, origin, f"/settings/presets/{number}", acts=True)
        page = watched.page
        expect(button(page, "Delete preset")).to_be_visible()
        button(page, "Another parameter").click()
        page.get_by_role("dialog").get_by_role("button", name="pH").click()
        expect(page.locator("h1")).to_have_text("pH")
        require([one["parameter"] for one in service.presets[number][2]] == ["dissolved_oxygen", "ph"], f"{service.presets[number]}")
        require(f"/presets/{number}" in service.as_project, "who changed it?")
        inspect(watched, "preset-of-project")
        closed(watched)
    seen("presets of a project")


def many(browser):
    """Tried before they are set, the most alarms first; then a preset for all of them."""
    with serving(24, PresetShelf) as (service, origin):
        service.put(LAKE, "Trout, first year", TROUT)
        watched = opened(browser, origin, "/tanks/limits", DESKTOP, acts=True)
        page = watched.page
        button(page, "All of them").click()
        page.get_by_role("button", name=re.compile("^Maximum")).click()
        page.get_by_role("listbox").press("ArrowUp")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Set")).click()
        button(page, "What would they have told?").click()
        rows = page.get_by_role("region", name="What they would have told").get_by_role("row")
        expect(rows).to_have_count(26)
        first = service.tried[0]
        require(len(service.tried) == 3 and len(first["devices"]) == 8 and "minimum" not in first["limits"], f"what was tried: {service.tried}")
        numbers = [int(text.split()[-1]) for text in rows.all_inner_texts()[1:-1]]
        require(numbers == sorted(numbers, reverse=True), f"{numbers}")
        expect(page.get_by_text("A limit stays as it is").first).to_be_attached()
        photograph(page, "dry-run-1440")
        inspect(watched, "dry-run")
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        button(page, "Preset").click()
        page.get_by_role("button", name=re.compile("^Preset.*Choose")).click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Trout")).click()
        expect(page.get_by_text("Critical limits, other times and alarm settings come with it.")).to_be_visible()
        button(page, "What would they have told?").click()
        expect(rows).to_have_count(26)
        require(service.tried[-1]["limits"]["criticalMinimum"] == 5, f"{service.tried[-1]}")
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        inspect(watched, "many-preset")
        button(page, "Set for 24 tanks").click()
        expect(page.get_by_text("24 tanks have the new limits.")).to_be_visible()
        require(len(service.taken[-1]["devices"]) == 24 and "/parameters/preset" in service.as_project, f"{service.taken}")
        closed(watched)
    seen("limits for many, tried first")


def one(browser):
    """Presets of one's own stand first, and say what they would have told of this tank."""
    with serving(3, PresetShelf) as (service, origin):
        service.put(None, "Koi, winter", TROUT)
        watched = opened(browser, origin, f"/devices/{POND}")
        page = watched.page
        button(page, "Limits for what lives in it").click()
        sheet = page.get_by_role("dialog")
        expect(sheet.get_by_role("listitem").first).to_contain_text("Koi, winter")
        photograph(page, "preset-choice")
        sheet.get_by_role("button", name=re.compile("^Koi, winter")).click()
        sheet = page.get_by_role("dialog", name="Koi, winter")
        button(sheet, "What would they have told?").click()
        expect(sheet).to_contain_text("alarms in the last 30 days.")
        inspect(watched, "preset-take")
        button(sheet, "Set these limits").click()
        expect(page.get_by_text("The limits for Koi, winter hold now.")).to_be_visible()
        closed(watched)
    seen("a preset on one tank")


def period(browser):
    """Limits at another time are tried before they are saved."""
    with serving(1, PresetShelf) as (service, origin):
        service.parameters = lambda: [{**row, "periods": [], "periodZone": None, "held": None} for row in PresetShelf.parameters(service)]
        watched = opened(browser, origin, f"/settings/{POND}/ph")
        page = watched.page
        button(page, "Add a time").click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_label("From").fill("04:00")
        sheet.get_by_label("Until").fill("07:00")
        sheet.get_by_label("Minimum").fill("7.5")
        button(sheet, "What would they have told?").click()
        expect(sheet).to_contain_text("With the present limits: 0.")
        tried = service.tried[-1]
        require(tried["devices"] == [POND] and tried["limits"]["periods"][0]["minimum"] == 7.5, f"{tried}")
        inspect(watched, "period-tried")
        watched.require_no_faults()
    seen("limits at other times, tried first")
