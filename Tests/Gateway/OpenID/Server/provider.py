"""An OpenID provider for tests, and the browser in which somebody signs in there: oidc-provider-mock or canaille.

Prints the issuer as a line of JSON. Reads lines of JSON: {"address": where the browser goes, "who": whose name is typed; without one they sign out};
prints where it is led in the end. Ends with its standard input.
"""

import html
import json
import os
import re
import socket
import sys
import threading
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from werkzeug.serving import make_server

CLIENT, SECRET = "aqua", "the client's secret"
RETURN = "https://water.example/oidc/callback"
SIGNED_OUT = "https://water.example/oidc/signed-out"
PEOPLE = {"ada": ["keepers"], "ben": ["others"]}


def mock(issuer):
    import oidc_provider_mock
    from oidc_provider_mock import User

    people = [
        User(sub=name, claims={"email": f"{name}@example.org", "email_verified": True, "groups": groups})
        for name, groups in PEOPLE.items()
    ]
    app = oidc_provider_mock.app(require_nonce=True, user_claims=people)

    def sign_in(browser, address, who):
        return browser.post(address, data={"sub": who}).headers["Location"]

    def sign_out(browser, address):
        page = browser.get(address).get_data(as_text=True)
        place = html.unescape(re.search(r'name="redirect_uri" value="([^"]*)"', page).group(1))
        return browser.post(re.search(r'action="([^"]*)"', page).group(1), data={"redirect_uri": place}).headers["Location"]

    return app, sign_in, sign_out


def canaille(issuer):
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend
    from joserfc.jwk import RSAKey

    key = RSAKey.generate_key(2048, {"kid": "k1"}).as_dict(private=True)
    app = create_app({
        "SECRET_KEY": "a secret of this run alone, for tests",
        "SERVER_NAME": issuer.partition("://")[2],
        "PREFERRED_URL_SCHEME": "http",
        "WTF_CSRF_ENABLED": False,
        "CANAILLE": {"DATABASE": "memory"},
        "CANAILLE_OIDC": {"REQUIRE_NONCE": True, "ACTIVE_JWKS": [key], "TRUSTED_DOMAINS": ["water.example"]},
    })
    with app.app_context():
        for name, groups in PEOPLE.items():
            person = models.User(
                user_name=name, formatted_name=name, family_name=name, emails=[f"{name}@example.org"], password="a quiet pond")
            Backend.instance.save(person)
            Backend.instance.save(models.Group(display_name=groups[0], members=[person]))
        client = models.Client(
            client_id=CLIENT, client_secret=SECRET, client_name="AquaMonitor", redirect_uris=[RETURN], post_logout_redirect_uris=[SIGNED_OUT], client_uri="https://water.example",
            grant_types=["authorization_code"], response_types=["code"], scope=["openid", "profile", "email", "groups"],
            token_endpoint_auth_method="client_secret_basic", id_token_signed_response_alg="RS256")
        Backend.instance.save(client)
        client.audience = [client]
        Backend.instance.save(client)

    def sign_in(browser, address, who):
        answer = browser.get(address)
        for _ in range(8):
            place = answer.headers.get("Location")
            if place and place.startswith(RETURN):
                return place
            if place:
                answer = browser.get(urllib.parse.urljoin(issuer, place))
                continue
            page = answer.get_data(as_text=True)
            action = answer.request.full_path
            form = {"password": "a quiet pond"} if 'name="password"' in page else {"login": who} if 'name="login"' in page else {"answer": "accept"}
            answer = browser.post(action, data=form)
        raise SystemExit(f"the way of {who} has no end: {answer.status} {action} " + str(re.findall(r"<(?:form|input|button)[^>]*>", page)))

    def sign_out(browser, address):
        answer = browser.get(address)
        return (answer if "Location" in answer.headers else browser.post(address, data={"answer": "logout"})).headers["Location"]

    return app, sign_in, sign_out


def main():
    kind = {"mock": mock, "canaille": canaille}[sys.argv[1]]
    listening = socket.create_server(("127.0.0.1", 0))
    issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app, sign_in, sign_out = kind(issuer)
    server = make_server("127.0.0.1", 0, app, threaded=True, fd=listening.fileno())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"issuer": issuer}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        browser, address = app.test_client(), asked["address"]
        print(json.dumps({"location": sign_in(browser, address, asked["who"]) if "who" in asked else sign_out(browser, address)}), flush=True)


main()
