import Instants
import Postgres
import Store
import WaterQuality

/// Stores the statuses that devices reported. An older status never replaces a newer one, unless that one is from a
/// clock that was ahead.
struct RecordStatuses: Statement {
    static let sql = """
        INSERT INTO device_status (slot, device_id, online, changed_at)
        SELECT * FROM unnest($1::smallint[], $2::integer[], $3::boolean[], $4::timestamptz[])
        ON CONFLICT (slot, device_id) DO UPDATE SET online = excluded.online, changed_at = excluded.changed_at
        WHERE device_status.changed_at <= excluded.changed_at OR device_status.changed_at > now() + interval '5 minutes'
        """

    /// One status of one device.
    struct Status: Sendable {
        var slot: Slot
        var device: Device.ID
        var online: Bool
        var at: Timestamp
    }

    let statuses: [Status]

    /// - Parameter statuses: At most one for each device.
    init(_ statuses: [Status]) {
        self.statuses = statuses
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(statuses.map(\.slot))
        parameters.append(statuses.map(\.device))
        parameters.append(statuses.map(\.online))
        parameters.append(statuses.map(\.at))
    }
}
