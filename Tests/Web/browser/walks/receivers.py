"""Samples that a project receives: agreed by a link, seen by both, ended by both, read one by one, as tables, and reported to WQX."""

import re

from playwright.sync_api import expect

from farm import LAKE, Farm
from inspection import inspect, open_in, photograph, require_accessible, require_narrow
from many import Refused, at, serving
from surveyor import PROTOCOLS, Surveyor, field, protocol
from walks.farm import KNOWN, PHONE, closed
from watched import Watched, require, seen

NARROW = {"width": 320, "height": 640}
TOKEN = "aqj_" + "0" * 49
SAMPLE = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d00"
INCOMPLETE = {"line": 3, "device": "weir-1", "sample": SAMPLE, "field": "ph", "element": "Activity Latitude", "reason": "missing"}
NAMELESS = {**INCOMPLETE, "line": 1, "element": "Project ID", "reason": "tooLong"}
BOUNDS = {"organization": 30, "study": 35}
PAGE = 20
# A name that only somebody's own protocol has.
OWN = {**protocol("mill-race", "Mill race of the school", [field("level", "number", "Water level", unit="cm")]), "builtIn": False}


def wqx(service, query, lines):
    """The table of results: names within their bounds, and no sample that lacks something."""
    for name, most in BOUNDS.items():
        [said] = query.get(name, ["-"])
        if len(said) > most or not said.isprintable() or said.isspace():
            fault = {"parameter": name, "code": "not-one-line", "detail": "This must be one line of text."}
            return service.problem(422, "Something of it is wrong", "invalid-input", errors=[fault])
    if lines:
        return service.problem(422, "WQX would not take all results", "wqx-incomplete", detail="Complete the samples that are named.", lines=lines)
    return 200, "text/csv", b"Project ID\r\n"


def arrival(number, version=1, **more):
    """A version as it came; the higher its number, the later."""
    values = [{"field": "oxygen", "number": 8 + number / 10}, {"field": "smell", "choice": "earthy"}, {"field": "foam", "flag": False}]
    found = {
        "protocol": "river-quick", "protocolVersion": 1, "begunAt": at(-9e5 + number * 3600), "endedAt": None, "zone": "UTC", "utcOffset": 0, "surveyors": ["Eva", "Tom"],
        "weather": None, "habitat": None, "comment": "After the rain.", "position": None, "values": values, "track": [[[0, 48.2, 16.4, 5]]],
    }  # fmt: skip
    return {
        "id": f"0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d{number:02}", "version": version, "state": "done", "sentAt": at(-8e5 + number * 3600), "device": "weir-1", "name": "Weir",
        "latitude": 48.2, "longitude": 16.4, "sender": "Eva", "sample": found, "review": None, "ownProtocol": None, **more,
    }  # fmt: skip


def arrivals():
    """23 samples, of which the second comes anew, and the third is withdrawn."""
    came = [arrival(number) for number in range(23)]
    level = {**came[22]["sample"], "protocol": "mill-race", "values": [{"field": "level", "number": 31}]}
    came[22] = {**came[22], "device": "shore-of-the-upper-lake", "name": None, "sender": None, "sample": level, "ownProtocol": OWN}
    return [*came, arrival(1, 2, sentAt=at(-600)), arrival(2, 2, state="withdrawn", sample=None, sender=None, sentAt=at(-300))]


class Board(Farm):
    """A project that asks for samples, and receives those of two places."""

    def __init__(self, tanks):
        super().__init__(tanks, own=2)
        self.sendings, self.received, self.lacking = [], arrivals(), [INCOMPLETE]
        self.before = []  # what the list of received samples was asked for

    def sending(self, number, device, owner):
        return {"id": f"0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d{number:02}", "device": device, "project": "Lake Farm", "owner": owner, "since": at(-9e6)}

    def raw(self, method, path, query, headers, body):
        if path == "/field-samples/received.csv":
            if query.get("kind") == ["wqx"]:
                return wqx(self, query, self.lacking if query.get("device") != ["shore-of-the-upper-lake"] else [])
            return 200, "text/csv", b"survey\r\n"
        return super().raw(method, path, query, headers, body)

    def answer(self, method, path, query, body):
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        if path == "/projects/invitations/look":
            return {**super().answer(method, path, query, body), "role": "sender"}
        if path == "/field-protocols":
            return {"protocols": PROTOCOLS}
        if path == "/field-samples/received":
            return self.arrived(query)
        if path.startswith("/field-samples/received/"):
            return self.one(path.split("/")[3])
        if path == "/field-samples/senders":
            return [self.sending(1, "weir-1", "Eva"), self.sending(2, "shore-of-the-upper-lake", "Tom")]
        if path.startswith("/sample-receivers/"):
            self.sendings = []
            return {}
        if path.endswith("/sample-receivers"):
            if method == "POST":
                if body["token"] != TOKEN:
                    raise Refused(404, "There is no such invitation", "invitation-unknown")
                self.sendings = [self.sending(3, path.split("/")[2], "Ana")]
                return self.sendings[0]
            return self.sendings
        return super().answer(method, path, query, body)

    def present(self):
        """Each sample as it is now, the last that came first."""
        newest = {came["id"]: came for came in self.received}
        return [came for came in reversed(self.received) if newest[came["id"]] is came]

    def arrived(self, query):
        if query.get("order") != ["newest"] or "since" in query:
            raise Refused(422, "A page asks for the newest first", "invalid-input")
        present, limit = self.present(), int(query.get("limit", [PAGE])[0])
        begin = int(query.get("before", ["0"])[0])
        self.before.append(begin)
        items = [{**came, "sample": came["sample"] and {**came["sample"], "track": []}} for came in present[begin : begin + limit]]
        return {"items": items, "cursor": str(begin + len(items)), "hasMore": begin + len(items) < len(present)}

    def one(self, sample):
        for came in self.present():
            if came["id"] == sample:
                return came
        raise Refused(404, "There is no such thing", "not-found")


class Reporter(Surveyor):
    """A person whose own samples WQX would not take."""

    def raw(self, method, path, query, headers, body):
        if path == "/field-samples.csv":
            return wqx(self, query, [{**INCOMPLETE, "sample": next(iter(self.versions))}])
        return super().raw(method, path, query, headers, body)


def opened(browser, origin, path, size=PHONE):
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(KNOWN)
    watched.page.goto(origin + path)
    return watched


def walk(browser, _):
    sending(browser)
    joining(browser)
    receiving(browser)
    one(browser)
    nothing(browser)
    reporting(browser)
    own(browser)


def sending(browser):
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, "/devices/tank-000", NARROW)
        page = watched.page
        expect(page.get_by_role("heading", name="Who receives its samples")).to_be_visible()
        page.get_by_role("button", name="Let a project receive them").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Let it receive").click()
        expect(dialog.get_by_text("Paste the whole link.")).to_be_visible()
        require_narrow(page, "a link for senders")
        require_accessible(page, "a link for senders")
        photograph(page, "receivers-link")
        dialog.get_by_label("Link of the project").fill(f"https://water.example/join#{TOKEN}")
        dialog.get_by_role("button", name="Let it receive").click()
        row = page.get_by_role("button", name=re.compile("^Lake Farm"))
        expect(row).to_be_visible()
        require(service.posted[-1] == ("/devices/tank-000/sample-receivers", {"token": TOKEN}), f"{service.posted[-1]}")
        inspect(watched, "receivers")
        row.click()
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.get_by_text("Finished samples are seen by those who share it.")).to_be_visible()
        expect(page.get_by_role("button", name="Let a project receive them")).to_be_focused()
        closed(watched)
    seen("samples that a project receives from now on, and no more")


def joining(browser):
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, f"/join#{TOKEN}", NARROW)
        page = watched.page
        expect(page.get_by_text("asks for field samples for this project")).to_be_visible()
        page.get_by_label("Of which tank or place?").select_option("tank-001")
        inspect(watched, "join-sender")
        page.get_by_role("button", name="Send samples").click()
        expect(page).to_have_url(f"{origin}/devices/tank-001")
        require(service.posted[-1] == ("/devices/tank-001/sample-receivers", {"token": TOKEN}), f"{service.posted[-1]}")
        closed(watched)
    seen("a link for senders")


def listed(page):
    """The samples that came; a link each."""
    return page.locator("main a.row[href*='?project=']")


def pictured(page, name):
    """The list of what came, on a phone and on the narrowest one."""
    for size, suffix in ((NARROW, "-narrow"), (PHONE, "")):
        page.set_viewport_size(size)
        page.get_by_role("heading", name="Samples received").evaluate("(heading) => heading.scrollIntoView()")
        photograph(page, f"{name}-list{suffix}")


def receiving(browser):
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, f"/settings/projects/{LAKE}")
        page = watched.page
        expect(page.get_by_role("heading", name="Samples of others")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^weir-1, by Eva"))).to_be_visible()
        expect(page.get_by_role("heading", name="Samples received")).to_be_visible()
        expect(listed(page)).to_have_count(PAGE)
        rows = [listed(page).nth(number) for number in range(3)]
        expect(rows[0]).to_contain_text("withdrawn")
        expect(rows[0]).not_to_contain_text("Oxygen")
        expect(rows[1]).to_contain_text("from Eva · Version 2")
        expect(rows[1]).to_contain_text("River, quick")
        expect(rows[1]).to_contain_text("Oxygen: 8.1 mg/L · Smell: Earthy · Foam on the water: No")
        for text in ("shore-of-the-upper-lake", "Mill race of the school", "from somebody who is gone", "Water level: 31 cm"):
            expect(rows[2]).to_contain_text(text)
        expect(listed(page).filter(has_text="Version")).to_have_count(1)
        page.get_by_text("Download as tables").click()
        inspect(watched, "received")
        pictured(page, "received")
        more = page.get_by_role("button", name="More", exact=True)
        more.focus()
        more.press("Enter")
        expect(listed(page)).to_have_count(23)
        expect(more).to_be_hidden()
        expect(listed(page).nth(PAGE)).to_be_focused()
        require(service.before == [0, PAGE], f"{service.before}")
        # What comes later stands first.
        service.received.append(arrival(30))
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.evaluate(f"navigation.navigate('/settings/projects/{LAKE}').finished.then(() => null)")
        expect(listed(page).first).to_contain_text("Oxygen: 11 mg/L")
        for language in ("de", "es", "ja"):
            open_in(language, page, service, f"{origin}/settings/projects/{LAKE}")
            expect(listed(page)).to_have_count(PAGE)
            require_narrow(page, f"received samples, {language}")
            photograph(page, f"received-{language}")
        closed(watched)
    seen("samples of others, the last that came first")


def one(browser):
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, f"/settings/projects/{LAKE}")
        page = watched.page
        listed(page).nth(1).click()
        expect(page.locator("h1")).to_have_text("River, quick")
        for text in ("8.1 mg/L", "After the rain.", "48.20000°, 16.40000°", "Version 2"):
            expect(page.get_by_text(text).first).to_be_visible()
        inspect(watched, "received-sample")
        page.go_back()
        listed(page).first.click()
        expect(page.get_by_text("This sample was withdrawn.")).to_be_visible()
        inspect(watched, "received-withdrawn")
        watched.allowed.append(r"404.*/received/")
        page.goto(f"{origin}/field/0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d99?project={LAKE}")
        expect(page.get_by_text("This project received no such sample.")).to_be_visible()
        closed(watched)
    seen("a sample that a project received")


def nothing(browser):
    with serving(6, Board) as (service, origin):
        service.received = []
        watched = opened(browser, origin, f"/settings/projects/{LAKE}")
        page = watched.page
        expect(page.get_by_text("No sample has come yet: invite senders above")).to_be_visible()
        inspect(watched, "received-none")
        pictured(page, "received-none")
        service.received = arrivals()
        service.is_away = True
        watched.allowed.append("ERR_|Failed to load")
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.evaluate(f"navigation.navigate('/settings/projects/{LAKE}').finished.then(() => null)")
        problem = page.locator("section", has=page.get_by_role("heading", name="Samples received")).locator(".problem")
        expect(problem.get_by_role("button", name="Try again")).to_be_visible()
        expect(page.get_by_text("No sample has come yet")).to_be_hidden()
        require_narrow(page, "received samples that could not be read")
        pictured(page, "received-failed")
        service.is_away = False
        problem.get_by_role("button", name="Try again").click()
        expect(listed(page)).to_have_count(PAGE)
        expect(problem).to_be_hidden()
        closed(watched)
    seen("no samples of others, and none that could be read")


def reporting(browser):
    """Names at WQX, what is wrong with them, and what samples lack."""
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, f"/settings/projects/{LAKE}")
        watched.allowed.append(r"422.*/received\.csv")
        page = watched.page
        page.get_by_text("Download as tables").click()
        page.get_by_role("button", name="Results for WQX").click()
        dialog = page.get_by_role("dialog")
        organization, study = dialog.get_by_label("Organization at WQX"), dialog.get_by_label("Study")
        for name, box in (("organization", organization), ("study", study)):
            require(box.get_attribute("maxlength") == str(BOUNDS[name]), f"{name} {box.get_attribute('maxlength')}")
        # A mark that nobody sees, as it comes along from a document.
        organization.fill("WATER\u200bBOARD")
        study.fill("LAKES-2026")
        dialog.get_by_role("button", name="Download").click()
        expect(organization).to_have_attribute("aria-invalid", "true")
        expect(organization).to_be_focused()
        expect(dialog.locator(".field", has=page.get_by_label("Organization at WQX")).get_by_text("This must be one line of text.")).to_be_visible()
        require_narrow(page, "names at WQX")
        require_accessible(page, "names at WQX")
        photograph(page, "received-wqx-names")
        organization.fill("WATERBOARD")
        with page.expect_request(lambda asked: "organization=WATERBOARD" in asked.url and "study=LAKES-2026" in asked.url):
            dialog.get_by_role("button", name="Download").click()
        fault = dialog.get_by_role("link", name=re.compile("^Line 3, weir-1: Activity Latitude"))
        expect(fault).to_be_visible()
        expect(dialog.get_by_role("alert")).to_contain_text("WQX would not take all results")
        require_narrow(page, "what results lack")
        require_accessible(page, "what results lack")
        photograph(page, "received-wqx")
        fault.click()
        expect(page).to_have_url(f"{origin}/field/{SAMPLE}?project={LAKE}")
        expect(page.get_by_text("After the rain.")).to_be_visible()
        expect(dialog).to_be_hidden()
        # The names are there for the next time; of a place that lacks nothing the table is made.
        page.go_back()
        page.get_by_text("Download as tables").click()
        page.get_by_role("button", name="Results for WQX").click()
        expect(organization).to_have_value("WATERBOARD")
        expect(study).to_have_value("LAKES-2026")
        # What is made of a name is said beside it.
        service.lacking = [NAMELESS]
        study.fill("")
        with page.expect_request(lambda asked: "organization=WATERBOARD" in asked.url and "study" not in asked.url):
            dialog.get_by_role("button", name="Download").click()
        expect(dialog.locator(".field", has=page.get_by_label("Study")).get_by_text("Give a project ID here.")).to_be_visible()
        expect(dialog.get_by_role("link", name=re.compile("Project ID.*too long"))).to_be_visible()
        photograph(page, "received-wqx-study")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.get_by_label("Of which tank or place?").select_option("shore-of-the-upper-lake")
        page.get_by_role("button", name="Results for WQX").click()
        with page.expect_download(), page.expect_request(lambda asked: "device=shore-of-the-upper-lake" in asked.url):
            dialog.get_by_role("button", name="Download").click()
        expect(dialog).to_be_hidden()
        # Other tables ask for nothing.
        with page.expect_download(), page.expect_request(lambda asked: "kind=values" in asked.url and "organization" not in asked.url):
            page.get_by_role("button", name="Values").click()
        closed(watched)
    seen("names at WQX, and what results of others lack")


def own(browser):
    with serving(2, Reporter) as (service, origin):
        found = {name: said for name, said in arrival(1)["sample"].items() if name != "track"}
        service.keep(SAMPLE, {**found, "device": "tank-000", "state": "done", "track": []})
        watched = opened(browser, origin, "/field", NARROW)
        watched.allowed.append(r"422.*/field-samples\.csv")
        page = watched.page
        page.get_by_text("Download as tables").click()
        page.get_by_role("button", name="Results for WQX").click()
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
        page.get_by_role("link", name=re.compile("^Line 3, weir-1: Activity Latitude")).click()
        expect(page).to_have_url(f"{origin}/field/{SAMPLE}")
        expect(page.get_by_text("After the rain.")).to_be_visible()
        closed(watched)
    seen("what results of one's own lack")
