import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A project of Kim's with the fixture's device, in which Ana takes part; each has a phone. Times of shifts are of UTC.
private struct ShiftScene {
    let scene: GatheringScene
    let project: Int64
    let ana: Int64

    var fixture: EngineFixture { scene.fixture }
    var kim: Int64 { scene.fixture.account.rawValue }

    static func with(_ body: @Sendable @escaping (ShiftScene) async throws -> Void) async throws {
        try await GatheringScene.with { scene in
            let fixture = scene.fixture
            let (slot, device) = (fixture.device.slot.rawValue, fixture.device.device.rawValue)
            let ana = try await fixture.addPerson("ana").rawValue
            let project = try #require(
                Int64(
                    try await fixture.sql(
                        """
                        DELETE FROM endpoint WHERE account_id = \(ana);
                        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                        VALUES (8, \(ana), 'ntfy', 'https://ntfy.example.org/ana', '');
                        SET aqua.account = '\(fixture.account.rawValue)';
                        SELECT create_project('Farm') AS project \\gset
                        SELECT move_device(\(slot)::smallint, \(device), :project) AS moved \\gset
                        INSERT INTO project_member (project_id, account_id, role) VALUES (:project, \(ana), 'keeper');
                        SELECT add_parts(:project, ARRAY[\(ana)]::bigint[], ARRAY[\(slot)]::smallint[], ARRAY[\(device)]) AS added \\gset
                        UPDATE ownership SET linked_at = now() - interval '1 day';
                        SELECT :project
                        """)))
            try await body(ShiftScene(scene: scene, project: project, ana: ana))
        }
    }

    /// Has one of the two on shift around the clock, and the other on another day; those who come on are told of what goes on.
    @discardableResult
    func setOn(_ present: Int64, off absent: Int64) async throws -> [AlertRecord] {
        let member = "SELECT member_id FROM project_member WHERE project_id = \(project) AND account_id ="
        let set = try await fixture.sql(
            """
            SET aqua.account = '\(kim)';
            SELECT set_shifts(\(project), (SELECT coalesce(max(version), 0) FROM rota), 'UTC', jsonb_build_array(
                jsonb_build_object('id', NULL, 'name', 'On', 'days', 127, 'begins', 0, 'ends', 0,
                    'members', jsonb_build_array((\(member) \(present)))),
                jsonb_build_object('id', NULL, 'name', 'Off', 'days', 1 << (extract(isodow FROM now() AT TIME ZONE 'UTC')::integer + 2) % 7,
                    'begins', 60, 'ends', 120, 'members', jsonb_build_array((\(member) \(absent))))))
            """)
        #expect(set == "done")
        return try await turn()
    }

    /// Tells those who come on shift.
    func turn() async throws -> [AlertRecord] {
        let alerts = try await fixture.owner.transaction { try TurnSweep(policy: scene.policy).perform($0).alerts }
        try await scene.arrive()
        return alerts
    }

    /// The people who were told, in the order of the alerts.
    func told() async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(CASE account_id WHEN \(kim) THEN 'kim' WHEN \(ana) THEN 'ana' END || ' ' || purpose, ', ' ORDER BY alert_id) FROM alert
            """)
    }
}

/// Who is told of a project's devices by its shifts. Temperature, 12.0 to 24.0 °C; pH, 6.5 to 9.0.
struct TurnSweepTests {
    @Test func whoeverIsOffShiftIsToldOfNothing() async throws {
        try await ShiftScene.with { scene in
            #expect(try await scene.setOn(scene.kim, off: scene.ana).isEmpty, "nothing goes on, so there is no message")
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(try await scene.told() == "kim alarm")
            #expect(
                try await scene.fixture.sql(
                    "SELECT t.notification FROM transition t JOIN episode e USING (slot, episode_id) WHERE e.account_id = \(scene.ana)"
                ) == "offShift")
            #expect(
                try await scene.fixture.sql("SELECT string_agg(account_id::text, ',') FROM throttle") == "\(scene.kim)")
            #expect(try await scene.scene.gathered() == "0")
        }
    }

    @Test func whatIsCriticalIsLeftToThoseOnShiftAsWell() async throws {
        try await ShiftScene.with { scene in
            _ = try await scene.fixture.sql(
                "UPDATE setting SET critical_maximum = \(Parameter.temperature.steps(of: 26).count) WHERE parameter = 0 AND valid_until IS NULL"
            )
            try await scene.setOn(scene.kim, off: scene.ana)
            try await scene.scene.take([.temperature: 27], at: 0)
            #expect(try await scene.told() == "kim alarm")
        }
    }

    /// Whoever would be told by nothing keeps nobody else from being told.
    @Test func whereNothingReachesThoseOnShiftAllAreTold() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            _ = try await scene.fixture.sql("DELETE FROM endpoint WHERE account_id = \(scene.kim)")
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(try await scene.told() == "ana alarm")
        }
    }

    /// A way that is left for what is critical alone is no way for the rest.
    @Test func whomOnlyWhatIsCriticalReachesKeepsNobodyFromBeingTold() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, only_urgent)
                VALUES (9, \(scene.kim), 'ntfy', 'https://ntfy.example.org/urgent', '', true);
                INSERT INTO failed_way (endpoint_id, registration, account_id, since)
                SELECT endpoint_id, registration, account_id, now() FROM endpoint WHERE account_id = \(scene.kim) AND NOT only_urgent
                """)
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(Set(try await scene.told().split(separator: ", ")) == ["kim alarm", "ana alarm"])
        }
    }

    @Test func whoWantsToBeToldAlwaysIs() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            #expect(
                try await scene.fixture.sql(
                    "SET aqua.account = '\(scene.ana)'; SELECT tell_always(\(scene.project), true)")
                    == "t")
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(Set(try await scene.told().split(separator: ", ")) == ["kim alarm", "ana alarm"])
            let onShift = """
                SET aqua.account = '\(scene.ana)';
                SELECT count(*) FROM alert a CROSS JOIN LATERAL told_on_shift(a.slot, a.alert_id) WHERE a.account_id = \(scene.ana)
                """
            #expect(try await scene.fixture.sql(onShift) == "1")
            _ = try await scene.fixture.sql("UPDATE alert SET state = 'undelivered' WHERE account_id = \(scene.kim)")
            #expect(try await scene.fixture.sql(onShift) == "0", "nobody was told whom nothing reached")
        }
    }

    /// Of what nobody on shift watches as closely as the project everybody hears.
    @Test func aLimitThatIsLoosenedOnShiftSilencesNobody() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            _ = try await scene.fixture.sql(
                """
                UPDATE setting SET maximum = maximum + 50, follows = false
                WHERE account_id = \(scene.kim) AND parameter = 0 AND valid_until IS NULL
                """)
            try await scene.scene.take([.temperature: 25, .ph: 9.5], at: 0)
            #expect(
                try await scene.fixture.sql(
                    "SELECT string_agg(account_id || ' ' || parameter, ', ' ORDER BY parameter) FROM alert")
                    == "\(scene.ana) \(Parameter.temperature.rawValue), \(scene.kim) \(Parameter.ph.rawValue)")
        }
    }

    @Test func aShiftWinsOverQuietHours() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            try await scene.scene.beginNight()
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(try await scene.told() == "kim alarm")
            #expect(try await scene.scene.gathered() == "0")
        }
    }

    @Test func whoComesOnHearsOnceWhatGoesOn() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            try await scene.scene.take([.temperature: 25, .ph: 9.5], at: 0)
            try await scene.scene.take([.temperature: 25, .ph: 9.6], at: 60)
            _ = try await scene.fixture.sql("UPDATE alert SET decided_at = decided_at - interval '1 hour'")
            let digest = try await scene.setOn(scene.ana, off: scene.kim)
            #expect(digest.map(\.purpose) == [.alarm, .alarm])
            #expect(Set(digest.map(\.subject.account.rawValue)) == [scene.ana], "whoever goes off hears nothing")
            #expect(Set(digest.map(\.group)).count == 1, "one message")
            #expect(try await scene.turn().isEmpty, "once")
            // It was told: what goes on is a reminder in half an hour.
            try await scene.scene.take([.temperature: 25], at: 120)
            #expect(try await scene.told() == "kim alarm, kim alarm, ana alarm, ana alarm")
        }
    }

    /// Whoever comes on waits for as long as they want to, too.
    @Test func whatIsDelayedIsNoPartOfTheDigest() async throws {
        try await ShiftScene.with { scene in
            _ = try await scene.fixture.sql(
                "UPDATE setting SET delay_seconds = 600 WHERE parameter = \(Parameter.temperature.rawValue) AND valid_until IS NULL"
            )
            try await scene.setOn(scene.kim, off: scene.ana)
            try await scene.scene.take([.temperature: 25], at: 0)
            try await scene.scene.take([.temperature: 25], at: 540)
            #expect(try await scene.setOn(scene.ana, off: scene.kim).isEmpty)
            try await scene.scene.take([.temperature: 25], at: 600)
            #expect(try await scene.told() == "ana alarm")
        }
    }

    /// Until the message with which a shift begins nothing of it is told by itself, a minute at most.
    @Test func theFirstMessageOfAShiftIsItsDigest() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            _ = try await scene.fixture.sql("UPDATE shift_turn SET next_at = now() WHERE account_id = \(scene.kim)")
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(try await scene.told() == "")
            #expect(try await scene.turn().map(\.subject.account.rawValue) == [scene.kim])
            _ = try await scene.fixture.sql(
                "UPDATE shift_turn SET next_at = now() - interval '2 minutes' WHERE account_id = \(scene.kim)")
            try await scene.scene.take([.ph: 9.5], at: 60)
            #expect(try await scene.told() == "kim alarm, kim alarm", "late, so that it is told by itself")
        }
    }

    /// A receiver of webhooks gets no digest, so that whom it alone reaches is told at once.
    @Test func whomAReceiverAloneReachesWaitsForNoDigest() async throws {
        try await ShiftScene.with { scene in
            try await scene.setOn(scene.kim, off: scene.ana)
            _ = try await scene.fixture.sql(
                """
                DELETE FROM endpoint WHERE account_id = \(scene.kim);
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (9, \(scene.kim), 'webhook', 'https://receiver.example.org/kim', '');
                UPDATE shift_turn SET next_at = now() WHERE account_id = \(scene.kim)
                """)
            try await scene.scene.take([.temperature: 25], at: 0)
            #expect(try await scene.told() == "kim alarm")
            #expect(try await scene.turn().isEmpty)
        }
    }
}
