import Foundation
import TestSupport
import Testing

@testable import Operator

/// `aqua import` on a real database: past hours become messages, hours and days as the retention permits.
@Suite struct ImportTests {
    /// A row each quarter of an hour for some days, counted back from today (UTC): `temperature` is the hour, `ph` 7.5.
    static func rows(_ days: [Int], temperature: (Int) -> String = { "\($0 / 4)" }) -> String {
        let today = Int(Date().timeIntervalSince1970) / 86_400
        return "Time,T,pH\n"
            + days.flatMap { day in
                (0..<96).map { "\((today - day) * 86_400 + $0 * 900),\(temperature($0)),7.5\n" }
            }.joined()
    }

    static func write(_ text: String, _ instance: Instance, _ name: String = "pond.csv") throws -> String {
        try text.write(toFile: instance.file(name), atomically: true, encoding: .utf8)
        return instance.file(name)
    }

    static func run(_ instance: Instance, _ text: String, _ options: String...) async throws -> Run {
        let file = try write(text, instance)
        return await runAqua(
            ["import", file, "--device", instance.device, "--map", "T=temperature", "--map", "pH=ph", "--json"]
                + options,
            environment: instance.environment)
    }

    /// All stored data of the device, as one text.
    static func stored(_ instance: Instance) async throws -> String {
        try await instance.database.sql(
            """
            SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) FROM (
                SELECT 's' || s::text FROM sample s UNION ALL SELECT 'h' || h::text FROM sample_hour h
                UNION ALL SELECT 'd' || d::text FROM sample_day d) AS t (t)
            """)
    }

    /// The counts of a kind: new, changed, unchanged, different.
    static func counts(_ run: Run, _ kind: String) throws -> [Int] {
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let counts = try #require(object?[kind] as? [String: Any], "\(run.output)\(run.errors)")
        return ["new", "changed", "unchanged", "different"].map { counts[$0] as? Int ?? -1 }
    }

    @Test func eachAgeBecomesWhatIsKeptOfIt() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            // Messages are kept for 90 days, hours for 800.
            let run = try await instance.succeed(Self.run(instance, Self.rows([20, 21, 200, 201, 202, 1_500, 3_000])))
            #expect(try Self.counts(run, "messages") == [192, 0, 0, 0])
            #expect(try Self.counts(run, "hours") == [72, 0, 0, 0])
            #expect(try Self.counts(run, "days") == [2, 0, 0, 0])
            let database = instance.database
            #expect(
                try await database.sql("SELECT count(*), bool_and(flags = 2 AND received_at = event_time) FROM sample")
                    == "192|t")
            #expect(
                try await database.sql("SELECT count(*), sum(temperature_sum), sum(ph_count) FROM sample_hour")
                    == "72|3312|288")
            // Five days: three from hours, two from rows; those from messages wait for the Ingestor.
            #expect(
                try await database.sql(
                    "SELECT count(*), sum(temperature_sum), min(temperature_min), max(temperature_max), sum(ph_count) FROM sample_day"
                )
                    == "5|5520|0|23|480")
            #expect(try await database.sql("SELECT count(DISTINCT hour), count(*) FROM rollup_due") == "48|48")
        }
    }

    /// Nothing sends as a site, so that yesterday is not left to it; what is about devices alone refuses it.
    @Test func aSiteTakesWhatIsNewAsWell() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let site = try await instance.database.sql(
                """
                SELECT make_site(account_id, 'Weir', NULL, NULL, NULL, NULL, '{}', '{}', '{}', '{}', '{}', '{}') FROM account
                WHERE email = '\(Instance.person)'
                """)
            let rows = Self.rows([1, 2, 20])
            let file = try Self.write(rows, instance)
            let run = await runAqua(
                ["import", file, "--device", site, "--map", "T=temperature", "--map", "pH=ph", "--json"],
                environment: instance.environment)
            #expect(try Self.counts(run, "messages") == [288, 0, 0, 0])
            let device = try await instance.succeed(Self.run(instance, rows))
            #expect(
                try Self.counts(device, "messages") == [96, 0, 0, 0], "the latest days are the device's own to send")
            for words in [["rotate-key", site], ["life", site], ["probe", site], ["rejects", site]] {
                let refused = await runAqua(["device"] + words, environment: instance.environment)
                #expect(refused.code != 0 && refused.errors.contains("is a site"), "\(words): \(refused.errors)")
            }
            #expect(try await instance.database.sql("SELECT count(*) FROM evaluation_batch") == "0")
        }
    }

    @Test func nothingIsToldNorLearnt() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let outside = Self.rows([9, 10, 100]) { _ in "61.5" }
            try await instance.succeed(Self.run(instance, outside))
            for table in ["evaluation_batch", "episode", "alert", "device_clock", "probe_fault"] {
                #expect(try await instance.database.sql("SELECT count(*) FROM \(table)") == "0", "\(table)")
            }
            #expect(
                try await instance.database.sql(
                    "SELECT coalesce(heard_at::text, 'never'), readings FROM device d, heard_pauses(d.slot, d.device_id, NULL, now(), NULL, interval '1 minute')"
                ) == "never|0")
        }
    }

    @Test func theSameFileAgainChangesNothing() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let file = Self.rows([20, 200, 1_500]) { $0 == 7 ? "-127" : "\($0 % 30)" }
            let first = try await instance.succeed(Self.run(instance, file))
            #expect(try first.field("brokenProbeCells") == "3")
            let stored = try await Self.stored(instance)
            for option in ["--json", "--replace"] {
                let again = try await instance.succeed(Self.run(instance, file, option))
                #expect(try Self.counts(again, "messages") == [0, 0, 96, 0])
                #expect(try Self.counts(again, "hours") == [0, 0, 24, 0])
                #expect(try Self.counts(again, "days") == [0, 0, 1, 0])
                #expect(try await Self.stored(instance) == stored)
            }
        }
    }

    @Test func whatIsStoredStaysUnlessItIsReplaced() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let (days, warmer) = ([20, 200, 1_500], { (row: Int) in "\(row / 4 + 1)" })
            try await instance.succeed(Self.run(instance, Self.rows(days)))
            // One message was evaluated: the device sent it.
            try await instance.database.sql(
                "UPDATE sample SET flags = 0 WHERE event_time = (SELECT min(event_time) FROM sample)")
            let stored = try await Self.stored(instance)
            let other = try await Self.run(instance, Self.rows(days, temperature: warmer))
            #expect(other.code == 1, "nothing of it was taken")
            #expect(try Self.counts(other, "messages") == [0, 0, 0, 96])
            #expect(try Self.counts(other, "hours") == [0, 0, 0, 24])
            #expect(try Self.counts(other, "days") == [0, 0, 0, 1])
            #expect(try await Self.stored(instance) == stored)
            let replaced = try await instance.succeed(
                Self.run(instance, Self.rows(days, temperature: warmer), "--replace"))
            #expect(try Self.counts(replaced, "messages") == [0, 95, 0, 1])
            #expect(try Self.counts(replaced, "hours") == [0, 24, 0, 0])
            #expect(try Self.counts(replaced, "days") == [0, 1, 0, 0])
            #expect(
                try await instance.database.sql(
                    "SELECT (SELECT sum(temperature) FROM sample), (SELECT sum(temperature_sum) FROM sample_hour), (SELECT sum(temperature_sum) FROM sample_day)"
                ) == "1199|1200|2400")
        }
    }

    @Test func anotherColumnIsAdded() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let file = try Self.write(Self.rows([20, 200, 1_500]) { "20.\($0 % 2)" }, instance)
            for column in ["T=temperature", "pH=ph"] {
                try await instance.succeed(instance.aqua("import", file, "--device", instance.device, "--map", column))
            }
            let whole = try await Self.stored(instance)
            let database = instance.database
            #expect(
                try await database.sql(
                    "SELECT (SELECT count(*) FROM sample WHERE temperature IS NOT NULL AND ph = 7.5), (SELECT count(*) FROM sample_hour WHERE temperature_count = 4 AND ph_count = 4), (SELECT count(*) FROM sample_day WHERE temperature_count = 96 AND ph_count = 96)"
                ) == "96|24|2")
            #expect(
                try await database.sql("SELECT DISTINCT temperature_flagged IS NULL, ph_flagged FROM sample_hour")
                    == "t|0",
                "the values beside it are gone: it is not judged")
            let again = try await instance.succeed(Self.run(instance, Self.rows([20, 200, 1_500]) { "20.\($0 % 2)" }))
            #expect(try Self.counts(again, "hours") == [0, 0, 24, 0])
            #expect(try await Self.stored(instance) == whole)
        }
    }

    @Test func aDryRunSaysItAndStoresNothing() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let file = Self.rows([20, 200, 1_500])
            let partitions = "SELECT count(*) FROM pg_inherits"
            let before = try await instance.database.sql(partitions)
            let rehearsed = try await instance.succeed(Self.run(instance, file, "--dry-run"))
            #expect(
                try await instance.database.sql(
                    "SELECT (SELECT count(*) FROM sample) + (SELECT count(*) FROM sample_hour) + (SELECT count(*) FROM sample_day)"
                ) == "0")
            #expect(try await instance.database.sql(partitions) == before)
            let real = try await instance.succeed(Self.run(instance, file))
            for kind in ["messages", "hours", "days"] {
                #expect(try Self.counts(rehearsed, kind) == Self.counts(real, kind))
            }
            #expect(try rehearsed.field("isDryRun") == "1" || rehearsed.field("isDryRun") == "true")
        }
    }

    @Test func theLastDaysAndTimesToComeAreTheDevicesOwn() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let run = try await Self.run(instance, Self.rows([-3, 0, 3, 7]))
            #expect(run.code == 1)
            #expect(try run.field("tooRecent") == "384")
            #expect(try await instance.database.sql("SELECT count(*) FROM sample") == "0")
            let text = await instance.aqua(
                "import", instance.file("pond.csv"), "--device", instance.device, "--map", "T=temperature")
            #expect(text.output.contains("384 rows are refused: from "))
        }
    }

    /// The water of a former owner is not mixed with the present owner's.
    @Test func ownersSeeTheirOwn() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(Self.run(instance, Self.rows([30, 400])))
            // The first owner sees the time before they linked it.
            let theirs = try await instance.succeed(
                instance.aqua(
                    "history", instance.device, "--parameter", "temperature", "--since", "3000d", "--points", "10000",
                    "--owner", Instance.person, "--json"))
            let counts = theirs.output.matches(of: /"count" : (\d+)/).compactMap { Int($0.output.1) }
            #expect(counts.reduce(0, +) == 192)
            // 20 days ago the device was another owner's.
            try await instance.database.sql(
                "UPDATE ownership SET linked_at = now() - interval '25 days', unlinked_at = now() - interval '20 days'")
            let refused = try await Self.run(instance, Self.rows([30, 401]))
            #expect(try refused.field("tooEarly") == "192")
            #expect(refused.code == 1)
            // Linked again ten days later: theirs from then on.
            try await instance.addPeople("bob@example.org")
            try await instance.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role, linked_at)
                SELECT o.slot, o.device_id, a.account_id, 'Pond', 'owner', now() - interval '18 days'
                FROM ownership o, account a WHERE a.email = 'bob@example.org'
                """)
            let later = try await instance.succeed(Self.run(instance, Self.rows([15, 401])))
            #expect(try Self.counts(later, "messages") == [96, 0, 0, 0])
        }
    }

    @Test func whatItNeedsIsSaid() async throws {
        try await Instance.with { instance in
            let unknown = try await Self.run(instance, Self.rows([20]))
            #expect(unknown.errors.contains("There is no device \(instance.device). Add it first: aqua device add"))
            try await instance.populate()
            try await instance.database.sql("UPDATE clock_watch SET trusted_at = now() - interval '1 day'")
            let doubted = try await Self.run(instance, Self.rows([20]))
            #expect(doubted.code == 1 && doubted.errors.contains("clock is not trusted"))
            #expect(try await instance.database.sql("SELECT count(*) FROM sample") == "0")
        }
    }

    @Test func filesThatAreGivenAtOnceAreOne() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let lines = Self.rows([200, 1_500]).split(separator: "\n").map(String.init)
            let (header, rows) = (lines[0], lines.dropFirst())
            // Cut in the middle of a day and of an hour, with one row in both parts.
            let halves = [
                rows.prefix(46) + rows.dropFirst(96).prefix(46), rows.dropFirst(45).prefix(51) + rows.dropFirst(142),
            ]
            let files = try halves.enumerated().map { number, half in
                try Self.write(([header] + half).joined(separator: "\n"), instance, "part-\(number).csv")
            }
            let parts = try await instance.succeed(
                runAqua(
                    ["import"] + files + [
                        "--device", instance.device, "--map", "T=temperature", "--map", "pH=ph", "--json",
                    ],
                    environment: instance.environment))
            #expect(try parts.field("repeated") == "1")
            let whole = try await instance.succeed(Self.run(instance, Self.rows([200, 1_500])))
            #expect(try Self.counts(whole, "hours") == [0, 0, 24, 0])
            #expect(try Self.counts(whole, "days") == [0, 0, 1, 0])
        }
    }

    @Test func unitsAndWhatIsComputed() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let today = Int(Date().timeIntervalSince1970) / 86_400
            let file = try Self.write(
                "Time;T;DO\n\((today - 20) * 86_400);77,0;8,2\n\((today - 200) * 86_400);77,0;8,2\n", instance)
            try await instance.succeed(
                instance.aqua(
                    "import", file, "--device", instance.device, "--map", "T=temperature:F", "--map",
                    "DO=dissolved_oxygen"))
            #expect(
                try await instance.database.sql(
                    "SELECT s.temperature, s.oxygen_saturation BETWEEN 95 AND 103, h.temperature_max, h.oxygen_saturation_max = s.oxygen_saturation FROM sample s, sample_hour h"
                ) == "25|t|25|t")
        }
    }

    /// A spike in a year without stored messages is flagged, as it would have been the day after.
    @Test func qualityIsJudgedBeforeTheValuesGo() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(
                Self.run(instance, Self.rows([200, 201, 1_500]) { $0 == 50 ? "140" : "20.\($0 % 2)" }))
            #expect(
                try await instance.database.sql(
                    "SELECT (SELECT count(*) FROM sample_hour WHERE temperature_flagged > 7), (SELECT count(*) FROM sample_day WHERE temperature_flagged > 7), (SELECT count(*) FROM sample_hour WHERE ph_flagged = 0)"
                ) == "2|3|0")
        }
    }

    /// Limits were in force, so the time outside is stored with the hours.
    @Test func timeOutsideIsMeasured() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                "UPDATE setting SET valid_from = now() - interval '300 days'; UPDATE setting SET minimum = NULL, maximum = 300 WHERE parameter = 0"
            )
            try await instance.succeed(Self.run(instance, Self.rows([200, 400]) { $0 < 48 ? "20" : "35" }))
            #expect(
                try await instance.database.sql(
                    "SELECT count(*), (SELECT sum(s) FROM time_outside t, unnest(t.seconds) s WHERE t.parameter = 0) FROM time_outside WHERE parameter = 0"
                ) == "1|43200")
        }
    }
}
