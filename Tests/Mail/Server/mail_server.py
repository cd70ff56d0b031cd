"""A mail server for tests: prints each mail that it takes as a line of JSON, and refuses by the recipient's name."""

import argparse
import asyncio
import base64
import email
import email.policy
import json
import os
import re
import signal
import ssl
import subprocess
import tempfile

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

USER, PASSWORD, TOKEN = "alerts@example.org", "mail's secret", "ya29.token"

REFUSALS = {
    "unknown": "550 5.1.1 no such user",
    "policy": "550 5.7.1 not wanted here",
    "full": "452 4.2.2 mailbox full",
    "busy": "421 4.3.2 too busy",
    "bare": "550 no",
}


class Receiver:
    def __init__(self, host):
        self.host = host

    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.split("@")[0]
        if local == "hang":
            print("hangs", flush=True)
            await asyncio.sleep(3600)
        if local in REFUSALS:
            return REFUSALS[local]
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 recipient ok"

    async def handle_DATA(self, server, session, envelope):
        local = envelope.rcpt_tos[0].split("@")[0]
        if local == "silent":
            await asyncio.sleep(3600)
        if local == "broken":
            server.transport.abort()
        if local == "rejected":
            return "554 5.6.0 not this content"
        if local == "afterwards":
            return "550 5.1.1 no such user after all"
        session.mails = getattr(session, "mails", 0) + 1
        print(json.dumps(told(server, session, envelope)), flush=True)
        return "250 2.0.0 taken"

    async def auth_OAUTHBEARER(self, server, args):
        blob = base64.b64decode(args[1]) if len(args) > 1 else await server.challenge_auth("")
        is_right = f"auth=Bearer {TOKEN}\x01".encode() in bytes(blob)
        return AuthResult(success=is_right, handled=False, auth_data=LoginPassword(b"bearer", b""))


def authenticate(server, session, envelope, mechanism, auth_data):
    print("sign-in", flush=True)
    is_right = auth_data.login == USER.encode() and auth_data.password == PASSWORD.encode()
    return AuthResult(success=is_right, handled=False)


def told(server, session, envelope):
    """As Python's own parser reads it, which knows nothing of ours."""
    message = email.message_from_bytes(envelope.content, policy=email.policy.default)
    plain, html = (message.get_body((kind,)) for kind in ("plain", "html"))
    return {
        "from": envelope.mail_from,
        "to": envelope.rcpt_tos,
        "helo": session.host_name,
        "isEncrypted": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
        "isAuthenticated": bool(session.authenticated),
        "number": session.mails,
        "headers": {name: [str(value) for value in message.get_all(name)] for name in message.keys()},
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
        "text": plain.get_content().replace("\r\n", "\n"),
        "html": html.get_content().replace("\r\n", "\n"),
        "longest": max(len(line) for line in re.split(b"\r\n", envelope.content)),
    }


def certificate(directory):
    paths = os.path.join(directory, "certificate.pem"), os.path.join(directory, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-out", paths[0], "-keyout", paths[1]],
        check=True, capture_output=True,
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*paths)
    return paths[0], context


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("mode", choices=["tls", "starttls", "plain"])
    options.add_argument("--auth", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        authority, context = certificate(directory)

        def serve():
            return SMTP(
                Receiver("mail"), hostname="mail.test", ident="test",
                tls_context=context if chosen.mode == "starttls" else None, require_starttls=chosen.mode == "starttls",
                authenticator=authenticate, auth_required=chosen.auth, auth_require_tls=chosen.mode == "starttls",
                auth_exclude_mechanism=None if chosen.auth else ["PLAIN", "LOGIN", "OAUTHBEARER"],
            )

        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            serve, "127.0.0.1", 0, ssl=context if chosen.mode == "tls" else None)
        ended = asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, ended.set)
        print(json.dumps({"port": server.sockets[0].getsockname()[1], "authority": authority}), flush=True)
        await ended.wait()


asyncio.run(main())
