package import Instants
package import Postgres
package import WaterQuality

/// The newest event time of devices that was evaluated, and when it was received.
///
/// No table records what was evaluated. It is everything that the Ingestors stored and no batch waits for. Batches
/// carry the time of receipt of their samples, so every sample received before the slot's oldest waiting batch was
/// evaluated. No event time is more than five minutes, and a little, after its receipt. Later samples, perhaps those of
/// a whole day without an engine, therefore need not be read.
package struct FindNewestEvaluated: Statement {
    package static let sql = """
        SELECT wanted.slot, wanted.device_id, newest.event_time, newest.received_at
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[]) AS wanted (slot, device_id, before)
        CROSS JOIN LATERAL (
            SELECT s.event_time, s.received_at FROM sample s
            WHERE s.slot = wanted.slot AND s.device_id = wanted.device_id AND s.received_at < wanted.before
                AND s.flags & 2 = 0 AND s.event_time <= wanted.before + interval '6 minutes'
            ORDER BY s.event_time DESC
            LIMIT 1
        ) AS newest
        """

    package struct Row: Sendable {
        package var key: DeviceKey
        package var newest: Timestamp
        package var receivedAt: Timestamp
    }

    let devices: [(key: DeviceKey, before: Timestamp)]

    /// - Parameter devices: The devices, each with the receipt time from which on its samples wait.
    package init(_ devices: [(key: DeviceKey, before: Timestamp)]) { self.devices = devices }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.key))
        parameters.append(devices.map(\.before))
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(key: DeviceKey(&row), newest: row.read(), receivedAt: row.read())
    }
}

/// A device whose evaluated values are looked for.
package struct EvaluatedSince: Sendable {
    package var key: DeviceKey
    /// The receipt time from which on its samples wait.
    package var before: Timestamp
    /// The event time to look back to.
    package var since: Timestamp

    package init(key: DeviceKey, before: Timestamp, since: Timestamp) {
        self.key = key
        self.before = before
        self.since = since
    }

    /// The evaluated samples `s` of the `wanted` devices.
    package static let source = """
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::timestamptz[])
            AS wanted (slot, device_id, before, since)
        \(samples)
        """

    /// The same of rows `wanted` with a slot, a `device_id`, `before` and `since`.
    package static let samples = """
        JOIN sample s ON s.slot = wanted.slot AND s.device_id = wanted.device_id AND s.event_time >= wanted.since
            AND s.received_at < wanted.before AND s.flags & 2 = 0
            AND s.event_time <= wanted.before + interval '6 minutes'
        -- parts of a row that came later than its first
        CROSS JOIN LATERAL (
            SELECT s.received_at + coalesce(s.filled >> 9, 0) * interval '1 s' < wanted.before AS is_old
        ) parts
        """

    /// For an aggregate: the samples whose value of a parameter was evaluated.
    package static func filter(_ parameter: Parameter) -> String {
        "FILTER (WHERE \(parameter.name) IS NOT NULL AND \(isEvaluated(parameter)))"
    }

    /// Whether a sample's value of a parameter, if it has one, was evaluated: it is no part that came later.
    package static func isEvaluated(_ parameter: Parameter) -> String {
        "(is_old OR NOT (\(FilledColumns.isFilled(parameter, of: "s"))))"
    }
}

extension Parameters {
    fileprivate mutating func append(_ devices: [EvaluatedSince]) {
        append(devices.map(\.key))
        append(devices.map(\.before))
        append(devices.map(\.since))
    }
}

/// The event times up to which devices' parameters were evaluated, looking back to a given time. A late reading has to
/// be newer than these.
package struct FindWatermarks: Statement {
    package static let sql = """
        SELECT wanted.slot, wanted.device_id,
            \(Self.newest)
        \(EvaluatedSince.source)
        GROUP BY wanted.slot, wanted.device_id
        """

    private static let newest = Parameter.allCases.map { parameter in
        // A deleted value was evaluated all the same: nothing older is news.
        """
        max(event_time) FILTER (WHERE (\(parameter.name) IS NOT NULL OR NOT (\(DeletedColumn.isKept(parameter, of: "s")))) \
        AND \(EvaluatedSince.isEvaluated(parameter)))
        """
    }.joined(separator: ",\n            ")

    package struct Row: Sendable {
        package var key: DeviceKey
        package var times: PerParameter<Timestamp?>
    }

    let devices: [EvaluatedSince]

    /// - Parameter devices: The devices, looking back to the event time of the late reading.
    package init(_ devices: [EvaluatedSince]) { self.devices = devices }

    package func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let key = try DeviceKey(&row)
        var times = PerParameter<Timestamp?>(repeating: nil)
        for index in times.indices {
            times[index] = try row.read()
        }
        return Row(key: key, times: times)
    }
}

/// The last values of devices that were evaluated, with their times, looking back to a given time: a value that has
/// jumped from them may be a spike.
package struct FindLastValues: Statement {
    package static let sql = """
        SELECT wanted.slot, wanted.device_id,
            \(Self.last)
        \(EvaluatedSince.source)
        GROUP BY wanted.slot, wanted.device_id
        """

    private static let last = Parameter.allCases.map { parameter in
        let isEvaluated = EvaluatedSince.filter(parameter)
        return """
            max(event_time) \(isEvaluated), (array_agg(\(parameter.name) ORDER BY event_time DESC) \(isEvaluated))[1]
            """
    }.joined(separator: ",\n            ")

    /// A value, in the parameter's canonical unit, and its event time.
    package struct Last: Hashable, Sendable {
        package var time: Timestamp
        package var value: Float

        package init(time: Timestamp, value: Float) {
            self.time = time
            self.value = value
        }
    }

    package struct Row: Sendable {
        package var key: DeviceKey
        package var last: PerParameter<Last?>
    }

    let devices: [EvaluatedSince]

    /// - Parameter devices: The devices, looking back some minutes: all samples since are read.
    package init(_ devices: [EvaluatedSince]) { self.devices = devices }

    package func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let key = try DeviceKey(&row)
        var last = PerParameter<Last?>(repeating: nil)
        for index in last.indices {
            guard let time = try row.read(Timestamp?.self) else {
                _ = try row.read(Float?.self)
                continue
            }
            last[index] = Last(time: time, value: try row.read())
        }
        return Row(key: key, last: last)
    }
}

/// The time of receipt of the oldest batch that waits in each of some slots.
package struct FindOldestBatches: Statement {
    package static let sql = """
        SELECT wanted.slot, oldest.received_at FROM unnest($1::smallint[]) AS wanted (slot)
        CROSS JOIN LATERAL (
            -- not by batch number: one of two Ingestors may be late by an outage, and clocks are set back
            SELECT received_at FROM evaluation_batch WHERE slot::integer = wanted.slot ORDER BY received_at LIMIT 1
        ) oldest
        """
    let slots: [Slot]
    package init(_ slots: [Slot]) { self.slots = slots }
    package func bind(_ parameters: inout Parameters) { parameters.append(slots) }

    package static func decode(_ row: inout RowReader) throws -> (slot: Slot, receivedAt: Timestamp) {
        try (row.read(), row.read())
    }
}
