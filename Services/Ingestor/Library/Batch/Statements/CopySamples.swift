import Instants
package import Postgres
package import Store
package import WaterQuality

/// Adds a batch of samples the fastest way: all of them or, when one is stored already, none, with `uniqueViolation`.
package enum CopySamples: CopyStatement {
    package static let sql = """
        COPY sample (\(SampleColumns.names)) FROM STDIN (FORMAT binary)
        """

    /// Writes one row in the order of the columns above.
    package static func append(_ sample: Sample, to rows: inout CopyBuffer) {
        rows.startRow(fields: 5 + Parameter.allCases.count)
        rows.append(sample.slot.rawValue)
        rows.append(sample.flags.rawValue)
        rows.append(sample.device.rawValue)
        rows.append(sample.eventTime)
        rows.append(sample.receivedAt)
        for parameter in Parameter.allCases { rows.append(sample.readings[parameter]) }
    }
}

/// Adds samples, and parameters of samples, that are not stored yet, and returns which. For batches that may contain
/// duplicates.
package struct InsertNewSamples: Statement {
    package static let sql = """
        INSERT INTO sample AS s (\(SampleColumns.names))
        SELECT * FROM unnest(\(SampleColumns.arrays))
        -- one device time may come with one parameter now and with another later
        ON CONFLICT (slot, device_id, event_time) DO UPDATE SET
            -- receipts tell whether a part was evaluated: the first part came at received_at, the others no later
            -- than the time kept here
            \(FilledColumns.update),
            -- a value that was deleted stays so, however often a device sends it again
            \(Self.each(", ") { "\($0.name) = CASE WHEN \(SampleColumns.isFree($0, of: "s")) THEN excluded.\($0.name) ELSE s.\($0.name) END" })
        WHERE s.flags & 1 = 0 AND excluded.flags & 1 = 0
            AND (\(Self.each(" OR ") { "\(SampleColumns.isFree($0, of: "s")) AND excluded.\($0.name) IS NOT NULL" }))
        RETURNING slot, device_id, event_time
        """

    private static func each(_ separator: String, _ text: (Parameter) -> String) -> String {
        Parameter.allCases.map(text).joined(separator: separator)
    }

    let samples: [Sample]

    package init(_ samples: [Sample]) {
        self.samples = samples
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(samples) }
    package static func decode(_ row: inout RowReader) throws -> Sample.Key { try Sample.Key(&row) }
}

/// Finds samples that are stored exactly as given: by this Ingestor, in a commit whose outcome it did not learn.
package struct FindStoredSamples: Statement {
    package static let sql = """
        SELECT s.slot, s.device_id, s.event_time
        FROM unnest(\(SampleColumns.arrays)) AS n (\(SampleColumns.names))
        JOIN sample s ON s.slot = n.slot AND s.device_id = n.device_id AND s.event_time = n.event_time
        WHERE s.flags = n.flags AND s.received_at = n.received_at
            AND (\(SampleColumns.each { "s.\($0)" })) IS NOT DISTINCT FROM (\(SampleColumns.each { "n.\($0)" }))
        """

    let samples: [Sample]

    package init(_ samples: [Sample]) {
        self.samples = samples
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(samples) }
    package static func decode(_ row: inout RowReader) throws -> Sample.Key { try Sample.Key(&row) }
}

/// Finds readings already stored at the moments of samples that have a time of their own.
package struct FindFormerParts: Statement {
    package static let sql = """
        SELECT s.slot, s.device_id, s.event_time, \(SampleColumns.each { "s.\($0)" })
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[]) AS n (slot, device_id, event_time)
        JOIN sample s ON s.slot = n.slot AND s.device_id = n.device_id AND s.event_time = n.event_time
        WHERE s.flags & 1 = 0
        """

    let keys: [Sample.Key]

    /// - Parameter samples: Any samples; those timed by receipt are left out.
    package init(_ samples: [Sample]) {
        keys = samples.filter { !$0.flags.contains(.timedByReceipt) }.map(\.key)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(keys.map(\.slot))
        parameters.append(keys.map(\.device))
        parameters.append(keys.map(\.eventTime))
    }

    package static func decode(_ row: inout RowReader) throws -> (key: Sample.Key, readings: Readings) {
        (try Sample.Key(&row), try Readings(&row))
    }
}

extension Parameters {
    /// An array for each column, in the order of `SampleColumns`.
    mutating func append(_ samples: [Sample]) {
        append(samples.map(\.slot))
        append(samples.map(\.flags))
        append(samples.map(\.device))
        append(samples.map(\.eventTime))
        append(samples.map(\.receivedAt))
        for parameter in Parameter.allCases { append(samples.map { $0.readings[parameter] }) }
    }
}
