import NIOHTTP1
import Routes
import ServiceKit
import Testing

@testable import Gateway

@Suite struct MapTilesTests {
    private static let template = "https://tile.example:8443/v1/{z}/{x}/{y}.png?key=a1"
    private static let attribution = "© Map contributors <https://map.example/copyright>"

    private static func tiles(_ template: String = template) throws -> MapTiles {
        let named = try #require(MapTiles.Attribution(attribution))
        return try #require(MapTiles(template, attribution: named))
    }

    // MARK: The setting

    @Test func aTemplateNamesItsOrigin() throws {
        let tiles = try Self.tiles()
        #expect(tiles.origin == "https://tile.example:8443")
        let plain = try Self.tiles("https://Tile.Example:443/{y}/{x}/{z}")
        #expect(plain.origin == "https://tile.example")
    }

    @Test(arguments: [
        "http://tile.example/{z}/{x}/{y}.png", "https://tile.example/{z}/{x}.png",
        "https://tile.example/{z}/{x}/{y}/{y}",
        "https://{s}.tile.example/{z}/{x}/{y}.png", "https://tile.example/{z}/{x}/{y}{r}.png", "https:///{z}/{x}/{y}",
        "https://a:b@tile.example/{z}/{x}/{y}", "https://tile.example;script-src/{z}/{x}/{y}",
        "https://tile.example /{z}/{x}/{y}", "https://tile.example/{z}/{x}/{y};", "https://tile.example/{z}/{x}/y}",
        "https://tile.example/{z/{x}/{y}", "https://tile.example:0/{z}/{x}/{y}", "https://tile.example:x/{z}/{x}/{y}",
        "https://*/{z}/{x}/{y}", "https://*.example/{z}/{x}/{y}", "//tile.example/{z}/{x}/{y}",
        "https://tile.example?{z}/{x}/{y}", "https://tile.example/{z}/{x}/{y}\r\nX: y",
        "https://tile.example/{z}/{x}/{y}#a",
    ])
    func whatIsNoTemplateIsRefused(text: String) throws {
        let attribution = try #require(MapTiles.Attribution("A"))
        #expect(MapTiles(text, attribution: attribution) == nil)
    }

    @Test func anAttributionMayLeadSomewhere() throws {
        let linked = try #require(MapTiles.Attribution(Self.attribution))
        #expect(linked.text == "© Map contributors")
        #expect(linked.link == "https://map.example/copyright")
        let plain = try #require(MapTiles.Attribution("© Map contributors"))
        #expect(plain.link == nil)
    }

    @Test(arguments: [
        "<https://map.example>", "A <http://map.example>", "A <javascript:alert(1)>", "A <https://map.example", "A > B",
        "A <https://map.example> B", "A\nB", "A <https://>", String(repeating: "a", count: 201),
    ])
    func whatIsNoAttributionIsRefused(text: String) {
        #expect(MapTiles.Attribution(text) == nil)
    }

    @Test(arguments: [
        (["AQUA_MAP_TILES": template], ["AQUA_MAP_ATTRIBUTION"]),
        (["AQUA_MAP_ATTRIBUTION": attribution], ["AQUA_MAP_ATTRIBUTION"]),
        (
            ["AQUA_MAP_TILES": "tile.example", "AQUA_MAP_ATTRIBUTION": "<>"],
            ["AQUA_MAP_ATTRIBUTION", "AQUA_MAP_TILES"]
        ),
        (["AQUA_MAP_TILES": template, "AQUA_MAP_ATTRIBUTION": attribution], []),
        (["AQUA_MAP_TILES": "", "AQUA_MAP_ATTRIBUTION": ""], []),
    ])
    func bothAreSetOrNeither(environment: [String: String], faulty: [String]) throws {
        // The other settings are faulty in any case, so faults of the map are listed beside theirs.
        let faults = #expect(throws: ConfigurationFaults.self) {
            _ = try Configuration.read(from: environment, GatewayConfiguration.init(reader:))
        }
        let told = try #require(faults).faults.map(\.variable).filter { $0.hasPrefix("AQUA_MAP") }
        #expect(told.sorted() == faulty)
    }

    // MARK: Permissions of the app

    private static func serving(
        _ tiles: MapTiles?, _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let app = try WebApp(files: ["/index.html": Array("<!doctype html>".utf8)], tiles: tiles)
        let adjust = GatewayUnderTest.adjusting { configuration in
            configuration.tiles = tiles
            configuration.app = app
        }
        try await GatewayUnderTest.with(adjust, body)
    }

    private static func pictures(_ gateway: GatewayUnderTest) async throws -> String? {
        let reply = try await gateway.request(.GET, "/")
        let policy = try #require(reply[header: "Content-Security-Policy"])
        #expect(reply[header: "Referrer-Policy"] == "no-referrer")
        return policy.split(separator: ";").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("img-src") }.map(
            String.init)
    }

    @Test func thePolicyNamesTheOriginOfTheTiles() async throws {
        try await Self.serving(Self.tiles()) { gateway in
            let pictures = try await Self.pictures(gateway)
            #expect(pictures == "img-src 'self' https://tile.example:8443")
            let person = try await gateway.person("anna@example.com")
            let map = try await gateway.request(.GET, "/api/v1/map", person)
            #expect(map.status == 200)
            #expect(map.json?["tiles"]?.string == Self.template)
            #expect(map.json?["attribution"]?.string == "© Map contributors")
            #expect(map.json?["attributionLink"]?.string == "https://map.example/copyright")
        }
    }

    @Test func withoutTheSettingNobodyElseIsAsked() async throws {
        try await Self.serving(nil) { gateway in
            let pictures = try await Self.pictures(gateway)
            #expect(pictures == "img-src 'self'")
            let person = try await gateway.person("anna@example.com")
            let map = try await gateway.request(.GET, "/api/v1/map", person)
            #expect(map.status == 200)
            #expect(map.json?["tiles"] == .null)
            #expect(map.json?["attribution"] == .null)
        }
    }

    /// A device keeps the app with its policy, so another map has to make another version.
    @Test func anotherMapIsAnotherVersion() throws {
        let files = ["/index.html": Array("<!doctype html>".utf8)]
        let other = try Self.tiles("https://other.example/{z}/{x}/{y}.png")
        let versions = try [nil, Self.tiles(), other].map { try WebApp(files: files, tiles: $0).version }
        #expect(Set(versions).count == 3)
    }

    /// The address of tiles may contain the operator's key.
    @Test func whoIsNotSignedInIsNotTold() async throws {
        try await Self.serving(Self.tiles()) { gateway in
            let reply = try await gateway.request(.GET, "/api/v1/map")
            #expect(reply.status == 401)
            #expect(!reply.text.contains("tile.example"))
        }
    }
}
