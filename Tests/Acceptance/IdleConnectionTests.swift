import Foundation
import TestSupport
import Testing

/// Ten thousand connections that do nothing, from fifty places.
@Suite struct IdleConnectionTests {
    private static let crowd = 10_000
    /// What one place may have.
    private static let perAddress = 200
    /// Of each connection, in a program that was not optimized.
    private static let mostMemory = 64 << 10

    @Test(
        .enabled(if: OpenFiles.most >= crowd + 2_000, "this machine lets a process open \(OpenFiles.most) files"))
    func theyLeaveTheGatewayToOthersAndEnd() async throws {
        try await TestSystem.with { system in
            try system.start("aqua-gateway")
            let gateway = try system.process("aqua-gateway")
            let (health, origin) = (try await gateway.untilReady(), try await gateway.servesPeople())
            let port = try #require(origin.split(separator: ":").last.flatMap { Int($0) })
            try await system.tool(["account", "add", "ada@example.org"], input: "four random words here")
            let before = try await ProcessUnderTest.metric("process_resident_memory_bytes", at: health)
            let crowd = IdleCrowd(port: port, perAddress: Self.perAddress)
            try await onThread { Result { try crowd.grow(to: Self.crowd) } }.value.get()
            func metric(_ name: String) async throws -> Double {
                try await ProcessUnderTest.metric(name, at: health)
            }
            #expect(try await metric("aqua_gateway_connections") >= Double(Self.crowd))
            let memory = (try await metric("process_resident_memory_bytes") - before) / Double(Self.crowd)
            #expect(memory < Double(Self.mostMemory), "\(Int(memory)) bytes of each")

            // A place that has all it may have gets no more, and another one is served.
            for (address, status) in [(1, "503"), (Self.crowd / Self.perAddress + 1, "200")] {
                let answer = try await onThread { Result { try crowd.answer(fromAddress: address) } }.value.get()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            }
            #expect(try await metric("aqua_gateway_refused_connections_total") == 1)
            let ada = try await PeopleClient(origin: origin).signedIn(
                "ada@example.org", password: "four random words here")
            try await ada.succeed("GET", "/devices")

            let left = await onThread { crowd.awaitEnd() }.value
            #expect(left == 0, "connections that were not ended for doing nothing")
            try await awaitFact("the end of the connections") {
                try await ProcessUnderTest.metric("aqua_gateway_connections", at: health) < 100 ? true : nil
            }
            try await PeopleClient(origin: origin).succeed("GET", "/service")
        }
    }
}
