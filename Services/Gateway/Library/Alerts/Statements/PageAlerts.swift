package import Instants
package import Postgres
package import Store
package import WaterQuality

/// A page of a person's alerts, newest first, below a place in that order.
package struct PageAlerts: Statement {
    package static let sql = """
        WITH chosen AS (
            SELECT a.* FROM alert a
            WHERE a.account_id = $1
                -- the first column by itself too, so that the index begins there
                AND a.decided_at <= $2 AND (a.decided_at, a.slot, a.alert_id) < ($2, $3, $4)
                AND a.decided_at >= $5 AND a.decided_at < $10
                AND ($6::text IS NULL OR (a.slot, a.device_id) = (
                    SELECT v.slot, v.device_id FROM device v WHERE v.hardware_id = $6))
                AND ($7::smallint IS NULL OR a.parameter = $7)
                AND ($8::text IS NULL OR a.state = $8)
                -- that a way still works is no news, unless it is asked for
                AND CASE WHEN $11::text IS NULL THEN a.kind <> '\(Alert.Kind.proof.rawValue)' ELSE a.kind = $11 END
            ORDER BY a.decided_at DESC, a.slot DESC, a.alert_id DESC
            LIMIT $9
        )
        \(StoredAlert.listing)
        ORDER BY a.decided_at DESC, a.slot DESC, a.alert_id DESC
        """

    /// A place in the order of alerts.
    package struct Place: Hashable, Sendable {
        package var decidedAt: Timestamp
        package var slot: Int16
        package var alert: Int64

        package init(decidedAt: Timestamp, slot: Int16, alert: Int64) {
            self.decidedAt = decidedAt
            self.slot = slot
            self.alert = alert
        }

        /// Above all alerts.
        package static let newest = Place(decidedAt: .distantFuture, slot: .max, alert: .max)
    }

    package struct Filter: Sendable {
        package var since: Timestamp?
        /// Decided before this.
        package var until: Timestamp?
        package var device: Device.HardwareID?
        package var parameter: Parameter?
        package var state: Alert.State?
        package var kind: Alert.Kind?

        package init(
            since: Timestamp? = nil, until: Timestamp? = nil, device: Device.HardwareID? = nil,
            parameter: Parameter? = nil, state: Alert.State? = nil, kind: Alert.Kind? = nil
        ) {
            self.since = since
            self.until = until
            self.device = device
            self.parameter = parameter
            self.state = state
            self.kind = kind
        }
    }

    let account: Account.ID
    let place: Place
    let filter: Filter
    let limit: Int64

    package init(of account: Account.ID, below place: Place, _ filter: Filter, limit: Int) {
        self.account = account
        self.place = place
        self.filter = filter
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(place.decidedAt)
        parameters.append(place.slot)
        parameters.append(place.alert)
        parameters.append(filter.since ?? .distantPast)
        parameters.append(filter.device?.text)
        parameters.append(filter.parameter)
        parameters.append(filter.state)
        parameters.append(limit)
        parameters.append(filter.until ?? .distantFuture)
        parameters.append(filter.kind)
    }

    package static func decode(_ row: inout RowReader) throws -> StoredAlert { try StoredAlert(listed: &row) }
}
