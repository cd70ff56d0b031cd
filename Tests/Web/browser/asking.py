"""What a walk asks its test for: the world around the browser."""

import collections
import itertools
import json
import os
import pathlib
import time

from watched import PATIENCE, Failed

_numbers = itertools.count(1)


def ask(*request):
    """Asks for something, and waits for the answer."""
    number = next(_numbers)
    print("ask", number, json.dumps([str(part) for part in request]), flush=True)
    answer = pathlib.Path(os.environ["AQUA_ANSWERS"], str(number))
    deadline = time.monotonic() + PATIENCE / 1000
    while not answer.exists():
        if time.monotonic() > deadline:
            raise Failed(f"no answer to {request}")
        time.sleep(0.02)
    return answer.read_text()


def new_device(name):
    """A device that belongs to nobody, and the code that links it."""
    return ask("device", name)


def publish(device, age=0, **values):
    """A message of a probe, measured `age` seconds ago."""
    publish_all(device, [(age, values)])


def publish_all(device, messages):
    ask("publish", device, *(f"{age} {json.dumps(values)[1:-1]}" for age, values in messages))


def report(device, **probes):
    """What Tasmota says of its temperature probes, by their Ids."""
    members = {f"DS18B20-{n}": {"Id": id, "Temperature": value} for n, (id, value) in enumerate(probes.items(), 1)}
    ask("report", device, json.dumps({**members, "TempUnit": "C"}))


def received(path):
    """The bodies that came to a path of the receiver of webhooks."""
    return [json.loads(body) for body in json.loads(ask("received", path))]


_mails = collections.Counter()


def mail(address):
    """The text of the next mail to an address."""
    _mails[address] += 1
    return ask("mail", address, _mails[address])


def until(what, fact):
    """Waits for a fact outside of the browser: most come within the first hundredths of a second, a busy machine's are asked for less often."""
    deadline = time.monotonic() + PATIENCE / 1000
    pause = 0.01
    while not (found := fact()):
        if time.monotonic() > deadline:
            raise Failed(f"awaited in vain: {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.2)
    return found
