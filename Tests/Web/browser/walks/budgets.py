"""How much the first load is, what moves while data arrives, and whom the app asks. Bytes and positions, never times."""

import re

from playwright.sync_api import expect

from inspection import true_in
from asking import new_device, publish, publish_all, until
from person import link, sign_in, sign_up
from watched import Watched, require, seen

EMAIL = "bea@example.org"
DEVICE = "budget-tank"
# Of compressed contents. Browsers meet a proxy's HTTP/2, which compresses headers too; here each answer has about 430 bytes of them.
MOST = 100_000
# What a stranger needs until they may press the way in; and so many files: the page, its first script, the styles, the sentences, the
# started script, its parts, a screen. On a slow phone each file costs more than what is in it.
MOST_OF_A_STRANGER = 75_000
MOST_FILES = 7
AT_LEISURE = re.compile(
    r"/lang/en-others[.]js|/app/(leisure|rail|rail-groups|care|outbox|outbox-order|outbox-rows|strict-disk|hand-keeping|hand-tests|calibrations|probes|versions)[.]js"
    r"|/app/field/(field|draft-disk|drafts|samples|trail|uuid|way)[.]js|/page/(awake|position)[.]js|/water/field/(conflict|draft|protocol|sending|trail|values)[.]js"
    r"|/components/journal-list/model[.]js|/screens/home/by-hand[.]js"
    r"|/water/(overview|care|care-words|civil|rhythm|quiet|by-hand|hand-tests|calibration)[.]js"
)
RENEWAL = "/api/v1/sessions/renewal"

SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        shifts.push({ value: entry.value, hadRecentInput: entry.hadRecentInput, of: entry.sources.map(({ node }) => node?.className ?? "") });
    }
}).observe({ type: "layout-shift", buffered: true });
"""


class Traffic:
    """The bytes that came over the network, by address, past every cache."""

    def __init__(self, watched, page):
        self.session = watched.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self.addresses, self.bytes, self.contents, self.encodings = {}, {}, {}, {}
        self.session.on("Network.requestWillBeSent", self.asked)
        self.session.on("Network.responseReceived", self.answered)
        self.session.on("Network.loadingFinished", self.came)
        self.session.on("Network.dataReceived", self.streamed)

    def asked(self, event):
        self.addresses[event["requestId"]] = event["request"]["url"]

    def answered(self, event):
        headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
        self.encodings[event["requestId"]] = headers.get("content-encoding", "")

    def streamed(self, event):
        identifier = event["requestId"]
        self.contents[identifier] = self.contents.get(identifier, 0) + event["encodedDataLength"]
        self.bytes[identifier] = self.contents[identifier]

    def came(self, event):
        self.bytes[event["requestId"]] = event["encodedDataLength"]

    @property
    def content(self):
        """Of each address once, and without what comes at leisure: how often the app has heard of a reading meanwhile, and what else has
        come by then, is chance."""
        sizes = {}
        for identifier, size in self.contents.items():
            path = re.sub(r"^https?://[^/]+|[?].*", "", self.addresses[identifier])
            if not AT_LEISURE.fullmatch(path):
                sizes.setdefault(path, size)
        return sum(sizes.values())

    @property
    def total(self):
        return sum(self.bytes.values())

    @property
    def all(self):
        return list(self.addresses.values())

    def files(self, origin):
        """The page, scripts and styles that were asked for."""
        paths = [address.removeprefix(origin) for address in self.all]
        return [path for path in paths if re.fullmatch(r"/|/(?!api/).*[.](js|css)", path)]

    def require_own(self, origin):
        for address in self.addresses.values():
            require(address.startswith((origin + "/", "blob:", "data:")), f"the app asks {address}")

    def by_kind(self):
        kinds = {}
        for identifier, address in self.addresses.items():
            path = address.split("?")[0]
            kind = "api" if "/api/" in path else path.rsplit(".", 1)[-1] if "." in path.rsplit("/", 1)[-1] else "page"
            count, size = kinds.get(kind, (0, 0))
            kinds[kind] = (count + 1, size + self.bytes.get(identifier, 0))
        return kinds


def prepare(browser, origin, email, device):
    """A person with a device that has measured for 12 hours."""
    watched = Watched(browser)
    sign_up(watched, origin, email)
    link(watched, new_device(device), "Lotus")
    publish_all(device, [(age, {"temperature": 20 + age % 7200 / 7200, "ph": 7.9}) for age in range(12 * 3600, 0, -60)])
    publish(device, temperature=21.4, ph=7.9, dissolved_oxygen=8.2, salinity=0.2)
    expect(watched.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()


def new_browser_of(browser, origin, email, **options):
    """The same person, signed in on a device that has nothing of the app's yet."""
    fresh = Watched(browser, **options)
    sign_in(fresh, origin, email)
    expect(fresh.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    fresh.page.goto(f"{origin}/icons/icon.svg")
    fresh.page.evaluate(
        "new Promise((resolve, reject) => { const asked = indexedDB.deleteDatabase('aquamonitor');"
        " asked.onsuccess = () => resolve(null); asked.onerror = reject; })"
    )
    fresh.context.add_init_script(SHIFTS)
    return fresh


def walk(browser, origin):
    prepare(browser, origin, EMAIL, DEVICE)
    size(browser, origin)
    at_once(browser, origin)
    once(browser, origin)
    still(browser, origin)


def size(browser, origin):
    # The service worker fetches what the app needs without a connection after the first load, in the background.
    fresh = new_browser_of(browser, origin, EMAIL, service_workers="block")
    traffic = Traffic(fresh, fresh.page)
    fresh.page.goto(origin)
    expect(fresh.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    true_in(fresh.page, "document.querySelectorAll('.sparkline path, .sparkline svg').length > 0")
    kinds = traffic.by_kind()
    print(f"first load: {traffic.content} bytes of contents, {traffic.total} with headers; " + ", ".join(f"{k} {n} files {b} bytes" for k, (n, b) in sorted(kinds.items())), flush=True)
    require(traffic.content < MOST, f"the first load is {traffic.content} bytes: {kinds}")
    require(traffic.content > 20_000, f"the count counts nothing: {kinds}")
    traffic.require_own(origin)
    plain = [
        traffic.addresses[one] for one, encoding in traffic.encodings.items()
        if encoding not in ("br", "gzip", "zstd") and re.search(r"\.(js|css)$", traffic.addresses[one])
    ]
    require(not plain, f"not compressed: {plain}")
    fresh.context.close()
    Watched.all.remove(fresh)
    seen("the size of the first load")


def at_once(browser, origin):
    """A first visit asks for few files, and for all of them before the first module has come, together with the session's renewal."""
    person = new_browser_of(browser, origin, EMAIL, service_workers="block")
    visit(person, origin, "/screens/home/home.js", re.compile(r"Temperature: 21\.4"), MOST, is_in=True)
    visit(Watched(browser, service_workers="block"), origin, "/screens/entrance/entrance.js", "Sign up", MOST_OF_A_STRANGER, is_in=False)
    seen("what is asked for at once")


def visit(fresh, origin, screen, sight, most, is_in):
    page, held = fresh.page, []
    traffic = Traffic(fresh, page)
    page.route(re.compile(r"/app/(main|parts)[.]js$"), lambda route: held.append(route))
    page.goto(origin, wait_until="commit")
    for path in (screen, "/lang/en.js", *[RENEWAL] * is_in):
        until(f"{path}, while no module has come", lambda: page.evaluate("1") and origin + path in traffic.all)
    until("the modules are asked for", lambda: page.evaluate("1") and len(held) == 2)
    files = traffic.files(origin)
    shown = page.locator("main > *")
    if is_in:
        expect(shown).to_have_count(0)
    else:
        # What a stranger sees first waits for no module, and is not drawn again when they have come.
        expect(page.get_by_role("link", name=sight)).to_be_visible()
        page.get_by_role("link", name=sight).focus()
        page.evaluate("globalThis.firstShown = [...document.querySelectorAll('main > *')]")
    for route in held:
        route.continue_()
    expect(page.get_by_role("link", name=sight)).to_be_visible()
    if not is_in:
        expect(page.get_by_role("button", name="日本語")).to_be_visible()
        require(page.evaluate("firstShown.every((part, index) => part === document.querySelector('main').children[index])"), "it is drawn twice")
        expect(page.get_by_role("link", name=sight)).to_be_focused()
    print(f"{screen}: {len(files)} files, {traffic.content} bytes", flush=True)
    require(len(files) <= MOST_FILES, f"{screen} needs {files}")
    require(20_000 < traffic.content < most, f"{screen} needs {traffic.content} bytes")
    # The devices beside the tabs, and what the tanks need, come at leisure.
    late = [path for path in set(traffic.files(origin)) - set(files) if not AT_LEISURE.fullmatch(path)]
    require(not late, f"{screen} waits for modules, and then for {late}")
    # A database takes a slow phone a while to open; of a stranger it has nothing.
    databases = page.evaluate("indexedDB.databases().then((all) => all.length)")
    require((databases > 0) == is_in, f"{screen} opens {databases} databases")
    require(traffic.all.count(origin + RENEWAL) == is_in, f"renewals: {traffic.all}")
    fresh.context.close()
    Watched.all.remove(fresh)


def once(browser, origin):
    """Each drawing's series is read once, on a first visit and when something is known already, however late the stream begins."""
    fresh, held = new_browser_of(browser, origin, EMAIL, service_workers="block"), []
    fresh.page.route(re.compile("/api/v1/live$"), lambda route: held.append(route))
    for visit, value in (("a first visit", 21.5), ("another visit", 21.4)):
        traffic = Traffic(fresh, fresh.page)
        fresh.page.goto(origin)
        true_in(fresh.page, "document.querySelectorAll('.sparkline path, .sparkline svg').length > 0")
        # It has begun when it tells something.
        until("the stream is asked for", lambda: fresh.page.evaluate("1") and held)
        held.pop().continue_()
        publish(DEVICE, temperature=value, ph=7.9)
        expect(fresh.page.get_by_role("link", name=re.compile(rf"Temperature: {value}"))).to_be_visible()
        series = [address.split("?")[0].removeprefix(origin) for address in traffic.all if "/series?" in address]
        require(series and len(series) == len(set(series)), f"{visit} reads {series}")
        traffic.session.detach()
    fresh.context.close()
    Watched.all.remove(fresh)
    seen("each series once")


def still(browser, origin):
    """Nothing moves while the data arrives, on a slow connection, on a phone and on a wide window."""
    for viewport in ({"width": 390, "height": 844}, {"width": 1280, "height": 800}):
        for path in ("/", f"/p/{DEVICE}/temperature"):
            fresh = new_browser_of(browser, origin, EMAIL, viewport=viewport, service_workers="block")
            traffic = Traffic(fresh, fresh.page)
            traffic.session.send(
                "Network.emulateNetworkConditions",
                {"offline": False, "latency": 50, "downloadThroughput": 200_000, "uploadThroughput": 200_000},
            )
            fresh.page.goto(origin + path)
            expect(fresh.page.get_by_text("21.4").first).to_be_visible()
            expect(fresh.page.locator("[data-waiting]")).to_have_count(0)
            publish(DEVICE, temperature=21.4, ph=8.1)
            fresh.page.wait_for_timeout(500)
            shifts = [shift for shift in fresh.page.evaluate("shifts") if not shift["hadRecentInput"]]
            total = sum(shift["value"] for shift in shifts)
            print(f"shift of {path} at {viewport['width']} px: {total:.4f}", flush=True)
            require(total < 0.001, f"{path} at {viewport['width']} px moves: {shifts}")
            traffic.require_own(origin)
            fresh.context.close()
            Watched.all.remove(fresh)
    seen("nothing moves")
