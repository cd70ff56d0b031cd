"""The proxy that people reach the app through (deploy/containers/Caddyfile), with a certificate of its own."""

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import tempfile

from asking import until
from watched import PATIENCE

SETTINGS = """
{
    admin off
    skip_install_trust
    auto_https disable_redirects
    storage file_system {directory}
    servers {
        protocols h1 h2
    }
}
https://localhost:{port} {
    tls internal
    reverse_proxy {service} {
        header_up Origin {origin}
        header_up Host {service}
    }
}
"""


@contextlib.contextmanager
def proxied(origin):
    """An address that leads to `origin` over HTTP/2, and the options of a browser that goes there; None where there is no proxy."""
    program = shutil.which("caddy")
    if program is None:
        yield None, {}
        return
    with tempfile.TemporaryDirectory() as directory:
        port = free_port()
        settings = os.path.join(directory, "Caddyfile")
        values = {"directory": directory, "port": str(port), "service": origin.removeprefix("http://"), "origin": origin}
        with open(settings, "w") as file:
            text = SETTINGS
            for name, value in values.items():
                text = text.replace("{" + name + "}", value)
            file.write(text)
        log = open(os.path.join(directory, "log"), "w")
        caddy = subprocess.Popen([program, "run", "--config", settings, "--adapter", "caddyfile"], stdout=log, stderr=log)
        try:
            until("the proxy answers", lambda: protocol(port) == "h2")
            yield f"https://localhost:{port}", {"ignore_https_errors": True}
        finally:
            caddy.terminate()
            caddy.wait(PATIENCE / 1000)
            log.close()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def protocol(port):
    """What the proxy agrees to speak; None until it listens."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as plain, context.wrap_socket(plain, server_hostname="localhost") as secure:
            return secure.selected_alpn_protocol()
    except OSError:
        return None
