import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// The side of a push service to which browsers connect: a WebSocket of the subprotocol `push-notification`, not
/// encrypted.
enum PushSocket {
    /// A message of a browser; an empty object is a ping.
    struct Heard: Decodable {
        struct Update: Decodable {
            let version: String
            let code: Int
        }

        let messageType: String?
        let uaid: String?
        let channelID: String?
        let key: String?
        let updates: [Update]?
        let code: Int?
    }

    /// A message to a browser.
    struct Said: Encodable {
        var messageType: String?
        var channelID: String?
        var status: Int?
        var uaid: String?
        var useWebPush: Bool?
        var broadcasts: [String: String]?
        var pushEndpoint: String?
        var version: String?
        var data: String?
        var headers: [String: String]?

        init(
            messageType: String? = nil, channelID: String? = nil, status: Int? = nil, uaid: String? = nil,
            useWebPush: Bool? = nil, broadcasts: [String: String]? = nil, pushEndpoint: String? = nil,
            version: String? = nil, data: String? = nil, headers: [String: String]? = nil
        ) {
            (self.messageType, self.channelID, self.status, self.uaid) = (messageType, channelID, status, uaid)
            (self.useWebPush, self.broadcasts, self.pushEndpoint) = (useWebPush, broadcasts, pushEndpoint)
            (self.version, self.data, self.headers) = (version, data, headers)
        }

        private enum CodingKeys: String, CodingKey {
            case messageType, channelID, status, uaid, broadcasts, pushEndpoint, version, data, headers
            case useWebPush = "use_webpush"
        }
    }

    struct Listener: Sendable {
        let channel: any Channel
        let port: Int
        /// Set once the port is known.
        let handler: HeldService
    }

    final class HeldService: Sendable {
        private let service = Mutex<PushService?>(nil)

        func withLock(_ body: (inout sending PushService?) -> Void) { service.withLock { body(&$0) } }
        var value: PushService? { service.withLock { $0 } }
    }

    static func listen() async throws -> Listener {
        let held = HeldService()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer {
            channel in
            channel.eventLoop.makeCompletedFuture {
                let upgrader = NIOWebSocketServerUpgrader(
                    shouldUpgrade: { channel, head in
                        let isOurs = head.headers["sec-websocket-protocol"].contains("push-notification")
                        return channel.eventLoop.makeSucceededFuture(
                            isOurs ? ["Sec-WebSocket-Protocol": "push-notification"] : nil)
                    },
                    upgradePipelineHandler: { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Ear(held))
                        }
                    })
                try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            }
        }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        return Listener(channel: channel, port: channel.localAddress?.port ?? 0, handler: held)
    }

    static func send(_ said: Said, over channel: any Channel) {
        guard let text = try? JSONEncoder().encode(said) else { return }
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text))
        channel.writeAndFlush(frame, promise: nil)
    }
}

/// Reads the frames of one browser.
private final class Ear: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let held: PushSocket.HeldService

    init(_ held: PushSocket.HeldService) {
        self.held = held
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            let text = Data(frame.unmaskedData.readableBytesView)
            guard let said = try? JSONDecoder().decode(PushSocket.Heard.self, from: text) else {
                return context.close(promise: nil)
            }
            held.value?.hear(said, from: context.channel)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        held.value?.leave(context.channel)
        context.fireChannelInactive()
    }
}
