import HTTPTypes
import Routes
import ServiceKit
import Testing

@testable import Gateway

@Suite struct OriginTests {
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

    @Test func theRestOfAPathComesLast() {
        var table = PathTable<String>()
        for path in ["/a/{x...}", "/a/b", "/a/{y}/c"] as [RoutePath] { table.update(path) { $0 = path.description } }
        #expect(table.match("/a/b")?.value == "/a/b" && table.match("/a/z/c")?.value == "/a/{y}/c")
        #expect(table.match("/a/z")?.parameters == ["z"])
        let rest = table.match("/a/z/b%28c/d")
        #expect(rest?.value == "/a/{x...}" && rest?.parameters == ["z/b(c/d"])
        for path in ["/a", "/a/", "/a/b/", "/a//b", "/b"] { #expect(table.match(path[...]) == nil) }
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
