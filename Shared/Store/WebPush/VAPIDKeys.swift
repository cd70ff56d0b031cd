package import Postgres

/// Announces the keys with which this installation sends to browsers, so that Gateways can give browsers the newest
/// one. Keys that no Notifier has announced for five minutes are deleted: two versions, or two files, are beside each other for a while.
package struct AnnounceVAPIDKeys: Statement {
    package static let sql = """
        WITH given AS (
            SELECT * FROM unnest($1::text[], $2::bytea[], $3::smallint[]) AS g (key_id, public_key, position)
        ), announced AS (
            INSERT INTO vapid_key AS v (key_id, public_key, position)
            SELECT key_id, public_key, position FROM given
            ORDER BY key_id -- in the order of every notifier
            ON CONFLICT (key_id) DO UPDATE SET position = excluded.position, announced_at = now()
            RETURNING key_id
        )
        DELETE FROM vapid_key v USING (
            SELECT o.key_id FROM vapid_key o
            WHERE o.announced_at < now() - interval '5 minutes' AND NOT EXISTS (SELECT FROM given g WHERE g.key_id = o.key_id)
                -- after all that is waited for; what another notifier holds, it announces
                AND (SELECT count(*) FROM announced) >= 0
            FOR UPDATE OF o SKIP LOCKED) AS old
        WHERE v.key_id = old.key_id
        """

    package struct Key: Sendable {
        package var id: String
        package var publicKey: [UInt8]

        package init(id: String, publicKey: [UInt8]) {
            self.id = id
            self.publicKey = publicKey
        }
    }

    let keys: [Key]

    /// - Parameter keys: The keys, newest first; empty if nothing is sent to browsers.
    package init(_ keys: [Key]) { self.keys = keys }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(keys.map(\.id))
        parameters.append(keys.map(\.publicKey))
        parameters.append(keys.indices.map { Int16(clamping: $0) })
    }
}

/// The announced keys, newest first.
package struct ReadVAPIDKeys: Statement {
    package static let sql = """
        SELECT v.key_id, v.public_key, extract(epoch FROM now() - v.announced_at)::double precision
        FROM vapid_key v ORDER BY v.position, v.key_id
        """

    package struct Row: Sendable {
        package var id: String
        package var publicKey: [UInt8]
        /// The seconds since a Notifier last announced the key.
        package var age: Double
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(id: row.read(), publicKey: row.read(), age: row.read())
    }
}

/// The number of browsers in use, and of those that subscribed with a key no Notifier has announced.
package struct CountBrowsers: Statement {
    package static let sql = """
        SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT FROM vapid_key v WHERE v.key_id = e.vapid_key_id))
        FROM usable_endpoint u JOIN endpoint e ON e.endpoint_id = u.endpoint_id WHERE e.channel = 'webPush'
        """

    package struct Row: Sendable {
        package var all: Int64
        package var orphaned: Int64
    }

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Row { try Row(all: row.read(), orphaned: row.read()) }
}
