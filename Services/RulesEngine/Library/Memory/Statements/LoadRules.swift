import Instants
import Postgres
import Store
import WaterQuality

/// The devices whose rules changed after the given version of their slot's rules.
struct FindChangedDevices: Statement {
    static let sql = """
        SELECT d.slot, d.device_id
        FROM unnest($1::smallint[], $2::bigint[]) AS known (slot, version)
        JOIN device d ON d.slot = known.slot AND d.rules_version > known.version
        """

    let known: [(slot: Slot, version: Int64)]

    func bind(_ parameters: inout Parameters) {
        parameters.append(known.map(\.slot))
        parameters.append(known.map(\.version))
    }

    static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

/// The current rules of owned devices, one row for each person and parameter.
struct LoadRules: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, o.account_id, \(Ownership.toldFrom), a.throttle_seconds,
            s.parameter, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum, \(WatchSetting.columns(of: "s.")),
            (SELECT p.chosen_at FROM temperature_probe p WHERE p.slot = o.slot AND p.device_id = o.device_id),
            (SELECT d.kind = 'site' FROM device d WHERE d.slot = o.slot AND d.device_id = o.device_id),
            s.periods::text, now() + interval '\(knownAhead)',
            \(LimitTurns.columns(of: "s.", since: "now() - interval '\(knownBack)'", until: "now() + interval '\(knownAhead)'"))
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN ownership o ON o.slot = wanted.slot AND o.device_id = wanted.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        JOIN setting s ON s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id
            AND s.valid_until IS NULL AND s.parameter < \(Parameter.count)
        """

    /// For how long an engine knows what holds when: readings come a week late, and a backlog of a week may be waiting.
    private static let (knownBack, knownAhead) = ("16 days", "3 days")

    struct Row: Sendable {
        var key: DeviceKey
        var account: Account.ID
        /// For an owner the end of the previous ownership, if there was one, and for a watcher the time of joining. Nothing is decided
        /// for this person of earlier readings, whether they may see them or not.
        var theirsFrom: Timestamp?
        /// The person's throttle interval, if they set one.
        var throttleSeconds: Int32?
        var parameter: Parameter
        /// The limits, in whole sensor steps.
        var minimum: Int32?
        var maximum: Int32?
        var criticalMinimum: Int32?
        var criticalMaximum: Int32?
        var settings: WatchSettings
        /// When somebody last chose another temperature probe.
        var probeChosenAt: Timestamp?
        /// Whether it is a site, whose readings come from elsewhere.
        var isSite: Bool
        /// Limits at other times; nearly always none.
        var periods: LimitPeriods?
        /// Until when the turns are known, by the database's clock.
        var knownUntil: Timestamp
        var turns: LimitTurns

        /// The limits, and what is asked beside them.
        var range: PersonalRange {
            var range = PersonalRange(
                parameter: parameter, unit: parameter.canonicalUnit, minimum: minimum.map { Steps($0) },
                maximum: maximum.map { Steps($0) })
            range.criticalMinimum = criticalMinimum.map { Steps($0) }
            range.criticalMaximum = criticalMaximum.map { Steps($0) }
            range.settings = settings
            range.periods = periods
            return range
        }
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            key: DeviceKey(&row), account: row.read(), theirsFrom: row.read(), throttleSeconds: row.read(),
            parameter: row.read(), minimum: row.read(), maximum: row.read(), criticalMinimum: row.read(),
            criticalMaximum: row.read(), settings: WatchSettings(&row), probeChosenAt: row.read(),
            isSite: row.read(), periods: LimitPeriods(stored: row.read()), knownUntil: row.read(),
            turns: LimitTurns(&row))
    }
}
