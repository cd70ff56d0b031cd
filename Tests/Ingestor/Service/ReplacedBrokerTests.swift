import Foundation
import Instants
import MQTT
import Store
import TestSupport
import Testing

@testable import Ingestor

/// A broker without data: a new machine's, a replaced one, or one with restored accounts only. Messages that it
/// acknowledged are stored, whether or not an Ingestor has been connected before.
@Suite struct ReplacedBrokerTests {
    private static let start = Timestamp.now - .seconds(86_400)

    @Test func aNewBrokerKeepsWhatComesBeforeTheFirstIngestor() async throws {
        try await ServiceFixture.with { fixture in
            try await fixture.publish(0..<200, since: Self.start)
            let ingestor = try await fixture.startIngestor()
            try await fixture.publish(200..<300, since: Self.start)
            try await fixture.awaitStored(300)
            #expect(await ingestor.stop() == .exit(0))
            try await fixture.expectEachOnce(300)
            // Nothing fills the first session any more.
            let consumer = try await MQTTConsumer.connect(
                .durable(
                    endpoint: MQTTEndpoint(url: fixture.cluster.broker.url), clientID: Seat.firstSessionID,
                    credentials: MQTTCredentials(
                        user: TestBroker.ingestor, password: fixture.cluster.broker.password(TestBroker.ingestor)),
                    batch: 100))
            #expect(await !consumer.sessionPresent)
            try await consumer.disconnect(endSession: true)
        }
    }

    /// The accounts exist, so devices are admitted at once.
    @Test func aReplacedOneKeepsWhatComesWhileTheIngestorIsAway() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.awaitStored(50)
            #expect(await first.stop() == .exit(0))
            try await Self.replaceBroker(of: fixture)
            try await fixture.publish(50..<250, since: Self.start)
            let second = try await fixture.startIngestor()
            try await fixture.awaitStored(250)
            #expect(await second.stop() == .exit(0))
            try await fixture.expectEachOnce(250)
        }
    }

    /// Devices reconnect sooner than the Ingestor, which has lost its connection and waits before the next attempt.
    @Test func aReplacedOneKeepsWhatComesBeforeAnIngestorAtWorkIsBack() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.awaitStored(50)
            ingestor.signal(SIGSTOP)
            try await Self.replaceBroker(of: fixture)
            try await fixture.publish(50..<150, since: Self.start)
            ingestor.signal(SIGCONT)
            try await fixture.publish(150..<250, since: Self.start)
            try await fixture.awaitStored(250)
            #expect(await ingestor.stop() == .exit(0))
            try await fixture.expectEachOnce(250)
        }
    }

    /// With shared subscriptions only one seat handles the first session, and nothing fills it afterwards.
    @Test func oneOfSeveralIngestorsEmptiesTheFirstSession() async throws {
        try await ServiceFixture.with { fixture in
            try await fixture.publish(0..<100, since: Self.start)
            try await fixture.withSharingIngestor(seatGrace: .seconds(60)) {
                try await fixture.awaitStored(100)
                try await fixture.publish(100..<200, since: Self.start)
                try await fixture.awaitStored(200)
            }
            try await fixture.expectEachOnce(200)
        }
    }

    /// The broker does not wait for an Ingestor, and keeps its sessions over the restart.
    @Test func sessionsThatAreThereAreLeftAlone() async throws {
        try await ServiceFixture.with { fixture in
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.cluster.broker.halt()
            try await fixture.cluster.broker.prepare()
            try await fixture.cluster.broker.resume()
            let ingestor = try await fixture.startIngestor()
            try await fixture.awaitStored(50)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    private static func replaceBroker(of fixture: ServiceFixture) async throws {
        let broker = fixture.cluster.broker
        try await broker.halt()
        try broker.loseData(keepsAccounts: true)
        try await broker.prepare()
        try await broker.resume()
    }
}
