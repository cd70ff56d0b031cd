package import Instants
package import Postgres
package import WaterQuality

/// An hour of a device, or of a whole slot, that has to be rolled up again.
package struct DueHour: Hashable, Sendable {
    package var slot: Slot
    /// The device; `nil` for the whole slot.
    package var device: Device.ID?
    package var start: Timestamp

    package init(slot: Slot, device: Device.ID?, start: Timestamp) {
        self.slot = slot
        self.device = device
        self.start = start
    }

    /// The most devices of a slot that are marked one by one. Beyond that, for example after an outage of hours,
    /// marking the whole slot is cheaper, and rolling it up not much dearer.
    static let mostDevices = 8

    /// The hours that a transaction which began at a time has to mark. Samples in time need no mark.
    package static func among(_ samples: [Sample], began: Timestamp) -> [DueHour] {
        let closed = RollUpSchedule.closedUntil(at: began)
        var devices: [DueHour: Set<Device.ID>] = [:]
        for sample in samples where sample.eventTime < closed && sample.hasReadings {
            let start = sample.eventTime.roundedDown(to: RollUpSchedule.hour)
            devices[DueHour(slot: sample.slot, device: nil, start: start), default: []].insert(sample.device)
        }
        return devices.flatMap { whole, late in
            late.count > mostDevices
                ? [whole] : late.map { DueHour(slot: whole.slot, device: $0, start: whole.start) }
        }
    }
}

/// Marks hours as due again, in the transaction that stores their late samples.
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
