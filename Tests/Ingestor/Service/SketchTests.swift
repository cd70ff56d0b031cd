import Foundation
import MQTTFleet
import TestSupport
import Testing

@testable import Ingestor

/// The sketch of `deploy/firmware`, compiled against stand-ins for its libraries, with the real broker and Ingestor.
@Suite(.serialized) struct SketchTests {
    /// Compiles a program of `Tests/Firmware/Host`.
    /// - Parameter isWatched: Whether what C++ leaves undefined ends it.
    static func compile(_ source: String, into directory: URL, isWatched: Bool = false) async throws -> String {
        let host = Paths.repository.appending(path: "Tests/Firmware/Host").path(percentEncoded: false)
        let program = directory.appending(path: source).path(percentEncoded: false)
        try await ProcessUnderTest.run(
            "/usr/bin/g++",
            [
                "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I\(host)", "\(host)/\(source).cpp", "-o", program,
                "-lmosquitto", "-lpthread",
            ] + (isWatched ? ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] : []))
        return program
    }

    /// Power failures within a line, a full flash, receipts that come late or belong to another run.
    @Test func theQueueKeepsItsPromises() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let found = try await ProcessUnderTest.start(Self.compile("queue", into: directory))
            #expect(await found.end == .exit(0), "\(found.output.all)")
        }
    }

    /// Messages that are cut, limits without a network, lines, the light, the buzzer and the button.
    @Test func theDisplayKeepsItsPromises() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let found = try await ProcessUnderTest.start(Self.compile("display", into: directory))
            #expect(await found.end == .exit(0), "\(found.output.all)")
        }
    }

    /// Settings, packets, commands, requests and pages of the set-up, and what becomes of bytes that are none of them.
    @Test func theSetUpKeepsItsPromises() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let found = try await ProcessUnderTest.start(Self.compile("setup", into: directory, isWatched: true))
            #expect(await found.end == .exit(0), "\(found.output.all)")
        }
    }

    /// The status has what is known, and no more than an Ingestor reads.
    @Test func whatItSaysOfItselfIsWhole() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let found = try await ProcessUnderTest.start(Self.compile("life", into: directory))
            #expect(await found.end == .exit(0), "\(found.output.all)")
        }
    }

    /// Readings survive a lost network, a power failure and a dead Ingestor, and each counts once.
    @Test func everyReadingCountsOnce() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let sketch = try await Self.compile("host", into: directory)
            try await ServiceFixture.with { fixture in
                try await FaultyLink.with { link in
                    try link.lead(to: fixture.cluster.broker.port)
                    func start(first: Int, readings: Int) throws -> ProcessUnderTest {
                        try ProcessUnderTest.start(
                            sketch,
                            environment: [
                                "BROKER_HOST": "127.0.0.1", "BROKER_PORT": "\(link.port)", "DEVICE_ID": "tank-1",
                                "DEVICE_KEY": ServiceFixture.deviceKey,
                                "FLASH": directory.path(percentEncoded: false), "FIRST": "\(first)",
                                "READINGS": "\(readings)",
                            ])
                    }
                    let ingestor = try await fixture.startIngestor()
                    let device = try start(first: 0, readings: 100)
                    try await fixture.store.await("(SELECT count(*) FROM sample) >= 10")
                    try await fixture.store.await(
                        "EXISTS (SELECT FROM device_life WHERE version IS NOT NULL AND signal = -67 AND reset = 'poweron')"
                    )
                    // First packets vanish, then the connection does.
                    link.set(.blackHole)
                    try await device.line { $0.hasPrefix("measured") }
                    link.set(.refuse)
                    link.reset()
                    device.signal(SIGKILL)
                    _ = await device.end
                    ingestor.signal(SIGKILL)
                    _ = await ingestor.end
                    #expect(try await fixture.store.count("count(*) FROM sample") < 100)

                    link.set(.pass)
                    let again = try start(first: 100, readings: 100)
                    // The broker has acknowledged everything sent, but nothing is committed: the device keeps all of
                    // it.
                    let waiting = try await again.line { $0.hasPrefix("measured") }
                    let count = try #require(waiting.firstMatch(of: /([0-9]+) waiting/).flatMap { Int($0.output.1) })
                    #expect(count >= 100)
                    let successor = try await fixture.startIngestor()
                    try await again.line { $0 == "delivered" }
                    #expect(await again.end == .exit(0))
                    try await fixture.expectEachOnce(200)
                    #expect(try await fixture.store.count("count(DISTINCT temperature) FROM sample") == 200)
                    #expect(await successor.stop() == .exit(0))
                }
            }
        }
    }
}
