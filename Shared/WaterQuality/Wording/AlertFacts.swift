package import Instants

/// What an alert tells of, as it was decided, and of its person what it takes to put it into words. The push message
/// and the list of alerts are both worded from it, so they cannot disagree.
package struct AlertFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    package var side: Side
    /// In the parameter's canonical unit, like `worst` and `limit`.
    package var value: Float
    /// The worst value of the episode when the alert was decided.
    package var worst: Float?
    /// nil when the limit was taken away since; the value then stands for it.
    package var limit: Float?
    /// The unit that the person chose; one that does not fit counts as none.
    package var chosenUnit: Unit?
    package var checkProbe: Bool
    /// Whether the value is beyond the person's critical limit, which `limit` then is.
    package var isCritical: Bool
    /// Whether it says that the water is unstable.
    package var isUnstable: Bool
    /// When it began, by the person's wall clock read as if it were UTC; likewise the next two.
    package var openedLocally: Timestamp
    /// When the reading in the text was taken.
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

    /// The unit and the digits in which values are told.
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
