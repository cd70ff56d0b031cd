import Foundation
import NIOHTTP1
import Routes
import ServiceKit
import Testing

@testable import Gateway

/// The operator's own map, from its file to what is served.
@Suite struct MapFileTests {
    /// Runs `body` with a map's file.
    private static func withFile(
        _ bytes: [UInt8] = WrittenArchive.bytes, _ body: (String) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "map-\(UUID().uuidString).pmtiles")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        try await body(file.path(percentEncoded: false))
    }

    private static func serving(
        _ path: String, adjust: @escaping GatewayUnderTest.Adjustment = { _ in },
        _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let file = try MapFile(path, attribution: nil)
        let adjusting = GatewayUnderTest.adjusting { configuration in
            configuration.mapFile = file
            try adjust(&configuration)
        }
        try await GatewayUnderTest.with(adjusting, body)
    }

    /// The version in the address of tiles.
    private static func version(_ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person) async throws -> String {
        let map = try await gateway.request(.GET, "/api/v1/map", person)
        let tiles = try #require(map.json?["tiles"]?.string, "\(map.text)")
        return try #require(tiles.split(separator: "=").last.map(String.init))
    }

    /// Another file in the place of the first, as `mv` puts it there.
    private static func replace(_ path: String, by bytes: [UInt8]) throws {
        let other = path + ".next"
        try Data(bytes).write(to: URL(filePath: other))
        try #require(rename(other, path) == 0)
    }

    // MARK: The setting

    private static func faults(_ environment: [String: String]) -> [String] {
        // The other settings are faulty in any case, so faults of the map are listed beside theirs.
        let faults = #expect(throws: ConfigurationFaults.self) {
            _ = try Configuration.read(from: environment, GatewayConfiguration.init(reader:))
        }
        return (faults?.faults ?? []).filter { $0.variable.hasPrefix("AQUA_MAP") }.map {
            "\($0.variable) \($0.problem)"
        }.sorted()
    }

    @Test func theFileIsLookedAtWhenTheServiceStarts() async throws {
        try await Self.withFile { path in
            #expect(Self.faults(["AQUA_MAP_FILE": path]) == [])
            #expect(Self.faults(["AQUA_MAP_FILE": path, "AQUA_MAP_ATTRIBUTION": "© Us"]) == [])
            #expect(Self.faults(["AQUA_MAP_FILE": path, "AQUA_MAP_ATTRIBUTION": "<>"]).count == 1)
            let both = [
                "AQUA_MAP_FILE": path, "AQUA_MAP_TILES": "https://a.example/{z}/{x}/{y}", "AQUA_MAP_ATTRIBUTION": "A",
            ]
            #expect(
                Self.faults(both) == ["AQUA_MAP_FILE is set, and so is AQUA_MAP_TILES: a map comes from one of them"])
        }
        let vector = ArchiveWriter(root: ArchiveWriter.directory([(0, 1, 1, 0)]), type: 1).bytes
        let silent = ArchiveWriter(root: ArchiveWriter.directory([(0, 1, 1, 0)]), metadata: []).bytes
        for (bytes, problem) in [
            (vector, "which holds vector tiles, and a map here is made of PNG, JPEG or WebP"),
            ([], "which is no PMTiles archive"),
            (Array(WrittenArchive.bytes.dropLast()), "which ends before its tile does"),
            (silent, "is not set, and the file of AQUA_MAP_FILE does not name its authors"),
        ] as [([UInt8], String)] {
            try await Self.withFile(bytes) { path in
                let told = Self.faults(["AQUA_MAP_FILE": path])
                #expect(told.count == 1 && told[0].hasSuffix(problem), "\(told)")
            }
        }
        for (path, problem) in [
            ("/nowhere/map.pmtiles", "which cannot be read (No such file or directory)"),
            ("/dev/null", "which is not a regular file"), ("/tmp", "which is not a regular file"),
        ] {
            let told = Self.faults(["AQUA_MAP_FILE": path])
            #expect(told.count == 1 && told[0].hasSuffix(problem), "\(told)")
        }
    }

    // MARK: What is served

    @Test func applicationsAreToldOfTheMap() async throws {
        try await Self.withFile { path in
            try await Self.serving(path) { gateway in
                let person = try await gateway.person("anna@example.com")
                let map = try await gateway.request(.GET, "/api/v1/map", person)
                let version = try await Self.version(gateway, person)
                #expect(map.json?["tiles"]?.string == "/tiles/{z}/{x}/{y}?v=\(version)" && version.count == 16)
                #expect(map.json?["attribution"]?.string == "© Map contributors, B & C")
                #expect(map.json?["attributionLink"]?.string == "https://map.example/copyright")
                let own = map.json?["own"]
                #expect(own?["leastZoom"] == 0 && own?["mostZoom"] == 3 && own?["tileBytes"] == 67, "\(map.text)")
                #expect(try await gateway.request(.GET, "/api/v1/map").status == 401)
            }
        }
    }

    @Test func tilesAreServedToWhoeverShowsAMap() async throws {
        try await Self.withFile { path in
            try await Self.serving(path) { gateway in
                let version = try await Self.version(gateway, try await gateway.person("anna@example.com"))
                let tile = try await gateway.request(.GET, "/tiles/3/5/3?v=\(version)")
                #expect(tile.status == 200 && Array(tile.body) == WrittenArchive.pond)
                #expect(
                    tile[header: "Content-Type"] == "image/png" && tile[header: "X-Content-Type-Options"] == "nosniff")
                #expect(tile[header: "Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(tile[header: "Content-Security-Policy"]?.hasPrefix("sandbox") == true)
                #expect(
                    tile[header: "Cross-Origin-Resource-Policy"] == "same-origin" && tile[header: "Set-Cookie"] == nil)
                let tag = try #require(tile[header: "ETag"])
                let known = try await gateway.request(.GET, "/tiles/3/5/3", headers: ["If-None-Match": tag])
                #expect(known.status == 304 && known.body.isEmpty)
                // An address of no version, or of another, may be asked for again.
                for query in ["", "?v=other"] {
                    let tile = try await gateway.request(.GET, "/tiles/3/5/3" + query)
                    #expect(tile.status == 200 && tile[header: "Cache-Control"] == "public, no-cache")
                }
                for absent in ["2/0/3", "3/0/0", "9/0/0"] {
                    let tile = try await gateway.request(.GET, "/tiles/\(absent)?v=\(version)")
                    #expect(tile.status == 204 && tile.body.isEmpty, "\(absent)")
                    #expect(tile[header: "Cache-Control"] == "public, max-age=31536000, immutable")
                }
                for (other, status) in [
                    ("3/8/0", 404), ("3/0/-1", 422), ("27/0/0", 422), ("a/0/0", 422), ("3/0/0?q=1", 422),
                ] {
                    #expect(try await gateway.request(.GET, "/tiles/\(other)").status == status, "\(other)")
                }
                let head = try await gateway.request(.HEAD, "/tiles/3/5/3")
                #expect(head.status == 200 && head.body.isEmpty && head[header: "ETag"] == tag)
                #expect(try await gateway.request(.POST, "/tiles/3/5/3").status == 405)
            }
        }
    }

    @Test func withoutAFileThereIsNoTile() async throws {
        try await GatewayUnderTest.with { gateway in
            let tile = try await gateway.request(.GET, "/tiles/0/0/0")
            #expect(tile.status == 404)
        }
    }

    @Test func tilesHaveABudgetOfTheirOwn() async throws {
        try await Self.withFile { path in
            let few: GatewayUnderTest.Adjustment = { configuration in
                configuration.settings.rates[.tiles] = GatewaySettings.Rates("tiles", caller: 2, address: 2)
            }
            try await Self.serving(path, adjust: few) { gateway in
                for status in [200, 200, 429] {
                    let tile = try await gateway.request(.GET, "/tiles/0/0/0")
                    #expect(tile.status == status)
                }
                let other = try await gateway.request(.GET, "/api/v1/service")
                #expect(other.status == 200)
            }
        }
    }

    // MARK: A file that changes

    @Test func anotherFileTakesThePlaceOfTheFirst() async throws {
        try await Self.withFile { path in
            try await Self.serving(path) { gateway in
                let person = try await gateway.person("anna@example.com")
                let first = try await Self.version(gateway, person)
                var writer = ArchiveWriter(
                    root: ArchiveWriter.directory([(0, 1, UInt64(Pictures.jpeg.count), 0)]), type: 3)
                writer.tiles = Pictures.jpeg
                try Self.replace(path, by: writer.bytes)
                let second = try await Self.version(gateway, person)
                #expect(first != second)
                let tile = try await gateway.request(.GET, "/tiles/0/0/0?v=\(first)")
                #expect(tile[header: "Content-Type"] == "image/jpeg" && Array(tile.body) == Pictures.jpeg)
                #expect(
                    tile[header: "Cache-Control"] == "public, no-cache",
                    "an address of the first file is no more for ever")
                #expect(try await gateway.request(.GET, "/tiles/3/5/3?v=\(second)").status == 204)
            }
        }
    }

    /// A copy that is under way, or one that failed, gives out nothing; the log says why, once.
    @Test func aFileThatCannotBeReadIsToldAndTriedAgain() async throws {
        try await Self.withFile { path in
            try await Self.serving(path) { gateway in
                #expect(try await gateway.request(.GET, "/tiles/0/0/0").status == 200)
                try Self.replace(path, by: Array(WrittenArchive.bytes.prefix(500)))
                for _ in 1...3 {
                    let tile = try await gateway.request(.GET, "/tiles/0/0/0")
                    #expect(tile.status == 503 && tile[header: "Retry-After"] == "60")
                }
                let told = gateway.log.lines.filter { "\($0.metadata)".contains("ends before its tile does") }
                #expect(told.count == 1, "\(told)")
                try Self.replace(path, by: WrittenArchive.bytes)
                #expect(try await gateway.request(.GET, "/tiles/0/0/0").status == 200)
                try #require(unlink(path) == 0)
                #expect(try await gateway.request(.GET, "/tiles/0/0/0").status == 503)
            }
        }
    }

    /// Rights are no part of a version: what could not be opened is tried again, what is of no use is not.
    @Test func onlyContentThatIsOfNoUseIsNotReadAgain() {
        let passing: [TileFault] = [.unreadable("Permission denied"), .noFile, .changed]
        let lasting: [TileFault] = [.noArchive, .broken(.header), .cutOff(.tile), .unattributed]
        #expect(passing.allSatisfy { !$0.isOfContent })
        #expect(lasting.allSatisfy { $0.isOfContent })
    }

    /// Whoever writes into the file itself gives nobody a part of each version.
    @Test func aFileThatIsWrittenToWhileItIsReadIsNotRead() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "map-\(UUID().uuidString)").path(
            percentEncoded: false)
        defer { unlink(path) }
        try Data(WrittenArchive.bytes).write(to: URL(filePath: path))
        let file = try TileFile(path)
        #expect(try file.read(.header, at: 0, count: 7) == Array("PMTiles".utf8))
        #expect(throws: TileFault.cutOff(.tile)) { try file.read(.tile, at: file.size - 1, count: 2) }
        #expect(truncate(path, 400) == 0)
        #expect(throws: TileFault.changed) { try file.read(.header, at: 0, count: 7) }
        #expect(throws: TileFault.cutOff(.tile)) { try file.read(.tile, at: 500, count: 2) }
    }
}
