import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The time and the content of all-clears. Temperature, 12.0 to 24.0 °C.
struct AllClearTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(3_600)

    /// A fixture with one engine's memory, in which every alert arrives.
    private struct Scene {
        let fixture: EngineFixture
        let memory = SharedMemory()

        /// Hands over a value this many seconds after the start, and decides on it.
        /// - Parameter behind: The seconds by which the device's clock is behind, or for which it kept the value.
        func take(_ value: Float, at second: Int, behind: Int = 0, isDecided: Bool = true) async throws {
            let receivedAt = start + .seconds(second + 1)
            try await fixture.hand([.temperature: value], at: start + .seconds(second - behind), receivedAt: receivedAt)
            if isDecided { try await decide() }
        }

        func decide() async throws {
            try await fixture.claim(memory, policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered' WHERE state = 'decided'")
        }

        /// The alerts of a sweep for which every recovery is due.
        func sweep() async throws -> [AlertRecord] {
            _ = try await fixture.sql(
                "UPDATE episode SET recovery_due_at = now() - interval '1 s' WHERE recovery_due_at IS NOT NULL")
            return try await fixture.owner.transaction {
                try RecoverySweep(policy: policy).perform($0, now: .now)
            }.notices
        }
    }

    private func with(_ body: @Sendable (Scene) async throws -> Void) async throws {
        try await EngineFixture.with { try await body(Scene(fixture: $0)) }
    }

    /// Elapsed time or an undecided reading is not enough.
    @Test func aDecidedReadingFromAfterTheDelayTellsIt() async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            #expect(try await scene.sweep().isEmpty)
            #expect(try await scene.fixture.sql("SELECT recovery_due_at > now() FROM episode") == "t", "asked again")
            try await scene.take(23, at: 359)
            #expect(try await scene.sweep().isEmpty)
            try await scene.take(23, at: 360, isDecided: false)
            #expect(try await scene.sweep().isEmpty, "it might be another")
            try await scene.decide()
            #expect(try await scene.sweep().map(\.purpose) == [.recovery])
        }
    }

    /// Beside an engine of a newer version, which knows more kinds and parameters.
    @Test func whatOnlyANewerVersionDecidesIsLeftAlone() async throws {
        try await with { scene in
            _ = try await scene.fixture.sql(
                """
                ALTER TABLE episode DROP CONSTRAINT episode_kind_check, DROP CONSTRAINT episode_parameter_check;
                ALTER TABLE throttle DROP CONSTRAINT throttle_parameter_check;
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at, closed_because,
                    recovery_due_at)
                SELECT slot, device_id, e.parameter, account_id, e.id, e.kind, e.side, now(), now(), e.closed_at,
                    CASE WHEN e.closed_at IS NOT NULL THEN 'recovered' END, e.closed_at
                FROM (SELECT DISTINCT slot, device_id, account_id FROM ownership) o, (VALUES
                    (901, 99, 'range', 'high', NULL::timestamptz), (902, 99, 'fault', NULL, now()), (903, 0, 'forecast', NULL, now()))
                    AS e (id, parameter, kind, side, closed_at);
                INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
                SELECT DISTINCT slot, device_id, 99, account_id, 'high', now(), 901 FROM ownership;
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                SELECT DISTINCT slot, device_id, 99, account_id, 'range', 'high', now() + interval '1 hour' FROM ownership;
                INSERT INTO probe_fault (slot, device_id, parameter, since, last_at, received_at)
                SELECT DISTINCT slot, device_id, 99, now(), now(), now() FROM ownership;
                INSERT INTO flat_line (slot, device_id, parameter, since, until, value)
                SELECT DISTINCT slot, device_id, 99, now(), now(), 7 FROM ownership
                """)
            try await scene.take(25, at: 0)
            #expect(try await scene.fixture.sql("SELECT kind, side FROM alert") == "range|high")
            #expect(try await scene.sweep().isEmpty)
            #expect(
                try await scene.fixture.sql(
                    "SELECT string_agg(episode_id::text, ' ') FROM episode WHERE recovery_due_at <= now()") == "902 903"
            )
        }
    }

    /// A probe in the air opens no episode while somebody works, so what it measures shows no calm either.
    @Test func whatIsMeasuredInWorkSaysNothing() async throws {
        try await with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            _ = try await scene.fixture.work(from: Self.start + .seconds(120), until: Self.start + .seconds(1_000))
            for (value, second) in [(27, 500), (23, 999)] as [(Float, Int)] {
                try await scene.take(value, at: second)
                #expect(try await scene.sweep().isEmpty)
            }
            try await scene.take(23, at: 1_000)
            #expect(try await scene.sweep().map(\.purpose) == [.recovery])
        }
    }

    @Test func readingsOfOtherParametersSayNothing() async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            try await scene.fixture.hand(
                [.ph: 8], at: Self.start + .seconds(400), receivedAt: Self.start + .seconds(401))
            try await scene.decide()
            #expect(try await scene.sweep().isEmpty)
        }
    }

    /// A gateway sends stored readings, which look like a clock that was set back: the alarm itself, later by its own
    /// time, is no calm. The second one's time is in the future by what the clock says now.
    @Test(arguments: [400, 1_800]) func whatCameBeforeItClosedSaysNothing(second: Int) async throws {
        try await with { scene in
            try await scene.take(29, at: second)
            // Long enough ago for an all-clear by our clock.
            try await scene.take(23, at: 3_200, behind: 3_200)
            #expect(
                try await scene.fixture.sql("SELECT closed_at = '\(Self.start.iso8601)' FROM episode") == "t",
                "as if the clock was put back")
            #expect(try await scene.sweep().isEmpty)
            #expect(try await scene.fixture.sql("SELECT count(recovery_due_at) FROM episode") == "1", "asked again")
        }
    }

    /// The clock is set back two hours in the middle of an alarm, and readings follow it from then on.
    @Test func aClockThatIsPutBackInAnAlarmIsFollowed() async throws {
        try await with { scene in
            try await scene.take(25, at: 1_700)
            try await scene.take(25, at: 1_760)
            for second in [1_820, 1_850] { try await scene.take(23, at: second, behind: 7_200) }
            #expect(try await scene.fixture.sql("SELECT count(closed_at) FROM episode") == "1")
            #expect(try await scene.sweep().isEmpty)
            try await scene.take(23, at: 1_880, behind: 7_200)
            #expect(try await scene.sweep().isEmpty)
            try await scene.take(23, at: 2_150, behind: 7_200)
            #expect(try await scene.sweep().count == 1)
        }
    }

    /// The clock is set back two hours after the episode closed: later readings come after that, although their times
    /// do not show it.
    @Test func aClockThatIsPutBackAfterItClosedIsFollowed() async throws {
        try await with { scene in
            try await scene.take(25, at: 1_740)
            try await scene.take(23, at: 1_800)
            for second in [1_830, 1_860] { try await scene.take(23, at: second, behind: 7_200) }
            #expect(
                try await scene.fixture.sql(
                    "UPDATE device_clock SET stepped_at = '\((Self.start + .seconds(1_862)).iso8601)' RETURNING lag_seconds"
                ).hasPrefix("7201"))
            try await scene.take(23, at: 2_090, behind: 7_200)
            #expect(try await scene.sweep().isEmpty)
            try await scene.take(23, at: 2_110, behind: 7_200)
            #expect(try await scene.sweep().count == 1)
        }
    }

    /// By the device's clock the episode ended two hours ago, and by ours just now.
    @Test func whoseClockLagsIsAskedAsOftenAsOthers() async throws {
        try await with { scene in
            _ = try await scene.fixture.sql(
                "INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device")
            try await scene.take(25, at: 3_400, behind: 7_200)
            try await scene.take(23, at: 3_500, behind: 7_200)
            #expect(try await scene.sweep().isEmpty)
            #expect(
                try await scene.fixture.sql(
                    "SELECT count(*) FROM episode WHERE recovery_due_at < now() + interval '15 s'") == "1")
        }
    }

    /// A look has a bound: the parameter may have stopped while its device sends others.
    @Test(arguments: [(999, 1), (1_000, 0)]) func aLookReadsAThousandRows(others: Int, told: Int) async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            try await scene.take(23, at: 400)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, t, t, 8 FROM device,
                    LATERAL (SELECT '\(Self.start.iso8601)'::timestamptz + interval '400 s' + n * interval '1 s' AS t
                        FROM generate_series(1, \(others)) n) t
                """)
            #expect(try await scene.sweep().count == told)
        }
    }

    /// Unread messages at the broker might show that the trouble is back.
    @Test func nothingIsToldWhileASeatLags() async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            try await scene.take(23, at: 400)
            _ = try await scene.fixture.sql(
                "INSERT INTO ingest_seat (seat, session_open, level_at) VALUES (1, true, now() - interval '1 minute')")
            #expect(try await scene.sweep().isEmpty)
            _ = try await scene.fixture.sql("UPDATE ingest_seat SET level_at = now()")
            #expect(try await scene.sweep().count == 1)
        }
    }

    /// Nobody got an alert about the warm water in between.
    @Test func itDescribesTheAlarmThatItEnds() async throws {
        try await with { scene in
            try await scene.take(10, at: 0)
            try await scene.take(20, at: 60)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                SELECT slot, device_id, parameter, account_id, kind, 'high', now() + interval '1 hour' FROM alert
                """)
            try await scene.take(25, at: 120)
            try await scene.take(21, at: 180)
            try await scene.take(21, at: 600)
            let notice = try #require(try await scene.sweep().first)
            #expect(notice.range.side == .low && notice.range.limit == 12)
            #expect(notice.range.worst == 10 && notice.range.value == 21)
            #expect(notice.openedAt == Self.start)
        }
    }

    /// A failing endpoint delays neither the all-clear nor its content.
    @Test func whatHasComeToOneEndpointIsToldOf() async throws {
        try await with { scene in
            try await scene.take(10, at: 0)
            try await scene.take(25, at: 60)
            try await scene.take(25, at: 90)
            _ = try await scene.fixture.owner.execute(
                AddEndpoint(
                    endpoint: Endpoint.ID(rawValue: 2), account: scene.fixture.account, channel: .webhook,
                    target: "https://example.org/b", sealedSecret: []))
            _ = try await scene.fixture.sql(
                """
                UPDATE alert SET state = 'sending' WHERE side = 'high';
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, endpoint_id, CASE endpoint_id WHEN 1 THEN 'accepted' ELSE 'pending' END,
                    now() + interval '1 h', CASE endpoint_id WHEN 1 THEN now() END
                FROM alert JOIN endpoint USING (account_id) WHERE side = 'high'
                """)
            try await scene.take(21, at: 180)
            try await scene.take(21, at: 600)
            #expect(try await scene.sweep().map(\.range.side) == [.high])
        }
    }

    /// The device was given up and linked again: earlier alerts are another matter.
    @Test func nothingIsToldAcrossAnUnlinking() async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            _ = try await scene.fixture.sql("UPDATE ownership SET linked_at = now()")
            try await scene.take(23, at: 60)
            try await scene.take(23, at: 400)
            #expect(try await scene.sweep().isEmpty)
            #expect(try await scene.fixture.sql("SELECT count(recovery_due_at) FROM episode") == "0")
        }
    }

    /// The value has not changed, but its unit and limits have.
    @Test func itNamesTheLimitOfTheAlarm() async throws {
        try await with { scene in
            try await scene.take(26.8, at: 0)
            _ = try await scene.fixture.sql("UPDATE setting SET minimum = NULL, maximum = NULL WHERE parameter = 0")
            try await scene.take(26.8, at: 60)
            try await scene.take(26.8, at: 400)
            let notice = try #require(try await scene.sweep().first)
            #expect(notice.range.side == .high && notice.range.limit == 24 && notice.range.value == 26.8)
        }
    }

    /// A cancelled all-clear, cancelled because the trouble was back, has reached nobody. One on its way will be
    /// cancelled for the same reason.
    @Test(arguments: [("cancelled", 1), ("undelivered", 1), ("sending", 1), ("delivered", 0)])
    func aCancelledAllClearIsOwedStill(state: String, owed: Int) async throws {
        try await with { scene in
            try await scene.take(25, at: 0)
            try await scene.take(23, at: 60)
            try await scene.take(23, at: 400)
            #expect(try await scene.sweep().count == 1)
            _ = try await scene.fixture.sql("UPDATE alert SET state = '\(state)' WHERE purpose = 'recovery'")
            // Within the interval, so that nobody gets an alert.
            try await scene.take(25, at: 460)
            try await scene.take(23, at: 520)
            try await scene.take(23, at: 900)
            #expect(try await scene.sweep().count == owed)
        }
    }

    /// The kinds beside range: the alerts of an episode before the last of two.
    @Test(
        arguments: [
            ("purpose = 'alarm'", "delivered", RecoveryNotice.Alarm.delivered),
            ("purpose = 'alarm'", "sending", .pending),
            ("purpose = 'reminder', ended = true", "delivered", .untold),
            ("decided_at = now() - interval '2 hours'", "delivered", .untold),
        ], [Parameter?.some(.temperature), nil])
    func whatIsNoAlarmAnyMoreIsNotEnded(
        told: (change: String, state: String, alarm: RecoveryNotice.Alarm), parameter: Parameter?
    ) async throws {
        try await with { scene in
            let (fixture, kind) = (scene.fixture, parameter == nil ? "silence" : "rate")
            let watch = "slot, device_id, \(parameter.map { "\($0.rawValue)" } ?? "NULL"), account_id"
            _ = try await fixture.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '1 hour';
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at, closed_at,
                    closed_because, recovery_due_at)
                SELECT \(watch), n, '\(kind)', now() - interval '9 min', now() - interval '9 min', now() - interval '8 min',
                    'recovered', CASE n WHEN 2 THEN now() END FROM ownership, generate_series(1, 2) n;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, opened_at,
                    event_time, state)
                SELECT \(watch), n, 1, '\(kind)', CASE n WHEN 1 THEN 'alarm' ELSE 'recovery' END, now(), now(), '\(told.state)'
                FROM ownership, generate_series(1, 2) n;
                UPDATE alert SET state = 'sending' WHERE alert_id = 2;
                UPDATE alert SET \(told.change) WHERE alert_id = 1
                """)
            let take = TakeDueRecoveries(limit: 10, floors: BatchFloors.none)
            let due = try await fixture.owner.execute(take)
            #expect(due.map(\.alarm) == [told.alarm], "the all-clear of the first will not be sent")
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered' WHERE alert_id = 2")
            #expect(try await fixture.owner.execute(take).map(\.alarm) == [.untold])
            _ = try await fixture.sql("UPDATE alert SET state = 'sending', episode_id = 2 WHERE alert_id = 2")
            #expect(try await fixture.owner.execute(take).map(\.alarm) == [.untold])
        }
    }

    /// A limit of change was moved or removed, so nobody knows whether the value is steady.
    @Test(arguments: [true, false]) func aChangeThatIsMeasuredAnewIsNotSteady(isMoved: Bool) async throws {
        try await with { scene in
            try await scene.take(20, at: 0)
            try await scene.take(20, at: 400)
            _ = try await scene.fixture.sql(
                """
                UPDATE setting SET change_per_hour = 10, valid_from = now() - interval '1 hour' WHERE parameter = 0;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at, closed_at,
                    closed_because, recovery_due_at)
                SELECT slot, device_id, parameter, account_id, 9, 'rate', '\(Self.start.iso8601)', '\(Self.start.iso8601)',
                    '\(Self.start.iso8601)', 'recovered', now() FROM setting WHERE parameter = 0;
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, opened_at,
                    event_time, state, limit_value)
                SELECT slot, device_id, parameter, account_id, 9, 9, 'rate', 'alarm', now(), now(), 'delivered', 1
                FROM setting WHERE parameter = 0
                """)
            if isMoved {
                _ = try await scene.fixture.sql(
                    """
                    UPDATE setting SET valid_until = now() WHERE parameter = 0;
                    INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position, change_per_hour)
                    SELECT slot, device_id, account_id, parameter, 2, unit, colour, position, 50 FROM setting WHERE parameter = 0
                    """)
            }
            let due = try await scene.fixture.owner.execute(
                TakeDueRecoveries(limit: 10, floors: BatchFloors.none))
            #expect(due.count == 1 && due[0].isMoot == isMoved)
            #expect(due[0].calm == .until(Self.start + .seconds(400)))
        }
    }
}
