import Postgres
import Store
import TestSupport
import Testing

/// When summaries come: by the zone's clock, once a day or a week across changes of clocks, and never in quiet hours.
@Suite struct SummaryScheduleTests {
    private struct Turn: Sendable, CustomTestStringConvertible {
        var zone = "Europe/Vienna"
        var rhythm = "daily"
        var weekday = 1
        var time = "08:00"
        var after: String
        var told: String?
        /// Its day, and when that is in UTC; nil: none.
        var expected: String?
        var testDescription: String { "\(zone) \(rhythm) \(weekday) \(time) after \(after), told \(told ?? "never")" }
    }

    private static let turns = [
        Turn(after: "2026-11-26 06:59:59", expected: "2026-11-26 2026-11-26 07:00"),
        // A time that has come is not the next.
        Turn(after: "2026-11-26 07:00:00", expected: "2026-11-27 2026-11-27 07:00"),
        // One a day, also where the time was changed.
        Turn(time: "20:00", after: "2026-11-26 08:00:00", told: "2026-11-26", expected: "2026-11-27 2026-11-27 19:00"),
        // Clocks are put forward: 08:00 is an hour sooner, and 02:30 that much later.
        Turn(after: "2026-03-28 08:00:00", expected: "2026-03-29 2026-03-29 06:00"),
        Turn(time: "02:30", after: "2026-03-28 08:00:00", expected: "2026-03-29 2026-03-29 01:30"),
        // Clocks are put back: 02:30 comes twice, and the second counts.
        Turn(time: "02:30", after: "2026-10-24 08:00:00", expected: "2026-10-25 2026-10-25 01:30"),
        Turn(
            time: "02:30", after: "2026-10-25 01:30:00", told: "2026-10-25", expected: "2026-10-26 2026-10-26 01:30"),
        Turn(rhythm: "weekly", weekday: 7, after: "2026-11-26 12:00:00", expected: "2026-11-29 2026-11-29 07:00"),
        Turn(rhythm: "weekly", weekday: 4, after: "2026-11-26 12:00:00", expected: "2026-12-03 2026-12-03 07:00"),
        // Where a person has moved to yesterday, today's is not left out.
        Turn(
            zone: "Pacific/Honolulu", after: "2026-11-26 12:00:00", told: "2026-11-27",
            expected: "2026-11-27 2026-11-27 18:00"),
        // A zone that the server does not know any more is UTC.
        Turn(zone: "Mars/Olympus", after: "2026-11-26 12:00:00", expected: "2026-11-27 2026-11-27 08:00"),
        Turn(rhythm: "off", after: "2026-11-26 12:00:00", expected: nil),
    ]

    @Test func `the next one`() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            for turn in Self.turns {
                let told = turn.told.map { "'\($0)'" } ?? "NULL"
                let found = try await database.sql(
                    """
                    SELECT day || ' ' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
                    FROM next_summary('\(turn.zone)', '\(turn.rhythm)', \(turn.weekday)::smallint, '\(turn.time)',
                        '\(turn.after)+00', \(told))
                    """)
                #expect(found == turn.expected ?? "", "\(turn.testDescription)")
            }
        }
    }

    /// All summaries of a time, as notifiers that are never late tell them.
    private static let course = """
        CREATE FUNCTION pg_temp.course(zone text, rhythm text, t time) RETURNS TABLE (day date, at timestamptz) LANGUAGE plpgsql AS $$
        DECLARE
            told date;
        BEGIN
            at := '2011-06-01';
            LOOP
                SELECT n.day, n.at INTO day, at FROM next_summary(zone, rhythm, 7::smallint, t, at, told) n;
                EXIT WHEN at > '2012-06-01';
                RETURN NEXT;
                told := day;
            END LOOP;
        END
        $$;
        """
    /// Zones whose clocks change by an hour, by half of one, at midnight, and one that left out a day.
    private static let zones = [
        "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu",
        "Pacific/Apia",
    ]

    @Test(arguments: zones) func `each day has one, and each week, at its time`(zone: String) async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            for (rhythm, days) in [("daily", 1), ("weekly", 7)] {
                let found = try await database.sql(
                    """
                    \(Self.course)
                    SELECT count(*) - count(DISTINCT c.day) || ' ' || count(*) FILTER (WHERE step <> \(days)) || ' '
                        || count(*) FILTER (WHERE local <> c.day + t.t AND local - (c.day + t.t) NOT BETWEEN '0' AND '1 hour')
                    FROM unnest(ARRAY['00:00', '00:30', '02:30', '08:00', '23:59']::time[]) AS t (t)
                    CROSS JOIN LATERAL (
                        SELECT s.day, s.day - lag(s.day) OVER (ORDER BY s.at) AS step, s.at AT TIME ZONE '\(zone)' AS local
                        FROM pg_temp.course('\(zone)', '\(rhythm)', t.t) s) c
                    GROUP BY t.t
                    """)
                // Samoa went to bed on a Thursday and got up on a Saturday: the summary of the day between is that day's.
                let expected = zone == "Pacific/Apia" && rhythm == "daily" ? "0 1 1" : "0 0 0"
                #expect(Set(found.split(separator: "\n").map(String.init)) == [expected], "\(zone) \(rhythm): \(found)")
            }
        }
    }

    /// Nights of all lengths, also nearly whole days, at times across two changes of clocks.
    @Test func `the time after quiet hours lies in none`() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            try await database.sql(
                "INSERT INTO account (email, password_hash, time_zone) VALUES ('a@example.org', 'scrypt$', 'Europe/Vienna')"
            )
            for (from, until, days) in [
                ("22:30", "07:00", 127), ("02:30", "02:15", 127), ("07:00", "06:59", 127), ("12:00", "14:00", 8),
            ] {
                let found = try await database.sql(
                    """
                    DELETE FROM quiet_hours;
                    INSERT INTO quiet_hours SELECT account_id, '\(from)', '\(until)', \(days), false FROM account;
                    SELECT count(*) FILTER (WHERE q.since IS NOT NULL) || ' ' || count(*) FILTER (WHERE f.at < t.t)
                    FROM account a
                    CROSS JOIN LATERAL (
                        SELECT generate_series('2026-03-27'::timestamptz, '2026-03-31', '7 minutes') AS t
                        UNION ALL SELECT generate_series('2026-10-23'::timestamptz, '2026-10-27', '7 minutes')) t
                    CROSS JOIN LATERAL (SELECT after_quiet_hours(a.account_id, t.t) AS at) f
                    LEFT JOIN LATERAL quiet_period(a.time_zone, '\(from)', '\(until)', \(days)::smallint, f.at) q ON true
                    """)
                #expect(found == "0 0", "\(from) to \(until)")
            }
        }
    }

    @Test func `notes are a week apart, and those of many endpoints are spread over it`() async throws {
        try await TestCluster.shared.database.withDatabase(migrate: SchemaFixture.migrate) { database in
            let apart = try await database.sql(
                """
                SELECT count(*) FILTER (WHERE n.at - now() NOT BETWEEN '0' AND '7 days' OR n.at = now()) || ' '
                    || count(*) FILTER (WHERE next_proof(e, n.at) - n.at <> '7 days')
                FROM generate_series(1, 500) AS e CROSS JOIN LATERAL (SELECT next_proof(e, now()) AS at) n
                """)
            #expect(apart == "0 0")
            let most = try await database.sql(
                """
                SELECT max(c) FROM (
                    SELECT count(*) AS c FROM generate_series(1, 7000) AS e
                    GROUP BY date_bin('1 day', next_proof(e, '2026-11-29+00'), '2026-11-29+00')) days
                """)
            #expect((Int(most) ?? .max) < 1200, "a seventh of them a day")
        }
    }
}
