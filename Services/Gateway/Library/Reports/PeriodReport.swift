import Crypto
import Instants
import Routes
import Store
import WaterQuality

/// A period of a person's tank, to print and sign: figures, alarms, and what was done.
struct PeriodReport: Sendable {
    /// The longest period of one report.
    static let longest = Duration.seconds(93 * 86_400)
    /// The most lines of each list. Beyond it the report says that there are more.
    static let most = 500

    /// A parameter that was measured in the period, in the person's unit.
    struct Figures: Sendable {
        var parameter: Parameter
        var scale: UnitScale
        var statistics: Series.Statistics
        /// The hours with a value.
        var hours: Int
        /// The person's limits at the time of the request.
        var minimum: Double?
        var maximum: Double?

        fileprivate func value(_ canonical: Double?) -> Double? {
            canonical.flatMap(scale.fromCanonical).map(\.shown)
        }
    }

    /// A list that has a bound.
    struct Bounded<Item: Sendable>: Sendable {
        let items: [Item]
        let hasMore: Bool

        /// - Parameter rows: Newest first, up to one more than `most`.
        init(newest rows: [Item]) {
            self.init(Array(rows.prefix(PeriodReport.most)), hasMore: rows.count > PeriodReport.most)
        }

        /// - Parameter newest: Newest first.
        init(_ newest: [Item], hasMore: Bool) {
            items = newest.reversed()
            self.hasMore = hasMore
        }
    }

    var device: String
    var name: String
    var period: Range<Timestamp>
    var hours: Int
    var approvedHours: Int
    var figures: [Figures]
    /// Oldest first, like all lists.
    var alerts: Bounded<ShownAlert>
    var journal: Bounded<JournalItem>
    var deletions: Bounded<Deletion>
    var approvals: Bounded<Approval>

    /// The hours of a period that approvals cover.
    static func approvedHours(of period: Range<Timestamp>, by approvals: [Approval]) -> Int {
        var count = 0
        var hour = period.lowerBound
        while hour < period.upperBound {
            if approvals.holds(at: hour) { count += 1 }
            hour = hour + RollUpSchedule.hour
        }
        return count
    }
}

/// A report with what shows that nothing of it was changed.
struct SealedReport: Sendable {
    let report: PeriodReport
    let checksum: String
    /// Whether it has the checksum that was asked for; `nil` where none was.
    let matches: Bool?

    /// - Parameter asked: The checksum of a report on paper.
    init(_ report: PeriodReport, asked: String?) {
        self.report = report
        var text = JSONText()
        PeriodReport.output.write(report, &text)
        let sum = SHA256.hash(data: text.bytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        checksum = sum
        matches = asked.map { $0 == sum }
    }

    static let output = Output<SealedReport>.object(
        "SealedReport", "A report, and its checksum.",
        [
            .member("report", PeriodReport.output, "The report.") { $0.report },
            .member(
                "checksum", .text,
                "SHA-256 over the bytes of the member report as they stand here (UTF-8, no white space), in hexadecimal digits.",
                example: .string(String(repeating: "0123456789abcdef", count: 4))
            ) { $0.checksum },
            .member(
                "matches", .optional(of: .boolean),
                "Whether it is the checksum that was asked for; null where none was.", example: .null
            ) { $0.matches },
        ])
}

extension PeriodReport {
    private static let figure = Output<Figures>.object(
        "ReportFigures", "What a parameter comes to in the period, in the person's unit.",
        [
            .member("parameter", .text, "The parameter.", example: "temperature") { $0.parameter.name },
            .member("unit", .text, "The person's unit.", example: "C") { $0.scale.unit.rawValue },
            .member("count", .integer, "How many values there were.", example: 44_640) {
                Int(clamping: $0.statistics.count)
            },
            .member(
                "hours", .integer, "In how many hours there were any, of those that are over and rolled up.",
                example: 740
            ) {
                $0.hours
            },
            .member(
                "mean", .optional(of: .decimal), "Their mean, each weighed by the time for which it held.",
                example: 23.4
            ) {
                $0.value($0.statistics.mean)
            },
            .member("least", .optional(of: .decimal), "The least.", example: 22.8) {
                $0.value($0.statistics.least.map { Double($0.value) })
            },
            .member(
                "leastAt", .optional(of: .timestamp),
                "When it was first; of long periods, the beginning of the hour or day."
            ) {
                $0.statistics.least?.time
            },
            .member("greatest", .optional(of: .decimal), "The greatest.", example: 24.6) {
                $0.value($0.statistics.greatest.map { Double($0.value) })
            },
            .member("greatestAt", .optional(of: .timestamp), "When it was first.") { $0.statistics.greatest?.time },
            .member("secondsOutOfRange", .integer, "How long it was out of the limits of each time.", example: 600) {
                Int($0.statistics.outOfRange.components.seconds)
            },
            .member("secondsUndecided", .integer, "How long that is not known.", example: 0) {
                Int($0.statistics.undecided.components.seconds)
            },
            .member(
                "worked", .integer, "Values, or messages, of work on the water, which are in no figure.", example: 0
            ) {
                Int(clamping: $0.statistics.worked)
            },
            .member("minimum", .optional(of: .decimal), "The person's lower limit now.", example: 20) { $0.minimum },
            .member("maximum", .optional(of: .decimal), "The person's upper limit now.", example: 26) { $0.maximum },
        ])

    private static let alert = Output<ShownAlert>.object(
        "ReportedAlert", "What the person was told.",
        [
            .member("at", .timestamp, "When it was decided.") { $0.alert.decidedAt },
            .member("since", .timestamp, "Since when it was so.") { $0.alert.openedAt },
            .member("kind", .text, "Its kind, as in the list of alerts.", example: "range") { $0.alert.kind.rawValue },
            .member(
                "purpose", .text, "alarm, recovery, or past: it began and ended while alerts were held back.",
                example: "alarm"
            ) {
                $0.alert.purpose.rawValue
            },
            .member("parameter", .optional(of: .text), "The parameter; null: the device.", example: "ph") {
                $0.alert.content.subject?.name
            },
            .member("title", .text, "The message's title, in the person's language.", example: "Koi: pH too high") {
                $0.title
            },
            .member("text", .text, "The message.", example: "8.6, above your maximum of 8.4 since 14:05.") { $0.text },
            .member(
                "readingsDeletedAt", .optional(of: .timestamp), "When readings of it were deleted; null: none were.",
                example: .null
            ) {
                $0.alert.readingsDeletedAt
            },
        ])

    static let output = Output<PeriodReport>.object(
        "PeriodReport", "How a tank was in a period.",
        [
            .member("device", .text, "The device's id.", example: "pond-1") { $0.device },
            .member("name", .text, "The person's name for it.", example: "Koi") { $0.name },
            .member("from", .timestamp, "The beginning of the first hour.") { $0.period.lowerBound },
            .member("until", .timestamp, "The end of the last hour.") { $0.period.upperBound },
            .member("hours", .integer, "The hours of the period.", example: 744) { $0.hours },
            .member("approvedHours", .integer, "Those that are approved; the others are provisional.", example: 744) {
                $0.approvedHours
            },
            .member("parameters", .list(of: figure), "The parameters that were measured.") { $0.figures },
            .member("alerts", .list(of: alert), "What the person was told, oldest first.") { $0.alerts.items },
            .member("journal", .list(of: JournalItem.output), "What people did and saw, oldest first.") {
                $0.journal.items
            },
            .member("deletions", .list(of: Deletion.output), "What was deleted of the period's readings.") {
                $0.deletions.items
            },
            .member("approvals", .list(of: Approval.output), "Approvals that touch it, also those that were withdrawn.")
            {
                $0.approvals.items
            },
            .member(
                "complete", .boolean, "Whether the lists are whole: each has \(most) lines at most.", example: true
            ) { report in
                ![report.alerts.hasMore, report.journal.hasMore, report.deletions.hasMore, report.approvals.hasMore]
                    .contains(true)
            },
        ])
}
