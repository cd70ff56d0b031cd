import TestSupport
import Testing

@testable import Chaos

/// What happens to machines, a round of each: `deploy/chaos --only failover` and others play more.
@Suite struct MachineTests {
    @Test(.enabled(if: Lan.obstacle == nil, "\(Lan.obstacle ?? "")"))
    func aRoundOfEachSortOfTrouble() async throws {
        let faults = Fault.Breakdown.allCases.map(\.rawValue)
        let options = faults.flatMap { ["--only", $0] }
        let suite = try ProcessUnderTest.start("aqua-chaos", ["--rounds", "\(faults.count)", "--seed", "1"] + options)
        #expect(await suite.end == .exit(0), "\(suite.tail)")
        let summary = try #require(suite.output.all.last)
        #expect(summary.contains(" lost=0 stored_twice=0 "), "\(summary)")
    }
}
