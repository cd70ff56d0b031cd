package import Instants
package import Postgres
package import WaterQuality

/// Reads the instants at which clocks show civil times, for a whole list at once: PostgreSQL alone knows zones. Of two it is the first
/// (`civil_instant`).
package struct ReadInstants: Statement {
    package static let sql =
        "SELECT at FROM civil_instants($1, ARRAY(SELECT t::timestamp FROM unnest($2::text[]) WITH ORDINALITY AS u (t, place) ORDER BY place)) AS at"

    let zones: [String]
    let times: [CivilTime]

    package init(_ times: [(zone: String, time: CivilTime)]) {
        zones = times.map(\.zone)
        self.times = times.map(\.time)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(zones)
        parameters.append(times.map(\.minuteText))
    }

    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The instants of civil times, by zone.
package struct CivilInstants: Sendable {
    private let found: [String: [CivilTime: Timestamp]]

    package subscript(zone: String) -> [CivilTime: Timestamp] { found[zone] ?? [:] }

    /// Reads what is asked for, each once.
    package init(_ wanted: [String: Set<CivilTime>], in transaction: PostgresTransaction) throws {
        let list = wanted.flatMap { zone, times in times.map { (zone: zone, time: $0) } }
        let instants = list.isEmpty ? [] : try transaction.execute(ReadInstants(list))
        var found: [String: [CivilTime: Timestamp]] = [:]
        for (place, instant) in zip(list, instants) { found[place.zone, default: [:]][place.time] = instant }
        self.found = found
    }

    /// Reads the candidates of courses.
    package init(
        of courses: [ReminderCourse], around now: Timestamp, range: ClosedRange<CivilDay>? = nil,
        beside others: [String: Set<CivilTime>] = [:], in transaction: PostgresTransaction
    ) throws {
        var wanted = others
        for course in courses {
            wanted[course.rule.zone, default: []].formUnion(course.candidates(around: now, and: range))
        }
        try self.init(wanted, in: transaction)
    }
}
