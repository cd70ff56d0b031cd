import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import TestSupport

/// What the receiver alone takes: the same requests over HTTP/2 from the same client library, prepared and recorded by nobody.
struct SinkFloor: Sendable {
    private static let requests = 20_000
    private static let atOnce = 32
    /// About as large as an alert.
    private static let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 700)

    func requestsPerSecond() async throws -> Double {
        step("Measuring what the receiver alone takes")
        let arrived = Atomic(0)
        return try await PushSink.with { _ in
            arrived.add(1, ordering: .relaxed)
        } body: { sink in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.file(sink.authorityFile)]
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(tlsConfiguration: tls))
            do {
                let clock = ContinuousClock()
                let took = try await clock.measure { try await send(client, sink) }
                try await client.shutdown()
                guard arrived.load(ordering: .relaxed) == Self.requests else {
                    throw TestSupportError("The receiver took \(arrived.load(ordering: .relaxed)) requests only")
                }
                return Double(Self.requests) / (took / .seconds(1))
            } catch {
                try? await client.shutdown()
                throw error
            }
        }
    }

    private func send(_ client: HTTPClient, _ sink: PushSink) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.atOnce {
                group.addTask {
                    for number in stride(from: worker, to: Self.requests, by: Self.atOnce) {
                        var request = HTTPClientRequest(url: sink.url(of: number))
                        request.method = .POST
                        request.body = .bytes(Self.body)
                        let response = try await client.execute(request, timeout: .seconds(60))
                        guard response.status == .created, response.version == .http2 else {
                            throw TestSupportError("The receiver answers \(response.status) in \(response.version)")
                        }
                        // Unread, its stream would be cancelled.
                        _ = try await response.body.collect(upTo: 1 << 10)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
