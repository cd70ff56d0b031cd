"""The journal: an entry by two taps and its undoing, one that is asked for, photos that leave their camera's words behind, an animal that
died, what is written without a connection and sent once, what the service refuses, and marks on the graph. The service is a stand-in that is
as strict as its documentation.
"""

import re

from playwright.sync_api import expect

from asking import until
from book import ANA, Book, colour, jpeg, picture
from inspection import inspect, open_in, photograph, require_accessible, require_narrow
from many import serving
from watched import Watched, require, seen

PATH = "/care/journal"
POND, OTHER = "tank-000", "tank-001"
DESKTOP = {"width": 1440, "height": 900}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, Book) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        watched.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 422")
        empty(watched, origin)
        two_taps(watched, service)
        asked(watched, service)
        dosed(watched, service)
        photos(watched, service)
        died(watched, service)
        offline(watched, service, origin)
        refused(watched, service)
        marks(watched, service, origin)
        inventory(watched, service, origin)
        former(watched, service, origin)
        languages(watched, service, origin)
    several(browser)


def rows(page):
    return page.locator(".journal-row")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def sheet(page, name=None):
    return page.get_by_role("dialog", name=name) if name else page.get_by_role("dialog")


def tile(page, name):
    button(page, "Write it down").locator("visible=true").click()
    return sheet(page, "Add to Tank 000").locator(".entry-kind").filter(has_text=re.compile(f"^{name}$"))


def wishes(service, method="PUT"):
    return [content for how, _, content in service.puts if how == method and isinstance(content, dict)]


def former(watched, service, origin):
    """What somebody left in a tank that they watch no more is shown under the account, and removed."""
    page = watched.page
    service.leave("entry", "Fed the fry for Ana", 3_600)
    service.leave("photo", None, 7_200)
    service.leave("test", "The strip was old", 86_400)
    page.goto(origin + "/settings/account/left")
    expect(page.locator("h1")).to_have_text("What you left in former tanks")
    listed = page.locator("main .rows .row")
    expect(listed).to_have_count(3)
    expect(listed.nth(1).locator("canvas")).to_be_visible()
    inspect(watched, "former-tanks")
    listed.nth(1).click()
    button(page, "Look at it").click()
    expect(page.get_by_role("img", name="Photo")).to_be_visible()
    button(page, "Close").last.click()
    button(page, "Remove it").click()
    expect(listed).to_have_count(2)
    listed.filter(has_text="The strip was old").click()
    expect(sheet(page)).to_contain_text("What was measured or planned stays with the tank.")
    inspect(watched, "former-tanks-sheet")
    button(page, "Remove it").click()
    expect(listed).to_have_count(1)
    listed.first.click()
    button(page, "Remove it").click()
    expect(page.get_by_text("There is nothing of yours.")).to_be_visible()
    require(service.left == [], f"all is removed: {service.left}")
    seen("what was left in a former tank, and removed")


def empty(watched, origin):
    """Nothing is written down yet: the screen says why one would, and offers the usual."""
    page = watched.page
    page.goto(origin + PATH)
    expect(page.locator("h1")).to_have_text("Journal")
    expect(page.get_by_text("Nothing written down yet")).to_be_visible()
    expect(page.get_by_text("explains its curves")).to_be_visible()
    inspect(watched, "journal-empty")


def two_taps(watched, service):
    """Two taps write it as now; it can be undone, and more can be said."""
    page = watched.page
    tile(page, "Fed").click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Fed")
    until("the service has it", lambda: len(service.entries) == 1)
    photograph(page, "journal-toast")
    button(page, "Undo").click()
    expect(rows(page)).to_have_count(0)
    until("the service has it no more", lambda: not service.entries)
    require([how for how, _, _ in service.puts] == ["PUT", "DELETE"], f"each was sent once: {service.puts}")
    tile(page, "Water change").click()
    until("the service has the change", lambda: len(service.entries) == 1)
    button(page, "Say more").click()
    form = sheet(page, "Water change")
    form.get_by_label("How much").fill("20")
    form.get_by_role("button", name="Save").click()
    expect(rows(page)).to_contain_text("Water change 20 %")
    until("the service has how much", lambda: [one["amount"] for one in service.entries.values()] == [20])
    seen("two taps, undone, and more said")


def asked(watched, service):
    """A hold asks, and so does the keyboard; what was done last is offered as it was."""
    page = watched.page
    fed = tile(page, "Fed")
    expect(sheet(page).get_by_role("button", name="Water change 20 %")).to_be_visible()
    inspect(watched, "journal-add")
    fed.focus()
    page.keyboard.press("Shift+Enter")
    form = sheet(page, "Fed")
    form.get_by_label("Food").fill("Flakes")
    form.get_by_label("How much").fill("3,5")
    inspect(watched, "journal-fed")
    form.get_by_role("button", name="Save").click()
    expect(rows(page).first).to_contain_text("Flakes · 3.5 g · you")
    box = tile(page, "Cleaned").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(sheet(page, "Cleaned")).to_be_visible()
    page.mouse.up()
    expect(sheet(page, "Cleaned")).to_be_visible()
    sheet(page, "Cleaned").get_by_role("button", name="Close").click()
    expect(sheet(page)).to_have_count(0)
    require(len(service.entries) == 2, "a hold writes nothing")
    tile(page, "Fed")
    sheet(page).get_by_role("button", name="Water change 20 %").click()
    expect(rows(page)).to_have_count(3)
    seen("a hold, the keyboard, and as last time")


def dosed(watched, service):
    """The dose on a label makes an amount for this tank, whose volume is asked once."""
    page = watched.page
    watched.page.keyboard.press("Escape")
    box = tile(page, "Dosed")
    box.focus()
    page.keyboard.press("Shift+Enter")
    form = sheet(page, "Dosed")
    form.get_by_label("What", exact=True).fill("Salt")
    form.get_by_role("button", name="Grams").click()
    form.get_by_text("Calculate a dose").click()
    form.get_by_label("The label says").fill("16.7")
    form.get_by_label("Water in Tank 000, in litres").fill("12000")
    expect(form.get_by_text("For 12,000 L that is 2.00 kg.")).to_be_visible()
    inspect(watched, "journal-dosed")
    form.get_by_role("button", name="Take 2.00 kg").click()
    form.get_by_role("button", name="Save").click()
    expect(rows(page).first).to_contain_text("Dosed Salt, 2.00 kg")
    expect(rows(page).first).to_contain_text("for 12,000 L that is 0.17 g/L · you")
    change = tile(page, "Water change")
    change.focus()
    page.keyboard.press("Shift+Enter")
    form = sheet(page, "Water change")
    form.get_by_label("How much").fill("50")
    form.get_by_text("What does it change?").click()
    form.get_by_label("The water has").fill("40")
    form.get_by_label("Fresh water has").fill("5")
    expect(form.get_by_text("Afterwards the water has 22.5.")).to_be_visible()
    inspect(watched, "journal-change")
    form.get_by_role("button", name="Close").click()
    seen("sums of doses and of water changes")


def photos(watched, service):
    """A photo is small, upright and without its camera's words; it is seen in its row, and large; it can be removed."""
    page = watched.page
    tile(page, "Note").click()
    form = sheet(page, "Note")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Write something, or add a photo.")).to_be_visible()
    form.get_by_label("Note").fill("Two koi rub on the stones\nSince this morning")
    take(form, "heic.heic", b"\0\0\0\x18ftypheic\0\0\0\0")
    expect(form.get_by_text("Apple’s format HEIC")).to_be_visible()
    take(form, "text.jpg", b"nothing that is drawn")
    expect(form.get_by_text("No picture can be read")).to_be_visible()
    take(form, "turned.jpg", picture(page, 3000, 2000, orientation=6))
    expect(form.get_by_role("button", name="Photo 1, look at it")).to_be_visible()
    inspect(watched, "journal-note")
    form.get_by_role("button", name="Save").click()
    until("photo and small one are there", lambda: [set(one) for one in service.photos.values()] == [{"large", "small"}])
    (photo,) = service.photos.values()
    sizes = {size: jpeg(contents)[0] for size, contents in photo.items()}
    upright = max(sizes["large"]) <= 1600 and sizes["small"] == (213, 320) and sizes["large"][0] < sizes["large"][1]
    require(upright, f"upright: {sizes}")
    # What was at the left stands on top, once it is turned.
    point = colour(page, photo["large"], sizes["large"][0] - 50, 100)
    require(abs(point[0] - 56) < 20 and abs(point[2] - 120) < 20, f"the picture is turned: {point}")
    kinds = [content if isinstance(content, str) else "entry" for _, _, content in service.puts[-3:]]
    require(kinds == ["entry", "large", "small"], f"in their order: {kinds}")
    expect(rows(page).first.locator(".photo canvas")).to_be_visible()
    rows(page).first.click()
    inspect(watched, "journal-entry")
    sheet(page).get_by_role("button", name="Photo 1, look at it").click()
    expect(page.get_by_role("img", name="Two koi rub on the stones")).to_be_visible()
    inspect(watched, "journal-photo")
    page.keyboard.press("Escape")
    sheet(page).get_by_role("button", name="Change").click()
    form = sheet(page)
    form.get_by_role("button", name="Remove photo 1").click()
    form.get_by_role("button", name="Save").click()
    until("the photo is gone", lambda: not any(entry["photos"] for entry in service.entries.values()))
    expect(rows(page).first.locator(".photo")).to_have_count(0)
    seen("photos")


def take(form, name, contents):
    form.locator("input[type=file]").set_input_files({"name": name, "mimeType": "image/jpeg", "buffer": contents})


def died(watched, service):
    """An animal that died is written in the same size as all else, without a toast; the list is changed where the person says so."""
    page = watched.page
    number = "00000000-0000-4000-9000-000000000001"
    service.items["livestock"][number] = {
        "id": number, "species": "Koi", "count": 5, "since": "2024-05-01", "until": None, "note": None, "version": 1,
    }  # fmt: skip
    button(page, "Write it down").locator("visible=true").click()
    sheet(page).get_by_role("button", name="An animal died").click()
    form = sheet(page, "An animal died")
    form.get_by_role("button", name="Koi", exact=True).click()
    expect(form.get_by_text("Also change the list: 5 to 4")).to_be_visible()
    inspect(watched, "journal-died")
    form.get_by_role("button", name="Save").click()
    # Written in the minute of the one before, it may stand below that.
    expect(rows(page).filter(has_text="One Koi died")).to_have_count(1)
    require(page.locator(".toast").filter(has_text="died").count() == 0, "nothing announces it")
    until("the list has one less", lambda: service.items["livestock"][number]["count"] == 4)
    seen("an animal that died")


def offline(watched, service, origin):
    """What is written without a connection is kept over a start of the app, and sent once."""
    page = watched.page
    before = len(service.puts)
    watched.context.set_offline(True)
    tile(page, "Fed").click()
    expect(rows(page).first).to_contain_text("waits for a signal")
    note = tile(page, "Note")
    note.click()
    form = sheet(page, "Note")
    form.get_by_label("Note").fill("The heron was here")
    take(form, "heron.jpg", picture(page, 800, 600))
    expect(form.get_by_role("button", name="Photo 1, look at it")).to_be_visible()
    form.get_by_role("button", name="Save").click()
    expect(rows(page).first).to_contain_text("The heron was here")
    expect(rows(page).first.locator(".photo canvas")).to_be_visible()
    inspect(watched, "journal-offline")
    require(len(service.puts) == before, "nothing was sent")
    watched.context.set_offline(False)
    until("all was sent", lambda: len(service.puts) == before + 4)
    expect(page.locator(".journal-state:not(:empty)")).to_have_count(0)
    page.reload()
    expect(rows(page).first).to_contain_text("The heron was here")
    expect(rows(page).first.locator(".photo canvas")).to_be_visible()
    require(len(service.puts) == before + 4, f"each was sent once: {service.puts[before:]}")
    seen("what was written without a connection")


def refused(watched, service):
    """What the service does not take stays, and says why, until the person has it sent again or gives it up."""
    page = watched.page
    service.refuses = "The tank holds 1,000 entries of today."
    tile(page, "Fed").click()
    expect(rows(page).first).to_contain_text("not taken")
    inspect(watched, "journal-refused")
    rows(page).first.click()
    expect(sheet(page).get_by_text("The tank holds 1,000 entries of today.")).to_be_visible()
    inspect(watched, "journal-refused-entry")
    count = len(service.entries)
    service.refuses = None
    sheet(page).get_by_role("button", name="Try again").click()
    until("it was taken", lambda: len(service.entries) == count + 1)
    expect(page.locator(".journal-state:not(:empty)")).to_have_count(0)
    seen("what was refused")


def marks(watched, service, origin):
    """Marks stand below the hours of every graph, and a tap shows the entry; near ones stand together."""
    page = watched.page
    service.entries.clear()
    service.write(POND, "waterChanged", 4 * 3600, amount=20, unit="percent", by=ANA)
    service.write(POND, "fed", 8 * 3600)
    service.write(POND, "cleaned", 8 * 3600 + 200, subject="Filter")
    service.write(POND, "note", 20 * 3600, text="Before all that is shown")
    page.goto(f"{origin}/p/{POND}/temperature")
    discs = page.locator(".graph-mark")
    expect(discs).to_have_count(2)
    expect(discs.first).to_have_text("2")
    require(page.locator(".graph-mark-line").count() == 2, "a line for each")
    discs.last.click()
    expect(discs.last).to_have_attribute("aria-pressed", "true")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Water change 20 %")
    expect(rows(page)).to_contain_text("Ana")
    inspect(watched, "journal-marks")
    discs.first.focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(2)
    expect(discs.first).to_be_focused()
    page.get_by_role("button", name="Write it down").click()
    sheet(page).locator(".entry-kind").filter(has_text=re.compile("^Fed$")).click()
    expect(discs).to_have_count(3)
    button(page, "30 days").click()
    expect(discs.first).to_be_visible()
    seen("marks on the graph")


def inventory(watched, service, origin):
    """What lives and works in a tank is a list, which is written without a connection, too."""
    page = watched.page
    service.items["livestock"].clear()
    page.goto(f"{origin}/devices/{POND}/inventory")
    expect(page.locator("h1")).to_have_text("Animals and equipment")
    button(page, "Add an animal or plant").click()
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_text("The name is missing.")).to_be_visible()
    sheet(page).get_by_label("Species").fill("Koi")
    sheet(page).get_by_label("How many").fill("5")
    inspect(watched, "inventory-item")
    sheet(page).get_by_role("button", name="Save").click()
    until("the service has it", lambda: [one["count"] for one in service.items["livestock"].values()] == [5])
    button(page, "Add equipment").click()
    sheet(page).get_by_label("Name").fill("Pump")
    sheet(page).get_by_label("Here since").fill("2024-05-01")
    sheet(page).get_by_role("button", name="Save").click()
    page.get_by_role("button", name=re.compile("^Pump")).click()
    sheet(page).get_by_label("Gone since").fill("2026-02-01")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.get_by_text("1 no longer here")).to_be_visible()
    until("the service has the day", lambda: [one["until"] for one in service.items["equipment"].values()] == ["2026-02-01"])
    page.get_by_text("1 no longer here").click()
    inspect(watched, "inventory")
    seen("animals and equipment")


def rest(page, service):
    """Until nothing has been asked for during half a second."""
    asked = -1
    while asked != len(service.asked):
        asked = len(service.asked)
        page.wait_for_timeout(500)


def several(browser):
    """Of several tanks: each row says which, one can be chosen, and what the water did stands beside its day."""
    with serving(2, Book) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB", viewport=DESKTOP)
        watched.context.add_init_script(SIGNED_IN)
        page = watched.page
        service.outside[(POND, "temperature")] = "low"
        for number in range(60):
            service.write((POND, OTHER)[number % 2], "fed", 600 + number * 3600, by=ANA)
        page.goto(f"{origin}/care")
        expect(page.locator(".journal-column .journal-row")).to_have_count(50)
        expect(page.get_by_role("button", name="Write it down")).to_be_visible()
        require_accessible(page, "care with the journal", DESKTOP)
        photograph(page, "care-columns")
        page.goto(origin + PATH)
        expect(rows(page)).to_have_count(50)
        expect(rows(page).first).to_contain_text("Tank 000 · Ana")
        # What somebody else writes comes by itself, once nothing else is being read.
        rest(page, service)
        service.write(POND, "note", 1, by=ANA, text="The heron was here")
        service.tell("resync", {"parts": ["journal"]})
        expect(rows(page).first).to_contain_text("The heron was here")
        service.entries.popitem()
        rest(page, service)
        service.tell("resync", {"parts": ["journal"]})
        expect(rows(page).first).to_contain_text("Fed")
        expect(page.get_by_role("link", name="1 thing the water did")).to_be_visible()
        photograph(page, "journal-several")
        button(page, "Show older").click()
        expect(rows(page)).to_have_count(60)
        button(page, "All tanks").click()
        sheet(page).get_by_role("button", name="Tank 001").click()
        expect(rows(page)).to_have_count(30)
        require(page.url.endswith(f"?tank={OTHER}"), "the address says which")
        button(page, "All kinds").click()
        sheet(page).get_by_role("button", name="Dosed").click()
        expect(page.get_by_text("Nothing like this is written down.")).to_be_visible()
        page.reload()
        expect(rows(page)).to_have_count(30)
        page.goto(f"{origin}/")
        page.get_by_role("link", name="Journal").click()
        expect(rows(page)).to_have_count(30)
        require(page.url.endswith(f"?tank={POND}"), "the journal of the tank that was looked at")
        page.get_by_role("link", name="1 thing the water did").click()
        expect(page.locator("h1")).to_have_text("Alerts")
        page.goto(f"{origin}/p/{POND}/temperature")
        expect(page.locator(".graph-mark").first).to_be_visible()
        page.locator(".graph-mark").last.click()
        photograph(page, "journal-marks-wide")
        watched.require_no_faults()
        seen("several tanks")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, origin + PATH)
        expect(rows(page).first).to_be_visible()
        require_narrow(page, f"{PATH} in {language}")
        photograph(page, f"journal-{language}")
        page.locator(".care-add button").click()
        expect(page.locator(".entry-kind").first).to_be_visible()
        require_narrow(page, f"adding in {language}")
        photograph(page, f"journal-add-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("the screen in each language")
