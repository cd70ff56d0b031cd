import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import TestSupport

/// A real HTTP/2 server with TLS that takes webhooks for `/e/<device>` and answers 201.
struct PushSink: Sendable {
    let port: Int
    /// The authority that signed the server's certificate.
    let authorityFile: String

    /// Serves as long as `body` runs.
    /// - Parameter onArrival: Called with the device's number once its request has come whole.
    static func with<Result>(
        onArrival: @Sendable @escaping (Int) -> Void, body: (PushSink) async throws -> Result
    ) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            func file(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }
            try await ProcessUnderTest.run(
                Paths.repository.appending(path: "deploy/broker/certificates").path(percentEncoded: false),
                [file("."), "127.0.0.1"])
            var tls = try TLSConfiguration.makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMFile(file("broker.pem")).map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: file("broker.key"), format: .pem)))
            tls.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: tls)
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(Taker(onArrival))
                            }
                        }
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let sink = PushSink(port: channel.localAddress?.port ?? 0, authorityFile: file("ca.pem"))
            do {
                let result = try await body(sink)
                try await channel.close()
                return result
            } catch {
                try? await channel.close()
                throw error
            }
        }
    }

    func url(of device: Int) -> String { "https://127.0.0.1:\(port)/e/\(device)" }

    /// What a notifier has to be told to reach it.
    var settings: [String: String] {
        ["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(port)", "AQUA_PUSH_CA_FILE": authorityFile]
    }
}

/// Takes one request of one stream.
private final class Taker: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let onArrival: @Sendable (Int) -> Void
    private var device: Int?

    init(_ onArrival: @Sendable @escaping (Int) -> Void) { self.onArrival = onArrival }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            device = headers.headers.first(name: ":path").flatMap { Int($0.dropFirst("/e/".count)) }
            if headers.endStream { answer(context) }
        case .data(let data):
            if data.endStream { answer(context) }
        default: break
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        if let device { onArrival(device) }
        let headers = HPACKHeaders([(":status", device == nil ? "404" : "201")])
        context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: nil)
    }
}
