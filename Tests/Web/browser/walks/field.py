"""Field samples: a survey without a connection, with the tab killed between every two steps; photos with their receipts; a route with stations and
counts; a profile of depths; two phones that change one sample; a trail with a gap; what is refused; a new place; signing out. The service is a
stand-in that is as strict as its documentation.
"""

import contextlib
import re

from playwright.sync_api import Error, expect

from asking import until
from book import picture
from inspection import inspect, open_in, photograph, require_narrow
from many import serving
from surveyor import Surveyor
from watched import Watched, require, seen

SIGNED_IN = """
localStorage.setItem("aqua-session", "1");
localStorage.setItem("aqua-known", "1");
localStorage.setItem("aqua-push-asked", "1");
"""
OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 4\d\d"
ALLOWED = {"permissions": ["geolocation"], "geolocation": {"latitude": 46.9482, "longitude": 7.4475, "accuracy": 4}}


def walk(browser, _):
    with serving(2, Surveyor) as (service, origin):
        phone = new_phone(browser, origin, **ALLOWED)
        begun(phone, origin)
        survey(phone, service)
        sent(phone, service, origin)
        route(phone, service, origin)
        profile(phone, service, origin)
        two_phones(browser, phone, service, origin)
        trail(phone, service, origin)
        refused(phone, service, origin)
        gone(phone, service, origin)
        new_place(phone, service, origin)
        strange(phone, origin)
        languages(phone, service, origin)
        leaving(phone, origin)


def new_phone(browser, origin, **options):
    """A phone that knows the app and its protocols."""
    watched = Watched(browser, service_workers="block", locale="en-GB", **options)
    watched.context.add_init_script(SIGNED_IN)
    watched.allowed.append(OFFLINE)
    watched.page.goto(f"{origin}/field")
    expect(watched.page.locator("h1")).to_have_text("Field samples")
    return watched


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def box(page, name):
    return page.get_by_label(name, exact=True)


def go(page, path):
    """By the app's own way, which needs no connection."""
    page.evaluate("(path) => void navigation.navigate(path)", path)


def kept(page):
    expect(page.locator("[data-keeping]")).to_have_attribute("data-keeping", "kept")


def rows(page):
    return page.locator("main .rows:not(.rows-blank) .row")


def kill(watched):
    """Ends the tab as a system that needs its memory does, and opens the app anew where it was."""
    kept(watched.page)
    address = watched.page.url
    dying = watched.page
    watched.page = watched.open()
    with dying.expect_event("crash"), contextlib.suppress(Error):
        dying.goto("chrome://crash")
    dying.close()
    cut_off(watched.page)
    watched.page.goto(address)
    expect(watched.page.locator("h1")).not_to_have_text("Sample")
    return watched.page


def cut_off(page):
    """No answer comes; the app's own files do, as from its cache."""
    page.route("**/api/**", lambda route: route.abort("internetdisconnected"))


def begun(watched, origin):
    """By which protocol and where: the nearest place with its distance, and how sure that is."""
    page = watched.page
    page.goto(f"{origin}/care/journal")
    page.get_by_role("link", name="Field samples").click()
    page.get_by_role("link", name="New sample").first.click()
    expect(page.locator("h1")).to_have_text("New sample")
    expect(page.get_by_role("button", name=re.compile("^River, quick"))).to_be_visible()
    button(page, "Where am I?").click()
    expect(page.get_by_text("±4 m")).to_be_visible()
    nearest = page.get_by_role("list", name="Place").get_by_role("button").first
    expect(nearest).to_contain_text("Weir, lower gauge")
    expect(nearest).to_contain_text("23 m from here")
    page.get_by_role("button", name=re.compile("^River, quick")).click()
    nearest.click()
    inspect(watched, "field-new")
    seen("protocol and place")


def survey(watched, service):
    """A survey without a connection: after each step the tab dies, and nothing is lost."""
    page = watched.page
    cut_off(page)
    button(page, "Begin").click()
    expect(page.locator("h1")).to_have_text("River, quick")
    page = kill(watched)
    box(page, "Oxygen").fill("7,4")
    page = kill(watched)
    expect(box(page, "Oxygen")).to_have_value("7,4")
    box(page, "Temperature").fill("96")
    expect(page.get_by_text("This cannot be: from")).to_be_visible()
    box(page, "Temperature").fill("9.6")
    page = kill(watched)
    expect(box(page, "Temperature")).to_have_value("9.6")
    button(page, "1 to 5").click()
    page = kill(watched)
    expect(button(page, "1 to 5")).to_have_attribute("aria-pressed", "true")
    button(page, "More about Smell").click()
    page.get_by_role("dialog").get_by_role("button", name="no time").click()
    expect(page.get_by_text("not measured: no time")).to_be_visible()
    page = kill(watched)
    expect(page.get_by_text("not measured: no time")).to_be_visible()
    button(page, "overcast").first.click()
    page.get_by_label("Comment").fill("High water, brown")
    page = kill(watched)
    expect(page.get_by_label("Comment")).to_have_value("High water, brown")
    for number in (1, 2):
        take(page, picture(page, 1200, 900))
        expect(page.locator(".entry-photos canvas:visible")).to_have_count(number)
        page = kill(watched)
        expect(page.locator(".entry-photos canvas:visible")).to_have_count(number)
    inspect(watched, "field-sample")
    button(page, "Save on this phone").click()
    expect(page.locator("h1")).to_have_text("1 on this phone")
    expect(rows(page).first).to_contain_text("waits for a signal")
    inspect(watched, "field-waiting")
    require(service.sent == [], f"nothing was sent: {service.sent}")
    seen("a survey without a connection")


def take(page, contents):
    page.locator("input[type=file]").set_input_files({"name": "river.jpg", "mimeType": "image/jpeg", "buffer": contents})


def sent(watched, service, origin):
    """The record goes first, then each photo; a photo that the service does not show goes again; then nothing is kept here."""
    watched.page.close()
    watched.page = page = watched.open()
    page.goto(f"{origin}/field")
    expect(rows(page).first).to_contain_text("2 photos")
    expect(page.locator("h1")).to_have_text("Field samples")
    until("nothing is kept here", lambda: count_kept(page) == 0)
    kinds = [(method, len(path)) for method, path, _ in service.sent]
    require(kinds == [("PUT", 36)] * 3 and service.sent[0][2] is not None, f"the record, then its photos, each once: {kinds}")
    content = service.sent[0][2]
    values = {value["field"]: value for value in content["values"]}
    require(values["oxygen"] == {"field": "oxygen", "number": 7.4} and values["nitrate"]["choice"] == "1-5", f"{values}")
    require(values["smell"]["notMeasured"] == "no time" and "foam" not in values, f"nothing empty is said: {values}")
    require(content["weather"]["now"] == "overcast" and content["position"]["accuracy"] == 4, f"{content}")
    rows(page).first.click()
    expect(page.get_by_text("Received by")).to_be_visible()
    expect(page.get_by_text("Water board")).to_be_visible()
    expect(page.locator(".entry-photos canvas:visible")).to_have_count(2)
    inspect(watched, "field-sent")
    seen("what was sent, and its receipts")


def count_kept(page):
    return page.evaluate("""new Promise((resolve) => {
        const asked = indexedDB.open("aquamonitor-field");
        asked.onsuccess = () => {
            const counted = asked.result.transaction("drafts").objectStore("drafts").count();
            counted.onsuccess = () => { asked.result.close(); resolve(counted.result); };
        };
    })""")


def begin(page, origin, protocol, device="tank-000"):
    page.goto(f"{origin}/field/new?device={device}")
    page.get_by_role("button", name=re.compile(f"^{protocol}")).click()
    button(page, "Begin").click()
    expect(page.locator("h1")).to_have_text(protocol)


def finish(page):
    button(page, "Save on this phone").click()
    expect(page.get_by_role("link", name="New sample").first).to_be_visible()
    until("it has gone", lambda: count_kept(page) == 0)


def route(watched, service, origin):
    """Stations one after the other, and animals counted by taps, the favourites first."""
    page = watched.page
    begin(page, origin, "Fixed route")
    button(page, "Brown").click()
    button(page, "Next station").click()
    button(page, "Green").click()
    button(page, "Station 1").click()
    expect(button(page, "Brown")).to_have_attribute("aria-pressed", "true")
    plus = button(page, "One more: Stonefly larva")
    for _ in range(3):
        plus.click()
    button(page, "One less: Stonefly larva").click()
    button(page, "Put Leech first").click()
    expect(page.locator(".field-species-row").first).to_contain_text("Leech")
    inspect(watched, "field-route")
    finish(page)
    values = service.sent[-1][2]["values"]
    require([(one["station"], one["choice"]) for one in values if one["field"] == "colour"] == [("1", "brown"), ("2", "green")], f"{values}")
    require(next(one for one in values if one["field"] == "animals")["count"] == [{"species": "stonefly", "count": 2}], f"{values}")
    begin(page, origin, "Fixed route")
    expect(page.locator(".field-species-row").first).to_contain_text("Leech")
    button(page, "Later").click()
    expect(page.locator("h1")).to_have_text("Field samples")
    require(count_kept(page) == 0, "a sample in which nothing was said is not kept")
    seen("a route with stations and counts")


def profile(watched, service, origin):
    """A profile of depths, and a mean that is worked out; what cannot be told is below or above."""
    page = watched.page
    begin(page, origin, "Lake with Secchi disk")
    box(page, "Disk out of sight").fill("3.2")
    box(page, "Disk in sight again").fill("3,0")
    expect(page.locator("[data-field=secchi_mean] output")).to_have_text("3.1 m")
    box(page, "Oxygen").fill("<0.5")
    button(page, "Add a depth").click()
    page.get_by_label("Depth in metres").fill("2.5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2.5 m")).to_be_visible()
    box(page, "Oxygen").last.fill("6")
    inspect(watched, "field-depths")
    finish(page)
    values = service.sent[-1][2]["values"]
    require([one for one in values if one["field"] == "oxygen"] == [
        {"field": "oxygen", "depth": 0, "below": 0.5}, {"field": "oxygen", "depth": 2.5, "number": 6}], f"{values}")  # fmt: skip
    require("secchi_mean" not in [one["field"] for one in values], "the mean is not sent")
    ids = []
    for figures in ((9, 7, 2), (8.5, 8, 4.5)):
        begin(page, origin, "Lake with Secchi disk")
        box(page, "Oxygen").fill(str(figures[0]))
        for number, depth in enumerate((2.5, 5), 1):
            button(page, "Add a depth").click()
            page.get_by_label("Depth in metres").fill(str(depth))
            page.keyboard.press("Enter")
            box(page, "Oxygen").nth(number).fill(str(figures[number]))
        finish(page)
        ids.append(service.sent[-1][1])
    go(page, f"/field/{ids[0]}")
    graph = page.get_by_role("figure", name=re.compile("^Oxygen"))
    expect(graph.get_by_role("img", name="Oxygen by depth, on 2 dates")).to_be_visible()
    expect(graph.locator(".profile-date").last).to_contain_text("9 mg/L at 0 m, 2 mg/L at 5 m")
    inspect(watched, "field-profile")
    page.get_by_role("link", name="All samples of this place").click()
    expect(page.get_by_text("Samples of Weir, lower gauge")).to_be_visible()
    expect(page.get_by_role("img", name="Oxygen by depth, on 2 dates")).to_be_visible()
    require(service.asked_of[-1] == "tank-000", f"{service.asked_of}")
    inspect(watched, "field-place")
    page.locator(".profile-date a").last.click()
    expect(page.get_by_text("Received by")).to_be_visible()
    seen("a profile of depths")


def two_phones(browser, watched, service, origin):
    """One sample changed on two phones: what differs stands side by side, and is chosen value by value."""
    page = watched.page
    begin(page, origin, "River, quick")
    box(page, "Oxygen").fill("8.0")
    box(page, "Temperature").fill("9")
    finish(page)
    sample = service.sent[-1][1]
    go(page, f"/field/{sample}")
    button(page, "Change").click()
    box(page, "Oxygen").fill("8.4")
    page.get_by_label("Comment").fill("Second look")
    other = new_phone(browser, origin)
    other.page.goto(f"{origin}/field/{sample}")
    button(other.page, "Change").click()
    box(other.page, "Oxygen").fill("7.9")
    box(other.page, "Temperature").fill("9.2")
    finish(other.page)
    kept(page)
    button(page, "Save on this phone").click()
    expect(page.locator("h1")).to_have_text("1 on this phone")
    expect(rows(page).first).to_contain_text("changed elsewhere, too")
    rows(page).first.click()
    both = page.locator(".field-conflict")
    expect(both.locator(".field-side")).to_have_count(2)
    expect(both).to_contain_text("8.4 mg/L")
    expect(both).to_contain_text("7.9 mg/L")
    inspect(watched, "field-conflict")
    both.get_by_role("button", name=re.compile("^Here")).click()
    button(page, "Send it so").click()
    until("the service has it", lambda: len(service.versions[sample]) == 3)
    last = {value["field"]: value["number"] for value in service.versions[sample][-1]["values"]}
    require(last == {"oxygen": 8.4, "water_temperature": 9.2}, f"mine where it was chosen, theirs where it was theirs alone: {last}")
    require(service.versions[sample][-1]["comment"] == "Second look", "what was said here alone")
    other.context.close()
    Watched.all.remove(other)
    page.goto(f"{origin}/field")
    until("nothing is kept here", lambda: count_kept(page) == 0)
    go(page, f"/field/{sample}")
    page.get_by_role("button", name=re.compile("^Versions")).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Version 3")).click()
    expect(page.get_by_role("dialog").last).to_contain_text("7.9 mg/L → 8.4 mg/L")
    seen("one sample on two phones")


def trail(watched, service, origin):
    """A trail is begun by the person, thinned, drawn when asked for, and has a gap where nobody listened; the position is set on a map."""
    page = watched.page
    begin(page, origin, "River, quick")
    box(page, "Temperature").fill("9")
    watched.context.set_geolocation(ALLOWED["geolocation"])
    button(page, "Begin a trail").click()
    expect(page.locator(".field-facts dd").first).to_have_text("0 m")
    for step, walked in enumerate((56, 111, 167, 222), 1):
        watched.context.set_geolocation({"latitude": 46.9482 + step / 2_000, "longitude": 7.4475, "accuracy": 4})
        expect(page.locator(".field-facts dd").first).to_have_text(f"{walked} m")
    watched.context.set_geolocation({"latitude": 46.96, "longitude": 7.4475, "accuracy": 90})
    button(page, "End the trail").click()
    button(page, "Go on with the trail").click()
    watched.context.set_geolocation({"latitude": 46.955, "longitude": 7.4475, "accuracy": 4})
    expect(page.locator(".field-facts div").last.locator("dd")).to_have_text("1")
    button(page, "Show the trail").click()
    expect(page.locator(".track-line")).to_have_attribute("d", re.compile("^M[^M]+M[^M]+$"))
    inspect(watched, "field-trail")
    button(page, "Set it on the map").click()
    sheet = page.get_by_role("dialog", name="Set it on the map")
    expect(sheet.locator("circle.track-chosen")).to_be_visible()
    sheet.locator(".map-window").click(position={"x": 60, "y": 60})
    inspect(watched, "field-pin")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)
    finish(page)
    position = service.sent[-1][2]["position"]
    require(position["source"] == "map" and position["accuracy"] is None and position["longitude"] < 7.4474, f"where it was tapped: {position}")
    track = service.sent[-1][2]["track"]
    require(len(track) == 2 and all(isinstance(point[0], int) for segment in track for point in segment), f"{track}")
    require(len(track[0]) == 2, f"a straight way is its ends: {track}")
    seen("a trail")


def refused(watched, service, origin):
    """What the service does not take says why, and stays until it is mended."""
    page = watched.page
    service.denies = "The water board takes no samples today."
    begin(page, origin, "River, quick")
    button(page, "Save on this phone").click()
    expect(page.get_by_text("This is needed.")).to_be_visible()
    box(page, "Temperature").fill("9")
    button(page, "Save on this phone").click()
    expect(rows(page).first).to_contain_text("not taken")
    expect(rows(page).first).to_contain_text("The water board takes no samples today.")
    inspect(watched, "field-refused")
    service.denies = None
    rows(page).first.click()
    button(page, "Try again").click()
    until("it was taken", lambda: count_kept(page) == 0)
    expect(page.get_by_text("Received by")).to_be_visible()  # not a form any more in which what is typed would be kept nowhere
    expect(box(page, "Temperature")).to_have_count(0)
    seen("what was refused")


def gone(watched, service, origin):
    """A sample that the service has no more says so; what is here of it is sent anew as another one."""
    page = watched.page
    begin(page, origin, "River, quick")
    box(page, "Temperature").fill("9")
    finish(page)
    sample = service.sent[-1][1]
    go(page, f"/field/{sample}")
    button(page, "Change").click()
    box(page, "Temperature").fill("9.5")
    kept(page)
    del service.versions[sample]
    button(page, "Save on this phone").click()
    expect(rows(page).filter(has_text="not with the service any more")).to_have_count(1)
    rows(page).filter(has_text="not with the service any more").click()
    inspect(watched, "field-gone")
    page.get_by_label("Place of the new sample").select_option("Old mill")
    button(page, "Send it anew").click()
    until("another one is sent", lambda: count_kept(page) == 0)
    require(service.sent[-1][1] != sample and service.sent[-1][2]["values"][0]["number"] == 9.5, f"{service.sent[-1]}")
    require(service.sent[-1][2]["device"] == "tank-001", f"{service.sent[-1]}")
    seen("a sample that is gone")


def new_place(watched, service, origin):
    """A place that nobody has made yet is made once, when there is a connection, and the sample is of it."""
    page = watched.page
    page.goto(f"{origin}/field/new")
    page.get_by_role("button", name=re.compile("^River, quick")).click()
    button(page, "New place").click()
    page.get_by_label("Name of the place").fill("Ford")
    button(page, "Where am I?").click()
    expect(button(page, "Begin")).not_to_have_attribute("aria-disabled", "true")
    button(page, "Begin").click()
    box(page, "Temperature").fill("8")
    finish(page)
    require([path for _, path, _ in service.sent].count("/sites") == 1, "made once")
    require(service.sent[-1][2]["device"] == "tank-002", f"{service.sent[-1]}")
    seen("a new place")


def strange(watched, origin):
    """A draft that this version does not read is kept, told of, and offered as a file."""
    page = watched.page
    page.evaluate("""new Promise((resolve) => {
        const asked = indexedDB.open("aquamonitor-field");
        asked.onsuccess = () => {
            const writing = asked.result.transaction("drafts", "readwrite");
            writing.objectStore("drafts").put({ id: "old", schema: 99, account: "2026-01-01T00:00:00.000001Z" });
            writing.oncomplete = () => { asked.result.close(); resolve(); };
        };
    })""")
    page.goto(f"{origin}/field")
    told = page.locator(".problem").filter(has_text="another version of the app")
    expect(told).to_be_visible()
    inspect(watched, "field-strange")
    with page.expect_download() as download:
        told.get_by_role("button", name="Save as a file").click()
    require('"schema": 99' in download.value.path().read_text(), "it is in the file")
    told.get_by_role("button", name="Discard").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Discard").click()
    expect(told).to_have_count(0)
    seen("a draft of another version")


def languages(watched, service, origin):
    page = watched.page
    for language in ("es", "ja", "de"):
        open_in(language, page, service, f"{origin}/field/new?device=tank-000")
        page.get_by_role("button", name=re.compile("^River, quick")).click()
        require_narrow(page, f"a new sample in {language}")
        photograph(page, f"field-new-{language}")
        page.locator(".field-end .button-primary").click()
        expect(page.locator(".hand-row").first).to_be_visible()
        require_narrow(page, f"a sample in {language}")
        photograph(page, f"field-sample-{language}")
        go(page, "/field")
        expect(rows(page).first).to_be_visible()
        require_narrow(page, f"samples in {language}")
        photograph(page, f"field-{language}")
    service.language = "en"
    page.evaluate("localStorage.setItem('aqua-language', 'en')")
    seen("the screens in each language")


def leaving(watched, origin):
    """Whoever signs out is told of samples that are on this phone alone, and may save them."""
    page = watched.page
    begin(page, origin, "River, quick")
    box(page, "Oxygen").fill("5")
    kept(page)
    button(page, "Later").click()
    expect(page.locator("h1")).to_have_text("1 on this phone")
    page.goto(f"{origin}/settings/account")
    button(page, "Sign out").click()
    sheet = page.get_by_role("dialog", name="1 sample is on this phone alone")
    inspect(watched, "field-leaving")
    with page.expect_download() as download:
        sheet.get_by_role("button", name="Save as a file").click()
    require('"text": "5"' in download.value.path().read_text(), "the file has what was typed")
    button(page, "Close").click()
    expect(page.locator("h1")).to_have_text("Account")
    require(count_kept(page) == 1, "nothing is lost by looking")
    button(page, "Sign out").click()
    button(page, "Sign out and delete them").click()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    until("nothing is left here", lambda: count_kept(page) == 0)
    seen("signing out")
