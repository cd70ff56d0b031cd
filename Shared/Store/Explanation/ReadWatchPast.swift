package import Instants
package import Postgres
package import WaterQuality

/// The versions of a person's setting of a parameter that were in force when a period's readings arrived, oldest first:
/// the newest 500.
package struct ListSettingVersions: Statement {
    package static let sql = """
        SELECT * FROM (
            SELECT valid_from, coalesce(valid_until, 'infinity') AS valid_until, unit, minimum, maximum, critical_minimum,
                critical_maximum, \(WatchSetting.columns()), periods::text,
                -- by a correct clock, which a device's may be behind or ahead of
                \(LimitTurns.columns(of: "", since: "$5::timestamptz - interval '1 day'", until: "$6::timestamptz + interval '1 day'"))
            FROM setting
            WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4
                AND valid_from < $6::timestamptz + interval '8 days'
                AND (valid_until > $5::timestamptz - interval '10 minutes' OR valid_until IS NULL)
            ORDER BY version DESC
            LIMIT 500
        ) AS newest
        ORDER BY valid_from
        """

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }
    package func bind(_ parameters: inout Parameters) { stretch.bind(&parameters) }

    package struct Row: Sendable {
        var period: Range<Timestamp>
        var setting: ReadSetting.Row
        var turns: LimitTurns
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        var setting = try ReadSetting.Row(
            version: 0, unit: row.read(), minimum: row.read(), maximum: row.read(), colour: "", position: 0)
        setting.criticalMinimum = try row.read()
        setting.criticalMaximum = try row.read()
        setting.settings = try WatchSettings(&row)
        setting.periods = try LimitPeriods(stored: row.read())
        return Row(period: from..<max(from, until), setting: setting, turns: try LimitTurns(&row))
    }
}

/// A watch in a period of event time. Decisions about it were made up to a week later, because readings may arrive that
/// late.
package struct WatchStretch: Sendable {
    package let watch: WatchKey
    package let period: Range<Timestamp>

    package init(_ watch: WatchKey, in period: Range<Timestamp>) {
        self.watch = watch
        self.period = period
    }

    /// Six values: slot, device, account, parameter, start, end.
    func bind(_ parameters: inout Parameters) {
        parameters.append(key: watch)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }
}

/// The episodes of a watch, of each kind, and of its device's silence, that were open in a period or the hour before
/// it, by which unstable water is recognised: the newest 1,000.
package struct ListPastEpisodes: Statement {
    package static let sql = """
        SELECT episode_id, kind, side, opened_at, closed_at, no_recipient,
            CASE WHEN differs_by IS NOT NULL THEN 'differs' WHEN flat_at IS NOT NULL THEN 'flat' ELSE 'broken' END
        FROM episode
        WHERE slot = $1 AND device_id = $2 AND account_id = $3
            AND (parameter = $4 OR parameter IS NULL AND kind = 'silence')
            AND opened_at < $6 AND (closed_at >= $5::timestamptz - interval '1 hour' OR closed_at IS NULL)
        ORDER BY slot, device_id, opened_at DESC
        LIMIT 1000
        """

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }
    package func bind(_ parameters: inout Parameters) { stretch.bind(&parameters) }

    /// - Returns: `nil` for an episode of a kind that only a newer version knows, which is not explained.
    package static func decode(_ row: inout RowReader) throws -> PastEpisode? {
        let id = try row.read(Episode.ID.self)
        guard let kind = try row.read(Word<Alert.Kind>.self).known else { return nil }
        return try PastEpisode(
            id: id, kind: kind, side: row.read(), openedAt: row.read(), closedAt: row.read(), noRecipient: row.read(),
            fault: row.read())
    }
}

/// The transitions of some episodes, in the order of their decisions.
package struct ListEpisodeChanges: Statement {
    package static let sql = """
        SELECT t.episode_id, t.event_time, t.decided_at, t.reason, t.notification
        FROM unnest($2::bigint[]) AS wanted (episode_id)
        CROSS JOIN LATERAL (
            SELECT * FROM transition WHERE slot = $1 AND episode_id = wanted.episode_id
            ORDER BY transition_id LIMIT 10
            OFFSET 0
        ) t
        ORDER BY t.decided_at, t.transition_id
        """

    let slot: Slot
    let episodes: [Episode.ID]

    package init(of episodes: [Episode.ID], in slot: Slot) {
        self.slot = slot
        self.episodes = episodes
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(slot)
        parameters.append(episodes)
    }

    /// - Returns: `nil` for a change that only a newer version knows, which is not explained.
    package static func decode(_ row: inout RowReader) throws -> EpisodeChange? {
        let (episode, time, decidedAt): (Episode.ID, Timestamp, Timestamp) = try (row.read(), row.read(), row.read())
        guard let reason = try row.read(Word<EpisodeChange.Reason>.self).known else { return nil }
        return try EpisodeChange(
            episode: episode, time: time, decidedAt: decidedAt, reason: reason,
            // Nothing is said of an outcome that only a newer version knows.
            outcome: row.read(Word<Decision.Notification.Outcome>.self).known ?? .none)
    }
}

/// The alerts about a watch, of each kind, and about its device's silence, from a period and the week before, with the
/// results of their deliveries, in the order of their decisions: the newest 2,000.
package struct ListPastAlerts: Statement {
    package static let sql = """
        SELECT a.alert_id, a.uid, a.episode_id, a.kind, \(StoredAlert.purpose), a.side, a.event_time, a.decided_at, a.critical, a.unstable,
            a.state, a.audience, d.accepted, d.ended
        FROM (
            SELECT * FROM alert
            WHERE slot = $1 AND device_id = $2 AND account_id = $3
                AND (parameter = $4 OR parameter IS NULL AND kind = 'silence')
                AND decided_at >= $5::timestamptz - interval '8 days'
                AND decided_at < $6::timestamptz + interval '8 days' AND opened_at < $6::timestamptz
                AND purpose NOT IN ('escalation', 'calledOff') -- of nothing that was decided about this watch
            ORDER BY alert_id DESC
            LIMIT 2000
        ) a
        CROSS JOIN LATERAL (
            SELECT min(ended_at) FILTER (WHERE state = 'accepted') AS accepted, max(ended_at) AS ended FROM delivery
            WHERE slot = $1 AND alert_id = a.alert_id
        ) d
        ORDER BY a.alert_id
        """

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }
    package func bind(_ parameters: inout Parameters) { stretch.bind(&parameters) }

    package struct Row: Sendable {
        var id: Alert.ID
        var uid: Alert.UID?
        var episode: Episode.ID
        var kind: Word<Alert.Kind>
        var purpose: Word<Alert.Purpose>
        var side: Side?
        var eventTime: Timestamp
        var decidedAt: Timestamp
        var isCritical: Bool
        var isUnstable: Bool
        var state: Word<Alert.State>
        var audience: Alert.Audience?
        var accepted: Timestamp?
        var ended: Timestamp?

        /// - Returns: `nil` for what only a newer version can tell.
        func alert(in slot: Slot) -> PastAlert? {
            guard let kind = kind.known, let purpose = purpose.known, let state = state.known else { return nil }
            var alert = PastAlert(
                id: id, name: AlertName(uid, slot: slot, alert: id).text, episode: episode, kind: kind,
                purpose: purpose, side: side,
                eventTime: eventTime, decidedAt: decidedAt, isCritical: isCritical, isUnstable: isUnstable,
                state: state, firstAcceptance: accepted, endedAt: ended)
            alert.audience = audience
            return alert
        }
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            id: row.read(), uid: row.read(), episode: row.read(), kind: row.read(), purpose: row.read(),
            side: row.read(), eventTime: row.read(), decidedAt: row.read(), isCritical: row.read(),
            isUnstable: row.read(),
            state: row.read(), audience: row.read(), accepted: row.read(), ended: row.read())
    }
}

/// A person's snoozes and acknowledgements of a watch in a period, oldest first. Few of them are kept.
package struct ListPastSnoozes: Statement {
    package static let sql = """
        SELECT side, set_at, snoozed_until, ended_at, episode_id, answered_by IS NOT NULL OR worst IS NOT NULL, worst FROM snooze
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4 AND kind = 'range'
            AND set_at < $6::timestamptz + interval '8 days'
            AND least(snoozed_until, ended_at) > $5::timestamptz - interval '10 minutes'
        ORDER BY snooze_id
        """

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }
    package func bind(_ parameters: inout Parameters) { stretch.bind(&parameters) }

    package struct Row: Sendable {
        var past: PastSnooze
        var worst: Float?

        func snooze(of parameter: Parameter) -> PastSnooze {
            var past = past
            past.snooze.worst = worst.map(parameter.steps(of:))
            return past
        }
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let side = try row.read(Side.self)
        let snooze = try Snooze(setAt: row.read(), until: row.read())
        var past = try PastSnooze(side: side, snooze: snooze, endedAt: row.read(), episode: row.read())
        past.snooze.isAcknowledgement = past.episode != nil
        past.snooze.isAnswer = try row.read()
        return Row(past: past, worst: try row.read())
    }
}

/// When alerts to a person were gathered, of a period. Few are kept.
package struct ListPastGatherings: Statement {
    package static let sql = """
        SELECT reason, began_at, until_at, ended_at FROM gathering
        WHERE account_id = $1 AND began_at < $3::timestamptz + interval '8 days'
            AND coalesce(ended_at, 'infinity') > $2::timestamptz - interval '10 minutes'
        ORDER BY began_at
        """

    let account: Account.ID
    let period: Range<Timestamp>

    package init(of account: Account.ID, in period: Range<Timestamp>) {
        self.account = account
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    /// - Returns: `nil` for a reason that only a newer version knows.
    package static func decode(_ row: inout RowReader) throws -> PastGathering? {
        let reason = try row.read(Word<Gathering.Reason>.self).known
        let (since, until, endedAt) = try (
            row.read(Timestamp.self), row.read(Timestamp.self), row.read(Timestamp?.self)
        )
        return reason.map { PastGathering($0, since: since, until: until, endedAt: endedAt) }
    }
}

/// When others, or other endpoints, were called because a person had not answered.
package struct ListPastCalls: Statement {
    package static let sql = """
        SELECT DISTINCT c.called_at FROM escalation x
        JOIN escalation_call c ON c.slot = x.slot AND c.escalation_id = x.escalation_id
        WHERE x.slot = $1 AND x.device_id = $2 AND x.account_id = $3 AND (x.parameter = $4 OR x.parameter IS NULL AND x.kind = 'silence')
            AND c.outcome = 'told' AND c.called_at >= $5::timestamptz - interval '8 days'
            AND c.called_at < $6::timestamptz + interval '8 days'
        ORDER BY c.called_at
        """

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }
    package func bind(_ parameters: inout Parameters) { stretch.bind(&parameters) }
    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// When a person was off shift in the device's project while somebody was on, by the shifts as they stand now.
package struct ListPastShifts: Statement {
    package static let sql = "SELECT since, until FROM off_shift_in($1, $2, $3, $4, $5)"

    let stretch: WatchStretch

    package init(_ stretch: WatchStretch) { self.stretch = stretch }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(stretch.watch.device.slot)
        parameters.append(stretch.watch.device.device)
        parameters.append(stretch.watch.account)
        parameters.append(stretch.period.lowerBound)
        parameters.append(stretch.period.upperBound)
    }

    package static func decode(_ row: inout RowReader) throws -> Range<Timestamp> {
        let (since, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return since..<max(since, until)
    }
}

/// Converts times to a person's wall clock, expressed as if it were UTC, in the given order.
package struct ReadLocalTimes: Statement {
    package static let sql = """
        SELECT given.instant AT TIME ZONE z.name AT TIME ZONE 'UTC'
        FROM account p
        CROSS JOIN LATERAL (SELECT usable_time_zone(p.time_zone) AS name OFFSET 0) z
        CROSS JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS given (instant, position)
        WHERE p.account_id = $1
        ORDER BY given.position
        """

    let account: Account.ID
    let times: [Timestamp]

    package init(_ times: [Timestamp], of account: Account.ID) {
        self.times = times
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(times)
    }

    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

extension PostgresTransaction {
    /// The stored decisions about a watch in a period.
    package func past(of stretch: WatchStretch) throws -> WatchPast {
        let watch = stretch.watch
        let episodes = try execute(ListPastEpisodes(stretch)).compactMap(\.self)
        let changes =
            episodes.isEmpty
            ? []
            : try execute(ListEpisodeChanges(of: episodes.map(\.id), in: watch.device.slot)).compactMap(\.self)
        var past = WatchPast(
            settings: try execute(ListSettingVersions(stretch)).map {
                SettingVersion(period: $0.period, range: $0.setting.range(of: watch.parameter), turns: $0.turns)
            },
            episodes: episodes, changes: changes,
            alerts: try execute(ListPastAlerts(stretch)).compactMap { $0.alert(in: watch.device.slot) },
            snoozes: try execute(ListPastSnoozes(stretch)).map { $0.snooze(of: watch.parameter) })
        past.gatherings = try execute(ListPastGatherings(of: watch.account, in: stretch.period)).compactMap(\.self)
        past.calls = try execute(ListPastCalls(stretch))
        past.offShift = try execute(ListPastShifts(stretch))
        // a day more, whatever the lag of the device's clock
        past.work = try execute(
            ListWork(
                on: watch.device,
                in: stretch.period.lowerBound - .seconds(86_400)..<stretch.period.upperBound + .seconds(86_400)))
        past.person = watch.account
        return past
    }
}
