import Testing

@testable import Chaos

/// What a run is told to have been.
@Suite struct ReportTests {
    private func report(_ spoil: (inout ChaosReport) -> Void) -> ChaosReport {
        var report = ChaosReport(seed: 1)
        report.add(RoundResult(round: Plan(seed: 1, rounds: 1).rounds[0], tally: Tally(), recovery: .seconds(1)))
        spoil(&report)
        return report
    }

    @Test func aFairRun() {
        let report = report { _ in }
        #expect(report.exitCode == 0)
        #expect(report.summary.hasPrefix("rounds=1 seed=1 "))
        #expect(report.summary.contains(" unexpected_ends=0 "))
        #expect(report.summary.contains(" cut_short=no "))
    }

    @Test func aServiceThatEndsByItselfIsADefect() {
        let report = report { $0.unexpectedEnds = ["aqua-rules ended by itself"] }
        #expect(report.exitCode == 1)
        #expect(report.text.contains("ended and was started again: aqua-rules ended by itself"))
    }

    @Test func aRunThatWasCutShortIsNoFairRun() {
        #expect(report { $0.isCutShort = true }.exitCode == 130)
        #expect(report { $0.isCutShort = true }.text.contains("cut short: not all rounds were played"))
    }

    @Test func whatWasFoundCountsHoweverTheRunEnds() {
        let report = report { report in
            report.total.lost = 1
            report.isCutShort = true
        }
        #expect(report.exitCode == 1)
    }
}
