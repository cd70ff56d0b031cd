import Testing

@testable import Postgres

/// The parts that decide without a database.
@Suite struct DecisionTests {
    private typealias Queue = PoolQueue<String, Int>

    private func checkOut(_ queue: inout Queue, _ number: UInt64) -> String {
        switch queue.checkOut(number: number, waiter: Int(number)) {
        case .take(let connection): "take \(connection)"
        case .wait: "wait"
        case .refuse(let error): "\(error.code)"
        }
    }

    @Test func aPoolServesFirstComeFirst() {
        var queue = Queue(maximumWaiting: 2)
        #expect(queue.offer("a") == nil)
        #expect(queue.offer("b") == nil)
        #expect(checkOut(&queue, 1) == "take b")
        #expect(checkOut(&queue, 2) == "take a")
        #expect(checkOut(&queue, 3) == "wait")
        #expect(checkOut(&queue, 4) == "wait")
        #expect(checkOut(&queue, 5) == "poolExhausted")
        #expect(queue.withdraw(number: 3) == 3)
        #expect(queue.withdraw(number: 3) == nil)
        #expect(queue.offer("b") == 4)
        #expect(checkOut(&queue, 6) == "wait")
        #expect(queue.close() == [6])
        #expect(queue.offer("a") == nil)
        #expect(checkOut(&queue, 7) == "closed")
    }

    @Test func equalNotificationsAreTheSameNews() {
        var queue = EventQueue(channels: ["a", "b"], limit: 2)
        queue.insert(channel: "a", payload: "1")
        queue.insert(channel: "a", payload: "1")
        queue.insert(channel: "a", payload: "2")
        queue.insert(channel: "b", payload: "3")
        queue.insert(channel: "unknown", payload: "4")
        queue.noteReconnect()
        queue.noteReconnect()
        let events = (1...6).map { _ in queue.next() }
        #expect(
            events == [
                .mayHaveMissed, .notified(channel: "a", payload: "1"), .notified(channel: "b", payload: "3"),
                .notified(channel: "a", payload: "2"), nil, nil,
            ])
    }

    @Test func tooManyNotificationsBecomeOneOverflow() {
        var queue = EventQueue(channels: ["a"], limit: 2)
        for number in 1...5 { queue.insert(channel: "a", payload: "\(number)") }
        #expect(queue.next() == .overflow(channel: "a"))
        #expect(queue.next() == nil)
        queue.insert(channel: "a", payload: "6")
        #expect(queue.next() == .notified(channel: "a", payload: "6"))
    }

    @Test func malformedArraysAreNoArrays() {
        var buffer = WireBuffer(capacity: 0)
        PostgresArray.encode([1, nil, 3], of: Int32.self, into: &buffer)
        buffer.withBytes { bytes in
            #expect(PostgresArray.decode(bytes, of: Int32.self) == [1, nil, 3])
            #expect(PostgresArray.decode(bytes, of: Int64.self) == nil, "another element type")
            for length in 0..<bytes.count {
                let cut = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                #expect(PostgresArray.decode(cut, of: Int32.self) == nil, "cut after \(length) bytes")
            }
        }
    }
}
