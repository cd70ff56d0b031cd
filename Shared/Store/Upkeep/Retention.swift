import Instants
package import Postgres
import WaterQuality

/// Stores the retention, which the database's owner sets and no service can shorten.
package struct SetRetention: Statement {
    package static let sql = """
        WITH wanted AS (
            SELECT kind, justify_hours(us * interval '1 us') AS keep FROM unnest($1::text[], $2::bigint[]) AS w (kind, us)
        ), latest AS (
            SELECT r.kind, coalesce(w.keep, r.keep) AS keep FROM retention r LEFT JOIN wanted w USING (kind)
        )
        UPDATE retention r
        -- roll-ups outlive the samples that they are made of
        SET keep = CASE r.kind WHEN 'hours' THEN (SELECT max(keep) FROM latest WHERE kind IN ('samples', 'hours')) ELSE l.keep END
        FROM latest l WHERE l.kind = r.kind
        """

    package enum Kind: String, Sendable {
        case samples, hours, alerts, audit
    }

    let keep: [(kind: Kind, duration: Duration)]

    /// - Parameter keep: The retention of each kind. Kinds not named stay as they are.
    package init(_ keep: [Kind: Duration]) {
        self.keep = keep.map { ($0.key, $0.value) }
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(keep.map(\.kind))
        parameters.append(keep.map(\.duration.wholeMicroseconds))
    }
}

/// The retention of samples that the database's owner has set.
package struct FindSampleRetention: Statement {
    package static let sql = """
        SELECT (extract(epoch FROM keep) * 1000000)::bigint FROM retention WHERE kind = 'samples'
        """
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Duration { .microseconds(try row.read() as Int64) }
}
