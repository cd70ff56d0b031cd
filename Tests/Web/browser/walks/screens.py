"""Screens of one service with a few tanks, in every language, with text of twice the size, on its side: no caption touches another, no button
cuts or loses its words, and what is snoozed does not call.
"""

import re

from playwright.sync_api import expect

from asking import until
from inspection import at_rest, photograph, require_accessible
from many import at, serving
from watched import CHROMIUM, Watched, require, seen

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
SIDEWAYS = {"width": 844, "height": 390}
DESKTOP = {"width": 1440, "height": 900}
SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
TANK = "tank-000"


def walk(browser, _):
    with serving(3) as (service, origin):
        service.outside = {(TANK, "ph"): "low", ("tank-001", "nitrate"): "high"}
        snoozed(browser, service, origin)
        answered(browser, service, origin)
        by_link(browser, service, origin)
        linked(browser, service, origin)
        faulty(browser, service, origin)
        sideways(browser, service, origin)
        buttons(browser, service, origin)
        captions(browser, service, origin)
        written_large(browser, service, origin)


def opened(browser, service, origin, path, size, language="en"):
    service.language = language
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(SIGNED_IN)
    watched.page.goto(origin + path)
    expect(watched.page.locator("html")).to_have_attribute("lang", language)
    rest(watched.page)
    return watched


def rest(page):
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator("[data-waiting], [data-loading]")).to_have_count(0)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    at_rest(page)


def closed(watched):
    watched.require_no_faults()
    watched.context.close()
    Watched.all.remove(watched)


def snoozed(browser, service, origin):
    """The list, the badge and the page of an alert, before and after the person says: not now."""
    watched = opened(browser, service, origin, "/alerts", PHONE)
    page = watched.page
    expect(page.locator(".alerts-open")).to_have_count(2)
    expect(page.locator(".tab-badge")).to_have_text("2")
    photograph(page, "screens-alerts")
    page.get_by_role("link", name=re.compile("pH is low")).click()
    expect(page.locator(".alert-air[data-alarm]")).to_be_visible()
    rest(page)
    photograph(page, "screens-alert")
    page.get_by_role("button", name="Snooze 30 min").click()
    expect(page.get_by_text(re.compile("^Snoozed until"))).to_be_visible()
    expect(page.locator(".alert-air[data-alarm]")).to_have_count(0)
    rest(page)
    require_accessible(page, "the page of a snoozed alert")
    photograph(page, "screens-alert-snoozed")
    service.snoozes = [{"device": TANK, "kind": "range", "parameter": "ph", "side": "low", "until": at(1800), "acknowledged": False}]
    page.evaluate("navigation.navigate('/alerts')")
    expect(page.locator(".alerts-open")).to_have_count(1)
    expect(page.get_by_role("link", name=re.compile("pH is low.*Snoozed until"))).to_be_visible()
    expect(page.locator(".tab-badge")).to_have_text("2")
    require_accessible(page, "the list with a snoozed alert")
    photograph(page, "screens-alerts-snoozed")
    closed(watched)
    service.snoozes = []
    seen("a snoozed alert, in the list and by itself")


# Texts of a drawing that touch, or leave it.
COLLIDING = """
() => [...document.querySelectorAll(".graph-svg, .air-captions, .sparkline-limits")].flatMap((drawing) => {
    const within = (drawing.closest(".card, .graph, .alert-line") ?? drawing).getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("text, span")]
        .filter((text) => text.textContent !== "" && getComputedStyle(text).visibility !== "hidden" && text.getClientRects().length > 0)
        .map((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            const { left, right, top, bottom } = range.getBoundingClientRect();
            // Boxes of lines are higher than the letters in them.
            const air = (bottom - top) * 0.15;
            return { name: text.textContent, left, right, top: top + air, bottom: bottom - air };
        });
    return texts.flatMap((one, index) => [
        ...one.left < within.left - 1 || one.right > within.right + 1 ? [`${one.name} leaves`] : [],
        ...texts.slice(index + 1)
            .filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
            .map((other) => `${one.name} touches ${other.name}`),
    ]);
})
"""


def answered(browser, service, origin):
    """Somebody else is on it, which stands in the place of the buttons, and in lists; then the person."""
    for language in ("en", "de", "ja", "es"):
        service.answers = [service.answered(TANK, "ph", "low", "Maximiliane", is_you=False)]
        watched = opened(browser, service, origin, "/", PHONE, language)
        page = watched.page
        # What nobody answers leads.
        expect(page.locator(".air-name")).to_have_text("Tank 001")
        expect(page.locator(".tab-badge")).to_have_text("1")
        page.locator(".air-switcher").click()
        row = page.locator("button.menu-row").filter(has_text="Tank 000")
        expect(row.locator(".shape-answered")).to_be_visible()
        expect(row).to_contain_text("Maximiliane")
        row.click()
        expect(page.locator(".on-it")).to_contain_text("Maximiliane")
        expect(page.locator(".home-air")).to_have_attribute("data-tone", "alarm")
        expect(page.locator(".air-buttons button")).to_have_count(1)
        expect(page.locator(".card[data-answered]")).to_have_count(1)
        for size in (PHONE, SMALL):
            page.set_viewport_size(size)
            rest(page)
            require_accessible(page, f"the water that somebody sees to, {language}", size)
        photograph(page, f"screens-answered-{language}")
        page.evaluate("navigation.navigate('/alerts')")
        expect(page.locator(".alerts-answered")).to_have_count(1)
        rest(page)
        require_accessible(page, f"the list with an answered alert, {language}")
        photograph(page, f"screens-alerts-answered-{language}")
        service.answers = [service.answered(TANK, "ph", "low")]
        service.tell("resync", {"parts": ["snoozes"]})
        page.evaluate(f"navigation.navigate('/alerts/{TANK}.ph.low')")
        expect(page.locator(".on-it + .alert-snooze button")).to_have_count(2)
        rest(page)
        require_accessible(page, f"the page of an answered alert, {language}")
        photograph(page, f"screens-alert-answered-{language}")
        closed(watched)
        service.answers = []
    service.language = "en"
    seen("who is on it, in every language")


def by_link(browser, service, origin):
    """The page of an alert's link, in each of its states, for somebody who is not signed in."""
    mika = {key: service.answered(TANK, "ph", "low", "Mika")[key] for key in ("name", "isYou", "since", "until", "solvedAt")}
    states = {
        "ask": {}, "yours": {"onIt": mika}, "solved": {"onIt": {**mika, "solvedAt": at()}},
        "others": {"onIt": {**mika, "name": "Maximiliane", "isYou": False}}, "snoozed": {"snoozedUntil": at(3600)}, "over": {"isOver": True},
        "together": {"together": ["Koi pond: pH is high", "Koi pond: nitrate is high"]},
        "digest": {"together": [f"Tank {number}: dissolved oxygen is critically low" for number in range(12)], "onIt": mika},
    }  # fmt: skip
    for language in ("en", "de", "ja", "es"):
        for state, service.link in states.items():
            service.language = language
            watched = Watched(browser, viewport=PHONE, service_workers="block")
            page = watched.page
            service.posted.clear()
            page.goto(f"{origin}/answer#aqa_1")
            expect(page.locator(".link-body > *").first).to_be_visible()
            require(page.url == f"{origin}/answer", f"the secret stays in the address: {page.url}")
            require([path for path, _ in service.posted] == ["/answers/look"], f"opening it asks for {service.posted}")
            expect(page.locator(".link-air")).to_have_attribute("lang", language)
            for size in (PHONE, SMALL):
                page.set_viewport_size(size)
                rest(page)
                wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
                require(not wide, f"the page of a link is too wide: {state}, {language}, {size}")
                require_accessible(page, f"the page of a link, {state}, {language}", size)
            photograph(page, f"screens-link-{state}-{language}")
            closed(watched)
    service.link, service.language = {}, "en"
    seen("the page of an alert's link, in each state")


def linked(browser, service, origin):
    """A link into the app leads there after signing in, and again after a session that ended, which is said."""
    first, later = f"/alerts/{TANK}.ph.low", f"/settings/{TANK}/ph"
    watched = Watched(browser, service_workers="block")
    watched.allowed.append("401|404.*/service")
    watched.context.add_init_script("localStorage.setItem('aqua-known', '1'); localStorage.setItem('aqua-push-asked', '1')")
    page = watched.page
    service.language = "en"
    for path, ended in ((first, 0), (later, 1)):
        if ended:
            page.evaluate("(path) => navigation.navigate(path).finished.catch(() => null)", path)
            rest(page)
            service.end()
        else:
            page.goto(origin + path)
        expect(page).to_have_url(f"{origin}/sign-in")
        expect(page.get_by_text("You were signed out. Sign in again.")).to_have_count(ended)
        page.get_by_label("Email").fill("ana@example.org")
        page.get_by_role("textbox", name="Password").fill("a quiet pond at four")
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(origin + path)
        expect(page.locator("h1")).to_have_text("pH" if ended else "pH is low")
    closed(watched)
    seen("links through signing in, and through the end of a session")


def faulty(browser, service, origin):
    """A value that its probe cannot vouch for is not in full ink."""
    ink = "getComputedStyle(document.querySelector('.details-number')).color"
    plain = "getComputedStyle(document.querySelector('.details-since')).color"
    full = "getComputedStyle(document.body).color"
    for broken in ([], ["nitrite"]):
        service.flat = {TANK: broken}
        watched = opened(browser, service, origin, f"/p/{TANK}/nitrite", PHONE)
        page = watched.page
        expect(page.locator(".details-number")).to_have_text("8.0")
        expect(page.locator(".details[data-state='fault']")).to_have_count(len(broken))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            at_rest(page)
            shown, quiet, loud = (page.evaluate(colour) for colour in (ink, plain, full))
            require(shown == (quiet if broken else loud) and quiet != loud, f"{scheme}, {broken}: {shown} of {quiet} and {loud}")
        closed(watched)
    service.flat = {}
    seen("the value of a probe that is broken, in quiet ink")


# How far the plot of a graph is from each edge of the window.
MARGINS = """
() => {
    const { left, right, top, bottom } = document.querySelector(".graph-plot").getBoundingClientRect();
    return { left, right: innerWidth - right, top, bottom: innerHeight - bottom };
}
"""


def sideways(browser, service, origin):
    """Who turns the phone has the graph alone, from edge to edge, wherever they had scrolled to."""
    for size in (SIDEWAYS, {"width": 667, "height": 375}, {"width": 932, "height": 430}):
        upright = {"width": size["height"], "height": size["width"]}
        watched = opened(browser, service, origin, f"/p/{TANK}/ph", upright)
        page = watched.page
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.set_viewport_size(size)
        until("the graph stands at the top", lambda: page.evaluate("scrollY === 0"))
        rest(page)
        margins = page.evaluate(MARGINS)
        fills = margins["left"] <= 24 and margins["right"] <= 24 and margins["top"] <= 48 and abs(margins["bottom"]) <= 1
        require(fills, f"{size}: the graph leaves {margins}")
        require_none(page, COLLIDING, f"sideways {size}")
        photograph(page, f"sideways-{size['width']}")
        require_accessible(page, f"sideways {size}", size)
        page.set_viewport_size(upright)
        until("the graph has its usual height", lambda: page.evaluate("document.querySelector('.graph-plot').offsetHeight === 324"))
        closed(watched)
    seen("a phone on its side")


# What may be pressed, and whose words leave it, are cut, or leave the window.
CUT = """
() => [...document.querySelectorAll("button, a.button, a.row, a.tab, a.notice, .segmented > *, summary")].flatMap((button) => {
    const box = button.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || button.closest(".visually-hidden, .skip, .air-chips") || !button.checkVisibility({ visibilityProperty: true })) return [];
    const words = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = words.nextNode(); node; node = words.nextNode()) {
        if (node.data.trim() === "" || node.parentElement.closest(".visually-hidden, svg, [hidden], .tab-badge")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { left, right, top, bottom } of range.getClientRects()) {
            const leaves = left < box.left - 1 || right > box.right + 1 || top + (bottom - top) * 0.2 < box.top - 1 || bottom - (bottom - top) * 0.2 > box.bottom + 1;
            const gone = left < -1 || right > innerWidth + 1;
            if (leaves || gone) found.push(`${button.className}: ${node.data} ${leaves ? "leaves it" : "leaves the window"}`);
        }
        const style = getComputedStyle(node.parentElement);
        if (style.textOverflow === "ellipsis" && node.parentElement.scrollWidth > node.parentElement.clientWidth + 1) found.push(`${button.className}: ${node.data} is cut`);
    }
    return [...new Set(found)];
})
"""
SCREENS = (
    "/", f"/p/{TANK}/ph", "/alerts", f"/alerts/{TANK}.ph.low", "/devices", "/devices/link", f"/devices/{TANK}", "/settings",
    f"/settings/{TANK}/ph", "/settings/notifications", "/settings/account", "/settings/account/changes",
)  # fmt: skip


def buttons(browser, service, origin):
    """What may be pressed says all of it, with text of twice the size."""
    found = {}
    for language in ("en", "ja", "es", "de"):
        for size in (PHONE, SMALL):
            watched = opened(browser, service, origin, "/", size, language)
            watched.allowed.append("404")
            page = watched.page
            for path in SCREENS:
                page.evaluate("(path) => navigation.navigate(path).finished.catch(() => null)", path)
                until(path, lambda path=path: page.evaluate("location.pathname") == path)
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                rest(page)
                name = f"{path} {size['width']} {language}"
                cut = page.evaluate(CUT)
                if cut:
                    found[name] = cut
                    photograph(page, f"buttons-{name.replace('/', '-').replace(' ', '-')}")
            closed(watched)
    require(not found, "words leave their buttons:\n  " + "\n  ".join(f"{name}: {cut}" for name, cut in found.items()))
    seen("buttons with text of twice the size")


def require_none(page, faults, name):
    """What is laid out anew with the next second may be wrong until then."""
    for _ in range(30):
        found = page.evaluate(faults)
        if not found:
            return
        page.wait_for_timeout(100)
    require(False, f"{name}: {found}")


def captions(browser, service, origin):
    for language in ("en", "ja", "es", "de"):
        for size in (SMALL, PHONE, SIDEWAYS, DESKTOP):
            watched = opened(browser, service, origin, f"/p/{TANK}/ph", size, language)
            page = watched.page
            for scale in (100,) if size is DESKTOP else (100, 200):
                for path in (f"/p/{TANK}/ph", "/", f"/settings/{TANK}/ph"):
                    page.evaluate("(path) => navigation.navigate(path).finished.catch(() => null)", path)
                    until(path, lambda path=path: page.evaluate("location.pathname") == path)
                    page.evaluate("(scale) => document.documentElement.style.fontSize = `${scale}%`", scale)
                    rest(page)
                    name = f"{path.strip('/').replace('/', '-') or 'home'}-{size['width']}-{language}-{scale}"
                    if scale == 200 or language == "en":
                        photograph(page, f"captions-{name}")
                    require_none(page, COLLIDING, name)
            closed(watched)
    seen("captions that do not touch")


def written_large(browser, service, origin):
    """Whose browser writes everything twice as large has, on a desktop, the arrangement of a window half as wide."""
    large = browser.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--blink-settings=defaultFontSize=32"])
    try:
        for language in ("en", "ja", "es", "de"):
            watched = opened(large, service, origin, "/", DESKTOP, language)
            watched.allowed.append("404")
            page = watched.page
            require(page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px", "the text is no larger")
            for path in SCREENS:
                page.evaluate("(path) => navigation.navigate(path).finished.catch(() => null)", path)
                until(path, lambda path=path: page.evaluate("location.pathname") == path)
                rest(page)
                name = f"{path} written large, {language}"
                photograph(page, f"large-{path.strip('/').replace('/', '-') or 'home'}-{language}")
                require(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name}: wider than the window")
                require_none(page, CUT, name)
            closed(watched)
    finally:
        large.close()
    seen("desktops that write large")
