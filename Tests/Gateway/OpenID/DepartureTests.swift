import Instants
import PushTargets
import Routes
import ServiceKit
import Store
import Testing

@testable import Gateway

/// The way to the provider and back, without either.
@Suite struct DepartureTests {
    private static let now = Timestamp(unixSeconds: Int64(1_800_000_000))
    private static let issuer = OpenIDSettings.Issuer("https://id.example/realms/house")!
    private static let description: [String: JSON] = [
        "issuer": "https://id.example/realms/house", "authorization_endpoint": "https://id.example/authorize?tenant=1",
        "token_endpoint": "https://id.example/token", "jwks_uri": "https://keys.example/set",
    ]

    private static func metadata(_ changes: [String: JSON?] = [:]) throws(OpenIDFault) -> ProviderMetadata {
        var all = description
        for (name, value) in changes { all[name] = value }
        return try ProviderMetadata(.object(all.map { JSON.Member($0.key, $0.value) }), of: issuer)
    }

    @Test func `a departure is read as it was written`() {
        let purposes: [Departure.Purpose] = [
            .signIn(client: ClientID(rawValue: 7), timeZone: "Europe/Berlin"), .signIn(client: nil, timeZone: "UTC"),
            .link(SessionID(rawValue: 8)), .proof(SessionID(rawValue: 9), path: "/settings/account"),
        ]
        for purpose in purposes {
            let departure = Departure(purpose, at: Self.now)
            #expect(Departure(bytes: departure.bytes) == departure)
        }
        #expect(Departure(bytes: Array("{}".utf8)) == nil && Departure(bytes: []) == nil)
        let (one, other) = (Departure(purposes[0], at: Self.now), Departure(purposes[0], at: Self.now))
        #expect(Set([one.state, one.nonce, one.verifier, other.state, other.nonce, other.verifier]).count == 6)
        #expect(one.verifier.utf8.count == 43 && one.challenge.utf8.count == 43)
    }

    @Test func `nothing but the answer to this departure is taken`() throws {
        let departure = Departure(.signIn(client: nil, timeZone: "UTC"), at: Self.now)
        let (plain, naming) = (
            try Self.metadata(), try Self.metadata(["authorization_response_iss_parameter_supported": true])
        )
        func obstacle(
            _ code: String? = "c", state: String? = nil, issuer: String? = nil, error: String? = nil,
            after: Duration = .seconds(1), from metadata: ProviderMetadata
        ) -> SignInObstacle? {
            let brought = Return(code: code, state: state ?? departure.state, issuer: issuer, error: error)
            do throws(SignInObstacle) {
                _ = try brought.code(of: departure, from: metadata, at: Self.now + after)
                return nil
            } catch {
                return error
            }
        }
        #expect(obstacle(from: plain) == nil)
        #expect(obstacle(issuer: plain.issuer, from: naming) == nil)
        #expect(obstacle(state: "other", error: "access_denied", from: plain) == .lost)
        #expect(obstacle(state: "", from: plain) == .lost)
        #expect(obstacle(after: Departure.lifetime, from: plain) == .lost)
        #expect(obstacle(after: .seconds(-1), from: plain) == .lost)
        // Another provider's answer, and one that hides whose it is (RFC 9207).
        #expect(obstacle(issuer: "https://evil.example", from: plain) == .refused)
        #expect(obstacle(issuer: "https://evil.example", from: naming) == .refused)
        #expect(obstacle(from: naming) == .refused)
        #expect(obstacle(error: "access_denied", from: plain) == .declined)
        #expect(obstacle(nil, from: plain) == .declined)
    }

    @Test func `the provider is asked with everything that binds its answer`() throws {
        var settings = OpenIDSettings(issuer: Self.issuer, clientID: "aqua & co", name: "Koi Club")
        settings.scopes = "openid groups"
        let request = AuthorizationRequest(
            metadata: try Self.metadata(), settings: settings, origin: PublicOrigin("https://water.example")!,
            language: "de")
        let departure = Departure(.link(SessionID(rawValue: 1)), at: Self.now)
        let address = try #require(request.address(of: departure))
        #expect(
            address
                == "https://id.example/authorize?tenant=1&response_type=code&client_id=aqua%20%26%20co"
                + "&redirect_uri=https%3A%2F%2Fwater.example%2Foidc%2Fcallback&scope=openid%20groups"
                + "&state=\(departure.state)&nonce=\(departure.nonce)&code_challenge=\(departure.challenge)"
                + "&code_challenge_method=S256&ui_locales=de")
        let again = request.address(of: Departure(.proof(SessionID(rawValue: 1), path: "/"), at: Self.now))
        #expect(again?.hasSuffix("&prompt=login&max_age=60") == true)
        #expect(!address.contains(departure.verifier))
    }

    @Test func `the provider is asked to sign out without a token, where it says that it does`() throws {
        let settings = OpenIDSettings(issuer: Self.issuer, clientID: "aqua", name: "Koi Club")
        let origin = try #require(PublicOrigin("https://water.example"))
        let departure = Departure(.signOut, at: Self.now)
        func address(_ changes: [String: JSON?]) throws -> String? {
            AuthorizationRequest(
                metadata: try Self.metadata(changes), settings: settings, origin: origin, language: "ja"
            ).address(of: departure)
        }
        #expect(
            try address(["end_session_endpoint": "https://id.example/out?tenant=1"])
                == "https://id.example/out?tenant=1&client_id=aqua"
                + "&post_logout_redirect_uri=https%3A%2F%2Fwater.example%2Foidc%2Fsigned-out"
                + "&state=\(departure.state)&ui_locales=ja")
        #expect(try address([:]) == nil)
        #expect(try address(["end_session_endpoint": "http://id.example/out"]) == nil)
        #expect(Departure(bytes: departure.bytes) == departure)
    }

    @Test func `a description is the configured provider's, and leads over no open line`() throws {
        #expect(try Self.metadata(["issuer": "https://id.example/realms/house/"]).issuer.hasSuffix("/"))
        let faulty: [[String: JSON?]] = [
            ["issuer": "https://id.example/realms/other"], ["issuer": .some(nil)],
            ["token_endpoint": "http://id.example/token"], ["token_endpoint": .some(nil)],
            ["authorization_endpoint": "javascript:alert(1)"], ["jwks_uri": "file:///etc/passwd"],
            ["jwks_uri": "https://user:secret@id.example/"],
        ]
        for changes in faulty { #expect(throws: OpenIDFault.badMetadata, "\(changes)") { try Self.metadata(changes) } }
        #expect(try Self.metadata(["userinfo_endpoint": "http://id.example/me"]).userInfo == nil)
        #expect(try Self.metadata(["token_endpoint_auth_methods_supported": ["client_secret_post"]]).takesSecretInForm)
        #expect(try !Self.metadata().takesSecretInForm)
    }

    @Test(arguments: [
        ("https://id.example", true), ("https://id.example/", true), ("http://127.0.0.1:9400", true),
        ("http://id.example", false), ("https://id.example?x=1", false), ("https://id.example#x", false),
        ("id.example", false), ("https://u:p@id.example", false), ("", false),
    ])
    func `an issuer is an address of the operator's`(text: String, isOne: Bool) {
        #expect((OpenIDSettings.Issuer(text) != nil) == isOne)
    }

    @Test(arguments: [
        ("/", true), ("/settings/account", true), ("/devices/pond-1", true), ("//evil.example", false),
        ("https://evil.example", false), ("/\\evil.example", false), ("/a?b", false), ("/a#b", false), ("", false),
        ("/\r\nSet-Cookie: a=b", false),
    ])
    func `the way back is a page of the app`(path: String, isOne: Bool) {
        #expect(IdentityRoutes.isPage(path) == isOne)
    }
}
