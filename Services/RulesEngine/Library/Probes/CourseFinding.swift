import Instants
import Postgres
import Store
import WaterQuality

/// A reading by which the course of a value means something for a person, or does so no more.
struct CourseFinding<Course> {
    var key: ProbeKey
    var account: Account.ID
    var course: Course
    var time: Timestamp
    /// The constant lag of the device's clock.
    var lag: Duration
    /// Whether the watch is out of range, and the person was alerted of it.
    var isToldOutOfRange: Bool
}

extension ProbeLedger {
    /// What a finding comes to, with what an alert about it says.
    typealias CourseDecision = (decision: ProbeDecision, course: ProbeAlert.Course?, outlook: Outlook?)

    /// Decides findings in their order, each on what the one before has left.
    /// - Parameter evaluate: Is given a finding, its watch's state, the policy with the person's own throttle, and the reference for an
    ///   alert.
    mutating func decide<Course>(
        _ findings: [CourseFinding<Course>], now: Timestamp, policy: AlertPolicy, _ transaction: PostgresTransaction,
        _ evaluate: (CourseFinding<Course>, ProbeState, AlertPolicy, Alert.Reference) -> CourseDecision
    ) throws {
        guard !findings.isEmpty else { return }
        var watches: [ProbeKey: [Account.ID: Watch]] = [:]
        for row in try transaction.execute(LoadProbeEpisodes(Array(Set(findings.map(\.key))), kind: kind)) {
            watches[row.key, default: [:]][row.account] = Watch(row)
        }
        for finding in findings {
            guard var watch = watches[finding.key]?[finding.account] else { continue }
            var policy = policy
            if let own = watch.throttle { policy.throttle = own }
            let found = evaluate(finding, watch.state, policy, nextAlert)
            record(
                found.decision, of: &watch, at: finding.time, now: now, checkProbe: false, course: found.course,
                outlook: found.outlook)
            watches[finding.key]?[finding.account] = watch
        }
    }
}
