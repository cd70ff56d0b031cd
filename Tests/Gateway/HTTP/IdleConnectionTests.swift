import NIOCore
import NIOHTTP1
import PublicHTTP
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// Ten thousand connections that do nothing, from fifty places; fewer where a process may not open so many files, for both
/// ends are this process's.
@Suite struct IdleConnectionTests {
    private static let crowd = min(10_000, (OpenFiles.most - forOthers) / 2 / perAddress * perAddress)
    /// What other tests may open meanwhile, such as a fleet of a thousand devices.
    private static let forOthers = max(2_000, OpenFiles.most / 2)
    /// What one place may have.
    private static let perAddress = 200

    @Test(.enabled(if: crowd >= 1_000, "this machine lets a process open \(OpenFiles.most) files"))
    func theyLeaveTheGatewayToOthers() async throws {
        // All are there together however slow the machine is; that silence ends a connection is ConnectionTests' subject.
        let patient = GatewayUnderTest.adjusting { $0.settings.timeouts.idle = .seconds(3_600) }
        try await withHeavyTurn {
            try await GatewayUnderTest.with(patient) { gateway in
                let ada = try await gateway.person("ada@example.org")
                let crowd = IdleCrowd(port: gateway.port, perAddress: Self.perAddress)
                try await onThread { Result { try crowd.grow(to: Self.crowd) } }.value.get()
                #expect(gateway.metrics.render().contains("\naqua_gateway_connections \(Self.crowd)"))

                // A place that has all it may have gets no more, and others are served.
                for (address, status) in [(1, "503"), (Self.crowd / Self.perAddress + 1, "200")] {
                    let answer = try await onThread { Result { try crowd.answer(fromAddress: address) } }.value.get()
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                }
                #expect(try await gateway.request(.GET, "/api/v1/devices", ada).status == 200)
            }
        }
    }
}
