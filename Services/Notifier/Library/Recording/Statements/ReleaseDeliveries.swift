import Instants
import Postgres
import Store
import WaterQuality

/// Gives leased deliveries back unsent. They come due at a given time instead of when their lease ends.
struct ReleaseDeliveries: Statement {
    static let sql = """
        WITH released AS (
            UPDATE delivery d SET next_attempt_at = now() + r.after_us * interval '1 us', holder = NULL
            FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::integer[], $6::bigint[])
                AS r (slot, alert_id, endpoint_id, attempt, lease, after_us)
            WHERE d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = r.endpoint_id
                AND d.attempts = r.attempt AND d.lease = r.lease AND d.state = 'pending'
            RETURNING r.after_us
        )
        -- another notifier need not wait for its next poll
        SELECT pg_notify('alert', '') FROM released WHERE after_us = 0 LIMIT 1
        """

    struct Release: Sendable {
        var key: DeliveryKey
        var lease: LeaseName
        /// The delay from now until it is due; zero makes it due at once.
        var after: Duration
    }

    let releases: [Release]
    init(_ releases: [Release]) { self.releases = releases }

    func bind(_ parameters: inout Parameters) {
        parameters.append(releases.map(\.key))
        parameters.append(releases.map(\.lease))
        parameters.append(releases.map(\.after.wholeMicroseconds))
    }
}
