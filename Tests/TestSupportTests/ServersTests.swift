import Glibc
import Testing

@testable import TestSupport

@Suite struct ServersTests {
    /// Bound and not listening: what a port looks like that somebody takes after it was chosen.
    @Test func aStartThatLostItsPortIsTriedAgain() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let taken = Ports.free()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(taken).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound)

        var chosen: [Int] = []
        let servers = try await Servers.start(["--broker-alone"]) {
            // The second is the broker's.
            chosen.append(chosen.count == 1 ? taken : Ports.free())
            return chosen.last ?? 0
        }
        try await servers.stopping {
            #expect(chosen.count == 6)
            let port = try servers.port("MQTT_PORT")
            #expect(port == chosen[4])
        }
    }
}
