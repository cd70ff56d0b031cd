import Routes
import Store
import WaterQuality

/// The subject of an alert, a snooze or an answer, as people see it.
struct ShownSubject: Hashable, Sendable {
    var device: String
    var kind: Word<Alert.Kind>
    var parameter: Word<Parameter>?
    var side: Side?

    init(device: String, kind: Word<Alert.Kind>, parameter: Word<Parameter>?, side: Side?) {
        self.device = device
        self.kind = kind
        self.parameter = parameter
        self.side = side
    }

    init(_ key: SnoozeKey, of hardwareID: String) {
        self.init(device: hardwareID, kind: .known(key.kind), parameter: key.parameter.map(Word.known), side: key.side)
    }

    /// Whether an alert is about it.
    func isOf(_ alert: StoredAlert) -> Bool {
        device == alert.device && kind == alert.kind && parameter == alert.content.subject
            && side == alert.content.range?.side
    }

    /// The members that name it.
    static func members<Whole>(_ subject: @escaping @Sendable (Whole) -> ShownSubject) -> [OutputMember<Whole>] {
        [
            .member("device", .text, "The device's id.", example: "pond-1") { subject($0).device },
            .member("kind", .choice(Word<Alert.Kind>.self), "range, silence, fault, rate or ahead.", example: "range") {
                subject($0).kind
            },
            .member(
                "parameter", .optional(of: .text),
                "The parameter, by its number where only a newer version knows its name; null for the silence of a whole device.",
                example: "dissolved_oxygen"
            ) { subject($0).parameter?.name },
            .member("side", .optional(of: .choice(Side.self)), "null unless of kind range.", example: "low") {
                subject($0).side
            },
        ]
    }
}
