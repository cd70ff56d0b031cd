import Store
import TestSupport
import Testing
import WaterQuality

/// `heard_pauses`: when a device was last heard, and the pauses between its readings. Times are seconds before now.
@Suite struct HeardPausesTests {
    private struct Probe: Sendable {
        let fixture: SchemaFixture
        let device: DeviceKey

        static func with(_ body: @Sendable (Probe) async throws -> Void) async throws {
            try await SchemaFixture.with { fixture in
                try await fixture.database.sql("SELECT make_sample_partitions(current_date - 9, current_date + 2)")
                try await fixture.database.freezeClock()
                try await body(Probe(fixture: fixture, device: try await fixture.addDevice("tank-1")))
            }
        }

        /// Stores readings, each with the seconds since it was measured and since it was received.
        func hear(_ readings: [(measured: Int, received: Int)], _ column: String = "ph") async throws {
            let values = column.split(separator: ",").map { _ in "7" }.joined(separator: ", ")
            let rows = readings.map { measured, received in
                "(\(device.slot.rawValue), 0, \(device.device.rawValue), now() - interval '\(measured) s', "
                    + "now() - interval '\(received) s', \(values))"
            }
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, \(column))
                VALUES \(rows.joined(separator: ", "))
                """)
        }

        func hear(_ times: some Sequence<Int>, _ column: String = "ph") async throws {
            try await hear(times.map { ($0, $0) }, column)
        }

        /// - Returns: Seconds since the parameter was heard, the pauses of at least 100 s, the number of later readings
        ///   that lack the parameter, and the seconds since the first of those.
        func pauses(of parameter: Parameter) async throws -> String {
            try await sql(
                "pauses", "missing", "round(extract(epoch FROM now() - missing_since))", of: "\(parameter.rawValue)")
        }

        /// - Returns: Seconds since the device was heard, and the pauses of at least 100 s.
        func pauses(since learnt: Int? = nil, silentBefore seconds: Int = 300) async throws -> String {
            try await sql("pauses", silentBefore: seconds, since: learnt)
        }

        /// - Returns: The parameters received in the last `seconds`, or with the newest reading.
        func parameters(ofLast seconds: Int) async throws -> ParameterSet {
            let mask = try await sql("parameters", silentBefore: seconds).split(separator: " ").last ?? ""
            return ParameterSet(rawValue: try #require(Int32(mask)))
        }

        func sql(
            _ columns: String..., of parameter: String = "NULL", silentBefore seconds: Int = 0, since learnt: Int? = nil
        ) async throws -> String {
            let columns = columns.map { column in
                guard column == "pauses" else { return column }
                return """
                    coalesce((SELECT string_agg(round(t.until - t.since)::text, '+' ORDER BY t.until)
                        FROM generate_series(0, length(pauses) / 16 - 1) n, LATERAL (SELECT
                            ('x' || encode(substr(pauses, n * 16 + 1, 8), 'hex'))::bit(64)::bigint / 1e6 AS since,
                            ('x' || encode(substr(pauses, n * 16 + 9, 8), 'hex'))::bit(64)::bigint / 1e6 AS until) t), '-')
                    """
            }
            return try await fixture.database.sql(
                """
                SELECT concat_ws(' ', coalesce(round(extract(epoch FROM now() - heard_at))::text, '-'),
                    \(columns.joined(separator: ", ")))
                FROM heard_pauses(\(device.slot.rawValue)::smallint, \(device.device.rawValue), \(parameter)::smallint,
                    now() - interval '\(seconds) s', \(learnt.map { "now() - interval '\($0) s'" } ?? "NULL"), interval '100 s')
                """)
        }
    }

    @Test func pausesAreFound() async throws {
        try await Probe.with { probe in
            #expect(try await probe.pauses() == "- -")
            try await probe.hear([970])
            #expect(try await probe.pauses() == "970 -")
            try await probe.hear([870, 840, 839, 400])
            #expect(try await probe.pauses() == "400 100+439")
            #expect(try await probe.pauses(since: 839) == "400 439", "what was learnt before is not found again")
            #expect(try await probe.pauses(since: 399) == "400 -")
            #expect(try await probe.sql("readings", "round(extract(epoch FROM now() - first_at))") == "400 5 970")
        }
    }

    /// The number of readings read depends on what is new: the last 17 if they reach back far enough, else 60, else
    /// 300.
    @Test func asMuchIsReadAsIsNew() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 30, through: 12_000, by: 30).filter { $0 % 3_000 < 2_700 })
            #expect(try await probe.sql("readings", since: 480) == "30 17")
            #expect(try await probe.sql("readings", since: 600) == "30 60")
            #expect(try await probe.sql("readings", since: 9_000) == "30 300")
            #expect(try await probe.sql("readings", since: 11_000) == "30 360")
            #expect(try await probe.pauses() == "30 330+330+330+330")
        }
    }

    /// The device sends a reading a second for ten minutes, then sleeps for fifty: the pause lies beyond 300 readings.
    @Test func aPauseBeforeManyReadingsIsFound() async throws {
        try await Probe.with { probe in
            try await probe.hear(3_600..<4_200)
            try await probe.hear(10..<610)
            #expect(try await probe.pauses(since: 3_600) == "10 2991")
            #expect(try await probe.pauses() == "10 2991")
        }
    }

    /// The database's clock was two hours ahead and was put right: receipt times of that period are ignored.
    @Test func receiptsOfAClockThatWasAheadArePassedOver() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 3_900, through: 7_500, by: 900))
            try await probe.hear(stride(from: 300, through: 3_000, by: 900).map { ($0, $0 - 7_200) })
            #expect(try await probe.pauses() == "3900 900+900+900+900")
            #expect(try await probe.pauses(of: .ph) == "3900 900+900+900+900 0")
            try await probe.hear([20])
            #expect(try await probe.pauses(since: -6_000) == "20 -", "learnt when it was ahead")
            // A value that was added in that period.
            try await probe.fixture.database.sql(
                "UPDATE sample SET filled = (7200 << 9) + 1 WHERE event_time > now() - interval '1 minute'")
            #expect(try await probe.pauses() == "3900 900+900+900+900")
        }
    }

    /// The function runs once for each device, in a database of many: it must not scan other devices' rows.
    @Test func nothingIsReadOfOthers() async throws {
        try await Probe.with { probe in
            try await probe.fixture.database.sql(
                """
                SET session_replication_role = replica;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT n % 64, 0, n, now() - h * interval '1 hour', now() - h * interval '1 hour', 7
                FROM generate_series(1000, 2000) n, generate_series(-24, 40) h;
                ANALYZE sample;
                RESET session_replication_role
                """)
            try await probe.hear(stride(from: 30, through: 12_000, by: 30))
            let scans = try await probe.fixture.database.sql(
                """
                BEGIN;
                SELECT count(*) FROM generate_series(1, 8), heard_pauses(\(probe.device.slot.rawValue)::smallint,
                    \(probe.device.device.rawValue), NULL, now(), NULL, interval '100 s');
                SELECT count(*) FROM heard_pauses(\(probe.device.slot.rawValue)::smallint, \(probe.device.device.rawValue), 1::smallint,
                    now(), NULL, interval '100 s');
                SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_xact_user_tables WHERE relname LIKE 'sample%';
                COMMIT
                """)
            #expect(scans.split(separator: "\n").filter { Int($0) != nil }.last == "0")
        }
    }

    /// A device that sends 20 readings together every ten minutes: the pauses are those between two sendings.
    @Test func whatComesInOneGoCountsOnce() async throws {
        try await Probe.with { probe in
            try await probe.hear(
                (0..<100).map { reading in
                    let received = 120 + 600 * (reading / 20)
                    return (received + 30 * (reading % 20), received)
                })
            #expect(try await probe.pauses() == "120 600+600+600+600")
        }
    }

    /// A day's readings arrive together: the next ones may take as long to come.
    @Test func whatWasGatheredIsKnown() async throws {
        try await Probe.with { probe in
            try await probe.hear((0..<2_000).map { (400 + 30 * $0, 400) })
            #expect(try await probe.sql("pauses", "gathered_us / 1000000") == "400 - 59970")
            try await probe.hear([10])
            #expect(try await probe.sql("pauses", "gathered_us") == "10 390 0")
        }
    }

    /// A device's clock is put back nine hours: new readings have earlier times than those already stored.
    @Test func aDeviceWhoseClockGoesBackIsHeard() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 3_600, to: 5_400, by: 30))
            try await probe.hear(stride(from: 20, to: 3_600, by: 30).map { ($0 + 32_400, $0) })
            #expect(try await probe.pauses() == "20 -")
        }
    }

    /// A value added to a stored reading counts as heard at the time it was added.
    @Test func aLateValueOfAStoredReadingIsHeard() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 600, to: 1_200, by: 30))
            // 585 seconds after the reading.
            try await probe.fixture.database.sql(
                """
                UPDATE sample SET filled = (585 << 9) + 1
                WHERE event_time = (SELECT max(event_time) FROM sample)
                """)
            #expect(try await probe.pauses().hasPrefix("15 "))
        }
    }

    @Test func aParameterHasPausesOfItsOwn() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 630, to: 1_230, by: 30).filter { $0 % 300 > 0 }, "temperature, ph")
            try await probe.hear(stride(from: 930, to: 1_530, by: 300).map { $0 - 30 }, "temperature")
            try await probe.hear(stride(from: 1_830, to: 2_130, by: 30), "temperature, ph")
            try await probe.hear(stride(from: 30, to: 630, by: 30), "temperature")
            #expect(try await probe.pauses(of: .ph) == "630 660 20 600")
            #expect(try await probe.pauses(of: .temperature) == "30 630 0")
            #expect(try await probe.pauses(of: .salinity) == "- - 0")
        }
    }

    @Test func aParameterThatTheLast2000ReadingsLackIsForgotten() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 40_020, to: 40_620, by: 20), "temperature, ph")
            try await probe.hear(stride(from: 40, to: 40_020, by: 20), "temperature")
            #expect(try await probe.pauses(of: .ph) == "40020 - 1999 40000")
            try await probe.hear([20], "temperature")
            #expect(try await probe.pauses(of: .ph) == "- - 0")
        }
    }

    @Test func whatCameLatelyIsKnown() async throws {
        try await Probe.with { probe in
            #expect(try await probe.parameters(ofLast: 300) == [])
            let all = Parameter.allCases.map { $0.name.snakeCase }
            for (index, column) in all.enumerated() { try await probe.hear([10 + 30 * index], column) }
            #expect(try await probe.parameters(ofLast: 1) == ParameterSet(Parameter.allCases[0]), "of the newest")
            #expect(try await probe.parameters(ofLast: 75).parameters == Array(Parameter.allCases[0...2]))
            #expect(try await probe.parameters(ofLast: 30 * Parameter.allCases.count).parameters == Parameter.allCases)
        }
    }
}

extension String {
    fileprivate var snakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
