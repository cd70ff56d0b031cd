"""Tanks where they stand: a plan is begun with a picture, arranged by touch, by dragging and by keys, and looked at by everybody of the project; a map of
all that have a position; both live by the one stream, offline as they were, on narrow phones and in both schemes. What is asked of the service is counted.
"""

import json
import struct
import zlib

from playwright.sync_api import expect

from asking import until
from farm import LAKE, ROLES, Farm
from inspection import at_rest, inspect, photograph, require_accessible, require_narrow, true_in
from many import serving
from walks.farm import DESKTOP, PHONE, closed, laid_out, opened
from watched import require, seen

TANKS = 12
PICTURE = {"width": 640, "height": 360}


def png(width, height):
    """A drawing of a site: a hall, a path and a pond."""

    def colour(x, y):
        if 60 < x < 300 and 40 < y < 200:
            return (214, 206, 190) if x % 60 > 3 and y % 40 > 3 else (150, 140, 120)
        if (x - 470) ** 2 + (2 * (y - 230)) ** 2 < 20_000:
            return (150, 190, 205)
        return (188, 204, 172)

    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in colour(x, y)) for y in range(height))
    part = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))  # noqa: E731
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


class Sites(Farm):
    """The farm with plans, as strict about versions and rights as the real service."""

    def __init__(self, tanks):
        super().__init__(tanks - 2, own=2)
        self.plans, self.pictures, self.places = {}, {}, {}
        self.sent = []  # requests that change plans
        self.positions = {}

    def device(self, name):
        latitude, longitude = self.positions.get(name, (None, None))
        return {**super().device(name), "latitude": latitude, "longitude": longitude}

    def may(self, plan):
        return plan["project"] is None or self.role in ROLES[:2]

    def told(self, plan, whole=True):
        shown = {**plan, "mayChange": self.may(plan)}
        return {**shown, "places": self.places[plan["id"]]} if whole else shown

    def answer(self, method, path, query, body):
        if path == "/plans" and method == "GET":
            return [self.told(plan, whole=False) for plan in self.plans.values()]
        if path == "/plans":
            number = str(len(self.plans) + 1)
            self.plans[number] = {"id": number, "project": body.get("project"), "name": body["name"], "picture": None, "version": 1}
            self.places[number] = []
            return self.told(self.plans[number])
        if path == "/map":
            return {"tiles": None, "attribution": None, "attributionLink": None}
        return super().answer(method, path, query, body)

    def raw(self, method, path, query, headers, body):
        steps = path.split("/")[1:]
        if steps[0] != "plans" or len(steps) == 1:
            return super().raw(method, path, query, headers, body)
        plan = self.plans.get(steps[1])
        if plan is None:
            return self.problem(404, "There is no such plan", "not-found")
        if method == "GET":
            return (200, "image/jpeg", self.pictures[plan["id"]]) if steps[2:] == ["picture"] else self.json(self.told(plan))
        if not self.may(plan):
            return self.problem(403, "Administrators alone change it", "administrators-only")
        self.sent.append((method, path))
        if method == "DELETE" and len(steps) == 2:
            del self.plans[steps[1]]
            return 204, "text/plain", b""
        if headers.get("If-Match") != f'"v{plan["version"]}"':
            return self.problem(412, "It was changed", "precondition-failed")
        plan["version"] += 1
        if steps[2:] == ["picture"] and method == "PUT":
            require(headers["Content-Type"] == "image/jpeg" and len(body) <= 300_000 and b"Exif" not in body, "a picture as the service takes it")
            self.pictures[plan["id"]] = body
            plan["picture"] = {"type": "image/jpeg", **PICTURE, "tag": f"t{plan['version']}"}
        elif steps[2:] == ["picture"]:
            plan["picture"] = None
        elif steps[2:] == ["places"]:
            places = json.loads(body)["places"]
            require(all(0 <= place[side] <= 1_000 and place[side] == int(place[side]) for place in places for side in "xy"), f"{places}")
            self.places[plan["id"]] = places
        else:
            plan["name"] = json.loads(body)["name"]
        return self.json(self.told(plan))


def walk(browser, _):
    with serving(TANKS, Sites) as (service, origin):
        begun(browser, service, origin)
        arranged(browser, service, origin)
        looked_at(browser, service, origin)
        only_seen(browser, service, origin)
        beside(browser, service, origin)
    mapped(browser)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def lay_out(page, name):
    """All tanks in another way, on a wide window as on a phone."""
    expect(page.locator(".tanks-bar")).to_be_visible()
    if page.locator(".tanks-turn").is_visible():
        laid_out(page, name)
    else:
        button(page, name).click()


def begun(browser, service, origin):
    """There is none at first; one is begun for the project, with a picture."""
    watched = opened(browser, origin, PHONE, "/tanks")
    page = watched.page
    lay_out(page, "Plan")
    expect(page.get_by_text("No plan yet")).to_be_visible()
    expect(page.locator(".tile")).to_have_count(TANKS)
    inspect(watched, "plan-none")
    button(page, "New plan").click()
    sheet = page.get_by_role("dialog", name="New plan")
    sheet.get_by_label("Name of the plan").fill("North hall")
    sheet.get_by_label("Whose tanks").select_option("Lake Farm")
    sheet.locator("input[type=file]").set_input_files({"name": "site.png", "mimeType": "image/png", "buffer": png(**PICTURE)})
    expect(sheet.get_by_role("button", name="Picture chosen")).to_be_visible()
    inspect(watched, "plan-new")
    button(sheet, "Begin the plan").click()
    expect(page.locator("h1")).to_have_text("North hall")
    true_in(page, "document.querySelector('.site-plan-picture')?.hidden === false")
    require(service.plans["1"]["project"] == LAKE and service.plans["1"]["picture"] is not None, f"{service.plans}")
    inspect(watched, "plan-arrange-empty")
    closed(watched)
    seen("a plan is begun")


def stand(page, name, x, y):
    """A tank is chosen from the list, and the plan is touched where it stands."""
    page.locator(".row").filter(has_text=name).first.click()
    expect(page.get_by_text(f"Touch where {name} stands")).to_be_visible()
    ground = page.locator(".plan-ground")
    ground.scroll_into_view_if_needed()
    box = ground.bounding_box()
    ground.click(position={"x": x * box["width"], "y": y * box["height"]})
    expect(page.locator(".plan-marks").get_by_role("button", name=f"{name}, ")).to_be_focused()


def arranged(browser, service, origin):
    """By touch, by keys and by dragging; taken off; saved at once, and asked for where it was not."""
    service.sent.clear()
    watched = opened(browser, origin, PHONE, "/tanks/plans/1")
    page = watched.page
    expect(page.get_by_text("10 tanks not on the plan")).to_be_visible()
    expect(button(page, "Save")).to_be_disabled()
    spots = {"Hatchery 1": (0.2, 0.3), "Hatchery 2": (0.4, 0.3), "Hatchery 3": (0.3, 0.5), "Hatchery 4": (0.7, 0.6), "Hatchery 5": (0.7, 0.8)}
    for name, (x, y) in spots.items():
        stand(page, name, x, y)
    marks = page.locator(".plan-marks")
    # Keys: two small steps and a large one, and off.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    expect(marks.get_by_role("button", name="Hatchery 5, 71 % from the left, 75 % from the top")).to_be_focused()
    marks.get_by_role("button", name="Hatchery 3, ").focus()
    page.keyboard.press("Delete")
    expect(marks.get_by_role("button")).to_have_count(4)
    expect(page.get_by_text("6 tanks not on the plan")).to_be_visible()
    # Dragged, with a finger or a mouse.
    second = marks.get_by_role("button", name="Hatchery 2, ")
    second.scroll_into_view_if_needed()
    box = second.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40, steps=4)
    page.mouse.up()
    require(not service.sent, f"nothing is sent before it is saved: {service.sent}")
    inspect(watched, "plan-arrange")
    require_narrow(page, "plan-arrange")
    button(page, "Save").click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    require(service.sent == [("PUT", "/plans/1/places")], f"{service.sent}")
    places = {place["device"]: (place["x"], place["y"]) for place in service.places["1"]}
    require(len(places) == 4 and all(0 < x < 1000 and 0 < y < 1000 for x, y in places.values()), f"{places}")
    near = lambda device, x, y: abs(places[device][0] - x) < 25 and abs(places[device][1] - y) < 40  # noqa: E731
    require(near("tank-002", 200, 300) and near("tank-005", 700, 600) and near("tank-006", 710, 750), f"{places}")
    # Somebody else changed it meanwhile: theirs is shown.
    service.plans["1"]["version"] += 1
    service.places["1"] = service.places["1"][:3]
    marks.get_by_role("button", name="Hatchery 1, ").focus()
    page.keyboard.press("ArrowDown")
    watched.allowed.append("412")
    button(page, "Save").click()
    expect(page.get_by_text("This was changed elsewhere")).to_be_visible()
    expect(marks.get_by_role("button")).to_have_count(3)
    # Whoever leaves without saving is told. By keys alone a tank comes to stand in the middle, and goes on from there.
    page.locator(".row").filter(has_text="Hatchery 6").first.press("Enter")
    middle = button(page, "Put it in the middle")
    middle.press("Enter")
    expect(marks.get_by_role("button", name="Hatchery 6, 50 % from the left, 50 % from the top")).to_be_focused()
    expect(middle).to_be_hidden()
    for _ in range(7):
        page.keyboard.press("Shift+ArrowDown")
    expect(marks.get_by_role("button", name="Hatchery 6, 50 % from the left, 85 % from the top")).to_be_focused()
    stand(page, "Hatchery 2", 0.4, 0.4)
    page.get_by_role("button", name="Back").first.click()
    expect(page.get_by_text("The plan was not saved.")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    until("it is saved", lambda: page.evaluate("1") and len(service.places["1"]) == 5)
    closed(watched)
    seen("a plan is arranged")


def looked_at(browser, service, origin):
    """Trouble in front, what is near together, the rest below; live, and as it was without a connection."""
    service.outside = {("tank-005", "dissolved_oxygen"): "low", ("tank-009", "ph"): "high"}
    service.silent = {"tank-003"}
    for size, name in ((DESKTOP, "1440"), (PHONE, "390")):
        service.sizes()
        watched = opened(browser, origin, size, "/tanks")
        page = watched.page
        lay_out(page, "Plan")
        marks = page.locator(".place-marks")
        first = marks.get_by_role("link").or_(marks.get_by_role("button")).first
        expect(first).to_be_visible()
        require("Hatchery 4" in first.get_attribute("aria-label"), f"trouble is in front: {first.get_attribute('aria-label')}")
        expect(page.get_by_text("Not on the plan")).to_be_visible()
        expect(page.locator(".tile")).to_have_count(TANKS - 5)
        true_in(page, "document.querySelector('.site-plan-picture')?.hidden === false")
        asked = service.sizes()
        require(asked["/plans"] == 1 and asked["/plans/1"] == 1 and asked.get("/plans/1/picture", 0) <= 1, f"one list, one plan, one picture: {asked}")
        require(asked["/live"] == 1, f"one stream: {asked}")
        at_rest(page)
        photograph(page, f"plan-{name}")
        require_accessible(page, f"plan-{name}", size)
        if size is PHONE:
            # Two that are near are one mark, which lists them, and stand apart from closer by.
            marks.get_by_role("button").first.click()
            expect(page.get_by_role("dialog")).to_contain_text("Hatchery 5")
            at_rest(page)
            photograph(page, "plan-crowd-390")
            page.keyboard.press("Escape")
            button(page, "Look closer").click()
            button(page, "Look closer").click()
            expect(marks.get_by_role("button")).to_have_count(0)
            photograph(page, "plan-closer-390")
            require_narrow(page, "plan")
            page.set_viewport_size({"width": 320, "height": 640})
            at_rest(page)
            photograph(page, "plan-320")
            page.set_viewport_size(size)
        else:
            expect(marks.get_by_role("link")).to_have_count(5)
            # A reading comes by the stream, and asks for nothing.
            page.wait_for_timeout(3_000)
            service.sizes()
            service.read("tank-002", 8.95)
            expect(marks.get_by_role("link", name="Hatchery 1, ")).to_have_text("9.0")
            require(not service.sizes(), "a reading asks for something")
            # A mark leads to its tank, and back.
            marks.get_by_role("link", name="Hatchery 4, ").click()
            expect(page.locator(".air-name")).to_have_text("Hatchery 4")
            page.go_back()
            expect(marks.get_by_role("link").first).to_be_visible()
        # Nobody answers: the plan is as it was, with its picture.
        page.wait_for_timeout(1_500)
        service.is_away = True
        watched.allowed.append("ERR_EMPTY_RESPONSE|Failed to load resource|ERR_CONNECTION")
        page.reload()
        expect(marks.locator(".place-mark").first).to_be_visible()
        true_in(page, "document.querySelector('.site-plan-picture')?.hidden === false")
        service.is_away = False
        watched.faults.clear()
        closed(watched)
    seen("a plan of tanks, live and offline")


def only_seen(browser, service, origin):
    """A keeper sees the plan, and arranges nothing."""
    service.role = "keeper"
    watched = opened(browser, origin, PHONE, "/tanks")
    page = watched.page
    lay_out(page, "Plan")
    expect(page.locator(".place-mark").first).to_be_visible()
    expect(page.get_by_role("link", name="Arrange")).to_be_hidden()
    page.evaluate("navigation.navigate('/tanks/plans/1')")
    expect(page.get_by_text("The owners and administrators of the project arrange it.")).to_be_visible()
    expect(button(page, "Save")).to_be_hidden()
    expect(button(page, "Remove the plan")).to_have_count(0)
    inspect(watched, "plan-seen")
    closed(watched)
    service.role = "owner"
    seen("who only sees a plan")


def beside(browser, service, origin):
    """A second plan, of the person's own tanks and without a picture; another name; its end."""
    watched = opened(browser, origin, DESKTOP, "/tanks")
    page = watched.page
    lay_out(page, "Plan")
    button(page, "New plan").click()
    sheet = page.get_by_role("dialog", name="New plan")
    sheet.get_by_label("Name of the plan").fill("At home")
    button(sheet, "Begin the plan").click()
    expect(page.locator("h1")).to_have_text("At home")
    stand(page, "Koi pond", 0.5, 0.5)
    button(page, "Save").click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    photograph(page, "plan-grid-1440")
    page.get_by_role("button", name="Name of the plan").click()
    page.get_by_role("dialog").get_by_label("Name of the plan").fill("Garden")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_have_text("Garden")
    require(service.plans["2"]["project"] is None and service.plans["2"]["name"] == "Garden", f"{service.plans['2']}")
    page.get_by_role("button", name="Back").first.click()
    button(page, "North hall").click()
    expect(page.locator(".place-mark").first).to_be_visible()
    button(page, "Garden").click()
    expect(page.locator(".place-mark")).to_have_count(1)
    page.get_by_role("link", name="Arrange").click()
    button(page, "Remove the plan").click()
    page.locator("dialog[open]").get_by_role("button", name="Remove the plan").click()
    expect(page).to_have_url(f"{origin}/tanks")
    require(list(service.plans) == ["1"], f"{service.plans}")
    closed(watched)
    seen("plans side by side")


def mapped(browser):
    """All that have a position, with lines and a scale where the operator chose no pictures."""
    with serving(TANKS, Sites) as (service, origin):
        watched = opened(browser, origin, PHONE, "/tanks")
        page = watched.page
        lay_out(page, "Map")
        expect(page.get_by_text("None of these tanks has a place yet.")).to_be_visible()
        inspect(watched, "map-none")
        closed(watched)
        for number, name in enumerate(service.names[:9]):
            service.positions[name] = (48.2085 + number % 3 * 0.0006, 16.372 + number // 3 * 0.0009)
        service.positions[service.names[9]] = (48.20851, 16.37201)
        service.outside = {("tank-009", "ph"): "high", ("tank-004", "ph"): "low"}
        for size, name in ((DESKTOP, "1440"), (PHONE, "390")):
            service.sizes()
            watched = opened(browser, origin, size, "/tanks")
            page = watched.page
            lay_out(page, "Map")
            marks = page.locator(".map-marks")
            expect(marks.locator("li")).to_have_count(9)
            expect(page.locator(".map-lines > path")).to_be_visible()
            require(page.locator(".map-scale").inner_text().endswith(" m"), "a scale of metres")
            expect(page.get_by_text("Without a place")).to_be_visible()
            expect(page.locator(".tile")).to_have_count(TANKS - 10)
            require(service.sizes()["/map"] == 1, "the map's source is asked for once")
            moods = marks.locator("li").evaluate_all("(items) => items.slice(0, 2).map((item) => item.dataset.mood)")
            require(sorted(moods) == ["high", "low"], f"trouble is in front: {moods}")
            photograph(page, f"all-map-{name}")
            require_accessible(page, f"all-map-{name}", size)
            # The one in trouble stands for both that are near, by keys.
            crowd = marks.get_by_role("button")
            crowd.focus()
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog").locator("li")).to_have_count(2)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
            at_rest(page)
            # A filter holds here as well.
            if size is DESKTOP:
                button(page, "2 outside").click()
                expect(marks.locator("li")).to_have_count(2)
            else:
                require_narrow(page, "all-map")
            closed(watched)
        watched = opened(browser, origin, PHONE, "/devices/chart")
        expect(watched.page.locator(".map-marks .place-mark").first).to_be_visible()
        inspect(watched, "chart")
        closed(watched)
    seen("a map of all tanks")
