"""A service that keeps a journal, as strict as its API is documented: entries and photos have the ids that the app chose, what is sent twice
counts once, a change names the version it knows, and a photo carries nothing that its camera wrote."""

import base64
import json
import re
import struct

from many import Service, at

ENTRY = r"/devices/(?P<device>[\w-]+)/journal/(?P<entry>[0-9a-f-]{36})"
PHOTO = ENTRY + r"/photos/(?P<photo>[0-9a-f-]{36})(?P<small>/small)?"
LEFT = r"/former-tanks/(?P<source>\w+)/(?P<left>[0-9a-f-]{36})(?P<picture>/picture)?"
ITEM = r"/devices/(?P<device>[\w-]+)/(?P<sort>livestock|equipment)/(?P<item>[0-9a-f-]{36})"
KINDS = {"waterChanged", "fed", "dosed", "cleaned", "added", "died", "moved", "note"}
UNITS = {"percent", "litre", "gram", "millilitre", "drop", "tablet", None}
NEEDS_SUBJECT = {"dosed", "added", "died", "moved"}
COUNTED = {"added", "died", "moved"}
ITEM_MEMBERS = {
    "livestock": {"species", "count", "since", "until", "note"}, "equipment": {"name", "kind", "since", "until", "note"},
}  # fmt: skip
MEMBERS = {"kind", "at", "amount", "unit", "subject", "count", "text"}
PAGE = 50
ME = {"id": "1", "name": "Mika", "isMe": True}
ANA = {"id": "2", "name": "Ana", "isMe": False}


class Book(Service):
    def __init__(self, tanks):
        super().__init__(tanks)
        self.entries = {}
        self.photos = {}  # id: {"type", "large", "small"}
        self.items = {"livestock": {}, "equipment": {}}
        self.puts = []  # every request that changed something, as it came
        self.refuses = None  # a text: why no entry is taken
        self.left = []  # what the person left in former tanks

    def write(self, device, kind, seconds, by=ME, photos=(), **more):
        """An entry from before, `seconds` ago."""
        number = f"00000000-0000-4000-8000-{len(self.entries):012}"
        blank = {"amount": None, "unit": None, "subject": None, "count": None, "text": None}
        self.entries[number] = {
            **blank, "id": number, "device": device, "kind": kind, "at": at(-seconds), "photos": list(photos), "by": by, "version": 1, **more,
        }  # fmt: skip
        return number

    def raw(self, method, path, query, headers, body):
        if method == "GET" and path == "/journal":
            return self.listed(query)
        if found := re.fullmatch(PHOTO, path):
            return self.photo(method, query, headers, body, **found.groupdict())
        if found := re.fullmatch(ENTRY, path):
            return self.entry(method, headers, body, **found.groupdict())
        if path == "/former-tanks":
            return answered(200, {"items": self.left, "next": None})
        if found := re.fullmatch(LEFT, path):
            return self.former(method, **found.groupdict())
        if found := re.fullmatch(ITEM, path):
            return self.item(method, headers, body, **found.groupdict())
        if re.fullmatch(r"/devices/[\w-]+/inventory", path):
            return answered(200, {sort: list(items.values()) for sort, items in self.items.items()})
        return None

    def leave(self, source, words, seconds):
        number = f"00000000-0000-4000-9000-{len(self.left):012}"
        self.left.append({"source": source, "id": number, "device": "old-pond", "at": at(-seconds), "words": words})

    def former(self, method, source, left, picture):
        found = next((one for one in self.left if (one["source"], one["id"]) == (source, left)), None)
        if not found or (picture and source != "photo"):
            return refused(404, "not-found", "There is none.")
        if picture:
            return 200, "image/jpeg", next(kept["large"] for kept in self.photos.values() if kept.get("large"))
        self.left.remove(found)
        return answered(204, None)

    def listed(self, query):
        wanted = {key: query.get(key, [None])[0] for key in ("device", "kinds", "before", "limit")}
        kinds = wanted["kinds"].split(",") if wanted["kinds"] else None
        found = sorted(self.entries.values(), key=lambda entry: (entry["at"], entry["id"]), reverse=True)
        found = [
            entry for entry in found
            if wanted["device"] in (None, entry["device"]) and (kinds is None or entry["kind"] in kinds)
        ]
        begin = int(wanted["before"] or 0)
        end = begin + min(PAGE, int(wanted["limit"] or PAGE))
        return answered(200, {"items": found[begin:end], "next": str(end) if end < len(found) else None})

    def entry(self, method, headers, body, device, entry):
        had = self.entries.get(entry)
        if method == "DELETE":
            self.puts.append(("DELETE", entry, None))
            return answered(204 if self.entries.pop(entry, None) else 404, {})
        content = json.loads(body)
        self.puts.append(("PUT", entry, content))
        if self.refuses:
            return refused(422, "unprocessable", self.refuses)
        strange = content.keys() ^ MEMBERS
        kind, subject, count = content["kind"], content["subject"], content["count"]
        if kind in NEEDS_SUBJECT and not subject or kind in ("waterChanged", "note") and subject or count and kind not in COUNTED:
            return refused(422, "unprocessable", f"{kind} of {subject}, {count}")
        if strange or content["kind"] not in KINDS or content["unit"] not in UNITS:
            return refused(422, "unprocessable", f"{strange} {content}")
        if had and all(had[key] == content[key] for key in MEMBERS):
            return answered(200, had)
        if had and headers.get("If-Match") != f'"v{had["version"]}"' or not had and headers.get("If-Match"):
            return refused(412, "changed-elsewhere", "Somebody else changed it.")
        version = had["version"] + 1 if had else 1
        self.entries[entry] = {
            **content, "id": entry, "device": device, "photos": had["photos"] if had else [], "by": ME, "version": version,
        }  # fmt: skip
        return answered(200 if had else 201, self.entries[entry])

    def photo(self, method, query, headers, body, device, entry, photo, small):
        if entry not in self.entries:
            return refused(404, "not-found", "There is no such entry.")
        photos = self.entries[entry]["photos"]
        if method == "GET":
            kept = self.photos.get(photo, {})
            contents = kept.get("small" if query.get("size") == ["small"] else "large")
            allowed = headers.get("Authorization", "").startswith("Bearer ")
            return (200, "image/jpeg", contents) if contents and allowed else refused(404, "not-found", "")
        if method == "DELETE":
            self.puts.append(("DELETE", photo, None))
            self.entries[entry]["photos"] = [one for one in photos if one["id"] != photo]
            return answered(204, {})
        size = "small" if small else "large"
        self.puts.append(("PUT", photo, size))
        found, words = jpeg(body)
        most, side = (40_000, 320) if small else (300_000, 1_600)
        if headers["Content-Type"] != "image/jpeg" or len(body) > most or max(found) > side or words:
            return refused(422, "unprocessable", f"{len(body)} bytes, {found}, {words}")
        if small and photo not in self.photos:
            return refused(404, "not-found", "There is no such photo.")
        self.photos.setdefault(photo, {})[size] = body
        if not small and photo not in [one["id"] for one in photos]:
            width, height = found
            photos.append({"id": photo, "type": "image/jpeg", "width": width, "height": height, "bytes": len(body)})
        return answered(201, {})

    def item(self, method, headers, body, device, sort, item):
        items = self.items[sort]
        if method == "DELETE":
            return answered(204 if items.pop(item, None) else 404, {})
        had = items.get(item)
        content = json.loads(body)
        is_said = isinstance(content.get("count"), int) if sort == "livestock" else re.fullmatch("[a-zA-Z]+", content.get("kind") or "")
        if content.keys() != ITEM_MEMBERS[sort] or not is_said:
            return refused(422, "unprocessable", f"{content}")
        if had and headers.get("If-Match") != f'"v{had["version"]}"':
            return refused(412, "changed-elsewhere", "Somebody else changed it.")
        items[item] = {**content, "id": item, "version": had["version"] + 1 if had else 1}
        return answered(200 if had else 201, items[item])


def answered(status, content):
    return (status, "text/plain", b"") if status == 204 else (status, "application/json", json.dumps(content).encode())


def refused(status, code, detail):
    problem = {"type": "about:blank", "title": code, "status": status, "code": code, "detail": detail}
    return status, "application/problem+json", json.dumps(problem).encode()


def jpeg(contents):
    """Width and height of a JPEG, and the names of the segments in which cameras write what they know (ITU-T T.81, annex B)."""
    if contents[:2] != b"\xff\xd8" or contents[-2:] != b"\xff\xd9":
        raise ValueError("no JPEG")
    place, size, words = 2, None, []
    while contents[place + 1] != 0xDA:
        marker, length = contents[place + 1], int.from_bytes(contents[place + 2 : place + 4])
        if marker in (0xE1, 0xED, 0xFE):
            words.append(f"{marker:x}")
        if marker in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack(">HH", contents[place + 5 : place + 9])
            size = (width, height)
        place += 2 + length
    return size, words


def picture(page, width, height, orientation=1):
    """A photo as a camera writes it: what it is turned by stands in its EXIF. Its left half is of one colour, the rest is noise."""
    drawn = page.evaluate(
        """([width, height]) => {
            const canvas = Object.assign(document.createElement('canvas'), { width, height });
            const paper = canvas.getContext('2d');
            const noise = paper.createImageData(width, height);
            let seed = 7;
            for (let place = 0; place < noise.data.length; place += 4) {
                seed = (seed * 1103515245 + 12345) % 2147483648;
                noise.data.set([seed >> 8 & 255, seed >> 12 & 255, seed >> 16 & 255, 255], place);
            }
            paper.putImageData(noise, 0, 0);
            paper.fillStyle = 'rgb(56 110 120)';
            paper.fillRect(0, 0, width / 2, height);
            return canvas.toDataURL('image/jpeg', 0.95).split(',')[1];
        }""",
        [width, height],
    )
    contents = base64.b64decode(drawn)
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    exif = b"Exif\0\0MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + b"\0\0\0\0"
    return contents[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + contents[2:]


def colour(page, contents, x, y):
    """A point of a picture, as a browser sees it."""
    return page.evaluate(
        """async ([contents, x, y]) => {
            const bytes = Uint8Array.from(atob(contents), (letter) => letter.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
            const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
            const paper = canvas.getContext('2d');
            paper.drawImage(bitmap, 0, 0);
            return [...paper.getImageData(x, y, 1, 1).data];
        }""",
        [base64.b64encode(contents).decode(), x, y],
    )
