import MQTT
import MQTTFleet
import TestSupport

/// Numbered messages, by which a test sees order, loss and repetition.
extension TestBroker {
    func publish(
        _ numbers: Range<Int>, as device: String, size: Int = 8, secure: Bool = false
    ) async throws {
        try await MQTTFleet.with { fleet in
            let client = try await fleet.add(self.device(device, secure: secure), window: 500)
            for number in numbers {
                try await fleet.enqueue(.numbered(number, device: device, size: size), as: client)
            }
            try await fleet.drain(client)
        }
    }
}

extension MQTTMessage {
    static func numbered(_ number: Int, device: String, size: Int = 8) -> MQTTMessage {
        var payload = Array("\(number)".utf8)
        payload += Array(repeating: UInt8(ascii: " "), count: max(0, size - payload.count))
        return MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: payload)
    }

    var number: Int? { Int(String(decoding: payload.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) }
}

extension [MQTTMessage] {
    var numbers: [Int] { compactMap(\.number) }
    var redeliveries: Int { count(where: \.isRedelivery) }
}

extension MQTTConsumer {
    /// One batch of this many messages, however long they take.
    func receiveAll(_ count: Int) async throws -> [MQTTMessage] {
        try await receive(maximum: count, linger: .seconds(120), patience: .seconds(120))
    }

    /// Returns when PUBACKs have left this process *and* the broker has read them, because it answers a subscription in
    /// its turn. Otherwise the broker may accept the next connection of this client id before it reads the last bytes
    /// of this one.
    func untilBrokerHasRead() async throws {
        try await subscribe([ConsumerTests.readings])
    }
}
