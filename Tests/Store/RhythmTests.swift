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
        func hear(_ readings: [(measured: Int, received: Int)]) async throws {
            let rows = readings.map { measured, received in
                "(\(device.slot.rawValue), 0, \(device.device.rawValue), now() - interval '\(measured) s', "
                    + "now() - interval '\(received) s', 7)"
            }
            try await fixture.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                VALUES \(rows.joined(separator: ", "))
                """)
        }

        func hear(_ times: some Sequence<Int>) async throws { try await hear(times.map { ($0, $0) }) }

        /// - Returns: How many seconds ago it was heard, and its usual interval in seconds; empty where nothing is known.
        func rhythm(silentBefore seconds: Int = 300) async throws -> String {
            try await fixture.database.sql(
                """
                SELECT round(extract(epoch FROM now() - heard_at)) || ' ' || coalesce((usual_us / 1000000)::text, '-')
                FROM device_rhythm(\(device.slot.rawValue)::smallint, \(device.device.rawValue),
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
}
