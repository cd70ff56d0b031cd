package import Instants

/// The facts of an alert that a limit will be reached; see `AlertFacts`.
package struct AheadFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    /// The outlook; `nil` in a recovery.
    package var outlook: Outlook?
    /// The person's chosen unit; one that does not fit is ignored.
    package var chosenUnit: Unit?
    /// The time of the finding, by the person's wall clock expressed as if it were UTC; so are the next two.
    package var openedLocally: Timestamp
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    /// The limit that will be reached, and when. Values are canonical.
    package struct Outlook: Hashable, Sendable {
        package var side: Side
        /// The newest reading.
        package var value: Float
        package var limit: Float
        /// The expected time by the person's wall clock.
        package var expectedLocally: Timestamp

        package init(side: Side, value: Float, limit: Float, expectedLocally: Timestamp) {
            self.side = side
            self.value = value
            self.limit = limit
            self.expectedLocally = expectedLocally
        }

        /// - Returns: `nil` if one of them is unknown.
        package init?(side: Side?, value: Float?, limit: Float?, expectedLocally: Timestamp?) {
            guard let side, let value, let limit, let expectedLocally else { return nil }
            self.init(side: side, value: value, limit: limit, expectedLocally: expectedLocally)
        }
    }

    package init(
        deviceName: String, parameter: Parameter, outlook: Outlook?, chosenUnit: Unit?, openedLocally: Timestamp,
        eventLocally: Timestamp, decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        self.outlook = outlook
        self.chosenUnit = chosenUnit
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    /// The unit and the digits in which the values are shown; `nil` in a recovery.
    package var told: ToldValues? {
        outlook.map { ToldValues(parameter, in: chosenUnit, value: $0.value, limit: $0.limit) }
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let way = Notice.Way(
            deviceName: deviceName, parameter: parameter, outlook: outlook, unit: chosenUnit,
            since: openedLocally.civilTime(), now: decidedLocally.civilTime())
        return switch purpose {
        case .alarm, .reminder: .heading(way)
        case .recovery: .turned(way, at: eventLocally.civilTime())
        case .ended: .ended(Notice.Parting(deviceName: deviceName, at: decidedLocally.civilTime()))
        case .test: .test
        }
    }
}
