import Instants
import Testing
import WaterQuality

@testable import Store

/// The composition of a history from roll-ups and samples. The Ingestor's tests, which make roll-ups, check its
/// correctness.
@Suite struct HistoryTests {
    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    private static func kept(_ rolledUpUntil: String, due: [String] = []) throws -> KeptHistory {
        KeptHistory(
            messagesSince: try time("2026-03-01T00:00:00Z"), hoursSince: try time("2025-06-01T00:00:00Z"),
            rolledUpUntil: try time(rolledUpUntil), judgedSince: .distantPast,
            outsideSince: .distantPast, due: try due.map(time))
    }

    private static func period(_ from: String, _ until: String) throws -> Range<Timestamp> {
        try time(from)..<time(until)
    }

    @Test(arguments: [
        ("2026-05-01T00:00:00Z", 60, HistoryResolution.hour), ("2026-05-01T00:00:00Z", 2_880, .message),
        ("2026-05-01T23:30:00Z", 60, .message), ("2026-05-01T23:29:59Z", 60, .hour),
        ("2026-04-29T12:00:00Z", 60, .hour), ("2026-04-29T11:59:59Z", 60, .day),
        // Deleted data cannot be shown, however many points are wanted.
        ("2026-03-01T00:00:00Z", 1_000_000, .message), ("2026-02-28T23:00:00Z", 1_000_000, .hour),
        ("2025-06-01T00:00:00Z", 1_000_000, .hour), ("2025-05-31T00:00:00Z", 1_000_000, .day),
        ("2026-05-01T23:59:59Z", 0, .message), ("0001-01-01T00:00:00Z", 1, .day),
    ]) func theFinestThatFits(_ from: String, _ points: Int, _ expected: HistoryResolution) throws {
        let found = HistoryResolution.finest(
            for: try Self.period(from, "2026-05-02T00:00:00Z"), points: points,
            kept: try Self.kept("2026-05-01T00:00:00Z"))
        #expect(found == expected)
    }

    @Test func wholeHoursComeFromTheRollUpsAndTheEndsFromSamples() throws {
        let plan = HistoryPlan(
            try Self.period("2026-05-01T09:15:00Z", "2026-05-01T12:45:00Z"), by: .hour,
            try Self.kept("2026-05-01T12:00:00Z"))
        #expect(plan.days == [])
        #expect(plan.hours == [try Self.period("2026-05-01T10:00:00Z", "2026-05-01T12:00:00Z")])
        #expect(
            plan.samples == [
                try Self.period("2026-05-01T09:15:00Z", "2026-05-01T10:00:00Z"),
                try Self.period("2026-05-01T12:00:00Z", "2026-05-01T12:45:00Z"),
            ])
    }

    @Test func whatIsDueAgainComesFromTheSamples() throws {
        let plan = HistoryPlan(
            try Self.period("2026-04-29T22:00:00Z", "2026-05-03T01:00:00Z"), by: .day,
            try Self.kept("2026-05-03T00:00:00Z", due: ["2026-05-01T05:00:00Z", "2026-05-01T06:00:00Z"]))
        #expect(
            plan.days == [
                try Self.period("2026-04-30T00:00:00Z", "2026-05-01T00:00:00Z"),
                try Self.period("2026-05-02T00:00:00Z", "2026-05-03T00:00:00Z"),
            ])
        #expect(
            plan.hours == [
                try Self.period("2026-04-29T22:00:00Z", "2026-04-30T00:00:00Z"),
                try Self.period("2026-05-01T00:00:00Z", "2026-05-01T05:00:00Z"),
                try Self.period("2026-05-01T07:00:00Z", "2026-05-02T00:00:00Z"),
            ])
        #expect(
            plan.samples == [
                try Self.period("2026-05-01T05:00:00Z", "2026-05-01T06:00:00Z"),
                try Self.period("2026-05-01T06:00:00Z", "2026-05-01T07:00:00Z"),
                try Self.period("2026-05-03T00:00:00Z", "2026-05-03T01:00:00Z"),
            ])
    }

    @Test func whatIsNotRolledUpComesFromTheSamplesAltogether() throws {
        let period = try Self.period("2026-05-01T09:00:00Z", "2026-05-01T12:00:00Z")
        for resolution in HistoryResolution.allCases {
            let plan = HistoryPlan(period, by: resolution, try Self.kept("2026-05-01T09:00:00Z"))
            #expect(plan.samples == [period])
            #expect(plan.hours + plan.days == [])
        }
    }

    @Test(
        arguments: [
            (-1, -3_600_000_000, 0), (0, 0, 0), (1, 0, 3_600_000_000), (3_599_999_999, 0, 3_600_000_000),
            (3_600_000_000, 3_600_000_000, 3_600_000_000),
        ] as [(Int64, Int64, Int64)])
    func hoursBeforeTheEpochAreHoursToo(_ instant: Int64, _ down: Int64, _ up: Int64) {
        let time = Timestamp(microseconds: instant)
        #expect(time.roundedDown(to: .seconds(3_600)).microseconds == down)
        #expect(time.roundedUp(to: .seconds(3_600)).microseconds == up)
    }
}
