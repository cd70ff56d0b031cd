"""A farm's first day without a shell: a project and its people, twelve probes from a list, one of them over a cable, labels, limits, shifts; then
water that is too warm, told to whoever is on shift, answered, seen by all, and over. Each person has a browser of their own.
"""

import csv
import re
from datetime import datetime, timedelta, timezone

from playwright.sync_api import expect

from asking import ask, received, until
from inspection import inspect
from person import add_webhook, fill_sign_up, sign_up
from probe import Probe, RealCable
from walks.enrol import MADE, button, printed
from walks.farm import DESKTOP
from watched import Watched, require, seen

FARM = "Lake Farm"
TANKS = [*(f"Hatchery {number}" for number in range(1, 9)), *(f"Raceway {number}" for number in range(1, 5))]
IDS = [f"farm-{number:02}" for number in range(1, len(TANKS) + 1)]
FIRST = IDS[0]
ROWS = [f"{id},{name},native,trout" for id, name in zip(IDS, TANKS, strict=True)]
LIST = "\n".join(["hardware_id,name,firmware,preset", *ROWS, ""])
WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FINE = {"temperature": 11.5, "ph": 7.4, "dissolved_oxygen": 9.1}
MAXIMUM = "14"
WARM = {**FINE, "temperature": 15.5}
OF_KEEPER, OF_ADMINISTRATOR = "/hook-of-ken", "/hook-of-ana"


def walk(browser, origin):
    ask("enroller")
    founder = Watched(browser, accept_downloads=True)
    sign_up(founder, origin, "mika@farm.example")
    project = found(founder)
    administrator, keeper, viewer = (join(browser, founder, *who) for who in (("ana", "Administrator"), ("ken", "Keeper"), ("vera", "Viewer")))
    cable = RealCable(founder.context, **FINE)
    try:
        act(founder, project)
        probes = made(founder, cable)
    finally:
        cable.end()
    add_way(administrator, origin, OF_ADMINISTRATOR)
    add_way(keeper, origin, OF_KEEPER)
    act(administrator, project)
    reported(administrator, probes)
    limited(administrator)
    on_shift(administrator)
    answered(keeper, alarmed(probes[FIRST]))
    seen_by_all(founder, administrator, viewer)
    over(founder, keeper, probes[FIRST])
    refused(viewer, project)


def go(page, path):
    page.evaluate("(path) => navigation.navigate(path).finished.then(() => null)", path)


def found(founder):
    """The project's address within the app."""
    page = founder.page
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Projects").click()
    button(page, "New project").click()
    page.get_by_role("dialog").get_by_label("Name").fill(FARM)
    page.get_by_role("dialog").get_by_role("button", name="Make the project").click()
    expect(page.locator("h1")).to_have_text(FARM)
    seen("a project")
    return re.search(r"/settings/projects/[^/]+$", page.url).group()


def join(browser, founder, name, role):
    """A person with the link signs up, and is in."""
    page = founder.page
    button(page, "Invite someone").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{role}")).click()
    button(page, "Make the link").click()
    shown = page.get_by_text(re.compile(r"/join#aqj_\S+$"))
    expect(shown).to_be_visible()
    address = shown.inner_text()
    button(page, "Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    watched = Watched(browser)
    page = watched.page
    page.goto(address)
    expect(page.locator("h1")).to_have_text(FARM)
    page.get_by_role("link", name="Sign up").click()
    fill_sign_up(watched, f"{name}@farm.example")
    expect(page.get_by_text(f"mika invites you into this project as: {role}.")).to_be_visible()
    button(page, "Join").click()
    expect(page.get_by_text(f"{name} (you)")).to_be_visible()
    require("aqj_" not in page.url, "the invitation stays in the address")
    seen(f"{name} joined as {role}")
    return watched


def act(watched, project):
    page = watched.page
    go(page, "/settings")
    go(page, project)
    button(page, f"Act as {FARM}").click()
    expect(page.get_by_role("complementary", name=f"You act as {FARM}")).to_be_visible()


def made(founder, cable):
    """From a list with a fault, which the dry run finds, to probes with their keys, by their ids."""
    page = founder.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Make devices").click()
    page.get_by_label("One device a line").fill(LIST.replace(ROWS[4], ROWS[4].replace("native", "windows")))
    button(page, "Check the list").click()
    rows = page.get_by_role("region", name="In the list")
    expect(rows).to_contain_text("No such firmware: “windows”.")
    expect(rows).to_contain_text("Line 6 · ")
    expect(page.get_by_role("button", name=re.compile("^Make "))).to_be_hidden()
    page.get_by_label("One device a line").fill(LIST)
    button(page, "Check the list").click()
    expect(rows).to_contain_text(f"{len(TANKS)} to make")
    button(page, f"Make {len(TANKS)} devices").click()
    expect(page.get_by_role("heading", name=MADE)).to_have_text(f"{len(TANKS)} devices made")
    with page.expect_download() as download:
        button(page, "Save as a CSV file").click()
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        told = list(csv.DictReader(file))
    require([row["state"] for row in told] == ["made"] * len(TANKS) and all(row["password"] for row in told), f"{[{**row, 'password': '…'} for row in told]}")
    inspect(founder, "first-day-made")
    set_up(founder, cable, told[0])
    labels(page)
    button(page, "Done").click()
    seen("twelve probes made")
    # All others get their keys from the file, and trust the authority that the first was given.
    others = {row["hardware_id"]: Probe(row["hardware_id"], row["password"], row["host"], row["port"], cable.probe.authority) for row in told[1:]}
    return {FIRST: cable.probe, **others}


def set_up(founder, cable, told):
    """Wi-Fi, broker and key over the cable; the broker takes what the probe then says."""
    page = founder.page
    button(page.locator(".made-row").first, "Set up this probe").click()
    sheet = page.get_by_role("dialog", name=f"Set up {TANKS[0]}")
    button(sheet, "Choose the probe").click()
    sheet.get_by_role("button", name="Koi house").click()
    sheet.get_by_label("Its password", exact=True).fill("right password")
    button(sheet, "Set it up").click()
    expect(sheet.get_by_role("status").filter(has_text="Done: the probe reports.")).to_be_visible()
    require((cable.probe.id, cable.probe.key) == (FIRST, told["password"]), "the probe has another key than the file")
    button(sheet, "Close").click()
    seen("a probe set up over the cable")


def labels(page):
    button(page, "Labels to print").click()
    expect(page.locator(".label svg")).to_have_count(len(TANKS))
    expect(page.locator(".label").first).to_contain_text(f"belongs to {FARM}")
    printed(page, "first-day", (595, 842), 1)


def add_way(watched, origin, path):
    watched.page.goto(f"{origin}/settings/notifications")
    add_webhook(watched.page, path)


def reported(administrator, probes):
    """Every probe reports with what it was given, and all tanks are fine."""
    for probe in probes.values():
        probe.publish(**FINE)
    page = administrator.page
    go(page, "/tanks")
    expect(page.locator(".tile")).to_have_count(len(TANKS))
    expect(page.locator("h1")).to_have_text("All fine")
    expect(page.locator(".tile[data-mood=fine]")).to_have_count(len(TANKS))
    inspect(administrator, "first-day-tanks")


def limited(administrator):
    """One maximum for all tanks, which everybody in the project then has."""
    page = administrator.page
    go(page, "/tanks/limits")
    page.get_by_role("button", name=re.compile("^Parameter")).click()
    page.get_by_role("dialog").get_by_role("button", name="Temperature", exact=True).click()
    button(page, "All of them").click()
    page.get_by_role("button", name=re.compile("^Maximum")).click()
    expect(page.get_by_role("listbox", name="Maximum")).to_be_focused()
    page.keyboard.type(MAXIMUM)
    page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^Set {MAXIMUM}")).click()
    expect(page.get_by_text(f"{len(TANKS)} of {len(TANKS)} tanks change.")).to_be_visible()
    button(page, f"Set for {len(TANKS)} tanks").click()
    expect(page.get_by_text(f"{len(TANKS)} tanks have the new limits.")).to_be_visible()
    seen("limits of all tanks")


def on_shift(administrator):
    """The keeper is on shift at all times; the administrator on another day."""
    page = administrator.page
    page.get_by_role("complementary").get_by_role("button", name="Back to yourself").click()
    expect(page.get_by_role("complementary")).to_have_count(0)
    expect(page.locator("h1")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Projects").click()
    page.get_by_role("link", name=re.compile(f"^{FARM}")).click()
    page.get_by_role("link", name=re.compile("^Shifts")).click()
    other = (datetime.now(timezone.utc) + timedelta(days=3)).strftime("%A")
    add_shift(page, "Water watch", "ken", WEEK)
    add_shift(page, "Stand-in", "ana", [other])
    expect(page.get_by_text(re.compile("^On shift: ken until "))).to_be_visible()
    inspect(administrator, "first-day-shifts")


def add_shift(page, name, member, days):
    """A shift of whole days, for one member."""
    button(page, "Add a shift").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Name").fill(name)
    sheet.get_by_label("From").fill("00:00")
    sheet.get_by_label("Until").fill("00:00")
    for day in WEEK:
        if day not in days:
            button(sheet, day).click()
    sheet.get_by_role("switch", name=re.compile(f"^{member}")).click()
    button(sheet, "Save").click()
    expect(page.get_by_role("button", name=re.compile(f"^{name}"))).to_be_visible()


def alarmed(probe):
    """Water that is too warm is told to whoever is on shift, by their webhook.

    Returns the alert's path in the app.
    """
    probe.publish(**WARM)
    told = until("the keeper is told", lambda: alerts(OF_KEEPER))
    data = told[0]["data"]
    require((data["device"]["name"], data["parameter"], data["side"], data["limit"]) == (TANKS[0], "temperature", "high", float(MAXIMUM)), f"{told}")
    seen("an alert, by a webhook")
    return f"/alerts/{data['alert_id']}"


def alerts(path):
    return [body for body in received(path) if str(body.get("type", "")).startswith("alert.")]


def answered(keeper, path):
    page = keeper.page
    go(page, path)
    button(page, "I'm on it").click()
    expect(page.locator(".on-it")).to_contain_text("You are on it")
    inspect(keeper, "first-day-answered")


def seen_by_all(*everybody):
    """All tanks say who is on it, whoever looks, also as the project."""
    for watched in everybody:
        page = watched.page
        go(page, "/tanks")
        tile = page.locator(".tile[data-mood=answered]")
        expect(tile).to_have_count(1)
        expect(tile).to_contain_text(TANKS[0])
        expect(tile).to_contain_text("ken is on it")
        expect(page.locator(".tile[data-mood=fine]")).to_have_count(len(TANKS) - 1)
    inspect(everybody[0], "first-day-trouble")


def over(founder, keeper, probe):
    """The all-clear comes to whoever was told, and to nobody else."""

    def heard():
        # One reading alone is no calm: probes go on.
        probe.publish(**FINE)
        return [one for one in alerts(OF_KEEPER) if one["type"] == "alert.recovery"]

    until("the all-clear", heard)
    require(len(alerts(OF_KEEPER)) == 2, f"{alerts(OF_KEEPER)}")
    require(alerts(OF_ADMINISTRATOR) == [], f"who is not on shift was told: {alerts(OF_ADMINISTRATOR)}")
    expect(founder.page.locator(".tile[data-mood=fine]")).to_have_count(len(TANKS))
    founder.page.set_viewport_size(DESKTOP)
    expect(founder.page.locator("h1")).to_have_text("All fine")
    go(keeper.page, "/tanks")
    expect(keeper.page.locator(".tile[data-mood=fine]")).to_have_count(len(TANKS))
    seen("all clear")


def refused(viewer, project):
    """Nothing is offered to whoever only looks, and what they write all the same is refused."""
    page = viewer.page
    go(page, "/tanks")
    expect(page.locator(".tile")).to_have_count(len(TANKS))
    with page.expect_request(re.compile("/api/v1/projects")) as asked:
        go(page, project)
    expect(page.get_by_role("button", name=re.compile("^(Act as|Invite)"))).to_have_count(0)
    headers = {"Authorization": asked.value.headers["authorization"]}
    api = asked.value.url.split("/projects")[0]
    writes = [
        ("POST", f"{api}/devices/{FIRST}/parameters/reset", None, "viewers-only-look"),
        ("PUT", f"{api}{project.removeprefix('/settings')}/parameters/temperature", {"devices": None, "maximum": 30}, "administrators-only"),
    ]
    for method, address, body, code in writes:
        answer = viewer.context.request.fetch(address, method=method, data=body, headers=headers)
        require((answer.status, answer.json()["code"]) == (403, code), f"{method} {address}: {answer.status} {answer.text()}")
    viewer.require_no_faults()
    seen("a viewer who only looks")
