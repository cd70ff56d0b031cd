import NIOCore
import NIOPosix

/// Takes mail by SMTP (RFC 5321) without TLS, as a relay on the same machine does, and forgets it.
struct MailSink: Sendable {
    let port: Int

    var url: String { "smtp+plain://127.0.0.1:\(port)" }

    /// Serves as long as `body` runs.
    /// - Parameter onMail: Called with the last recipient of each complete mail, before it is answered.
    static func with<Result>(
        onMail: @Sendable @escaping (_ recipient: Substring) -> Void, body: (MailSink) async throws -> Result
    ) async throws -> Result {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MailSession(onMail))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(MailSink(port: server.localAddress?.port ?? 0))
            try await server.close()
            return result
        } catch {
            try? await server.close()
            throw error
        }
    }
}

/// One connection, over which any number of mails come.
private final class MailSession: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let onMail: @Sendable (Substring) -> Void
    private var dialog = MailDialog()

    init(_ onMail: @Sendable @escaping (Substring) -> Void) {
        self.onMail = onMail
    }

    func channelActive(context: ChannelHandlerContext) { say("220 bench", context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        dialog.hear(unwrapInboundIn(data))
        while let step = dialog.next() {
            if let recipient = step.recipient { onMail(recipient) }
            say(step.reply, context)
            if step.isLast { context.close(promise: nil) }
        }
    }

    private func say(_ line: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "\(line)\r\n")), promise: nil)
    }
}
