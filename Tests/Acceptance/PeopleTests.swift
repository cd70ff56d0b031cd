import Foundation
import Secrets
import TestSupport
import Testing

extension WholeSystems {
    /// A person's way through the interface alone, with the real programs: an ordinary HTTP client, a probe, a receiver.
    @Suite struct PeopleTests {
        private static let email = "ada@example.org"
        private static let password = "four random words here"

        @Test func fromAnInvitationToAnAlert() async throws {
            let settings = ["aqua-rules": ["AQUA_THROTTLE": "100ms", "AQUA_RECOVERY_DELAY": "1h"]]
            try await TestSystem.with(settings: settings) { system in
                try system.startServices()
                try system.start("aqua-gateway")
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let visitor = PeopleClient(origin: try await system.process("aqua-gateway").servesPeople())
                try await Self.signUp(visitor, system)

                let installation = UUID()
                let ada = try await visitor.signedIn(Self.email, password: Self.password, client: installation)
                let tank = try await Tank(system, linkedBy: ada)
                try await Self.setLimit(ada)
                try await Self.watchLive(ada, tank)
                let secret = try await Self.registerWebhook(ada, system)
                try await Self.expectAlert(tank, system, secret)

                let alerts = try await system.database.sql("SELECT count(*) FROM alert")
                try await Self.signOut(ada)
                try await tank.publish(39)
                // The episode is open without a recipient, and everything is decided.
                try await system.fact("SELECT count(*) = 1 FROM episode WHERE closed_at IS NULL AND no_recipient")
                try await system.fact("SELECT count(*) = 0 FROM evaluation_batch")
                #expect(try await system.database.sql("SELECT count(*) FROM alert") == alerts)

                let again = try await visitor.signedIn(Self.email, password: Self.password, client: installation)
                try await Self.expectAlert(tank, system, secret)
                let listed = try await again.succeed("GET", "/alerts")
                #expect(listed.text.contains(#""parameter":"temperature""#))
                // A stranger sees nothing.
                #expect(try await visitor.ask("GET", "/alerts").status == 401)
            }
        }

        private static func signUp(_ visitor: PeopleClient, _ system: TestSystem) async throws {
            let account = #""email":"\#(email)","password":"\#(password)""#
            #expect(try await visitor.ask("POST", "/accounts", json: "{\(account)}").status == 422)
            let invited = try await system.tool(["account", "invite", "--json"])
            let invitation = try system.field("invitation", of: invited)
            try await visitor.succeed("POST", "/accounts", json: #"{\#(account),"invitation":"\#(invitation)"}"#)
        }

        /// Sets a limit in degrees Fahrenheit, which is stored in steps of the sensor.
        private static func setLimit(_ ada: PeopleClient) async throws {
            let path = "/devices/\(Tank.main)/parameters/temperature"
            let tag = try #require(try await ada.succeed("GET", path).tag)
            let changed = try await ada.succeed(
                "PATCH", path, json: #"{"unit":"F","maximum":75.2}"#, headers: ["If-Match": tag])
            #expect(changed.text.contains(#""maximum":75.2"#), "\(changed.text)")
        }

        /// Waits for a reading on an open screen, which does not ask again.
        private static func watchLive(_ ada: PeopleClient, _ tank: Tank) async throws {
            let said = try await withDeadline(.seconds(60), "a reading on the screen") {
                try await ada.lines(of: "/live") { lines -> String? in
                    for try await line in lines {
                        if line == "event: ready" { try await tank.publish(21.5) }
                        if line.hasPrefix("data: "), line.contains("21.5") { return line }
                    }
                    return nil
                }
            }
            let line = try #require(said, "the stream ended")
            #expect(line.contains(Tank.main) && line.contains("temperature"))
        }

        /// Registers a receiver, which proves that it is the person's.
        private static func registerWebhook(_ ada: PeopleClient, _ system: TestSystem) async throws -> WebhookSecret {
            let registration = #"{"url":"\#(system.sink.url())"}"#
            system.sink.answer(then: .status(200))
            #expect(try await ada.ask("POST", "/endpoints", json: registration).status / 100 == 4)
            system.sink.answer([.challenge], then: .status(200))
            let added = try await ada.succeed("POST", "/endpoints", json: registration)
            return try #require(WebhookSecret(added.member("secret")))
        }

        /// Publishes a reading that is too warm, and waits for the alert in the person's unit.
        private static func expectAlert(_ tank: Tank, _ system: TestSystem, _ secret: WebhookSecret) async throws {
            let before = system.sink.received.count
            try await tank.publish(39)
            let request = try #require(try await system.sink.requests(before + 1).last)
            let verdict = secret.verify(
                id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                signatures: request.header("webhook-signature"), body: request.body,
                now: Int64(Date().timeIntervalSince1970))
            #expect(verdict == .valid)
            let text = String(decoding: request.body, as: UTF8.self)
            #expect(text.contains("102.2") && text.contains("75.2"), "\(text)")
        }

        private static func signOut(_ ada: PeopleClient) async throws {
            try await ada.succeed(
                "POST", "/sessions/sign-out", json: #"{"refreshToken":"\#(try #require(ada.refreshToken))"}"#)
            #expect(try await ada.ask("GET", "/devices").status == 401)
        }
    }
}
