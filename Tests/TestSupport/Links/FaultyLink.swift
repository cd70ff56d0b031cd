import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy between a service and a server that injects faults.
package final class FaultyLink: Sendable {
    package enum Mode: Sendable, Equatable {
        case pass
        /// Bytes take longer, each way.
        case delay(Duration)
        /// Bytes vanish; new connections are accepted and receive nothing.
        case blackHole
        /// Connections are reset as soon as they are made.
        case refuse
        /// The clients' bytes are no longer read: they wait in the kernel, first on this side and then on the clients'
        /// side. The servers' bytes still pass.
        case deaf
    }

    private struct State {
        var mode = Mode.pass
        var target: SocketAddress?
        var connections: [ObjectIdentifier: LinkedPair] = [:]
    }

    package let host: String
    package let port: Int
    /// The delay of a packet when there is no fault.
    private let latency: Duration
    private let state = Mutex(State())

    /// Listens on a free port while `body` runs.
    /// - Parameter buffer: About how many bytes of a client the kernel buffers on this side; nil for the kernel's
    ///   default.
    package static func with<Result: Sendable>(
        host: String = "127.0.0.1", latency: Duration = .zero, buffer: Int32? = nil,
        _ body: (FaultyLink) async throws -> Result
    ) async throws -> Result {
        let acceptor = Acceptor()
        var bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { acceptor.accept($0) }
        if let buffer { bootstrap = bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: .init(buffer)) }
        let server = try await bootstrap.bind(host: host, port: 0).get()
        guard let port = server.localAddress?.port else { throw TestSupportError("A proxy does not listen") }
        let link = FaultyLink(host: host, port: port, latency: latency)
        acceptor.link.withLock { $0 = link }
        do {
            let result = try await body(link)
            try await link.end(server)
            return result
        } catch {
            try? await link.end(server)
            throw error
        }
    }

    private init(host: String, port: Int, latency: Duration) {
        self.host = host
        self.port = port
        self.latency = latency
    }

    private func end(_ server: any Channel) async throws {
        try await server.close()
        reset()
    }

    /// Sets the server's port; connections made before are refused.
    package func lead(to port: Int) throws {
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        state.withLock { $0.target = target }
    }

    // MARK: Faults

    /// Sets the fault, for existing and for new connections.
    package func set(_ mode: Mode) {
        let wasDeaf = state.withLock { state in
            defer { state.mode = mode }
            return state.mode == .deaf
        }
        if wasDeaf { for pair in pairs { pair.listenToClient() } }
    }

    /// Resets every connection.
    package func reset() { for pair in pairs { pair.reset() } }

    /// Ends one direction of every connection.
    /// - Parameter towardsServer: Whether the direction from client to server ends, or the other one.
    package func halfClose(towardsServer: Bool) { for pair in pairs { pair.halfClose(towardsServer: towardsServer) } }

    private var pairs: [LinkedPair] { state.withLock { Array($0.connections.values) } }

    // MARK: For the connections

    var mode: Mode { state.withLock { $0.mode } }

    /// How long bytes are held back; nil for ever.
    var lateness: Duration? {
        switch mode {
        case .pass, .refuse, .deaf: latency
        case .delay(let more): latency + more
        case .blackHole: nil
        }
    }

    func connect(_ client: any Channel) -> EventLoopFuture<Void> {
        let (mode, target) = state.withLock { ($0.mode, $0.target) }
        guard mode != .refuse, let target else {
            LinkedPair.reset(client)
            return client.eventLoop.makeSucceededVoidFuture()
        }
        return ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: target)
            .flatMap { server in self.join(client, server) }
            .flatMapErrorThrowing { _ in LinkedPair.reset(client) }
    }

    private func join(_ client: any Channel, _ server: any Channel) -> EventLoopFuture<Void> {
        let pair = LinkedPair(client: client, server: server)
        state.withLock { $0.connections[ObjectIdentifier(pair)] = pair }
        server.closeFuture.whenComplete { [self] _ in
            state.withLock { $0.connections[ObjectIdentifier(pair)] = nil }
        }
        return client.eventLoop.makeCompletedFuture {
            try client.pipeline.syncOperations.addHandler(Relay(to: server, self, isClient: true))
            try server.pipeline.syncOperations.addHandler(Relay(to: client, self))
        }
    }
}

/// Holds the link, which is made after the listener.
private final class Acceptor: Sendable {
    let link = Mutex<FaultyLink?>(nil)

    func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        link.withLock { $0 }?.connect(channel) ?? channel.close()
    }
}

/// The two ends of a connection, on one event loop.
private final class LinkedPair: Sendable {
    private let client: any Channel
    private let server: any Channel

    init(client: any Channel, server: any Channel) {
        self.client = client
        self.server = server
    }

    func reset() { for channel in [client, server] { Self.reset(channel) } }

    func listenToClient() { client.pipeline.fireUserInboundEventTriggered(Relay.Listen()) }

    /// A close that the peer sees as a reset.
    static func reset(_ channel: any Channel) {
        let abrupt = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        (abrupt ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in channel.close(promise: nil) }
    }

    func halfClose(towardsServer: Bool) { (towardsServer ? server : client).close(mode: .output, promise: nil) }
}
