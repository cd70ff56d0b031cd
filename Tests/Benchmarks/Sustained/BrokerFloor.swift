import Synchronization
import TestSupport

/// The rate of the broker alone: the same messages from the same clients, to a reader that only acknowledges. Nothing
/// else may run meanwhile.
struct BrokerFloor: Sendable {
    let broker: TestBroker
    let generator: LoadGenerator

    private static let window = 20_000
    private static let seconds = 10

    func messagesPerSecond() async throws -> Double {
        try await BrokerReader.with(broker) { reader in
            let before = generator.published.load(ordering: .acquiring)
            generator.publish(.init(rate: nil))
            let clock = ContinuousClock()
            let started = clock.now
            var start = 0
            var measuredFrom = started
            while clock.now - measuredFrom < .seconds(Self.seconds) {
                let received = reader.received.load(ordering: .acquiring)
                generator.ceiling.store(before + received + Self.window, ordering: .releasing)
                if start == 0, clock.now - started > .seconds(2) { (start, measuredFrom) = (received, clock.now) }
                try await Task.sleep(for: .milliseconds(5))
            }
            generator.pause()
            return Double(reader.received.load(ordering: .acquiring) - start)
                / ((clock.now - measuredFrom) / .seconds(1))
        }
    }
}
