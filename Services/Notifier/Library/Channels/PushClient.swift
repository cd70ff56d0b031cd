import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
package import PushTargets
import Synchronization

/// The HTTP client for targets that people chose.
///
/// It follows no redirection, asks for no proxy, and bounds every wait and every answer. Where the receiver speaks HTTP/2
/// over TLS all requests to it share a connection.
///
/// A name that was public when it was registered may lead into our network today, so it is looked at twice. Before
/// anything is dialled the name is looked up, and all that it leads to must be admitted: otherwise how a connection
/// fails would tell what stands there. Then the HTTP client looks it up again; should the name lead elsewhere now
/// ("rebinding"), the address that was connected to and encrypted with is judged before the message is sent. A name
/// that changes between the two can thus still cause a handshake at an address that is not admitted, but no request.
package final class PushClient: Sendable {
    package struct Limits: Sendable {
        /// For a connection, encrypted as it may be; as long again to look the name up.
        package var connect: Duration = .seconds(5)
        /// From the start to the head of the answer.
        package var total: Duration = .seconds(15)
        package var connectionsPerHost = 32

        package init() {}
    }

    package let policy: PushTargetPolicy
    private let limits: Limits
    /// For targets on the public internet, and for those that the operator must name: connections of the first kind
    /// may lead to public addresses, those of the second to named ones only.
    private let publicClient: HTTPClient
    private let namedClient: HTTPClient
    private let names: NameLookup

    /// Of the answer's body; nothing in it is used.
    private static let longestBody = 4096

    /// A client for the length of `body`; nothing may be sent after it.
    /// - Parameter authorityFile: A PEM file with certificate authorities beside the system's.
    package static func with<Result>(
        policy: PushTargetPolicy, authorityFile: String? = nil, limits: Limits = Limits(),
        names: NameLookup = NameLookup(),
        isolation: isolated (any Actor)? = #isolation, _ body: (PushClient) async throws -> Result
    ) async throws -> Result {
        let client = PushClient(policy: policy, authorityFile: authorityFile, limits: limits, names: names)
        do {
            let result = try await body(client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private init(policy: PushTargetPolicy, authorityFile: String?, limits: Limits, names: NameLookup) {
        self.policy = policy
        self.limits = limits
        self.names = names
        func client(needsPermission: Bool) -> HTTPClient {
            HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup,
                configuration: Self.configuration(policy, authorityFile, limits, needsPermission: needsPermission))
        }
        publicClient = client(needsPermission: false)
        namedClient = client(needsPermission: true)
    }

    private static func configuration(
        _ policy: PushTargetPolicy, _ authorityFile: String?, _ limits: Limits, needsPermission: Bool
    ) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorityFile { tls.additionalTrustRoots = [.file(authorityFile)] }
        // Servers close idle connections after 5 seconds at the earliest, as far as is known; ours are gone before,
        // so that no request meets a connection that is just being closed.
        var pool = HTTPClient.Configuration.ConnectionPool(
            idleTimeout: .seconds(4), concurrentHTTP1ConnectionsPerHostSoftLimit: limits.connectionsPerHost)
        // Otherwise a refused address would be dialled again and again until the request's deadline.
        pool.retryConnectionEstablishment = false
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: limits.connect.amount, read: limits.total.amount))
        configuration.connectionPool = pool
        configuration.httpVersion = .automatic
        let admit = admission(policy, needsPermission: needsPermission)
        configuration.http1_1ConnectionDebugInitializer = admit
        configuration.http2ConnectionDebugInitializer = admit
        return configuration
    }

    /// Judges a connection once it is there and encrypted, before any request.
    private static func admission(
        _ policy: PushTargetPolicy, needsPermission: Bool
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
        { channel in
            guard let peer = channel.remoteAddress, let port = peer.port,
                let address = peer.ipAddress.flatMap(IPAddress.init),
                policy.admits(address, port: port, needsPermission: needsPermission)
            else {
                // The client itself leaves a channel open whose initializer fails.
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(NotPermitted())
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
    }

    private struct NotPermitted: Error {}

    package func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to target: PushTarget
    ) async -> Answer {
        let deadline = NIODeadline.now() + limits.total.amount
        if let obstacle = await obstacle(to: target) { return obstacle }
        let observed = ObservedBody(ByteBuffer(bytes: body))
        var request = HTTPClientRequest(url: target.url)
        request.method = .POST
        request.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        request.body = .stream(observed, length: .known(Int64(body.count)))
        do {
            let client = target.needsPermission ? namedClient : publicClient
            let response = try await client.execute(request, deadline: deadline)
            await discard(response.body, until: deadline)
            return .response(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "retry-after"))
        } catch {
            return Self.answer(to: error, wasSent: observed.wasSent)
        }
    }

    /// Why the target must not or cannot be dialled: nil when all addresses that it leads to are admitted.
    private func obstacle(to target: PushTarget) async -> Answer? {
        let addresses: [IPAddress]
        do {
            if let address = target.address {
                addresses = [address]
            } else {
                addresses = try await names.addresses(of: target.host, within: limits.connect)
            }
        } catch NameLookup.Failure.unknownName {
            return .noConnection(.refused)
        } catch {
            return .noConnection(.timeout)
        }
        let areAdmitted = addresses.allSatisfy {
            policy.admits($0, port: target.port, needsPermission: target.needsPermission)
        }
        return areAdmitted ? nil : .notPermitted
    }

    /// Reads a short body to its end, so that the connection can be used again. The status is known and holds,
    /// whatever happens here.
    private func discard(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) async {
        var length = 0
        do {
            for try await chunk in body {
                length += chunk.readableBytes
                if length > Self.longestBody || NIODeadline.now() > deadline { return }
            }
        } catch {
            // The connection is lost; the next message gets another.
        }
    }

    private static func answer(to error: any Error, wasSent: Bool) -> Answer {
        if error is NotPermitted { return .notPermitted }
        let isTimeout =
            error is CancellationError
            || [.deadlineExceeded, .readTimeout, .cancelled, .connectTimeout, .tlsHandshakeTimeout].contains(
                error as? HTTPClientError)
        if wasSent { return isTimeout ? .silence : .broken }
        if isTimeout { return .noConnection(.timeout) }
        return .noConnection(error is NIOSSLError || error is NIOSSLExtraError ? .encryption : .refused)
    }

    private func shutdown() async {
        // Fails only when it is called twice.
        try? await publicClient.shutdown()
        try? await namedClient.shutdown()
    }
}

/// A body that knows whether it was asked for, which is when the request's head has been sent.
private final class ObservedBody: AsyncSequence, Sendable {
    private let bytes: ByteBuffer
    private let isSent = Atomic(false)

    init(_ bytes: ByteBuffer) {
        self.bytes = bytes
    }

    var wasSent: Bool { isSent.load(ordering: .acquiring) }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ObservedBody
        private var isDone = false

        fileprivate init(body: ObservedBody) {
            self.body = body
        }

        mutating func next() async -> ByteBuffer? {
            guard !isDone else { return nil }
            isDone = true
            body.isSent.store(true, ordering: .releasing)
            return body.bytes
        }
    }
}

extension Duration {
    fileprivate var amount: TimeAmount {
        .nanoseconds(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
    }
}
