package import Instants
import Postgres
package import Store
package import WaterQuality

/// An alert of a person, with all that it takes to show it in their words.
package struct AlertRow: Sendable {
    package var key: AlertKey
    package var name: AlertName
    package var decidedAt: Timestamp
    /// When the reading in the text was taken; corrected by the lag of the device's clock, as the time at which the episode began.
    package var eventTime: Timestamp
    package var receivedAt: Timestamp?
    /// When the episode began, by event time.
    package var openedAt: Timestamp
    package var kind: Alert.Kind
    package var purpose: Alert.Purpose
    package var state: Alert.State
    /// nil for a test, like everything about water.
    package var episode: Episode.ID?
    package var hardwareID: String?
    /// The person's latest name for the device.
    package var deviceName: String?
    package var parameter: Parameter?
    package var side: Side?
    /// In the parameter's canonical unit, like `worst` and `limit`.
    package var value: Float?
    package var worst: Float?
    package var limit: Float?
    /// What the person chose for this parameter of the device.
    package var unit: String?
    package var checkProbe: Bool
    /// Whether the value is beyond the critical limit, which `limit` then is.
    package var isCritical: Bool
    /// Whether it says that the water is unstable.
    package var isUnstable: Bool
    /// How much the value had changed, in the parameter's canonical unit, and in what time: of an alert about that, whose `value` is
    /// what it had reached and whose `limit` is the greatest change in an hour.
    package var change: Float?
    package var changeSeconds: Int32?
    /// On which side the limit lies that will be reached, and when: of an alert about that, whose `value` is the newest reading and
    /// whose `limit` is that limit.
    package var heading: Side?
    package var expectedAt: Timestamp?
    package var expectedLocally: Timestamp?
    package var locale: String
    /// The time by the person's wall clock, read as if it were UTC; likewise the next two.
    package var openedLocally: Timestamp
    package var eventLocally: Timestamp
    package var decidedLocally: Timestamp
    /// When the first endpoint accepted it.
    package var acceptedAt: Timestamp?

    /// Whether another probe answers in place of the one whose silence it tells.
    package var isAnotherProbe: Bool {
        SilenceCause.isAnotherProbe(kind, purpose, parameter: parameter, checkProbe: checkProbe)
    }

    /// What the alert says to its person.
    package var notice: Notice {
        switch kind {
        case .range: facts?.notice(purpose) ?? .test
        case .silence:
            SilenceFacts(
                deviceName: deviceName ?? hardwareID ?? "", parameter: parameter, checkProbe: checkProbe,
                openedLocally: openedLocally, eventLocally: eventLocally, decidedLocally: decidedLocally
            ).notice(purpose)
        case .fault: faultFacts?.notice(purpose) ?? .test
        case .rate: rateFacts?.notice(purpose) ?? .test
        case .ahead: aheadFacts?.notice(purpose) ?? .test
        case .test: .test
        }
    }

    /// What the alert tells of a broken probe; nil for one of another kind.
    package var faultFacts: FaultFacts? {
        guard kind == .fault, let parameter else { return nil }
        return FaultFacts(
            deviceName: deviceName ?? hardwareID ?? "", parameter: parameter, flatAt: value,
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    /// What the alert tells of a value that changes fast; nil for one of another kind.
    package var rateFacts: RateFacts? {
        guard kind == .rate, let parameter else { return nil }
        return RateFacts(
            deviceName: deviceName ?? hardwareID ?? "", parameter: parameter,
            change: RateFacts.Change(by: change, seconds: changeSeconds, value: value, limit: limit),
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    /// What the alert tells of a limit that will be reached; nil for one of another kind.
    package var aheadFacts: AheadFacts? {
        guard kind == .ahead, let parameter else { return nil }
        return AheadFacts(
            deviceName: deviceName ?? hardwareID ?? "", parameter: parameter,
            outlook: AheadFacts.Outlook(side: heading, value: value, limit: limit, expectedLocally: expectedLocally),
            chosenUnit: unit.flatMap(Unit.init(rawValue:)), openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    /// What the alert tells of a value out of range; nil for one of another kind.
    package var facts: AlertFacts? {
        guard let parameter, let side, let value, let hardwareID else { return nil }
        return AlertFacts(
            deviceName: deviceName ?? hardwareID, parameter: parameter, side: side, value: value, worst: worst,
            limit: limit, chosenUnit: unit.flatMap(Unit.init(rawValue:)), checkProbe: checkProbe,
            isCritical: isCritical, isUnstable: isUnstable, openedLocally: openedLocally, eventLocally: eventLocally,
            decidedLocally: decidedLocally)
    }

    /// The columns and tables for alerts that a query named `chosen` has found, all of kinds that are `known`.
    static let selection = """
        SELECT a.slot, a.alert_id, a.uid, a.decided_at, \(ShownTimes.event), a.received_at, \(ShownTimes.opened), a.kind,
            \(Alert.storedPurpose), a.state,
            a.episode_id, v.hardware_id, o.name, a.parameter, a.side, a.value, a.worst, a.limit_value, s.unit,
            a.check_probe, p.locale, (\(ShownTimes.opened)) AT TIME ZONE z.name AT TIME ZONE 'UTC',
            (\(ShownTimes.event)) AT TIME ZONE z.name AT TIME ZONE 'UTC', a.decided_at AT TIME ZONE z.name AT TIME ZONE 'UTC',
            (SELECT min(d.ended_at) FROM delivery d
                WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'accepted'), a.critical, a.unstable,
            a.change, a.change_seconds, a.heading, a.expected_at,
            a.expected_at AT TIME ZONE z.name AT TIME ZONE 'UTC'
        FROM chosen a
        JOIN account p ON p.account_id = a.account_id
        CROSS JOIN LATERAL (SELECT usable_time_zone(p.time_zone) AS name OFFSET 0) z
        CROSS JOIN LATERAL (\(ShownTimes.lag(known: "clock_lag(a.slot, a.device_id)"))) c
        LEFT JOIN device v ON v.slot = a.slot AND v.device_id = a.device_id
        LEFT JOIN LATERAL (
            SELECT name FROM ownership o
            WHERE o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id
            ORDER BY linked_at DESC LIMIT 1) o ON true
        LEFT JOIN setting s ON s.slot = a.slot AND s.device_id = a.device_id AND s.account_id = a.account_id
            AND s.parameter = a.parameter AND s.valid_until IS NULL
        """

    init(_ row: inout RowReader) throws {
        key = try AlertKey(&row)
        name = AlertName(try row.read(), slot: key.slot, alert: key.alert)
        decidedAt = try row.read()
        eventTime = try row.read()
        receivedAt = try row.read()
        openedAt = try row.read()
        kind = try row.read()
        purpose = try row.read()
        state = try row.read()
        episode = try row.read()
        hardwareID = try row.read()
        deviceName = try row.read()
        parameter = try row.read()
        side = try row.read()
        value = try row.read()
        worst = try row.read()
        limit = try row.read()
        unit = try row.read()
        checkProbe = try row.read()
        locale = try row.read()
        openedLocally = try row.read()
        eventLocally = try row.read()
        decidedLocally = try row.read()
        acceptedAt = try row.read()
        isCritical = try row.read()
        isUnstable = try row.read()
        change = try row.read()
        changeSeconds = try row.read()
        heading = try row.read()
        expectedAt = try row.read()
        expectedLocally = try row.read()
    }
}
