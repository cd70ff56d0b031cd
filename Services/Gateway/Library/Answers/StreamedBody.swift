import Hummingbird
import NIOCore
import Routes
import ServiceLifecycle

/// A body that a route writes bit by bit, until it is done, the client is gone, or the service stops.
struct StreamedBody: Sendable {
    let write: BodyStream
    let channel: any Channel
    let isCompressed: Bool
    /// Whether the body has no end of its own: it then ends well when the service stops, where another is broken off.
    let isEndless: Bool
    /// How long the body may go on while the service stops.
    let grace: Duration

    private struct ClientGone: Error {}
    private struct Stopping: Error {}

    /// - Throws: The error that breaks the body off. The connection ends with it, so that the client sees that
    ///   something is missing.
    func send(to writer: any ResponseBodyWriter) async throws {
        let sink = Sink(writer, isCompressed: isCompressed)
        do {
            try await race(sink)
        } catch is Stopping where isEndless {}
        try await sink.finish()
    }

    private func race(_ sink: Sink) async throws {
        let (closed, closing) = AsyncStream<Void>.makeStream()
        channel.closeFuture.whenComplete { _ in closing.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var writer: any BodyWriter = sink
                try await write(&writer)
            }
            group.addTask {
                for await _ in closed {}
                throw ClientGone()
            }
            group.addTask {
                try await gracefulShutdown()
                if !isEndless { try await Task.sleep(for: grace) }
                throw Stopping()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The writer that the route is given.
    ///
    /// `@unchecked Sendable`: the route's task alone writes, and `finish` is called after that task has ended.
    private final class Sink: BodyWriter, @unchecked Sendable {
        private var writer: any ResponseBodyWriter
        private let gzip: Gzip?

        init(_ writer: any ResponseBodyWriter, isCompressed: Bool) {
            self.writer = writer
            gzip = isCompressed ? Gzip() : nil
        }

        func write(_ bytes: [UInt8]) async throws {
            let plain = ByteBuffer(bytes: bytes)
            let out = gzip?.compress(plain) ?? plain
            if out.readableBytes > 0 { try await writer.write(out) }
        }

        func finish() async throws {
            if let gzip { try await writer.write(gzip.finish()) }
            try await writer.finish(nil)
        }
    }
}
