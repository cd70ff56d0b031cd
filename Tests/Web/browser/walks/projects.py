"""A project: made, its people and tanks, an invitation with its code, acting as it, handing it over and dissolving it; by what each role may."""

import re

from playwright.sync_api import expect

from asking import until
from farm import LAKE, Farm
from inspection import inspect, photograph
from many import serving
from walks.farm import KNOWN, PHONE, closed
from watched import Watched, require, seen

ONLY = "You only look at this tank. Ask an administrator of the project to make you a keeper."
PATH = f"/settings/projects/{LAKE}"
NARROW = {"width": 320, "height": 640}
NIGHT = {"id": "s0", "name": "Night", "days": ["monday", "tuesday", "saturday"], "from": "22:00", "until": "06:00", "members": ["m1", "m2"]}
DESKTOP = {"width": 1440, "height": 900}


def walk(browser, _):
    owner(browser)
    acting(browser)
    ended(browser)
    others(browser)
    looking(browser)
    shifts(browser)
    joining(browser)
    languages(browser)
    without_connection(browser)


def farm(tanks):
    return Farm(tanks, own=2)


def opened(browser, origin, path, size=PHONE, signed_in=True):
    watched = Watched(browser, viewport=size, service_workers="block")
    if signed_in:
        watched.context.add_init_script(KNOWN)
    watched.page.goto(origin + path)
    return watched


def owner(browser):
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, "/settings")
        page = watched.page
        page.get_by_role("link", name="Projects").click()
        expect(page.get_by_role("link", name=re.compile("^Lake Farm"))).to_be_visible()
        inspect(watched, "projects")
        page.get_by_role("button", name="New project").click()
        photograph(page, "project-new")
        page.get_by_role("dialog").get_by_role("button", name="Make the project").click()
        expect(page.get_by_text("Give it a name.")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        page.get_by_role("link", name=re.compile("^Lake Farm")).click()
        expect(page.locator("h1")).to_have_text("Lake Farm")
        expect(page.get_by_text("Mika Sato (you)")).to_be_visible()
        inspect(watched, "project")
        # An invitation is shown once, as a text and as a code.
        page.get_by_role("button", name="Invite someone").click()
        photograph(page, "project-invite")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Viewer")).click()
        page.get_by_label(re.compile("^Until")).fill("2027-01-31")
        page.get_by_role("button", name="Make the link").click()
        expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
        expect(page.get_by_text(re.compile(r"/join#aqj_0+$"))).to_be_visible()
        photograph(page, "project-link")
        path, body = service.posted[-1]
        require(path.endswith("/invitations") and body["role"] == "viewer" and body["until"].startswith("2027-01-31T23:59"), f"{path} {body}")
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("button", name=re.compile("^Open invitation"))).to_be_visible()
        # A keeper becomes an administrator.
        page.get_by_role("button", name=re.compile("Ana Ruiz")).click()
        photograph(page, "project-member")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Administrator")).click()
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        expect(page.get_by_role("button", name=re.compile("Ana Ruiz.*Administrator"))).to_be_visible()
        # One's own tank is moved in.
        page.get_by_role("button", name="Move a tank in").click()
        page.get_by_role("dialog").get_by_role("button", name="Koi pond").click()
        page.get_by_role("button", name="Move in").click()
        until("it is in", lambda: page.evaluate("1") and "tank-000" in service.inside)
        # Whoever is the only owner hands over before they leave.
        expect(page.get_by_role("button", name="Leave Lake Farm")).to_have_count(0)
        page.get_by_role("button", name="Hand it over").click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile("Ana Ruiz")).click()
        page.get_by_role("button", name="Make owner").click()
        expect(page.get_by_role("button", name="Leave Lake Farm")).to_be_visible()
        page.get_by_role("button", name="Dissolve Lake Farm").click()
        photograph(page, "project-dissolve")
        page.get_by_role("button", name="Dissolve", exact=True).click()
        expect(page).to_have_url(origin + "/settings/projects")
        require(service.is_gone, "the project is there still")
        closed(watched)
    seen("what an owner does")


def acting(browser):
    """Every request about tanks names the project, none about the person does; every screen says so, and the way back is there."""
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, PATH, DESKTOP)
        page, streams = watched.page, []
        page.on("request", lambda request: streams.append(request) if request.url.endswith("/live") else None)
        page.get_by_role("button", name="Act as Lake Farm").click()
        strip = page.get_by_role("complementary", name="You act as Lake Farm")
        expect(strip).to_be_visible()
        expect(page.locator(".rail-device")).to_have_count(6)
        until("the water is the project's", lambda: page.evaluate("1") and {"/devices", "/readings/latest"} <= set(service.as_project))
        # What alarms a person they hear as themselves.
        until("the stream", lambda: page.evaluate("1") and streams)
        require(all("aqua-project" not in one.headers for one in streams), "the stream is the project's")
        photograph(page, "acting-1440")
        page.get_by_role("link", name="Settings").click()
        expect(page.get_by_text(re.compile("^These are the settings of Lake Farm"))).to_be_visible()
        expect(page.get_by_role("link", name="Notifications")).to_have_count(0)
        expect(page.get_by_role("link", name="Account")).to_have_count(0)
        page.set_viewport_size(PHONE)
        inspect(watched, "acting-settings")
        page.get_by_role("link", name="What was changed").click()
        expect(page.get_by_text("Ben").first).to_be_visible()
        require("/audit" in service.as_project, "whose log is it?")
        page.go_back()
        # What another administrator changes is seen when the window is.
        expect(page.get_by_role("link", name=re.compile("^pH.*9"))).to_be_visible()
        service.limits = {(tank, "ph"): (7, 9.5) for tank in service.names}
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.get_by_role("link", name=re.compile("^pH.*9.5"))).to_be_visible()
        # Limits of all at once are the project's.
        page.evaluate("navigation.navigate('/tanks/limits')")
        page.get_by_role("button", name="All of them").click()
        page.get_by_role("button", name=re.compile("^Maximum")).click()
        page.get_by_role("listbox").press("ArrowUp")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Set")).click()
        page.get_by_role("button", name="Set for 6 tanks").click()
        expect(page.get_by_text("6 tanks have the new limits.")).to_be_visible()
        path, body = service.posted[-1]
        require(path.startswith(f"/projects/{LAKE}/parameters/") and len(body["devices"]) == 6 and "minimum" not in body, f"{path} {body}")
        # Another window of the same person acts for themselves.
        other = watched.context.new_page()
        other.goto(origin)
        expect(other.locator(".air-name")).to_have_text("Koi pond")
        expect(other.get_by_role("complementary")).to_have_count(0)
        other.close()
        page.reload()
        expect(strip).to_be_visible()
        strip.get_by_role("button", name="Back to yourself").click()
        expect(page.locator(".air-name")).to_have_text("Koi pond")
        expect(strip).to_have_count(0)
        closed(watched)
    seen("acting as a project")


def ended(browser):
    """Acting ends with the session, and with the part of whoever is an administrator no more."""
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, PATH)
        watched.allowed.append("40[13]")
        page = watched.page
        strip = page.get_by_role("complementary", name="You act as Lake Farm")
        kept = """async () => {
            const asked = indexedDB.open("aquamonitor");
            const database = await new Promise((resolve) => asked.onsuccess = () => resolve(asked.result));
            const keys = database.transaction("kept").objectStore("kept").getAllKeys();
            return await new Promise((resolve) => keys.onsuccess = () => resolve(keys.result.filter((key) => key.startsWith("project ")).length));
        }"""
        page.get_by_role("button", name="Act as Lake Farm").click()
        expect(strip).to_be_visible()
        service.end()
        # The whole window begins anew: nothing of it is the project's.
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        expect(strip).to_have_count(0)
        page.get_by_label("Email").fill("mika@example.org")
        page.get_by_label("Password", exact=True).fill("a long password of mine")
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator(".tabs, nav").first).to_be_visible()
        page.evaluate("navigation.navigate('/')")
        expect(page.locator(".air-name")).to_have_text("Koi pond")
        expect(strip).to_have_count(0)
        page.evaluate(f"navigation.navigate('{PATH}')")
        page.get_by_role("button", name="Act as Lake Farm").click()
        expect(strip).to_be_visible()
        until("the project is kept", lambda: page.evaluate(kept) > 0)
        service.role = service.members[0]["role"] = "keeper"
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(strip).to_have_count(0)
        expect(page.locator(".air-name")).to_have_text("Koi pond")
        require(page.evaluate(kept) == 0, "something of the project is kept")
        closed(watched)
    seen("acting ends")


def looking(browser):
    """A viewer sees each screen, and is offered nothing that would be refused."""
    with serving(3, lambda tanks: Farm(tanks, own=0)) as (service, origin):
        service.role = "viewer"
        service.outside = {("tank-001", "ph"): "low"}
        service.entries = [service.entry(1, "tank-001", "fed", 3600, subject="Flakes")]
        service.due = [("tank-001", "Water change")]
        service.places = {"tank-001": (46.948, 7.4474)}
        tank = "/devices/tank-001"
        # Where something is seen first, and what is not offered there.
        screens = {
            "/alerts/tank-001.ph.low": ("pH", ["I'm on it", "Change limits"]),
            "/settings/tank-001/ph": ("Maximum", [re.compile("^Maximum"), "Colour"]),
            "/settings#tank-001": ("pH", ["Back to the starting values"]),
            "/tanks/limits": (ONLY, [re.compile("^All"), re.compile("^Set")]),
            tank: ("Report of a period", ["Limits for what lives in it", "Questions about the water"]),
            "/care": ("Water change", ["New reminder", "Plan something", "Write it down"]),
            "/devices/chart": ("Hatchery 2", ["Sample here"]),
            "/field": ("A sample is what somebody measured and saw at a place. It works without a signal.", ["New sample"]),
            "/field?device=tank-001": ("A sample is what somebody measured and saw at a place. It works without a signal.", ["New sample"]),
            "/care/reminders/new": (ONLY, ["Make"]),
            "/care/journal": ("Flakes", ["Write it down"]),
            f"{tank}/inventory": ("Koi", [re.compile("^Koi"), "Add an animal or plant", "Add equipment"]),
            "/settings/tank-001/ph/calibration": ("Calibration", ["Write it down"]),
            f"{tank}/test": (ONLY, ["Save"]),
        }
        watched = opened(browser, origin, "/")
        watched.allowed += ["404.*/probes", "404.*/map"]
        page = watched.page
        page.get_by_role("button", name="More").first.click()
        expect(page.get_by_role("dialog").get_by_role("link").first).to_be_visible()
        expect(page.get_by_role("button", name="Edit order")).to_have_count(0)
        page.get_by_role("button", name="Close").click()
        for path, (sight, refused) in screens.items():
            page.evaluate("(path) => navigation.navigate(path).finished.then(() => null)", path)
            expect(page.locator("main").get_by_text(sight).first).to_be_visible()
            for name in refused:
                for role in ("button", "link"):
                    expect(page.locator("main").get_by_role(role, name=name)).to_have_count(0)
            photograph(page, f"looking-{path.strip('/').replace('/', '-').replace('#', '-').replace('?', '-')}")
        # What is due and what was written down is read, and neither done nor changed.
        page.evaluate("navigation.navigate('/care').finished.then(() => null)")
        expect(page.locator(".care-tick").first).to_be_disabled()
        page.locator(".care-open").first.click()
        expect(page.get_by_role("dialog").get_by_text(ONLY)).to_be_visible()
        for name in ("Done now", "Change the reminder"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.get_by_role("button", name="Close").click()
        page.evaluate("navigation.navigate('/care/journal').finished.then(() => null)")
        page.get_by_role("button", name=re.compile("Flakes")).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        for name in ("Change", "Delete this entry"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        changed = [path for path, _ in service.posted if path != "/sessions/renewal"]
        require(not changed, f"{changed}")
        closed(watched)
    seen("what a viewer is offered")


def others(browser):
    """An administrator looks after people below them, a keeper leaves, a viewer only looks."""
    with serving(6, farm) as (service, origin):
        service.role = "administrator"
        service.members[0]["role"] = "administrator"
        service.members.append(service.member("m4", "Olga", "owner"))
        watched = opened(browser, origin, PATH)
        page = watched.page
        expect(page.get_by_role("button", name=re.compile("Ana Ruiz"))).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Olga"))).to_have_count(0)
        expect(page.get_by_role("button", name=re.compile("^Dissolve"))).to_have_count(0)
        inspect(watched, "project-administrator")
        closed(watched)
        service.role = "viewer"
        service.members[0]["role"] = "viewer"
        service.outside = {("tank-003", "ph"): "low"}
        watched = opened(browser, origin, PATH)
        page = watched.page
        expect(page.get_by_role("button", name="Leave Lake Farm")).to_be_visible()
        for name in ("Invite someone", "Act as Lake Farm", "Move a tank in"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.goto(origin)
        expect(page.locator(".air-name")).to_have_text("Hatchery 2")
        expect(page.get_by_role("button", name="I'm on it")).to_have_count(0)
        expect(page.get_by_role("button", name="Work on it")).to_have_count(0)
        closed(watched)
    seen("what others may do")


def shifts(browser):
    """An administrator sets shifts, a keeper takes one of another's, and each sees the week."""
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, PATH)
        page = watched.page
        page.get_by_role("link", name=re.compile("^Shifts")).click()
        expect(page.get_by_text("No shifts: everybody is alerted at all times.")).to_be_visible()
        inspect(watched, "shifts-none")
        page.get_by_role("button", name="Add a shift").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Give it a name.")).to_be_visible()
        dialog.get_by_label("Name").fill("Night")
        dialog.get_by_label("From").fill("22:00")
        dialog.get_by_label("Until").fill("06:00")
        dialog.get_by_role("switch", name=re.compile("Ana Ruiz")).click()
        dialog.get_by_role("button", name="Sunday").click()
        photograph(page, "shift")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("button", name=re.compile("^Night"))).to_be_visible()
        path, body = service.posted[-1]
        require(path.endswith("/shifts") and len(body["shifts"][0]["days"]) == 6 and body["shifts"][0]["members"] == ["m2"], f"{path} {body}")
        expect(page.get_by_text(re.compile("^Nobody is on shift from")).first).to_be_visible()
        expect(page.locator(".shifts-person")).to_have_count(1)
        inspect(watched, "shifts")
        page.get_by_role("button", name="Swap a shift").click()
        page.get_by_role("dialog").get_by_role("button").filter(has_text="Ana Ruiz").first.click()
        photograph(page, "shift-taker")
        page.get_by_role("dialog").get_by_role("button", name=re.compile("Mika Sato")).click()
        expect(page.get_by_role("button", name=re.compile("^Mika Sato .* for Ana Ruiz"))).to_be_visible()
        expect(page.locator(".shifts-person")).to_have_count(2)
        page.get_by_role("switch", name="Always alert me").click()
        until("always", lambda: page.evaluate("1") and service.always)
        inspect(watched, "shifts-swapped")
        closed(watched)
        service.role = "keeper"
        service.covers = []
        for size, name in ((PHONE, "keeper"), (NARROW, "narrow"), (DESKTOP, "desktop")):
            watched = opened(browser, origin, f"{PATH}/shifts", size)
            expect(watched.page.locator(".shifts-person").first).to_be_visible()
            expect(watched.page.get_by_role("button", name="Add a shift")).to_have_count(0)
            inspect(watched, f"shifts-{name}")
            closed(watched)
        watched = opened(browser, origin, f"{PATH}/shifts")
        page = watched.page
        page.get_by_role("button", name="Swap a shift").click()
        page.get_by_role("dialog").get_by_role("button").filter(has_text="Ana Ruiz").first.click()
        page.get_by_role("button", name="Take it").click()
        expect(page.get_by_role("button", name=re.compile("^Mika Sato .* for Ana Ruiz"))).to_be_visible()
        page.get_by_role("button", name=re.compile("^Mika Sato .* for Ana Ruiz")).click()
        page.get_by_role("button", name="Give it back").click()
        expect(page.get_by_role("button", name=re.compile("^Mika Sato .* for Ana Ruiz"))).to_have_count(0)
        closed(watched)
    seen("shifts")


def joining(browser):
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, "/join#aqj_" + "0" * 49)
        page = watched.page
        expect(page.locator("h1")).to_have_text("Lake Farm")
        inspect(watched, "join-project")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page).to_have_url(origin + PATH)
        require(service.posted[-1][0] == "/projects/join", f"{service.posted}")
        closed(watched)
    seen("an invitation into a project")


def languages(browser):
    for language in ("ja", "es", "de"):
        with serving(6, farm) as (service, origin):
            service.language = language
            watched = opened(browser, origin, PATH)
            watched.context.add_init_script(f"localStorage.setItem('aqua-language', '{language}')")
            watched.page.goto(origin + PATH)
            expect(watched.page.locator("html")).to_have_attribute("lang", language)
            expect(watched.page.locator(".project-letter").first).to_be_visible()
            inspect(watched, f"project-{language}")
            watched.page.goto(origin + "/tanks")
            expect(watched.page.locator(".tile").first).to_be_visible()
            inspect(watched, f"tanks-{language}")
            service.shifts = [NIGHT]
            watched.page.goto(f"{origin}{PATH}/shifts")
            expect(watched.page.locator(".shifts-person").first).to_be_visible()
            inspect(watched, f"shifts-{language}")
            closed(watched)
    seen("projects in other languages")


def without_connection(browser):
    with serving(6, farm) as (service, origin):
        watched = opened(browser, origin, PATH)
        page = watched.page
        expect(page.get_by_text("Mika Sato (you)")).to_be_visible()
        page.wait_for_timeout(2_500)
        service.is_away = True
        watched.allowed.append("ERR_|Failed to load")
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.evaluate(f"navigation.navigate('{PATH}').finished.then(() => null)")
        expect(page.get_by_text("Mika Sato (you)")).to_be_visible()
        expect(page.get_by_text("Not read just now")).to_be_visible()
        photograph(page, "project-offline")
        closed(watched)
    seen("a project without a connection")
