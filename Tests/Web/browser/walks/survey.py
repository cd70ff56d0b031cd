"""A survey with the real service: begun by a protocol of rivers, played without a connection from the app's own cache, sent when there is one
again, changed, and then a value by hand of its place."""

import re

from playwright.sync_api import expect

from asking import new_device, until
from book import picture
from inspection import inspect, true_in
from person import link, sign_up
from walks.field import box, button, count_kept, finish, kept, rows, take
from watched import Watched, require, seen

EMAIL = "surveyor@example.org"
DEVICE = "weir"


def walk(browser, origin):
    watched = Watched(browser, permissions=["geolocation"], geolocation={"latitude": 46.9482, "longitude": 7.4475, "accuracy": 4})
    watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    page = watched.page
    sign_up(watched, origin, EMAIL)
    link(watched, new_device(DEVICE), "Weir")
    own_protocol(watched, origin)
    page.goto(f"{origin}/field/new?device={DEVICE}")
    expect(page.get_by_role("button", name=re.compile("^Our weir"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^River, quick")).click()
    button(page, "Where am I?").click()
    expect(page.get_by_text("±4 m")).to_be_visible()
    inspect(watched, "survey-new")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    true_in(page, "navigator.serviceWorker.controller !== null")
    watched.context.set_offline(True)
    button(page, "Begin").click()
    expect(page.locator("h1")).to_have_text("River, quick")
    box(page, "Temperature").fill("9,6")
    kept(page)
    page.reload()
    expect(box(page, "Temperature")).to_have_value("9,6")
    take(page, picture(page, 800, 600))
    expect(page.locator(".entry-photos canvas:visible")).to_have_count(1)
    button(page, "Save on this phone").click()
    expect(page.locator("h1")).to_have_text("1 on this phone")
    expect(rows(page).first).to_contain_text("waits for a signal")
    seen("a survey without a connection")
    watched.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Field samples")
    expect(rows(page).first).to_contain_text("1 photo")
    until("the service has all of it", lambda: count_kept(page) == 0)
    page.reload()
    expect(rows(page).first).to_contain_text("1 photo")
    rows(page).first.click()
    expect(page.locator("main")).to_contain_text("9.6 °C")
    expect(page.locator(".entry-photos canvas:visible")).to_have_count(1)
    inspect(watched, "survey-sent")
    seen("it is with the service")
    button(page, "Change").click()
    box(page, "Temperature").fill("10.1")
    finish(page)
    expect(rows(page).first).to_contain_text("sent again")
    rows(page).first.click()
    page.get_by_role("button", name=re.compile("^Versions")).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name=re.compile("^Version 2")).click()
    expect(page.get_by_role("dialog").last).to_contain_text("9.6 °C → 10.1 °C")
    page.goto(f"{origin}/care/journal")
    expect(page.locator(".journal-row").first).to_contain_text("Tested by hand")
    expect(page.locator(".journal-row").first).to_contain_text("10.1")
    seen("a change, and the value by hand")
    page.goto(f"{origin}/field")
    expect(rows(page).first).to_contain_text("1 photo")
    rows(page).first.click()
    button(page, "Withdraw it").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Withdraw it").click()
    expect(rows(page).first).to_contain_text("withdrawn")
    page.goto(f"{origin}/care/journal")
    expect(page.get_by_text("Nothing written down yet")).to_be_visible()
    require(count_kept(page) == 0, "nothing is kept here")
    seen("what was withdrawn")


def own_protocol(watched, origin):
    """The service takes what the form makes: a class at stations, and a number that is a value by hand."""
    page = watched.page
    page.goto(f"{origin}/field/protocols/new")
    box(page, "Name").fill("Our weir")
    box(page, "Most stations of a route").fill("2")
    sheet = page.get_by_role("dialog", name="Field")
    for label, kind in (("Colour", "class"), ("Heat", "number"), ("Animals", "count")):
        button(page, "Add a field").click()
        sheet.get_by_label("What is asked").fill(label)
        sheet.get_by_label("Kind of answer").select_option(kind)
        if kind == "class":
            sheet.get_by_label("How often").select_option("station")
            for number, (name, least, most) in enumerate((("light", "", "10"), ("dark", "10", ""))):
                sheet.locator(f"[name=label-{number}]").fill(name)
                sheet.locator(f"[name=from-{number}]").fill(least)
                sheet.locator(f"[name=to-{number}]").fill(most)
        elif kind == "number":
            sheet.get_by_label("Counts as a value by hand of").select_option("temperature")
            sheet.get_by_label("Smallest possible value").fill("-5")
        else:
            sheet.locator("[name=label-0]").fill("Leech")
        sheet.get_by_role("button", name="Done").click()
        expect(sheet).to_have_count(0)
    button(page, "Save the protocol").click()
    own = page.get_by_role("link", name=re.compile("^Our weir"))
    expect(own).to_contain_text("3 fields, version 1")
    own.click()
    box(page, "How it goes").fill("From the bridge.")
    button(page, "Save the protocol").click()
    expect(own).to_contain_text("3 fields, version 2")
    seen("a protocol of one's own")
