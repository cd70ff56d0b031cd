import Foundation
import NIOHTTP1
import Routes
import ServiceKit
import Store
import TestSupport
import Testing

@testable import Gateway

/// Providers that others have written: one for tests, whose keys name no algorithm and whose tokens name no key, and one that houses run.
@Suite(.timeLimit(.minutes(5))) struct RealProviderTests {
    private static let script = Paths.repository.appending(path: "Tests/Gateway/OpenID/Server/provider.py")
        .path(percentEncoded: false)

    /// The provider, and the browser that signs in there.
    private struct Provider: Sendable {
        private struct Start: Decodable { var issuer: String }
        private struct Led: Decodable { var location: String }

        let issuer: String
        private let process: ProcessUnderTest

        init(_ kind: String) async throws {
            process = try ProcessUnderTest.startConversation(Paths.python, [script, kind])
            let line = try await process.line { $0.hasPrefix("{\"issuer\"") }
            issuer = try JSONDecoder().decode(Start.self, from: Data(line.utf8)).issuer
        }

        func stop() async { await process.stop() }

        /// Signs somebody in at an address; where the browser is led in the end, below the service.
        func signIn(_ who: String, at address: String, state: String) async throws -> String {
            try await go(["address": address, "who": who], state: state, backTo: "/oidc/callback?")
        }

        /// Signs out at an address.
        func signOut(at address: String, state: String) async throws -> String {
            try await go(["address": address], state: state, backTo: "/oidc/signed-out?")
        }

        private func go(_ asked: [String: String], state: String, backTo path: String) async throws -> String {
            try process.say(String(decoding: JSONEncoder().encode(asked), as: UTF8.self))
            let line = try await process.line { $0.hasPrefix("{\"location\"") && $0.contains(state) }
            let location = try JSONDecoder().decode(Led.self, from: Data(line.utf8)).location
            let origin = "https://water.example"
            #expect(location.hasPrefix(origin + path), "\(location)")
            return String(location.dropFirst(origin.count))
        }
    }

    @Test(arguments: ["mock", "canaille"])
    func `whoever is linked and in the group gets in, proves themselves again, and signs out there`(
        _ kind: String
    ) async throws {
        let provider = try await Provider(kind)
        do {
            try await visit(provider)
        } catch {
            await provider.stop()
            throw error
        }
        await provider.stop()
    }

    private func visit(_ provider: Provider) async throws {
        var settings = OpenIDSettings(
            issuer: try #require(OpenIDSettings.Issuer(provider.issuer)), clientID: FakeProvider.clientID,
            secret: Renewable(Secret(FakeProvider.secret)), name: "House")
        settings.group = "keepers"
        settings.scopes = "openid profile email groups"
        let adjusting = GatewayUnderTest.adjusting { [settings] in $0.provider = settings }
        try await GatewayUnderTest.with(adjusting) { gateway in
            let ada = try await gateway.person("ada@example.org")
            let links = try await gateway.request(.POST, "/api/v1/account/identities", ada)
            let linked = try await travel(gateway, provider, "ada", links.json?["address"]?.string, links)
            #expect(linked[header: "Location"] == "/settings/account#linked", "\(linked.headers)")
            let start = try await gateway.request(.GET, "/oidc/sign-in")
            let entered = try await travel(gateway, provider, "ada", start[header: "Location"], start)
            #expect(entered[header: "Location"] == "/signed-in", "\(entered.headers)")
            let opened = try await gateway.ask(
                "SELECT account_id, proven_at > now() - interval '5 minutes' FROM session WHERE identity_id IS NOT NULL"
            )
            #expect(opened == "\(ada.account)|t", "both say when somebody proved themselves")
            let ben = try await gateway.request(.GET, "/oidc/sign-in")
            let refused = try await travel(gateway, provider, "ben", ben[header: "Location"], ben)
            #expect(refused[header: "Location"] == "/sign-in#notInGroup", "\(refused.headers)")
            // It proves nothing in the session that linked it, and was linked in an earlier one.
            try await gateway.database.sql("UPDATE account_identity SET made_in = gen_random_uuid()")
            try await gateway.age()
            let proof = try await gateway.request(
                .POST, "/api/v1/sessions/proof/provider", ada, json: ["path": "/devices"])
            let proven = try await travel(gateway, provider, "ada", proof.json?["address"]?.string, proof)
            #expect(proven[header: "Location"] == "/devices", "\(proven.headers)")
            let token: JSON = ["name": "x", "scope": "read"]
            #expect(try await gateway.request(.POST, "/api/v1/tokens", ada, json: token).status == 201)
            let out = try await gateway.request(.GET, "/oidc/sign-out")
            let gone = try await travel(gateway, provider, nil, out[header: "Location"], out)
            #expect(gone[header: "Location"] == "/sign-in#signedOut", "\(gone.headers)")
        }
    }

    /// Goes to the provider, signs in there, and comes back.
    /// - Parameter who: nil: signs out there.
    private func travel(
        _ gateway: GatewayUnderTest, _ provider: Provider, _ who: String?, _ address: String?,
        _ left: GatewayUnderTest.Reply
    ) async throws -> GatewayUnderTest.Reply {
        let address = try #require(address, "\(left.text)")
        let cookie = try #require(left.headers["Set-Cookie"].first { $0.hasPrefix(ProviderScene.cookieName) })
        let query = Query(String(address.drop { $0 != "?" }.dropFirst()))
        let state = try #require(query.parameters.first { $0.name == "state" }?.value)
        let back =
            if let who { try await provider.signIn(who, at: address, state: state) } else {
                try await provider.signOut(at: address, state: state)
            }
        return try await gateway.request(.GET, back, headers: ["Cookie": String(cookie.prefix { $0 != ";" })])
    }
}
