"""All tanks at once: how many need somebody, filters, order, the wall, limits for many; and how soon 200 are drawn on a slow phone, which is
printed, never asserted.
"""

import os
import re

from playwright.sync_api import expect

from asking import until
from farm import Farm
from inspection import at_rest, inspect, photograph, require_accessible, true_in
from many import at, serving
from walks.load import SLOWER
from watched import Watched, require, seen

DESKTOP = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
KNOWN = "".join(f"localStorage.setItem('aqua-{name}', '1');" for name in ("session", "known", "push-asked"))
TROUBLE = {("tank-028", "dissolved_oxygen"): "low", ("tank-041", "temperature"): "high", ("tank-008", "dissolved_oxygen"): "low"}
# The longest task, and when the first tile was drawn after the tanks were known.
FRAMES = """
globalThis.longest = 0;
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); })
    .observe({ type: "longtask", buffered: true });
globalThis.marks = {};
const look = () => {
    const tiles = document.querySelectorAll(".tile").length;
    if (tiles > 0 && marks.first === undefined) { marks.first = null; requestAnimationFrame(() => marks.first = performance.now()); }
    if (tiles === 200 && marks.all === undefined) { marks.all = null; requestAnimationFrame(() => marks.all = performance.now()); }
    requestAnimationFrame(look);
};
look();
"""


def walk(browser, _):
    if os.environ.get("AQUA_ONLY_MEASURE") != "1":
        overview(browser)
        order(browser)
        wall(browser)
        limits(browser)
        few(browser)
        compared(browser)
    measured(browser)


def troubled(tanks=48):
    service = Farm(tanks, own=0)
    service.outside = dict(TROUBLE)
    service.answers = [service.answered("tank-008", "dissolved_oxygen", "low", "Ana", False)]
    service.silent = {"tank-046"}
    service.flat = {"tank-018": ["ph"]}
    work = {"id": "w", "kind": "waterChange", "from": at(-720), "until": at(1080), "endedAt": None, "by": None}
    service.working = {"tank-047": work}
    return service


def opened(browser, origin, size, path="/", **options):
    watched = Watched(browser, viewport=size, service_workers="block", **options)
    watched.context.add_init_script(KNOWN)
    watched.page.goto(origin + path)
    return watched


def closed(watched):
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)


def drawn(page, count):
    expect(page.locator(".tile")).to_have_count(count)
    at_rest(page)


def laid_out(page, name):
    """All tanks in another way, where a phone has no room for all of them side by side."""
    page.get_by_role("button", name="How they are shown").click()
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def overview(browser):
    with serving(48, lambda tanks: troubled(tanks)) as (service, origin):
        for size, name in ((DESKTOP, "1440"), (TABLET, "820"), (PHONE, "390")):
            watched = opened(browser, origin, size)
            page = watched.page
            # From twelve tanks on it is where the water opens.
            expect(page).to_have_url(origin + "/tanks")
            expect(page.locator("h1")).to_have_text("4 of 48 need you")
            drawn(page, 48)
            # Trouble first: water outside by its departure, then what somebody is on.
            moods = page.locator(".tile").evaluate_all("(tiles) => tiles.slice(0, 7).map((tile) => tile.dataset.mood)")
            require(sorted(moods[:2]) == ["high", "low"] and moods[2:] == ["answered", "silent", "fault", "worked", "fine"], f"{moods}")
            asked = service.sizes()
            require(not any("/series" in kind for kind in asked), f"tiles ask for series: {asked}")
            require(asked["/alerts"] <= 2 and asked["/live"] == 1, f"one list, one stream: {asked}")
            photograph(page, f"tanks-{name}")
            require_accessible(page, f"tanks-{name}", size)
            if size is PHONE:
                page.get_by_role("button", name="Which tanks").click()
                expect(page.get_by_role("dialog")).to_be_visible()
                photograph(page, "tanks-which-390")
                page.get_by_role("dialog").get_by_role("button", name="3 outside").click()
                page.get_by_role("dialog").get_by_role("button", name="Show 3 tanks").click()
                drawn(page, 3)
                laid_out(page, "Grid")
                drawn(page, 3)
                inspect(watched, "tanks-phone-grid")
                laid_out(page, "List")
                inspect(watched, "tanks-phone-list")
            else:
                page.get_by_role("button", name="3 outside").click()
                drawn(page, 3)
                page.get_by_role("button", name="All 48").click()
                page.get_by_role("button", name="List").click()
                photograph(page, f"tanks-list-{name}")
            closed(watched)
    seen("all tanks, on three windows")


def order(browser):
    """Later trouble shows in its place; the order moves when it is asked to, and readings come by the one stream."""
    with serving(48, lambda tanks: troubled(tanks)) as (service, origin):
        watched = opened(browser, origin, DESKTOP)
        page = watched.page
        drawn(page, 48)
        page.wait_for_timeout(3_000)
        service.sizes()
        names = page.locator(".tile-name").all_inner_texts
        before = names()
        service.outside["tank-030", "ph"] = "high"
        service.tell("trouble", {"kind": "range", "device": "tank-030", "parameter": "ph", "side": "high", "state": "open", "since": at(-5)})
        service.read("tank-030", 10.0, "ph")
        service.tell("resync", {"parts": ["devices"]})
        expect(page.locator("h1")).to_have_text("5 of 48 need you")
        require(names() == before, "tiles have moved by themselves")
        expect(page.get_by_text("The order has changed")).to_be_visible()
        page.get_by_role("button", name="Sort again").click()
        until("it is sorted again", lambda: page.evaluate("1") and "Raceway 7" in names()[:3])
        require(not any("/series" in kind for kind in service.sizes()), "a reading asks for series")
        # A tank is opened, and the way back leads to all of them.
        page.get_by_role("link", name=re.compile("^Raceway 7,")).click()
        expect(page.locator(".air-name")).to_have_text("Raceway 7")
        page.go_back()
        drawn(page, 48)
        # By name, and with one parameter.
        page.get_by_role("button", name="Trouble first").click()
        page.get_by_role("dialog").get_by_role("button", name="Name", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Oxygen").click()
        page.get_by_role("dialog").get_by_role("button", name="Show 48 tanks").click()
        until("by name", lambda: page.evaluate("1") and names()[:3] == ["Hatchery 1", "Hatchery 2", "Hatchery 3"])
        photograph(page, "tanks-name-1440")
        page.reload()
        drawn(page, 48)
        require(names()[:2] == ["Hatchery 1", "Hatchery 2"], "the order is not remembered")
        service.is_away = True
        for stream in service.streams:
            stream.put(None)
        watched.allowed.append("ERR_|Failed to load")
        expect(page.locator("h1")).to_have_text("No answer")
        photograph(page, "tanks-noAnswer-1440")
        closed(watched)
    seen("the order moves only when it is asked to")


def wall(browser):
    with serving(48, lambda tanks: troubled(tanks)) as (service, origin):
        watched = opened(browser, origin, {"width": 1920, "height": 1080}, "/tanks/wall")
        page = watched.page
        drawn(page, 48)
        expect(page.get_by_text("Live", exact=True)).to_be_visible()
        tall = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        require(tall <= 0, f"the wall is {tall} px too high")
        photograph(page, "wall-1920")
        require_accessible(page, "wall", {"width": 1920, "height": 1080})
        service.is_away = True
        for stream in service.streams:
            stream.put(None)
        watched.allowed.append("ERR_|Failed to load")
        expect(page.get_by_text(re.compile("^Not live: as it was"))).to_be_visible()
        photograph(page, "wall-old-1920")
        closed(watched)
        service.is_away = False
        watched = opened(browser, origin, PHONE, "/tanks/wall")
        drawn(watched.page, 48)
        inspect(watched, "wall-phone")
        closed(watched)
    seen("the wall says when it is not live")


def limits(browser):
    with serving(12, lambda tanks: Farm(tanks, own=2)) as (service, origin):
        watched = opened(browser, origin, PHONE, "/tanks/limits")
        page = watched.page
        page.get_by_role("button", name=re.compile("^Parameter")).click()
        page.get_by_role("dialog").get_by_role("button", name="Dissolved oxygen").click()
        page.get_by_role("button", name="All of them").click()
        page.get_by_role("button", name=re.compile("^Minimum")).click()
        for _ in range(4):
            page.get_by_role("listbox").press("ArrowDown")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Set")).click()
        expect(page.get_by_text("14 of 14 tanks change.")).to_be_visible()
        inspect(watched, "limits-for-many")
        closed(watched)
    seen("how many change is said before anything does")


def few(browser):
    """With few tanks the water opens with one of them, and the switcher leads to all."""
    with serving(4, lambda tanks: Farm(tanks, own=2)) as (_, origin):
        watched = opened(browser, origin, PHONE)
        page = watched.page
        expect(page).to_have_url(origin + "/")
        page.locator(".air-switcher").click()
        inspect_sheet = page.get_by_role("dialog")
        expect(inspect_sheet.get_by_role("button", name="Yourself")).to_be_visible()
        photograph(page, "switcher-390")
        inspect_sheet.get_by_role("link", name="All tanks").click()
        drawn(page, 6)
        expect(page.locator("h1")).to_have_text("All fine")
        photograph(page, "tanks-few-390")
        closed(watched)
    seen("the way to all tanks with few of them")


def compared(browser):
    """Two parameters, two tanks, before and after: on a phone and on the desktop."""
    with serving(4, lambda tanks: Farm(tanks, own=0)) as (service, origin):
        service.entries = [
            service.entry(1, "tank-000", "waterChange", 30_000),
            service.entry(2, "tank-000", "note", 6 * 86_400, text="New air pump"),
            service.entry(3, "tank-001", "cleaning", 50_000),
        ]
        service.outside = {("tank-000", "dissolved_oxygen"): "low"}
        for size, name in ((PHONE, "390"), (DESKTOP, "1440")):
            watched = opened(browser, origin, size, "/p/tank-000/dissolved_oxygen")
            page = watched.page
            page.get_by_role("link", name="Compare").click()
            expect(page.get_by_text(re.compile("^Each line is drawn in its own range: the band is 7.0 to 9.0 for Oxygen"))).to_be_visible()
            expect(page.locator(".graph-corrected")).not_to_have_count(0)
            page.get_by_role("slider").focus()
            page.keyboard.press("ArrowLeft")
            expect(page.locator(".graph-pill")).to_have_text(re.compile(r"· [\d.]+\sppm · [\d.]+\sppm$"))
            photograph(page, f"compare-parameters-{name}")
            page.get_by_role("button", name="Tanks", exact=True).click()
            expect(page.get_by_text(re.compile(r"^Both have the same limits. B is on average 0[.]5\sppm below A"))).to_be_visible()
            expect(page.get_by_role("row", name=re.compile("^Average .* −0.5$"))).to_be_visible()
            if size is DESKTOP:
                # The boxes beside the tabs choose the other one.
                page.get_by_role("checkbox", name=re.compile("^Hatchery 4")).click()
                expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
                expect(page.locator(".compare-legend")).to_contain_text("B Hatchery 4")
            photograph(page, f"compare-tanks-{name}")
            require_accessible(page, f"compare-tanks-{name}", size)
            page.get_by_role("button", name="Before, after").click()
            page.get_by_role("button", name="Another entry").click()
            page.get_by_role("dialog").get_by_role("button", name=re.compile("New air pump|Note")).click()
            expect(page.get_by_role("row", name=re.compile("^Swing in a day"))).to_be_visible()
            at_rest(page)
            photograph(page, f"compare-before-{name}")
            require_accessible(page, f"compare-before-{name}", size)
            page.reload()
            expect(page.get_by_role("row", name=re.compile("^Swing in a day"))).to_be_visible()
            if size is PHONE:
                inspect(watched, "compare-narrow")
            closed(watched)
    seen("two courses beside each other")


def measured(browser):
    """200 tanks on a slow phone: opened from what was known, and drawn once everything is there. The network is the load walk's."""
    with serving(200, lambda tanks: troubled(tanks)) as (_, origin):
        watched = opened(browser, origin, PHONE, "/settings")
        page = watched.page
        expect(page.locator("h1")).to_have_text("Settings")
        page.wait_for_timeout(6_000)  # what is known is written to the device
        session = watched.context.new_cdp_session(page)
        # Of the processor alone, whatever else it has to do.
        session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        session.send("Performance.enable")
        spent = lambda: next(one["value"] for one in session.send("Performance.getMetrics")["metrics"] if one["name"] == "ScriptDuration")  # noqa: E731
        begin = spent()
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.evaluate(FRAMES + "globalThis.longest = 0; globalThis.began = performance.now(); navigation.navigate('/tanks'); null")
        true_in(page, "globalThis.marks?.all > 0")
        page.wait_for_timeout(500)
        figures = {**page.evaluate("({ first: marks.first - began, all: marks.all - began, longest })"), "script": (spent() - begin) * 1000}
        print("200 tanks, slow phone, all known: first tiles {first:.0f} ms, all {all:.0f} ms, longest task {longest:.0f} ms, scripts {script:.0f} ms of the processor".format(**figures), flush=True)
        watched.context.add_init_script(FRAMES)
        page.goto(origin + "/tanks")
        true_in(page, "globalThis.marks?.all > 0")
        figures = page.evaluate("({ ...marks, longest })")
        print("200 tanks, slow phone, opened anew: first tiles {first:.0f} ms, all {all:.0f} ms, longest task {longest:.0f} ms".format(**figures), flush=True)
        photograph(page, "tanks-200-390")
        closed(watched)
    seen("200 tanks on a slow phone")
