import Instants
import Routes
import Store
import WaterQuality

/// An alert as its person sees it: in the words and the unit that they were told in.
struct ShownAlert: Sendable {
    let row: AlertRow
    private let message: Notice.Message
    private let facts: AlertFacts?

    init(_ row: AlertRow) {
        self.row = row
        facts = row.facts
        message = row.notice.message(in: Language(locale: row.locale))
    }

    private func told(_ value: (AlertFacts) -> Float?) -> Double? {
        facts.flatMap { facts in value(facts).map(facts.told.number) }
    }

    /// As stored, rounded to the sensor's precision.
    private func canonical(_ value: (AlertFacts) -> Float?) -> Double? {
        facts.flatMap { facts in
            var facts = facts
            facts.chosenUnit = nil
            return value(facts).map(facts.told.number)
        }
    }

    /// Beside what is listed of each, `additions` are of one that is shown by itself.
    static func members<Whole: Sendable>(
        _ alert: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        identity(alert) + water(alert)
    }

    private static func identity<Whole: Sendable>(
        _ alert: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        [
            .member(
                "id", .text, "The alert's id, also in the messages about it.", example: .string(AlertRoutes.exampleID)
            ) {
                alert($0).row.name.text
            },
            .member(
                "kind", .choice(Alert.Kind.self),
                "range: a value left the person's range; silence: nothing was heard of the device, or of one of its parameters; "
                    + "fault: a probe says that it is broken, or its value has stayed the same for too long; rate: a value changes faster than the person wants; "
                    + "ahead: a value reaches a limit if it goes on as it has lately; test"
            ) { alert($0).row.kind },
            .member(
                "purpose", .choice(Alert.Purpose.self),
                "alarm: the first of an episode; reminder: it goes on; recovery: it is over; test"
            ) { alert($0).row.purpose },
            .member(
                "state", .choice(Alert.State.self),
                "decided: not on its way yet; sending; delivered: an endpoint accepted it; undelivered: none did; "
                    + "cancelled: the device was unlinked, or what it says was over, before"
            ) { alert($0).row.state },
            .member("title", .text, "The message's title, in the person's language.", example: "Koi: pH too high") {
                alert($0).message.title
            },
            .member(
                "text", .text, "The message.", example: "8.6, above your maximum of 8.4 since 14:05."
            ) { alert($0).message.body },
            .member("decidedAt", .timestamp, "When it was decided.") { alert($0).row.decidedAt },
            .member(
                "eventTime", .timestamp,
                "When the reading in the text was taken; of a silence, when it was found, or the device heard again; of a fault, "
                    + "when the probe said so, or gave a value again, or another one; of a rate, or of what is told ahead, when the newest "
                    + "reading was taken."
            ) { alert($0).row.eventTime },
            .member(
                "since", .timestamp,
                "Since when the water has been out of range or the probe broken, the device or the parameter was heard last, or "
                    + "the reading from which the change was first measured, or when it was found to be on the way to a limit."
            ) {
                alert($0).row.openedAt
            },
            .member("acceptedAt", .optional(of: .timestamp), "When the first endpoint accepted it.") {
                alert($0).row.acceptedAt
            },
        ]
    }

    private static func water<Whole: Sendable>(
        _ alert: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        [
            .member(
                "device", .optional(of: DeviceOfAlert.output), "The device; null for a test."
            ) { DeviceOfAlert(alert($0).row) },
            .member(
                "parameter", .optional(of: .text),
                "The parameter; null for a test and for the silence of a whole device.", example: "ph"
            ) {
                alert($0).row.parameter?.name
            },
            .member(
                "side", .optional(of: .text),
                "low or high; null unless a value left the range, as all that follows but checkProbe, anotherProbe, change, outlook and flat.",
                example: "high"
            ) {
                alert($0).row.side.map { $0 == .low ? "low" : "high" }
            },
            .member(
                "unit", .optional(of: .text), "The person's unit, of the values that follow.", example: "pH"
            ) { alert($0).facts?.told.unit.rawValue },
            .member(
                "decimals", .optional(of: .integer),
                "The digits behind the decimal mark that tell the value from the limit; more than the unit's where it "
                    + "is coarse.", example: 1
            ) { alert($0).facts?.told.decimals },
            .member("value", .optional(of: .decimal), "The reading.", example: 8.6) { alert($0).told(\.value) },
            .member("worst", .optional(of: .decimal), "The worst of the episode so far.", example: 8.6) {
                alert($0).told(\.worst)
            },
            .member("limit", .optional(of: .decimal), "The limit that was crossed.", example: 8.4) {
                alert($0).told(\.limit)
            },
            .member(
                "canonical", .optional(of: CanonicalValues.output), "The same values in the parameter's own unit."
            ) { whole in
                let alert = alert(whole)
                return alert.facts.map {
                    CanonicalValues(
                        unit: $0.parameter.canonicalUnit, value: alert.canonical(\.value),
                        worst: alert.canonical(\.worst), limit: alert.canonical(\.limit))
                }
            },
            .member(
                "checkProbe", .boolean,
                "Whether the probe is suspect as well; of a silence, whether the device is connected, or other readings come, all the same.",
                example: false
            ) {
                alert($0).row.checkProbe
            },
            .member(
                "anotherProbe", .boolean,
                "Of a silence: whether another probe answers in place of the one in the water, which was probably replaced.",
                example: false
            ) { alert($0).row.isAnotherProbe },
            .member(
                "critical", .boolean, "Whether the value is beyond the person's critical limit, which limit then is.",
                example: false
            ) { alert($0).row.isCritical },
            .member(
                "unstable", .boolean,
                "Whether it tells once that the value keeps leaving its range, in place of its alarms.", example: false
            ) { alert($0).row.isUnstable },
            .member(
                "change", .optional(of: CourseOfAlert.output),
                "How the value changed, of an alarm or a reminder of kind rate; null otherwise."
            ) { CourseOfAlert(alert($0).row) },
            .member(
                "outlook", .optional(of: OutlookOfAlert.output),
                "The limit that the value reaches, of an alarm of kind ahead; null otherwise."
            ) { OutlookOfAlert(alert($0).row) },
            .member(
                "flat", .optional(of: FlatOfAlert.output),
                "The value that has stayed the same, of kind fault; null where the probe says itself that it is broken, and otherwise."
            ) { FlatOfAlert(alert($0).row) },
        ]
    }

    static let output = Output<ShownAlert>.object(
        "Alert", "A message about the person's water.", members { $0 })
}

/// The device of an alert by its id and the person's name for it.
private struct DeviceOfAlert: Sendable {
    let id: String
    let name: String

    init?(_ row: AlertRow) {
        guard let id = row.hardwareID else { return nil }
        self.id = id
        name = row.deviceName ?? id
    }

    static let output = Output<DeviceOfAlert>.object(
        "DeviceOfAlert", "The device that an alert is about.",
        [
            .member("id", .text, "The device's id.", example: "pond-1") { $0.id },
            .member("name", .text, "The person's name for it.", example: "Koi") { $0.name },
        ])
}

/// How a value changed, in the person's unit, or in the canonical one where differences have no fixed size in it.
private struct CourseOfAlert: Sendable {
    let told: ToldChange
    let change: RateFacts.Change

    init?(_ row: AlertRow) {
        guard let facts = row.rateFacts, let told = facts.told, let change = facts.change else { return nil }
        (self.told, self.change) = (told, change)
    }

    static let output = Output<CourseOfAlert>.object(
        "Course", "How a value changed.",
        [
            .member(
                "unit", .choice(Unit.self),
                "The unit of what follows: the person's, or the canonical one where a difference has no fixed size in the person's.",
                example: "C"
            ) { $0.told.unit },
            .member("decimals", .integer, "The digits behind the decimal mark of by and limit.", example: 1) {
                $0.told.decimals
            },
            .member("by", .decimal, "By how much: above zero it rose.", example: 3.2) {
                $0.told.number($0.change.by)
            },
            .member("seconds", .integer, "In what time: an hour and a little at most.", example: 2400) {
                Int($0.change.within.components.seconds)
            },
            .member("value", .decimal, "The value that it had reached.", example: 27.4) {
                $0.told.shown($0.change.value)
            },
            .member("limit", .decimal, "The greatest change in an hour that the person had set.", example: 3) {
                $0.told.number($0.change.limit)
            },
        ])
}

/// A value that stays the same, in the person's unit.
private struct FlatOfAlert: Sendable {
    let told: ToldValues
    let value: Float

    init?(_ row: AlertRow) {
        guard let facts = row.faultFacts, let told = facts.told, let value = facts.flatAt else { return nil }
        (self.told, self.value) = (told, value)
    }

    static let output = Output<FlatOfAlert>.object(
        "Flat", "A value that has stayed the same for too long.",
        [
            .member("unit", .choice(Unit.self), "The person's unit.", example: "C") { $0.told.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 1) { $0.told.decimals },
            .member("value", .decimal, "The value.", example: 24.3) { $0.told.number($0.value) },
        ])
}

/// The limit that a value reaches, in the person's unit.
private struct OutlookOfAlert: Sendable {
    let told: ToldValues
    let outlook: AheadFacts.Outlook
    let expectedAt: Timestamp

    init?(_ row: AlertRow) {
        guard let facts = row.aheadFacts, let told = facts.told, let outlook = facts.outlook,
            let expectedAt = row.expectedAt
        else { return nil }
        (self.told, self.outlook, self.expectedAt) = (told, outlook, expectedAt)
    }

    static let output = Output<OutlookOfAlert>.object(
        "Outlook", "The limit that a value reaches if it goes on as it has lately.",
        [
            .member("side", .choice(Side.self), "low: it falls to its minimum; high: it rises to its maximum.") {
                $0.outlook.side
            },
            .member("unit", .choice(Unit.self), "The person's unit, of the values.", example: "ppm") { $0.told.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 1) { $0.told.decimals },
            .member("value", .decimal, "The newest reading.", example: 6.8) { $0.told.number($0.outlook.value) },
            .member("limit", .decimal, "The limit.", example: 6) { $0.told.number($0.outlook.limit) },
            .member("expectedAt", .timestamp, "When the limit is reached.") { $0.expectedAt },
        ])
}

private struct CanonicalValues: Sendable {
    let unit: Unit
    let value: Double?
    let worst: Double?
    let limit: Double?

    static let output = Output<CanonicalValues>.object(
        "CanonicalValues", "Values in the unit that they are stored in.",
        [
            .member("unit", .text, "The unit.", example: "pH") { $0.unit.rawValue },
            .member("value", .optional(of: .decimal), "The reading.", example: 8.6) { $0.value },
            .member("worst", .optional(of: .decimal), "The worst of the episode so far.", example: 8.6) { $0.worst },
            .member("limit", .optional(of: .decimal), "The limit that was crossed.", example: 8.4) { $0.limit },
        ])
}
