import NIOCore
package import NIOSSL
import NIOTLS
import Synchronization

/// What a client learns from a handshake.
package struct Handshake: Sendable {
    package let certificate: NIOSSLCertificate?
    /// The protocol agreed on by ALPN.
    package let application: String?
}

/// Runs the client's side of TLS, and records how the handshake ended.
final class HandshakeRecorder: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let presented = Mutex<NIOSSLCertificate?>(nil)
    private let promise: EventLoopPromise<Handshake>

    private init(_ promise: EventLoopPromise<Handshake>) { self.promise = promise }

    /// Adds the TLS handler and a recorder to a channel. Every certificate is accepted.
    static func add(_ configuration: TLSConfiguration, to channel: any Channel) throws -> EventLoopFuture<Handshake> {
        let recorder = HandshakeRecorder(channel.eventLoop.makePromise())
        let client = try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: "water.example",
            customVerificationCallback: { certificates, verdict in
                recorder.presented.withLock { $0 = certificates.first }
                verdict.succeed(.certificateVerified)
            })
        try channel.pipeline.syncOperations.addHandlers(client, recorder)
        return recorder.promise.futureResult
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let application) = event {
            promise.succeed(Handshake(certificate: presented.withLock { $0 }, application: application))
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
    }
}
