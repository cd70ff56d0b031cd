"""Ways for alerts: added once they prove themselves, tested, given a new secret, removed."""

import re

from playwright.sync_api import expect

from asking import ask, received, until
from inspection import inspect
from person import add_webhook, sign_up, test_way
from watched import Watched, require, seen

PATH = "/hook-of-hugo"


def walk(browser, origin):
    watched = Watched(browser)
    page = watched.page
    sign_up(watched, origin, "hugo@example.org")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    refused(watched)
    add(watched)
    shape(watched)
    test(watched)
    rotate(watched)
    remove(watched)
    by_code(watched)
    bridge(browser, origin)


def row(page, proof):
    """The row of a way with this proof."""
    return page.get_by_role("link", name=re.compile(f" · {proof}"))


def refused(watched):
    """What cannot be told anything is refused in words, and what was typed stays."""
    page = watched.page
    page.get_by_role("button", name="Add a way").click()
    page.get_by_role("dialog").get_by_role("button", name="Webhook").click()
    sheet = page.get_by_role("dialog", name="Webhook")
    field = sheet.get_by_label("Web address")
    watched.allowed.append(r"(400|409|422|502).*api/v1/endpoints")
    for wrong in ("not an address", "https://169.254.169.254/latest", ask("webhook", "/unproven")):
        field.fill(wrong)
        sheet.get_by_role("button", name="Add").click()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(wrong)
        expect(field).to_be_focused()
        field.fill("")
    inspect(watched, "webhook-refused")
    page.get_by_role("button", name="Close").click()


def add(watched):
    page = watched.page
    watched.secret = add_webhook(page, PATH, lambda: inspect(watched, "webhook-secret"))
    expect(row(page, "not tested yet")).to_be_visible()
    require(watched.secret not in page.content(), "the secret is still in the page")
    require(any("challenge" in str(body) for body in received(PATH)), "no challenge was sent")
    seen("an address that proved itself")


def shape(watched):
    """The messages get a form of the person's own; what is wrong with it is said beside it, and a preview stands beneath."""
    page = watched.page
    row(page, "not tested yet").click()
    page.get_by_role("button", name="Message format").click()
    sheet = page.get_by_role("dialog", name="Message format")
    sheet.get_by_role("button", name="A text of your own").click()
    field = sheet.get_by_label("Template", exact=True)
    watched.allowed.append(r"422.*api/v1/webhook-previews")
    field.fill('{"text": {{titel}}}')
    expect(sheet.get_by_text("Line 1: titel is no name here.")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    inspect(watched, "webhook-form-refused")
    field.fill('{"own": {{title}}}')
    expect(sheet.get_by_text('"own":')).to_be_visible()
    inspect(watched, "webhook-form")
    sheet.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Back").click()
    seen("a form of one's own")


def test(watched):
    page = watched.page
    row(page, "not tested yet").click()
    expect(page.get_by_text("Nothing was sent there in the last 7 days.")).not_to_have_count(0)
    inspect(watched, "endpoint")
    test_way(page)
    told = until("the test's message", lambda: [body for body in received(PATH) if "challenge" not in str(body)])
    require(list(told[-1]) == ["own"], f"not in the form that was chosen: {told}")
    expect(page.get_by_text("Alerts are accepted")).to_be_visible()
    expect(page.get_by_role("img", name="Last 7 days: 1 taken, 0 not taken.")).to_be_visible()
    expect(page.locator(".way-bar").last).to_have_class(re.compile("way-bar-taken"))
    page.get_by_role("button", name="Back").click()
    expect(page.locator("h1")).to_have_text("Alerts reach you")
    expect(row(page, "accepted")).to_be_visible()
    together(watched)
    page.get_by_role("link", name="Alerts").click()
    expect(page.get_by_role("link", name=re.compile("Test")).first).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    seen("a test that arrived")


def together(watched):
    """A test to all ways has a page of its own."""
    page = watched.page
    page.get_by_role("button", name="Send a test").click()
    expect(page.locator(".told > li")).to_have_count(1)
    expect(page.locator(".told > li")).to_contain_text("accepted by its server")
    expect(page.locator("header")).to_contain_text("1 of 1 took it")
    page.get_by_role("button", name="Test again").click()
    expect(page.locator(".told > li")).to_contain_text("accepted by its server")
    seen("a test to all ways there are")


def rotate(watched):
    page = watched.page
    row(page, "accepted").click()
    page.get_by_role("button", name="New secret").click()
    secret = page.locator(".secret")
    expect(secret).to_be_visible()
    require(secret.inner_text() != watched.secret, "the secret is the former one")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    seen("a new secret")


def remove(watched):
    page = watched.page
    page.get_by_role("button", name="Remove").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("No more alerts go there.")
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Remove").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(page.locator("h1")).to_have_text("Nothing reaches you")
    expect(row(page, "accepted")).to_have_count(0)
    expect(page.get_by_role("button", name="Add a way")).to_be_visible()
    seen("an address removed")


def by_code(watched):
    """A service that brings messages: what is wrong is said beside its field, and the code makes it a way."""
    page = watched.page
    page.get_by_role("button", name="Add a way").click()
    ways = page.get_by_role("dialog")
    expect(ways.get_by_role("button", name="Telegram")).to_be_visible()
    inspect(watched, "ways")
    ways.get_by_role("button", name="ntfy").click()
    sheet = page.get_by_role("dialog", name="ntfy")
    topic = sheet.get_by_label("Topic")
    watched.allowed.append(r"(400|409|422|502).*api/v1/(endpoint-codes|messaging-endpoints)")
    topic.fill("no blanks here")
    sheet.get_by_role("button", name="Send me a code").click()
    expect(topic).to_have_attribute("aria-invalid", "true")
    inspect(watched, "way-refused")
    topic.fill("pond-of-hugo")
    sheet.get_by_label("Server").fill(ask("webhook", "/"))
    sheet.get_by_role("button", name="Send me a code").click()
    code = page.get_by_role("dialog").get_by_label("Code")
    expect(code).to_be_visible()
    message = until("a code", lambda: [body for body in received("/") if body.get("topic") == "pond-of-hugo"])[-1]
    digits = re.search(r"\d{6}", message["title"]).group()
    code.fill(f"{(int(digits) + 1) % 1000000:06}")
    page.keyboard.press("Enter")
    expect(code).to_be_visible()
    expect(page.get_by_text("This is not the code")).to_be_visible()
    inspect(watched, "way-code")
    code.fill(digits)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    row(page, "not tested yet").click()
    expect(page.locator("h1")).to_have_text("ntfy")
    test_way(page)
    until("the test's message", lambda: [body for body in received("/") if body.get("click", "").find("/alerts/") > 0])
    seen("a service that brings messages")


def bridge(browser, origin):
    """A receiver of others answers no challenge, and counts by the code that it shows. So many tries are another person's."""
    watched = Watched(browser)
    page = watched.page
    sign_up(watched, origin, "ida@example.org")
    watched.allowed.append(r"422.*api/v1/endpoints")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("button", name="Add a way").click()
    page.get_by_role("dialog").get_by_role("button", name="Webhook").click()
    sheet = page.get_by_role("dialog", name="Webhook")
    sheet.get_by_role("button", name="Alertmanager").click()
    sheet.get_by_label("Web address").fill(ask("webhook", "/unproven"))
    sheet.get_by_role("button", name="Add").click()
    expect(sheet.get_by_text("a code proves it as well")).to_be_visible()
    inspect(watched, "webhook-code-offered")
    sheet.get_by_role("button", name="Send me a code").click()
    code = page.get_by_role("dialog").get_by_label("Code")
    expect(code).to_be_visible()
    message = until("a code", lambda: [body for body in received("/unproven") if "alerts" in body])[-1]
    code.fill(re.search(r"\d{6}", message["alerts"][0]["annotations"]["summary"]).group())
    page.keyboard.press("Enter")
    expect(page.locator(".secret")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(row(page, "not tested yet")).to_be_visible()
    seen("a receiver of others, by its code")
