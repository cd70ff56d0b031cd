package import Instants

/// The facts of an alert as it was decided, and the person's settings that its wording needs. The push message and the
/// list of alerts are worded from the same facts, so they cannot disagree.
package struct AlertFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    package var side: Side
    /// The value in the parameter's canonical unit, like `worst` and `limit`.
    package var value: Float
    /// The worst value of the episode when the alert was decided.
    package var worst: Float?
    /// The limit; nil if it was removed since, when the value stands for it.
    package var limit: Float?
    /// The person's chosen unit; one that does not fit is ignored.
    package var chosenUnit: Unit?
    package var checkProbe: Bool
    /// Whether the value is beyond the person's critical limit, which is then `limit`.
    package var isCritical: Bool
    /// Whether the alert reports unstable water.
    package var isUnstable: Bool
    /// The beginning, by the person's wall clock expressed as if it were UTC; so are the next two.
    package var openedLocally: Timestamp
    /// The time of the reading in the text.
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    package init(
        deviceName: String, parameter: Parameter, side: Side, value: Float, worst: Float?, limit: Float?,
        chosenUnit: Unit?, checkProbe: Bool, isCritical: Bool = false, isUnstable: Bool = false,
        openedLocally: Timestamp, eventLocally: Timestamp, decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        self.side = side
        self.value = value
        self.worst = worst
        self.limit = limit
        self.chosenUnit = chosenUnit
        self.checkProbe = checkProbe
        self.isCritical = isCritical
        self.isUnstable = isUnstable
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    /// The unit and the digits in which values are shown.
    package var told: ToldValues {
        ToldValues(parameter, in: chosenUnit, value: value, limit: limit, worst: worst)
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let trouble = Notice.Trouble(
            deviceName: deviceName, parameter: parameter, side: side, value: value, limit: limit ?? value,
            unit: told.unit,
            since: openedLocally.civilTime(), now: decidedLocally.civilTime(), checkProbe: checkProbe,
            isCritical: isCritical)
        return switch purpose {
        case .alarm: isUnstable ? .unstable(trouble) : .alarm(trouble)
        case .reminder: .reminder(trouble, worst: worst ?? value)
        case .recovery: .recovery(trouble, at: eventLocally.civilTime())
        case .ended: .ended(Notice.Parting(deviceName: deviceName, at: decidedLocally.civilTime()))
        case .test: .test
        }
    }
}
