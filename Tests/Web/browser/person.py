"""What every person does."""

import re

from playwright.sync_api import expect

from asking import ask, mail

PASSWORD = "a quiet pond at four"


def sign_up(watched, origin, email, password=PASSWORD):
    watched.page.goto(f"{origin}/sign-up")
    fill_sign_up(watched, email, password)
    expect(watched.page.locator("h1")).to_have_text("No device yet")


def fill_sign_up(watched, email, password=PASSWORD):
    page = watched.page
    page.get_by_label("Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign up").click()


def sign_in(watched, origin, email, password=PASSWORD):
    """Until the screen of signing in is gone: what comes next looks at another one."""
    fill_sign_in(watched, origin, email, password)
    # By its field: the button has another name while it waits.
    expect(watched.page.locator("input[type=password]")).to_have_count(0)


def fill_sign_in(watched, origin, email, password=PASSWORD):
    page = watched.page
    page.goto(f"{origin}/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def link(watched, code, name):
    page = watched.page
    page.get_by_role("link", name="Link a device").first.click()
    expect(page.locator("h1")).to_have_text("Link a device")
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_label("Name").fill(name)
    keep(page)
    page.get_by_role("button", name="Link", exact=True).click()
    pass_questions(page)
    expect(page.locator("h1")).to_have_text("Linked")


def pass_questions(page):
    """Right after linking: what is asked about the water is not answered now."""
    expect(page.locator("h1")).to_have_text("What lives in it?")
    page.get_by_role("button", name="Skip", exact=True).click()


def keep(page, name="Cool pond, a little salt"):
    """Says what lives in the water that is being linked."""
    page.get_by_role("button", name=re.compile("^What lives in it")).click()
    page.get_by_role("dialog").get_by_role("button", name=name).click()


def open_account(page):
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Account").click()
    expect(page.locator("h1")).to_have_text("Account")


def open_parameter(page, device, parameter, title):
    """By the app's own way, without loading everything again."""
    page.evaluate(f"navigation.navigate('/settings/{device}/{parameter}')")
    expect(page.locator("h1")).to_have_text(title)


def pick(page, bound, text):
    """Picks a limit by typing its digits."""
    page.get_by_role("button", name=bound).click()
    wheel = page.get_by_role("listbox", name=bound)
    expect(wheel).to_be_focused()
    for key in text:
        page.keyboard.press(key)
    expect(page.get_by_role("option", selected=True)).to_contain_text(text)


def test_way(page):
    """A test to the way on the screen, which its server takes."""
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_text(re.compile(r"Its server took the test after [\d.]+ s\."))).to_be_visible()


def add_mail(watched, email):
    """Alerts go to the account's address, which a code has proven."""
    page = watched.page
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("button", name="Add a way").click()
    ways = page.get_by_role("dialog").get_by_role("listitem")
    expect(ways.first).to_contain_text("Email")
    ways.first.get_by_role("button").click()
    page.get_by_role("dialog", name="Email").get_by_role("button", name="Send me a code").click()
    code = page.get_by_role("dialog").get_by_label("Code")
    code.fill(re.search(r"\b\d{6}\b", mail(email)).group())
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Alerts go to {email} now.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def add_webhook(page, path, look=lambda: None):
    """A receiver that proves itself, from the page of notifications; `look` sees its secret, which is shown this once.

    Returns the secret.
    """
    ask("challenged")
    page.get_by_role("button", name="Add a way").click()
    page.get_by_role("dialog").get_by_role("button", name="Webhook").click()
    page.get_by_role("dialog", name="Webhook").get_by_label("Web address").fill(ask("webhook", path))
    page.keyboard.press("Enter")
    secret = page.locator(".secret")
    expect(secret).to_be_visible()
    text = secret.inner_text()
    look()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    return text
