"""The operator's own map, from its file to a phone without a connection: the Gateway serves it, an area is saved, and the service worker shows it."""

import os
import tempfile

from playwright.sync_api import expect

from asking import ask, new_device
from atlas import DEEPEST, write
from inspection import true_in
from person import link, sign_up
from walks.places import COVERED, open_map, place
from watched import Watched, require, seen


def walk(browser, _):
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "world.pmtiles")
        write(file)
        # Programs of the service may run as another user.
        os.chmod(directory, 0o755)
        watched = Watched(browser)
        elsewhere = []
        origin = ask("atlas", file)
        watched.page.on("request", lambda request: request.url.startswith((origin, "blob:", "data:")) or elsewhere.append(request.url))
        sign_up(watched, origin, "runa@example.org")
        watched.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        true_in(watched.page, "navigator.serviceWorker.controller !== null")
        link(watched, new_device("atlas-tank"), "Danube pond")
        place(watched)
        served(watched)
        saved(watched)
        away(watched, origin)
        require(not elsewhere, f"the app asks {elsewhere}")


def served(watched):
    page = watched.page
    open_map(page)
    true_in(page, COVERED)
    expect(page.get_by_role("link", name="© Map contributors")).to_have_attribute("href", "https://map.example/copyright")
    levels = page.locator(".map-tile").evaluate_all("(tiles) => tiles.map((tile) => Number(new URL(tile.src).pathname.split('/')[2]))")
    require(set(levels) == {DEEPEST}, f"the last level is enlarged: {levels}")
    seen("the map of the service's own")


def saved(watched):
    page = watched.page
    page.get_by_role("button", name="Save this area").click()
    page.get_by_role("button", name="Save it").click()
    page.wait_for_url("**/saved-maps")
    expect(page.locator(".area")).to_contain_text("saved on")
    seen("an area is saved")


def away(watched, origin):
    page = watched.page
    watched.allowed.append(r"ERR_|Failed to load")
    watched.context.set_offline(True)
    # What a page writes as it is left is there for the next one, though the next one does not wait for it.
    page.goto("about:blank")
    page.goto(f"{origin}/devices/chart")
    expect(page.get_by_text("this service's own")).to_be_visible()
    true_in(page, COVERED)
    watched.context.set_offline(False)
    seen("the map without a connection")
