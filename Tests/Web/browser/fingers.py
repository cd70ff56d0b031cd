"""Fingers on a page, through the browser's own protocol: events go the way that those of a touch screen go."""


class Fingers:
    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.places = []

    def down(self, *places):
        """One finger after the other."""
        for place in places:
            self.places.append(place)
            self.send("touchStart")

    def move(self, *goals, steps=8):
        """All fingers at once, in a straight line each."""
        starts = self.places
        for step in range(1, steps + 1):
            self.places = [
                tuple(start + (goal - start) * step / steps for start, goal in zip(*pair)) for pair in zip(starts, goals)
            ]
            self.send("touchMove")
            self.page.wait_for_timeout(20)

    def up(self):
        self.places = []
        self.send("touchEnd")

    def lose(self):
        """The system takes the fingers away, as when a call comes in."""
        self.places = []
        self.send("touchCancel")

    def send(self, kind):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(self.places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle(locator, down=0.5):
    """Where a finger touches something, `down` of its height below its top."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * down
