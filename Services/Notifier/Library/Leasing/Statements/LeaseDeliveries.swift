import Instants
import Postgres
import Store
import WaterQuality

/// Leases what has waited longest.
///
/// The deliveries of a holder that dies come due again: soon, with `EndOrphanedLeases`, and at the latest when the
/// lease ends. `lease` names the lease, and only its holder can record a result.
struct LeaseDeliveries: Statement {
    static let sql = Leasing.sql(
        """
        heads AS (
            SELECT \(Leasing.columns) FROM alert a
            -- a sum, so that the index is read in its order and only as far as there is room, however long the queue is
            WHERE slot + 0 = ANY ($1::smallint[]) AND state = 'decided' AND \(Leasing.isFirst)
            ORDER BY decided_at
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        ), due AS (
            SELECT slot, alert_id, endpoint_id FROM delivery
            WHERE slot + 0 = ANY ($1::smallint[]) AND state = 'pending' AND next_attempt_at <= now()
            ORDER BY next_attempt_at
            LIMIT $2
            FOR UPDATE SKIP LOCKED
        )
        """)

    let slots: [Slot]
    let limit: Int64
    let staleAfter: Duration
    let lease: Duration
    let holder: LeaseHolder

    /// - Parameters:
    ///   - limit: The most alerts to expand, and the most due deliveries to lease.
    ///   - staleAfter: How long after its decision an alert is worth delivering.
    ///   - lease: The duration of a lease, after which its delivery comes due again.
    ///   - holder: The holder of the leases.
    init(slots: [Slot], limit: Int, staleAfter: Duration, lease: Duration, holder: LeaseHolder) {
        self.slots = slots
        self.limit = Int64(limit)
        self.staleAfter = staleAfter
        self.lease = lease
        self.holder = holder
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(slots)
        parameters.append(limit)
        parameters.append(staleAfter.wholeMicroseconds)
        parameters.append(lease.wholeMicroseconds)
        parameters.append(holder)
    }

    static func decode(_ row: inout RowReader) throws -> LeasedDelivery {
        try LeasedDelivery(&row)
    }
}
