import Instants
import Routes
import Store
import WaterQuality

/// A snooze or an acknowledgement as its person sees it.
struct ShownSnooze: Sendable {
    let subject: ShownSubject
    let snooze: Snooze

    init(_ row: ListSnoozes.Row) {
        subject = ShownSubject(device: row.hardwareID, kind: row.kind, parameter: row.parameter, side: row.side)
        snooze = row.snooze
    }

    init(_ subject: SnoozeSubject, _ snooze: Snooze) {
        self.subject = ShownSubject(subject.key, of: subject.hardwareID)
        self.snooze = snooze
    }

    static let output = Output<ShownSnooze>.object(
        "Snooze", "What the person hears nothing more of for a while.",
        ShownSubject.members(\.subject) + [
            .member(
                "until", .timestamp,
                "Until when; of an acknowledgement, which holds while its episode is open, until when at most."
            ) { $0.snooze.until },
            .member("acknowledged", .boolean, "Whether it ends with what goes on.") { $0.snooze.isAcknowledgement },
            .member("setAt", .timestamp, "When it was set.") { $0.snooze.setAt },
        ])
}
