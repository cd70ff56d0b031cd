package import Instants
package import Postgres
package import WaterQuality

/// An hour of a device, or of a whole slot, that has to be rolled up again.
package struct DueHour: Hashable, Sendable {
    package var slot: Slot
    /// nil: all of the slot.
    package var device: Device.ID?
    package var start: Timestamp

    package init(slot: Slot, device: Device.ID?, start: Timestamp) {
        self.slot = slot
        self.device = device
        self.start = start
    }

    /// How many devices of a slot are named one by one. Beyond it, as after an outage of hours, the whole slot costs less to
    /// mark and not much more to roll up.
    static let mostDevices = 8

    /// What a transaction that began at a time has to mark; nothing for samples that are in time.
    package static func among(_ samples: [Sample], began: Timestamp) -> [DueHour] {
        let closed = RollUpSchedule.closedUntil(at: began)
        var devices: [DueHour: Set<Device.ID>] = [:]
        for sample in samples where sample.eventTime < closed {
            let start = sample.eventTime.roundedDown(to: RollUpSchedule.hour)
            devices[DueHour(slot: sample.slot, device: nil, start: start), default: []].insert(sample.device)
        }
        return devices.flatMap { whole, late in
            late.count > mostDevices
                ? [whole] : late.map { DueHour(slot: whole.slot, device: $0, start: whole.start) }
        }
    }
}

/// Adds hours to those that are due again, in the transaction that stores what came late.
package struct MarkHoursDue: Statement {
    package static let sql = """
        INSERT INTO rollup_due (slot, device_id, hour)
        SELECT * FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[])
        """

    let hours: [DueHour]
    package init(_ hours: [DueHour]) { self.hours = hours }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hours.map(\.slot))
        parameters.append(hours.map(\.device))
        parameters.append(hours.map(\.start))
    }
}
