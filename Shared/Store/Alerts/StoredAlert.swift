package import Instants
package import Postgres
package import WaterQuality
package import Words

/// An alert as it is stored, with all that it takes to tell it to its person: deliveries, lists and the tool read it in this form.
package struct StoredAlert: Sendable {
    package var key: AlertKey
    package var name: AlertName
    package var state: Word<Alert.State>
    /// The episode; `nil` for a test or a note, like the device.
    package var episode: Episode.ID?
    package var purpose: Word<Alert.Purpose>
    package var content: Alert.Content
    /// The device's id from its maker.
    package var device: String?
    /// The person's latest name for the device, or its id.
    package var deviceName: String?
    /// The beginning of the episode, corrected by the lag of the device's clock, like `eventTime`.
    package var openedAt: Timestamp
    /// The time of the reading in the text.
    package var eventTime: Timestamp
    package var receivedAt: Timestamp?
    package var decidedAt: Timestamp
    package var language: Language
    /// The unit that the person chose for this parameter of the device.
    package var unit: Unit?
    /// The times by the person's wall clock.
    private var localTimes: (opened: CivilTime, event: CivilTime, decided: CivilTime, expected: CivilTime?)
    /// Whose alarm it is, and who is on it, of an alert that calls somebody or ends that.
    package var call: Notice.Call?
    /// The time of the first acceptance by an endpoint; only lists read it, like `readingsDeletedAt`.
    package var acceptedAt: Timestamp?
    /// When readings from its episode were deleted last; `nil`: none were.
    package var readingsDeletedAt: Timestamp?

    /// Columns of the alert `a` with what `joins` brings.
    /// - Parameter deviceName: The person's name for the device, in SQL; where it is null, the next after a comma.
    package static func columns(deviceName: String) -> String {
        """
        a.slot, a.alert_id, a.uid, a.state, a.episode_id, \(purpose),
            \(AlertColumns.names.map { "a.\($0)" }.joined(separator: ", ")),
            v.hardware_id, coalesce(\(deviceName), v.hardware_id), \(ShownTimes.opened), \(ShownTimes.event), a.received_at,
            a.decided_at, p.locale, s.unit, \(local(ShownTimes.opened)), \(local(ShownTimes.event)),
            \(local("a.decided_at")), \(local("a.expected_at")), a.unanswered_seconds, a.caller_name, a.taker_name, coalesce(a.about, '{}')
        """
    }

    /// The joins that the columns need beside the alert `a`.
    /// - Parameter lag: The known lag of the device's clock in seconds, in SQL.
    package static func joins(lag: String) -> String {
        """
        JOIN account p ON p.account_id = a.account_id
        CROSS JOIN LATERAL (SELECT usable_time_zone(p.time_zone) AS name OFFSET 0) z
        CROSS JOIN LATERAL (\(ShownTimes.lag(known: lag))) c
        LEFT JOIN device v ON v.slot = a.slot AND v.device_id = a.device_id
        \(AlertTruth.current("s", of: "a"))
        """
    }

    /// The end of a query that has found its alerts as `chosen`.
    package static let listing = listing(beside: [])

    /// - Parameter further: Columns of `chosen` that stand behind those of the alert.
    package static func listing(beside further: [String]) -> String {
        """
        SELECT \(columns(deviceName: "o.name")),
            (SELECT min(d.ended_at) FROM delivery d
                WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'accepted'),
            -- what was told stays told, though its readings are gone
            (SELECT max(x.at) FROM deletion x
                WHERE x.slot = a.slot AND x.tank_id = o.tank_id AND a.kind IN ('range', 'rate', 'ahead')
                    AND x.parameters & (1 << a.parameter::integer) <> 0
                    AND x.since <= \(ShownTimes.event) AND x.until > \(ShownTimes.opened))\(further.map { ", a.\($0)" }.joined())
        FROM chosen a
        \(joins(lag: "clock_lag(a.slot, a.device_id)"))
        LEFT JOIN LATERAL (
            SELECT name, tank_id FROM ownership o
            WHERE o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id
            ORDER BY linked_at DESC LIMIT 1) o ON true
        """
    }

    /// The purpose of the alert `a`: the version before had no word for `ended`.
    package static let purpose = "CASE WHEN a.ended THEN 'ended' ELSE a.purpose END"

    private static func local(_ time: String) -> String { "(\(time)) AT TIME ZONE z.name AT TIME ZONE 'UTC'" }

    package init(_ row: inout RowReader) throws {
        key = try AlertKey(&row)
        name = AlertName(try row.read(), slot: key.slot, alert: key.alert)
        state = try row.read()
        episode = try row.read()
        purpose = try row.read()
        let columns = try AlertColumns(&row)
        device = try row.read()
        deviceName = try row.read()
        openedAt = try row.read()
        eventTime = try row.read()
        receivedAt = try row.read()
        decidedAt = try row.read()
        language = Language(locale: try row.read())
        unit = try row.read(String?.self).flatMap(Unit.init(rawValue:))
        localTimes = try (
            row.read(Timestamp.self).civilTime(), row.read(Timestamp.self).civilTime(),
            row.read(Timestamp.self).civilTime(), row.read(Timestamp?.self)?.civilTime()
        )
        let unanswered = try row.read(Int32?.self)
        let (caller, taker) = try (row.read(String?.self), row.read(String?.self))
        content = columns.content(about: try row.read())
        call = unanswered.map { Notice.Call(caller: caller, minutes: Int($0) / 60, taker: taker) }
    }

    /// An alert that is stored nowhere, to show what one looks like.
    /// - Parameter wall: What the person's clock shows at a time.
    package init(
        example content: Alert.Content, _ purpose: Alert.Purpose, uid: Alert.UID, device: String?, named name: String?,
        openedAt: Timestamp, at time: Timestamp, in language: Language, unit: Unit? = nil,
        wall: (Timestamp) -> CivilTime = { $0.civilTime() }
    ) {
        key = AlertKey(slot: Slot.all[0], alert: Alert.ID(rawValue: 0))
        self.name = AlertName(uid, slot: key.slot, alert: key.alert)
        state = .known(.decided)
        self.purpose = .known(purpose)
        self.content = content
        self.device = device
        deviceName = name
        self.openedAt = openedAt
        eventTime = time
        receivedAt = time
        decidedAt = time
        self.language = language
        self.unit = unit
        var expected: CivilTime?
        if case .ahead(let ahead) = content { expected = ahead.outlook.map { wall($0.expectedAt) } }
        localTimes = (wall(openedAt), wall(time), wall(time), expected)
    }

    /// - Parameter row: A row of `listing`.
    package init(listed row: inout RowReader) throws {
        self = try StoredAlert(&row)
        acceptedAt = try row.read()
        readingsDeletedAt = try row.read()
    }
}

extension StoredAlert {
    package var kind: Word<Alert.Kind> { content.kind }

    /// Whether the probe needs attention as well.
    package var checkProbe: Bool {
        switch content {
        case .range(let range): range.checkProbe
        case .silence(let silence): silence.checkProbe
        case .fault: purpose.known != .recovery
        case .rate, .ahead, .byHand, .test, .way, .signIn, .summary, .proof, .care, .other: false
        }
    }

    /// Whether another probe answers in place of the silent one.
    package var isAnotherProbe: Bool {
        guard case .silence(let silence) = content else { return false }
        return silence.cause == .anotherProbe && purpose.known != .recovery
    }

    /// The probable explanation of a silence that goes on.
    package var silenceHint: SilenceHint? {
        guard case .silence(let silence) = content, purpose.known != .recovery else { return nil }
        return silence.hint
    }

    /// The devices with which a silent one fell silent, or is heard again.
    package var silentSite: SilentSite? {
        guard case .silence(let silence) = content else { return nil }
        return silence.site
    }

    /// The alert as its person is told it. A purpose that only a newer version knows is told in the plain words of an unknown kind.
    package var notice: Notice {
        Notice(
            deviceName: deviceName, purpose.known ?? .alarm,
            purpose.known == nil ? .other(kind: kind.rawValue, content.subject) : content, since: localTimes.opened,
            at: localTimes.event, now: localTimes.decided, expected: localTimes.expected, unit: unit,
            call: call)
    }

    /// By what messages about one watch replace each other.
    package var collapseKey: String {
        switch content {
        // The next one says the same anew.
        case .summary, .proof: return kind.rawValue
        // That it was done takes the place of the message that asked for it.
        case .care(let care): return "\(kind.rawValue)/\(care.whole.replaces ?? name.text)"
        // Other notes tell of different things, and none replaces another.
        default: if purpose.known == .note { return "\(kind.rawValue)/\(name.text)" }
        }
        return [device, content.subject?.name, kind.rawValue].compactMap(\.self).joined(separator: "/")
    }

    package var message: Notice.Message { notice.message(in: language) }
}
