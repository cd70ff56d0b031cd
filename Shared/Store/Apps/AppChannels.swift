package import Postgres
package import WaterQuality

/// Announces the channels on which this installation sends to apps, so that Gateways register no others. Channels not among them are
/// deleted.
package struct AnnounceAppChannels: Statement {
    package static let sql = """
        WITH given AS (
            SELECT * FROM unnest($1::text[], $2::text[]) AS g (channel, app)
        ), gone AS (
            DELETE FROM app_channel c WHERE NOT EXISTS (SELECT FROM given g WHERE g.channel = c.channel)
        )
        INSERT INTO app_channel AS c (channel, app)
        SELECT channel, app FROM given
        ORDER BY channel -- in the order of every notifier
        ON CONFLICT (channel) DO UPDATE SET app = excluded.app, announced_at = now()
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
