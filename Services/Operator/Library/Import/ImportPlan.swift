import Instants
import Store

/// The days of an import, divided into parts that one short transaction each stores.
struct ImportPlan: Hashable {
    /// The form in which a day's rows are stored.
    enum Kind: Hashable, Sendable {
        case messages, hours, days

        /// The most days of a part.
        fileprivate var mostDays: Int { self == .days ? 92 : 31 }
    }

    struct Part: Hashable, Sendable {
        var kind: Kind
        var days: [Timestamp]
        var rows: Int64
        /// Days with nothing stored yet.
        var unknown: [Timestamp]

        var period: Range<Timestamp> { days[0]..<days[days.count - 1] + RollUpSchedule.day }
    }

    private(set) var parts: [Part] = []

    private static let mostRows: Int64 = 50_000

    /// - Parameters:
    ///   - days: Oldest first.
    ///   - messagesSince: The first day that is kept message by message.
    ///   - hoursSince: The first day that is kept by the hour.
    init(_ days: [ListImportedDays.Row], messagesSince: Timestamp, hoursSince: Timestamp) {
        for day in days {
            let kind = Self.kind(of: day, messagesSince, hoursSince)
            let unknown = !day.hasMessages && !day.hasHours && !day.hasDay ? [day.start] : []
            if var last = parts.last, last.kind == kind, last.days.count < kind.mostDays,
                last.period.lowerBound + RollUpSchedule.day * kind.mostDays > day.start,
                last.rows + day.rows <= Self.mostRows
            {
                last.days.append(day.start)
                last.rows += day.rows
                last.unknown += unknown
                parts[parts.count - 1] = last
            } else {
                parts.append(Part(kind: kind, days: [day.start], rows: day.rows, unknown: unknown))
            }
        }
    }

    /// The form of a day. A day whose messages, or hours, were dropped stays as it is, however long they are kept now:
    /// it is never rebuilt from a part of its data.
    private static func kind(of day: ListImportedDays.Row, _ messages: Timestamp, _ hours: Timestamp) -> Kind {
        if day.start >= messages, day.hasMessages || !day.hasHours && !day.hasDay { return .messages }
        if day.start >= hours, day.hasHours || !day.hasDay { return .hours }
        return .days
    }
}
