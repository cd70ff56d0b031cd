import Instants
import Routes
import Store
import WaterQuality

/// Answers to operators, as the interface describes them.
enum OperationOutput {
    struct Operation: Sendable {
        let figures: ReadOperationFigures.Row
        let tallies: [ReadOperationTallies.Row]
        let doctor: (lookedAt: Timestamp?, findings: String?)

        var findings: [ShownFinding] { ShownFinding.all(doctor.findings) }
        func tallies(of what: String) -> [ReadOperationTallies.Row] { tallies.filter { $0.what == what } }
    }

    private static let backlog = Output<ReadOperationFigures.Backlog>.object(
        "Backlog", "What waits.",
        [
            .member("count", .integer, "How many; 100000 are counted at most.", example: 0) { Int($0.count) },
            .member("since", .optional(of: .timestamp), "When the oldest came, or was due; null: none waits.") {
                $0.since
            },
        ])

    private static let standings = Output<ReadOperationFigures.Devices>.object(
        "DeviceStandings", "How many devices stand how.",
        [
            .member("live", .integer, "Heard, and not silent.", example: 48) { Int($0.live) },
            .member("silent", .integer, "Their silence has been told.", example: 1) { Int($0.silent) },
            .member("unheard", .integer, "Linked, and nothing has come yet.", example: 0) { Int($0.unheard) },
            .member("unlinked", .integer, "Nobody's.", example: 2) { Int($0.unlinked) },
        ])

    private static let reject = Output<ReadOperationTallies.Row>.object(
        "RejectCount", "Messages that were not taken, for one reason.",
        [
            .member("reason", .text, "The reason, as of listRejects.", example: "malformed") { $0.name },
            .member("count", .integer, "How many.", example: 3) { Int($0.times) },
        ])

    private static let delivery = Output<ReadOperationTallies.Row>.object(
        "DeliveryCount", "Deliveries on one channel that stand alike.",
        [
            .member("channel", .text, "The channel.", example: "webPush") { $0.name },
            .member("state", .text, "pending, accepted, failed, stale or cancelled.", example: "accepted") {
                $0.outcome ?? ""
            },
            .member("count", .integer, "How many.", example: 120) { Int($0.times) },
        ])

    static let operation = Output<Operation>.object(
        "Operation", "How the installation does.",
        [
            .member(
                "away", .list(of: .text), "Services without a connection to the database: ingestor, rules, notifier.",
                example: []
            ) { $0.figures.away },
            .member("readings", backlog, "Readings that wait to be decided on, in batches.") { $0.figures.batches },
            .member("alerts", backlog, "Alerts that wait to be handed to their ways.") { $0.figures.alerts },
            .member("deliveries", backlog, "Deliveries under way; since when the oldest is overdue.") {
                $0.figures.deliveries
            },
            .member("devices", standings, "Devices.") { $0.figures.devices },
            .member("people", .integer, "Accounts of people.", example: 12) { Int($0.figures.people) },
            .member("unreached", .integer, "People who watch water, and whom no alert reaches.", example: 0) {
                Int($0.figures.unreached)
            },
            .member("projects", .integer, "Projects.", example: 1) { Int($0.figures.projects) },
            .member(
                "rejects", .list(of: reject),
                "Messages of the last hour that were not taken. The last ten thousand are kept."
            ) { $0.tallies(of: "reject") },
            .member(
                "sent", .list(of: delivery),
                "Deliveries of the last day, of three hundred alerts for each of 64 slots at most."
            ) { $0.tallies(of: "delivery") },
            .member("lookedAt", .optional(of: .timestamp), "When the doctor last looked; null: nobody recorded it.") {
                $0.doctor.lookedAt
            },
            .member("findings", .list(of: ShownFinding.output), "What it found, in English.") { $0.findings },
        ])

    static let account = Output<ListOperatedAccounts.Row>.object(
        "OperatedAccount", "A person's account.",
        [
            .member("email", .text, "The address.", example: "ada@example.org") { $0.email },
            .member("createdAt", .timestamp, "When it was opened.") { $0.createdAt },
            .member(
                "seenAt", .optional(of: .timestamp),
                "When a session of theirs was last used, to within ten minutes; null: in none that is still kept."
            ) { $0.seenAt },
            .member("sessions", .integer, "Where they are signed in.", example: 2) { Int($0.sessions) },
            .member("devices", .integer, "Devices of their own.", example: 3) { Int($0.devices) },
            .member("projects", .integer, "Projects in which they take part.", example: 0) { Int($0.projects) },
            .member("isReached", .boolean, "Whether an alert would reach them.") { $0.isReached },
            .member("isOperator", .boolean, "Whether the operator's tool lets them operate.") { $0.isOperator },
        ])

    static let device = Output<ListOperatedDevices.Row>.object(
        "OperatedDevice", "A device of the installation.",
        [
            .member("id", .text, "Its id.", example: "pond-1") { $0.device },
            .member(
                "standing", .choice(ListOperatedDevices.Standing.self),
                "unheard: linked, and nothing has come of it yet.",
                example: "live"
            ) { $0.standing },
            .member(
                "heardAt", .optional(of: .timestamp), "When its newest reading came; null: none is kept."
            ) { $0.heardAt },
            .member(
                "isOnline", .optional(of: .boolean), "Whether it is connected to the broker; null: it has not said."
            ) {
                $0.isOnline
            },
            .member("family", .optional(of: .text), "What kind of firmware it runs.", example: "esphome") { $0.family },
            .member("version", .optional(of: .text), "The firmware's version.", example: "2026.4.1") {
                $0.version.map { ForeignText.shown($0, longest: 48) }
            },
            .member(
                "owner", .optional(of: .text),
                "The owner's address; of a project that of its first owner; null: nobody's.",
                example: "ada@example.org"
            ) { $0.owner },
            .member("isOfProject", .boolean, "Whether a project owns it.") { $0.isOfProject },
            .member("rejected", .integer, "Messages of the last day that were not taken, or not in full.", example: 0) {
                Int($0.rejected)
            },
        ])

    static let ended = Output<Int>.object(
        "SignedOut", "What was ended.",
        [.member("sessions", .integer, "How many sessions.", example: 2) { $0 }])
}

/// A finding of the doctor's.
struct ShownFinding: Sendable {
    let topic: String
    let status: String
    let finding: String
    let mend: String?

    /// - Parameter text: The findings as they are stored; what cannot be read is none.
    static func all(_ text: String?) -> [ShownFinding] {
        guard let text, case .array(let found)? = try? JSON(reading: Array(text.utf8)) else { return [] }
        return found.compactMap { one in
            guard let topic = one["topic"]?.string, let status = one["status"]?.string,
                let finding = one["finding"]?.string
            else { return nil }
            return ShownFinding(topic: topic, status: status, finding: finding, mend: one["mend"]?.string)
        }
    }

    static let output = Output<ShownFinding>.object(
        "Finding", "One thing that the doctor looked at.",
        [
            .member("topic", .text, "The part of the installation.", example: "backup") { $0.topic },
            .member("status", .text, "ok, notice, skipped or wrong.", example: "ok") { $0.status },
            .member("finding", .text, "What it found.", example: "the last good backup is 4 hours old") { $0.finding },
            .member("mend", .optional(of: .text), "What to do about it.", example: .null) { $0.mend },
        ])
}
