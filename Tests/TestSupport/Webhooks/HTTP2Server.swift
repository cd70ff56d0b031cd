import Foundation
package import NIOCore
package import NIOHPACK
import NIOHTTP2
import NIOPosix
package import NIOSSL
import Synchronization

/// A real server that speaks HTTP/2 over TLS and nothing else.
package struct HTTP2Server: Sendable {
    package struct Request: Sendable {
        /// The number of the connection on which the request came, from 0.
        package let connection: Int
        package let headers: HPACKHeaders
        package let body: ByteBuffer

        package var path: String { headers.first(name: ":path") ?? "" }

        package init(connection: Int, headers: HPACKHeaders, body: ByteBuffer) {
            self.connection = connection
            self.headers = headers
            self.body = body
        }
    }

    package let port: Int
    /// The authority that signed the server's certificate, for 127.0.0.1 and `receiver.invalid`, a name without an
    /// address in DNS.
    package let authorityFile: String

    /// Serves while `body` runs.
    /// - Parameters:
    ///   - addresses: Addresses of the loopback network; the server listens on the same port of each.
    ///   - newestTLS: The newest TLS version that the server speaks.
    ///   - streams: How many streams of a connection are open at once at most.
    ///   - answer: Called with each complete request.
    package static func with<Result>(
        addresses: [String] = ["127.0.0.1"], newestTLS: TLSVersion? = nil, streams: Int? = nil,
        answer: @Sendable @escaping (Request) -> WebhookSink.Answer, body: (HTTP2Server) async throws -> Result
    ) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            func file(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }
            try await ProcessUnderTest.run(
                Paths.repository.appending(path: "deploy/broker/certificates").path(percentEncoded: false),
                [file(".")] + addresses + ["receiver.invalid"])
            var tls = try TLSConfiguration.makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMFile(file("broker.pem")).map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: file("broker.key"), format: .pem)))
            tls.applicationProtocols = ["h2"]
            tls.minimumTLSVersion = .tlsv1
            tls.maximumTLSVersion = newestTLS
            let bootstrap = bootstrap(try NIOSSLContext(configuration: tls), streams, answer)
            var channels: [any Channel] = []
            do {
                for address in addresses {
                    let port = channels.first?.localAddress?.port ?? 0
                    channels.append(try await bootstrap.bind(host: address, port: port).get())
                }
                let port = channels.first?.localAddress?.port ?? 0
                let result = try await body(HTTP2Server(port: port, authorityFile: file("ca.pem")))
                for channel in channels { try await channel.close() }
                return result
            } catch {
                for channel in channels { try? await channel.close() }
                throw error
            }
        }
    }

    private static func bootstrap(
        _ context: NIOSSLContext, _ streams: Int?, _ answer: @Sendable @escaping (Request) -> WebhookSink.Answer
    ) -> ServerBootstrap {
        let connections = Counter()
        let settings = streams.map { [HTTP2Setting(parameter: .maxConcurrentStreams, value: $0)] }
        return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let connection = connections.next()
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    var connectionConfiguration = NIOHTTP2Handler.ConnectionConfiguration()
                    if let settings { connectionConfiguration.initialSettings = settings }
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: connectionConfiguration, streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(Taker(connection, answer))
                        }
                    }
                }
            }
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

/// Receives the one request of a stream.
private final class Taker: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: Int
    private let answer: @Sendable (HTTP2Server.Request) -> WebhookSink.Answer
    private var headers = HPACKHeaders()
    private var body = ByteBuffer()

    init(_ connection: Int, _ answer: @Sendable @escaping (HTTP2Server.Request) -> WebhookSink.Answer) {
        self.connection = connection
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            self.headers = headers.headers
            if headers.endStream { respond(context) }
        case .data(let data):
            if case .byteBuffer(var bytes) = data.data { body.writeBuffer(&bytes) }
            if data.endStream { respond(context) }
        default: break
        }
    }

    private func respond(_ context: ChannelHandlerContext) {
        switch answer(.init(connection: connection, headers: headers, body: body)) {
        case .status(let code, let retryAfter, let location):
            var headers = HPACKHeaders([(":status", "\(code)")])
            if let retryAfter { headers.add(name: "retry-after", value: retryAfter) }
            if let location { headers.add(name: "location", value: location) }
            send(.headers(.init(headers: headers, endStream: true)), context)
        case .body(let text, let status, let retryAfter, let entityTag):
            var headers = HPACKHeaders([(":status", "\(status)")])
            if let retryAfter { headers.add(name: "retry-after", value: retryAfter) }
            if let entityTag { headers.add(name: "etag", value: entityTag) }
            send(.headers(.init(headers: headers)), context)
            send(.data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: true)), context)
        case .flood(let bytes):
            let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: bytes)
            send(.headers(.init(headers: [":status": "200"])), context)
            send(.data(.init(data: .byteBuffer(chunk), endStream: true)), context)
        case .stall: send(.headers(.init(headers: [":status": "200"])), context)
        case .hang, .challenge: break
        case .close: context.channel.parent?.close(promise: nil)
        case .reset(let status):
            send(.headers(.init(headers: [":status": "\(status)"])), context)
            send(.data(.init(data: .byteBuffer(ByteBuffer(string: "{")))), context)
            send(.rstStream(.internalError), context)
        case .refuse: send(.rstStream(.refusedStream), context)
        case .goAway: goAway(context)
        }
    }

    private func send(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
    }

    /// Sends GOAWAY, with the client's previous stream as the last one processed.
    private func goAway(_ context: ChannelHandlerContext) {
        let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        let last = HTTP2StreamID(max(0, Int(stream ?? .rootStream) - 2))
        context.channel.parent?.writeAndFlush(
            HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)), promise: nil)
    }
}
