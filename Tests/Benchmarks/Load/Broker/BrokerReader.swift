import Foundation
import Glibc
import Synchronization
import TestSupport

/// Reads and acknowledges the broker's messages and discards them, to measure the broker alone.
final class BrokerReader: Sendable {
    let received = Atomic(0)
    private let isStopping = Atomic(false)

    private init() {}

    static func with<Result: Sendable>(
        _ broker: TestBroker, _ body: @Sendable @escaping (BrokerReader) async throws -> Result
    ) async throws -> Result {
        let reader = BrokerReader()
        let socket = try BrokerSocket(
            port: broker.port, clientID: "bench-reader", user: TestBroker.ingestor,
            password: broker.password(TestBroker.ingestor))
        socket.append(MQTTWire.subscribe(["aqua/v1/+/readings"]))
        try socket.flush()
        nonisolated(unsafe) let owned = socket  // only the thread uses it from here on
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    Thread.detachNewThread {
                        continuation.resume(with: Swift.Result { try reader.run(owned) })
                    }
                }
                return nil
            }
            group.addTask {
                defer { reader.isStopping.store(true, ordering: .releasing) }
                return try await body(reader)
            }
            var result: Result?
            while let next = try await group.next() { result = next ?? result }
            guard let result else { throw TestSupportError("The broker's reader has ended") }
            return result
        }
    }

    private func run(_ socket: BrokerSocket) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var filled = 0
        while !isStopping.load(ordering: .acquiring) {
            var descriptor = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 100)
            filled += try socket.read(into: buffer, at: filled)
            let taken = take(UnsafeRawBufferPointer(rebasing: buffer[..<filled]), socket)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[taken..<filled]))
            filled -= taken
            try socket.flush()
        }
    }

    /// - Returns: The number of bytes in complete packets.
    private func take(_ bytes: UnsafeRawBufferPointer, _ socket: BrokerSocket) -> Int {
        var offset = 0
        var messages = 0
        socket.compose { answers in
            while let packet = MQTTWire.firstPacket(in: UnsafeRawBufferPointer(rebasing: bytes[offset...])) {
                offset += packet.length
                guard packet.type & 0xF6 == MQTTWire.publishQoS1 else { continue }
                let topicLength = Int(packet.body[0]) << 8 | Int(packet.body[1])
                answers += [MQTTWire.puback, 2, packet.body[2 + topicLength], packet.body[3 + topicLength]]
                messages += 1
            }
        }
        received.add(messages, ordering: .relaxed)
        return offset
    }
}
