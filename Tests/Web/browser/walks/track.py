"""Where a boat was: nothing of it before its owner says that it moves; then its way on a map, with values, a slider and keys; and all of it deleted."""

from playwright.sync_api import expect

from asking import until
from boat import KEPT, Boat
from inspection import inspect, photograph, require_narrow
from many import serving
from watched import Watched, require, seen

BOAT = "tank-000"
DESKTOP = {"width": 1440, "height": 900}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""


def walk(browser, _):
    with serving(1, Boat) as (service, origin):
        watched = Watched(browser, service_workers="block", locale="en-GB")
        watched.context.add_init_script(SIGNED_IN)
        chosen(watched, service, origin)
        looked(watched, service, origin)
        moved(watched, service)
        saved(watched)
        large(browser, origin)
        languages(watched, service, origin)
        deleted(watched, service, origin)
        ended(watched, service, origin)


def chosen(watched, service, origin):
    """The owner switches it on; before, nothing leads to a path."""
    page = watched.page
    page.goto(f"{origin}/devices/{BOAT}")
    toggle = page.get_by_role("switch", name="This device moves")
    expect(toggle).to_have_attribute("aria-checked", "false")
    expect(page.get_by_role("link", name="Path")).to_have_count(0)
    toggle.click()
    until("the service knows it", lambda: service.moves)
    expect(page.get_by_role("link", name="Path")).to_contain_text("47.4")
    inspect(watched, "device-that-moves")
    page.get_by_role("link", name="Path").click()
    page.wait_for_url(f"**/devices/{BOAT}/track")
    seen("a device that moves since its owner says so")


def looked(watched, service, origin):
    page = watched.page
    expect(page.get_by_text(f"{KEPT} positions")).to_be_visible()
    until("it is drawn", lambda: page.evaluate("document.querySelectorAll('.track-drawing > path[d]').length") >= 6)
    line = page.locator(".track-line").get_attribute("d")
    require(line.count("M") == 2, "no line crosses the rest, of which nothing was heard")
    for words in ("below your limit", "above your limit", "within your limits", "no value"):
        expect(page.locator(".track-legend")).to_contain_text(words)
    slider = page.get_by_role("slider", name="Time along the path")
    require(int(slider.input_value()) == KEPT - 1, "it begins where the boat is")
    slider.press("Home")
    expect(page.locator(".track-when")).to_contain_text("no value")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    until("the keys go along", lambda: slider.input_value() == "3")
    expect(slider).to_have_attribute("aria-valuetext", page.locator(".track-when").inner_text() + ", " + page.locator(".track-when + p").inner_text())
    expect(page.locator(".track-when")).to_contain_text("8.")
    inspect(watched, "track")
    page.get_by_role("button", name="7 days").click()
    until("a longer time was asked for", lambda: len({wish["from"] for wish in service.wishes}) > 1)
    page.get_by_label("Value along the path").select_option(label="pH")
    until("another value was asked for", lambda: service.wishes[-1]["parameter"] == "ph")
    seen("the path of a boat")


def moved(watched, service):
    """The map is moved by keys and pressed; a press chooses the place that is near."""
    page = watched.page
    # An answer of another time would be fitted anew.
    expect(page.locator("[data-waiting]")).to_have_count(0)
    before = page.locator(".track-line").get_attribute("d")
    page.locator(".map-window").press("+")
    until("it is nearer", lambda: page.locator(".track-line").get_attribute("d") != before)
    page.locator(".map-window").press("0")
    until("all of it again", lambda: page.locator(".track-line").get_attribute("d") == before)
    box = page.locator(".map-window").bounding_box()
    x, y = (float(part) for part in before.removeprefix("M").split("L")[0].split(" "))
    page.mouse.click(box["x"] + x, box["y"] + y)
    until("the first place, or one beside it", lambda: int(page.get_by_role("slider").input_value()) < KEPT - 1)
    seen("a place that was pressed")


def saved(watched):
    page = watched.page
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the path").click()
    require(download.value.suggested_filename == f"{BOAT}-track.geojson", download.value.suggested_filename)
    seen("a path to take along")


def large(browser, origin):
    watched = Watched(browser, service_workers="block", viewport=DESKTOP, locale="en-GB")
    watched.context.add_init_script(SIGNED_IN)
    page = watched.page
    page.goto(f"{origin}/devices/{BOAT}/track")
    expect(page.get_by_text(f"{KEPT} positions")).to_be_visible()
    photograph(page, "track-desktop")
    watched.require_no_faults()
    watched.context.close()


def languages(watched, service, origin):
    page = watched.page
    for language in ("ja", "es", "de"):
        service.language = language
        page.goto(f"{origin}/devices/{BOAT}/track")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(".track-legend")).to_be_visible()
        require_narrow(page, f"track-{language}")
        photograph(page, f"track-{language}")
    service.language = "en"
    seen("a path in four languages")


def deleted(watched, service, origin):
    page = watched.page
    page.goto(f"{origin}/devices/{BOAT}/track")
    page.get_by_role("button", name="Delete all positions").click()
    question = page.get_by_role("alertdialog").or_(page.get_by_role("dialog", name="Delete all positions?")).last
    expect(question).to_contain_text("no way back")
    require(len(service.positions) == KEPT, "a look deletes nothing")
    question.get_by_role("button", name="Delete all positions", exact=True).click()
    expect(page.get_by_text("No position in this time.")).to_be_visible()
    expect(page.locator(".track")).to_be_hidden()
    photograph(page, "track-deleted")
    seen("all positions deleted")


def ended(watched, service, origin):
    """Whoever switches it off is asked whether what was kept goes as well, and may keep it."""
    page = watched.page
    service.positions = [service.position(place) for place in range(KEPT)]
    page.goto(f"{origin}/devices/{BOAT}")
    toggle = page.get_by_role("switch", name="This device moves")
    for answer, kept in (("Cancel", KEPT), ("Delete all positions", 0)):
        service.moves = True
        page.reload()
        expect(toggle).to_have_attribute("aria-checked", "true")
        expect(page.get_by_role("link", name="Path")).to_contain_text("47.4")
        toggle.click()
        question = page.get_by_role("alertdialog").or_(page.get_by_role("dialog", name="Delete all positions?")).last
        question.get_by_role("button", name=answer, exact=True).click()
        until("that was said", lambda kept=kept: not service.moves and len(service.positions) == kept)
        expect(page.get_by_role("link", name="Path")).to_have_count(0)
    seen("a device that moves no more")
