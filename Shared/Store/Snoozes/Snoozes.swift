package import Instants
package import Postgres
package import WaterQuality

/// The object of a snooze: one side of a watch, its rate, its way to a limit, the fault of its probe, or the silence of
/// a device or of one of its parameters.
package struct SnoozeKey: Hashable, Sendable {
    package var device: DeviceKey
    package var account: Account.ID
    package var kind: Alert.Kind
    /// The parameter; `nil` for the silence of a whole device.
    package var parameter: Parameter?
    /// The side, for the kind `range` only.
    package var side: Side?

    package init(device: DeviceKey, account: Account.ID, kind: Alert.Kind, parameter: Parameter?, side: Side?) {
        self.device = device
        self.account = account
        self.kind = kind
        self.parameter = parameter
        self.side = side
    }
}

extension Parameters {
    /// Six values: slot, device, account, kind, parameter, side.
    package mutating func append(_ key: SnoozeKey) {
        append(key.device.slot)
        append(key.device.device)
        append(key.account)
        append(key.kind)
        append(key.parameter)
        append(key.side)
    }
}

/// Finds the open episode that a person acknowledges.
package struct FindOpenEpisode: Statement {
    package static let sql = """
        SELECT episode_id FROM episode
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND kind = $4 AND parameter IS NOT DISTINCT FROM $5
            AND side IS NOT DISTINCT FROM $6 AND closed_at IS NULL
        """
    let key: SnoozeKey
    package init(_ key: SnoozeKey) { self.key = key }
    package func bind(_ parameters: inout Parameters) { parameters.append(key) }
    package static func decode(_ row: inout RowReader) throws -> Episode.ID { try row.read() }
}

/// Ends the current snooze or acknowledgement, if there is one. The ownership must be locked first (`LockOwnership`).
package struct EndSnooze: Statement {
    package static let sql = """
        UPDATE snooze SET ended_at = greatest(now(), set_at)
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND kind = $4 AND parameter IS NOT DISTINCT FROM $5
            AND side IS NOT DISTINCT FROM $6 AND ended_at IS NULL
        """
    let key: SnoozeKey
    package init(_ key: SnoozeKey) { self.key = key }
    package func bind(_ parameters: inout Parameters) { parameters.append(key) }
}

/// Adds a snooze or an acknowledgement; none may be current.
package struct AddSnooze: Statement {
    package static let sql = """
        INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, episode_id, set_at, snoozed_until)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """
    let key: SnoozeKey
    let episode: Episode.ID?
    let now: Timestamp
    let until: Timestamp

    package init(_ key: SnoozeKey, acknowledging episode: Episode.ID?, at now: Timestamp, until: Timestamp) {
        self.key = key
        self.episode = episode
        self.now = now
        self.until = until
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(key)
        parameters.append(episode)
        parameters.append(now)
        parameters.append(until)
    }
}

/// Deletes ended snoozes of a person's device, all but the last 200: they only explain decisions that have been made.
package struct ForgetSnoozes: Statement {
    package static let sql = "SELECT forget_snoozes($1, $2, $3)"
    let key: SnoozeKey
    package init(_ key: SnoozeKey) { self.key = key }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(key.device.slot)
        parameters.append(key.device.device)
        parameters.append(key.account)
    }
}

/// A person's current snoozes, in the order of their devices, without what is held by an answer. An acknowledgement lasts while its episode
/// is open.
package struct ListSnoozes: Statement {
    package static let sql = """
        SELECT d.hardware_id, n.kind, n.parameter, n.side, n.set_at, n.snoozed_until, n.episode_id IS NOT NULL
        FROM ownership o
        JOIN snooze n ON n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id
            AND n.ended_at IS NULL AND n.snoozed_until > now() AND n.answered_by IS NULL
        JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        LEFT JOIN episode e ON e.slot = n.slot AND e.episode_id = n.episode_id
        WHERE o.account_id = $1 AND o.unlinked_at IS NULL
            AND (n.episode_id IS NULL OR e.episode_id IS NOT NULL AND e.closed_at IS NULL)
        ORDER BY d.hardware_id, n.parameter NULLS FIRST, n.kind, n.side
        """

    package struct Row: Sendable {
        package var hardwareID: String
        package var kind: Word<Alert.Kind>
        package var parameter: Word<Parameter>?
        package var side: Side?
        package var snooze: Snooze
    }

    let account: Account.ID
    package init(of account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            hardwareID: row.read(), kind: row.read(), parameter: row.read(), side: row.read(),
            snooze: Snooze(setAt: row.read(), until: row.read(), isAcknowledgement: row.read()))
    }
}

extension PostgresTransaction {
    /// Replaces the current snooze. The ownership must be locked first (`LockOwnership`).
    /// - Parameters:
    ///   - episode: The open episode, for an acknowledgement.
    ///   - now: The database's clock (`ReadClock`).
    package func setSnooze(
        _ key: SnoozeKey, acknowledging episode: Episode.ID? = nil, at now: Timestamp, until: Timestamp
    ) throws {
        try perform(EndSnooze(key))
        try perform(AddSnooze(key, acknowledging: episode, at: now, until: until))
        try perform(ForgetSnoozes(key))
    }
}
