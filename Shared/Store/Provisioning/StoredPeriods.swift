import FoundationEssentials
package import Instants
package import Postgres
package import WaterQuality

/// Periods of limits as they are stored (0088_limit_periods.sql): minutes of the day, months and days as one number, limits in sensor steps.
private struct StoredPeriods: Codable {
    struct Period: Codable {
        var from: Int?
        var until: Int?
        var first: Int?
        var last: Int?
        var minimum: Int32?
        var maximum: Int32?
        var criticalMinimum: Int32?
        var criticalMaximum: Int32?

        init(_ period: LimitPeriod) {
            from = period.hours?.begins
            until = period.hours?.ends
            first = period.season?.first.number
            last = period.season?.last.number
            minimum = period.minimum?.count
            maximum = period.maximum?.count
            criticalMinimum = period.criticalMinimum?.count
            criticalMaximum = period.criticalMaximum?.count
        }

        var period: LimitPeriod? {
            let hours = from.flatMap { from in until.flatMap { LimitPeriod.Hours(begins: from, ends: $0) } }
            let days = (first.flatMap(LimitPeriod.Day.init(number:)), last.flatMap(LimitPeriod.Day.init(number:)))
            let season: LimitPeriod.Season? =
                if case (let first?, let last?) = days { LimitPeriod.Season(first: first, last: last) } else { nil }
            return LimitPeriod(
                hours: hours, season: season, minimum: minimum.map { Steps($0) }, maximum: maximum.map { Steps($0) },
                criticalMinimum: criticalMinimum.map { Steps($0) }, criticalMaximum: criticalMaximum.map { Steps($0) })
        }
    }

    var zone: String
    var periods: [Period]
}

/// A newer version's periods, or none.
private struct UnreadablePeriods: Error {}

extension LimitPeriods {
    /// - Throws: An error for what is no such text, or holds up nowhere.
    package init?(stored text: String?) throws {
        guard let text else { return nil }
        let stored = try JSONDecoder().decode(StoredPeriods.self, from: Data(text.utf8))
        let all = stored.periods.compactMap(\.period)
        guard all.count == stored.periods.count else { throw UnreadablePeriods() }
        try self.init(all, zone: stored.zone)
    }

    /// The text that is stored.
    package var stored: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let periods = StoredPeriods(zone: zone, periods: all.map(StoredPeriods.Period.init))
        // Names, numbers and nothing else: it cannot fail.
        return (try? encoder.encode(periods)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension LimitTurns {
    /// The turns of the periods of a setting in a time, as two lists; empty without periods.
    /// - Parameters:
    ///   - setting: The setting's name, with a dot.
    ///   - since, until: Times in SQL.
    package static func columns(of setting: String, since: String, until: String) -> String {
        """
        CASE WHEN \(setting)periods IS NULL THEN '{}'::timestamptz[]
                ELSE ARRAY(SELECT t.at FROM limit_turns(\(setting)periods, \(since), \(until)) t ORDER BY t.at) END,
            CASE WHEN \(setting)periods IS NULL THEN '{}'::smallint[]
                ELSE ARRAY(SELECT t.place FROM limit_turns(\(setting)periods, \(since), \(until)) t ORDER BY t.at) END
        """
    }

    /// Reads the two lists.
    package init(_ row: inout RowReader) throws {
        let (times, places) = try (row.read([Timestamp].self), row.read([Int16].self))
        self.init(
            zip(times, places).map { Turn(at: $0, place: Place(stored: $1)) })
    }
}

/// When which of some periods hold, in a time.
package struct ReadLimitTurns: Statement {
    package static let sql = """
        SELECT ARRAY(SELECT t.at FROM limit_turns(p.periods::jsonb, $2, $3) t ORDER BY t.at),
            ARRAY(SELECT t.place FROM limit_turns(p.periods::jsonb, $2, $3) t ORDER BY t.at)
        FROM unnest($1::text[]) WITH ORDINALITY AS p (periods, place)
        ORDER BY p.place
        """

    let periods: [LimitPeriods]
    let time: Range<Timestamp>

    package init(of periods: [LimitPeriods], in time: Range<Timestamp>) {
        self.periods = periods
        self.time = time
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(periods.map(\.stored))
        parameters.append(time.lowerBound)
        parameters.append(time.upperBound)
    }

    package static func decode(_ row: inout RowReader) throws -> LimitTurns { try LimitTurns(&row) }
}

extension PostgresTransaction {
    /// When which limits of some ranges hold in a time, in their order; nothing is asked where none has periods.
    package func turns(of ranges: [PersonalRange], in time: Range<Timestamp>) throws -> [LimitTurns] {
        let periods = ranges.compactMap(\.periods)
        guard !periods.isEmpty else { return ranges.map { _ in .none } }
        var found = try execute(ReadLimitTurns(of: periods, in: time))[...]
        return ranges.map { $0.periods == nil ? .none : found.popFirst() ?? .none }
    }
}
