import ArgumentParser
import Instants
import People
import Postgres
import ServiceKit
import Store
import WaterQuality

/// `aqua alerts`
struct Alerts: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows a person's alerts, oldest first, and what became of them.",
        discussion: """
            Values are in the person's unit, times in UTC.

            Example:  aqua alerts ada@example.org --since 7d
            """)

    private static let most = 1000

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(
        help: "From when on: 2026-05-01T12:00:00Z, or so long ago, such as 7d. (default: 24h)", transform: Since.init)
    var since: Since?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let now = context.clock.now()
        let since = (since ?? .ago(.seconds(86_400))).time(at: now)
        let rows = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            return try await connection.execute(ListAlerts(account: account, since: since, limit: Self.most + 1))
        }
        let report = AlertsReport(
            email: email.text, since: since.iso8601, alerts: rows.prefix(Self.most).map(AlertsReport.Line.init),
            isCutOff: rows.count > Self.most)
        try context.console.show(report, output)
    }
}

struct AlertsReport: Report {
    struct Line: Encodable {
        /// The alert's name in webhooks and logs.
        var alert: String
        var decidedAt: String
        /// The time of the reading that caused the alert; of a silence or a fault, when it was found or over.
        var eventTime: String
        var kind: Alert.Kind
        var purpose: Alert.Purpose
        var state: Alert.State
        var deviceId: String?
        var deviceName: String?
        var parameter: String?
        var side: String?
        /// The value with its unit, like the limit. In an alert about a fast change the limit is that of the change.
        var value: String?
        var limit: String?
        var checkProbe: Bool
        /// Whether another probe answers in place of the one in the water; for a silence only.
        var anotherProbe: Bool
        /// Whether the value is beyond the person's critical limit; `limit` is then that one.
        var critical: Bool
        /// Whether the alert says, once, that the value keeps leaving its range.
        var unstable: Bool
        /// How much and in what time the value had changed, in an alert about a fast change.
        var change: String?
        var changeSeconds: Int32?
        /// The side of the limit and the expected time, in an alert ahead of a limit.
        var heading: String?
        var expectedAt: String?
        /// Time from the decision to the first acceptance.
        var deliveredAfterMilliseconds: Int64?

        init(_ row: ListAlerts.Row) {
            func text(_ value: Float?) -> String? {
                guard let parameter = row.parameter, let value else { return nil }
                let told = ToldValues(
                    parameter, in: Unit(rawValue: row.unit), value: row.value ?? value, limit: row.limit)
                return told.text(value, .en)
            }
            alert = row.name.text
            decidedAt = row.decidedAt.iso8601
            eventTime = row.eventTime.iso8601
            kind = row.kind
            purpose = row.purpose
            state = row.state
            deviceId = row.hardwareID
            deviceName = row.deviceName
            parameter = row.parameter?.name
            side = row.side.map { $0 == .high ? "high" : "low" }
            if let parameter = row.parameter, let by = row.change, let most = row.limit, let reached = row.value {
                let told = ToldChange(
                    parameter, in: Unit(rawValue: row.unit), change: by, limit: most, value: reached)
                change = (by < 0 ? "-" : "") + told.text(by, .en)
                changeSeconds = row.changeSeconds
                value = told.value(reached, .en)
                limit = told.text(most, .en)
            } else {
                value = text(row.value)
                limit = text(row.limit)
            }
            heading = row.heading.map { $0 == .high ? "high" : "low" }
            expectedAt = row.expectedAt?.iso8601
            checkProbe = row.checkProbe
            anotherProbe = SilenceCause.isAnotherProbe(
                row.kind, row.purpose, parameter: row.parameter, checkProbe: row.checkProbe)
            critical = row.isCritical
            unstable = row.isUnstable
            deliveredAfterMilliseconds = row.acceptedAt.map { ($0 - row.decidedAt).wholeMicroseconds / 1000 }
        }

        var what: String {
            switch kind {
            case .test: "test"
            case .silence:
                silence
            case .fault: fault
            case .rate: course
            case .ahead: outlook
            case .range: water
            }
        }

        private var fault: String {
            let (probe, isOver) = ("\(parameter ?? "-") probe", purpose == .recovery)
            guard let value else { return "\(probe) \(isOver ? "works again" : "says that it is broken")" }
            return "\(probe) \(isOver ? "works again, it had stayed" : "stays") at \(value)"
        }

        private var course: String {
            guard let parameter, let change, let changeSeconds else { return "\(parameter ?? "-") steady again" }
            let (verb, by) = change.hasPrefix("-") ? ("fell", String(change.dropFirst())) : ("rose", change)
            return "\(parameter) \(verb) \(by) in \(max(1, (changeSeconds + 30) / 60)) min"
        }

        private var outlook: String {
            guard let parameter, let value, let limit, let heading, let expectedAt else {
                return "\(parameter ?? "-") not expected to reach a limit soon"
            }
            return "\(parameter) \(value), \(heading == "high" ? "above" : "below") \(limit) by \(expectedAt)"
        }

        private var silence: String {
            let readings = parameter.map { "\($0) readings" } ?? "readings"
            if purpose == .recovery { return "\(readings) again" }
            let cause = anotherProbe ? ", another probe answers" : checkProbe ? ", check the probe" : ""
            return "no \(readings)\(cause)"
        }

        private var water: String {
            guard let parameter, let value else { return "-" }
            let place = limit.map { side == nil ? "" : side == "high" ? " above \($0)" : " below \($0)" } ?? ""
            let degree = critical ? ", critical" : unstable ? ", unstable" : ""
            let recovered = purpose == .recovery
            return
                "\(parameter) \(value)\(recovered ? ", back in range" : place + degree)\(checkProbe ? ", check the probe" : "")"
        }
    }

    var email: String
    var since: String
    var alerts: [Line]
    /// Whether there are more alerts than are shown.
    var isCutOff: Bool

    var text: String {
        guard !alerts.isEmpty else { return "\(email) has had no alert since \(since)." }
        var table = TextTable(["DECIDED", "DEVICE", "WHAT", "PURPOSE", "STATE", "DELIVERED AFTER"])
        for alert in alerts {
            table.add([
                alert.decidedAt, alert.deviceName ?? "-", alert.what, alert.purpose.rawValue, alert.state.rawValue,
                alert.deliveredAfterMilliseconds.map { "\($0) ms" } ?? "-",
            ])
        }
        return isCutOff ? table.text + "\nThere are more: show later ones with --since." : table.text
    }
}
