import Instants
import Postgres
import Store
import WaterQuality

/// The open episodes of some kinds of some devices.
struct LoadOpenEpisodes: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind, e.episode_id, e.side, e.worst, e.critical, e.still_at,
            e.flat_at, e.differs_by, e.opened_at, e.last_at, e.alert_id, e.no_recipient, e.gathered, e.closed_value, e.doubted_at
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM episode
            WHERE slot = wanted.slot AND device_id = wanted.device_id AND closed_at IS NULL AND kind = ANY ($3::text[])
                AND \(Subject.isKnown)
            OFFSET 0 -- looked up for each device, however few rows the planner expects
        ) e
        """

    struct Row: Sendable {
        var subject: Subject
        var id: Episode.ID
        var episode: Episode
        var lastAt: Timestamp
        /// The episode's latest alarm or reminder.
        var alert: Alert.ID?
        /// The value of the latest reading.
        var value: Float?
        /// When a reading of the watch was doubted last.
        var doubtedAt: Timestamp?
    }

    let devices: [DeviceKey]
    let kinds: [Alert.Kind]

    init(_ devices: [DeviceKey], kinds: [Alert.Kind]) {
        self.devices = devices
        self.kinds = kinds
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(kinds)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let subject = try Subject(&row)
        let id = try row.read(Episode.ID.self)
        let trouble = try Episode.Trouble(
            subject.kind, of: subject.parameter, side: row.read(), worst: row.read(), isCritical: row.read(),
            stillAt: row.read(), flatAt: row.read(), differsBy: row.read())
        guard let trouble else { throw UnreadableRow() }
        let (openedAt, lastAt) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        let (alert, noRecipient) = try (row.read(Alert.ID?.self), row.read(Bool.self))
        let isGathered = try row.read(Bool.self)
        return try Row(
            subject: subject, id: id,
            episode: Episode(
                trouble, openedAt: openedAt, isAlerted: alert != nil, noRecipient: noRecipient, isGathered: isGathered),
            lastAt: lastAt, alert: alert, value: row.read(), doubtedAt: row.read())
    }
}

/// The charged throttles of the watches of some kinds of some devices. The side of a charge by hand is that of its alert.
struct LoadThrottles: Statement {
    static let sql = """
        SELECT t.slot, t.device_id, t.parameter, t.account_id, CASE t.kind WHEN 'range' THEN a.side ELSE t.kind END,
            CASE t.kind WHEN 'byHand' THEN a.heading END, t.charged_at, t.alert_id,
            coalesce(a.state IN ('decided', 'sending'), false), coalesce(a.critical, false), coalesce(a.unstable, false)
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM throttle WHERE slot = wanted.slot AND device_id = wanted.device_id
                AND kind = ANY ($3::text[]) AND \(Subject.isKnown)
            -- Looked up for each device, however few rows the planner expects. While a table is empty, every index that
            -- begins with the slot looks as good as the right one. Only the right one has the order that is asked for
            -- here and above.
            ORDER BY parameter
            OFFSET 0
        ) t
        LEFT JOIN LATERAL (
            SELECT side, heading, state, critical, unstable FROM alert
            WHERE slot = t.slot AND alert_id BETWEEN t.alert_id AND t.alert_id ORDER BY alert_id
            LIMIT 1
        ) a ON true
        -- the side of a charge by an engine of the version before is not known any more once its alert is gone, long after
        WHERE t.kind <> 'range' OR a.side IS NOT NULL
        """

    struct Row: Sendable {
        var subject: Subject
        /// `nil` for a kind whose alerts name none.
        var side: Side?
        var throttle: Throttle
    }

    let devices: [DeviceKey]
    let kinds: [Alert.Kind]

    init(_ devices: [DeviceKey], kinds: [Alert.Kind]) {
        self.devices = devices
        self.kinds = kinds
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        // Each side of a range is charged by itself.
        let sides = kinds.contains(.range) ? Side.allCases.map(\.rawValue) : []
        parameters.append(kinds.map(\.rawValue) + sides)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, parameter) = try (DeviceKey(&row), row.read(Parameter?.self))
        let (account, charged) = try (row.read(Account.ID.self), row.read(String.self))
        let (side, told) = try (Side(rawValue: charged), row.read(Side?.self))
        guard let kind = side == nil ? Alert.Kind(rawValue: charged) : .range else {
            throw UnreadableRow()
        }
        let (chargedAt, alert) = try (row.read(Timestamp.self), row.read(Alert.ID.self))
        let isPending = try row.read(Bool.self)
        return try Row(
            subject: Subject(device: device, parameter: parameter, account: account, kind: kind), side: side ?? told,
            throttle: Throttle(
                runsFrom: chargedAt, pending: isPending ? .stored(alert) : nil, isCritical: row.read(),
                isUnstable: row.read()))
    }
}

extension Episode.Trouble {
    /// - Returns: `nil` where something is missing that the kind must have.
    fileprivate init?(
        _ kind: Alert.Kind, of parameter: Parameter?, side: Side?, worst: Float?, isCritical: Bool,
        stillAt: Timestamp?, flatAt: Float?, differsBy: Float?
    ) {
        switch kind {
        case .range:
            guard let parameter, let side, let worst else { return nil }
            self = .range(
                Episode.Excursion(
                    side: side, worst: parameter.steps(of: worst), isCritical: isCritical, stillAt: stillAt))
        case .silence: self = .silence
        case .fault: self = differsBy.map { .differs(by: $0) } ?? .fault(flatAt: flatAt)
        case .rate: self = .rate
        case .ahead: self = .ahead
        case .byHand: self = .byHand(isCritical: isCritical)
        // A test has no episodes.
        case .test, .way, .signIn, .summary, .proof, .care: return nil
        }
    }
}
