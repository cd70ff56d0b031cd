import Foundation
import Synchronization
import TestSupport

/// What the broker alone moves: the same messages from the same generator to a reader that only acknowledges.
struct BrokerFloor: Sendable {
    let broker: TestBroker

    private static let user = "bench_floor"
    private static let window = 20_000
    private static let seconds = 10

    func messagesPerSecond() async throws -> Double {
        let password = UUID().uuidString
        try await broker.addPublisher(Self.user, password: password)
        return try await BrokerReader.with(broker) { reader in
            try await LoadGenerator.with(
                broker, user: Self.user, password: password, fleet: Fleet(devices: 10_000), breachShare: 0, seed: 1,
                breaches: ArrivalBook(devices: 0)
            ) { generator in
                generator.publish(.init(rate: nil))
                let clock = ContinuousClock()
                let started = clock.now
                var start = 0
                var measuredFrom = started
                while clock.now - measuredFrom < .seconds(Self.seconds) {
                    let received = reader.received.load(ordering: .acquiring)
                    generator.ceiling.store(received + Self.window, ordering: .releasing)
                    if start == 0, clock.now - started > .seconds(2) { (start, measuredFrom) = (received, clock.now) }
                    try await Task.sleep(for: .milliseconds(5))
                }
                return Double(reader.received.load(ordering: .acquiring) - start)
                    / ((clock.now - measuredFrom) / .seconds(1))
            }
        }
    }
}
