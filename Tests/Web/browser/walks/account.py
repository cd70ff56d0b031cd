"""The account: taking everything along, the password, sessions, tokens, and the end."""

import csv
import io
import json
import re
import zipfile

from playwright.sync_api import expect

from asking import new_device, publish
from inspection import inspect
from person import PASSWORD, fill_sign_in, link, open_account, sign_in, sign_up
from watched import Watched, require, seen

EMAIL = "pia@example.org"
NEXT = "three herons on one leg"
DEVICE = "account-tank"


def walk(browser, origin):
    here, there = Watched(browser), Watched(browser)
    sign_up(here, origin, EMAIL)
    link(here, new_device(DEVICE), "Basin")
    publish(DEVICE, temperature=19.25)
    expect(here.page.get_by_role("link", name=re.compile(r"Temperature: 19\.[23]"))).to_be_visible()
    sign_in(there, origin, EMAIL)
    expect(there.page.locator("h1")).to_have_text("All fine")
    open_account(here.page)
    export(here)
    sessions(here, there)
    password(here, there, origin)
    tokens(here, origin)
    proof(here, origin)
    close(here, origin)


def export(watched):
    page = watched.page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export everything").click()
    download = waiting.value
    require(download.suggested_filename == "aquamonitor-export.zip", download.suggested_filename)
    with zipfile.ZipFile(download.path()) as archive:
        require(archive.testzip() is None, "the archive is damaged")
        names = archive.namelist()
        require(any(name.startswith("readings/") or "readings" in name for name in names), f"no readings in {names}")
        texts = {name: archive.read(name).decode() for name in names}
    readings = "\n".join(text for name, text in texts.items() if "readings" in name)
    require("19.25" in readings, f"the reading is not in {names}: {readings[:500]}")
    for name, text in texts.items():
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".csv"):
            require(len({len(row) for row in csv.reader(io.StringIO(text)) if row}) <= 1, f"{name} is no table")
    require(any(EMAIL in text for text in texts.values()), "the account is not in the export")
    seen("the export: " + ", ".join(names))


def sessions(here, there):
    """Signing out elsewhere ends the other screen."""
    page = here.page
    page.reload()
    expect(page.locator("h1")).to_have_text("Account")
    row = page.get_by_role("button", name=re.compile("last used"))
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Chrome · Linux")
    row.click()
    sheet = page.get_by_role("dialog", name="Chrome · Linux")
    expect(sheet).to_contain_text("Nothing.")
    inspect(here, "session")
    sheet.get_by_role("button", name="Sign out", exact=True).click()
    expect(row).to_have_count(0)
    expect(page.get_by_text("Signed out: Chrome · Linux")).to_be_visible()
    there.allowed.append(r"401 ")
    expect(there.page.locator("h1")).to_have_text("AquaMonitor")
    require(there.page.url.endswith("/sign-in"), there.page.url)
    require("19." not in there.page.evaluate("document.body.innerText"), "the water is still shown")
    seen("signing out elsewhere")


def password(here, there, origin):
    sign_in(there, origin, EMAIL)
    expect(there.page.locator("h1")).to_have_text("All fine")
    page = here.page
    page.get_by_role("button", name="Change the password").click()
    sheet = page.get_by_role("dialog")
    current = sheet.get_by_role("textbox", name="Present password")
    following = sheet.get_by_role("textbox", name="New password")
    here.allowed.append(r"(403|422|400).*account/password")
    current.fill("not my password at all")
    following.fill(NEXT)
    sheet.get_by_role("button", name="Save").click()
    expect(current).to_have_attribute("aria-invalid", "true")
    expect(following).to_have_value(NEXT)
    current.fill(PASSWORD)
    following.fill("short")
    sheet.get_by_role("button", name="Save").click()
    expect(following).to_have_attribute("aria-invalid", "true")
    inspect(here, "password")
    following.fill(NEXT)
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(there.page.locator("h1")).to_have_text("AquaMonitor")
    fill_sign_in(there, origin, EMAIL)
    expect(there.page.get_by_role("textbox", name="Password")).to_have_attribute("aria-invalid", "true")
    sign_in(there, origin, EMAIL, NEXT)
    expect(there.page.locator("h1")).to_have_text("All fine")
    page.reload()
    expect(page.get_by_text("This device")).to_be_visible()
    page.get_by_role("button", name="Sign out everywhere else").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Sign out").click()
    expect(there.page.locator("h1")).to_have_text("AquaMonitor")
    expect(page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    seen("the password's change")


def tokens(here, origin):
    """A token is shown once, works, and is refused once it was revoked."""
    page = here.page
    page.get_by_role("button", name="Make a token").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Make").click()
    expect(sheet.get_by_text("The name is missing.")).to_be_visible()
    sheet.get_by_role("textbox", name="Name").fill("Home Assistant")
    inspect(here, "token")
    sheet.get_by_role("button", name="Make").click()
    shown = page.locator(".secret")
    expect(shown).to_be_visible()
    secret = shown.inner_text()
    inspect(here, "token-shown")
    page.get_by_role("button", name="Close").click()
    row = page.get_by_role("button", name=re.compile("^Home Assistant"))
    expect(row).to_contain_text(secret[-4:])
    # The row stands behind the sheet while that closes, and a closed sheet is taken out a moment later.
    expect(page.locator("dialog")).to_have_count(0)
    require(secret not in page.content(), "the token is still in the page")
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    require(secret not in kept, "the token is kept in the browser")
    require(read_with(here, origin, secret) == 200, "the token does not read")
    row.click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Revoke Home Assistant?")
    dialog.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    require(read_with(here, origin, secret) == 401, "the token reads on")
    seen("a token's life")


def proof(here, origin):
    """A session in which the password was not given for a while is asked for it, and what was asked for happens then."""
    page = here.page
    refused = []

    def refuse_once(route):
        if refused:
            return route.continue_()
        refused.append(route.request.headers["idempotency-key"])
        route.fulfill(
            status=403,
            content_type="application/problem+json",
            body=json.dumps({"code": "password-needed", "title": "The password is needed once more"}),
        )

    here.allowed.append(r"403.*(tokens|sessions/proof)")
    page.route("**/api/v1/tokens", refuse_once)
    page.get_by_role("button", name="Make a token").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Old session")
    page.get_by_role("dialog").get_by_role("button", name="Make").click()
    sheet = page.get_by_role("dialog", name="Your password, once more")
    given = sheet.get_by_role("textbox", name="Present password")
    given.fill("not my password at all")
    sheet.get_by_role("button", name="Continue").click()
    expect(given).to_have_attribute("aria-invalid", "true")
    inspect(here, "proof")
    given.fill(NEXT)
    with page.expect_request(lambda request: request.url.endswith("/tokens") and request.method == "POST") as again:
        sheet.get_by_role("button", name="Continue").click()
    require(again.value.headers["idempotency-key"] == refused[0], "the repeat has another key")
    expect(page.locator(".secret")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Token made: Old session")).to_be_visible()
    page.unroute("**/api/v1/tokens")
    seen("the password, once more")


def read_with(watched, origin, token):
    """As a program, without the browser's cookies."""
    return watched.context.request.get(
        f"{origin}/api/v1/devices", headers={"Authorization": f"Bearer {token}", "Cookie": ""}
    ).status


def close(here, origin):
    """It asks for the password; then nothing is left, and the address is free."""
    page = here.page
    page.get_by_role("button", name="Delete the account").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text("this cannot be undone")).to_be_visible()
    inspect(here, "account-close")
    here.allowed.append(r"(403|422).*account/close")
    sheet.get_by_role("textbox", name="Present password").fill("a guess of a password")
    sheet.get_by_role("button", name="Delete for good").click()
    expect(sheet.get_by_role("textbox", name="Present password")).to_have_attribute("aria-invalid", "true")
    sheet.get_by_role("textbox", name="Present password").fill(NEXT)
    here.allowed.append(r"401 ")
    sheet.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("The account is deleted")).to_be_visible()
    code = page.locator(".device-code").inner_text()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("h1")).to_have_text("Know your water without looking.")
    left = page.evaluate(
        "new Promise((resolve) => { const asked = indexedDB.open('aquamonitor');"
        " asked.onsuccess = () => { const got = asked.result.transaction('kept').objectStore('kept').getAllKeys();"
        " got.onsuccess = () => { asked.result.close(); resolve(got.result); }; }; })"
    )
    require(not left, f"left on the device: {left}")
    page.reload()
    expect(page.locator("h1")).to_have_text("Know your water without looking.")
    sign_up(here, origin, EMAIL)
    link(here, code, "Basin again")
    require("19.2" not in page.evaluate("document.body.innerText"), "the next owner sees the former one's readings")
    seen("the end, and a new beginning")
