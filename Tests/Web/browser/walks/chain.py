"""If nobody answers: a chain is made, agreed to and rehearsed; the other one is called, and is on it."""

import re

from playwright.sync_api import expect

from asking import new_device, publish
from inspection import inspect, photograph, require_narrow
from person import add_mail, link, open_parameter, pick, sign_up
from watched import Watched, require, seen

DEVICE = "chained-pond"
OWNER, WATCHER = "olga.chain@example.org", "wim.chain@example.org"
PATH = f"/devices/{DEVICE}/chain"


def walk(browser, origin):
    owner, watcher = Watched(browser), Watched(browser)
    sign_up(owner, origin, OWNER)
    link(owner, new_device(DEVICE), "Koi pond")
    publish(DEVICE, temperature=21.4)
    alone(owner)
    shared(owner, watcher, origin)
    made(owner)
    minutes(owner)
    asked(watcher)
    agreed(owner)
    own_way(owner)
    rehearsed(owner)
    large_text(owner)
    languages(owner)
    without_connection(owner)
    called(owner, watcher)
    answered(owner)
    removed(owner)


def saved(page):
    """A change made inside is at the service when the block ends."""
    return page.expect_response(lambda answer: answer.url.endswith("/chain") and answer.request.method == "PUT" and answer.ok)


def open_device(page):
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Koi pond: name, place and sharing").click()
    row = page.get_by_role("link", name=re.compile("^If nobody answers"))
    expect(row).to_be_visible()
    return row


def open_chain(page):
    open_device(page).click()
    expect(page.locator("h1")).to_have_text("If nobody answers")
    expect(steps(page).first).to_contain_text("You")


def steps(page):
    return page.locator(".chain-step")


def told(watched):
    """Messages and calls of an alert."""
    return watched.page.locator(".told").first


def close(page):
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def alone(owner):
    """Nobody else is told, nothing of the person's is told at once, and nobody is there to ask; each leads on."""
    page = owner.page
    expect(open_device(page)).to_contain_text("Nobody else is told")
    open_chain(page)
    expect(steps(page)).to_have_count(1)
    expect(steps(page).first).to_contain_text("None of your ways is told at once")
    inspect(owner, "chain-none")
    page.get_by_role("button", name="Add a step").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nobody else shares this device yet.")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Invite somebody")).click()
    expect(page.locator("h1")).to_have_text("Koi pond")
    expect(page.get_by_role("dialog")).to_have_count(0)
    add_mail(owner, OWNER)
    open_chain(page)
    expect(steps(page).first).to_contain_text("Email")
    seen("a chain of nobody")


def shared(owner, watcher, origin):
    """The other one watches, has limits that are wider, and can be reached."""
    page = owner.page
    open_device(page)
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_role("button", name="Make the link").click()
    shown = page.get_by_text(re.compile(r"/join#aqw_"))
    expect(shown).to_be_visible()
    address = shown.inner_text()
    close(page)
    sign_up(watcher, origin, WATCHER)
    watcher.page.goto(address)
    watcher.page.get_by_role("button", name="Watch this device").click()
    expect(watcher.page.locator("h1")).to_have_text(re.compile("Linked|All fine|No reading yet"))
    open_parameter(watcher.page, DEVICE, "temperature", "Temperature")
    pick(watcher.page, re.compile("^Maximum"), "29.5")
    watcher.page.get_by_role("button", name="Set 29.5").click()
    expect(watcher.page.get_by_role("dialog")).to_have_count(0)
    add_mail(watcher, WATCHER)


def made(owner):
    """A person who shares the device can be a step, and is asked first."""
    page = owner.page
    open_chain(page)
    page.get_by_role("button", name="Add a step").click()
    sheet = page.get_by_role("dialog", name="Add a step")
    expect(sheet).to_contain_text("People who share Koi pond")
    inspect(owner, "chain-add")
    sheet.get_by_role("button", name=re.compile(r"^wim\.chain")).click()
    asks = page.get_by_role("dialog", name="wim.chain")
    expect(asks).to_contain_text("wim.chain has not agreed yet")
    inspect(owner, "chain-step")
    expect(steps(page)).to_have_count(1)
    with saved(page):
        close(page)
    expect(steps(page)).to_have_count(2)
    expect(steps(page).nth(1)).to_contain_text(re.compile(r"10 min.*wim\.chain.*has not agreed yet"))
    require(WATCHER not in page.content(), "a chain shows an address")
    inspect(owner, "chain")
    seen("a step of a chain")


def minutes(owner):
    """Minutes are set by the usual ones, by fives, and typed; others are refused at once."""
    page = owner.page
    steps(page).nth(1).get_by_role("button").click()
    sheet = page.get_by_role("dialog", name="wim.chain")
    field = sheet.get_by_role("textbox", name="Minutes since the alarm")
    with saved(page):
        sheet.get_by_role("button", name="30 min", exact=True).click()
    expect(field).to_have_value("30")
    with saved(page):
        sheet.get_by_role("button", name="Five minutes later").click()
    expect(field).to_have_value("35")
    field.fill("500")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(sheet.get_by_text("From 1 to 240 minutes.")).to_be_visible()
    inspect(owner, "chain-step-fault")
    with saved(page):
        field.fill("1")
        field.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps(page).nth(1)).to_contain_text("1 min")
    page.reload()
    expect(steps(page).nth(1)).to_contain_text(re.compile(r"1 min.*wim\.chain"))
    expect(open_device(page)).to_contain_text("wim.chain after 1 min")
    open_chain(page)
    seen("the minutes of a step")


def asked(watcher):
    """The question stands on the home screen until it is answered in the settings."""
    page = watcher.page
    page.get_by_role("link", name="Water", exact=True).click()
    notice = page.get_by_role("link", name="olga.chain asks whether Koi pond may alert you too")
    expect(notice).to_be_visible()
    inspect(watcher, "home-asked")
    notice.click()
    expect(page.locator("h1")).to_have_text("Settings")
    row = page.get_by_role("button", name=re.compile(r"^olga\.chain"))
    expect(row).to_contain_text("Not answered yet")
    inspect(watcher, "settings-calls")
    row.click()
    sheet = page.get_by_role("dialog", name="May olga.chain's alarms reach you?")
    expect(sheet).to_contain_text("within 1 min")
    inspect(watcher, "settings-call")
    with page.expect_response(lambda answer: "/calls/" in answer.url and answer.request.method == "PUT" and answer.ok):
        sheet.get_by_role("button", name="At all hours").click()
    expect(row).to_contain_text("At all hours")
    page.get_by_role("link", name="Water", exact=True).click()
    expect(page.locator("h1")).to_be_visible()
    expect(notice).to_have_count(0)
    seen("whether somebody's alarms may come")


def agreed(owner):
    page = owner.page
    page.reload()
    expect(steps(page).nth(1)).to_contain_text("also in quiet hours")
    seen("what a person agreed to")


def own_way(owner):
    """A way of one's own that is a step is told at once all the same while nothing else can be told."""
    page = owner.page
    page.get_by_role("button", name="Add a step").click()
    sheet = page.get_by_role("dialog", name="Add a step")
    expect(sheet).to_contain_text("A way that is a step is told only then, no longer at once.")
    sheet.get_by_role("button", name=re.compile("^Email")).click()
    expect(page.get_by_role("dialog")).to_contain_text("It is told at once as well, since nothing else can be told.")
    with saved(page):
        close(page)
    expect(steps(page).nth(2)).to_contain_text(re.compile("11 min.*Email.*at once as well"))
    expect(steps(page).first).to_contain_text("Email: at once, since nothing else can be told")
    steps(page).nth(2).get_by_role("button").click()
    with saved(page):
        page.get_by_role("button", name="Remove from the chain").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps(page)).to_have_count(2)
    seen("a way of one's own as a step")


def rehearsed(owner):
    """A rehearsal says who would be told tonight; nothing rings."""
    page = owner.page
    page.get_by_role("button", name="Rehearse without ringing").click()
    sheet = page.get_by_role("dialog", name="Tonight at 03:00")
    expect(sheet).to_contain_text(re.compile(r"03:00.*You.*03:01.*wim\.chain.*told", re.DOTALL))
    inspect(owner, "chain-rehearsal")
    close(page)
    seen("a rehearsal")


def large_text(owner):
    """Text twice as large makes nothing too wide."""
    page = owner.page
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    require_narrow(page, "a chain in large text")
    photograph(page, "chain-large")
    page.evaluate("document.documentElement.style.removeProperty('font-size')")


def languages(owner):
    page = owner.page
    for name, language in (("Deutsch", "de"), ("Español", "es"), ("日本語", "ja"), ("English", "en")):
        page.evaluate("navigation.navigate('/settings').finished.then(() => null)")
        page.locator("button.row").filter(has=page.locator(".symbol-globe")).click()
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.evaluate(f"navigation.navigate('{PATH}').finished.then(() => null)")
        expect(steps(page)).to_have_count(2)
        inspect(owner, f"chain-{language}")
    seen("a chain in each language")


def without_connection(owner):
    """A change without a connection is refused, and the chain that holds is shown again."""
    page = owner.page
    owner.allowed.append(r"ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED")
    owner.context.set_offline(True)
    steps(page).nth(1).get_by_role("button").click()
    page.get_by_role("button", name="Remove from the chain").click()
    expect(page.get_by_text("This device is offline. Nothing was changed.")).to_be_visible()
    expect(steps(page)).to_have_count(2)
    owner.context.set_offline(False)
    page.reload()
    expect(steps(page)).to_have_count(2)
    seen("a chain without a connection")


def called(owner, watcher):
    """A minute after an alarm that nobody answers the other one is called, whose own limits are wider, and is on it."""
    publish(DEVICE, temperature=26.0)
    owner.page.get_by_role("link", name="Water", exact=True).click()
    expect(owner.page.locator("h1")).to_have_text("Temperature is high")
    owner.page.get_by_role("link", name=re.compile("^Alerts")).click()
    owner.page.get_by_role("link", name=re.compile("Temperature is high")).click()
    expect(told(owner)).to_contain_text("Next: wim.chain")
    inspect(owner, "alert-next")
    page = watcher.page
    page.get_by_role("link", name=re.compile("^Alerts")).click()
    row = page.get_by_role("link", name=re.compile(r"Temperature is high.*olga\.chain's alarm"))
    expect(row).to_be_visible()
    expect(page.locator(".tab-badge")).to_have_text("1")
    inspect(watcher, "alerts-called")
    row.click()
    expect(page.get_by_text("olga.chain's maximum", exact=True)).to_be_visible()
    inspect(watcher, "alert-called")
    expect(told(owner)).to_contain_text(re.compile(r"wim\.chain.*told"))
    page.get_by_role("button", name="I'm on it").click()
    expect(page.locator(".on-it")).to_contain_text("You are on it")
    expect(owner.page.locator(".on-it")).to_contain_text("wim.chain is on it since")
    expect(told(owner)).to_contain_text("Stopped until")
    inspect(owner, "alert-calls")
    seen("whoever is called is on it")


def answered(owner):
    """The chain says who answered, and how long it took."""
    open_chain(owner.page)
    expect(owner.page.get_by_text(re.compile(r"^wim\.chain answered after"))).to_be_visible()
    expect(owner.page.get_by_text(re.compile("^Temperature high · Today"))).to_be_visible()
    inspect(owner, "chain-last")
    seen("who answered the last time")


def removed(owner):
    page = owner.page
    steps(page).nth(1).get_by_role("button").click()
    with saved(page):
        page.get_by_role("button", name="Remove from the chain").click()
    expect(steps(page)).to_have_count(1)
    expect(open_device(page)).to_contain_text("Nobody else is told")
    seen("the end of a chain")
