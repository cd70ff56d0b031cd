import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Plans beside what ends the right to a tank.
@Suite struct PlacingTests {
    /// A tank that is placed while its owner unlinks the device stands nowhere.
    @Test func noTankIsPlacedThatIsBeingUnlinked() async throws {
        try await SharingScene.with { scene in
            let unlinker = try await SchemaFixture.connect(scene.fixture.database, .owner)
            let planner = try await SchemaFixture.connect(scene.fixture.database, .owner)
            try await scene.sql("SET aqua.account = '\(scene.kim.rawValue)'; SELECT make_plan(NULL, 'Hall')")
            try await unlinker.executeScript("BEGIN")
            #expect(try await unlinker.execute(scene.unlinking(scene.kim)) == [true])
            async let placed: Void = planner.executeScript(
                """
                BEGIN;
                SELECT name_person(\(scene.kim.rawValue));
                SELECT place_tanks((SELECT plan_id FROM site_plan), ARRAY(SELECT hardware_id FROM device), '{1}', '{1}');
                COMMIT
                """)
            _ = try await awaitFact("the other to wait") {
                try await scene.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await unlinker.executeScript("COMMIT")
            try await placed
            #expect(try await scene.sql("SELECT count(*) FROM plan_place") == "0")
            #expect(try await scene.sql("SELECT version FROM site_plan") == "1", "nothing was placed")
            await planner.close()
            await unlinker.close()
        }
    }

    /// A placed tank goes with the owner; a watcher's own plan never has another's tank.
    @Test func tanksLeaveWithTheirOwner() async throws {
        try await SharingScene.with { scene in
            let ben = try await scene.fixture.addAccount("ben")
            _ = try await scene.invite(1)
            #expect(try await scene.join(1, ben) == .joined)
            for (person, outcome) in [(scene.kim, "placed"), (ben, "notOwn")] {
                let placed = try await scene.sql(
                    """
                    SET aqua.account = '\(person.rawValue)';
                    SELECT place_tanks(m.plan, ARRAY(SELECT hardware_id FROM device), '{0}', '{1000}') FROM make_plan(NULL, 'Hall') m
                    """)
                #expect(placed == outcome)
            }
            #expect(try await scene.sql("SELECT count(*) FROM plan_place") == "1")
            let leaving = EndWatching(device: scene.device, account: ben)
            #expect(try await scene.fixture.owner.execute(leaving) == [true])
            #expect(try await scene.sql("SELECT count(*) FROM plan_place") == "1", "a watcher who leaves takes nothing")
            #expect(try await scene.unlink(scene.kim))
            #expect(try await scene.sql("SELECT count(*) FROM plan_place") == "0")
        }
    }
}
