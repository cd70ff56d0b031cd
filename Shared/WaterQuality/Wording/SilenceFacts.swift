package import Instants

/// The facts of an alert about a silence; see `AlertFacts`.
package struct SilenceFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    /// The parameter; `nil` for the whole device.
    package var parameter: Parameter?
    package var cause: SilenceCause
    /// The time of the last reading before it, by the person's wall clock expressed as if it were UTC; so are the next
    /// two.
    package var openedLocally: Timestamp
    /// The time at which it was found silent, or heard again.
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    package init(
        deviceName: String, parameter: Parameter?, checkProbe: Bool, openedLocally: Timestamp,
        eventLocally: Timestamp, decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        cause = SilenceCause(parameter: parameter, checkProbe: checkProbe)
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let quiet = Notice.Quiet(
            deviceName: deviceName, parameter: parameter, since: openedLocally.civilTime(),
            now: decidedLocally.civilTime(), cause: cause)
        return switch purpose {
        case .alarm: .silence(quiet)
        case .reminder: .stillSilent(quiet)
        case .recovery: .heardAgain(quiet, at: eventLocally.civilTime())
        case .ended: .ended(Notice.Parting(deviceName: deviceName, at: decidedLocally.civilTime()))
        case .test: .test
        }
    }
}
