import Foundation
import NIOHTTP1
import Routes
import Secrets
import Store
import TestSupport
import Testing

@testable import Gateway

/// Apps that are alerted through the push services of Apple and Google.
@Suite struct NativeEndpointTests {
    private static let apple = String(repeating: "0A", count: 32)
    private static let google = "eYx0:APA91b-" + String(repeating: "k", count: 130)

    /// A person's scene in which a Notifier has announced both push services.
    private static func with(_ body: @Sendable @escaping (PersonScene) async throws -> Void) async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                "INSERT INTO app_channel (channel, app) VALUES ('apns', 'org.example.water'), ('fcm', 'water-club-1')")
            try await body(scene)
        }
    }

    private static func post(
        _ token: String, on platform: String = "apns", _ scene: PersonScene, as person: PersonScene.Person
    ) async throws -> PersonScene.Reply {
        try await scene.call(
            "registerNativeEndpoint", as: person, body: ["platform": .string(platform), "token": .string(token)])
    }

    @Test(arguments: [
        ("apns", NativeEndpointTests.apple, "api.push.apple.com"),
        ("fcm", NativeEndpointTests.google, "fcm.googleapis.com"),
    ])
    func `an app is registered, sealed, and shown without its token`(
        platform: String, token: String, host: String
    ) async throws {
        try await Self.with { scene in
            let before = try await scene.call("showNativeEndpoint", as: scene.ada)
            #expect(
                before.json["offered"]?.text
                    == #"[{"platform":"apns","app":"org.example.water"},{"platform":"fcm","app":"water-club-1"}]"#)
            #expect(before.json["endpoint"] == .null)
            let reply = try await Self.post(token, on: platform, scene, as: scene.ada)
            #expect(reply.status == 200, "\(reply.json.text)")
            #expect(reply.json["channel"]?.string == platform && reply.json["state"]?.string == "active")
            #expect(reply.json["host"]?.string == host)
            let shown = try await scene.call("showNativeEndpoint", as: scene.ada)
            #expect(shown.json["endpoint"]?["id"] == reply.json["id"])
            for text in [reply.json.text, shown.json.text, try await scene.ask("SELECT endpoint::text FROM endpoint")] {
                #expect(!text.lowercased().contains(token.lowercased()))
            }
            let sealed = try await scene.ask(
                "SELECT endpoint_id || ' ' || encode(sealed_secret, 'base64') FROM endpoint")
            let parts = sealed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            let bytes = Data(base64Encoded: String(parts[1]), options: .ignoreUnknownCharacters)
            let opened = try #require(SecretKey(GatewayUnderTest.secretKey).map(SecretKeys.init)).openEndpoint(
                SealedSecret(stored: Array(try #require(bytes))), channel: platform,
                number: try #require(Int64(parts[0]))
            ).endpoint
            let kept = platform == "apns" ? token.lowercased() : token
            #expect(opened.secret == Array(kept.utf8))
            #expect(try await scene.call("sendTestAlert", as: scene.ada, body: .object([])).status == 202)
            #expect(try await scene.call("removeNativeEndpoint", as: scene.bob).status == 204)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "1", "Bob removes his own alone")
            #expect(try await scene.call("removeNativeEndpoint", as: scene.ada).status == 204)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    /// When the app last named its token decides whether Apple's word that it has ended is still true.
    @Test func `what is registered already stays, and is noted`() async throws {
        try await Self.with { scene in
            let first = try await Self.post(Self.apple, scene, as: scene.ada)
            try await scene.database.sql("UPDATE endpoint SET confirmed_at = '2026-01-01', created_at = '2026-01-01'")
            let again = try await Self.post(Self.apple.lowercased(), scene, as: scene.ada)
            #expect(again.status == 200 && again.json["id"] == first.json["id"])
            #expect(
                try await scene.ask(
                    "SELECT registration || ' ' || (created_at = '2026-01-01') || ' ' || (confirmed_at > now() - interval '1 hour') FROM endpoint"
                ) == "1 true true")
        }
    }

    @Test func `another token takes the place of the installation's own`() async throws {
        try await Self.with { scene in
            let first = try #require(try await Self.post(Self.apple, scene, as: scene.ada).json["id"]?.integer)
            let other = String(repeating: "0b", count: 32)
            let next = try #require(try await Self.post(other, scene, as: scene.ada).json["id"]?.integer)
            #expect(
                try await scene.state(of: scene.ada) == "\(first) 1 the app has another token, \(next) 1")
        }
    }

    /// Whoever exchanged the app's library, and came back to the former one, is not alarmed twice.
    @Test func `a token of the other platform takes its place too, and keeps what its person chose`() async throws {
        try await Self.with { scene in
            let first = try #require(try await Self.post(Self.apple, scene, as: scene.ada).json["id"]?.integer)
            try await scene.database.sql("UPDATE endpoint SET rings_always = true, only_urgent = true")
            let reply = try await Self.post(Self.google, on: "fcm", scene, as: scene.ada)
            let next = try #require(reply.json["id"]?.integer)
            #expect(try await scene.state(of: scene.ada) == "\(first) 1 the app has another token, \(next) 1")
            #expect(
                try await scene.ask("SELECT rings_always AND only_urgent FROM endpoint WHERE endpoint_id = \(next)")
                    == "t")
            let shown = try await scene.call("showNativeEndpoint", as: scene.ada)
            #expect(shown.json["endpoint"]?["id"]?.integer == next)
            let again = try await Self.post(Self.apple, scene, as: scene.ada)
            #expect(again.json["id"]?.integer == first && again.json["state"]?.string == "active")
            #expect(try await scene.state(of: scene.ada) == "\(first) 2, \(next) 1 the app has another token")
        }
    }

    @Test func `the place of the app in the other platform's counts as its own`() async throws {
        try await Self.with { scene in
            _ = try await Self.post(Self.apple, scene, as: scene.ada)
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT nextval('endpoint_id'), \(scene.ada.account), 'webhook', 'https://example.org/' || n, ''
                FROM generate_series(1, 19) n
                """)
            #expect(try await Self.post(Self.google, on: "fcm", scene, as: scene.ada).status == 200)
        }
    }

    /// Of before an app had one place for both.
    @Test func `what is removed is all that the installation has`() async throws {
        try await Self.with { scene in
            _ = try await Self.post(Self.apple, scene, as: scene.ada)
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id)
                SELECT nextval('endpoint_id'), account_id, 'fcm', 'https://fcm.googleapis.com/x', '', client_id FROM endpoint
                """)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "2")
            #expect(try await scene.call("removeNativeEndpoint", as: scene.ada).status == 204)
            #expect(try await scene.ask("SELECT count(*) FROM usable_endpoint") == "0")
        }
    }

    @Test func `a token belongs to whoever signed in last where it is`() async throws {
        try await Self.with { scene in
            let number = try #require(try await Self.post(Self.apple, scene, as: scene.ada).json["id"]?.integer)
            let moved = try await Self.post(Self.apple, scene, as: scene.bob)
            #expect(moved.status == 200 && moved.json["id"]?.integer == number)
            #expect(try await scene.state(of: scene.ada) == "")
            #expect(try await scene.state(of: scene.bob) == "\(number) 2")
            #expect(try await scene.call("showNativeEndpoint", as: scene.ada).json["endpoint"] == .null)
        }
    }

    @Test func `an app whose token had ended comes back when it names it again`() async throws {
        try await Self.with { scene in
            let number = try #require(try await Self.post(Self.apple, scene, as: scene.ada).json["id"]?.integer)
            try await scene.database.sql("INSERT INTO endpoint_retirement VALUES (1, \(number), 1, now(), 'gone')")
            let shown = try await scene.call("showNativeEndpoint", as: scene.ada)
            #expect(shown.json["endpoint"]?["state"]?.string == "gone")
            let again = try await Self.post(Self.apple, scene, as: scene.ada)
            #expect(again.json["state"]?.string == "active", "\(again.json.text)")
            #expect(try await scene.state(of: scene.ada) == "\(number) 2")
        }
    }

    /// Tokens of wrong lengths, of wrong characters, and of another platform.
    private static let refused: [(String, String)] = {
        let pair = "0a"
        let key = String(repeating: "k", count: 40)
        return [
            ("apns", String(repeating: pair, count: 31)), ("apns", String(repeating: pair, count: 101)),
            ("apns", apple + "0"), ("apns", String(repeating: "0g", count: 32)), ("apns", google),
            ("fcm", String(repeating: "k", count: 31)), ("fcm", String(repeating: "k", count: 1025)),
            ("fcm", key + "#x"), ("fcm", key + "\r\nx"), ("webhook", apple),
        ]
    }()

    @Test(arguments: refused)
    func `what is no token is refused`(platform: String, token: String) async throws {
        try await Self.with { scene in
            let reply = try await Self.post(token, on: platform, scene, as: scene.ada)
            #expect(reply.status == 422, "\(reply.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `what the operator has not set up is not registered`() async throws {
        try await PersonScene.with { scene in
            #expect(try await scene.call("showNativeEndpoint", as: scene.ada).json["offered"]?.text == "[]")
            let reply = try await Self.post(Self.apple, scene, as: scene.ada)
            #expect(reply.status == 409 && reply.code == "native-push-off")
            try await scene.database.sql("INSERT INTO app_channel (channel, app) VALUES ('fcm', 'x')")
            #expect(try await Self.post(Self.apple, scene, as: scene.ada).code == "native-push-off")
        }
    }

    @Test func `a program, and a session without an installation, register none`() async throws {
        try await Self.with { scene in
            let token = try await scene.gateway.personalToken(scene.ada, scope: "write")
            let program = try await scene.gateway.request(
                .POST, "/api/v1/native-endpoints", token: token,
                json: ["platform": "apns", "token": .string(Self.apple)])
            #expect(program.status == 403 && program.code == "insufficient-scope", "\(program.text)")
            try await scene.database.sql("UPDATE session SET client_id = NULL")
            #expect(try await Self.post(Self.apple, scene, as: scene.ada).code == "no-installation")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint") == "0")
        }
    }

    @Test func `a person has twenty endpoints, apps among them`() async throws {
        try await Self.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT nextval('endpoint_id'), \(scene.ada.account), 'webhook', 'https://example.org/' || n, ''
                FROM generate_series(1, 20) n
                """)
            #expect(try await Self.post(Self.apple, scene, as: scene.ada).code == "too-many-endpoints")
        }
    }

    @Test func `signing out ends it, signing in on the same installation resumes it`() async throws {
        try await Self.with { scene in
            let gateway = scene.gateway
            let client = "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e"
            let tokens = try await signIn(gateway, "ada@example.com", client: client)
            let posted = try await gateway.request(
                .POST, "/api/v1/native-endpoints", token: tokens.accessToken,
                json: ["platform": "apns", "token": .string(Self.apple)])
            let number = try #require(posted.json?["id"]?.integer)
            _ = try await gateway.request(
                .POST, "/api/v1/sessions/sign-out", json: ["refreshToken": .string(tokens.refreshToken)])
            #expect(try await scene.state(of: scene.ada) == "\(number) 1 paused")
            _ = try await signIn(gateway, "ada@example.com", client: client)
            #expect(try await scene.state(of: scene.ada) == "\(number) 1")
        }
    }

    /// The two functions take an address from whoever uses it: of a webhook, which anybody may know, that would be theft.
    @Test func `the database itself moves nothing but browsers and apps`() async throws {
        try await Self.with { scene in
            _ = try await scene.register(as: scene.ada)
            await #expect(throws: (any Error).self) {
                try await scene.ask(
                    """
                    SELECT add_installed(endpoint_id, \(scene.bob.account), 'webhook', target, sealed_secret, NULL, NULL,
                        gen_random_uuid()) FROM endpoint
                    """)
            }
            #expect(try await scene.state(of: scene.bob) == "")
        }
    }
}
