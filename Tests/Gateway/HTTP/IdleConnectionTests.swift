import NIOCore
import NIOHTTP1
import PublicHTTP
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// Ten thousand idle connections from fifty addresses; fewer if a process may not open as many files, because this
/// process has both ends.
@Suite struct IdleConnectionTests {
    private static let crowd = min(10_000, (OpenFiles.most - forOthers) / 2 / perAddress * perAddress)
    /// The files that other tests may open meanwhile, such as a fleet of a thousand devices.
    private static let forOthers = max(2_000, OpenFiles.most / 2)
    /// The limit of one address.
    private static let perAddress = 200

    @Test(.enabled(if: crowd >= 1_000, "this machine lets a process open \(OpenFiles.most) files"))
    func theyLeaveTheGatewayToOthers() async throws {
        // Keeps all connections open together, however slow the machine is; ConnectionTests covers the idle timeout.
        let patient = GatewayUnderTest.adjusting { $0.settings.timeouts.idle = .seconds(3_600) }
        try await withHeavyTurn {
            try await GatewayUnderTest.with(patient) { gateway in
                let ada = try await gateway.person("ada@example.org")
                let crowd = IdleCrowd(port: gateway.port, perAddress: Self.perAddress)
                try await onThread { Result { try crowd.grow(to: Self.crowd) } }.value.get()
                #expect(gateway.metrics.render().contains("\naqua_gateway_connections \(Self.crowd)"))

                // An address at its limit gets no more connections, and others are served.
                for (address, status) in [(1, "503"), (Self.crowd / Self.perAddress + 1, "200")] {
                    let answer = try await onThread { Result { try crowd.answer(fromAddress: address) } }.value.get()
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                }
                #expect(try await gateway.request(.GET, "/api/v1/devices", ada).status == 200)
            }
        }
    }
}
