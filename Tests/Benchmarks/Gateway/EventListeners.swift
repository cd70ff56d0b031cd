import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// Open event streams, each on a connection of its own.
final class EventListeners: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channels = Mutex<[any Channel]>([])
    fileprivate let begun = Atomic(0)
    /// The arrival of each device's next event.
    fileprivate let arrivals = Mutex<[String: ContinuousClock.Instant]>([:])

    /// Opens streams up to this number, some hundred at a time.
    func open(_ count: Int, at port: Int, _ people: GatewayPeople) async throws {
        let loops = group
        for first in stride(from: 0, to: count, by: 200) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in first..<min(first + 200, count) {
                    group.addTask {
                        let person = number % people.tokens.count
                        let reader = EventReader(self)
                        let channel = try await ClientBootstrap(group: loops).connectTimeout(.seconds(30))
                            .channelInitializer { $0.pipeline.addHandler(reader) }
                            .connect(host: "127.0.0.1", port: port).get()
                        let request =
                            "GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                            + "Authorization: Bearer \(people.tokens[person])\r\n"
                            + "X-Forwarded-For: \(AskingPeople.address(person))\r\n\r\n"
                        try await channel.writeAndFlush(ByteBuffer(string: request))
                        self.channels.withLock { $0.append(channel) }
                    }
                }
                try await group.waitForAll()
            }
            let wanted = min(first + 200, count)
            try await awaitFact("\(wanted) event streams", within: .seconds(60)) {
                self.begun.load(ordering: .relaxed) >= wanted ? true : nil
            }
        }
    }

    /// The arrival of a device's event.
    func arrival(of device: String) async throws -> ContinuousClock.Instant {
        try await awaitFact("the event of \(device)", within: .seconds(30)) {
            self.arrivals.withLock { $0[device] }
        }
    }

    func forget(_ device: String) { arrivals.withLock { $0[device] = nil } }

    func close() async throws {
        for channel in channels.withLock({ $0 }) { channel.close(promise: nil) }
        try await group.shutdownGracefully()
    }
}

/// Reads of a stream only what the measurement needs: its beginning, and the device of each event.
private final class EventReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let listeners: EventListeners

    init(_ listeners: EventListeners) { self.listeners = listeners }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = ContinuousClock.now
        let text = String(buffer: unwrapInboundIn(data))
        if text.contains("event: ready") { listeners.begun.wrappingAdd(1, ordering: .relaxed) }
        guard text.contains("event: reading"), let start = text.firstRange(of: "{\"device\":\"") else { return }
        let device = String(text[start.upperBound...].prefix { $0 != "\"" })
        listeners.arrivals.withLock { if $0[device] == nil { $0[device] = now } }
    }
}
