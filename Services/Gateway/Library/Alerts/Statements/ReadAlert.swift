import Instants
import Postgres
import Store
import WaterQuality

/// One alert of a person by its UID; no row for another's.
struct ReadAlert: Statement {
    static let sql = """
        WITH chosen AS (
            -- the index begins with the slot, which a UID does not tell
            SELECT a.* FROM alert a
            WHERE a.slot = ANY ($3::smallint[]) AND a.uid = $2 AND a.account_id = $1
            LIMIT 1
        )
        \(StoredAlert.listing)
        """
    let account: Account.ID
    let uid: Alert.UID

    init(_ uid: Alert.UID, of account: Account.ID) {
        self.account = account
        self.uid = uid
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(uid)
        parameters.append(Slot.all)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAlert { try StoredAlert(listed: &row) }
}

/// One alert of a person that was decided before alerts had UIDs.
struct ReadNumberedAlert: Statement {
    static let sql = """
        WITH chosen AS (
            SELECT a.* FROM alert a
            WHERE a.slot = $2 AND a.alert_id = $3 AND a.account_id = $1 AND a.uid IS NULL
        )
        \(StoredAlert.listing)
        """
    let account: Account.ID
    let alert: AlertKey

    init(_ alert: AlertKey, of account: Account.ID) {
        self.account = account
        self.alert = alert
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAlert { try StoredAlert(listed: &row) }
}

/// The changes of an alert's episode, oldest first: why there was an alert, or none.
struct ReadTransitions: Statement {
    static let sql = """
        SELECT event_time, decided_at, reason, notification, value FROM transition
        WHERE slot = $1 AND episode_id = $2
        ORDER BY transition_id
        LIMIT 100
        """

    struct Row: Sendable {
        var eventTime: Timestamp
        var decidedAt: Timestamp
        /// `opened`, `flipped`, `recovered` or `unlinked`.
        var reason: String
        /// What became of the wish to notify.
        var notification: String
        var value: Float?
    }

    let slot: Slot
    let episode: Episode.ID

    init(of episode: Episode.ID, in slot: Slot) {
        self.slot = slot
        self.episode = episode
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(slot)
        parameters.append(episode)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            eventTime: row.read(), decidedAt: row.read(), reason: row.read(), notification: row.read(),
            value: row.read())
    }
}
