package import Instants
package import Postgres
package import WaterQuality

/// The values of one parameter that the person of the transaction sees in a short period, oldest first, as they are decided on.
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
        /// Whether engines never decide on it (`Sample.Flags.notEvaluated`).
        package var isHistory = false
    }

    let source: SeriesSource
    let withHistory: Bool

    /// - Parameter withHistory: Whether what engines never decide on is among them.
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

/// Readings that are decided once more, gathered from the end of a period backwards in pieces, so that no connection is held
/// for long.
package struct PastReadings: Sendable {
    /// The most that limits are tried on: a device that sends every ten seconds has less in 30 days. Of one that sends more
    /// often, the newest count.
    package static let most = 300_000

    private let parameter: Parameter
    private let most: Int
    private var pages: PeriodPages
    /// Newest first, each oldest first.
    private var pieces: [[PastReading]] = []
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

    /// The time of the oldest; `nil` where there is none.
    package var first: Timestamp? { pieces.last?.first?.reading.time }

    /// All of them, oldest first.
    package var all: [PastReading] { pieces.reversed().flatMap(\.self) }

    /// As much of a period as they cover: where there are too many, it begins with the oldest that counts.
    package func covered(of period: Range<Timestamp>) -> Range<Timestamp> {
        guard count >= most, let first else { return period }
        return first..<max(first, period.upperBound)
    }

    /// Tries ranges on all of them. Between pieces others have their turn, and the task may be cancelled.
    package func tests(
        of ranges: [SafeRange], rules: WatchRules = .none, policy: AlertPolicy
    ) async throws -> [BackTest] {
        var tests = ranges.map { BackTest($0, rules: rules, policy: policy) }
        for piece in pieces.reversed() {
            try Task.checkCancellation()
            for index in tests.indices { tests[index].add(piece.lazy.map(\.reading)) }
            await Task.yield()
        }
        return tests
    }
}

/// Names the person of a transaction for a role that may act for everybody: views then show it what they show that person.
package struct ActForPerson: Statement {
    package static let sql = "SELECT name_person($1)"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
}
