package import Postgres
package import WaterQuality

/// The newest event time of devices that was evaluated.
///
/// Nobody writes down what was evaluated: it is what the Ingestors stored and no batch waits for. Batches carry the time
/// of receipt of their samples, so that everything received before the oldest waiting one of its slot was evaluated.
package struct FindNewestEvaluated: Statement {
    package static let sql = """
        SELECT wanted.slot, wanted.device_id, newest.event_time
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[]) AS wanted (slot, device_id, before)
        CROSS JOIN LATERAL (
            SELECT s.event_time FROM sample s
            WHERE s.slot = wanted.slot AND s.device_id = wanted.device_id AND s.received_at < wanted.before
                AND s.flags & 2 = 0
            ORDER BY s.event_time DESC
            LIMIT 1
        ) AS newest
        """

    package struct Row: Sendable {
        package var key: DeviceKey
        package var newest: Timestamp
    }

    let devices: [(key: DeviceKey, before: Timestamp)]

    /// - Parameter devices: With the time of receipt from which on samples wait.
    package init(_ devices: [(key: DeviceKey, before: Timestamp)]) { self.devices = devices }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.key))
        parameters.append(timestamps: devices.map(\.before.microseconds))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: DeviceKey(&row), newest: Timestamp(microseconds: row.readTimestamp()))
    }
}

/// Up to which event times the parameters of devices were evaluated, looking back to a given time: what a late reading
/// has to be newer than.
package struct FindWatermarks: Statement {
    package static let sql = """
        SELECT wanted.slot, wanted.device_id,
            max(event_time) FILTER (WHERE temperature IS NOT NULL), max(event_time) FILTER (WHERE ph IS NOT NULL),
            max(event_time) FILTER (WHERE ammonia IS NOT NULL), max(event_time) FILTER (WHERE nitrate IS NOT NULL),
            max(event_time) FILTER (WHERE nitrite IS NOT NULL), max(event_time) FILTER (WHERE alkalinity IS NOT NULL),
            max(event_time) FILTER (WHERE hardness IS NOT NULL),
            max(event_time) FILTER (WHERE dissolved_oxygen IS NOT NULL),
            max(event_time) FILTER (WHERE salinity IS NOT NULL)
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::timestamptz[])
            AS wanted (slot, device_id, before, since)
        JOIN sample s ON s.slot = wanted.slot AND s.device_id = wanted.device_id AND s.event_time >= wanted.since
            AND s.received_at < wanted.before AND s.flags & 2 = 0
        GROUP BY wanted.slot, wanted.device_id
        """

    package struct Row: Sendable {
        package var key: DeviceKey
        package var times: InlineArray<9, Timestamp?>
    }

    let devices: [(key: DeviceKey, before: Timestamp, since: Timestamp)]

    /// - Parameter devices: With the time of receipt from which on samples wait, and the event time of the late reading.
    package init(_ devices: [(key: DeviceKey, before: Timestamp, since: Timestamp)]) { self.devices = devices }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.key))
        parameters.append(timestamps: devices.map(\.before.microseconds))
        parameters.append(timestamps: devices.map(\.since.microseconds))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let key = try DeviceKey(&row)
        var times = InlineArray<9, Timestamp?>(repeating: nil)
        for index in times.indices {
            times[index] = try row.readOptionalTimestamp().map(Timestamp.init(microseconds:))
        }
        return Row(key: key, times: times)
    }
}

/// The time of receipt of the oldest batch that waits in each of some slots.
package struct FindOldestBatches: Statement {
    package static let sql = """
        SELECT slot, min(received_at) FROM evaluation_batch WHERE slot = ANY ($1::smallint[]) GROUP BY slot
        """
    let slots: [Slot]
    package init(_ slots: [Slot]) { self.slots = slots }
    package func bind(_ parameters: inout Parameters) { parameters.append(slots.map(\.rawValue)) }

    package static func decode(_ row: inout RowReader) throws -> (slot: Slot, receivedAt: Timestamp) {
        try (Slot(stored: row.read()), Timestamp(microseconds: row.readTimestamp()))
    }
}
