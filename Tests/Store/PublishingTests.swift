import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Public pages beside what ends the right to them.
@Suite struct PublishingTests {
    /// A page that is published while the owner unlinks the device is none, and leaves no row.
    @Test func noPageIsPublishedOfADeviceThatIsBeingUnlinked() async throws {
        try await SharingScene.with { scene in
            let unlinker = try await SchemaFixture.connect(scene.fixture.database, .owner)
            let publisher = try await SchemaFixture.connect(scene.fixture.database, .owner)
            try await unlinker.executeScript("BEGIN")
            #expect(try await unlinker.execute(scene.unlinking(scene.kim)) == [true])
            async let published: Void = publisher.executeScript(
                """
                BEGIN;
                SELECT name_person(\(scene.kim.rawValue));
                SELECT publish_page(false, 'Pond', 2, 1::smallint, false, ARRAY(SELECT hardware_id FROM device), '{Pond}', sha256('page'), 'sealed', false);
                COMMIT
                """)
            _ = try await awaitFact("the other to wait") {
                try await scene.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await unlinker.executeScript("COMMIT")
            try await published
            #expect(try await scene.sql("SELECT count(*) FROM public_page") == "0")
            await publisher.close()
            await unlinker.close()
        }
    }
}
