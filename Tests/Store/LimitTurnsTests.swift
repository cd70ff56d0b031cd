import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// Which limits hold at an instant: time of day and season by the clock of a zone, across changes of clocks.
struct LimitTurnsTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        var zone = "Europe/Madrid"
        /// As stored.
        var periods: String
        /// In UTC.
        var since: String
        var until: String
        /// The turns, each with the place from then on.
        var expected: String
        var testDescription: String { "\(zone) \(periods) since \(since)" }
    }

    private static let dawn = #"{"from": 240, "until": 420, "minimum": 45}"#
    private static let night = #"{"from": 1320, "until": 360, "minimum": 50}"#
    private static let winter = #"{"first": 1101, "last": 315, "minimum": 40, "maximum": 120}"#
    /// Half past two to half past three, which changes of clocks in Europe concern.
    private static let early = #"{"from": 150, "until": 210, "minimum": 45}"#

    private static let cases = [
        Case(
            periods: dawn, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 0, 05-01 02:00 1, 05-01 05:00 0"),
        // It begins in the middle of one.
        Case(
            periods: dawn, since: "2026-05-01 03:00", until: "2026-05-01 12:00",
            expected: "05-01 03:00 1, 05-01 05:00 0"),
        Case(
            periods: night, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 1, 05-01 04:00 0, 05-01 20:00 1"),
        // The season passes the new year, and begins and ends at midnight of the zone.
        Case(
            periods: winter, since: "2026-10-01 00:00", until: "2027-06-01 00:00",
            expected: "10-01 00:00 0, 10-31 23:00 1, 03-15 23:00 0"),
        // A night of the last day of a season ends on the day after it.
        Case(
            periods: #"{"from": 1320, "until": 360, "first": 501, "last": 501}"#, since: "2026-04-30 12:00",
            until: "2026-05-03 12:00", expected: "04-30 12:00 0, 05-01 20:00 1, 05-02 04:00 0"),
        // Of two that follow each other at once.
        Case(
            periods: dawn + #", {"from": 420, "until": 480}"#, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 0, 05-01 02:00 1, 05-01 05:00 2, 05-01 06:00 0"),
        // Clocks are put back: the first of the two half past twos begins it, and it lasts an hour longer.
        Case(
            zone: "Europe/Berlin", periods: early, since: "2026-10-24 12:00", until: "2026-10-25 12:00",
            expected: "10-24 12:00 0, 10-25 00:30 1, 10-25 02:30 0"),
        // Clocks are put forward: half past two is half past three.
        Case(
            zone: "Europe/Berlin", periods: #"{"from": 150, "until": 270}"#, since: "2026-03-28 12:00",
            until: "2026-03-29 12:00", expected: "03-28 12:00 0, 03-29 01:30 1, 03-29 02:30 0"),
        // Nothing is left of what the change takes away.
        Case(
            zone: "Europe/Berlin", periods: early, since: "2026-03-28 12:00", until: "2026-03-29 12:00",
            expected: "03-28 12:00 0"),
        Case(
            zone: "Asia/Tokyo", periods: dawn, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 0, 05-01 19:00 1, 05-01 22:00 0"),
        // At midnight clocks are put forward in September, and back in April.
        Case(
            zone: "America/Santiago", periods: #"{"first": 906, "last": 906}"#, since: "2026-09-05 00:00",
            until: "2026-09-08 00:00", expected: "09-05 00:00 0, 09-06 04:00 1, 09-07 03:00 0"),
        Case(
            zone: "Pacific/Kiritimati", periods: night, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 0, 05-01 08:00 1, 05-01 16:00 0"),
        // A zone that the server does not know any more is UTC.
        Case(
            zone: "Mars/Olympus", periods: dawn, since: "2026-05-01 00:00", until: "2026-05-02 00:00",
            expected: "05-01 00:00 0, 05-01 04:00 1, 05-01 07:00 0"),
    ]

    private static func stored(_ zone: String, _ periods: String) -> String {
        "'{\"zone\": \"\(zone)\", \"periods\": [\(periods)]}'::jsonb"
    }

    @Test func turnsAreRightInEachZone() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            for one in Self.cases {
                let found = try await database.sql(
                    """
                    SELECT string_agg(to_char(at AT TIME ZONE 'UTC', 'MM-DD HH24:MI') || ' ' || place, ', ' ORDER BY at)
                    FROM limit_turns(\(Self.stored(one.zone, one.periods)), '\(one.since)+00', '\(one.until)+00')
                    """)
                #expect(found == one.expected, "\(one)")
            }
        }
    }

    /// Whenever one begins to ask, the answer for an instant is the same, and it is one: through a year with its changes of clocks.
    @Test func whatHoldsDoesNotDependOnTheQuestion() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            var random = SeededGenerator(seed: 7)
            for zone in ["Europe/Madrid", "Europe/Berlin", "Asia/Tokyo", "America/Santiago"] {
                let periods = Self.stored(
                    zone, [Self.dawn, Self.early, Self.winter, Self.night].joined(separator: ", "))
                let hours = (0..<40).map { _ in Int.random(in: 0..<8760, using: &random) }
                let found = try await database.sql(
                    """
                    SELECT count(*), count(*) FILTER (WHERE one.place = whole.place AND one.place BETWEEN 0 AND 4)
                    FROM unnest(ARRAY\(hours)) AS h (hour)
                    CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + h.hour * interval '1 hour' + interval '17 minutes' AS at) i
                    CROSS JOIN LATERAL limits_at(\(periods), 60, NULL, NULL, NULL, i.at) one
                    CROSS JOIN LATERAL (
                        SELECT t.place FROM limit_turns(\(periods), i.at - interval '3 days' - h.hour % 7 * interval '1 hour', i.at + interval '1 day') t
                        WHERE t.at <= i.at ORDER BY t.at DESC LIMIT 1) whole
                    """)
                #expect(found == "40|40", "\(zone)")
            }
        }
    }

    /// The time of the question, the periods, and the place with its four limits; -1: none.
    private static let places: [(String, String?, String)] = [
        ("2026-06-01 05:00", dawn, "1 45 -1 -1 -1"), ("2026-06-01 08:00", dawn, "0 60 100 30 -1"),
        ("2026-12-01 08:00", winter, "1 40 120 -1 -1"), ("2026-06-01 05:00", nil, "0 60 100 30 -1"),
    ]

    @Test func aPlaceHasItsOwnLimitsAlone() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            for (time, period, expected) in Self.places {
                let periods = period.map { Self.stored("UTC", $0) } ?? "NULL"
                let found = try await database.sql(
                    """
                    SELECT concat_ws(' ', place, coalesce(low, -1), coalesce(high, -1), coalesce(critical_low, -1), coalesce(critical_high, -1))
                    FROM limits_at(\(periods), 60, 100, 30, NULL, '\(time)+00')
                    """)
                #expect(found == expected, "\(time)")
            }
        }
    }

    /// What a service stores, it reads again; what nobody may store, the table refuses.
    @Test func periodsAreStoredAsTheyAreRead() async throws {
        let season = LimitPeriod.Season(
            first: try #require(LimitPeriod.Day(number: 1101)), last: try #require(LimitPeriod.Day(number: 315)))
        let one = try #require(
            LimitPeriod(
                hours: LimitPeriod.Hours(begins: 240, ends: 420), season: season, minimum: Steps(45),
                maximum: Steps(90),
                criticalMinimum: Steps(30), criticalMaximum: Steps(95)))
        let periods = try #require(try LimitPeriods([one], zone: "Europe/Madrid"))
        let (again, none) = (try LimitPeriods(stored: periods.stored), try LimitPeriods(stored: nil))
        #expect(again == periods && none == nil)
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            #expect(
                try await database.sql(
                    """
                    SELECT count(*) FROM pg_constraint WHERE conrelid = 'setting'::regclass
                        AND conname IN ('setting_periods', 'setting_periods_limits')
                    """) == "2")
            for bad in [
                #"{"from": 240}"#, #"{"from": 240, "until": 240}"#, #"{"minimum": 4}"#,
                #"{"first": 1332, "last": 101}"#,
                #"{"from": 0, "until": 60, "minimum": 9, "maximum": 9}"#,
                #"{"from": 0, "until": 60, "criticalMinimum": 3}"#,
                Array(repeating: #"{"from": 0, "until": 60}"#, count: 5).joined(separator: ", "),
            ] {
                // Fails where it is taken.
                _ = try await database.sql(
                    """
                    DO $do$
                    DECLARE
                        checks CONSTANT text := (
                            SELECT string_agg('ADD ' || replace(pg_get_constraintdef(oid), ' NOT VALID', ''), ', ') FROM pg_constraint
                            WHERE conrelid = 'setting'::regclass AND conname IN ('setting_periods', 'setting_periods_limits'));
                    BEGIN
                        CREATE TEMPORARY TABLE tried (periods jsonb);
                        EXECUTE 'ALTER TABLE tried ' || checks;
                        BEGIN
                            INSERT INTO tried VALUES (\(Self.stored("UTC", bad)));
                            RAISE EXCEPTION 'taken: %', \(Self.stored("UTC", bad));
                        EXCEPTION WHEN check_violation THEN
                            DROP TABLE tried;
                        END;
                    END
                    $do$
                    """)
            }
        }
    }
}
