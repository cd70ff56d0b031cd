import Foundation
import Instants
import MQTT
import MQTTFleet
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The session of a seat: its name, and its messages when somebody comes back to it.
@Suite(.serialized) struct SeatSessionTests {
    private static let start = Timestamp.now - .seconds(86_400)

    private static func session(_ id: String, _ fixture: ServiceFixture) throws -> MQTTConfiguration {
        let broker = fixture.cluster.broker
        return .durable(
            endpoint: try MQTTEndpoint(url: broker.url), clientID: id,
            credentials: MQTTCredentials(user: TestBroker.ingestor, password: try broker.password(TestBroker.ingestor)),
            batch: 1_000)
    }

    /// Leaves a session like an Ingestor that went away.
    private static func leaveSession(_ id: String, _ fixture: ServiceFixture) async throws {
        let consumer = try await MQTTConsumer.connect(session(id, fixture))
        try await consumer.subscribe(Topic.subscriptions(isShared: false))
        try await consumer.disconnect()
    }

    /// Whether the broker holds the session, which this ends, too.
    static func holdsSession(_ id: String, _ fixture: ServiceFixture) async throws -> Bool {
        let consumer = try await MQTTConsumer.connect(session(id, fixture))
        let isPresent = await consumer.sessionPresent
        try await consumer.disconnect(endSession: true)
        return isPresent
    }

    @Test func aSeatsSessionHasANameThatNobodyGuessesAndKeepsIt() async throws {
        try await ServiceFixture.with { fixture in
            let query = "SELECT session_id FROM ingest_seat WHERE session_id ~ '^aqua:ingestor:0:[0-9a-f]{16}$'"
            let first = try await fixture.startIngestor()
            let name = try await fixture.database.sql(query)
            #expect(!name.isEmpty)
            first.signal(SIGKILL)
            _ = await first.end
            try await fixture.publish(0..<50, since: Self.start)
            let second = try await fixture.startIngestor()
            try await fixture.awaitStored(50)
            #expect(try await fixture.database.sql(query) == name)
            #expect(await second.stop() == .exit(0))
            try await fixture.expectEachOnce(50)
            #expect(try await Self.holdsSession(name, fixture))
        }
    }

    /// After an upgrade, messages in the former version's session are not lost, and nothing fills it any more.
    @Test func aSessionOfAnEarlierVersionIsDrainedAndEnded() async throws {
        try await ServiceFixture.with { fixture in
            #expect(try await Self.holdsSession(Seat.firstSessionID, fixture), "a new broker keeps all this as well")
            try await Self.leaveSession("aqua-ingestor-0", fixture)
            try await fixture.database.sql("INSERT INTO ingest_seat (seat, session_open) VALUES (0, true)")
            try await fixture.publish(0..<300, since: Self.start)
            let ingestor = try await fixture.startIngestor()
            try await fixture.publish(300..<400, since: Self.start)
            try await fixture.awaitStored(400)
            #expect(await ingestor.stop() == .exit(0))
            try await fixture.expectEachOnce(400)
            #expect(try await !Self.holdsSession("aqua-ingestor-0", fixture))
        }
    }

    /// The age of the messages is unknown: all of them are history.
    @Test func readingsWithoutATimeThatWaitedAreStoredAndNotDecided() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            #expect(await first.stop() == .exit(0))
            let tank = try await fixture.connect("tank-1")
            for _ in 0..<20 { try await fixture.fleet.publish(.of(#"{"ph":7.9}"#), as: tank) }
            let second = try await fixture.startIngestor()
            try await fixture.awaitStored(20)
            #expect(try await fixture.store.evaluated().isEmpty)
            // Later messages are fresh.
            try await fixture.fleet.publish(.of(#"{"ph":8}"#), as: tank)
            try await fixture.awaitStored(21)
            #expect(try await fixture.store.evaluated().map { $0.readings[.ph] } == [8])
            #expect(await second.stop() == .exit(0))
        }
    }

    @Test func whatASessionOfAnEarlierVersionHoldsIsOld() async throws {
        try await ServiceFixture.with { fixture in
            #expect(try await Self.holdsSession(Seat.firstSessionID, fixture), "a new broker keeps all this as well")
            try await Self.leaveSession("aqua-ingestor-0", fixture)
            let tank = try await fixture.connect("tank-1")
            for number in 0..<20 { try await fixture.fleet.publish(.of(#"{"nitrate":\#(number)}"#), as: tank) }
            let ingestor = try await fixture.startIngestor()
            try await fixture.awaitStored(20)
            #expect(try await fixture.store.evaluated().isEmpty)
            #expect(await ingestor.stop() == .exit(0))
        }
    }
}
