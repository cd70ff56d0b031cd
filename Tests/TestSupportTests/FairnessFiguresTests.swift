import Foundation
import TestSupport
import Testing

@testable import aqua_bench

@Suite struct FairnessFiguresTests {
    /// 120 alerts, one in each whole number of milliseconds from `first` on.
    private static func durations(from first: Int) -> [Duration] { (first..<first + 120).map { .milliseconds($0) } }

    @Test func theDifferenceIsThatOfTheHighestButOne() {
        let figures = FairnessFigures(
            push: .ntfy, due: 10_000, alone: Self.durations(from: 1), beside: Self.durations(from: 51).reversed(),
            duePerSecond: 1234.4)
        #expect(figures.fairnessAloneMs.percentile(50) == 60)
        #expect(figures.fairnessAloneMs.percentile(99) == 119)
        #expect(figures.fairnessBesideMs.percentile(99) == 169)
        #expect(figures.fairnessLaterMs == 50)
        #expect(figures.isReached)
        #expect(figures.text.contains("ntfy topics"))
        #expect(figures.text.contains("p99 later by 50.0 ms (to reach: below 200, reached)"))
        #expect(figures.text.contains("1234/s"))
    }

    @Test(arguments: [(199, true), (200, false), (7_000, false)])
    func theTargetIsBelow200Milliseconds(later: Int, isReached: Bool) {
        let figures = FairnessFigures(
            push: .email, due: 10_000, alone: Self.durations(from: 1), beside: Self.durations(from: 1 + later),
            duePerSecond: 1)
        #expect(figures.isReached == isReached)
        #expect(figures.text.contains(isReached ? ", reached)" : ", not reached)"))
    }

    @Test func theReportHasThemByName() throws {
        var report = BenchmarkReport(machine: .current())
        report.fairness = FairnessFigures(
            push: .sms, due: 10_000, alone: Self.durations(from: 1), beside: Self.durations(from: 2), duePerSecond: 9)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let named = try decoder.decode(Named.self, from: Data(report.json().utf8))
        #expect(named.fairnessPush == "sms" && named.fairnessDue == 10_000 && named.fairnessDuePerSecond == 9)
        #expect(named.fairnessLaterMs == 1)
        #expect(named.fairnessAloneMs["p99"] == 119 && named.fairnessBesideMs["p50"] == 61)
        #expect(report.text.contains("Fairness, telephones on one host"))
    }

    private struct Named: Decodable {
        var fairnessPush: String
        var fairnessDue: Int
        var fairnessAloneMs: [String: Double]
        var fairnessBesideMs: [String: Double]
        var fairnessLaterMs: Double
        var fairnessDuePerSecond: Double
    }

    /// What has arrived is made up for, and what was decided too much is not taken back.
    @Test(arguments: [(0, 0, 100), (100, 0, 0), (100, 7, 7), (107, 7, 0), (120, 7, 0), (107, 107, 100)])
    func asManyAreDueAllTheTime(decided: Int, arrived: Int, missing: Int) {
        #expect(Crowd.missing(of: 100, decided: decided, arrived: arrived) == missing)
    }
}
