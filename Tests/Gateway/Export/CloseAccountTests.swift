import NIOHTTP1
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Closing an account needs the password again, and leaves nothing.
@Suite(.timeLimit(.minutes(10))) struct CloseAccountTests {
    private static let path = "/api/v1/account/close"

    private func password(_ text: String) -> JSON { .object([.init("password", .string(text))]) }

    @Test func aClosedAccountIsGoneAndItsDevicesAreFree() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            let slot = Int(Slot(of: try #require(Device.HardwareID("tank-1"))).rawValue)
            try await gateway.link("tank-1", slot: slot, to: anna)
            try await gateway.link("tank-1", slot: slot, to: bob, role: "watcher")
            let token = try await gateway.personalToken(anna, scope: "write")
            let wrong = try await gateway.request(.POST, Self.path, anna, json: password("not my password at all"))
            #expect(wrong.status >= 400 && wrong.code == "wrong-password")
            #expect(try await gateway.ask("SELECT count(*) FROM account") == "2")

            let closed = try await gateway.request(
                .POST, Self.path, anna, json: password(GatewayUnderTest.Person.password))
            #expect(closed.status == 200)
            #expect(closed.json?["devices"]?[0]?["device"]?.string == "tank-1")
            #expect(closed.json?["devices"]?[0]?["claimCode"]?.string?.isEmpty == false)
            #expect(try await gateway.ask("SELECT string_agg(email, ',') FROM account") == "bob@example.com")
            #expect(try await gateway.ask("SELECT count(*) FROM ownership WHERE unlinked_at IS NULL") == "0")
            #expect(try await gateway.request(.GET, "/api/v1/account", anna).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", bob).status == 200)

            // The code that was shown links the device again.
            let code = try #require(closed.json?["devices"]?[0]?["claimCode"]?.string)
            let linked = try await gateway.request(
                .POST, "/api/v1/devices", bob,
                json: .object([.init("claimCode", .string(code)), .init("name", .string("Koi"))]))
            #expect(linked.status == 201)
        }
    }

    @Test func aPersonalTokenClosesNothing() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            let token = try await gateway.personalToken(anna, scope: "write")
            let refused = try await gateway.request(
                .POST, Self.path, token: token, json: password(GatewayUnderTest.Person.password))
            #expect(refused.status == 403)
            #expect(try await gateway.ask("SELECT count(*) FROM account") == "1")
        }
    }
}
