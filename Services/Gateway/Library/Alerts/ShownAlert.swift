import Instants
import Routes
import Store
import WaterQuality

/// An alert as its person sees it: in the words and the unit that they were told in.
struct ShownAlert: Sendable {
    let alert: StoredAlert
    private let message: Notice.Message

    init(_ alert: StoredAlert) {
        self.alert = alert
        message = alert.message
    }

    var title: String { message.title }
    var text: String { message.body }

    private typealias ToldRange = (values: ToldValues, range: RangeContent)

    /// A value out of range, in the person's unit.
    private var range: ToldRange? {
        alert.content.range.map { ($0.told(in: alert.unit), $0) }
    }

    /// The members that show an alert, in an object that holds one.
    static func members<Whole: Sendable>(
        _ shown: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        identity(shown) + water(shown) + numbers { shown($0).range } + details(shown)
    }

    private static func identity<Whole: Sendable>(
        _ shown: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        [
            .member(
                "id", .text, "The alert's id, also in the messages about it.", example: .string(Alert.exampleID)
            ) {
                shown($0).alert.name.text
            },
            .member(
                "kind", .choice(Word<Alert.Kind>.self),
                "range: a value left the person's range; silence: nothing was heard of the device, or of one of its parameters; "
                    + "fault: a probe says that it is broken, or its value has stayed the same for too long, or it lies apart from a second probe in the same water; rate: a value changes faster than the person wants; "
                    + "ahead: a value reaches a limit if it goes on as it has lately; test"
            ) { shown($0).alert.kind },
            .member(
                "purpose", .choice(Word<Alert.Purpose>.self),
                "alarm: the first of an episode; reminder: it goes on; recovery: it is over; ended: the device is not shared with the person any more; "
                    + "past: it began and ended while alerts were held back; escalation: nobody has answered, so this person, or another endpoint of "
                    + "theirs, is told; calledOff: that is over, or somebody is on it; test"
            ) { shown($0).alert.purpose },
            .member(
                "state", .choice(Word<Alert.State>.self),
                "decided: not on its way yet; sending; delivered: an endpoint accepted it; undelivered: none did; "
                    + "cancelled: the device was unlinked, or what it says was over, before"
            ) { shown($0).alert.state },
            .member("title", .text, "The message's title, in the person's language.", example: "Koi: pH too high") {
                shown($0).message.title
            },
            .member(
                "text", .text, "The message.", example: "8.6, above your maximum of 8.4 since 14:05."
            ) { shown($0).message.body },
            .member(
                "caller", .optional(of: .text),
                "Of an escalation and its end: whose alarm it is; null: the person's own.",
                example: .null
            ) { shown($0).alert.call?.caller },
            .member(
                "taker", .optional(of: .text), "Of the end of an escalation: who is on it; null: it is over.",
                example: .null
            ) { shown($0).alert.call?.taker },
            .member("decidedAt", .timestamp, "When it was decided.") { shown($0).alert.decidedAt },
            .member(
                "eventTime", .timestamp,
                "When the reading in the text was taken; of a silence, when it was found, or the device heard again; of a fault, "
                    + "when the probe said so, or gave a value again, or another one; of a rate, or of what is told ahead, when the newest "
                    + "reading was taken."
            ) { shown($0).alert.eventTime },
            .member(
                "since", .timestamp,
                "Since when the water has been out of range or the probe broken, the device or the parameter was heard last, or "
                    + "the reading from which the change was first measured, or when it was found to be on the way to a limit."
            ) {
                shown($0).alert.openedAt
            },
            .member("acceptedAt", .optional(of: .timestamp), "When the first endpoint accepted it.") {
                shown($0).alert.acceptedAt
            },
            .member(
                "readingsDeletedAt", .optional(of: .timestamp),
                "When readings that it tells of were deleted by the owner; null: none were.", example: .null
            ) { shown($0).alert.readingsDeletedAt },
        ]
    }

    private static func water<Whole: Sendable>(
        _ shown: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        [
            .member("device", .optional(of: device), "The device; null for a test.") { whole in
                shown(whole).alert.device == nil ? nil : shown(whole)
            },
            .member(
                "parameter", .optional(of: .text),
                "The parameter; null for a test and for the silence of a whole device. A number is of a parameter that only a newer version of the "
                    + "service knows.", example: "ph"
            ) { shown($0).alert.content.subject?.name },
            .member(
                "side", .optional(of: .text),
                "low or high; null unless a value left the range, as all that follows but checkProbe, anotherProbe, critical, change, outlook, byHand and flat.",
                example: "high"
            ) { shown($0).alert.content.range?.side.rawValue },
            .member(
                "unit", .optional(of: .text), "The person's unit, of the values that follow.", example: "pH"
            ) { shown($0).range?.values.unit.rawValue },
            .member(
                "decimals", .optional(of: .integer),
                "The digits behind the decimal mark that tell the value from the limit; more than the unit's where it "
                    + "is coarse.", example: 1
            ) { shown($0).range?.values.decimals },
        ]
    }

    private static func details<Whole: Sendable>(
        _ shown: @escaping @Sendable (Whole) -> ShownAlert
    ) -> [OutputMember<Whole>] {
        [
            .member(
                "canonical", .optional(of: canonical), "The same values in the parameter's own unit."
            ) { shown($0).alert.content.range.map { ($0.told(in: nil), $0) } },
            .member(
                "checkProbe", .boolean,
                "Whether the probe is suspect as well; of a silence, whether the device is connected, or other readings come, all the same.",
                example: false
            ) { shown($0).alert.checkProbe },
            .member(
                "anotherProbe", .boolean,
                "Of a silence: whether another probe answers in place of the one in the water, which was probably replaced.",
                example: false
            ) { shown($0).alert.isAnotherProbe },
            .member(
                "silenceHint", .optional(of: .silenceHint),
                "Of a silence: what the device had said of itself that probably explains it.", example: .null
            ) { shown($0).alert.silenceHint },
            .member(
                "outage", .optional(of: outage),
                "Of the silence of a whole device, or its end: the devices with which it fell silent at once, all told in one message; null where it did so alone.",
                example: .null
            ) { shown($0).alert.silentSite },
            .member(
                "critical", .boolean, "Whether the value is beyond the person's critical limit, which limit then is.",
                example: false
            ) { shown($0).alert.content.isCritical },
            .member(
                "unstable", .boolean,
                "Whether it tells once that the value keeps leaving its range, in place of its alarms.", example: false
            ) { shown($0).alert.content.range?.isUnstable ?? false },
            .member(
                "afterWork", .boolean,
                "Whether it tells that the value is still out of range after somebody has worked on the water.",
                example: false
            ) { shown($0).alert.content.range?.isAfterWork ?? false },
            .member(
                "change", .optional(of: change),
                "How the value changed, of an alarm or a reminder of kind rate; null otherwise."
            ) { whole in
                guard case .rate(let rate) = shown(whole).alert.content else { return nil }
                return rate.told(in: shown(whole).alert.unit)
            },
            .member(
                "outlook", .optional(of: outlook),
                "The limit that the value reaches, of an alarm of kind ahead; null otherwise."
            ) { whole in
                guard case .ahead(let ahead) = shown(whole).alert.content else { return nil }
                return ahead.told(in: shown(whole).alert.unit)
            },
            .member(
                "byHand", .optional(of: byHand),
                "The value that somebody measured, of an alarm of kind byHand; null otherwise."
            ) { whole in
                guard case .byHand(let byHand) = shown(whole).alert.content else { return nil }
                return byHand.told(in: shown(whole).alert.unit)
            },
            .member(
                "flat", .optional(of: flat),
                "The value that has stayed the same, of kind fault; null where the probe says itself that it is broken, and otherwise."
            ) { whole in
                guard case .fault(let fault) = shown(whole).alert.content else { return nil }
                return fault.told(in: shown(whole).alert.unit)
            },
            .member(
                "differs", .optional(of: differs),
                "By how much the probe lies apart from a second one in the same water, of kind fault; null otherwise."
            ) { whole in
                guard case .fault(let fault) = shown(whole).alert.content else { return nil }
                return fault.toldDifference(in: shown(whole).alert.unit)
            },
        ]
    }

    /// The values of what left the range.
    private static func numbers<Whole: Sendable>(
        _ range: @escaping @Sendable (Whole) -> ToldRange?
    ) -> [OutputMember<Whole>] {
        [
            .member("value", .optional(of: .decimal), "The reading.", example: 8.6) {
                range($0).map { $0.values.number($0.range.value) }
            },
            .member("worst", .optional(of: .decimal), "The worst of the episode so far.", example: 8.6) {
                range($0).map { $0.values.number($0.range.worst) }
            },
            .member("limit", .optional(of: .decimal), "The limit that was crossed.", example: 8.4) {
                range($0).flatMap { told in told.range.limit.map(told.values.number) }
            },
        ]
    }

    private static let device = Output<ShownAlert>.object(
        "DeviceOfAlert", "The device that an alert is about.",
        [
            .member("id", .text, "The device's id.", example: "pond-1") { $0.alert.device ?? "" },
            .member("name", .text, "The person's name for it.", example: "Koi") { $0.alert.deviceName ?? "" },
        ])

    private static let outage = Output<SilentSite>.object(
        "Outage", "Devices of one owner that fell silent at once.",
        [
            .member(
                "project", .optional(of: .text), "The name of their project; null: they are a person's.",
                example: "Koi farm"
            ) { $0.name },
            .member(
                "devices", .integer,
                "How many of the devices that the person has there were heard when it began; of an end, how many were told to be silent.",
                example: 12
            ) { $0.of },
            .member("missing", .integer, "Of an end: how many are still silent.", example: 0) { $0.missingCount },
        ])

    private static let canonical = Output<ToldRange>.object(
        "CanonicalValues", "Values in the unit that they are stored in.",
        [.member("unit", .text, "The unit.", example: "pH") { $0.range.parameter.canonicalUnit.rawValue }]
            + numbers { $0 })

    /// In the person's unit, or in the canonical one where differences have no fixed size in it.
    private static let change = Output<(values: ToldChange, change: RateContent.Change)>.object(
        "Course", "How a value changed.",
        [
            .member(
                "unit", .choice(Unit.self),
                "The unit of what follows: the person's, or the canonical one where a difference has no fixed size in the person's.",
                example: "C"
            ) { $0.values.unit },
            .member("decimals", .integer, "The digits behind the decimal mark of by and limit.", example: 1) {
                $0.values.decimals
            },
            .member("by", .decimal, "By how much: above zero it rose.", example: 3.2) {
                $0.values.number($0.change.by)
            },
            .member("seconds", .integer, "In what time: an hour and a little at most.", example: 2400) {
                Int($0.change.within.components.seconds)
            },
            .member("value", .decimal, "The value that it had reached.", example: 27.4) {
                $0.values.shown($0.change.value)
            },
            .member("limit", .decimal, "The greatest change in an hour that the person had set.", example: 3) {
                $0.values.number($0.change.limit)
            },
        ])

    private static let flat = Output<(values: ToldValues, flatAt: Float)>.object(
        "Flat", "A value that has stayed the same for too long.",
        [
            .member("unit", .choice(Unit.self), "The person's unit.", example: "C") { $0.values.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 1) { $0.values.decimals },
            .member("value", .decimal, "The value.", example: 24.3) { $0.values.number($0.flatAt) },
        ])

    private static let differs = Output<(values: ToldChange, by: Float)>.object(
        "ApartBy", "A difference between two probes.",
        [
            .member(
                "unit", .choice(Unit.self),
                "The person's unit, or the canonical one where a difference has no fixed size in it.", example: "C"
            ) { $0.values.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 1) { $0.values.decimals },
            .member("by", .decimal, "How much higher it reads; below zero: lower.", example: 0.6) {
                $0.values.number($0.by)
            },
        ])

    private static let byHand = Output<(values: ToldValues, found: ByHandContent.Found)>.object(
        "FoundByHand", "A value beyond a limit that somebody measured by hand.",
        [
            .member("side", .choice(Side.self), "On which side of the limits it is.") { $0.found.side },
            .member("unit", .choice(Unit.self), "The person's unit, of the values.", example: "ppm") { $0.values.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 2) { $0.values.decimals },
            .member("value", .decimal, "The value; of a step of a kit, the card's.", example: 0.5) {
                $0.values.number($0.found.value)
            },
            .member("limit", .decimal, "The limit.", example: 0.25) { $0.values.number($0.found.limit) },
        ])

    private static let outlook = Output<(values: ToldValues, outlook: AheadContent.Outlook)>.object(
        "Outlook", "The limit that a value reaches if it goes on as it has lately.",
        [
            .member("side", .choice(Side.self), "low: it falls to its minimum; high: it rises to its maximum.") {
                $0.outlook.side
            },
            .member("unit", .choice(Unit.self), "The person's unit, of the values.", example: "ppm") { $0.values.unit },
            .member("decimals", .integer, "The digits behind the decimal mark.", example: 1) { $0.values.decimals },
            .member("value", .decimal, "The newest reading.", example: 6.8) { $0.values.number($0.outlook.value) },
            .member("limit", .decimal, "The limit.", example: 6) { $0.values.number($0.outlook.limit) },
            .member("expectedAt", .timestamp, "When the limit is reached.") { $0.outlook.expectedAt },
        ])

    static let output = Output<ShownAlert>.object(
        "Alert", "A message about the person's water.", members { $0 })
}
