import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// Hummingbird's HTTP/1.1 with a `ConnectionGuard` behind the parser, and TLS before it where there is a certificate.
///
/// Hummingbird takes further handlers only where requests are already its own type: too late to handle the parser's
/// refusals, the protocol version and `Connection: close`.
struct GuardedHTTP1: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let http: HTTP1Channel
    private let certificate: RenewableCertificate?
    private let makeGuard: @Sendable () -> ConnectionGuard

    /// The most bytes of a request's head; a longer one is answered with 431.
    static let largestHead = 16 * 1024
    private static let mostFields = 100

    init(
        responder: @escaping HTTP1Channel.Responder, certificate: RenewableCertificate?,
        makeGuard: @escaping @Sendable () -> ConnectionGuard
    ) {
        http = HTTP1Channel(
            responder: responder,
            configuration: HTTP1Channel.Configuration(
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.largestHead, maxHeaderListSize: Self.largestHead,
                    maxHeaderFieldCount: Self.mostFields)))
        self.certificate = certificate
        self.makeGuard = makeGuard
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let certificate else { return }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.current.context))
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(makeGuard(), position: .after(parser))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
