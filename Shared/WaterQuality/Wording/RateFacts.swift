package import Instants

/// The facts of an alert about a fast change; see `AlertFacts`.
package struct RateFacts: Hashable, Sendable {
    /// The person's name for the device.
    package var deviceName: String
    package var parameter: Parameter
    /// The change; `nil` in a recovery.
    package var change: Change?
    /// The person's chosen unit; one that does not fit is ignored.
    package var chosenUnit: Unit?
    /// The time of the reading from which the change was first measured, by the person's wall clock expressed as if it
    /// were UTC; so are the next two.
    package var openedLocally: Timestamp
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp

    /// The extent of a change. Values are canonical.
    package struct Change: Hashable, Sendable {
        /// The difference; positive if the value rose.
        package var by: Float
        package var within: Duration
        /// The value that it has reached.
        package var value: Float
        /// The largest change in an hour that the person accepts.
        package var limit: Float

        package init(by: Float, within: Duration, value: Float, limit: Float) {
            self.by = by
            self.within = within
            self.value = value
            self.limit = limit
        }

        /// - Returns: `nil` if one of them is unknown.
        package init?(by: Float?, seconds: Int32?, value: Float?, limit: Float?) {
            guard let by, let seconds, let value, let limit else { return nil }
            self.init(by: by, within: .seconds(Int64(seconds)), value: value, limit: limit)
        }
    }

    package init(
        deviceName: String, parameter: Parameter, change: Change?, chosenUnit: Unit?, openedLocally: Timestamp,
        eventLocally: Timestamp, decidedLocally: Timestamp
    ) {
        self.deviceName = deviceName
        self.parameter = parameter
        self.change = change
        self.chosenUnit = chosenUnit
        self.openedLocally = openedLocally
        self.eventLocally = eventLocally
        self.decidedLocally = decidedLocally
    }

    /// The unit and the digits in which the change is shown; `nil` in a recovery.
    package var told: ToldChange? {
        change.map { ToldChange(parameter, in: chosenUnit, change: $0.by, limit: $0.limit, value: $0.value) }
    }

    package func notice(_ purpose: Alert.Purpose) -> Notice {
        let course = Notice.Course(
            deviceName: deviceName, parameter: parameter, change: change, unit: chosenUnit,
            since: openedLocally.civilTime(), now: decidedLocally.civilTime())
        return switch purpose {
        case .alarm: .changing(course)
        case .reminder: .stillChanging(course)
        case .recovery: .steady(course, at: eventLocally.civilTime())
        case .ended: .ended(Notice.Parting(deviceName: deviceName, at: decidedLocally.civilTime()))
        case .test: .test
        }
    }
}
