import Instants
package import Postgres
import Store
import WaterQuality

/// Puts some days of devices that wait for it to QARTOD's tests, in a transaction of its own.
///
/// Most days pass by what their hours come to; the values are read only where that leaves something to find. Each day costs a bounded
/// time, and who has waited longest comes first: a device whose values are all wrong keeps nobody waiting.
package struct ReviewStep: Sendable {
    package struct Limits: Sendable {
        /// The most days of one transaction.
        package var days = 64
        /// The number of messages after which the other days wait for the next transaction.
        package var messages = 50_000
        /// The most values that a day is judged by: each parameter once a second.
        package var values = 3_200_000

        package init() {}
    }

    private static let page = 10_000
    private let limits: Limits

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// - Returns: How many days were put to the tests; 0 when none waits, or another Ingestor does it.
    package func perform(_ transaction: PostgresTransaction) throws -> Int {
        var (reviewed, messages) = (0, 0)
        for day in try transaction.execute(ClaimDueDays(limit: limits.days)) where messages < limits.messages {
            messages += try review(day, transaction)
            try transaction.perform(EndDueDay(day))
            reviewed += 1
        }
        return reviewed
    }

    /// - Returns: The number of messages that were read.
    private func review(_ day: DueDay, _ transaction: PostgresTransaction) throws -> Int {
        let hours = try transaction.execute(ReadWindowHours(day))
        let suspicion = Self.suspicion(hours)
        guard !suspicion.isEmpty else { return 0 }
        var flags = DayFlags(of: day.start)
        var messages = 0
        if hours.reduce(0, { $0 + $1.count }) > limits.values {
            for hour in hours { flags.skip(hour.start, hour.least.present & suspicion.mask) }
        } else {
            var reviews = suspicion.parameters.map {
                (parameter: $0, review: DayReview(of: day.start, $0.qualityThresholds))
            }
            messages = try read(day, suspicion, transaction) { message in
                for index in reviews.indices {
                    guard let value = message.readings[reviews[index].parameter] else { continue }
                    reviews[index].review.add(value, at: message.time)
                }
            }
            for (parameter, review) in reviews { flags.take(review.found, of: parameter) }
        }
        try transaction.perform(WriteHourFlags(flags, of: day.device, suspicion))
        try transaction.perform(WriteDayFlags(flags, of: day.device, suspicion))
        return messages
    }

    /// The parameters of which the values have to be read: those that may be flagged, and those that are.
    private static func suspicion(_ hours: [ReadWindowHours.Row]) -> ParameterSet {
        var mask: UInt32 = 0
        for parameter in Parameter.allCases {
            var screen = QualityScreen(parameter.qualityThresholds)
            for hour in hours {
                guard let least = hour.least[parameter], let greatest = hour.greatest[parameter] else { continue }
                screen.add(hour.start, least: least, greatest: greatest)
            }
            if screen.hasSuspicion { mask |= parameter.bit }
        }
        return ParameterSet(mask: hours.reduce(mask) { $0 | $1.flagged })
    }

    private func read(
        _ day: DueDay, _ parameters: ParameterSet, _ transaction: PostgresTransaction, _ body: (ListSamples.Row) -> Void
    ) throws -> Int {
        var count = 0
        var last: Timestamp?
        while true {
            let rows = try transaction.execute(ReadWindowSamples(day, parameters, after: last, limit: Self.page))
            rows.forEach(body)
            count += rows.count
            guard rows.count == Self.page else { return count }
            last = rows.last?.time
        }
    }
}
