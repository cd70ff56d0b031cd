package import Instants
package import Postgres
package import WaterQuality

/// Stores the statuses that devices reported. An older status never replaces a newer one, unless that one is from a
/// clock that was ahead.
package struct RecordStatuses: Statement {
    package static let sql = """
        INSERT INTO device_status (slot, device_id, online, changed_at)
        SELECT * FROM unnest($1::smallint[], $2::integer[], $3::boolean[], $4::timestamptz[])
        ON CONFLICT (slot, device_id) DO UPDATE SET online = excluded.online, changed_at = excluded.changed_at
        WHERE device_status.changed_at <= excluded.changed_at OR device_status.changed_at > now() + interval '5 minutes'
        """

    /// One status of one device.
    package struct Status: Sendable {
        package var slot: Slot
        package var device: Device.ID
        package var online: Bool
        package var at: Timestamp

        package init(slot: Slot, device: Device.ID, online: Bool, at: Timestamp) {
            self.slot = slot
            self.device = device
            self.online = online
            self.at = at
        }
    }

    let statuses: [Status]

    /// - Parameter statuses: At most one for each device.
    package init(_ statuses: [Status]) {
        self.statuses = statuses
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(statuses.map(\.slot))
        parameters.append(statuses.map(\.device))
        parameters.append(statuses.map(\.online))
        parameters.append(statuses.map(\.at))
    }
}
