import Foundation
import Testing

/// The real services against an independent model of the rules: random courses, published in bursts, while engines,
/// Notifier and Ingestor are killed, receivers refuse, and people change limits, snooze, acknowledge and hand devices
/// over.
///
/// `AQUA_MODEL_COURSES` sets the number of courses (16 by default), `AQUA_MODEL_LENGTH` the number of messages of each,
/// and `AQUA_MODEL_SEED` selects others.
@Suite struct ReferenceTests {
    private static func number(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    @Test func theServicesDecideAsTheRulesSay() async throws {
        let courses = Self.number("AQUA_MODEL_COURSES", 16)
        let run = ReferenceRun(
            courses: courses, length: Self.number("AQUA_MODEL_LENGTH", courses > ReferenceRun.group ? 120 : 30),
            seed: UInt64(Self.number("AQUA_MODEL_SEED", 31)))
        let result = try await run.play()
        print(run.summary(result))
        for verdict in result.smallest {
            Issue.record("\(verdict.plan.course)\n\(verdict.differences.joined(separator: "\n"))")
        }
        #expect(result.differences == 0, "\(result.verdicts.flatMap(\.differences).joined(separator: "\n"))")
    }
}
