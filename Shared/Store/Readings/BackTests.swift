package import Instants
package import Postgres
package import WaterQuality

/// A parameter of a device that a person has, with what a back-test of its limits needs to know.
package struct BackTestSubject: Sendable {
    package let watch: WatchKey
    /// The limits as they are.
    package let range: PersonalRange
    /// The person's own throttle interval.
    package let throttle: Duration?
    /// The database's clock.
    package let now: Timestamp

    /// The operator's policy as it is for this person.
    package func policy(_ operators: AlertPolicy) -> AlertPolicy {
        var policy = operators
        if let throttle { policy.throttle = throttle }
        return policy
    }
}

/// Finds the subject of a back-test. No row: the person has no such device now.
package struct FindBackTestSubject: Statement {
    package static let sql = """
        SELECT g.slot, g.device_id, g.parameter, g.account_id, g.unit, g.minimum, g.maximum, g.critical_minimum,
            g.critical_maximum, g.delay_seconds, g.tells_unstable, a.throttle_seconds, clock_timestamp()
        FROM device d
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        JOIN setting g ON g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id
            AND g.valid_until IS NULL
        WHERE d.hardware_id = $1 AND o.account_id = $2 AND g.parameter = $3
        """

    let device: Device.HardwareID
    let account: Account.ID
    let parameter: Parameter

    package init(_ parameter: Parameter, of device: Device.HardwareID, for account: Account.ID) {
        self.device = device
        self.account = account
        self.parameter = parameter
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.text)
        parameters.append(account)
        parameters.append(parameter)
    }

    package static func decode(_ row: inout RowReader) throws -> BackTestSubject {
        let watch = try WatchKey(&row)
        let unit = try Unit(rawValue: row.read(String.self))
        let (minimum, maximum) = try (row.read(Int32?.self), row.read(Int32?.self))
        var range = PersonalRange(
            parameter: watch.parameter, unit: unit ?? watch.parameter.canonicalUnit,
            minimum: minimum.map { Steps($0) }, maximum: maximum.map { Steps($0) })
        range.criticalMinimum = try row.read(Int32?.self).map { Steps($0) }
        range.criticalMaximum = try row.read(Int32?.self).map { Steps($0) }
        range.delay = .seconds(Int64(try row.read(Int32.self)))
        range.tellsUnstable = try row.read()
        let throttle = try row.read(Int32?.self)
        return BackTestSubject(
            watch: watch, range: range,
            throttle: throttle.map { .seconds(Int64($0)) }, now: try row.read())
    }
}

/// The values of one parameter that the person of the transaction sees in a short period, oldest first, in the form that is
/// decided on. What engines never decide on (`Sample.Flags.notEvaluated`) is not among them.
package struct ReadDecidedValues: Statement {
    package static let sql = """
        SELECT event_time, value FROM (
            SELECT event_time, \(SeriesSource.column()) AS value FROM person_sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz AND flags & 2 = 0
        ) AS message
        WHERE value IS NOT NULL
        ORDER BY event_time
        """

    package struct Row: Sendable {
        package var time: Timestamp
        package var value: Float
    }

    let source: SeriesSource

    package init(_ watch: WatchKey, in period: Range<Timestamp>) {
        source = SeriesSource(device: watch.device, parameter: watch.parameter, period: period)
    }

    package func bind(_ parameters: inout Parameters) { source.bind(&parameters) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(time: row.read(), value: row.read())
    }
}

/// The readings that limits are tried on, gathered from now backwards in pieces, so that no connection is held for long.
package struct PastReadings: Sendable {
    /// A device that sends every ten seconds has less in 30 days. Of one that sends more often, the newest count.
    package static let most = 300_000

    private let parameter: Parameter
    private let most: Int
    private var pages: PeriodPages
    /// Newest first, each oldest first.
    private var pieces: [[Reading]] = []
    package private(set) var count = 0

    package init(of parameter: Parameter, in period: Range<Timestamp>, most: Int = PastReadings.most) {
        self.parameter = parameter
        self.most = most
        pages = PeriodPages(period, .newestFirst)
    }

    /// The next piece to read; `nil` when all are there.
    package mutating func nextPage() -> Range<Timestamp>? {
        count < most ? pages.next() : nil
    }

    /// Adds the rows of the last piece.
    package mutating func add(_ rows: [ReadDecidedValues.Row]) {
        pages.note(rows: rows.count)
        count += rows.count
        guard !rows.isEmpty else { return }
        pieces.append(rows.map { Reading(time: $0.time, value: parameter.steps(of: $0.value)) })
    }

    /// The time of the oldest; `nil` where there is none.
    package var first: Timestamp? { pieces.last?.first?.time }

    /// Tries ranges on all of them. Between pieces others have their turn, and the task may be cancelled.
    package func tests(
        of ranges: [SafeRange], rules: WatchRules = .none, policy: AlertPolicy
    ) async throws -> [BackTest] {
        var tests = ranges.map { BackTest($0, rules: rules, policy: policy) }
        for piece in pieces.reversed() {
            try Task.checkCancellation()
            for index in tests.indices { tests[index].add(piece) }
            await Task.yield()
        }
        return tests
    }
}

/// Names the person of a transaction for a role that may act for everybody: views then show it what they show that person.
package struct ActForPerson: Statement {
    package static let sql = "SELECT set_config('aqua.account', $1::bigint::text, true)"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
}
