package import Instants
package import Postgres

/// Writes into the ring of the last 10,000 rejects, overwriting the oldest.
package struct RecordRejects: Statement {
    package static let sql = """
        WITH numbered AS (
            SELECT nextval('reject_number') AS number, received_at, topic, reason, detail, payload
            FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::bytea[])
                AS r (received_at, topic, reason, detail, payload)
        )
        INSERT INTO reject (position, reject_number, received_at, topic, reason, detail, payload)
        SELECT number % 10000, number, received_at, topic, reason, detail, payload FROM numbered
        ON CONFLICT (position) DO UPDATE SET
            reject_number = excluded.reject_number, received_at = excluded.received_at, topic = excluded.topic,
            reason = excluded.reason, detail = excluded.detail, payload = excluded.payload
        """

    /// A message, or a part of one, that could not be stored.
    package struct Reject: Sendable {
        package var receivedAt: Timestamp
        package var topic: String
        /// The reason, from a closed set, because it is also a metric's label.
        package var reason: String
        package var detail: String
        /// The message; its first 512 bytes are kept.
        package var payload: [UInt8]

        package init(receivedAt: Timestamp, topic: String, reason: String, detail: String, payload: [UInt8]) {
            self.receivedAt = receivedAt
            self.topic = topic
            self.reason = reason
            self.detail = detail
            self.payload = payload
        }
    }

    /// The most rejects in one statement. With more, two rows could meet in one position of the ring.
    package static let maximum = 1_000

    let rejects: [Reject]

    /// - Parameter rejects: At most `maximum`.
    package init(_ rejects: [Reject]) {
        precondition(rejects.count <= Self.maximum, "the ring takes at most \(Self.maximum) rejects at once")
        self.rejects = rejects
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(rejects.map(\.receivedAt))
        parameters.append(rejects.map { storable($0.topic) })
        parameters.append(rejects.map(\.reason))
        parameters.append(rejects.map { storable($0.detail) })
        parameters.append(rejects.map { Array($0.payload.prefix(512)) })
    }

    /// Text without NUL, which PostgreSQL's `text` cannot hold.
    private func storable(_ text: String) -> String {
        text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text
    }
}
