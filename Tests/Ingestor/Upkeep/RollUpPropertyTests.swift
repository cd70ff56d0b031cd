import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Whatever arrives in whatever order, with upkeep in between: roll-ups equal the sums of the samples, and a history is
/// exact at any moment.
@Suite struct RollUpPropertyTests {
    @Test(arguments: [UInt64(1), 2, 3]) func rollUpsAreWhatTheSamplesAddUpTo(_ seed: UInt64) async throws {
        try await UpkeepFixture.with { fixture in
            try await fixture.store.withWriter { writer in
                var generator = SeededGenerator(seed: seed)
                var water = StoredWater()
                for _ in 0..<25 {
                    let batch = Self.batch(fixture, &generator)
                    // Without the careful mode it finds out by itself.
                    let work = BatchTransaction(samples: batch, statuses: [], rejects: [])
                    _ = try await writer.write(work, carefully: .random(using: &generator))
                    water.add(batch)
                    for _ in 0..<Int.random(in: 0...12, using: &generator) {
                        let reason = RollUpStep.Reason.allCases.randomElement(using: &generator) ?? .ended
                        try await fixture.step(reason)
                    }
                    try await Self.compareHistory(fixture, water, &generator)
                }
                try await fixture.rollUp()
                let progress = try await fixture.progress()
                #expect(progress.values.allSatisfy { $0 > .now - .seconds(2 * 3_600) })
                let hours = try await fixture.rolledUpHours()
                #expect(hours.count > 100)
                #expect(hours == water.sums(by: .seconds(3_600)) { progress[$0]! })
                let days = try await fixture.rolledUpDays()
                #expect(days.count > 10)
                #expect(days == water.sums(by: .seconds(86_400)) { progress[$0]! })
                // A late reading of an hour that closed a moment ago waits until that hour is rolled up.
                let due = "count(*) FROM rollup_due JOIN rollup_progress USING (slot) WHERE hour < hours_until"
                #expect(try await fixture.store.count(due) == 0)
                for _ in 0..<20 { try await Self.compareHistory(fixture, water, &generator) }
                try await SeriesComparison.with(fixture) { comparison in
                    for _ in 0..<40 { try await comparison.compare(water, &generator) }
                    // The same must hold while some hours are due again.
                    let late = Self.batch(fixture, &generator)
                    _ = try await writer.write(
                        BatchTransaction(samples: late, statuses: [], rejects: []), carefully: true)
                    water.add(late)
                    for _ in 0..<40 { try await comparison.compare(water, &generator) }
                }
            }
        }
    }

    /// Messages of three days, up to the newest minutes, at recurring times.
    private static func batch(_ fixture: UpkeepFixture, _ generator: inout SeededGenerator) -> [Sample] {
        let steps = Int((Timestamp.now - fixture.start) / .seconds(600))
        var samples: [Sample.Key: Sample] = [:]
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            // Some samples lie just inside or just outside of an hour.
            let offset = [0, 0, -1, 1].randomElement(using: &generator) ?? 0
            let time =
                fixture.start + .seconds(600) * Int.random(in: 1...steps, using: &generator)
                + .microseconds(offset)
            var values: [Parameter: Float] = [:]
            for parameter in Parameter.allCases where Int.random(in: 0..<3, using: &generator) == 0 {
                let range = parameter.absoluteRange
                values[parameter] = parameter.value(
                    of: Steps(.random(in: range.lowerBound.count...range.upperBound.count, using: &generator)))
            }
            if values.isEmpty { values[.ph] = 7.9 }
            let sample = fixture.sample(
                Int.random(in: 0..<fixture.store.devices.count, using: &generator), at: time, values)
            samples[sample.key] = sample
        }
        return Array(samples.values)
    }

    /// Compares a history with random ends, resolution and owner's periods.
    private static func compareHistory(
        _ fixture: UpkeepFixture, _ water: StoredWater, _ generator: inout SeededGenerator
    ) async throws {
        let span = (Timestamp.now - fixture.start).components.seconds
        func time() -> Timestamp { fixture.start + .seconds(Int64.random(in: 0...span, using: &generator)) }
        let ends = [time(), time()].sorted()
        let bounds = [time(), time(), time(), time()].sorted()
        let periods: [Range<Timestamp>]? =
            Bool.random(using: &generator) ? nil : [bounds[0]..<bounds[1], bounds[2]..<bounds[3]]
        let device = fixture.store.devices.randomElement(using: &generator) ?? fixture.store.devices[0]
        let request = HistoryRequest(
            of: device, in: ends[0]..<ends[1], within: periods,
            points: [2, 30, 100_000].randomElement(using: &generator) ?? 30)
        let histories = try await fixture.store.owner.transaction(HistoryRequest.transaction) {
            try request.perform(Parameter.allCases, in: $0)
        }
        for (parameter, history) in zip(Parameter.allCases, histories) {
            let expected = water.points(
                of: parameter, device,
                within: (periods ?? [ends[0]..<ends[1]]).map { $0.clamped(to: ends[0]..<ends[1]) },
                history.resolution)
            #expect(history.points.map(\.time) == expected.map(\.time))
            #expect(history.points.map(\.minimum) == expected.map(\.sum.minimum))
            #expect(history.points.map(\.maximum) == expected.map(\.sum.maximum))
            #expect(history.points.map(\.mean) == expected.map { $0.sum.total / Double($0.sum.count) })
            #expect(history.points.map(\.count) == expected.map(\.sum.count))
        }
    }
}
