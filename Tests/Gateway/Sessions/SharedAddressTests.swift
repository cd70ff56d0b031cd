import PublicHTTP
import PushTargets
import TestSupport
import Testing

@testable import Gateway

/// People behind a router or a container bridge, whose address many share.
@Suite struct SharedAddressTests {
    private func with(
        isShared: Bool, _ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void
    ) async throws {
        let here = try #require(IPAddress("127.0.0.1"))
        let adjust = GatewayUnderTest.adjusting { if isShared { $0.proxies.shared = SharedAddresses([here]) } }
        try await GatewayUnderTest.with(adjust, body)
    }

    private func guess(_ gateway: GatewayUnderTest, _ email: String) async throws -> Int {
        try await signInReply(gateway, email, password: "this is not the password").status
    }

    /// One of them who guesses at many accounts does not lock the others out.
    @Test(arguments: [true, false]) func itHasNoLimitOfOneOrigin(_ isShared: Bool) async throws {
        try await with(isShared: isShared) { gateway in
            var statuses: [Int] = []
            for number in 0..<35 { statuses.append(try await guess(gateway, "person\(number)@example.org")) }
            #expect(statuses.contains(429) == !isShared)
        }
    }

    /// A session opened from an address, shared or not, says nothing about later requests from there.
    @Test(arguments: [true, false]) func nobodyIsFamiliarByIt(_ isShared: Bool) async throws {
        try await with(isShared: isShared) { gateway in
            let ada = try await gateway.person("ada@example.org")
            while try await guess(gateway, ada.email) != 429 {}
            try await gateway.database.sql("UPDATE session SET address = '127.0.0.1/32'")
            #expect(try await signInReply(gateway, ada.email).status == 429)
        }
    }
}
