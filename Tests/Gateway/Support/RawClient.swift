import NIOCore
import NIOPosix
import TestSupport

/// A connection whose bytes a test chooses itself.
struct RawClient: Sendable {
    private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    static func with<Result: Sendable>(
        _ port: Int, _ body: @Sendable @escaping (RawClient) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawClient(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// Everything until the other side closes.
    func rest() async throws -> String {
        try await withDeadline(.seconds(60), "the end of the connection") { [inbound] in
            var text = ""
            do {
                for try await bytes in inbound { text += String(buffer: bytes) }
            } catch is IOError {
                // A reset is an end too.
            }
            return text
        }
    }

    /// What comes until it contains this text.
    func text(until end: String) async throws -> String {
        try await withDeadline(.seconds(60), "\(end) on a connection") { [inbound] in
            var text = ""
            for try await bytes in inbound {
                text += String(buffer: bytes)
                if text.contains(end) { return text }
            }
            throw TestSupportError("the connection ended with: \(text)")
        }
    }
}
