import Foundation
import TestSupport
import Testing

/// The real services against an independent model of the rules: random courses, published in bursts, while engines, Notifier and
/// Ingestor are killed, receivers refuse, and people change limits, snooze, acknowledge and hand devices over.
///
/// `AQUA_MODEL_COURSES` says how many courses are played, `AQUA_MODEL_LENGTH` how many messages each has, and `AQUA_MODEL_SEED`
/// repeats a run.
@Suite struct ReferenceTests {
    private static func number(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    /// So many courses play at a time.
    private static let group = 24

    @Test func theServicesDecideAsTheRulesSay() async throws {
        let courses = Self.number("AQUA_MODEL_COURSES", 16)
        let length = Self.number("AQUA_MODEL_LENGTH", courses > Self.group ? 120 : 30)
        let seed = UInt64(Self.number("AQUA_MODEL_SEED", 31))
        let policy = Policy()
        var all = (0..<courses).map { number in
            var generator = CourseGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
            return Plan(generator.course(length: length), policy)
        }
        all.sort { $0.rounds.count < $1.rounds.count }  // those of a group end together
        let plans = all
        let verdicts = try await ReferenceStage.with(policy) { stage in
            var verdicts: [Verdict] = []
            for start in stride(from: 0, to: plans.count, by: Self.group) {
                verdicts += try await Run.verdicts(
                    Array(plans[start..<min(start + Self.group, plans.count)]), on: stage, prefix: "m\(start)",
                    hasFaults: true)
            }
            for (index, verdict) in verdicts.filter({ !$0.differences.isEmpty }).prefix(3).enumerated() {
                let smallest = try await shrink(verdict, on: stage, prefix: "s\(index)", policy: policy)
                Issue.record("\(smallest.plan.course)\n\(smallest.differences.joined(separator: "\n"))")
            }
            return verdicts
        }
        let differences = verdicts.reduce(0) { $0 + $1.differences.count }
        print(Self.summary(verdicts, differences, seed))
        #expect(differences == 0)
        for verdict in verdicts { for difference in verdict.differences { print("  \(difference)") } }
    }

    private static func summary(_ verdicts: [Verdict], _ differences: Int, _ seed: UInt64) -> String {
        func sum(_ count: (Verdict) -> Int) -> Int { verdicts.reduce(0) { $0 + count($1) } }
        let series = sum { $0.watches.count }
        let readings = sum { verdict in verdict.plan.course.readings.reduce(0) { $0 + $1.values.count } }
        let decisions = sum { $0.plan.model.decisions }
        return
            "Reference: \(verdicts.count) courses, \(series) series, \(readings) readings, \(decisions) decisions compared, "
            + "\(sum(\.changes)) changes of episodes, \(sum(\.messages)) messages; differences \(differences); seed \(seed)"
    }
}
