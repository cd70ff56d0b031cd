import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
package import PushTargets
import Synchronization

/// The HTTP client for targets chosen by people.
///
/// The client follows no redirection, uses no proxy, and bounds every wait and every answer. If the receiver speaks
/// HTTP/2 over TLS, all requests to it share a connection.
///
/// A name that was public when it was registered may lead into our network today. So it is looked up once before a
/// connection is made, and all of its addresses must be admitted: otherwise the way in which a connection fails would
/// reveal what stands there. The connection goes to an address of that answer, whatever the name leads to a moment
/// later ("rebinding"), and the connected address is judged again before a request is sent.
package final class PushClient: Sendable {
    package struct Limits: Sendable {
        /// For a connection, TLS included; the look-up of the name may take as long again.
        package var connect: Duration = .seconds(5)
        /// From the start to the head of the answer.
        package var total: Duration = .seconds(15)
        package var connectionsPerHost = 32
        /// For how long a connection without requests is kept. Most servers close theirs after 5 seconds at the earliest; a connection that
        /// is closed before meets no request just then.
        package var idle: Duration = .seconds(4)

        package init() {}
    }

    package let policy: PushTargetPolicy
    private let limits: Limits
    private let clients: HostClients
    private let names: NameLookup

    /// The most bytes of an answer's body that are read, unless somebody needs more.
    package static let longestBody = 4096
    /// The most addresses of a name that are dialled in one attempt.
    private static let mostAddresses = 3

    /// Makes a client for the length of `body`; nothing may be sent after it.
    /// - Parameter authorityFile: A PEM file with certificate authorities in addition to the system's.
    package static func with<Result>(
        policy: PushTargetPolicy, authorityFile: String? = nil, limits: Limits = Limits(),
        names: NameLookup = NameLookup(),
        isolation: isolated (any Actor)? = #isolation, _ body: (PushClient) async throws -> Result
    ) async throws -> Result {
        let client = PushClient(policy: policy, authorityFile: authorityFile, limits: limits, names: names)
        // Not a child task: a caller's cancellation would end it before all clients are shut down.
        let closing = Task { await client.clients.closeDisplaced() }
        do {
            let result = try await body(client)
            client.clients.shutdown()
            await closing.value
            return result
        } catch {
            client.clients.shutdown()
            await closing.value
            throw error
        }
    }

    private init(policy: PushTargetPolicy, authorityFile: String?, limits: Limits, names: NameLookup) {
        self.policy = policy
        self.limits = limits
        self.names = names
        let tls = Self.encryption(authorityFile)
        clients = HostClients { place in
            Self.configuration(policy, tls, limits, needsPermission: place.needsPermission)
        }
    }

    /// The TLS settings: 1.2 or later.
    static func encryption(_ authorityFile: String?) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if !systemRoots.isEmpty { tls.trustRoots = .certificates(systemRoots) }
        if let authorityFile { tls.additionalTrustRoots = [.file(authorityFile)] }
        return tls
    }

    /// The system's authorities, which Debian and its relatives keep in a file: read once, and not again for each client and place. None
    /// without the file; TLS then finds them by itself.
    private static let systemRoots = (try? NIOSSLCertificate.fromPEMFile("/etc/ssl/certs/ca-certificates.crt")) ?? []

    private static func configuration(
        _ policy: PushTargetPolicy, _ tls: TLSConfiguration, _ limits: Limits, needsPermission: Bool
    ) -> HTTPClient.Configuration {
        var pool = HTTPClient.Configuration.ConnectionPool(
            idleTimeout: limits.idle.amount, concurrentHTTP1ConnectionsPerHostSoftLimit: limits.connectionsPerHost)
        // Keeps a refused address from being dialled again and again until the request's deadline.
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

    /// Judges a connection once it is established and encrypted, before any request.
    private static func admission(
        _ policy: PushTargetPolicy, needsPermission: Bool
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
        { channel in
            guard let peer = channel.remoteAddress, let port = peer.port,
                let address = peer.ipAddress.flatMap(IPAddress.init),
                policy.admits(address, port: port, needsPermission: needsPermission)
            else {
                // Closes the channel, which the client would leave open when its initializer fails.
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(NotPermitted())
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
    }

    private struct NotPermitted: Error {}

    /// - Parameter account: The account for which it is sent; each has a share of the look-ups.
    package func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to target: PushTarget, for account: AskerID
    ) async -> PushAnswer {
        await exchange(body, headers: headers, to: target, for: account).answer
    }

    /// Sends a message, and returns the answer with its body.
    /// - Parameter most: The most bytes of the answer's body.
    package func exchange(
        _ body: [UInt8], headers: [(name: String, value: String)], to target: PushTarget, for account: AskerID,
        method: PushMethod = .post, most: Int = PushClient.longestBody
    ) async -> PushReply {
        let deadline = NIODeadline.now() + limits.total.amount
        var request = HTTPClientRequest(url: target.url)
        request.method =
            switch method {
            case .post: .POST
            case .put: .PUT
            case .get: .GET
            }
        request.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        let addresses: [IPAddress]
        switch await admittedAddresses(of: target, for: account) {
        case .success(let admitted): addresses = clients.ordered(admitted, of: target)
        case .failure(let obstacle): return PushReply(obstacle.answer)
        }
        var reply = PushReply(.noConnection(.timeout))
        for address in addresses.prefix(Self.mostAddresses) where NIODeadline.now() < deadline {
            reply = await send(body, request, to: HostClients.Place(target, address), until: deadline, most: most)
            // Tries the name's next address, as long as nothing was sent.
            guard case .noConnection = reply.answer else { break }
        }
        return reply
    }

    private func send(
        _ body: [UInt8], _ request: HTTPClientRequest, to place: HostClients.Place, until deadline: NIODeadline,
        most: Int
    ) async -> PushReply {
        let observed = ObservedBody(ByteBuffer(bytes: body))
        var request = request
        request.body = .stream(observed, length: .known(Int64(body.count)))
        return await clients.withClient(of: place) { [request] client in
            do {
                let response = try await client.execute(request, deadline: deadline)
                let body = await read(response.body, until: deadline, most: most)
                let answer = PushAnswer.response(
                    status: Int(response.status.code), retryAfter: response.headers.first(name: "retry-after"))
                let tag = response.headers.first(name: "etag")
                return (PushReply(answer, body: body, entityTag: tag), hasAnswered: true)
            } catch {
                return (PushReply(Self.answer(to: error, wasSent: observed.wasSent)), hasAnswered: false)
            }
        }
    }

    /// The reason why a target must not or cannot be called.
    private struct Obstacle: Error {
        let answer: PushAnswer
    }

    /// The addresses of a target: at least one, and all of them admitted.
    private func admittedAddresses(
        of target: PushTarget, for account: AskerID
    ) async -> Result<[IPAddress], Obstacle> {
        let addresses: [IPAddress]
        do {
            if let address = target.address {
                addresses = [address]
            } else {
                addresses = try await names.addresses(of: target.host, for: account, within: limits.connect)
            }
        } catch NameLookup.Failure.unknownName {
            return .failure(Obstacle(answer: .noConnection(.refused)))
        } catch {
            return .failure(Obstacle(answer: .noConnection(.timeout)))
        }
        let areAdmitted = addresses.allSatisfy {
            policy.admits($0, port: target.port, needsPermission: target.needsPermission)
        }
        return areAdmitted ? .success(addresses) : .failure(Obstacle(answer: .notPermitted))
    }

    /// Reads a short body to its end, so that the connection can be reused. The status is known already and stays
    /// valid, whatever happens here.
    /// - Returns: nil for a body that is too long, late or cut off.
    private func read(_ body: HTTPClientResponse.Body, until deadline: NIODeadline, most: Int) async -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                guard bytes.count + chunk.readableBytes <= most, NIODeadline.now() <= deadline else {
                    return nil
                }
                bytes.append(contentsOf: chunk.readableBytesView)
            }
            return bytes
        } catch {
            // The connection is lost; the next message gets another one.
            return nil
        }
    }

    private static func answer(to error: any Error, wasSent: Bool) -> PushAnswer {
        if error is NotPermitted { return .notPermitted }
        let isTimeout =
            error is CancellationError
            || [.deadlineExceeded, .readTimeout, .cancelled, .connectTimeout, .tlsHandshakeTimeout].contains(
                error as? HTTPClientError)
        if wasSent { return isTimeout ? .silence : .broken }
        if isTimeout { return .noConnection(.timeout) }
        return .noConnection(error is NIOSSLError || error is NIOSSLExtraError ? .encryption : .refused)
    }
}

/// A body that records whether it was read, which happens once the request's head has been sent.
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
