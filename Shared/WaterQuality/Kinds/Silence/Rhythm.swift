package import Instants

private let day = Duration.seconds(86_400)

/// How a device, or one of its parameters, is known to pause between readings, by receipts. Pure: looks add what they find, and it is
/// kept between them, so that no look reads days of readings.
///
/// The usual interval is the longest pause that recurs. A device that wakes, sends several readings and sleeps pauses for as long as
/// it sleeps, however short the pauses between those readings are; one that reports changes, for as long as its water stays the same.
package struct Rhythm: Hashable, Sendable {
    /// A time between two readings in which none came.
    package struct Pause: Hashable, Sendable {
        package var from: Timestamp
        package var until: Timestamp
        package var length: Duration { until - from }

        package init(from: Timestamp, until: Timestamp) {
            self.from = from
            self.until = until
        }
    }

    /// What a look has found in the readings.
    package struct Finding: Hashable, Sendable {
        /// The receipts of the first and of the last reading that it saw.
        package var first: Timestamp
        package var last: Timestamp
        package var readings: Int
        /// Over which time what came in one go had been measured; zero where readings did not come in one go.
        package var gathered: Duration
        /// In the order of time.
        package var pauses: [Pause]

        package init(first: Timestamp, last: Timestamp, readings: Int, gathered: Duration = .zero, pauses: [Pause] = [])
        {
            self.first = first
            self.last = last
            self.readings = readings
            self.gathered = gathered
            self.pauses = pauses
        }
    }

    /// The receipt of the first reading that is known, and of the last.
    package private(set) var since: Timestamp
    package private(set) var until: Timestamp
    /// How many readings are known; no more than are needed are counted.
    package private(set) var readings: Int
    package private(set) var gathered: Duration
    /// In the order of time. Of pauses of about the same length the last three are kept, and of the last days the longest of each hour.
    package private(set) var pauses: [Pause]

    package init(since: Timestamp, until: Timestamp, readings: Int, gathered: Duration, pauses: [Pause]) {
        self.since = since
        self.until = until
        self.readings = readings
        self.gathered = gathered
        self.pauses = pauses
    }

    package init(_ finding: Finding) {
        self.init(
            since: finding.first, until: finding.last, readings: min(finding.readings, Self.leastReadings),
            gathered: finding.gathered, pauses: finding.pauses)
        forget()
    }

    // MARK: Learning

    /// Before so many readings nothing is usual.
    package static let leastReadings = 3
    /// What happens so often recurs: once may be an outage, twice a coincidence.
    private static let recurrences = 3
    /// What comes every day may come so much later on the next.
    private static let nextDay = Duration.seconds(25 * 3_600)

    /// - Parameter listeningSince: Since when we have listened without a break. What nobody heard before was no pause of the device's.
    package mutating func learn(_ finding: Finding, listeningSince: Timestamp) {
        for pause in finding.pauses where pause.until > until {
            let heard = Pause(from: max(pause.from, listeningSince), until: pause.until)
            if heard.length > .zero { pauses.append(heard) }
        }
        // Either may have been of a clock of ours that was wrong.
        since = min(since, finding.first)
        until = finding.last
        readings = max(readings, min(finding.readings, Self.leastReadings))
        forget()
    }

    // MARK: Judging

    /// What a device of which too little is known is given: three times an hour, the slowest pace that is common.
    package static let unknown = Duration.seconds(3 * 3_600)

    /// How long nothing may come after a reading, and whether that is known: at least three readings have come, for as long as the device
    /// may now be silent.
    package func allowance(after heardAt: Timestamp, _ policy: AlertPolicy) -> (length: Duration, isKnown: Bool) {
        let ordinary = Hearing.allowance(usual: usual(after: heardAt), policy: policy)
        if readings >= Self.leastReadings, heardAt - since >= ordinary { return (ordinary, true) }
        return (max(ordinary, Self.unknown, gathered * Hearing.intervals), false)
    }

    /// The longest pause that recurs and may come after a reading; zero where there is none that a look would find.
    ///
    /// A pause of some length recurs when it, or a longer one, has come three times, each a day after the one before at the latest, or
    /// four times its own length. It is over when it has not come for three times as long as it ever stayed away. While a
    /// device is younger than four of its pauses, the longest that it has made counts.
    package func usual(after heardAt: Timestamp) -> Duration {
        for length in Set(pauses.map(\.length)).sorted(by: >) {
            let course = Course(of: pauses.filter { $0.length >= length }, atMost: max(Self.nextDay, length * 4))
            let isYoung = heardAt - since < length * 4
            let recurs = course.pauses.count >= Self.recurrences && heardAt - course.last <= course.cycle * 3
            guard isYoung || recurs else { continue }
            if recurs, !isYoung, heardAt - since > day * 2, !course.isExpected(after: heardAt) { continue }
            return length
        }
        return .zero
    }

    /// Pauses of one length or longer, as they have followed each other of late.
    private struct Course {
        let pauses: ArraySlice<Pause>
        /// The end of the last, and the longest time from the end of one to that of the next.
        let last: Timestamp
        let cycle: Duration

        /// - Parameter interval: Those that ended longer before the next are of another time.
        init(of pauses: [Pause], atMost interval: Duration) {
            var first = pauses.endIndex - 1
            var cycle = Duration.zero
            while first > pauses.startIndex, case let step = pauses[first].until - pauses[first - 1].until,
                step <= interval
            {
                cycle = max(cycle, step)
                first -= 1
            }
            self.pauses = pauses[first...]
            self.cycle = cycle
            last = pauses[pauses.endIndex - 1].until
        }

        /// Whether it may come at this hour. Of a device that sleeps at night only, that is not said of noon: it does where each pause
        /// of the last two days came at about the same hour on the day before.
        func isExpected(after time: Timestamp) -> Bool {
            let lately = pauses.filter { $0.from > time - day * 2 }
            let comesDaily =
                !lately.isEmpty && lately.allSatisfy { began(about: $0.from - day, within: .seconds(2 * 3_600)) }
            return !comesDaily || (1...2).contains { began(about: time - day * $0, within: .seconds(3 * 3_600)) }
        }

        private func began(about time: Timestamp, within slack: Duration) -> Bool {
            pauses.contains { $0.from >= time - slack && $0.from <= time + slack }
        }
    }

    // MARK: Forgetting

    /// For so long the longest pause of each hour is kept, so that days can be compared.
    private static let compared = Duration.seconds(76 * 3_600)
    /// Nothing is kept for longer. A device that pauses for a weekend does so three times in that time.
    private static let kept = Duration.seconds(35 * 86_400)

    private mutating func forget() {
        var ofLength: [Int: Int] = [:]
        var longest: [Int64: Duration] = [:]
        for pause in pauses { longest[pause.hour] = max(longest[pause.hour] ?? .zero, pause.length) }
        var left: [Pause] = []
        for pause in pauses.reversed() where pause.until > until - Self.kept {
            ofLength[pause.lengthClass, default: 0] += 1
            let isOfTheLast = ofLength[pause.lengthClass, default: 0] <= Self.recurrences
            if isOfTheLast || (pause.until > until - Self.compared && longest[pause.hour] == pause.length) {
                left.append(pause)
            }
        }
        pauses = left.reversed()
    }
}

extension Rhythm.Pause {
    fileprivate var hour: Int64 { until.microseconds / 3_600_000_000 }

    /// Two for each doubling, so that lengths of one class differ by less than half.
    fileprivate var lengthClass: Int {
        let seconds = UInt64(max(1, length.wholeMicroseconds / 1_000_000))
        let power = UInt64.bitWidth - 1 - seconds.leadingZeroBitCount
        return power * 2 + (seconds * seconds >= 1 << UInt64(power * 2 + 1) ? 1 : 0)
    }
}
