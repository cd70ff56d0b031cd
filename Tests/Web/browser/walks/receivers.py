"""Samples that a project receives: agreed by a link, seen by both, ended by both, as tables."""

import re

from playwright.sync_api import expect

from farm import LAKE, Farm
from inspection import inspect, photograph, require_accessible, require_narrow
from many import Refused, at, serving
from walks.farm import KNOWN, PHONE, closed
from watched import Watched, require, seen

NARROW = {"width": 320, "height": 640}
TOKEN = "aqj_" + "0" * 49
INCOMPLETE = {"line": 3, "device": "weir-1", "sample": "0198", "field": "ph", "element": "Activity Latitude", "reason": "missing"}


class Board(Farm):
    """A project that asks for samples, and receives those of two places."""

    def __init__(self, tanks):
        super().__init__(tanks, own=2)
        self.sendings = []

    def sending(self, number, device, owner):
        return {"id": f"0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d{number:02}", "device": device, "project": "Lake Farm", "owner": owner, "since": at(-9e6)}

    def raw(self, method, path, query, headers, body):
        if path == "/field-samples/received.csv":
            if query.get("kind") == ["wqx"] and query.get("device") != ["shore-of-the-upper-lake"]:
                return self.problem(422, "WQX would not take all results", "wqx-incomplete", lines=[INCOMPLETE])
            return 200, "text/csv", b"survey\r\n"
        return super().raw(method, path, query, headers, body)

    def answer(self, method, path, query, body):
        if re.fullmatch(r"/devices/[\w-]+/(probes|watchers|invitations|rejects)", path):
            return []
        if path == "/projects/invitations/look":
            return {**super().answer(method, path, query, body), "role": "sender"}
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


def opened(browser, origin, path, size=PHONE):
    watched = Watched(browser, viewport=size, service_workers="block")
    watched.context.add_init_script(KNOWN)
    watched.page.goto(origin + path)
    return watched


def walk(browser, _):
    sending(browser)
    joining(browser)
    receiving(browser)


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


def receiving(browser):
    with serving(6, Board) as (service, origin):
        watched = opened(browser, origin, f"/settings/projects/{LAKE}")
        page = watched.page
        expect(page.get_by_role("heading", name="Samples of others")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^weir-1, by Eva"))).to_be_visible()
        page.get_by_text("Download as tables").click()
        inspect(watched, "received")
        watched.allowed.append(r"422.*/received\.csv")
        page.get_by_role("button", name="Results for WQX").click()
        expect(page.get_by_text("Line 3, weir-1: Activity Latitude")).to_be_visible()
        photograph(page, "received-wqx")
        page.keyboard.press("Escape")
        expect(page.get_by_text("Line 3, weir-1: Activity Latitude")).to_be_hidden()
        page.get_by_label("Of which tank or place?").select_option("shore-of-the-upper-lake")
        with page.expect_request(lambda one: "device=shore-of-the-upper-lake" in one.url):
            page.get_by_role("button", name="Results for WQX").click()
        closed(watched)
    seen("samples of others, and what their results lack")
