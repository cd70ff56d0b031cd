import Store
import TestSupport
import Testing
import WaterQuality

/// What is known of when a device sends: `device_rhythm`. Times are seconds before now.
@Suite struct RhythmTests {
    private struct Probe: Sendable {
        let fixture: SchemaFixture
        let device: DeviceKey

        static func with(_ body: @Sendable (Probe) async throws -> Void) async throws {
            try await SchemaFixture.with { fixture in
                try await fixture.database.sql("SELECT make_sample_partitions(current_date - 9, current_date + 2)")
                try await body(Probe(fixture: fixture, device: try await fixture.addDevice("tank-1")))
            }
        }

        /// Stores readings, each measured and received so many seconds ago.
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

        /// - Returns: How many seconds ago it was heard, its usual interval in seconds, and how many readings have come
        ///   without it, the first of them how many seconds ago.
        func rhythm(of parameter: Parameter) async throws -> String {
            try await fixture.database.sql(
                """
                SELECT concat_ws(' ', coalesce(round(extract(epoch FROM now() - heard_at))::text, '-'),
                    coalesce((usual_us / 1000000)::text, '-'), missing,
                    round(extract(epoch FROM now() - missing_since)))
                FROM device_rhythm(\(device.slot.rawValue)::smallint, \(device.device.rawValue),
                    \(parameter.rawValue)::smallint, now())
                """)
        }

        /// - Returns: The parameters that came in the last seconds, or with the newest reading.
        func parameters(ofLast seconds: Int) async throws -> ParameterSet {
            let mask = try await fixture.database.sql(
                """
                SELECT parameters FROM device_rhythm(\(device.slot.rawValue)::smallint, \(device.device.rawValue), NULL,
                    now() - interval '\(seconds) s')
                """)
            return ParameterSet(rawValue: try #require(Int32(mask)))
        }

        /// - Returns: How many seconds ago it was heard, and its usual interval in seconds; empty where nothing is known.
        func rhythm(silentBefore seconds: Int = 300) async throws -> String {
            try await fixture.database.sql(
                """
                SELECT round(extract(epoch FROM now() - heard_at)) || ' ' || coalesce((usual_us / 1000000)::text, '-')
                FROM device_rhythm(\(device.slot.rawValue)::smallint, \(device.device.rawValue), NULL,
                    now() - interval '\(seconds) s')
                """)
        }
    }

    @Test func nothingIsKnownBeforeThreeReadings() async throws {
        try await Probe.with { probe in
            #expect(try await probe.rhythm() == "")
            try await probe.hear([70])
            #expect(try await probe.rhythm() == "70 -")
            try await probe.hear([40])
            #expect(try await probe.rhythm() == "40 -")
            try await probe.hear([10])
            #expect(try await probe.rhythm() == "10 30")
        }
    }

    /// The median does not care for one pause of hours, nor for two readings at once.
    @Test func theUsualIntervalIsTheMedian() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 7_200, to: 7_500, by: 30))
            try await probe.hear([10, 40, 70, 100, 130, 131])
            #expect(try await probe.rhythm() == "10 30")
        }
    }

    /// Another rhythm is learnt from its own pauses, not from those of last week.
    @Test func theLatestSixteenPausesCount() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 6_000, to: 60_000, by: 30))
            try await probe.hear(stride(from: 60, through: 5_460, by: 600))
            #expect(try await probe.rhythm() == "60 600")
        }
    }

    /// A device that gathers sends 20 readings every ten minutes. The pause between two sendings is its interval.
    @Test func whatComesInOneGoCountsOnce() async throws {
        try await Probe.with { probe in
            try await probe.hear(
                (0..<200).map { reading in
                    let received = 120 + 600 * (reading / 20)
                    return (received + 30 * (reading % 20), received)
                })
            #expect(try await probe.rhythm() == "120 600")
        }
    }

    /// A device that sends more than once in ten seconds has no pause that counts, and sends all the time.
    @Test func aDeviceThatSendsAllTheTimeHasTheShortestInterval() async throws {
        try await Probe.with { probe in
            try await probe.hear(5..<400)
            #expect(try await probe.rhythm() == "5 10")
        }
    }

    /// All of a day's readings come at once: when the next ones come, nobody can tell.
    @Test func oneSendingIsNoRhythm() async throws {
        try await Probe.with { probe in
            try await probe.hear((0..<2_000).map { (400 + 30 * $0, 400) })
            #expect(try await probe.rhythm() == "400 -")
        }
    }

    /// A clock that is put back nine hours: what comes now is older, by its own time, than what came before.
    @Test func aDeviceWhoseClockGoesBackIsHeard() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 3_600, to: 5_400, by: 30))
            try await probe.hear(stride(from: 20, to: 3_600, by: 30).map { ($0 + 32_400, $0) })
            #expect(try await probe.rhythm() == "20 30")
        }
    }

    /// A value that is added to a stored reading was heard too.
    @Test func aLateValueOfAStoredReadingIsHeard() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 600, to: 1_200, by: 30))
            // 585 seconds after the reading
            try await probe.fixture.database.sql(
                """
                UPDATE sample SET filled = (585 << 9) + 1
                WHERE event_time = (SELECT max(event_time) FROM sample)
                """)
            #expect(try await probe.rhythm().hasPrefix("15 "))
        }
    }

    @Test func aParameterHasARhythmOfItsOwn() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 630, to: 1_230, by: 30), "temperature, ph")
            try await probe.hear(stride(from: 30, to: 630, by: 30), "temperature")
            #expect(try await probe.rhythm(of: .ph) == "630 30 20 600")
            #expect(try await probe.rhythm(of: .temperature) == "30 30 0")
            #expect(try await probe.rhythm(of: .salinity) == "- - 0")
        }
    }

    /// Seventeen are needed: who holds a meter into the water for some minutes is not asked where it is.
    @Test func aParameterThatCameForSomeMinutesHasNoRhythm() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 630, to: 630 + 16 * 30, by: 30), "temperature, ph")
            try await probe.hear(stride(from: 30, to: 630, by: 30), "temperature")
            #expect(try await probe.rhythm(of: .ph) == "630 - 20 600")
        }
    }

    @Test func aParameterThatTheLast2000ReadingsLackIsForgotten() async throws {
        try await Probe.with { probe in
            try await probe.hear(stride(from: 40_020, to: 40_620, by: 20), "temperature, ph")
            try await probe.hear(stride(from: 40, to: 40_020, by: 20), "temperature")
            #expect(try await probe.rhythm(of: .ph) == "40020 - 1999 40000")
            try await probe.hear([20], "temperature")
            #expect(try await probe.rhythm(of: .ph) == "- - 0")
        }
    }

    @Test func whatCameLatelyIsKnown() async throws {
        try await Probe.with { probe in
            #expect(try await probe.parameters(ofLast: 300) == [])
            let all = Parameter.allCases.map { $0.name.snakeCase }
            for (index, column) in all.enumerated() { try await probe.hear([10 + 30 * index], column) }
            #expect(try await probe.parameters(ofLast: 1) == ParameterSet(Parameter.allCases[0]), "of the newest")
            #expect(try await probe.parameters(ofLast: 75).parameters == Array(Parameter.allCases[0...2]))
            #expect(try await probe.parameters(ofLast: 600).parameters == Parameter.allCases)
        }
    }
}

extension String {
    fileprivate var snakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
