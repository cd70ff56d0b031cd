import Crypto
import Foundation
import NIOHTTP1
import Routes
import Secrets
import Store
import TestSupport
import Testing
import WebPush

@testable import Gateway

@Suite struct BrowserTests {
    @Test func `a browser is registered, sealed, and shown without its address`() async throws {
        try await PersonScene.withKey { scene, key in
            let before = try await scene.call("showPushSubscription", as: scene.ada)
            #expect(before.json["applicationServerKey"]?.string == key)
            #expect(before.json["endpoint"] == .null)
            let subscription = Subscription(key: key)
            let reply = try await scene.put(subscription, as: scene.ada)
            #expect(reply.status == 200, "\(reply.json.text)")
            #expect(reply.json["channel"]?.string == "webPush" && reply.json["state"]?.string == "active")
            #expect(reply.json["host"]?.string == "updates.push.services.mozilla.com")
            let shown = try await scene.call("showPushSubscription", as: scene.ada)
            #expect(shown.json["endpoint"]?["id"] == reply.json["id"])
            let listed = try await scene.call("listEndpoints", as: scene.ada)
            #expect(listed.json["items"]?[0]?["id"] == reply.json["id"])
            for text in [reply.json.text, shown.json.text, listed.json.text] {
                #expect(
                    !text.contains("wpush") && !text.contains(subscription.auth) && !text.contains(subscription.p256dh))
            }
            let sealed = try await scene.ask(
                "SELECT endpoint_id || ' ' || encode(sealed_secret, 'base64') FROM endpoint")
            let parts = sealed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            let bytes = Data(base64Encoded: String(parts[1]), options: .ignoreUnknownCharacters)
            let opened = try #require(SecretKey(GatewayUnderTest.secretKey).map(SecretKeys.init)).openEndpoint(
                SealedSecret(stored: Array(try #require(bytes))), channel: "webPush",
                number: try #require(Int64(parts[0]))
            ).endpoint
            #expect(opened.address?.contains("wpush") == true)
            #expect(try await scene.ask("SELECT endpoint::text LIKE '%wpush%' FROM endpoint") == "f")
            let keys = try #require(SubscriptionKeys(p256dh: subscription.p256dh, auth: subscription.auth))
            #expect(opened.secret == keys.bytes)
            #expect(
                try await scene.ask("SELECT encode(fingerprint, 'hex') FROM endpoint")
                    == keys.fingerprint.map { String(format: "%02x", $0) }.joined())
            // A browser's secret cannot be rotated.
            let number = "\(try #require(reply.json["id"]?.integer))"
            let rotated = try await scene.call(
                "rotateEndpointSecret", as: scene.ada, path: ["endpoint": number], body: .object([]))
            #expect(rotated.status == 404)
            #expect(try await scene.call("sendTestAlert", as: scene.ada, body: .object([])).status == 202)
            #expect(try await scene.call("removeEndpoint", as: scene.bob, path: ["endpoint": number]).status == 404)
            #expect(try await scene.call("removeEndpoint", as: scene.ada, path: ["endpoint": number]).status == 204)
            #expect(
                try await scene.call("showPushSubscription", as: scene.ada).json["endpoint"] == .null)
        }
    }

    @Test func `what is registered already stays, and a new subscription replaces the one before`() async throws {
        try await PersonScene.withKey { scene, key in
            var subscription = Subscription(key: key)
            let first = try await scene.put(subscription, as: scene.ada)
            let number = try #require(first.json["id"]?.integer)
            // In the spelling of other browsers.
            subscription.auth += "=="
            let again = try await scene.put(subscription, as: scene.ada)
            #expect(again.status == 200 && again.json["id"] == first.json["id"])
            #expect(again.json["registeredAt"] == first.json["registeredAt"])
            #expect(try await scene.state(of: scene.ada) == "\(number) 1")
            let renewed = try await scene.put(Subscription(key: key), as: scene.ada)
            let other = try #require(renewed.json["id"]?.integer)
            #expect(
                try await scene.state(of: scene.ada)
                    == "\(number) 1 the browser has another subscription, \(other) 1")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1")
        }
    }

    @Test(
        arguments: [
            ("https://example.org/push", "push-service"), ("https://10.0.0.1/fcm.googleapis.com", "target-private"),
            ("https://127.0.0.1:8443/x", "push-service"), ("http://fcm.googleapis.com/x", "push-service"),
            ("https://fcm.googleapis.com.example.org/x", "push-service"), ("https://localhost/x", "push-service"),
            ("https://u:p@fcm.googleapis.com/x", "target-credentials"),
            ("https://evil.example/x.push.apple.com", "push-service"),
        ])
    func `nobody has another host called`(url: String, code: String) async throws {
        try await PersonScene.withKey { scene, key in
            var subscription = Subscription(key: key)
            subscription.endpoint = url
            let reply = try await scene.put(subscription, as: scene.ada)
            #expect(reply.status == 422, "\(reply.json.text)")
            #expect(reply.json["errors"]?[0]?["code"]?.string == code, "\(reply.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `keys that are none are refused`() async throws {
        try await PersonScene.withKey { scene, key in
            var offCurve = Subscription(key: key)
            offCurve.p256dh = ([4] + [UInt8](repeating: 7, count: 64)).base64URL
            var short = Subscription(key: key)
            short.auth = [UInt8](repeating: 7, count: 17).base64URL
            for subscription in [offCurve, short] {
                let reply = try await scene.put(subscription, as: scene.ada)
                #expect(reply.status == 422 && reply.json["errors"]?[0]?["code"]?.string == "subscription-keys")
            }
            let stranger = try await scene.put(
                Subscription(key: try PersonScene.vapidKey("17").text), as: scene.ada)
            #expect(stranger.status == 409 && stranger.code == "push-key-unknown")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `without a notifier that can send there is nothing to subscribe to`() async throws {
        try await PersonScene.with { scene in
            let shown = try await scene.call("showPushSubscription", as: scene.ada)
            #expect(shown.status == 200 && shown.json["applicationServerKey"] == .null)
            let reply = try await scene.put(Subscription(key: try PersonScene.vapidKey("5a").text), as: scene.ada)
            #expect(reply.status == 409 && reply.code == "web-push-off")
        }
    }

    @Test func `after a rotation browsers are told the newest key, and the older one is still taken`() async throws {
        try await PersonScene.withKey { scene, old in
            let (newest, former) = (try PersonScene.vapidKey("17"), try PersonScene.vapidKey("5a"))
            try await scene.announce(newest, former)
            let shown = try await scene.call("showPushSubscription", as: scene.ada)
            #expect(shown.json["applicationServerKey"]?.string == newest.text)
            #expect(try await scene.put(Subscription(key: old), as: scene.ada).status == 200)
            #expect(try await scene.put(Subscription(key: newest.text), as: scene.bob).status == 200)
            #expect(
                try await scene.ask("SELECT string_agg(vapid_key_id, ' ' ORDER BY account_id) FROM endpoint")
                    == "\(former.id) \(newest.id)")
        }
    }

    @Test func `a subscription that comes with another key is sent to with that key`() async throws {
        try await PersonScene.withKey { scene, old in
            var subscription = Subscription(key: old)
            #expect(try await scene.put(subscription, as: scene.ada).status == 200)
            let newest = try PersonScene.vapidKey("17")
            try await scene.announce(newest, try PersonScene.vapidKey("5a"))
            subscription.key = newest.text
            #expect(try await scene.put(subscription, as: scene.ada).status == 200)
            #expect(
                try await scene.ask("SELECT vapid_key_id || ' ' || registration FROM endpoint") == "\(newest.id) 2")
        }
    }

    /// When two people ask at once, neither request knows of the other when the number is given.
    @Test func `the database itself gives nobody an address that somebody uses`() async throws {
        try await PersonScene.withKey { scene, key in
            let subscription = Subscription(key: key)
            _ = try await scene.put(subscription, as: scene.ada)
            let stranger = "decode(repeat('07', 32), 'hex')"
            #expect(
                try await scene.ask(
                    """
                    SELECT standing FROM number_web_push(
                        '\(subscription.endpoint)', \(stranger), gen_random_uuid(), \(scene.bob.account))
                    """) == "taken")
            #expect(
                try await scene.ask(
                    """
                    SELECT add_web_push(endpoint_id, \(scene.bob.account), target, sealed_secret, \(stranger), vapid_key_id,
                        gen_random_uuid()) IS NULL FROM endpoint
                    """) == "t")
            #expect(try await scene.state(of: scene.bob) == "")
        }
    }

    @Test func `one that its push service has ended does not come back`() async throws {
        try await PersonScene.withKey { scene, key in
            let subscription = Subscription(key: key)
            let number = try #require(try await scene.put(subscription, as: scene.ada).json["id"]?.integer)
            try await scene.database.sql("INSERT INTO endpoint_retirement VALUES (1, \(number), 1, now(), 'gone')")
            let shown = try await scene.call("showPushSubscription", as: scene.ada)
            #expect(shown.json["endpoint"]?["state"]?.string == "gone")
            let again = try await scene.put(subscription, as: scene.ada)
            #expect(again.status == 409 && again.code == "subscription-gone")
            // The same address with new keys is another subscription.
            var other = Subscription(key: key)
            other.endpoint = subscription.endpoint
            #expect(try await scene.put(other, as: scene.ada).json["state"]?.string == "active")
            #expect(try await scene.state(of: scene.ada) == "\(number) 2")
        }
    }

    @Test func `an address is not taken from anybody but by the browser itself`() async throws {
        try await PersonScene.withKey { scene, key in
            let subscription = Subscription(key: key)
            _ = try await scene.put(subscription, as: scene.ada)
            // Bob knows the address from elsewhere.
            var guessed = Subscription(key: key)
            guessed.endpoint = subscription.endpoint
            let taken = try await scene.put(guessed, as: scene.bob)
            #expect(taken.status == 409 && taken.code == "endpoint-taken")
            #expect(try await scene.state(of: scene.bob) == "")
            // Bob takes over the browser and signs in there.
            #expect(try await scene.put(subscription, as: scene.bob).status == 200)
            #expect(try await scene.state(of: scene.ada) == "")
            #expect(try await scene.ask("SELECT registration FROM endpoint") == "2")
            #expect(
                try await scene.ask(
                    "SELECT e.client_id = s.client_id FROM endpoint e JOIN session s ON s.account_id = \(scene.bob.account)"
                )
                    == "t", "it is Bob's signing out that ends it")
        }
    }

    @Test func `a program and a session without an installation register none`() async throws {
        try await PersonScene.withKey { scene, key in
            let token = try await scene.gateway.personalToken(scene.ada, scope: "write")
            let program = try await scene.gateway.request(
                .PUT, "/api/v1/push-subscription", token: token, json: Subscription(key: key).body)
            #expect(program.status == 403 && program.code == "insufficient-scope", "\(program.text)")
            try await scene.database.sql("UPDATE session SET client_id = NULL")
            let reply = try await scene.put(Subscription(key: key), as: scene.ada)
            #expect(reply.code == "no-installation")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `a person has twenty endpoints, browsers among them`() async throws {
        try await PersonScene.withKey { scene, key in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT nextval('endpoint_id'), \(scene.ada.account), 'webhook', 'https://example.org/' || n, ''
                FROM generate_series(1, 19) n
                """)
            let subscription = Subscription(key: key)
            #expect(try await scene.put(subscription, as: scene.ada).status == 200)
            #expect(try await scene.put(subscription, as: scene.ada).status == 200)
            #expect(try await scene.put(Subscription(key: key), as: scene.ada).status == 200, "it replaces its own")
            try await scene.database.sql("UPDATE endpoint SET client_id = gen_random_uuid() WHERE channel = 'webPush'")
            #expect(try await scene.put(Subscription(key: key), as: scene.ada).code == "too-many-endpoints")
        }
    }

    @Test func `signing out ends it, signing in on the same installation resumes it`() async throws {
        try await PersonScene.withKey { scene, key in
            let gateway = scene.gateway
            let client = "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            let tokens = try await signIn(gateway, "ada@example.com", client: client)
            let subscription = Subscription(key: key)
            let put = try await gateway.request(
                .PUT, "/api/v1/push-subscription", token: tokens.accessToken, json: subscription.body)
            let number = try #require(put.json?["id"]?.integer)
            let out = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(tokens.refreshToken)])
            #expect(out.status == 204)
            #expect(try await scene.state(of: scene.ada) == "\(number) 1 paused")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
            let again = try await signIn(gateway, "ada@example.com", client: client)
            #expect(try await scene.state(of: scene.ada) == "\(number) 1")
            let shown = try await gateway.request(.GET, "/api/v1/push-subscription", token: again.accessToken)
            #expect(shown.json?["endpoint"]?["state"]?.string == "active")
            // After a sign-out there, the next person may register it.
            _ = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(again.refreshToken)])
            #expect(try await scene.put(subscription, as: scene.bob).status == 200)
            #expect(try await scene.state(of: scene.bob) == "\(number) 2", "and he is told at once")
            _ = try await signIn(gateway, "ada@example.com", client: client)
            #expect(try await scene.state(of: scene.ada) == "")
        }
    }

    /// The app in another window registers at its start, as usual.
    @Test func `a registration that signing out overtakes does not outlast it`() async throws {
        try await PersonScene.withKey { scene, key in
            let (gateway, database) = (scene.gateway, scene.database)
            let tokens = try await signIn(
                gateway, "ada@example.com", client: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e")
            // Delays the registration until the session has ended.
            async let gate = database.sql(
                """
                DO $$ BEGIN
                    PERFORM FROM account WHERE account_id = \(scene.ada.account) FOR UPDATE;
                    WHILE NOT EXISTS (SELECT FROM session WHERE ended_because = 'signedOut') LOOP
                        PERFORM pg_sleep(0.02);
                    END LOOP;
                END $$
                """)
            try await awaitFact("a locked account") {
                let free = try await scene.ask(
                    "SELECT count(*) FROM (SELECT FROM account WHERE account_id = \(scene.ada.account) FOR UPDATE SKIP LOCKED) a"
                )
                return free == "0" ? true : nil
            }
            async let put = gateway.request(
                .PUT, "/api/v1/push-subscription", token: tokens.accessToken, json: Subscription(key: key).body)
            try await awaitFact("a registration that waits") {
                let waiting = try await scene.ask(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
                return waiting == "1" ? true : nil
            }
            let out = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(tokens.refreshToken)])
            #expect(out.status == 204)
            _ = try await gate
            let answer = try await put
            #expect(answer.status == 401 && answer.code == "session-ended", "\(answer.text)")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    /// An installation's first registration: signing out finds nothing to pause yet.
    @Test func `signing out waits for a registration that came before`() async throws {
        try await PersonScene.withKey { scene, key in
            let (gateway, database) = (scene.gateway, scene.database)
            let tokens = try await signIn(
                gateway, "ada@example.com", client: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e")
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            // Delays the registration's rows until somebody waits for them.
            async let gate = database.sql(
                """
                DO $$ BEGIN
                    LOCK TABLE endpoint IN SHARE MODE;
                    WHILE (\(waiting)) < 2 LOOP PERFORM pg_sleep(0.02), pg_stat_clear_snapshot(); END LOOP;
                END $$
                """)
            try await awaitFact("a locked table") {
                let held = try await scene.ask(
                    """
                    SELECT count(*) FROM pg_locks
                    WHERE relation = 'endpoint'::regclass AND mode = 'ShareLock' AND granted
                    """)
                return held == "1" ? true : nil
            }
            async let put = gateway.request(
                .PUT, "/api/v1/push-subscription", token: tokens.accessToken, json: Subscription(key: key).body)
            try await awaitFact("a registration that waits") {
                let count = try await scene.ask(waiting)
                return count == "1" ? true : nil
            }
            async let out = gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(tokens.refreshToken)])
            _ = try await gate
            let (added, ended) = (try await put, try await out)
            #expect(added.status == 200 && ended.status == 204, "\(added.text) \(ended.text)")
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }
}
