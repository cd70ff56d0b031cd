import HTTPTypes
import PushTargets
import Routes
import ServiceKit
import Testing

@testable import Gateway

@Suite struct RateLimiterTests {
    @Test func aBucketHoldsItsQuotaAndFillsUpEvenly() {
        let limiter = RateLimiter<Int>(RatePolicy("test", quota: 3, window: .seconds(60)))
        let start = ContinuousClock.now
        #expect((0..<3).map { _ in limiter.take(1, at: start).remaining } == [2, 1, 0])
        let refused = limiter.take(1, at: start)
        #expect(!refused.isAllowed)
        #expect(refused.wait == .seconds(20))
        #expect(limiter.take(2, at: start).isAllowed)
        #expect(!limiter.take(1, at: start + .seconds(19)).isAllowed)
        #expect(limiter.take(1, at: start + .seconds(20)).isAllowed)
        #expect(!limiter.take(1, at: start + .seconds(20)).isAllowed)
        #expect(limiter.take(1, at: start + .seconds(300)).remaining == 2)
    }

    @Test func itsMemoryIsBoundedAndAnEmptyBucketIsNotForgottenAtOnce() {
        let limiter = RateLimiter<Int>(RatePolicy("test", quota: 1), generation: 10)
        let start = ContinuousClock.now
        #expect(limiter.take(-1, at: start).isAllowed)
        for key in 0..<10 { _ = limiter.take(key, at: start) }
        #expect(!limiter.take(-1, at: start).isAllowed)
        for key in 0..<1000 { _ = limiter.take(key, at: start) }
        #expect(limiter.keyCount <= 20)
    }
}

@Suite struct AddressTests {
    @Test(arguments: [
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", [String](), "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["1.2.3.4, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["1.2.3.4", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["1.2.3.4, unknown"], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
    ])
    func theClientIsTheLastAddressThatIsNoProxy(peer: String, forwarded: [String], client: String) throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8"))
        let address = proxies.client(of: try #require(IPAddress(peer)), forwarded: forwarded)
        #expect(address.text == client)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7/32"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
    ])
    func aClientIsWhatOneConnectionIsGiven(address: String, network: String) throws {
        #expect(ClientAddress(try #require(IPAddress(address))).network.description == network)
    }

    @Test(arguments: [
        ("https://Water.example/", "https://water.example", true),
        ("http://localhost:8080", "http://localhost:8080", false),
        ("https://water.example:443", "https://water.example", true), ("http://[::1]:80", "http://[::1]", false),
    ])
    func anOriginIsReadAsBrowsersWriteIt(text: String, origin: String, isSecure: Bool) throws {
        let read = try #require(PublicOrigin(text))
        #expect(read.text == origin)
        #expect(read.isSecure == isSecure)
    }

    @Test(arguments: [
        "water.example", "ftp://a", "https://", "https://a/b", "https://a b", "https://u@a", "https://:80",
    ])
    func whatIsNoOriginIsRefused(text: String) {
        #expect(PublicOrigin(text) == nil)
    }

    @Test func anotherSiteMayNotUseACookie() throws {
        let origin = try #require(PublicOrigin("https://water.example"))
        let fine: [HTTPFields] = [
            [:], [.secFetchSite: "same-origin"], [.secFetchSite: "none"], [.origin: "https://water.example"],
        ]
        for headers in fine { #expect(throws: Never.self) { try requireSameOrigin(headers, origin) } }
        let foreign: [HTTPFields] = [
            [.secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [.origin: "https://evil.example"],
            [.origin: "null"], [.secFetchSite: "cross-site", .origin: "https://water.example"],
        ]
        for headers in foreign { #expect(throws: Problem.self) { try requireSameOrigin(headers, origin) } }
    }
}

@Suite struct PathTableTests {
    @Test func aLiteralGoesBeforeAParameterAndNothingIsLost() {
        var table = PathTable<String>()
        let paths: [RoutePath] = ["/a", "/a/{x}", "/a/b", "/a/b/c", "/a/{x}/d", "/{y}/b/d"]
        for path in paths { table.update(path) { $0 = path.description } }
        func found(_ path: String) -> String? { table.match(path[...])?.value }
        #expect(found("/a") == "/a")
        #expect(found("/a/b") == "/a/b")
        #expect(found("/a/z") == "/a/{x}")
        #expect(found("/a/b/d") == "/a/{x}/d")
        #expect(found("/z/b/d") == "/{y}/b/d")
        #expect(found("/a/b/c") == "/a/b/c")
        for path in ["", "a", "/", "/a/", "/a//b", "/b", "/a/b/e"] { #expect(found(path) == nil) }
        #expect(table.match("/a/x%2Fy/d")?.parameters == ["x/y"])
    }
}

@Suite struct GatewayConfigurationTests {
    @Test func everyFaultIsToldAtOnce() throws {
        let faults = #expect(throws: ConfigurationFaults.self) {
            _ = try Configuration.read(
                from: [
                    "AQUA_DATABASE_URL": "postgresql://aqua_gateway@localhost/aqua", "AQUA_SIGN_UP": "maybe",
                    "AQUA_TRUSTED_PROXIES": "everyone", "AQUA_PUBLIC_URL": "water", "AQUA_PEOPLE_LISTEN": "8080",
                ], GatewayConfiguration.init(reader:))
        }
        #expect(
            Set(try #require(faults).faults.map(\.variable)) == [
                "AQUA_SECRET_KEY_FILE", "AQUA_TOKEN_KEY_FILE", "AQUA_SIGN_UP", "AQUA_TRUSTED_PROXIES",
                "AQUA_PUBLIC_URL", "AQUA_PEOPLE_LISTEN",
            ])
    }
}
