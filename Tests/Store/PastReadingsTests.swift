import Instants
import Testing
import WaterQuality

@testable import Store

/// Readings of a long period are gathered in pages.
@Suite struct PastReadingsTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_593_600))
    private static let period = start..<start + .seconds(40 * 86_400) + .seconds(17)

    @Test(arguments: [0, 500, 2_000, 100_000]) func pagesCoverThePeriodOnce(_ rows: Int) {
        for order in [PeriodPages.Order.oldestFirst, .newestFirst] {
            var pages = PeriodPages(Self.period, order)
            var found: [Range<Timestamp>] = []
            while let page = pages.next() {
                #expect(!page.isEmpty)
                found.append(page)
                pages.note(rows: rows)
            }
            if order == .newestFirst { found.reverse() }
            #expect(found.first?.lowerBound == Self.period.lowerBound)
            #expect(found.last?.upperBound == Self.period.upperBound)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            #expect(found.count < 10_000)
        }
    }

    /// A value every ten minutes: its index modulo 140, in tenths.
    private static func rows(in page: Range<Timestamp>) -> [ReadPastValues.Row] {
        let all = stride(from: Int64(0), to: 40 * 144, by: 1).map { (start + .seconds($0 * 600), $0) }
        return all.filter { page.contains($0.0) }.map {
            .init(time: $0.0, value: Float($0.1 % 140) / 10, receivedAt: $0.0)
        }
    }

    private static func gather(most: Int) -> PastReadings {
        var past = PastReadings(of: .ph, in: period, most: most)
        while let page = past.nextPage() { past.add(rows(in: page)) }
        return past
    }

    @Test func allAreTriedInTheirOrder() async throws {
        let past = Self.gather(most: PastReadings.most)
        #expect(past.count == 40 * 144 && past.first == Self.start)
        let ranges = try [(20, 120), (1, 139), (60, 61)].map {
            try SafeRange(.ph, minimum: Steps(max(10, $0.0)), maximum: Steps($0.1))
        }
        let tests = try await past.tests(of: ranges, policy: AlertPolicy())
        for (range, test) in zip(ranges, tests) {
            var alone = BackTest(range, policy: AlertPolicy())
            alone.add(
                Self.rows(in: Self.period).map { Reading(time: $0.time, value: Parameter.ph.steps(of: $0.value)) })
            #expect(test.alarmCount == alone.alarmCount && test.reminderCount == alone.reminderCount)
            #expect(test.alarms == alone.alarms && test.alarmCount > 0)
        }
    }

    @Test func ofTooManyTheNewestCount() async throws {
        let past = Self.gather(most: 1_000)
        #expect((1_000..<2_500).contains(past.count))
        let first = try #require(past.first)
        #expect(past.count == Self.rows(in: first..<Self.period.upperBound).count)
    }

    @Test func nothingIsNothing() async throws {
        var past = PastReadings(of: .ph, in: Self.period)
        while past.nextPage() != nil { past.add([]) }
        #expect(past.count == 0 && past.first == nil)
        let tests = try await past.tests(of: [SafeRange(.ph, minimum: Steps(70))], policy: AlertPolicy())
        #expect(tests.map(\.alarmCount) == [0])
    }
}
