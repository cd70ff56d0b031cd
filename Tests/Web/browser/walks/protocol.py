"""A protocol of one's own, made by keys alone: its fields with kinds, stations and depths, their order, a next version, a copy of one of the service,
and a sample by it. The service is a stand-in that is as strict as its documentation.
"""

import contextlib
import re

from playwright.sync_api import Error, expect

from asking import until
from inspection import at_rest, inspect, open_in, photograph, require_narrow
from many import serving
from surveyor import Surveyor
from walks.field import box, button, count_kept, finish, go, new_phone
from watched import require, seen

DESKTOP = {"width": 1440, "height": 900}


def walk(browser, _):
    with serving(2, Surveyor) as (service, origin):
        phone = new_phone(browser, origin)
        killed(phone, service, origin)
        made(phone, service, origin)
        used(phone, service, origin)
        changed(phone, service)
        copied(phone, service)
        languages(phone, service, origin)


def press(page, name, role="button"):
    """By keys alone."""
    page.get_by_role(role, name=name, exact=True).first.focus()
    page.keyboard.press("Enter")


def say(page, label, text):
    page.get_by_label(label, exact=True).focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("Delete")
    page.keyboard.type(text)


def take(page):
    """The field is taken over once its sheet is gone."""
    press(page, "Done")
    expect(page.get_by_role("dialog", name="Field")).to_have_count(0)


def killed(watched, service, origin):
    """The tab dies while a field is written: what was typed is offered again, to be taken over or discarded."""
    page = watched.page
    page.goto(f"{origin}/field/protocols/new")
    sheet = page.get_by_role("dialog", name="Field")
    say(page, "Name", "Our brook")
    press(page, "Add a field")
    page.keyboard.type("Depth at the gauge")
    say(page, "Unit", "m")
    page = anew(watched, sheet)
    expect(box(page, "Name")).to_have_value("Our brook")
    expect(page.get_by_text("A new field is not finished.")).to_be_visible()
    inspect(watched, "protocol-unfinished-new")
    sheet = page.get_by_role("dialog", name="Field")
    press(page, "Save the protocol")
    expect(sheet.get_by_text("Taken up again")).to_be_visible()
    expect(sheet.get_by_label("What is asked")).to_have_value("Depth at the gauge")
    expect(sheet.get_by_label("Unit", exact=True)).to_have_value("m")
    inspect(watched, "protocol-taken-up")
    require(service.sent == [], "nothing is sent that is not finished")
    take(page)
    expect(page.get_by_text("A new field is not finished.")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^Depth at the gauge")).press("Enter")
    say(page, "Unit", "cm")
    page = anew(watched, sheet)
    row = page.get_by_role("button", name=re.compile("^Depth at the gauge"))
    expect(row).to_contain_text("Not taken over yet")
    inspect(watched, "protocol-unfinished")
    sheet = page.get_by_role("dialog", name="Field")
    row.press("Enter")
    expect(sheet.get_by_label("Unit", exact=True)).to_have_value("cm")
    sheet.get_by_role("button", name="Discard the changes").click()
    expect(sheet.get_by_text("Taken up again")).to_have_count(0)
    expect(sheet.get_by_label("Unit", exact=True)).to_have_value("m")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(row).to_be_focused()
    expect(row).not_to_contain_text("Not taken over yet")
    # Another project's, or another person's, is another one.
    acting = "sessionStorage.setItem('aqua-acting', JSON.stringify({ id: '42', name: 'Lake Farm' }))"
    page.evaluate(acting)
    page.reload()
    expect(box(page, "Name")).to_have_value("")
    page.evaluate("sessionStorage.removeItem('aqua-acting')")
    page.reload()
    expect(box(page, "Name")).to_have_value("Our brook")
    press(page, "Discard the changes")
    expect(box(page, "Name")).to_have_value("")
    until("nothing is kept", lambda: count_makings(page) == 0)
    seen("a protocol whose tab was killed")


def anew(watched, sheet):
    """Ends the tab as a system that needs its memory does, and opens the app anew where it was."""
    expect(sheet.locator("[data-keeping]")).to_have_attribute("data-keeping", "kept")
    dying, address = watched.page, watched.page.url
    watched.page = watched.open()
    with dying.expect_event("crash"), contextlib.suppress(Error):
        dying.goto("chrome://crash")
    dying.close()
    watched.page.goto(address)
    return watched.page


def count_makings(page):
    return page.evaluate("""new Promise((resolve) => {
        const asked = indexedDB.open("aquamonitor-protocols");
        asked.onsuccess = () => {
            const counted = asked.result.transaction("makings").objectStore("makings").count();
            counted.onsuccess = () => { asked.result.close(); resolve(counted.result); };
        };
    })""")


def made(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/field")
    press(page, "Protocols", "link")
    expect(page.get_by_text("None of your own yet.")).to_be_visible()
    inspect(watched, "protocols")
    press(page, "New protocol", "link")
    expect(page.locator("h1")).to_have_text("New protocol")
    press(page, "Save the protocol")
    expect(page.get_by_text("It needs a name.")).to_be_visible()
    say(page, "Name", "Our pond")
    page.reload()
    expect(page.get_by_text("Your changes from before are here.")).to_be_visible()
    expect(box(page, "Name")).to_have_value("Our pond")
    press(page, "Save the protocol")
    expect(page.get_by_text("Nothing is asked yet.")).to_be_visible()
    say(page, "Most stations of a route", "3")
    press(page, "Add a field")
    sheet = page.get_by_role("dialog", name="Field")
    expect(sheet.get_by_label("What is asked")).to_be_focused()
    press(page, "Done")
    expect(sheet.get_by_text("Say what is asked.")).to_be_visible()
    page.keyboard.type("Depth at the gauge")
    say(page, "Unit", "m")
    say(page, "Smallest possible value", "2")
    say(page, "Largest possible value", "1")
    press(page, "Done")
    expect(sheet.get_by_text("The smallest value is larger than the largest.")).to_be_visible()
    say(page, "Smallest possible value", "0")
    inspect(watched, "protocol-field")
    take(page)
    expect(page.get_by_role("button", name=re.compile("^Depth at the gauge"))).to_be_focused()
    press(page, "Add a field")
    page.keyboard.type("Colour")
    page.get_by_label("Kind of answer").select_option("class")
    page.get_by_label("How often").select_option("station")
    for number, (label, least, most) in enumerate((("light", "", "10"), ("dark", "10", ""))):
        sheet.locator(f"[name=label-{number}]").fill(label)
        sheet.locator(f"[name=from-{number}]").fill(least)
        sheet.locator(f"[name=to-{number}]").fill(most)
    press(page, "Add another")
    expect(sheet.locator("[name=label-2]")).to_be_focused()
    inspect(watched, "protocol-classes")
    press(page, "Remove Answer 3")
    take(page)
    press(page, "Move up: Colour")
    expect(button(page, "Move down: Colour")).to_be_focused()
    inspect(watched, "protocol")
    press(page, "Save the protocol")
    expect(page.get_by_role("link", name=re.compile("^Our pond"))).to_contain_text("2 fields, version 1")
    [(_, name, content)] = service.sent
    require(re.fullmatch("our-pond-[0-9a-f]{8}", name) and content["stations"] == 3, f"{name} {content}")
    require([one["id"] for one in content["fields"]] == ["colour", "depth_at_the_gauge"], f"{content['fields']}")
    require(content["fields"][0]["choices"][0] == {"id": "light", "label": "light", "from": None, "to": 10}, f"{content['fields'][0]}")
    seen("a protocol by keys alone")


def used(watched, service, origin):
    """A sample by it, whose values are counted before it is sent."""
    page = watched.page
    page.goto(f"{origin}/field/new?device=tank-000")
    page.get_by_role("button", name=re.compile("^Our pond")).click()
    button(page, "Begin").click()
    button(page, "dark").click()
    box(page, "Depth at the gauge").fill("0.7")
    finish(page)
    values = service.sent[-1][2]["values"]
    require(values == [{"field": "colour", "station": "1", "choice": "dark"}, {"field": "depth_at_the_gauge", "number": 0.7}], f"{values}")
    # A protocol of a project may be larger than what a sample may have.
    own = next(iter(service.own.values()))
    many = [{**own[-1]["fields"][0], "id": f"colour_{number}", "label": f"Colour {number}"} for number in range(100)]
    own.append({**own[-1], "fields": many, "stations": 50, "version": 2})
    page.goto(f"{origin}/field/new?device=tank-000")
    page.get_by_role("button", name=re.compile("^Our pond")).click()
    button(page, "Begin").click()
    values = "Object.fromEntries([1, 2, 3, 4].flatMap((station) => Array.from({ length: 100 }, (_, field) => [`colour_${field}|${station}|`, { choice: 'dark' }])))"
    expect(page.locator("[data-keeping]")).to_have_attribute("data-keeping", "kept")
    page.evaluate("""new Promise((resolve) => {
        const asked = indexedDB.open("aquamonitor-field");
        asked.onsuccess = () => {
            const drafts = asked.result.transaction("drafts", "readwrite").objectStore("drafts");
            drafts.getAll().onsuccess = ({ target }) => drafts.put({ ...target.result[0], stations: ["1", "2", "3", "4"], values: VALUES, edits: 9 });
            drafts.transaction.oncomplete = () => { asked.result.close(); resolve(); };
        };
    })""".replace("VALUES", values))
    page.reload()
    told = page.get_by_text("400 values are more than the service takes of one sample (300).")
    expect(told).to_be_visible()
    sent = len(service.sent)
    button(page, "Save on this phone").click()
    expect(told).to_be_visible()
    inspect(watched, "protocol-too-many")
    require(len(service.sent) == sent, "what would be refused is not sent")
    button(page, "Discard").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Discard").click()
    until("it is gone", lambda: count_kept(page) == 0)
    own.pop()
    seen("a sample by one's own protocol")


def changed(watched, service):
    page = watched.page
    go(page, "/field/protocols")
    page.get_by_role("link", name=re.compile("^Our pond")).press("Enter")
    expect(page.get_by_text("Version 1. Samples keep the version")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Colour")).press("Enter")
    sheet = page.get_by_role("dialog", name="Field")
    sheet.get_by_label("What is asked").fill("Colour of the water")
    take(page)
    say(page, "Most stations of a route", "")
    press(page, "Save the protocol")
    expect(page.get_by_text("Colour of the water: The protocol has no stations or depths for it.")).to_be_visible()
    say(page, "Most stations of a route", "4")
    press(page, "Save the protocol")
    expect(page.get_by_role("link", name=re.compile("^Our pond"))).to_contain_text("2 fields, version 2")
    content = service.sent[-1][2]
    require(content["fields"][0]["id"] == "colour" and content["fields"][0]["label"] == "Colour of the water", f"{content}")
    seen("its next version")


def copied(watched, service):
    page = watched.page
    page.get_by_role("link", name=re.compile("^Lake with Secchi disk")).press("Enter")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lake with Secchi disk")
    say(page, "Name", "Our water")
    page.reload()
    press(page, "Discard the changes")
    expect(box(page, "Name")).to_have_value("Lake with Secchi disk")
    say(page, "Name", "Our lake")
    page.route("**/field-protocols/our-lake-*", lose)
    watched.allowed.append("ERR_FAILED")
    press(page, "Save the protocol")
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.unroute("**/field-protocols/our-lake-*")
    page.reload()
    expect(box(page, "Name")).to_have_value("Our lake")
    press(page, "Save the protocol")
    expect(page.get_by_role("link", name=re.compile("^Our lake"))).to_contain_text("3 fields, version 1")
    require(service.sent[-1][1].startswith("our-lake-") and service.sent[-1][2]["depths"], "what is worked out stays with the service")
    require(sum(name.startswith("our-lake-") for name in service.own) == 1, f"one that went out twice is one: {list(service.own)}")
    seen("a copy of one of the service")


def lose(route):
    """The service has it, and its answer is lost."""
    route.fetch()
    route.abort()


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/field/protocols/{next(iter(service.own))}")
        expect(page.locator(".protocol-fields .row").first).to_be_visible()
        require_narrow(page, f"a protocol in {language}")
        photograph(page, f"protocol-{language}")
        page.locator(".protocol-fields .row").first.click()
        require_narrow(page, f"a field in {language}")
        photograph(page, f"protocol-field-{language}")
    page.set_viewport_size(DESKTOP)
    open_in("en", page, service, f"{origin}/field/protocols/{next(iter(service.own))}")
    expect(page.locator(".protocol-fields .row").first).to_be_visible()
    at_rest(page)
    photograph(page, "protocol-large")
    watched.require_no_faults()
    seen("the screens in each language")
