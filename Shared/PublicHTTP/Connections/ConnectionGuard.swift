package import NIOCore
package import NIOHTTP1
import NIOTLS
import PushTargets
package import ServiceKit

/// Stands between a connection's parser and its requests, and closes connections that make no progress.
///
/// Heads, bodies, pauses and slow readers have timeouts; a request that the parser refuses is answered with a problem
/// document; `Connection: close` closes after the client had a chance to read the answer.
///
/// Where TLS is served, its handler stands before the parser. A connection counts from its start, and its handshake has
/// to end within the timeout of the first head; a refused connection gets no handshake.
package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias InboundOut = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    /// The error that ends the body of a refused request.
    package struct Refused: Error {}

    private let timeouts: ConnectionTimeouts
    /// The most bytes of a body, for clients that ask before they send one.
    private let largestBody: Int
    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    /// Counts connections whose handshake failed; nil where TLS is not served.
    private let failedHandshakes: Counter?
    private var isShakingHands: Bool
    private var progress = ConnectionProgress()
    private var timer = ConnectionTimer()
    private var writeTimer = ConnectionTimer()
    /// The network under which the connection was counted; nil before it is, and when it was refused.
    private var entered: IPNetwork??
    /// Bytes thrown away after the last answer.
    private var discarded = 0
    private static let mostDiscarded = 1 << 20

    package init(
        timeouts: ConnectionTimeouts, limits: ConnectionLimits, proxies: TrustedProxies, largestBody: Int,
        failedHandshakes: Counter? = nil
    ) {
        self.timeouts = timeouts
        self.largestBody = largestBody
        self.limits = limits
        self.proxies = proxies
        self.failedHandshakes = failedHandshakes
        isShakingHands = failedHandshakes != nil
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer.cancel()
        writeTimer.cancel()
        leave()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        writeTimer.cancel()
        leave()
        // Keeps the end of the connection from passing for the end of a body.
        if progress.isCut { context.fireErrorCaught(Refused()) }
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if progress.isClosing {
            if case .body(let bytes) = part { discarded += bytes.readableBytes }
            if discarded > Self.mostDiscarded { end(context) }
            return
        }
        if case .head(let head) = part, !Self.hasOneHost(head) {
            refuse(context, .malformed)
            return
        }
        progress.read(part)
        rearm(context)
        if case .head(let head) = part { encourage(context, head) }
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        // Reads and discards what arrives after the last request, because nobody else asks for it.
        if progress.isClosing { context.read() }
        context.fireChannelReadComplete()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, !progress.isClosing else {
            if !progress.isClosing { context.fireErrorCaught(error) }
            return
        }
        if error == .invalidEOFState {
            context.fireErrorCaught(error)
            end(context)
        } else {
            refuse(context, error == .headerOverflow ? .headersTooLarge : .malformed)
        }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: progress.isQuiescing = true
        case TLSUserEvent.handshakeCompleted: isShakingHands = false
        // A client that has gone, or sends no more requests, has no use for an open stream.
        case ChannelEvent.inputClosed where progress.isClosing || progress.isStreaming || !progress.hasUnanswered:
            end(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            writeTimer.cancel()
        } else {
            watchReader(context)
        }
        context.fireChannelWritabilityChanged()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !progress.isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            progress.write(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            let isLast = progress.writeEnd()
            context.write(data, promise: promise)
            if isLast { closeAfterAnswer(context) } else { rearm(context) }
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all { progress.refuse() }
        context.close(mode: mode, promise: promise)
    }

    /// Closes the connection. TLS waits briefly for the client's close notification; anything else that arrives
    /// meanwhile is no longer a request.
    private func end(_ context: ChannelHandlerContext) {
        progress.refuse()
        context.close(promise: nil)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard entered == nil else { return }
        let address = context.remoteAddress.flatMap(IPAddress.init(socketAddress:))
        let network = address.flatMap { proxies.contains($0) ? nil : $0.clientNetwork }
        guard limits.enter(from: network) else {
            refuse(context, .tooManyConnections)
            return
        }
        entered = .some(network)
        rearm(context)
    }

    private func leave() {
        guard let network = entered else { return }
        entered = nil
        limits.leave(from: network)
        if isShakingHands { failedHandshakes?.increment() }
    }

    /// Closes the connection unless the client reads something within the timeout; any amount will do.
    private func watchReader(_ context: ChannelHandlerContext) {
        let before = Self.waitingBytes(context)
        writeTimer.set(timeouts.write, on: context.eventLoop, context) { [self] context in
            if Self.waitingBytes(context) < before { watchReader(context) } else { end(context) }
        }
    }

    /// Bytes written that the kernel has not taken yet.
    private static func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Answers `Expect: 100-continue` so that the client sends its body; the reader of the request refuses one that is
    /// too large.
    private func encourage(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        let asks = head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard asks, head.version == .http1_1, length <= largestBody, !progress.isAnswering else { return }
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    /// Whether a request names one host only: of two, a proxy in front of us might use the other (RFC 9112 §3.2).
    private static func hasOneHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.headers["host"].count
        return count == 1 || count == 0 && head.version == .http1_0
    }

    /// Sets the timeout for what the client has to send next.
    private func rearm(_ context: ChannelHandlerContext) {
        switch progress.awaited {
        case .firstHead: expect(within: timeouts.head, context)
        case .body: expect(within: timeouts.body, context)
        case .nextHead: expect(within: timeouts.idle, context)
        case .nothing: timer.cancel()
        }
    }

    private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
        timer.set(time, on: context.eventLoop, context) { [self] context in
            switch progress.awaited {
            case .body where !progress.isAnswering: refuse(context, .tooSlow)
            case .firstHead, .nextHead, .body: end(context)
            case .nothing: break
            }
        }
    }

    /// Answers in place of a route and closes; what a route still writes for this request is dropped. Before the
    /// handshake is over there is no answer.
    private func refuse(_ context: ChannelHandlerContext, _ refusal: Refusal) {
        let mayAnswer = !progress.isAnswering && !progress.isClosing && !isShakingHands
        progress.refuse()
        guard mayAnswer, context.channel.isActive else {
            context.close(promise: nil)
            return
        }
        let (head, body) = refusal.parts(context.channel.allocator)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        closeAfterAnswer(context)
    }

    /// Ends the output, and gives the client time to read the answer: if we closed while it still sends, its kernel
    /// would discard the answer.
    private func closeAfterAnswer(_ context: ChannelHandlerContext) {
        context.flush()
        context.close(mode: .output, promise: nil)
        timer.set(timeouts.linger, on: context.eventLoop, context) { $0.close(promise: nil) }
        context.read()
    }
}
