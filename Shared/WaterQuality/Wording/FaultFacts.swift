package import Instants

/// What an alert about a probe that says that it is broken, or whose value stays the same, tells of; see `AlertFacts`.
package struct FaultFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    /// The value at which it has stayed, in the parameter's canonical unit; `nil` where it says itself that it is broken.
    package var flatAt: Float?
    /// The unit that the person chose; one that does not fit counts as none.
    package var chosenUnit: Unit?
    /// The first word of it, by the person's wall clock read as if it were UTC; likewise the next two.
    package var openedLocally: Timestamp
    /// When the message came that was decided on: another word of it or, in a recovery, another value.
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    package init(
        deviceName: String, parameter: Parameter, flatAt: Float? = nil, chosenUnit: Unit? = nil,
        openedLocally: Timestamp, eventLocally: Timestamp, decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        self.flatAt = flatAt
        self.chosenUnit = chosenUnit
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    /// The unit and the digits in which the value is told; `nil` where there is none.
    package var told: ToldValues? {
        flatAt.map { ToldValues(parameter, in: chosenUnit, value: $0, limit: nil) }
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let broken = Notice.Broken(
            deviceName: deviceName, parameter: parameter, flatAt: flatAt, unit: chosenUnit,
            since: openedLocally.civilTime(), now: decidedLocally.civilTime())
        return switch purpose {
        case .alarm: .fault(broken)
        case .reminder: .stillBroken(broken)
        case .recovery: .worksAgain(broken, at: eventLocally.civilTime())
        case .ended: .ended(Notice.Parting(deviceName: deviceName, at: decidedLocally.civilTime()))
        case .test: .test
        }
    }
}
