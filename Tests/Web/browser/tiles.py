"""A server of map tiles, as an operator may choose one, with a certificate of its own."""

import contextlib
import http.server
import os
import ssl
import struct
import subprocess
import tempfile
import threading
import zlib

SIDE = 256


def picture():
    """A grey square, as a PNG."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + b"\xc0" * SIDE) * SIDE
    parts = ((b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


class Tiles:
    """What was asked for, as path and headers, and whether there is a picture for it."""

    def __init__(self):
        self.asked, self.has_pictures = [], True

    @property
    def paths(self):
        return [path for path, _ in self.asked]


@contextlib.contextmanager
def serving(origin):
    tiles, image = Tiles(), picture()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            tiles.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            content = image if tiles.has_pictures else b""
            self.send_response(200 if tiles.has_pictures else 500)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            """A browser that does not know the certificate asks its owner first, on another connection."""

    server = Server(("127.0.0.1", int(origin.rsplit(":", 1)[1])), Handler)
    with tempfile.TemporaryDirectory() as directory:
        key, certificate = (os.path.join(directory, name) for name in ("key.pem", "certificate.pem"))
        made = ["/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        made += ["-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
        subprocess.run(made, check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    # A browser opens connections that it may never use: each has a thread of its own for its handshake.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield tiles
    finally:
        server.shutdown()
        server.server_close()
