package import Instants
package import Postgres
package import WaterQuality

/// One alert of a person by its UID; no row for another's.
package struct ReadAlert: Statement {
    package static let sql = """
        WITH chosen AS (
            -- the index begins with the slot, which a UID does not tell
            SELECT a.* FROM alert a
            WHERE a.slot = ANY ($3::smallint[]) AND a.uid = $2 AND a.account_id = $1
                AND a.kind IN (\(Alert.Kind.known))
            LIMIT 1
        )
        \(AlertRow.selection)
        """
    let account: Account.ID
    let uid: Alert.UID

    package init(_ uid: Alert.UID, of account: Account.ID) {
        self.account = account
        self.uid = uid
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(uid)
        parameters.append(Slot.all)
    }

    package static func decode(_ row: inout RowReader) throws -> AlertRow { try AlertRow(&row) }
}

/// One alert of a person that was decided before alerts had UIDs.
package struct ReadNumberedAlert: Statement {
    package static let sql = """
        WITH chosen AS (
            SELECT a.* FROM alert a
            WHERE a.slot = $2 AND a.alert_id = $3 AND a.account_id = $1 AND a.uid IS NULL
                AND a.kind IN (\(Alert.Kind.known))
        )
        \(AlertRow.selection)
        """
    let account: Account.ID
    let alert: AlertKey

    package init(_ alert: AlertKey, of account: Account.ID) {
        self.account = account
        self.alert = alert
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    package static func decode(_ row: inout RowReader) throws -> AlertRow { try AlertRow(&row) }
}

/// The changes of an alert's episode, oldest first: why there was an alert, or none.
package struct ReadTransitions: Statement {
    package static let sql = """
        SELECT event_time, decided_at, reason, notification, value FROM transition
        WHERE slot = $1 AND episode_id = $2
        ORDER BY transition_id
        LIMIT 100
        """

    package struct Row: Sendable {
        package var eventTime: Timestamp
        package var decidedAt: Timestamp
        /// `opened`, `flipped`, `recovered` or `unlinked`.
        package var reason: String
        /// What became of the wish to notify.
        package var notification: String
        package var value: Float?
    }

    let slot: Slot
    let episode: Episode.ID

    package init(of episode: Episode.ID, in slot: Slot) {
        self.slot = slot
        self.episode = episode
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(slot)
        parameters.append(episode)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            eventTime: row.read(), decidedAt: row.read(), reason: row.read(), notification: row.read(),
            value: row.read())
    }
}
