import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Tanks: what belongs together from an owner's linking to the unlinking.
@Suite struct TankTests {
    @Test func watchersShareTheOwnersTankAndTheNextOwnerGetsAnother() async throws {
        try await SharingScene.with { scene in
            let lee = try await scene.fixture.addAccount("lee")
            let ann = try await scene.fixture.addAccount("ann")
            _ = try await scene.invite(1)
            #expect(try await scene.join(1, lee) == .joined)
            #expect(
                try await scene.sql("SELECT count(DISTINCT tank_id), min(tank_id) = min(ownership_id) FROM ownership")
                    == "1|t")
            #expect(try await scene.tanks(of: scene.kim) == "owner")
            #expect(try await scene.tanks(of: lee) == "watcher")
            #expect(try await scene.people(of: lee) == "kim f t, lee t t")

            _ = try await scene.sql(
                """
                UPDATE ownership SET unlinked_at = now();
                INSERT INTO ownership (slot, device_id, account_id, name, linked_at)
                SELECT slot, device_id, \(ann.rawValue), 'Pond', now() FROM device;
                """)
            #expect(try await scene.sql("SELECT count(DISTINCT tank_id) FROM ownership") == "2")
            #expect(try await scene.tanks(of: scene.kim) == "owner", "a former owner keeps what was")
            #expect(try await scene.tanks(of: lee) == "")
            #expect(try await scene.tanks(of: ann) == "owner")
            #expect(try await scene.people(of: ann) == "ann t t")
            #expect(try await scene.people(of: scene.kim) == "kim t f, lee f f")
        }
    }
}

extension SharingScene {
    /// The roles in which a person sees tanks.
    fileprivate func tanks(of person: Account.ID) async throws -> String {
        try await sql(
            "SET aqua.account = '\(person.rawValue)'; SELECT coalesce(string_agg(role, ','), '') FROM person_tank")
    }

    /// Whom a person finds in their tanks: name, whether it is themselves, whether they are there now.
    fileprivate func people(of person: Account.ID) async throws -> String {
        try await sql(
            """
            SET aqua.account = '\(person.rawValue)';
            SELECT string_agg(concat_ws(' ', name, left(is_oneself::text, 1), left(is_there::text, 1)), ', ' ORDER BY name)
            FROM tank_person
            """)
    }
}
