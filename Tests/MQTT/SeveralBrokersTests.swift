import MQTT
import TestSupport
import Testing

/// Several brokers are tried in their order.
@Suite struct SeveralBrokersTests {
    private static func at(_ port: Int, _ configuration: MQTTConfiguration) -> MQTTConfiguration {
        var moved = configuration
        moved.endpoint.port = UInt16(port)
        return moved
    }

    @Test func theFirstThatLetsUsInIsTaken() async throws {
        try await TestBroker.with { one in
            try await TestBroker.with { two in
                let (first, second) = try (one.ingestor(), two.ingestor())
                let nowhere = Self.at(Ports.free(), first)
                var refused = first
                refused.credentials = MQTTCredentials(user: TestBroker.ingestor, password: "another")
                for (brokers, taken) in [
                    ([first, second], first), ([nowhere, second], second), ([refused, second], second),
                    ([nowhere, refused, first, second], first),
                ] {
                    try await MQTTConsumer.with(firstOf: brokers) { consumer in
                        #expect(consumer.endpoint == taken.endpoint)
                        try await consumer.disconnect(endSession: true)
                    }
                }
            }
        }
    }

    @Test func whereNoneLetsUsInEachIsNamedWithItsReason() async throws {
        try await TestBroker.with { broker in
            var refused = try broker.ingestor()
            refused.credentials = MQTTCredentials(user: TestBroker.ingestor, password: "another")
            let nowhere = Self.at(Ports.free(), refused)
            let error = await #expect(throws: MQTTError(.unreachable)) {
                try await MQTTConsumer.with(firstOf: [refused, nowhere]) { _ in }
            }
            // Retriable, because one of them may come back by itself.
            #expect(error?.isRetriable == true)
            #expect(
                error?.description
                    == "\(refused.endpoint): the broker does not authorize this client; \(nowhere.endpoint): the broker cannot be reached"
            )
        }
    }

    /// An error after connecting is no reason to try the next broker.
    @Test func anErrorOfTheWorkIsNoReasonToTryTheNext() async throws {
        try await TestBroker.with { broker in
            let configuration = try broker.ingestor()
            await #expect(throws: MQTTError(.timeout)) {
                try await MQTTConsumer.with(firstOf: [configuration, Self.at(Ports.free(), configuration)]) {
                    consumer in
                    try await consumer.disconnect(endSession: true)
                    throw MQTTError(.timeout)
                }
            }
        }
    }
}
