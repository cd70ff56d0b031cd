import Testing

@testable import TestSupport

@Suite struct ServersTests {
    /// Bound and not listening: what a port looks like that somebody takes after it was chosen.
    @Test func aStartThatLostItsPortIsTriedAgain() async throws {
        let taken = Ports.free()
        let holder = try #require(BoundSocket(port: taken))
        defer { withExtendedLifetime(holder) {} }

        var chosen: [Int] = []
        let servers = try await Servers.start(["--broker-alone"]) {
            // The second is the broker's.
            chosen.append(chosen.count == 1 ? taken : Ports.free())
            return chosen.last ?? 0
        }
        try await servers.stopping {
            #expect(chosen.count == 8)
            let port = try servers.port("MQTT_PORT")
            #expect(port == chosen[5])
        }
    }
}
