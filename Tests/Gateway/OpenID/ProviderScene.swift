import Foundation
import NIOHTTP1
import Routes
import ServiceKit
import Store
import TestSupport
import Testing

@testable import Gateway

/// A gateway with a provider, and the browsers that go between the two.
struct ProviderScene: Sendable {
    let gateway: GatewayUnderTest
    let provider: FakeProvider

    /// Changes what is configured before the start.
    struct Wishes: Sendable {
        var signsUp = false
        var group: String?
        var adminGroup: String?
        var takesPasswords = true
        var limit = Duration.seconds(20)
    }

    static func with(
        _ wishes: Wishes = Wishes(), _ body: @Sendable @escaping (ProviderScene) async throws -> Void
    ) async throws {
        try await WebhookSink.with { sink in
            let provider = FakeProvider(sink)
            var settings = OpenIDSettings(
                issuer: try #require(OpenIDSettings.Issuer(provider.origin)), clientID: FakeProvider.clientID,
                secret: Renewable(Secret(FakeProvider.secret)), name: "Koi Club")
            settings.signsUp = wishes.signsUp
            settings.group = wishes.group
            settings.adminGroup = wishes.adminGroup
            try await GatewayUnderTest.with(
                GatewayUnderTest.adjusting {
                    $0.provider = settings
                    $0.takesPasswords = wishes.takesPasswords
                    $0.settings.providerLimit = wishes.limit
                }
            ) { gateway in
                try await body(ProviderScene(gateway: gateway, provider: provider))
            }
        }
    }

    /// A browser on its way to the provider.
    struct Departed: Sendable {
        /// What the provider is asked for.
        let query: [String: String]
        var cookie: String
        var state: String { query["state"] ?? "" }
    }

    static let cookieName = "__Host-aqua_departure"

    func leave(client: String? = nil, headers: HTTPHeaders = [:]) async throws -> Departed {
        let path = "/oidc/sign-in" + (client.map { "?client=\($0)" } ?? "")
        let reply = try await gateway.request(.GET, path, headers: headers)
        #expect(reply.status == 303, "\(reply.text)")
        return try departed(reply[header: "Location"], reply)
    }

    /// By a route that answers with the address.
    func leave(_ path: String, _ person: GatewayUnderTest.Person, json: JSON? = nil) async throws -> Departed {
        let reply = try await gateway.request(.POST, "/api/v1\(path)", person, json: json)
        #expect(reply.status == 200, "\(reply.text)")
        return try departed(reply.json?["address"]?.string, reply)
    }

    private func departed(_ address: String?, _ reply: GatewayUnderTest.Reply) throws -> Departed {
        let address = try #require(address)
        let start = "\(provider.origin)/authorize?"
        #expect(address.hasPrefix(start), "\(address)")
        let cookie = try #require(reply.headers["Set-Cookie"].first { $0.hasPrefix(Self.cookieName) })
        #expect(cookie.hasSuffix("; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax"))
        let query = Query(String(address.dropFirst(start.count)))
        return Departed(
            query: Dictionary(query.parameters.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 }),
            cookie: String(cookie.prefix { $0 != ";" }))
    }

    /// Brings a code back.
    /// - Parameter more: Further parameters, in the form of a query.
    func comeBack(
        _ departed: Departed, code: String? = nil, state: String? = nil, cookie: String? = nil, more: String = ""
    ) async throws -> GatewayUnderTest.Reply {
        let code = code ?? provider.code(for: departed.query)
        return try await gateway.request(
            .GET, "/oidc/callback?code=\(code)&state=\(state ?? departed.state)\(more)",
            headers: ["Cookie": cookie ?? departed.cookie])
    }

    /// Goes there and back.
    func signIn(client: String? = nil) async throws -> GatewayUnderTest.Reply {
        try await comeBack(leave(client: client))
    }

    /// The person of a session that was opened.
    func person(_ reply: GatewayUnderTest.Reply) async throws -> GatewayUnderTest.Person {
        let name = "__Host-aqua_refresh="
        let cookie = try #require(reply.headers["Set-Cookie"].first { $0.hasPrefix(name) }, "\(reply.headers)")
        #expect(cookie.contains("; HttpOnly; SameSite=Strict"))
        let token = cookie.dropFirst(name.count).prefix { $0 != ";" }
        let tokens = try signedIn(try await renew(gateway, String(token)))
        let session = try #require(SessionID(tokens.session))
        let account = try #require(
            Int64(try await gateway.ask("SELECT account_id FROM session WHERE session_id = '\(tokens.session)'")))
        let email = try await gateway.ask("SELECT email FROM account WHERE account_id = \(account)")
        return GatewayUnderTest.Person(account: account, email: email, session: session, token: tokens.accessToken)
    }

    /// Links who the provider says that somebody is.
    func link(_ person: GatewayUnderTest.Person) async throws {
        let reply = try await comeBack(leave("/account/identities", person))
        #expect(reply[header: "Location"] == "/settings/account#linked", "\(reply.headers)")
    }
}
