import Foundation
import Testing

@testable import TestSupport

@Suite struct ServersTests {
    /// A port that another process binds between the choice and the start; it does not listen. The failed start leaves
    /// no files.
    @Test func aStartThatLostItsPortIsTriedAgain() async throws {
        // The services' user passes through this directory.
        let parent = "/tmp/aqua-test-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: parent) }

        let taken = Ports.free()
        let holder = try #require(BoundSocket(port: taken))
        defer { withExtendedLifetime(holder) {} }

        var chosen: [Int] = []
        let servers = try await Servers.start(["--broker-alone"], in: parent) {
            // The second port is the broker's.
            chosen.append(chosen.count == 1 ? taken : Ports.free())
            return chosen.last ?? 0
        }
        try await servers.stopping {
            #expect(chosen.count == 8)
            let port = try servers.port("MQTT_PORT")
            #expect(port == chosen[5])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == [])
    }
}
