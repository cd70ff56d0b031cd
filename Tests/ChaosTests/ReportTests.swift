import Testing

@testable import Chaos

/// The report of a run.
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

    /// The table of the cost of a machine's death.
    @Test func aMachineThatDies() {
        func text(_ results: RoundResult...) -> String {
            var report = ChaosReport(seed: 1)
            for result in results { report.add(result) }
            return report.text
        }
        func result(back: Duration?, recovery: Duration? = .seconds(1), lost: Int = 0) -> RoundResult {
            let round = Plan(seed: 1, rounds: 1, faults: [.machine(.failover)]).rounds[0]
            var tally = Tally()
            (tally.handedOver, tally.alertsExpected, tally.lost) = (900, 70, lost)
            return RoundResult(round: round, tally: tally, recovery: recovery, back: back)
        }
        let twice = text(result(back: .seconds(23)), result(back: .seconds(21)))
        #expect(twice.contains("failover         0 of 1800  0 missed, 0 double of 140      23.0 s  nothing"))
        #expect(text(result(back: .seconds(2), lost: 3)).contains("  3 of 900  "))
        #expect(text(result(back: nil, recovery: nil)).contains(" never  all of it"))
        #expect(!report { _ in }.text.contains("by hand"), "no machine was in trouble")
    }

    @Test func whatWasFoundCountsHoweverTheRunEnds() {
        let report = report { report in
            report.total.lost = 1
            report.isCutShort = true
        }
        #expect(report.exitCode == 1)
    }
}
