import Glibc
import Instants
import TestSupport
import Testing

@testable import Ingestor

/// A broker that hangs: its connections stay and deliver nothing, as if no device had anything to send.
@Suite(.serialized) struct FrozenBrokerTests {
    private static let start = Timestamp.now - .seconds(86_400)

    /// Engines treat a held seat that is not level as our own outage, so that no device counts as silent meanwhile.
    @Test func aSeatIsLevelOnlyWhileTheBrokerAnswers() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.awaitStored(50)
            try await fixture.store.await("level_at > now() - interval '8 s' FROM ingest_seat")
            try await fixture.cluster.whileBrokerIsFrozen {
                try await fixture.store.await(
                    "level_at < now() - interval '12 s' AND last_held_at > now() - interval '8 s' FROM ingest_seat")
            }
            try await fixture.store.await("level_at > now() - interval '8 s' FROM ingest_seat")
            try await fixture.publish(50..<100, since: Self.start)
            try await fixture.awaitStored(100)
            try await fixture.expectEachOnce(100)
            #expect(await ingestor.stop() == .exit(0))
        }
    }
}
