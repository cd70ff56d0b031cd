import NIOCore

/// Forwards the bytes of one end of a connection to the other, as the link's mode demands. It reads only as much as the
/// other end accepts. Both ends are on one event loop.
final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel
    private let link: FaultyLink
    private let isClient: Bool
    /// When the last delayed bytes arrive: later bytes must not overtake them.
    private var busyUntil = NIODeadline.uptimeNanoseconds(0)
    /// Bytes of a client that an earlier read returned while the link was deaf.
    private var unheard: [ByteBuffer] = []

    /// Resumes reading after the link was deaf.
    struct Listen: Sendable {}

    /// - Parameter isClient: Whether this relay reads the client.
    init(to peer: any Channel, _ link: FaultyLink, isClient: Bool = false) {
        self.peer = peer
        self.link = link
        self.isClient = isClient
    }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isClient || link.mode != .deaf else { return unheard.append(bytes) }
        relay(bytes, of: context)
    }

    private func relay(_ bytes: ByteBuffer, of context: ChannelHandlerContext) {
        let source = context.channel
        guard let lateness = link.lateness else { return source.read() }  // a black hole
        deliver(after: lateness, on: context.eventLoop) { [link, isClient] peer in
            peer.writeAndFlush(bytes).whenComplete { _ in
                if !isClient || link.mode != .deaf { source.read() }
            }
        }
    }

    private func listen(_ context: ChannelHandlerContext) {
        guard !unheard.isEmpty else { return context.channel.read() }
        for bytes in unheard { relay(bytes, of: context) }
        unheard = []
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Listen { return listen(context) }
        if event as? ChannelEvent == .inputClosed, let lateness = link.lateness {
            deliver(after: lateness, on: context.eventLoop) { $0.close(mode: .output, promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let lateness = link.lateness {
            deliver(after: lateness, on: context.eventLoop) { $0.close(promise: nil) }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func deliver(
        after lateness: Duration, on loop: any EventLoop, _ action: @escaping @Sendable (any Channel) -> Void
    ) {
        let due = max(.now() + .nanoseconds(Int64(lateness / .nanoseconds(1))), busyUntil)
        let peer = peer
        if lateness == .zero, due <= .now() { return action(peer) }
        busyUntil = due
        loop.scheduleTask(deadline: due) { action(peer) }
    }
}
