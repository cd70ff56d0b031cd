package import Instants
package import Postgres
package import WaterQuality

/// Puts some due days of devices to QARTOD's tests, in a transaction of its own.
///
/// The hours' extremes settle most days; values are read only for parameters that these leave open. Each day costs a
/// bounded time, and the one that has waited longest comes first, so a device with only wrong values delays nobody.
/// Neither does a day that fails: from then on it is tested after the others, and alone.
package struct ReviewStep: Sendable {
    package struct Limits: Sendable {
        /// The most days of one transaction.
        package var days = 64
        /// The number of messages after which further days wait for the next transaction.
        package var messages = 50_000
        /// The most messages by which a day is tested: about one a second in its window of 52 hours.
        package var messagesOfDay = 200_000
        /// The time limit of a statement.
        package var statement = Duration.seconds(10)

        package init() {}
    }

    /// A day whose testing failed.
    package struct Failure: Error {
        package var day: DueDay
        package var underlying: any Error
    }

    private static let page = 10_000
    private let limits: Limits

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// - Returns: The number of days tested; 0 if none is due, or another Ingestor tests.
    /// - Throws: `Failure` if a day's testing fails.
    package func perform(_ transaction: PostgresTransaction) throws -> Int {
        try transaction.executeScript("SET LOCAL statement_timeout = \(limits.statement.wholeMicroseconds / 1_000)")
        var (reviewed, messages) = (0, 0)
        for day in try transaction.execute(ClaimDueDays(limit: limits.days)) {
            guard messages < limits.messages, !day.hasFailed || reviewed == 0 else { break }
            do {
                messages += try review(day, transaction)
                try transaction.perform(EndDueDay(day))
            } catch {
                throw Failure(day: day, underlying: error)
            }
            reviewed += 1
            if day.hasFailed { break }
        }
        return reviewed
    }

    /// - Returns: The number of messages read.
    private func review(_ day: DueDay, _ transaction: PostgresTransaction) throws -> Int {
        let hours = try transaction.execute(ReadWindowHours(day))
        let suspicion = Self.suspicion(hours)
        guard !suspicion.isEmpty else { return 0 }
        var flags = DayFlags(of: day.start)
        let messages = day.isGivenUp ? 0 : try judge(day, suspicion, transaction, &flags)
        if day.isGivenUp || messages > limits.messagesOfDay {
            for hour in hours { flags.skip(hour.start, hour.least.present & suspicion.mask) }
        }
        try transaction.perform(WriteHourFlags(flags, of: day.device, suspicion))
        try transaction.perform(WriteDayFlags(flags, of: day.device, suspicion))
        return messages
    }

    /// Tests a day by its messages alone, while the neighbouring hours are not stored yet.
    package func review(
        _ day: Timestamp, of device: DeviceKey, _ parameters: ParameterSet, _ transaction: PostgresTransaction
    ) throws {
        let day = DueDay(device: device, start: day)
        var flags = DayFlags(of: day.start)
        if try judge(day, parameters, transaction, &flags) > limits.messagesOfDay {
            for hour in flags.hours { flags.skip(hour.start, parameters.mask) }
        }
        guard !flags.day.flags.isEmpty else { return }
        try transaction.perform(WriteHourFlags(flags, of: device, parameters))
        try transaction.perform(WriteDayFlags(flags, of: device, parameters))
    }

    /// - Returns: The number of messages read; if it exceeds `messagesOfDay`, nothing was tested.
    private func judge(
        _ day: DueDay, _ parameters: ParameterSet, _ transaction: PostgresTransaction, _ flags: inout DayFlags
    ) throws -> Int {
        var reviews = parameters.parameters.map {
            (parameter: $0, review: DayReview(of: day.start, $0.qualityThresholds))
        }
        let worked = try transaction.execute(FindWorkedPeriods(on: day.device, in: DayReview.window(of: day.start)))
        // After work, and with another owner, values follow from none before.
        var changes = (try transaction.execute(FindOwnerChanges(day)) + worked.map(\.upperBound)).sorted()[...]
        let messages = try read(day, parameters, transaction) { message in
            if worked.contains(where: { $0.contains(message.time) }) { return }
            let isAnew = changes.first.map { $0 <= message.time } ?? false
            changes = changes.drop { $0 <= message.time }
            for index in reviews.indices {
                if isAnew { reviews[index].review.beginAnew() }
                guard let value = message.readings[reviews[index].parameter] else { continue }
                reviews[index].review.add(value, at: message.time)
            }
        }
        guard messages <= limits.messagesOfDay else { return messages }
        for (parameter, review) in reviews { flags.take(review.found, of: parameter) }
        return messages
    }

    /// The parameters whose values have to be read: those that may get a flag, and those that have one.
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
            guard rows.count == Self.page, count <= limits.messagesOfDay else { return count }
            last = rows.last?.time
        }
    }
}
