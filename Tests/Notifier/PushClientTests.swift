import PushTargets
import Testing

@testable import Notifier

/// What a name must not reach: not even the beginning of a connection.
@Suite struct PushClientTests {
    /// - Parameter allowed: A network; the listener's port is permitted in it.
    private func post(
        to host: String, scheme: String = "https", of listener: SilentListener, allowed: String,
        names: NameLookup = NameLookup()
    ) async throws -> Answer {
        let policy = PushTargetPolicy(allowed: try #require(PushAllowList("\(allowed):\(listener.port)")))
        let target = try policy.register("\(scheme)://\(host):\(listener.port)/hook")
        var limits = PushClient.Limits()
        // Only the one that is silent takes as long; a busy machine looks a name up late.
        limits.connect = .seconds(10)
        limits.total = .seconds(30)
        return try await PushClient.with(policy: policy, limits: limits, names: names) { client in
            await client.post([1, 2, 3], headers: [], to: target)
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST", "localhost."])
    func `a name that leads to an address that is not admitted is not dialled`(host: String) async throws {
        let listener = try SilentListener()
        #expect(try await post(to: host, of: listener, allowed: "10.0.0.0/8") == .notPermitted)
        #expect(!listener.wasConnectedTo)
    }

    /// The counterpart, which shows that the listener notices.
    @Test func `one that is admitted is dialled`() async throws {
        let listener = try SilentListener()
        #expect(
            try await post(to: "localhost", of: listener, allowed: "::1/128:*,127.0.0.0/8")
                == .noConnection(.timeout))
        #expect(listener.wasConnectedTo)
    }

    /// Admitted when it was looked up; the connection is made with the system's own answer.
    @Test func `a name that leads elsewhere when it is dialled gets no request`() async throws {
        let listener = try SilentListener()
        let before = try #require(IPAddress("10.0.0.1"))
        let answer = try await post(
            to: "localhost", scheme: "http", of: listener, allowed: "10.0.0.0/8", names: NameLookup { _ in [before] })
        #expect(answer == .notPermitted)
        #expect(listener.wasConnectedTo)
    }

    @Test func `a name that does not exist is no connection`() async throws {
        let listener = try SilentListener()
        #expect(
            try await post(to: "nowhere.invalid", of: listener, allowed: "10.0.0.0/8") == .noConnection(.refused))
    }
}
