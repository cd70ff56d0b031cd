"""Devices that are made in the app: a list with all its faults, what is made and shown once, the file and the labels of it, a number of devices,
keys that are lost or refused, and a new key for a device.
"""

import csv
import io
import json
import os
import re

from playwright.sync_api import expect

from asking import until
from farm import LAKE
from inspection import inspect, photograph, require_accessible, require_narrow
from many import serving
from walks.farm import DESKTOP, KNOWN, PHONE
from watched import SHOTS, Watched, require, seen
from workshop import Workshop, secret

ACTING = f"sessionStorage.setItem('aqua-acting', '{json.dumps({'id': LAKE, 'name': 'Lake Farm'})}');"
MADE = re.compile("devices made$")
WRONG = """hardware_id,name,firmware,preset
pond-1,Hatchery 1,tasmota,koi
pond 2,Hatchery 2,tasmota,koi
pond-1,Hatchery 3,tasmota,koi
pond-4,Hatchery 4,windows,koi
,Hatchery 5,tasmota,eel
tank-000,Koi,,
elsewhere,Theirs,,
"""
RIGHT = """hardware_id,name,firmware,preset
pond-1,Hatchery 1,tasmota,koi
pond-2,"=HYPERLINK(""http://evil.example"",""x"")",esphome,koi
pond-3,Hatchery 3,,
tank-000,Koi,,
elsewhere,Theirs,,
"""


def walk(browser, _):
    for part in (nobody, listed, counted, lost, rotated, languages):
        part(browser)


def opened(browser, origin, path="/devices/enrol", size=PHONE, acts=True, **options):
    watched = Watched(browser, viewport=size, service_workers="block", accept_downloads=True, **options)
    watched.context.add_init_script(KNOWN + (ACTING if acts else ""))
    watched.allowed.append(r"403.*/(enrolment|key)\)|status of 503")
    watched.page.goto(origin + path)
    return watched


def button(place, name):
    return place.get_by_role("button", name=name, exact=True)


def prove(page):
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill("a quiet pond at four")
    page.keyboard.press("Enter")


def nobody(browser):
    """Who may not, and where nothing makes devices: it is said why, and nothing leads there."""
    with serving(4, Workshop) as (service, origin):
        watched = opened(browser, origin, acts=False)
        page = watched.page
        expect(page.get_by_text("Act as a project of yours")).to_be_visible()
        inspect(watched, "enrol-others")
        page.goto(f"{origin}/devices")
        expect(page.get_by_role("link", name=re.compile("^Koi pond:"))).to_be_visible()
        expect(page.get_by_role("link", name="Make devices")).to_be_hidden()
        for state, text in (("silent", "does not answer"), ("off", "Whoever runs it can turn that on")):
            service.state = state
            page.goto(f"{origin}/devices/enrol")
            expect(page.get_by_text(text)).to_be_visible()
            photograph(page, f"enrol-{state}")
        watched.require_no_faults()
        seen("where no devices are made")


def listed(browser):
    with serving(4, Workshop) as (service, origin):
        service.refuses = {"pond-3": "full"}
        watched = opened(browser, origin, "/devices")
        page = watched.page
        page.get_by_role("link", name="Make devices").click()
        expect(page.locator("h1")).to_have_text("Make devices")
        inspect(watched, "enrol")
        faults(watched)
        found(watched, service)
        made(watched, service)
        saved(watched, service)
        labels(watched)
        left(watched, service)


def faults(watched):
    """All of them with their lines, and nothing is begun while there is one."""
    page = watched.page
    page.get_by_label("One device a line").fill(WRONG)
    button(page, "Check the list").click()
    rows = page.get_by_role("region", name="In the list")
    expect(rows).to_contain_text("5 lines to mend")
    for line in (3, 4, 5, 6):
        expect(rows.get_by_text(re.compile(f"^Line {line} · ")).first).to_be_visible()
    expect(rows).to_contain_text("The same id stands in line 2.")
    expect(rows).to_contain_text("No such firmware: “windows”.")
    expect(page.get_by_role("button", name=re.compile("^Make "))).to_be_hidden()
    inspect(watched, "enrol-faults")


def found(watched, service):
    """A file of the list, in which all is right; what is not to be made is said, and what was typed over takes it away."""
    page = watched.page
    page.set_input_files("input[type=file]", files=[{"name": "list.csv", "mimeType": "text/csv", "buffer": b"hardware_id,name\r\na,B\xe4r\r\n"}])
    expect(page.get_by_text("not in UTF-8")).to_be_visible()
    page.set_input_files("input[type=file]", files=[{"name": "list.csv", "mimeType": "text/csv", "buffer": b"\xef\xbb\xbf" + RIGHT.encode()}])
    expect(page.get_by_text("not in UTF-8")).to_have_count(0)
    button(page, "Check the list").click()
    rows = page.get_by_role("region", name="In the list")
    for text in ("3 to make", "1 is yours already", "1 belongs to somebody else"):
        expect(rows).to_contain_text(text)
    require(not service.looks[-1].startswith("\ufeff"), "the mark of the file is no part of the list")
    inspect(watched, "enrol-found")
    page.get_by_label("One device a line").press("End")
    page.keyboard.type(" ")
    expect(rows).to_be_empty()
    page.keyboard.press("Backspace")
    button(page, "Check the list").click()
    expect(rows).to_contain_text("3 to make")


def made(watched, service):
    """A password, then progress, then keys that are hidden until they are touched; what is sealed is gone from the service."""
    page = watched.page
    service.pace = 1
    button(page, "Make 3 devices").click()
    prove(page)
    expect(page.get_by_text("of 3. Leave this window open")).to_be_visible()
    photograph(page, "enrol-making")
    expect(page.get_by_role("heading", name="2 devices made")).to_be_visible()
    require([wish.get("id") for wish in service.wishes] == ["pond-1", "pond-2", "pond-3"], f"what was asked: {service.wishes}")
    require(len(service.proofs) == 1, "the password was asked for once")
    rows = page.locator(".made-row")
    expect(rows).to_have_count(3)
    expect(rows.nth(2)).to_contain_text("there are as many devices as there may be")
    expect(page.locator("body")).not_to_contain_text(secret("pond-1"))
    rows.first.get_by_role("button", name="Show: Key").click()
    expect(rows.first).to_contain_text(secret("pond-1"))
    until("what was sealed is deleted", lambda: len(service.deleted) == 1)
    require("/devices/enrol" in page.url and "k3y" not in page.url, page.url)
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
    require("k3y" not in kept, "no key is kept anywhere")
    inspect(watched, "enrol-made")
    page.set_viewport_size(DESKTOP)
    photograph(page, "enrol-made-desktop")
    page.set_viewport_size(PHONE)
    # From the memory of this window, for the firmware that the list named.
    button(rows.nth(1), "Set up this probe").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("ESPHome")
    until("what is entered is asked for", lambda: page.evaluate("1") and "/enrolment/setup/esphome" in service.asked)
    photograph(page, "enrol-setup")
    button(sheet, "Close").click()


def saved(watched, service):
    """Leaving the window asks until the file was saved; within the app nothing is lost."""
    page = watched.page
    page.get_by_role("link", name="Water").click()
    expect(page.get_by_text("The keys of your new devices are not saved yet.")).to_be_visible()
    photograph(page, "enrol-unsaved")
    button(page, "Back to them").click()
    expect(page.get_by_role("heading", name="2 devices made")).to_be_visible()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.evaluate("setTimeout(() => location.reload())")
    until("the window asks", lambda: page.evaluate("1") and asked == ["beforeunload"])
    with page.expect_download() as download:
        button(page, "Save as a CSV file").click()
    with open(download.value.path(), "rb") as file:
        text = file.read()
    require(text.startswith(b"\xef\xbb\xbf") and b"\r\n" in text, "spreadsheets know its letters")
    rows = list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))
    require([row["password"] for row in rows] == [secret("pond-1"), secret("pond-2"), ""], f"{rows}")
    require(rows[1]["name"].startswith("'=HYPERLINK("), f"no formula: {rows[1]}")
    require([row["state"] for row in rows] == ["made", "made", "refused"] and rows[0]["host"] == "s3.mqtt.example.org", f"{rows}")
    seen("keys that were saved")


def labels(watched):
    """One sheet of paper of the chosen size, with the keys only where they are wished."""
    page = watched.page
    button(page, "Labels to print").click()
    expect(page.locator(".label")).to_have_count(2)
    expect(page.locator(".label svg")).to_have_count(2)
    expect(page.locator(".label").first).to_contain_text("belongs to Lake Farm")
    expect(page.locator(".label-key").first).to_be_hidden()
    inspect(watched, "enrol-labels")
    printed(page, "a4", (595, 842), 1)
    button(page, "Letter").click()
    page.get_by_role("switch", name="With the keys").click()
    expect(page.locator(".label-key").first).to_be_visible()
    printed(page, "letter", (612, 792), 1)
    page.set_viewport_size(DESKTOP)
    photograph(page, "enrol-labels-desktop")
    page.set_viewport_size(PHONE)
    seen("labels")


def printed(page, name, size, sheets):
    """As paper: so many pages of a size in points, black on white in the dark scheme, too; no label is cut."""
    page.emulate_media(media="print", color_scheme="dark")
    require(page.evaluate("getComputedStyle(document.querySelector('.label-name')).color") == "rgb(0, 0, 0)", "black on white")
    cut = page.evaluate("[...document.querySelectorAll('.label')].filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).length")
    require(cut == 0, f"{cut} labels are too small for what stands in them")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    page.emulate_media(media="screen", color_scheme="light")
    boxes = [tuple(round(float(number)) for number in box.split()[2:4]) for box in re.findall(rb"/MediaBox \[([^\]]+)\]", pdf)]
    require(boxes == [size] * sheets, f"{name}: {boxes}")
    if SHOTS:
        with open(os.path.join(SHOTS, f"enrol-labels-{name}.pdf"), "wb") as file:
            file.write(pdf)


def left(watched, service):
    """Whoever is done begins anew, and the devices are there."""
    page = watched.page
    button(page, "Done").click()
    expect(page.get_by_label("One device a line")).to_be_visible()
    watched.require_no_faults()
    seen("a list of devices that was made")


def counted(browser):
    """So many devices without ids of their own, that wait for whoever has their labels: 31 labels need two sheets."""
    with serving(4, Workshop) as (service, origin):
        service.pace, service.is_fresh = 40, True
        watched = opened(browser, origin)
        page = watched.page
        button(page, "A number").click()
        page.get_by_label("How many").fill("0")
        page.get_by_role("button", name=re.compile("^Make ")).click()
        expect(page.get_by_text("A whole number, 1 at least.")).to_be_visible()
        page.get_by_label("How many").fill("31")
        page.get_by_label("Name").fill("A very long name of a hatchery by the lake in the north")
        page.get_by_label("Firmware").select_option("esphome")
        page.get_by_role("switch").click()
        inspect(watched, "enrol-count")
        service.left = 12
        page.reload()
        button(page, "A number").click()
        page.get_by_label("How many").fill("31")
        button(page, "Make 31 devices").click()
        expect(page.get_by_text("Only 12 more today.")).to_be_visible()
        service.left = 1000
        page.reload()
        button(page, "A number").click()
        page.get_by_label("How many").fill("31")
        page.get_by_label("Name").fill("A very long name of a hatchery by the lake in the north")
        page.get_by_role("switch").click()
        button(page, "Make 31 devices").click()
        expect(page.get_by_role("heading", name="31 devices made")).to_be_visible()
        require("id" not in service.wishes[0] and service.wishes[30]["name"].endswith(" 31"), f"{service.wishes[30]}")
        expect(page.locator(".made-row").first.get_by_role("button", name="Show: Claim code")).to_be_visible()
        button(page, "Labels to print").click()
        expect(page.locator(".label svg")).to_have_count(31)
        expect(page.locator(".label").first).to_contain_text("7KQ2-M8XD")
        page.get_by_role("switch", name="With the keys").click()
        printed(page, "a4-many", (595, 842), 2)
        button(page, "Letter").click()
        printed(page, "letter-many", (612, 792), 2)
        require_accessible(page, "many labels")
        # The address on a label fills the code in, for whoever has the device.
        page.evaluate("navigation.navigate('/devices/link#7KQ2-M8XD-0R4T')")
        expect(page.get_by_label("Code", exact=True)).to_have_value("7KQ2-M8XD-0R4T")
        watched.require_no_faults()
        seen("a number of devices")


def lost(browser):
    """A key that is not for this page, answers that do not come for a while, and whoever goes on without the keys."""
    with serving(4, Workshop) as (service, origin):
        service.is_fresh, service.pace, service.spoils = True, 1, {"pond-2"}
        watched = opened(browser, origin)
        page = watched.page
        page.get_by_label("One device a line").fill("hardware_id\npond-1\npond-2\n")
        button(page, "Check the list").click()
        button(page, "Make 2 devices").click()
        expect(page.get_by_text("1 of 2.")).to_be_visible()
        service.is_cut = True
        expect(page.get_by_text("What was asked for goes on.")).to_be_visible()
        photograph(page, "enrol-trouble")
        service.is_cut = False
        expect(page.get_by_role("heading", name="2 devices made")).to_be_visible()
        expect(page.locator(".made-row").nth(1)).to_contain_text("its key could not be read here")
        button(page, "Done").click()
        question = page.get_by_role("alertdialog")
        expect(question).to_contain_text("Nothing is saved yet")
        photograph(page, "enrol-drop")
        button(question, "Go on without them").click()
        expect(page.get_by_label("One device a line")).to_be_visible()
        watched.require_no_faults()
        seen("keys that nobody wanted")


def rotated(browser):
    """A new key by the owner: it is said what ends, the password is asked for, and the key is shown this once."""
    with serving(4, Workshop) as (service, origin):
        service.pace = 0
        watched = opened(browser, origin, f"/devices/{'tank-000'}", acts=False)
        page = watched.page
        button(page, "New key").click()
        question = page.get_by_role("alertdialog")
        expect(question).to_contain_text("The former key ends at once.")
        photograph(page, "new-key-asked")
        button(question, "Make a new key").click()
        prove(page)
        sheet = page.get_by_role("dialog", name="New key for Koi pond")
        # Whoever closes it too early loses nothing: it opens again with the key.
        button(sheet, "Close").click()
        expect(sheet).to_be_hidden()
        service.pace = 40
        sheet.get_by_role("button", name="Show: Key").click()
        expect(sheet).to_contain_text(secret("tank-000"))
        inspect(watched, "new-key")
        button(sheet, "Close").click()
        page.goto(f"{origin}/devices/tank-003")
        expect(page.get_by_role("heading", name="Limits and units").or_(page.get_by_role("link", name="Limits and units"))).to_be_visible()
        expect(button(page, "New key")).to_be_hidden()
        service.state = "off"
        page.goto(f"{origin}/devices/tank-000")
        expect(page.get_by_text("Who watches it")).to_be_visible()
        expect(button(page, "New key")).to_be_hidden()
        watched.require_no_faults()
        seen("a new key")


def languages(browser):
    with serving(4, Workshop) as (service, origin):
        service.is_fresh, service.pace = True, 40
        watched = opened(browser, origin)
        page = watched.page
        for language in ("ja", "es", "de"):
            service.language = language
            page.goto(f"{origin}/devices/enrol")
            expect(page.locator("html")).to_have_attribute("lang", language)
            page.locator("textarea").fill(WRONG)
            page.locator(".button-primary").first.click()
            expect(page.get_by_role("region").locator(".row").first).to_be_visible()
            require_narrow(page, f"enrol-{language}")
            photograph(page, f"enrol-{language}")
            page.locator(".segmented button").last.click()
            page.locator(".button-large").click()
            expect(page.locator(".made-row")).to_have_count(1)
            page.locator(".enrol-head .button-outlined").click()
            expect(page.locator(".label svg")).to_have_count(1)
            require_narrow(page, f"enrol-labels-{language}")
            photograph(page, f"enrol-labels-{language}")
            page.locator(".enrol-head .button-text").click()
            page.get_by_role("alertdialog").get_by_role("button").last.click()
            expect(page.locator("textarea")).to_be_visible()
        watched.require_no_faults()
        seen("devices made in four languages")
