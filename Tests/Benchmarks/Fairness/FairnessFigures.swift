import Foundation

/// The time from an alert's decision to its arrival, alone and while another person has many alerts due at the same service.
struct FairnessFigures: Encodable, Sendable {
    let fairnessPush: PushKind
    /// How many alerts of the other person are due.
    let fairnessDue: Int
    let fairnessAloneMs: Distribution
    let fairnessBesideMs: Distribution
    /// By how much later the p99 is beside them.
    let fairnessLaterMs: Double
    /// How many of the other person's alerts arrive in a second.
    let fairnessDuePerSecond: Double

    /// By how much later the p99 may be, in milliseconds.
    static let target = 200.0

    init(push: PushKind, due: Int, alone: [Duration], beside: [Duration], duePerSecond: Double) {
        fairnessPush = push
        fairnessDue = due
        fairnessAloneMs = Distribution(alone)
        fairnessBesideMs = Distribution(beside)
        fairnessLaterMs =
            ((fairnessBesideMs.percentile(99) - fairnessAloneMs.percentile(99)) * 1_000).rounded() / 1_000
        fairnessDuePerSecond = duePerSecond.rounded()
    }

    var isReached: Bool { fairnessLaterMs < Self.target }

    var text: String {
        var table = DistributionTable("Fairness, \(fairnessPush.standIn.words) on one host, milliseconds")
        table.add("a person's alert, nothing else due", fairnessAloneMs)
        table.add("beside \(fairnessDue) due of another", fairnessBesideMs)
        return """
            \(table.text)
              p99 later by \(String(format: "%.1f", fairnessLaterMs)) ms (to reach: below \(Int(Self.target)), \(isReached ? "reached" : "not reached"))
              the other person's arrive at \(Int(fairnessDuePerSecond))/s
            """
    }
}
