"""A person's application, as far as deploy/test-compose needs one: talks to the Gateway through the proxy.

people.py ORIGIN AUTHORITY sign-up EMAIL INVITATION
people.py ORIGIN AUTHORITY link EMAIL CLAIM-CODE NAME
people.py ORIGIN AUTHORITY latest EMAIL DEVICE PARAMETER      prints the value
people.py ORIGIN AUTHORITY load EMAIL        asks for the latest readings until SIGTERM; prints a line for every
                                             ten requests, and how many failed

AUTHORITY is the file with the certificate to trust. The password is the first line of the standard input.
"""

import http.client
import json
import signal
import ssl
import sys
import threading
import time
import urllib.parse


class Refused(Exception):
    """An answer other than 2xx."""


class Client:
    """One connection; the session's token once it has signed in."""

    def __init__(self, origin, authority):
        self.address = urllib.parse.urlsplit(origin).netloc
        self.tls = ssl.create_default_context(cafile=authority)
        self.connection = None
        self.token = None

    def ask(self, method, path, body=None):
        if self.connection is None:
            self.connection = http.client.HTTPSConnection(self.address, context=self.tls, timeout=30)
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            self.connection.request(method, f"/api/v1{path}", body and json.dumps(body), headers)
            answer = self.connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        if answer.status // 100 != 2:
            raise Refused(f"{answer.status}: {text}")
        return json.loads(text) if text else None

    def sign_in(self, email, password):
        self.token = self.ask("POST", "/sessions", {"email": email, "password": password})["accessToken"]
        return self


def load(clients, pause):
    """Asks with each client all the time, until the process is told to end."""
    ending = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ending.set())
    counts, faults, lock = {"requests": 0, "failed": 0}, [], threading.Lock()

    def play(client):
        while not ending.is_set():
            try:
                client.ask("GET", "/readings/latest")
                fault = None
            except (Refused, OSError, http.client.HTTPException) as error:
                fault = f"{type(error).__name__}: {error}"
            with lock:
                counts["requests"] += 1
                if counts["requests"] % 10 == 0:
                    print("asked", counts["requests"], flush=True)
                if fault:
                    counts["failed"] += 1
                    faults.append(fault)
            time.sleep(pause)

    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for fault in faults[:5]:
        print(fault, file=sys.stderr)
    print(json.dumps(counts))


def main():
    origin, authority, verb, email, *rest = sys.argv[1:]
    password = sys.stdin.readline().rstrip("\n")
    client = Client(origin, authority)
    if verb == "sign-up":
        client.ask("POST", "/accounts", {"email": email, "password": password, "invitation": rest[0]})
        return
    client.sign_in(email, password)
    if verb == "link":
        client.ask("POST", "/devices", {"claimCode": rest[0], "name": rest[1]})
    elif verb == "latest":
        device, parameter = rest
        found = client.ask("GET", f"/devices/{device}/readings/latest")
        print(next(reading["value"] for reading in found if reading["parameter"] == parameter))
    elif verb == "load":
        # Fewer requests than one session may make in a minute.
        other = Client(origin, authority)
        other.token = client.token
        load([client, other], pause=0.3)
    else:
        sys.exit(__doc__)


main()
