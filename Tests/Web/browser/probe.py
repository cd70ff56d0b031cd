"""Probes that publish over the real broker, with what people were given for them and nothing else."""

import json
import os
import subprocess
import tempfile
import time

from cable import Cable
from watched import require

PUBLISHER = "/usr/bin/mosquitto_pub"


class Probe:
    """A device's key, where its broker is, and the authority that it trusts (PEM)."""

    def __init__(self, id, key, host, port, authority):
        self.id, self.key, self.host, self.port, self.authority = id, key, host, port, authority

    def takes(self, **values):
        """Whether the broker takes a reading of now."""
        message = json.dumps({"time": time.time(), **values})
        with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
            file.write(self.authority)
            file.flush()
            done = subprocess.run(
                [PUBLISHER, "-h", self.host, "-p", str(self.port), "--cafile", file.name, "-i", self.id, "-u", self.id, "-P", self.key, "-q", "1"]
                + ["-t", f"aqua/v1/{self.id}/readings", "-m", message],
                env={"PATH": os.environ["PATH"], "HOME": tempfile.gettempdir()},
                check=False,
                capture_output=True,
                timeout=60,
            )
        return done.returncode == 0

    def publish(self, **values):
        require(self.takes(**values), f"the broker does not take what {self.id} says")


class RealCable(Cable):
    """Behind this cable is a board whose broker is the real one: it is connected once the broker has taken its first reading."""

    def __init__(self, context, **reading):
        super().__init__(context, None)
        self.reading = reading
        self.probe = None

    def answered(self):
        if not self.kept:
            return "trying"
        if self.probe is None:
            probe = Probe(self.kept["id"], self.kept["key"], self.kept["host"], self.kept["port"], self.kept["authority"])
            if not probe.takes(**self.reading):
                return "refused"
            self.probe = probe
        return "connected"
