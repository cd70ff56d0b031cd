import NIOCore
import NIOPosix
package import NIOSSL

/// A connection on which the test chooses every byte.
package struct RawClient: Sendable {
    private let reader: Reader
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let shaken: EventLoopFuture<Handshake>?

    /// - Parameter tls: The client's TLS configuration; nil for a connection without TLS.
    package static func with<Result: Sendable>(
        _ port: Int, tls: TLSConfiguration? = nil, _ body: @Sendable @escaping (RawClient) async throws -> Result
    ) async throws -> Result {
        let (channel, shaken) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let shaken = try tls.map { try HandshakeRecorder.add($0, to: channel) }
                    return (
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel), shaken
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawClient(reader: Reader(inbound), outbound: outbound, shaken: shaken))
        }
    }

    /// The result of the TLS handshake.
    /// - Throws: The error of a failed handshake.
    package func handshake() async throws -> Handshake {
        guard let shaken else { throw TestSupportError("this client does not encrypt") }
        return try await withDeadline(.seconds(60), "a handshake") { try await shaken.get() }
    }

    package func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Reads until the other side closes, and returns everything as text.
    package func rest() async throws -> String {
        try await withDeadline(.seconds(60), "the end of the connection") { [reader] in
            var text = ""
            do {
                while let bytes = try await reader.next() { text += String(buffer: bytes) }
            } catch is IOError {
                // A reset ends the connection too.
            } catch NIOSSLError.uncleanShutdown {
                // So does a close without a TLS close notification.
            }
            return text
        }
    }

    /// Reads until the text contains `end`.
    package func text(until end: String) async throws -> String {
        try await withDeadline(.seconds(60), "\(end) on a connection") { [reader] in
            var text = ""
            while let bytes = try await reader.next() {
                text += String(buffer: bytes)
                if text.contains(end) { return text }
            }
            throw TestSupportError("the connection ended with: \(text)")
        }
    }

    /// Reads from where the last read ended: the stream has one iterator.
    ///
    /// Unchecked: a test reads in one task at a time.
    private final class Reader: @unchecked Sendable {
        private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

        init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) { iterator = inbound.makeAsyncIterator() }

        func next() async throws -> ByteBuffer? { try await iterator.next() }
    }
}
