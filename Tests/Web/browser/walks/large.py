"""Every language with text of twice the size: no button cuts or loses its words, and no caption touches another."""

from asking import until
from inspection import photograph
from opened import COLLIDING, DESKTOP, PHONE, SIDEWAYS, SMALL, TANK, closed, opened, require_none, rest, with_alarms
from watched import CHROMIUM, require, seen


def walk(browser, _):
    with with_alarms() as (service, origin):
        buttons(browser, service, origin)
        captions(browser, service, origin)
        written_large(browser, service, origin)


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
