package import Instants
package import Postgres
package import WaterQuality

/// One parameter's values that the transaction's person may see in a short period, oldest first, as engines evaluate
/// them.
package struct ReadPastValues: Statement {
    package static let sql = """
        SELECT event_time, value, received_at, is_history FROM (
            SELECT event_time, \(SeriesSource.column()) AS value, received_at, flags & 2 <> 0 AS is_history
            FROM person_sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz AND (flags & 2 = 0 OR $6)
        ) AS message
        WHERE value IS NOT NULL
        ORDER BY event_time
        """

    package struct Row: Sendable {
        package var time: Timestamp
        package var value: Float
        package var receivedAt: Timestamp
        /// Whether engines never evaluate it (`Sample.Flags.notEvaluated`).
        package var isHistory = false
    }

    let source: SeriesSource
    let withHistory: Bool

    /// - Parameter withHistory: Whether to include values that engines never evaluate.
    package init(_ watch: WatchKey, in period: Range<Timestamp>, withHistory: Bool = false) {
        source = SeriesSource(device: watch.device, parameter: watch.parameter, period: period)
        self.withHistory = withHistory
    }

    package func bind(_ parameters: inout Parameters) {
        source.bind(&parameters)
        parameters.append(withHistory)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(time: row.read(), value: row.read(), receivedAt: row.read(), isHistory: row.read())
    }
}

/// Past readings for a replay, gathered in pieces from the end of a period backwards, so that no connection is held for
/// long.
package struct PastReadings: Sendable {
    /// The most readings that limits are tried on, more than a device that sends every ten seconds has in 30 days. Of a
    /// device that sends more often, the newest are used.
    package static let most = 300_000

    private let parameter: Parameter
    private let most: Int
    private var pages: PeriodPages
    /// The pieces, newest first; each is in ascending order.
    private var pieces: [[PastReading]] = []
    package private(set) var count = 0

    package init(of parameter: Parameter, in period: Range<Timestamp>, most: Int = PastReadings.most) {
        self.parameter = parameter
        self.most = most
        pages = PeriodPages(period, .newestFirst)
    }

    /// The next piece to read; `nil` if all have been read.
    package mutating func nextPage() -> Range<Timestamp>? {
        count < most ? pages.next() : nil
    }

    /// Adds the rows of the last piece.
    package mutating func add(_ rows: [ReadPastValues.Row]) {
        pages.note(rows: rows.count)
        count += rows.count
        guard !rows.isEmpty else { return }
        pieces.append(
            rows.map { row in
                PastReading(
                    reading: Reading(time: row.time, value: parameter.steps(of: row.value)), receivedAt: row.receivedAt,
                    isHistory: row.isHistory)
            })
    }

    /// The time of the oldest reading; `nil` if there is none.
    package var first: Timestamp? { pieces.last?.first?.reading.time }

    /// All readings, oldest first.
    package var all: [PastReading] { pieces.reversed().flatMap(\.self) }

    /// The part of a period that the readings cover: if there are too many, it begins with the oldest reading that is
    /// used.
    package func covered(of period: Range<Timestamp>) -> Range<Timestamp> {
        guard count >= most, let first else { return period }
        return first..<max(first, period.upperBound)
    }

    /// Back-tests ranges on all readings. Yields between pieces, where the task may also be cancelled.
    /// - Parameters:
    ///   - work: Work on the water, by the device's clock.
    ///   - timed: Limits at other times, likewise.
    package func tests(
        of ranges: [SafeRange], rules: WatchRules = .none, policy: AlertPolicy, work: [Work] = [],
        timed: TimedLimits? = nil
    ) async throws -> [BackTest] {
        try await run(ranges.map { BackTest($0, rules: rules, policy: policy, work: work, timed: timed) })
    }

    /// The same with back-tests of rules of their own.
    package func run(_ tests: [BackTest]) async throws -> [BackTest] {
        var tests = tests
        for piece in pieces.reversed() {
            try Task.checkCancellation()
            for index in tests.indices { tests[index].add(piece.lazy.map(\.reading)) }
            await Task.yield()
        }
        return tests
    }
}

/// Sets the person of a transaction whose role may act for everybody: views then show what they show that person.
package struct ActForPerson: Statement {
    package static let sql = "SELECT name_person($1)"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
}
