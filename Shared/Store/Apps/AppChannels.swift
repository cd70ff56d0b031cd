package import Postgres
package import WaterQuality

/// Announces the channels on which a Notifier sends to apps, so that Gateways register no others. Channels that no Notifier has announced
/// for five minutes are deleted: Notifiers may send to different apps.
package struct AnnounceAppChannels: Statement {
    package static let sql = """
        WITH given AS (
            SELECT * FROM unnest($1::text[], $2::text[]) AS g (channel, app)
        ), announced AS (
            INSERT INTO app_channel AS c (channel, app)
            SELECT channel, app FROM given
            ORDER BY channel -- in the order of every notifier
            ON CONFLICT (channel) DO UPDATE SET app = excluded.app, announced_at = now()
            RETURNING channel
        )
        DELETE FROM app_channel c USING (
            SELECT o.channel FROM app_channel o
            WHERE o.announced_at < now() - interval '5 minutes' AND NOT EXISTS (SELECT FROM given g WHERE g.channel = o.channel)
                -- after all that is waited for; what another notifier holds, it announces
                AND (SELECT count(*) FROM announced) >= 0
            FOR UPDATE OF o SKIP LOCKED) AS old
        WHERE c.channel = old.channel
        """

    let apps: [(channel: Endpoint.Channel, app: String)]

    /// - Parameter apps: The name of the app at each push service; empty if nothing is sent to apps.
    package init(_ apps: [Endpoint.Channel: String]) {
        self.apps = apps.map { (channel: $0.key, app: $0.value) }
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(apps.map { $0.channel.rawValue })
        parameters.append(apps.map { $0.app })
    }
}

/// The announced channels.
package struct ReadAppChannels: Statement {
    package static let sql = """
        SELECT channel, app, extract(epoch FROM now() - announced_at)::double precision FROM app_channel ORDER BY channel
        """

    package struct Row: Sendable {
        package var channel: Word<Endpoint.Channel>
        /// The name of the app at its push service.
        package var app: String
        /// The seconds since a Notifier last announced it.
        package var age: Double
    }

    package init() {}

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(channel: row.read(), app: row.read(), age: row.read())
    }
}

/// The number of apps in use, by channel.
package struct CountApps: Statement {
    package static let sql = """
        SELECT channel, count(*) FROM usable_endpoint WHERE channel IN ('apns', 'fcm') GROUP BY channel ORDER BY channel
        """

    package struct Row: Sendable {
        package var channel: Word<Endpoint.Channel>
        package var count: Int64
    }

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Row { try Row(channel: row.read(), count: row.read()) }
}
