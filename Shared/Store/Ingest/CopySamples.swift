import Instants
package import Postgres
import WaterQuality

/// Adds a batch of samples the fastest way: all of them or, when one is stored already, none, with `uniqueViolation`.
package enum CopySamples: CopyStatement {
    package static let sql = """
        COPY sample (
            slot, flags, device_id, event_time, received_at,
            temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen, salinity
        ) FROM STDIN (FORMAT binary)
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

/// Adds the samples, and parameters of samples, that are not stored yet, and returns which. For batches that may
/// contain duplicates.
package struct InsertNewSamples: Statement {
    package static let sql = """
        INSERT INTO sample AS s (
            slot, flags, device_id, event_time, received_at,
            temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen, salinity
        )
        SELECT * FROM unnest(
            $1::smallint[], $2::smallint[], $3::integer[], $4::timestamptz[], $5::timestamptz[],
            $6::real[], $7::real[], $8::real[], $9::real[], $10::real[], $11::real[], $12::real[], $13::real[],
            $14::real[]
        )
        -- one device time may come with one parameter now and with another later
        ON CONFLICT (slot, device_id, event_time) DO UPDATE SET
            -- the receipt of a part tells whether it was evaluated: the first part came at received_at, the others no
            -- later than this
            filled = (s.filled & 511)
                | (CASE WHEN s.temperature IS NULL AND excluded.temperature IS NOT NULL THEN 1 ELSE 0 END)
                | (CASE WHEN s.ph IS NULL AND excluded.ph IS NOT NULL THEN 2 ELSE 0 END)
                | (CASE WHEN s.ammonia IS NULL AND excluded.ammonia IS NOT NULL THEN 4 ELSE 0 END)
                | (CASE WHEN s.nitrate IS NULL AND excluded.nitrate IS NOT NULL THEN 8 ELSE 0 END)
                | (CASE WHEN s.nitrite IS NULL AND excluded.nitrite IS NOT NULL THEN 16 ELSE 0 END)
                | (CASE WHEN s.alkalinity IS NULL AND excluded.alkalinity IS NOT NULL THEN 32 ELSE 0 END)
                | (CASE WHEN s.hardness IS NULL AND excluded.hardness IS NOT NULL THEN 64 ELSE 0 END)
                | (CASE WHEN s.dissolved_oxygen IS NULL AND excluded.dissolved_oxygen IS NOT NULL THEN 128 ELSE 0 END)
                | (CASE WHEN s.salinity IS NULL AND excluded.salinity IS NOT NULL THEN 256 ELSE 0 END)
                | (greatest(0, least(4194303,
                    ceil(extract(epoch FROM excluded.received_at - s.received_at))))::integer << 9),
            temperature = coalesce(s.temperature, excluded.temperature),
            ph = coalesce(s.ph, excluded.ph),
            ammonia = coalesce(s.ammonia, excluded.ammonia),
            nitrate = coalesce(s.nitrate, excluded.nitrate),
            nitrite = coalesce(s.nitrite, excluded.nitrite),
            alkalinity = coalesce(s.alkalinity, excluded.alkalinity),
            hardness = coalesce(s.hardness, excluded.hardness),
            dissolved_oxygen = coalesce(s.dissolved_oxygen, excluded.dissolved_oxygen),
            salinity = coalesce(s.salinity, excluded.salinity)
        WHERE s.flags & 1 = 0 AND excluded.flags & 1 = 0 AND (
                s.temperature IS NULL AND excluded.temperature IS NOT NULL OR s.ph IS NULL AND excluded.ph IS NOT
                NULL OR s.ammonia IS NULL AND excluded.ammonia IS NOT NULL OR s.nitrate IS NULL AND excluded.nitrate
                IS NOT NULL OR s.nitrite IS NULL AND excluded.nitrite IS NOT NULL OR s.alkalinity IS NULL AND
                excluded.alkalinity IS NOT NULL OR s.hardness IS NULL AND excluded.hardness IS NOT NULL OR
                s.dissolved_oxygen IS NULL AND excluded.dissolved_oxygen IS NOT NULL OR s.salinity IS NULL AND
                excluded.salinity IS NOT NULL)
        RETURNING slot, device_id, event_time
        """

    let samples: [Sample]

    package init(_ samples: [Sample]) {
        self.samples = samples
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(samples) }
    package static func decode(_ row: inout RowReader) throws -> Sample.Key { try Sample.Key(&row) }
}

/// Finds the given samples that are stored exactly as they are: by the same Ingestor, in a commit whose outcome it did
/// not learn.
package struct FindStoredSamples: Statement {
    package static let sql = """
        SELECT s.slot, s.device_id, s.event_time
        FROM unnest(
            $1::smallint[], $2::smallint[], $3::integer[], $4::timestamptz[], $5::timestamptz[],
            $6::real[], $7::real[], $8::real[], $9::real[], $10::real[], $11::real[], $12::real[], $13::real[],
            $14::real[]
        ) AS n (
            slot, flags, device_id, event_time, received_at,
            temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen, salinity)
        JOIN sample s ON s.slot = n.slot AND s.device_id = n.device_id AND s.event_time = n.event_time
        WHERE s.flags = n.flags AND s.received_at = n.received_at
            AND (s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness, s.dissolved_oxygen,
                s.salinity)
            IS NOT DISTINCT FROM (n.temperature, n.ph, n.ammonia, n.nitrate, n.nitrite, n.alkalinity, n.hardness,
                n.dissolved_oxygen, n.salinity)
        """

    let samples: [Sample]

    package init(_ samples: [Sample]) {
        self.samples = samples
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(samples) }
    package static func decode(_ row: inout RowReader) throws -> Sample.Key { try Sample.Key(&row) }
}

extension Parameters {
    /// An array for each column, in the order of `CopySamples`.
    fileprivate mutating func append(_ samples: [Sample]) {
        append(samples.map(\.slot))
        append(samples.map(\.flags))
        append(samples.map(\.device))
        append(samples.map(\.eventTime))
        append(samples.map(\.receivedAt))
        for parameter in Parameter.allCases { append(samples.map { $0.readings[parameter] }) }
    }
}
