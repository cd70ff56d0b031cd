package import Instants
package import Postgres
package import WaterQuality

// The keys of rows. Each defines how it is read, and how a list of keys is bound: one array for each column.

/// A device, identified by the key of its rows.
package struct DeviceKey: Hashable, Sendable, CustomStringConvertible {
    package var slot: Slot
    package var device: Device.ID

    package init(slot: Slot, device: Device.ID) {
        self.slot = slot
        self.device = device
    }

    package init(_ row: inout RowReader) throws {
        try self.init(slot: row.read(), device: row.read())
    }

    /// The form in logs. The number alone would name another device in another database.
    package var description: String { "\(slot.rawValue)/\(device.rawValue)" }
}

extension Parameters {
    /// Two arrays: the slots and the devices.
    package mutating func append(_ keys: [DeviceKey]) {
        append(keys.map(\.slot))
        append(keys.map(\.device))
    }

    /// Four parameters: slot, device, and the period's two ends.
    package mutating func append(_ device: DeviceKey, in period: Range<Timestamp>) {
        append(device.slot)
        append(device.device)
        append(period.lowerBound)
        append(period.upperBound)
    }
}

/// The key of a watch: the account, device and parameter of an episode, a throttle or an alert.
package struct WatchKey: Hashable, Sendable {
    package var device: DeviceKey
    package var parameter: Parameter
    package var account: Account.ID

    package init(device: DeviceKey, parameter: Parameter, account: Account.ID) {
        self.device = device
        self.parameter = parameter
        self.account = account
    }

    package init(_ row: inout RowReader) throws {
        try self.init(device: DeviceKey(&row), parameter: row.read(), account: row.read())
    }
}

extension WatchKey: Comparable {
    /// The order in which rows with this key are locked.
    package static func < (left: WatchKey, right: WatchKey) -> Bool {
        (left.device.slot, left.device.device, left.parameter.rawValue, left.account)
            < (right.device.slot, right.device.device, right.parameter.rawValue, right.account)
    }
}

extension Parameters {
    /// Four arrays: slots, devices, parameters, accounts.
    package mutating func append(keys: [WatchKey]) {
        append(keys.map(\.device))
        append(keys.map(\.parameter))
        append(keys.map(\.account))
    }
}

/// An episode, identified by the key of its row.
package struct EpisodeKey: Hashable, Sendable {
    package var slot: Slot
    package var episode: Episode.ID

    package init(slot: Slot, episode: Episode.ID) {
        self.slot = slot
        self.episode = episode
    }
}

extension Parameters {
    /// Two arrays: slots and episodes.
    package mutating func append(_ keys: [EpisodeKey]) {
        append(keys.map(\.slot))
        append(keys.map(\.episode))
    }
}

/// An alert, identified by the key of its row.
package struct AlertKey: Hashable, Sendable, CustomStringConvertible {
    package var slot: Slot
    package var alert: Alert.ID

    package init(slot: Slot, alert: Alert.ID) {
        self.slot = slot
        self.alert = alert
    }

    package init(_ row: inout RowReader) throws {
        try self.init(slot: row.read(), alert: row.read())
    }

    /// The form in notifications.
    package var description: String { "\(slot.rawValue)/\(alert.rawValue)" }
}

extension Parameters {
    /// Two arrays: slots and alerts.
    package mutating func append(_ alerts: [AlertKey]) {
        append(alerts.map(\.slot))
        append(alerts.map(\.alert))
    }
}

/// A delivery, identified by the key of its row: one alert to one endpoint.
package struct DeliveryKey: Hashable, Sendable {
    package var slot: Slot
    package var alert: Alert.ID
    package var endpoint: Endpoint.ID

    package init(slot: Slot, alert: Alert.ID, endpoint: Endpoint.ID) {
        self.slot = slot
        self.alert = alert
        self.endpoint = endpoint
    }
}

extension Parameters {
    /// Three arrays: slots, alerts, endpoints.
    package mutating func append(_ keys: [DeliveryKey]) {
        append(keys.map(\.slot))
        append(keys.map(\.alert))
        append(keys.map(\.endpoint))
    }
}

extension Sample {
    /// The key under which a reading counts once.
    package struct Key: Hashable, Sendable {
        package var slot: Slot
        package var device: Device.ID
        package var eventTime: Timestamp

        package init(slot: Slot, device: Device.ID, eventTime: Timestamp) {
            self.slot = slot
            self.device = device
            self.eventTime = eventTime
        }

        package init(_ row: inout RowReader) throws {
            try self.init(slot: row.read(), device: row.read(), eventTime: row.read())
        }

        /// The device that sent the reading.
        package var owner: DeviceKey { DeviceKey(slot: slot, device: device) }
    }

    package var key: Key { Key(slot: slot, device: device, eventTime: eventTime) }
}
