"""Water over time: what is silent looks silent, the graph goes closer and further, files, and the order of the cards."""

import csv
import io
import re

from playwright.sync_api import expect

from asking import new_device, publish, publish_all, until
from fingers import Fingers, middle
from inspection import inspect
from person import link, sign_in, sign_up
from watched import Watched, require, seen

EMAIL = "wanda@example.org"
DEVICE = "long-tank"
HOUR = 3600


def walk(browser, origin):
    watched = Watched(browser)
    sign_up(watched, origin, EMAIL)
    link(watched, new_device(DEVICE), "Long tank")
    publish_all(DEVICE, [(age, {"temperature": 20 + age % (24 * HOUR) / HOUR / 8}) for age in range(11 * HOUR, 0, -300)])
    publish(DEVICE, temperature=21.4, ph=7.9)
    expect(watched.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    order(watched)
    zoom(watched)
    spans(watched)
    table(watched)
    by_touch(browser, origin)
    silent(watched)


class Saving:
    """The orders that are on their way to the service."""

    def __init__(self, page):
        self.open, self.taken = set(), 0
        page.on("request", lambda request: self.open.add(request) if self.is_order(request) else None)
        page.on("requestfinished", self.finished)

    @staticmethod
    def is_order(request):
        return request.method == "PUT" and request.url.endswith("/parameters/order")

    def finished(self, request):
        if request in self.open:
            self.taken += request.response().ok
            self.open.discard(request)

    def finish(self, page):
        for _ in range(600):
            # The next one is sent when the one before was taken.
            page.wait_for_timeout(200)
            if self.taken > 0 and not self.open:
                return
        require(False, f"{self.taken} orders were taken, on their way: {self.open}")


def order(watched):
    """A card is moved with the arrow keys, and stays where it was put."""
    page = watched.page
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("button", name="Edit order").click()
    handle = page.get_by_role("button", name=re.compile(r"^Move Temperature, place (\d+)"))
    expect(handle).to_be_visible()
    before = handle.get_attribute("aria-label")
    place, count = map(int, re.findall(r"\d+", before))
    inspect(watched, "order")
    saving = Saving(page)
    handle.focus()
    page.keyboard.press("End")
    expect(handle).to_have_attribute("aria-label", f"Move Temperature, place {count} of {count}")
    expect(handle).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(handle).to_have_attribute("aria-label", f"Move Temperature, place {count - 1} of {count}")
    expect(handle).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(handle).to_have_attribute("aria-label", f"Move Temperature, place {count} of {count}")
    require(place != count, "the order had nothing to change")
    page.get_by_role("button", name="Done").click()
    saving.finish(page)
    page.reload()
    expect(page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("button", name="Edit order").click()
    expect(handle).to_have_attribute("aria-label", f"Move Temperature, place {count} of {count}")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Done").click()
    seen("an order by the keyboard")


def zoom(watched):
    page = watched.page
    page.get_by_role("link", name=re.compile(r"^Temperature: 21\.4")).click()
    plot = page.get_by_role("slider", name=re.compile("^Temperature"))
    whole = page.get_by_role("button", name="Whole period")
    expect(page.locator(".graph-line, path[class*=line]").first).to_be_visible()
    plot.focus()
    page.keyboard.press("+")
    expect(whole).to_be_visible()
    inspect(watched, "details-closer")
    plot.focus()
    page.keyboard.press("-")
    expect(whole).to_be_hidden()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -240)
    expect(whole).to_be_visible()
    page.keyboard.press("0")
    expect(whole).to_be_hidden()
    page.keyboard.press("Home")
    first = plot.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowRight")
    expect(plot).not_to_have_attribute("aria-valuetext", first)
    page.keyboard.press("Escape")
    # A graph that was not chosen lets the page scroll.
    page.get_by_role("button", name="Back to all values").focus()
    page.mouse.wheel(0, -240)
    page.mouse.wheel(0, 0)
    expect(whole).to_be_hidden()
    page.mouse.move(0, 0)
    seen("closer and further")


def spans(watched):
    page = watched.page
    for name in ("24 hours", "7 days", "30 days", "1 year", "12 hours"):
        button = page.get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("slider", name=re.compile(rf"^Temperature, {name}\. Now 21\.4"))).to_be_visible()
        expect(page.locator("[data-waiting]")).to_have_count(0)
        inspect(watched, f"details-{name.replace(' ', '-')}")


def table(watched):
    """The table and the file say what the graph draws."""
    page = watched.page
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.get_by_role("table")).to_be_visible()
    expect(page.get_by_role("row").nth(1)).to_contain_text("21.4")
    inspect(watched, "details-table")
    page.get_by_role("button", name="Hide table").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").click()
    require(re.fullmatch(rf"{DEVICE}-\d{{4}}-\d\d-\d\d\.csv", waiting.value.suggested_filename), waiting.value.suggested_filename)
    with open(waiting.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(io.StringIO(file.read())))
    require(len(rows) > 130, f"the file has {len(rows)} rows")
    require(any("21.4" in row for row in rows), f"the file ends with {rows[-2:]}")
    seen("the table and the file")


def by_touch(browser, origin):
    """What has a button or a key otherwise, fingers do by themselves."""
    watched = Watched(browser, has_touch=True, is_mobile=True)
    sign_in(watched, origin, EMAIL)
    expect(watched.page.get_by_role("link", name=re.compile(r"^Temperature: .*21\.4"))).to_be_visible()
    lift(watched.page)
    pinch(watched.page)
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)


def lift(page):
    """A long press lifts a card. Where it is let go it stays; a finger that moves at once scrolls."""
    names, fingers = page.locator(".card-name"), Fingers(page)
    cards, before = page.locator(".card"), names.all_inner_texts()
    is_lifted = lambda: page.locator("[data-lifted]").count() == 1
    start = middle(cards.nth(0))
    fingers.down(start)
    fingers.move((start[0], start[1] - 60))
    page.wait_for_timeout(600)
    require(not is_lifted(), "a finger that moves lifts a card")
    fingers.up()
    page.evaluate("scrollTo(0, 0)")
    until("the page rests", lambda: page.evaluate("scrollY") == 0)
    for end, order in ((fingers.lose, before), (fingers.up, [before[1], before[0], *before[2:]])):
        saving = Saving(page)
        fingers.down(middle(cards.nth(0)))
        until("the card is lifted", is_lifted)
        fingers.move(middle(cards.nth(1), down=0.75))
        page.wait_for_timeout(200)
        end()
        until("the card is put down", lambda: not is_lifted())
        until(f"the order {order}", lambda: names.all_inner_texts() == order)
        if order != before:
            saving.finish(page)
    require(page.url.rstrip("/").count("/") == 2, f"a card that was moved opens {page.url}")
    seen("an order by touch")


def pinch(page):
    page.get_by_role("link", name=re.compile(r"^Temperature: .*21\.4")).tap()
    plot = page.get_by_role("slider", name=re.compile("^Temperature"))
    whole = page.get_by_role("button", name="Whole period")
    expect(page.locator(".graph-line, path[class*=line]").first).to_be_visible()
    fingers, pill = Fingers(page), page.locator(".graph-pill")
    x, y = middle(plot)
    fingers.down((x - 30, y), (x + 30, y))
    fingers.move((x - 110, y), (x + 110, y))
    fingers.up()
    expect(whole).to_be_visible()
    fingers.down((x - 110, y), (x + 110, y))
    fingers.move((x - 20, y), (x + 20, y))
    fingers.up()
    expect(whole).to_be_hidden()
    # One finger reads values, and what it read stays while the finger is gone for a moment.
    fingers.down((x - 60, y))
    fingers.move((x - 20, y))
    expect(pill).to_be_visible()
    first = plot.get_attribute("aria-valuetext")
    fingers.move((x + 60, y))
    expect(plot).not_to_have_attribute("aria-valuetext", first)
    fingers.up()
    expect(pill).to_be_visible()
    seen("closer and further by two fingers, values by one")


def silent(watched):
    """An hour passes for the browser, and nothing comes."""
    page = watched.page
    page.clock.install()
    page.clock.fast_forward("01:00:00")
    expect(page.get_by_text(re.compile("Silent for (1 h|60 min)"))).to_be_visible()
    expect(page.locator(".details")).to_have_attribute("data-state", "silent")
    inspect(watched, "details-silent")
    page.get_by_role("button", name="Back to all values").click()
    expect(page.locator("h1")).not_to_have_text("All fine")
    expect(page.get_by_role("link", name=re.compile("^Temperature: silent for .* last 21.4"))).to_be_visible()
    inspect(watched, "home-silent")
    seen("silence")
