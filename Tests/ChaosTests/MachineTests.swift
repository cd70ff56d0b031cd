import TestSupport
import Testing

@testable import Chaos

/// A machine that dies. `deploy/chaos` plays the fail-overs, each of which takes as long as Patroni waits for a primary
/// that says nothing.
@Suite struct MachineTests {
    private static let breakdowns: [Fault.Breakdown] = [.standbyDies]

    @Test(.enabled(if: Lan.obstacle == nil, "\(Lan.obstacle ?? "")"))
    func aMachineThatDiesAndComesBack() async throws {
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
