import ArgumentParser
import Instants
import People
import Postgres
import ServiceKit
import Store
import WaterQuality
import Words

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
        var kind: Word<Alert.Kind>
        var purpose: Word<Alert.Purpose>
        var state: Word<Alert.State>
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
        /// The sentence that probably explains a silence.
        var silenceHint: String?
        /// Whether the value is beyond the person's critical limit; `limit` is then that one.
        var critical: Bool
        /// Whether the alert says, once, that the value keeps leaving its range.
        var unstable: Bool
        /// How much and in what time the value had changed, in an alert about a fast change.
        var change: String?
        var changeSeconds: Int64?
        /// The side of the limit and the expected time, in an alert ahead of a limit.
        var heading: String?
        var expectedAt: String?
        /// Time from the decision to the first acceptance.
        var deliveredAfterMilliseconds: Int64?

        init(_ alert: StoredAlert) {
            self.alert = alert.name.text
            decidedAt = alert.decidedAt.iso8601
            eventTime = alert.eventTime.iso8601
            kind = alert.kind
            purpose = alert.purpose
            state = alert.state
            deviceId = alert.device
            deviceName = alert.deviceName
            parameter = alert.content.subject?.name
            checkProbe = alert.checkProbe
            anotherProbe = alert.isAnotherProbe
            silenceHint = alert.silenceHint?.text(in: .en)
            critical = alert.content.isCritical
            unstable = alert.content.range?.isUnstable ?? false
            deliveredAfterMilliseconds = alert.acceptedAt.map { ($0 - alert.decidedAt).wholeMicroseconds / 1000 }
            tell(alert.content, in: alert.unit)
        }

        private mutating func tell(_ content: Alert.Content, in unit: Unit?) {
            switch content {
            case .range(let range):
                let told = range.told(in: unit)
                side = range.side.rawValue
                value = told.text(range.value, .en)
                limit = range.limit.map { told.text($0, .en) }
            case .fault(let fault):
                value = fault.told(in: unit).map { $0.values.text($0.flatAt, .en) }
                if let (told, by) = fault.toldDifference(in: unit) { change = (by < 0 ? "-" : "") + told.text(by, .en) }
            case .rate(let rate):
                guard let (told, moved) = rate.told(in: unit) else { return }
                change = (moved.by < 0 ? "-" : "") + told.text(moved.by, .en)
                changeSeconds = moved.within.components.seconds
                value = told.value(moved.value, .en)
                limit = told.text(moved.limit, .en)
            case .ahead(let ahead):
                guard let (told, outlook) = ahead.told(in: unit) else { return }
                value = told.text(outlook.value, .en)
                limit = told.text(outlook.limit, .en)
                heading = outlook.side.rawValue
                expectedAt = outlook.expectedAt.iso8601
            case .byHand(let byHand):
                guard let (told, found) = byHand.told(in: unit) else { return }
                value = told.text(found.value, .en)
                limit = told.text(found.limit, .en)
                heading = found.side.rawValue
            case .silence, .test, .way, .signIn, .summary, .proof, .care, .other: break
            }
        }

        var what: String {
            switch kind {
            case .known(.test): "test"
            case .known(.way): "a way that takes no alerts"
            case .known(.signIn): "a new sign-in"
            case .known(.summary): "a summary"
            case .known(.care): "reminders"
            case .known(.proof): "a note that a way works"
            case .known(.silence): silence
            case .known(.fault): fault
            case .known(.rate): course
            case .known(.ahead): outlook
            case .known(.byHand): byHand
            case .known(.range): water
            case .other(let word): [word, parameter].compactMap(\.self).joined(separator: " of ")
            }
        }

        private var fault: String {
            let (probe, isOver) = ("\(parameter ?? "-") probe", purpose.known == .recovery)
            guard let value else { return "\(probe) \(isOver ? "works again" : "says that it is broken")" }
            return "\(probe) \(isOver ? "works again, it had stayed" : "stays") at \(value)"
        }

        private var byHand: String {
            guard let heading, let value, let limit else { return "\(parameter ?? "-") by hand, within limits again" }
            return "\(parameter ?? "-") by hand \(heading) at \(value), limit \(limit)"
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
            if purpose.known == .recovery { return "\(readings) again" }
            let cause = anotherProbe ? ", another probe answers" : checkProbe ? ", check the probe" : ""
            return "no \(readings)\(cause)" + (silenceHint.map { "; \($0)" } ?? "")
        }

        private var water: String {
            guard let parameter, let value else { return "-" }
            let place = limit.map { side == nil ? "" : side == "high" ? " above \($0)" : " below \($0)" } ?? ""
            let degree = critical ? ", critical" : unstable ? ", unstable" : ""
            let recovered = purpose.known == .recovery
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
