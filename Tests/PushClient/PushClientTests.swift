import AsyncHTTPClient
import NIOSSL
import PushTargets
import Synchronization
import TestSupport
import Testing

@testable import PushClient

/// Names that must not be called get not even the beginning of a connection.
@Suite struct PushClientTests {
    /// - Parameter allowed: A network in which the listener's port is permitted.
    private func post(
        to host: String, scheme: String = "https", of listener: BoundSocket, allowed: String,
        names: NameLookup = NameLookup()
    ) async throws -> PushAnswer {
        let policy = PushTargetPolicy(allowed: try #require(PushAllowList("\(allowed):\(listener.port)")))
        let target = try policy.register("\(scheme)://\(host):\(listener.port)/hook")
        var limits = PushClient.Limits()
        // Only the silent server takes this long, but a busy machine may resolve slowly.
        limits.connect = .seconds(10)
        limits.total = .seconds(30)
        return try await PushClient.with(policy: policy, limits: limits, names: names) { client in
            await client.post([1, 2, 3], headers: [], to: target, for: AskerID(rawValue: 1))
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST", "localhost."])
    func `a name that leads to an address that is not admitted is not dialled`(host: String) async throws {
        let listener = try #require(BoundSocket(listens: true))
        #expect(try await post(to: host, of: listener, allowed: "10.0.0.0/8") == .notPermitted)
        #expect(!listener.wasConnectedTo)
    }

    /// The counterpart, which shows that the listener notices connections.
    @Test func `one that is admitted is dialled`() async throws {
        let listener = try #require(BoundSocket(listens: true))
        #expect(
            try await post(to: "localhost", of: listener, allowed: "::1/128:*,127.0.0.0/8")
                == .noConnection(.timeout))
        #expect(listener.wasConnectedTo)
    }

    /// Only the first answer is right: a client that asks again, or asks the system, does not arrive.
    @Test(arguments: [WebhookSink.Transport.http1, .http2])
    func `what was looked up and admitted is dialled, wherever the name leads for others`(
        transport: WebhookSink.Transport
    ) async throws {
        try await WebhookSink.with(transport) { sink in
            let here = try #require(IPAddress("127.0.0.1"))
            let elsewhere = try #require(IPAddress("10.0.0.1"))
            let asked = Atomic(0)
            let names = NameLookup { _ in
                asked.add(1, ordering: .relaxed).oldValue == 0 ? [here] : [elsewhere]
            }
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(sink.port)")))
            let scheme = transport == .http1 ? "http" : "https"
            let target = try policy.register("\(scheme)://receiver.invalid:\(sink.port)/hook")
            let answer = try await PushClient.with(policy: policy, authorityFile: sink.authorityFile, names: names) {
                await $0.post([1, 2, 3], headers: [], to: target, for: AskerID(rawValue: 1))
            }
            #expect(answer == .response(status: 200))
            #expect(sink.received.map(\.path) == ["/hook"])
            #expect(asked.load(ordering: .relaxed) == 1)
        }
    }

    /// Like an IPv6 address without a route.
    @Test func `another address of the name does when the first cannot be reached, and is tried first from then on`()
        async throws
    {
        try await WebhookSink.with { sink in
            let closed = try #require(IPAddress("127.0.0.2"))
            let open = try #require(IPAddress("127.0.0.1"))
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(sink.port)")))
            let target = try policy.register("http://twice.invalid:\(sink.port)/hook")
            try await PushClient.with(policy: policy, names: NameLookup { _ in [closed, open] }) { client in
                for _ in 1...2 {
                    let answer = await client.post([1], headers: [], to: target, for: AskerID(rawValue: 1))
                    #expect(answer == .response(status: 200))
                }
            }
            #expect(sink.received.count == 2)
        }
    }

    @Test func `of places that nobody uses the last ones are remembered`() async throws {
        let clients = HostClients(capacity: 2) { _ in HTTPClient.Configuration() }
        async let closing: Void = clients.closeDisplaced()
        let address = try #require(IPAddress("127.0.0.1"))
        func client(_ host: String) async throws -> ObjectIdentifier {
            let place = HostClients.Place(try PushTarget("https://\(host)/"), address)
            return await clients.withClient(of: place) { (ObjectIdentifier($0), hasAnswered: true) }
        }
        // Kept alive, so that no memory address is used twice.
        let first = try await client("a.example")
        _ = try await client("b.example")
        #expect(try await client("a.example") == first)
        _ = try await client("c.example")
        #expect(try await client("a.example") == first)
        #expect(clients.count == 2)
        clients.shutdown()
        await closing
    }

    @Test(arguments: [TLSVersion.tlsv1, .tlsv11, .tlsv12, .tlsv13])
    func `TLS is 1.2 at least`(version: TLSVersion) async throws {
        try await HTTP2Server.with(newestTLS: version) { _ in
            .status(200)
        } body: { server in
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(server.port)")))
            let target = try policy.register("https://127.0.0.1:\(server.port)/hook")
            let answer = try await PushClient.with(policy: policy, authorityFile: server.authorityFile) {
                await $0.post([1], headers: [], to: target, for: AskerID(rawValue: 1))
            }
            let isNewEnough = version == .tlsv12 || version == .tlsv13
            #expect(answer == (isNewEnough ? .response(status: 200) : .noConnection(.encryption)))
        }
    }

    @Test func `a name that does not exist is no connection`() async throws {
        let listener = try #require(BoundSocket(listens: true))
        #expect(
            try await post(to: "nowhere.invalid", of: listener, allowed: "10.0.0.0/8") == .noConnection(.refused))
    }

    @Test func `a certificate of nobody's authority gets nothing`() async throws {
        try await WebhookSink.with(.http2) { sink in
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(sink.port)")))
            let target = try policy.register(sink.url())
            let answer = try await PushClient.with(policy: policy) { client in
                await client.post([1], headers: [], to: target, for: AskerID(rawValue: 1))
            }
            #expect(answer == .noConnection(.encryption))
            #expect(sink.received.isEmpty)
        }
    }

    /// A client that is not shut down would end the test's process.
    @Test func `its connections are closed too where it is cancelled`() async throws {
        try await WebhookSink.with { sink in
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(sink.port)")))
            let target = try policy.register(sink.url())
            let (answers, answered) = AsyncStream.makeStream(of: PushAnswer.self)
            let using = Task {
                try await PushClient.with(policy: policy) { client in
                    answered.yield(
                        await client.post([1], headers: [], to: target, for: AskerID(rawValue: 1)))
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                }
            }
            #expect(await answers.first { _ in true } == .response(status: 200))
            using.cancel()
            try await using.value
        }
    }
}
