"""Mail: alerts by it, the end of them by its link, and a new password for whoever has forgotten theirs."""

import re

from playwright.sync_api import expect

from asking import mail
from inspection import inspect
from person import PASSWORD, fill_sign_in, sign_in, sign_up, test_way
from watched import Failed, Watched, require, seen

EMAIL = "mara@example.org"
NEXT = "three herons on one leg"


def walk(browser, origin):
    here, there = Watched(browser), Watched(browser)
    sign_up(here, origin, EMAIL)
    stop = add(here, origin)
    unsubscribe(here, there, origin, stop)
    reset = forgotten(there, origin)
    renewed(here, there, origin, reset)
    used(there, reset)
    # The new password that is set here signs them out there, whatever they ask for in that moment.
    there.allowed.append(r"401 ")
    meanwhile(here, origin)


def mailed_link(origin, path):
    """The link to a screen, a line of its own in the next mail that has one."""
    texts = []
    while len(texts) < 4:
        texts.append(mail(EMAIL))
        found = [line.strip() for line in texts[-1].splitlines() if line.strip().startswith(f"{origin}{path}#")]
        if found:
            require(len(found) == 1, f"links to {path}: {found}")
            return found[0]
    raise Failed(f"no link to {path} in {texts}")


def notifications(page):
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_role("button", name="Add a way")).to_be_visible()


def rows_of(page):
    return page.get_by_role("link", name=re.compile(r"^m…@example\.org"))


def add(watched, origin):
    """The account's own address stands there already; the code makes it a way, and a test comes with a link that ends it."""
    page = watched.page
    notifications(page)
    page.get_by_role("button", name="Add a way").click()
    ways = page.get_by_role("dialog").get_by_role("listitem")
    expect(ways.first).to_contain_text("Email")
    inspect(watched, "ways-mail")
    ways.first.get_by_role("button").click()
    sheet = page.get_by_role("dialog", name="Email")
    address = sheet.get_by_label("Email address")
    expect(address).to_have_value(EMAIL)
    watched.allowed.append(r"(400|422).*api/v1/endpoint-codes")
    address.fill("no address")
    sheet.get_by_role("button", name="Send me a code").click()
    expect(address).to_have_attribute("aria-invalid", "true")
    inspect(watched, "way-mail")
    address.fill(EMAIL)
    sheet.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"on its way to {EMAIL}")
    code = page.get_by_role("dialog").get_by_label("Code")
    code.fill(re.search(r"\b\d{6}\b", mail(EMAIL)).group())
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Alerts go to {EMAIL} now.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    rows_of(page).click()
    test_way(page)
    page.get_by_role("button", name="Back").click()
    expect(rows_of(page)).to_contain_text("Email · accepted")
    inspect(watched, "notifications-mail")
    stop = mailed_link(origin, "/unsubscribe")
    seen("alerts by mail")
    return stop


def unsubscribe(here, there, origin, stop):
    """Opening the link ends nothing, and its secret is not left in the address; the button ends it, also where nobody is signed in."""
    page = there.page
    page.goto(stop)
    expect(page.locator("h1")).to_have_text("Stop alerts by mail to this address?")
    require(page.url == f"{origin}/unsubscribe", page.url)
    inspect(there, "unsubscribe")
    here.page.reload()
    expect(rows_of(here.page)).to_be_visible()
    page.get_by_role("button", name="Stop these mails").click()
    expect(page.locator("h1")).to_have_text("No more alerts by mail")
    expect(page.locator("h1")).to_be_focused()
    inspect(there, "unsubscribed")
    here.page.reload()
    expect(here.page.get_by_role("button", name="Add a way")).to_be_visible()
    expect(rows_of(here.page)).to_have_count(0)
    # The same again, by somebody who is signed in.
    here.page.goto(stop)
    here.page.get_by_role("button", name="Stop these mails").click()
    expect(here.page.locator("h1")).to_have_text("No more alerts by mail")
    here.page.get_by_role("link", name="To the notifications").click()
    expect(here.page.get_by_role("button", name="Add a way")).to_be_visible()
    there.allowed.append(r"404.*api/v1/unsubscriptions")
    # Pasted over the other: the page stays.
    page.goto(f"{stop[:-4]}AAAA")
    page.get_by_role("button", name="Stop these mails").click()
    expect(page.get_by_text("This link is not known here.")).to_be_visible()
    seen("the end of alerts by mail")


def forgotten(watched, origin):
    """From signing in, with what was typed there; the same is said of an address without an account."""
    page = watched.page
    watched.allowed.append(r"401.*api/v1/sessions")
    fill_sign_in(watched, origin, EMAIL, "not my password at all")
    expect(page.get_by_text("Forgotten? Set a new one by mail.")).to_be_visible()
    inspect(watched, "sign-in-mail")
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.locator("h1")).to_have_text("Forgot your password?")
    address = page.get_by_label("Email")
    expect(address).to_have_value(EMAIL)
    inspect(watched, "forgot-password")
    for asked in ("nobody@example.org", EMAIL):
        address.fill(asked)
        page.get_by_role("button", name="Send the link").click()
        expect(page.locator("h1")).to_have_text("Look at your mail")
        expect(page.get_by_text(f"If there is an account for {asked}, a mail is on its way.")).to_be_visible()
        if asked != EMAIL:
            page.get_by_role("button", name="Send it again").click()
            expect(address).to_have_value(asked)
    inspect(watched, "forgot-password-sent")
    reset = mailed_link(origin, "/reset-password")
    seen("the link for a new password")
    return reset


def renewed(here, there, origin, reset):
    """The password is set where nobody is signed in; everybody of the person is signed out by it."""
    page = there.page
    page.goto(reset)
    expect(page.locator("h1")).to_have_text("Set a new password")
    require(page.url == f"{origin}/reset-password", page.url)
    password = page.get_by_role("textbox", name="New password")
    there.allowed.append(r"(400|422).*api/v1/password-resets")
    password.fill("too short")
    page.get_by_role("button", name="Set the password").click()
    expect(password).to_have_attribute("aria-invalid", "true")
    inspect(there, "reset-password")
    # The link is still there in another language.
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text("Neues Passwort setzen")
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Set a new password")
    here.allowed.append(r"401 ")
    password.fill(NEXT)
    page.get_by_role("button", name="Set the password").click()
    expect(page.locator("h1")).to_have_text("The new password is set")
    inspect(there, "reset-password-done")
    expect(here.page.locator("h1")).to_have_text("AquaMonitor")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("textbox", name="Password")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("textbox", name="Password").fill(NEXT)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("No device yet")
    sign_in(here, origin, EMAIL, NEXT)
    expect(here.page.locator("h1")).to_have_text("No device yet")
    seen("a new password")


def used(watched, reset):
    """A link works once, and then leads to the next one, also for somebody who is signed in and stays so."""
    page = watched.page
    page.goto(reset)
    page.get_by_role("textbox", name="New password").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("link", name="Have a new link sent")).to_be_visible()
    inspect(watched, "reset-password-over")
    page.get_by_role("link", name="Have a new link sent").click()
    expect(page.locator("h1")).to_have_text("Forgot your password?")
    seen("a link that is over")


def meanwhile(watched, origin):
    """Whoever is signed in where they set it is signed out there too; a link that is pasted over a cut one is followed."""
    page = watched.page
    page.goto(f"{origin}/forgot-password")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_role("button", name="Send the link").click()
    expect(page.locator("h1")).to_have_text("Look at your mail")
    reset = mailed_link(origin, "/reset-password")
    page.goto(f"{origin}/reset-password")
    expect(page.get_by_text("The link is incomplete.")).to_be_visible()
    page.goto(reset)
    page.get_by_role("textbox", name="New password").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    expect(page.locator("h1")).to_have_text("The new password is set")
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    require("aqua-session" not in kept, f"somebody seems to be signed in: {kept}")
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in(watched, origin, EMAIL)
    expect(page.locator("h1")).to_have_text("No device yet")
    seen("signed out by one's own new password")
