package import Instants

/// What an alert about a probe that says that it is broken tells of; see `AlertFacts`.
package struct FaultFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    /// The first word of it, by the person's wall clock read as if it were UTC; likewise the next two.
    package var openedLocally: Timestamp
    /// When the message came that was decided on: another word of it or, in a recovery, a value.
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    package init(
        deviceName: String, parameter: Parameter, openedLocally: Timestamp, eventLocally: Timestamp,
        decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let broken = Notice.Broken(
            deviceName: deviceName, parameter: parameter, since: openedLocally.civilTime(),
            now: decidedLocally.civilTime())
        return switch purpose {
        case .alarm: .fault(broken)
        case .reminder: .stillBroken(broken)
        case .recovery: .worksAgain(broken, at: eventLocally.civilTime())
        case .test: .test
        }
    }
}
