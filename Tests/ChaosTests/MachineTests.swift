import TestSupport
import Testing

@testable import Chaos

/// Machines that die, fall silent, or come back as a second primary. `deploy/chaos` plays each fault more often.
@Suite struct MachineTests {
    private static let breakdowns = Fault.Breakdown.allCases

    @Test(.enabled(if: Lan.obstacle == nil, "\(Lan.obstacle ?? "")"))
    func eachTroubleOfAMachine() async throws {
        let options = Self.breakdowns.flatMap { ["--only", $0.rawValue] }
        let (suite, end) = try await withHeavyTurn {
            let suite = try ProcessUnderTest.start(
                "aqua-chaos", ["--rounds", "\(Self.breakdowns.count)", "--seed", "1"] + options)
            return (suite, await suite.end)
        }
        let rounds = suite.errors.all.filter { $0.hasPrefix("==>") }.joined(separator: "\n")
        #expect(end == .exit(0), "\(rounds)\n\(suite.tail)")
        let summary = try #require(suite.output.all.last)
        #expect(summary.hasPrefix("rounds=\(Self.breakdowns.count) "), "\(summary)")
        #expect(summary.contains(" lost=0 stored_twice=0 "), "\(summary)")
        #expect(summary.contains(" skipped=none"), "\(summary)")
    }
}
