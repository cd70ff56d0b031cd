/// A run of many courses, and its findings.
struct ReferenceRun: Sendable {
    var courses: Int
    var length: Int
    var seed: UInt64

    /// The number of courses that play at a time.
    static let group = 24
    /// The number of differing courses for which the shortest differing part is searched.
    private static let shrunk = 3
    private static let shrinksFor = Duration.seconds(60)

    struct Result: Sendable {
        let verdicts: [Verdict]
        /// Courses with a difference, as short as possible.
        let smallest: [Verdict]

        var differences: Int { verdicts.reduce(0) { $0 + $1.differences.count } }
    }

    func play(_ policy: Policy = Policy()) async throws -> Result {
        let seed = seed
        var all = (0..<courses).map { number in
            var generator = CourseGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
            return Plan(generator.course(length: length), policy)
        }
        all.sort { $0.rounds.count < $1.rounds.count }  // puts courses together that end together
        let plans = all
        return try await ReferenceStage.with(policy) { stage in
            var verdicts: [Verdict] = []
            for start in stride(from: 0, to: plans.count, by: Self.group) {
                let group = Array(plans[start..<min(start + Self.group, plans.count)])
                verdicts += try await Run.verdicts(group, on: stage, prefix: "m\(start)", hasFaults: true)
            }
            var smallest: [Verdict] = []
            let deadline = ContinuousClock.now + Self.shrinksFor
            for (index, verdict) in verdicts.filter({ !$0.differences.isEmpty }).prefix(Self.shrunk).enumerated() {
                smallest.append(
                    try await shrink(verdict, on: stage, prefix: "s\(index)", policy: policy, until: deadline))
            }
            return Result(verdicts: verdicts, smallest: smallest)
        }
    }

    func summary(_ result: Result) -> String {
        func sum(_ count: (Verdict) -> Int) -> Int { result.verdicts.reduce(0) { $0 + count($1) } }
        let readings = sum { verdict in verdict.plan.course.readings.reduce(0) { $0 + $1.values.count } }
        return "Reference: \(courses) courses, \(sum { $0.watches.count }) series, \(readings) readings, "
            + "\(sum { $0.plan.model.decisions }) decisions compared, \(sum(\.changes)) changes of episodes, "
            + "\(sum(\.messages)) messages; differences \(result.differences); seed \(seed)"
    }
}
