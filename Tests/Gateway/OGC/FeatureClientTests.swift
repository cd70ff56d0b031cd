import Foundation
import PublicHTTP
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// Programs of others read the features of a gateway, and compare.
@Suite(.timeLimit(.minutes(10))) struct FeatureClientTests {
    /// The root, and a personal token that may read.
    private static func with(_ body: @Sendable @escaping (String, String) async throws -> Void) async throws {
        let port = Ports.free()
        let origin = try #require(PublicOrigin("http://127.0.0.1:\(port)"))
        let adjust = GatewayUnderTest.adjusting { configuration in
            configuration.address = HostAndPort(host: "127.0.0.1", port: port)
            configuration.origin = origin  // links lead to where the programs found it
        }
        try await withHeavyTurn {
            try await GatewayUnderTest.with(adjust) { gateway in
                let ada = try await gateway.person("ada@example.com")
                try await gateway.link("pond-1", to: ada)
                try await gateway.database.sql(FeatureScene.rows)
                try await body("\(gateway.url)\(OGCFeatures.base)", try await gateway.personalToken(ada, scope: "read"))
            }
        }
    }

    private static func script(_ name: String) -> String {
        Paths.repository.appending(path: "Tests/Standards/\(name)").path(percentEncoded: false)
    }

    private static func isThere(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    @Test func `OWSLib and GDAL find the same features, and the description is valid`() async throws {
        guard Self.isThere(Paths.python), Self.isThere("/usr/bin/ogr2ogr") else {
            return withKnownIssue("There is no OWSLib, or no GDAL; deploy/test installs them") {
                Issue.record("not tried")
            }
        }
        try await Self.with { root, token in
            let found = try await ProcessUnderTest.run(Paths.python, [Self.script("features.py"), root, token])
            #expect(
                found == """
                    sites site-weir
                    devices pond-1
                    observations pond-1.temperature site-weir.nitrate.hand
                    samples \(FeatureScene.samples.joined(separator: " "))
                    """)
        }
    }

    @Test func `the tests of the standard pass, all of them`() async throws {
        guard Self.isThere(Paths.ogcPython) else {
            return withKnownIssue("There is no ogctests; deploy/test installs it") { Issue.record("not tried") }
        }
        try await Self.with { root, token in
            let suite = try ProcessUnderTest.start(Paths.ogcPython, [Self.script("conformance.py"), root, token])
            let end = await suite.end
            let output = suite.output.all.joined(separator: "\n")
            #expect(end == .exit(0) && output.contains("29 passed"), "\(output)\n\(suite.tail)")
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["AQUA_QGIS_PYTHON"] != nil, "deploy/standards runs it"))
    func `QGIS opens the collections as layers`() async throws {
        let python = try #require(ProcessInfo.processInfo.environment["AQUA_QGIS_PYTHON"])
        try await Self.with { root, token in
            let layers = Layer.allCases.map(\.rawValue)
            let found = try await ProcessUnderTest.run(python, [Self.script("qgis.py"), root, token] + layers)
            let lines = found.split(separator: "\n")
            for expected in ["sites 1 1", "devices 1 0", "observations 2 1", "samples 2 2"] {
                #expect(lines.contains { $0 == expected }, "\(expected): \(found)")
            }
        }
    }
}
