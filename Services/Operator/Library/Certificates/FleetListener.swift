import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Secrets
import ServiceKit

/// The broker's listener for devices with a certificate, as a device sees it.
struct FleetListener: Sendable {
    let address: HostAndPort
    /// A PEM file of the authorities of the broker's own certificate; nil for the system's.
    let authorityFile: String?

    enum Answer: Hashable, Sendable {
        /// The client is connected, and was until it left.
        case admitted
        /// The certificate is known and on the list of revoked ones.
        case revoked
        case refused(String)
        case unreachable(String)
    }

    /// Connects for a moment, as the client that the certificate names. The broker lets a name have one connection, so this ends
    /// any other one of that name before it is admitted, and the session that the broker kept for it.
    /// - Parameter identity: nil for somebody without a certificate.
    func knock(as identity: FleetIdentity?, within limit: Duration = .seconds(5)) async -> Answer {
        do {
            return try await answer(to: identity, within: limit)
        } catch {
            return .unreachable("\(error)")
        }
    }

    private func answer(to identity: FleetIdentity?, within limit: Duration) async throws -> Answer {
        let tls = try NIOSSLContext(configuration: configuration(identity))
        let (address, name) = (address, identity?.certificate.name ?? "nobody")
        let group = MultiThreadedEventLoopGroup.singleton
        let answer = group.next().makePromise(of: Answer.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: group)
                .connectTimeout(TimeAmount(limit))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: tls, serverHostname: isAddress(address.host) ? nil : address.host)
                        try channel.pipeline.syncOperations.addHandlers(handler, Visitor(name: name, answer: answer))
                    }
                }
                .connect(host: address.host, port: address.port).get()
        } catch {
            answer.succeed(.unreachable("\(error)"))
            return .unreachable("there is no connection to \(address)")
        }
        channel.closeFuture.whenComplete { _ in answer.succeed(.refused("the connection was closed")) }
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            answer.succeed(.unreachable("it does not answer"))
        }
        defer {
            timeout.cancel()
            channel.close(promise: nil)
        }
        return try await answer.futureResult.get()
    }

    private func configuration(_ identity: FleetIdentity?) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let authorityFile { configuration.trustRoots = .file(authorityFile) }
        // In TLS 1.3 the server judges a client's certificate after the client is done, and its alert may be lost with the connection.
        configuration.maximumTLSVersion = .tlsv12
        guard let identity else { return configuration }
        configuration.certificateChain = [
            .certificate(try NIOSSLCertificate(bytes: Array(identity.certificate.pem.utf8), format: .pem))
        ]
        configuration.privateKey = .privateKey(
            try NIOSSLPrivateKey(bytes: Array(identity.key.pem.utf8), format: .pem))
        return configuration
    }
}

/// Says CONNECT once the handshake is done, and reports the answer: the broker's CONNACK, or the alert that ended the handshake.
private final class Visitor: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let name: String
    private let answer: EventLoopPromise<FleetListener.Answer>
    private var received = ByteBuffer()

    init(name: String, answer: EventLoopPromise<FleetListener.Answer>) {
        self.name = name
        self.answer = answer
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        // CONNECT of MQTT 5: a clean start, ten seconds of keep-alive, no properties, the name as client id.
        let id = Array(name.utf8.prefix(64))
        let header: [UInt8] =
            [0x10, UInt8(13 + id.count), 0, 4] + Array("MQTT".utf8) + [5, 2, 0, 10, 0, 0, UInt8(id.count)]
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: header + id)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        // CONNACK: its type, a length of one byte or two, flags, the reason.
        let bytes = Array(received.readableBytesView.prefix(5))
        guard bytes.count > 1 else { return }
        let reason = bytes[1] < 0x80 ? 3 : 4
        guard bytes.count > reason else { return }
        guard bytes[0] == 0x20 else { return answer.succeed(.refused("it does not speak MQTT 5")) }
        guard bytes[reason] == 0 else {
            return answer.succeed(.refused("the broker refused the connection for reason \(bytes[reason])"))
        }
        // DISCONNECT, before the caller closes.
        let answer = answer
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0xE0, 0]))).whenComplete { _ in
            answer.succeed(.admitted)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The library gives an alert as text alone; its names of them are OpenSSL's.
        let text = "\(error)"
        let isAlert = error is NIOSSLError || error is BoringSSLError
        answer.succeed(
            text.contains("CERTIFICATE_REVOKED") ? .revoked : isAlert ? .refused(text) : .unreachable(text))
        context.close(promise: nil)
    }
}
