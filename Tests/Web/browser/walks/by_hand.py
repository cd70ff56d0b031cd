"""Values by hand: a test with a kit's steps and with numbers, a slip that is asked about, what the values mean, what is written without a
connection and sent once, a card where no probe measures, and squares. The service is a stand-in that is as strict as its documentation.
"""

import re

from playwright.sync_api import expect

from asking import until
from inspection import inspect, open_in, photograph, require_narrow
from laboratory import DAY, Laboratory
from many import serving
from watched import Watched, require, seen

POND = "tank-000"
ENTRY = f"/devices/{POND}/test"
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, Laboratory) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 409")
        entered(watched, service, origin)
        slip(watched, service, origin)
        offline(watched, service, origin)
        asked_later(watched, service, origin)
        cards(watched, service, origin)
        graph(watched, origin)
        languages(watched, service, origin)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def row(page, name):
    return page.locator(f".hand-row[data-parameter={name}]")


def choose_kit(page):
    page.get_by_label("Kit", exact=True).select_option("pond-kit")


def entered(watched, service, origin):
    """The journal's sheet leads to the entry; a step and a number are written down, and what they mean is told."""
    page = watched.page
    page.goto(f"{origin}/care/journal")
    button(page, "Write it down").locator("visible=true").click()
    sheet = page.get_by_role("dialog", name="Add to Tank 000")
    expect(sheet.locator(".entry-kind")).to_have_count(8)
    expect(sheet.get_by_role("button", name="Moved")).to_be_visible()
    sheet.locator(".entry-kind").filter(has_text=re.compile("^Tested by hand$")).click()
    page.wait_for_url(f"**{ENTRY}")
    expect(page.locator("h1")).to_have_text("Write down a test")
    choose_kit(page)
    row(page, "nitrite").get_by_role("button", name="8–12").click()
    row(page, "alkalinity").locator("input").fill("8,4")
    inspect(watched, "by-hand-entry")
    button(page, "Save 2 values").click()
    expect(page.locator(".hand-finding[data-finding=high]")).to_contain_text("above your maximum")
    expect(page.locator(".hand-finding[data-finding=inRange]")).to_contain_text("within your limits")
    inspect(watched, "by-hand-found")
    ((_, content),) = service.sent
    require(content["values"][0] == {"parameter": "nitrite", "choice": "8-12"}, f"the step as the card has it: {content}")
    require(content["values"][1]["value"] == 8.4 and content["kit"] == "pond-kit", f"the number: {content}")
    seen("a test with a step and a number")


def slip(watched, service, origin):
    """A number that is far from the last one is asked about before it is sent."""
    page = watched.page
    before = len(service.sent)
    page.goto(origin + ENTRY)
    choose_kit(page)
    row(page, "alkalinity").locator("input").fill("84")
    button(page, "Save 1 value").click()
    expect(page.get_by_role("alert").filter(has_text="Far from the last value")).to_be_visible()
    require(len(service.sent) == before, "nothing was sent yet")
    inspect(watched, "by-hand-slip")
    row(page, "alkalinity").locator("input").fill("8.1")
    button(page, "Save 1 value").click()
    expect(page.locator(".hand-finding")).to_contain_text("within your limits")
    seen("a slip that was asked about")


def offline(watched, service, origin):
    """What is written without a connection is kept, shown as waiting, and sent once."""
    page = watched.page
    before = len(service.sent)
    page.goto(origin + ENTRY)
    choose_kit(page)
    watched.context.set_offline(True)
    row(page, "alkalinity").locator("input").fill("9.6")
    button(page, "Save 1 value").click()
    expect(page.locator("h2")).to_contain_text(["Saved on this phone"])
    expect(page.locator(".hand-finding").first).to_contain_text("above your maximum")
    inspect(watched, "by-hand-kept")
    require(len(service.sent) == before, "nothing was sent")
    watched.context.set_offline(False)
    until("it was sent", lambda: len(service.sent) > before)
    expect(page.locator("h2").first).to_have_text("Saved")
    page.reload()
    expect(page.locator(".hand-row").first).to_be_visible()
    require(len(service.sent) == before + 1, f"it was sent once: {service.sent[before:]}")
    seen("what was written without a connection")


def asked_later(watched, service, origin):
    """What the service asks about when nobody looks waits on the screen until somebody says so."""
    page = watched.page
    before = len(service.tests)
    page.goto(origin + ENTRY)
    choose_kit(page)
    service.stern = True
    watched.context.set_offline(True)
    row(page, "alkalinity").locator("input").fill("8.8")
    button(page, "Save 1 value").click()
    expect(page.locator("h2")).to_contain_text(["Saved on this phone"])
    watched.context.set_offline(False)
    refused = page.locator(".hand-finding[data-state=refused]")
    expect(refused).to_contain_text("Are they right?")
    page.goto(origin + ENTRY)
    expect(refused).to_contain_text("8.8")
    inspect(watched, "by-hand-asked-later")
    refused.get_by_role("button", name="They are right").click()
    until("the service has it", lambda: len(service.tests) == before + 1)
    expect(refused).to_have_count(0)
    service.stern = False
    seen("what was asked about later")


def cards(watched, service, origin):
    """A card with hollow squares where no probe measures; it is not live, and the headline counts probes alone."""
    page = watched.page
    service.tests.clear()
    for days in (27, 20, 13, 3):
        service.write(POND, "tested", days * DAY, values=[{"parameter": "alkalinity", "value": 7.2 + days / 20}])
    service.write(POND, "tested", 24 * DAY, values=[{"parameter": "nitrite", "value": 8.1}])
    service.write(POND, "tested", 3600, values=[{"parameter": "ph", "value": 8.4}])
    page.goto(f"{origin}/")
    card = page.locator(".card[data-name=alkalinity]")
    expect(card.locator(".card-word")).to_have_text("By hand 3 d ago")
    expect(card).to_contain_text("30 days")
    expect(card.locator(".sparkline [data-hand]")).to_have_count(4)
    expect(card.locator(".ring [data-hand]")).to_have_count(1)
    require(card.locator(".ring-bead").is_hidden(), "no bead says that it is live")
    expect(page.locator(".card[data-name=nitrite][data-old]")).to_contain_text("24 d ago")
    expect(page.locator(".card[data-name=ph] .sparkline [data-hand]")).to_have_count(1)
    expect(page.locator("h1")).to_have_text("All fine")
    expect(page.locator(".air")).to_contain_text("6")
    inspect(watched, "by-hand-cards")
    card.scroll_into_view_if_needed()
    photograph(page, "by-hand-card")
    seen("cards by hand")


def graph(watched, origin):
    """The details say how old it is, and the graph has its square."""
    page = watched.page
    page.goto(f"{origin}/p/{POND}/ph")
    expect(page.locator(".details-by-hand")).to_contain_text("By hand 8.4")
    expect(page.locator(".details-by-hand")).to_contain_text("The probe says 8.0")
    inspect(watched, "by-hand-graph")
    seen("the graph")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        for path, name, place in ((ENTRY, "entry", ".hand-row"), ("/", "cards", ".card[data-name=alkalinity] [data-hand]")):
            open_in(language, page, service, origin + path)
            expect(page.locator(place).first).to_be_visible()
            require_narrow(page, f"{path} in {language}")
            photograph(page, f"by-hand-{name}-{language}")
    seen("the screens in each language")
