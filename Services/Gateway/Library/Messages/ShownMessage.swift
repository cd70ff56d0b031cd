import Instants
import Routes
import Store
import WaterQuality

/// A message as a person sees it: in their units, by the true time.
struct ShownMessage: Sendable {
    private struct Value: Sendable {
        var parameter: Parameter
        var unit: Unit
        var value: Double
    }

    private let message: StoredMessage
    private let values: [Value]
    private let isApproved: Bool
    private let time: Timestamp

    /// - Parameter lag: How far the device's clock is behind.
    init(_ message: StoredMessage, units: [FindUnits.Row], approvals: [Approval], lag: Duration) {
        self.message = message
        time = message.time + lag
        isApproved = approvals.holds(at: time)
        values = Parameter.allCases.compactMap { parameter in
            guard let stored = message.readings[parameter] else { return nil }
            let scale = parameter.scale(chosen: units.first { $0.parameter == parameter }?.unit)
            // No value where the unit's formula does not hold.
            return scale.fromCanonical(Double(stored)).map {
                Value(parameter: parameter, unit: scale.unit, value: $0.shown)
            }
        }
    }

    private var delay: Duration { message.receivedAt - time }

    private static let value = Output<Value>.object(
        "MessageValue", "A value of a message.",
        [
            .member("parameter", .text, "The parameter.", example: "temperature") { $0.parameter.name },
            .member("value", .decimal, "The value.", example: 24.5) { $0.value },
            .member("unit", .text, "The person's unit.", example: "C") { $0.unit.rawValue },
        ])

    static let output = Output<ShownMessage>.object(
        "Message", "What a device measured at one time.",
        [
            .member("time", .timestamp, "When it was measured, corrected by the lag of the device's clock.") {
                $0.time
            },
            .member("receivedAt", .timestamp, "When it came, or its first part did.") { $0.message.receivedAt },
            .member(
                "delay", .integer, "The seconds from one to the other; below zero where the clock is ahead.", example: 2
            ) {
                Int($0.delay.components.seconds)
            },
            .member("late", .boolean, "Whether it came so late that nobody was told of what it says.", example: false) {
                $0.delay > StoredMessage.late
            },
            .member("receiptTime", .boolean, "Whether the time is that of receipt.", example: false) {
                $0.message.flags.contains(.timedByReceipt)
            },
            .member("history", .boolean, "Whether it was stored, and never decided upon.", example: false) {
                $0.message.flags.contains(.notEvaluated)
            },
            .member(
                "doubtedTime", .boolean, "Whether the device sent a time that was not believed.", example: false
            ) { $0.message.flags.contains(.implausibleTime) },
            .member("inParts", .boolean, "Whether later messages of the same time completed it.", example: false) {
                $0.message.isInParts
            },
            .member("approved", .boolean, "Whether its hour is approved; else it is provisional.", example: false) {
                $0.isApproved
            },
            .member("deleted", .list(of: .text), "The parameters whose values were deleted.", example: []) {
                $0.message.deleted.parameters.map(\.name)
            },
            .member("values", .list(of: value), "Its values.") { $0.values },
        ])
}
