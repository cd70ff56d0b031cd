"""Two people share a device: invited by a link, with limits of their own, until the owner ends it."""

import re

from playwright.sync_api import expect

from asking import new_device, publish
from inspection import inspect
from person import fill_sign_up, link, open_parameter, pick, sign_up
from watched import Watched, require, seen

DEVICE = "shared-tank"


def walk(browser, origin):
    owner, watcher = Watched(browser), Watched(browser)
    sign_up(owner, origin, "olga@example.org")
    link(owner, new_device(DEVICE), "Koi pond")
    publish(DEVICE, temperature=21.4)
    expect(owner.page.get_by_role("link", name=re.compile(r"Temperature: 21\.4"))).to_be_visible()
    accept(watcher, invite(owner))
    limits(owner, watcher)
    told(owner)
    used(browser, owner)
    withdraw(owner, watcher)


def invite(owner):
    page = owner.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_role("button", name="Make the link").click()
    shown = page.get_by_text(re.compile(r"/join#aqw_"))
    expect(shown).to_be_visible()
    address = shown.inner_text()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name=re.compile("Open invitation"))).to_be_visible()
    owner.address = address
    return address


def accept(watcher, address):
    page = watcher.page
    page.goto(address)
    expect(page.locator("h1")).to_have_text("Koi pond")
    inspect(watcher, "join-stranger")
    page.get_by_role("link", name="Sign up").click()
    expect(page.locator("h1")).to_have_text("Create an account")
    fill_sign_up(watcher, "wim@example.org")
    expect(page.get_by_role("button", name="Watch this device")).to_be_visible()
    require("aqw_" not in page.url, "the invitation stays in the address")
    inspect(watcher, "join")
    page.get_by_label("Name").fill("Olga's koi")
    page.get_by_role("button", name="Watch this device").click()
    expect(page.locator("h1")).to_have_text("Linked")
    expect(page.get_by_text("Olga's koi").first).to_be_visible()
    # What was measured before is the owner's.
    require("21.4" not in page.evaluate("document.body.innerText"), "a watcher sees what was measured before they came")
    publish(DEVICE, temperature=21.7)
    expect(page.get_by_role("link", name=re.compile(r"Temperature: 21\.7"))).to_be_visible()
    inspect(watcher, "home-shared")
    seen("the shared water, live")


def limits(owner, watcher):
    """What is too warm for one is fine for the other."""
    open_parameter(watcher.page, DEVICE, "temperature", "Temperature")
    pick(watcher.page, re.compile("^Maximum"), "20.5")
    watcher.page.get_by_role("button", name="Set 20.5").click()
    expect(watcher.page.get_by_role("dialog")).to_have_count(0)
    publish(DEVICE, temperature=21.9)
    watcher.page.get_by_role("link", name="Water", exact=True).click()
    expect(watcher.page.locator("h1")).to_have_text("Temperature is high")
    owner.page.get_by_role("link", name="Water", exact=True).click()
    expect(owner.page.get_by_role("link", name=re.compile(r"Temperature: 21\.9"))).to_be_visible()
    expect(owner.page.locator("h1")).to_have_text("All fine")
    expect(owner.page.get_by_text("Olga's koi")).to_have_count(0)
    seen("limits of one's own")


def told(owner):
    """What somebody else did stands on the home screen until the owner has looked."""
    page = owner.page
    notice = page.get_by_role("link", name=re.compile("Somebody watches Koi pond"))
    expect(notice).to_be_visible()
    inspect(owner, "home-happened")
    notice.click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.get_by_text("Somebody watches Koi pond")).to_be_visible()
    page.get_by_role("link", name="Water", exact=True).click()
    expect(page.locator("h1")).to_have_text("All fine")
    expect(notice).to_have_count(0)
    seen("what happened on the account")


def used(browser, owner):
    """A link works once."""
    late = Watched(browser)
    late.page.goto(owner.address)
    expect(late.page.get_by_text("This invitation was used already.")).to_be_visible()
    inspect(late, "join-used")
    late.page.goto(owner.address[:-3] + "000")
    late.allowed.append(r"404.*invitations/look|422.*invitations/look|400.*invitations/look")
    expect(late.page.get_by_role("link", name="To my devices")).to_be_visible()
    late.context.close()


def withdraw(owner, watcher):
    """The watcher's open screen loses the device without asking."""
    page = owner.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    page.get_by_role("button", name=re.compile(r"^wim\b")).click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Remove wim?")
    dialog.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name=re.compile(r"^wim\b"))).to_have_count(0)
    require("@" not in page.locator("main").inner_text(), "an owner sees an address")
    expect(watcher.page.locator("h1")).to_have_text("No device yet")
    left = watcher.page.evaluate("document.body.innerText")
    require("Olga" not in left and "21.9" not in left, f"the watcher still sees {left!r}")
    watcher.page.get_by_role("link", name="Devices").click()
    expect(watcher.page.get_by_text("Olga's koi")).to_have_count(0)
    inspect(watcher, "devices-withdrawn")
    seen("the end of watching")
