import Instants
import Routes
import Store
import WaterQuality

/// A snooze or an acknowledgement as its person sees it.
struct ShownSnooze: Sendable {
    let device: String
    let kind: Word<Alert.Kind>
    let parameter: Word<Parameter>?
    let side: Side?
    let snooze: Snooze

    init(_ row: ListSnoozes.Row) {
        device = row.hardwareID
        kind = row.kind
        parameter = row.parameter
        side = row.side
        snooze = row.snooze
    }

    init(_ subject: SnoozeSubject, _ snooze: Snooze) {
        device = subject.hardwareID
        kind = .known(subject.key.kind)
        parameter = subject.key.parameter.map(Word.known)
        side = subject.key.side
        self.snooze = snooze
    }

    /// Whether the snooze is of what an alert is about.
    func isOf(_ alert: StoredAlert) -> Bool {
        device == alert.device && kind == alert.kind && parameter == alert.content.subject
            && side == alert.content.range?.side
    }

    static let output = Output<ShownSnooze>.object(
        "Snooze", "What the person hears nothing more of for a while.",
        [
            .member("device", .text, "The device's id.", example: "pond-1") { $0.device },
            .member("kind", .choice(Word<Alert.Kind>.self), "range, silence, fault, rate or ahead.", example: "range") {
                $0.kind
            },
            .member(
                "parameter", .optional(of: .text),
                "The parameter, by its number where only a newer version knows its name; null for the silence of a whole device.",
                example: "dissolved_oxygen"
            ) { $0.parameter?.name },
            .member("side", .optional(of: .choice(Side.self)), "null unless of kind range.", example: "low") {
                $0.side
            },
            .member(
                "until", .timestamp,
                "Until when; of an acknowledgement, which holds while its episode is open, until when at most."
            ) { $0.snooze.until },
            .member("acknowledged", .boolean, "Whether it ends with what goes on.") { $0.snooze.isAcknowledgement },
            .member("setAt", .timestamp, "When it was set.") { $0.snooze.setAt },
        ])
}
