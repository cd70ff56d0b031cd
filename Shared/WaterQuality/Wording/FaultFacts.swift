package import Instants

/// The facts of an alert about a broken probe, or a flat line; see `AlertFacts`.
package struct FaultFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    /// The value of a flat line, in the parameter's canonical unit; `nil` if the probe itself reports that it is
    /// broken.
    package var flatAt: Float?
    /// The person's chosen unit; one that does not fit is ignored.
    package var chosenUnit: Unit?
    /// The time of the first report, by the person's wall clock expressed as if it were UTC; so are the next two.
    package var openedLocally: Timestamp
    /// The time of the message that was decided on: another report or, in a recovery, another value.
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

    /// The unit and the digits in which the value is shown; `nil` if there is none.
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
