"""Answers to alarms: one says in the app that they are on it, the other sees it; whoever has the link of an alert answers that one."""

import re

from playwright.sync_api import expect

from asking import mail, new_device, publish
from inspection import inspect, require_accessible
from person import add_mail, link, open_account, sign_up
from watched import VIEWPORT, Failed, Watched, require, seen

DEVICE = "answered-pond"
OWNER, WATCHER = "olga.pond@example.org", "wim.pond@example.org"


def walk(browser, origin):
    owner, watcher, stranger = Watched(browser), Watched(browser), Watched(browser)
    sign_up(owner, origin, OWNER)
    named(owner)
    link(owner, new_device(DEVICE), "Koi pond")
    publish(DEVICE, temperature=21.4)
    add_mail(owner, OWNER)
    shared(owner, watcher, origin)
    # After the other has come, so that both are told of it.
    publish(DEVICE, temperature=26.0)
    for one in (owner, watcher):
        see_water(one)
        expect(one.page.locator(".home-air")).to_have_attribute("data-tone", "alarm")
    address = alert_link(origin)
    opened(stranger, owner, address, origin)
    answered_in_app(owner, watcher)
    faster(stranger, address)
    given_back(owner, watcher)
    answered_by_link(stranger, owner, watcher, address)
    over(stranger, owner, watcher, address)
    unknown(stranger, origin)


def see_water(watched):
    watched.page.get_by_role("link", name="Water", exact=True).click()
    expect(watched.page.locator("h1")).to_have_text(re.compile("Temperature is high"))


def named(watched):
    """By itself a person's name is the beginning of their address; they call themselves what they like."""
    page = watched.page
    open_account(page)
    row = page.get_by_role("button", name=re.compile("^Your name"))
    expect(row).to_contain_text("olga.pond")
    row.click()
    sheet = page.get_by_role("dialog", name="Your name")
    inspect(watched, "account-name")
    sheet.get_by_label("Your name").fill("Olga")
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row).to_contain_text("Olga")
    page.get_by_role("link", name="Water", exact=True).click()
    seen("a name of one's own")


def shared(owner, watcher, origin):
    """The other one watches, and has the same limits; neither sees the other's address."""
    page = owner.page
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_role("button", name="Make the link").click()
    shown = page.get_by_text(re.compile(r"/join#aqw_"))
    expect(shown).to_be_visible()
    address = shown.inner_text()
    page.get_by_role("button", name="Close").click()
    sign_up(watcher, origin, WATCHER)
    watcher.page.goto(address)
    expect(watcher.page.get_by_text("Whoever shares it sees you as “wim.pond”.")).to_be_visible()
    watcher.page.get_by_role("button", name="Watch this device").click()
    expect(watcher.page.locator("h1")).to_have_text(re.compile("Linked|All fine|No reading yet"))
    page.reload()
    expect(page.get_by_role("button", name=re.compile(r"^wim\.pond"))).to_be_visible()
    require(WATCHER not in page.content(), "an owner sees a watcher's address")
    seen("shared, by names")


def alert_link(origin):
    """The link to the page of an alert, a line of its own in the next mail that has one."""
    texts = []
    while len(texts) < 4:
        texts.append(mail(OWNER))
        found = [line.strip() for line in texts[-1].splitlines() if line.strip().startswith(f"{origin}/answer#")]
        if found:
            require(len(found) == 1, f"links to an alert: {found}")
            return found[0]
    raise Failed(f"no link to an alert in {texts}")


def opened(stranger, owner, address, origin):
    """Opening the link answers nothing, and shows one alert to somebody who is not signed in."""
    page = stranger.page
    page.goto(address)
    expect(page.get_by_role("button", name="I'm on it")).to_be_visible()
    require(page.url == f"{origin}/answer", page.url)
    expect(page.get_by_text(re.compile("You are not signed in here. This link, sent to Olga"))).to_be_visible()
    require(OWNER not in page.content() and WATCHER not in page.content(), "the link shows an address")
    inspect(stranger, "answer-link")
    require_accessible(page, "the page of a link", VIEWPORT)
    expect(owner.page.locator(".on-it")).to_be_hidden()
    seen("the page of an alert's link")


def answered_in_app(owner, watcher):
    """Who is on it takes the place of the buttons, here and there; the red stays."""
    page = owner.page
    see_water(owner)
    expect(page.locator(".tab-badge")).to_have_text("1")
    page.get_by_role("button", name="I'm on it").click()
    expect(page.locator(".on-it")).to_contain_text("You are on it")
    expect(page.get_by_role("button", name="It is solved")).to_be_visible()
    expect(page.locator(".tab-badge")).to_be_hidden()
    inspect(owner, "home-answered")
    pill = watcher.page.locator(".on-it")
    expect(pill).to_have_text(re.compile(r"^OOlga is on it since \d\d:\d\d$"))
    expect(watcher.page.get_by_role("button", name="I'm on it")).to_have_count(0)
    for one in (owner, watcher):
        expect(one.page.locator(".home-air")).to_have_attribute("data-tone", "alarm")
    inspect(watcher, "home-answered-by-another")
    watcher.page.get_by_role("link", name=re.compile("^Alerts")).click()
    row = watcher.page.get_by_role("link", name=re.compile("Temperature is high.*Olga is on it since"))
    expect(row).to_be_visible()
    inspect(watcher, "alerts-answered")
    page.get_by_role("link", name=re.compile("^Alerts")).click()
    page.get_by_role("link", name=re.compile("Temperature is high.*You are on it")).click()
    expect(page.locator(".on-it")).to_contain_text("You are on it")
    inspect(owner, "alert-answered")
    for one in (owner, watcher):
        see_water(one)
    seen("I'm on it, for all who share it")


def faster(stranger, address):
    """The link says the same; it is the owner's, so that it is theirs to end."""
    page = stranger.page
    page.reload()
    page.goto(address)
    expect(page.locator("h1")).to_have_text("You are on it")
    expect(page.get_by_text(re.compile(r"wim\.pond sees: “Olga is on it since \d\d:\d\d”\."))).to_be_visible()
    inspect(stranger, "answer-link-yours")
    seen("the same by the link")


def given_back(owner, watcher):
    """Whoever cannot says so, and somebody else can; the first then reads who was faster."""
    owner.page.get_by_role("button", name="I can't").click()
    for one in (owner, watcher):
        expect(one.page.get_by_role("button", name="I'm on it")).to_be_visible()
    watcher.page.get_by_role("button", name="I'm on it").click()
    expect(owner.page.locator(".on-it")).to_have_text(re.compile(r"^Wwim\.pond is on it since"))
    seen("given back, and taken")


def answered_by_link(stranger, owner, watcher, address):
    """Somebody was faster than whoever opens the link; once they cannot, it is the link's person's."""
    page = stranger.page
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_text("wim.pond was faster.")).to_be_visible()
    inspect(stranger, "answer-link-others")
    watcher.page.get_by_role("button", name="I can't").click()
    expect(watcher.page.get_by_role("button", name="I'm on it")).to_be_visible()
    page.goto("about:blank")
    page.goto(address)
    page.get_by_role("button", name="I'm on it").click()
    expect(page.locator("h1")).to_have_text("You are on it")
    expect(page.locator("h1")).to_be_focused()
    expect(owner.page.locator(".on-it")).to_contain_text("You are on it")
    expect(watcher.page.locator(".on-it")).to_contain_text("Olga is on it since")
    page.get_by_role("button", name="It is solved").click()
    expect(page.locator("h1")).to_have_text(re.compile(r"^You said it is solved, \d\d:\d\d$"))
    inspect(stranger, "answer-link-solved")
    expect(watcher.page.locator(".on-it")).to_have_text(re.compile(r"Olga says it is solved, \d\d:\d\d$"))
    page.get_by_role("button", name="I can't").click()
    page.get_by_role("button", name="Snooze 1 h").click()
    expect(page.locator("h1")).to_have_text(re.compile(r"^Snoozed until \d\d:\d\d$"))
    expect(page.get_by_role("button", name="I'm on it")).to_be_visible()
    inspect(stranger, "answer-link-snoozed")
    expect(owner.page.locator(".home-air")).to_have_attribute("data-tone", "plain")
    expect(watcher.page.locator(".home-air")).to_have_attribute("data-tone", "alarm")
    seen("answered by the link")


def over(stranger, owner, watcher, address):
    """What is over has nothing to press, and nobody is on it any more."""
    watcher.page.get_by_role("button", name="I'm on it").click()
    expect(watcher.page.locator(".on-it")).to_contain_text("You are on it")
    publish(DEVICE, temperature=21.4)
    expect(watcher.page.locator(".on-it")).to_be_hidden()
    expect(watcher.page.locator(".home-air")).to_have_attribute("data-tone", "plain")
    page = stranger.page
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("h1")).to_have_text("It is over")
    expect(page.locator("main button")).to_have_count(0)
    inspect(stranger, "answer-link-over")
    expect(owner.page.locator(".on-it")).to_be_hidden()
    seen("an answer ends with its episode")


def unknown(stranger, origin):
    """A link that nobody made, and one that was cut."""
    page = stranger.page
    stranger.allowed.append(r"(404|410|422).*api/v1/answers")
    page.goto("about:blank")
    page.goto(f"{origin}/answer#aqn_{'A' * 43}")
    expect(page.locator("h1")).to_have_text("No such link")
    inspect(stranger, "answer-link-unknown")
    page.goto("about:blank")
    page.goto(f"{origin}/answer")
    expect(page.get_by_text("The link is incomplete.")).to_be_visible()
    page.get_by_role("link", name="All alerts").click()
    # Whoever was never signed in here is told first what this is.
    expect(page).to_have_url(re.compile("/(introduction|sign-in)$"))
    seen("links that answer nothing")
