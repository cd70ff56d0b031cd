package import Instants

/// The life of a device as it is known: the latest of each kind, and the days behind it. Times are the database's.
package struct DeviceLife: Hashable, Sendable {
    /// A value with the time at which it came.
    package struct Latest<Value: Hashable & Sendable>: Hashable, Sendable {
        package var value: Value
        package var at: Timestamp

        package init(_ value: Value, at time: Timestamp) {
            self.value = value
            at = time
        }
    }

    /// A day, in UTC. Of a day that said nothing there is none.
    package struct Day: Hashable, Sendable {
        package var day: CivilDay
        /// The least charge, in percent.
        package var battery: Float?
        /// The weakest signal, in dBm.
        package var signal: Int16?
        /// Starts that were seen.
        package var restarts: Int
        /// Silences that began.
        package var silences: Int

        package init(
            _ day: CivilDay, battery: Float? = nil, signal: Int16? = nil, restarts: Int = 0, silences: Int = 0
        ) {
            self.day = day
            self.battery = battery
            self.signal = signal
            self.restarts = restarts
            self.silences = silences
        }
    }

    package var battery: Latest<Float>?
    package var signal: Latest<Int16>?
    /// In the order of time.
    package var days: [Day]

    package init(battery: Latest<Float>? = nil, signal: Latest<Int16>? = nil, days: [Day] = []) {
        self.battery = battery
        self.signal = signal
        self.days = days.sorted { $0.day < $1.day }
    }

    /// The part of it that somebody sees from a time on: of the day of that time nobody knows what was before.
    /// - Parameter beginning: `nil` for all of it.
    package func seen(from beginning: Timestamp?) -> DeviceLife {
        guard let beginning else { return self }
        let first = CivilDay(beginning)
        return DeviceLife(
            battery: battery.flatMap { $0.at >= beginning ? $0 : nil },
            signal: signal.flatMap { $0.at >= beginning ? $0 : nil }, days: days.filter { $0.day > first })
    }

    /// For how many days a day is kept.
    package static let keptDays = 60

    // MARK: Asking for a hand

    /// From so little on a battery asks for a hand, in percent.
    package static let lowBattery: Float = 15
    /// So many days before it is empty a battery asks for a hand.
    package static let soonEmpty = 7
    /// A signal so weak loses messages, in dBm.
    package static let weakSignal: Int16 = -80
    /// Restarts of a day from which they ask for a hand: an update and a power cut are two.
    package static let manyRestarts = 3

    package func isBatteryLow(now: Timestamp) -> Bool {
        guard let battery else { return false }
        return battery.value <= Self.lowBattery || daysLeft(now: now).map { $0 <= Self.soonEmpty } ?? false
    }

    package var isSignalWeak: Bool { signal.map { $0.value <= Self.weakSignal } ?? false }
}

extension DeviceLife {
    // MARK: The battery's course

    private static let shortestCourse = 7
    private static let longestCourse = 30
    private static let leastPoints = 5
    /// A rise by so much is another battery, or a charge: the course begins anew.
    private static let charged: Float = 10
    /// A fall below this, in percent a day, is none that days can be counted by.
    private static let leastFall = 0.1
    /// The most days that are told.
    private static let furthest = 365

    /// In how many days the battery is empty, if it goes on as in the last weeks: by a straight line through the least of each day.
    /// - Returns: `nil` where less than a week is known since it was charged, or where it does not fall.
    package func daysLeft(now: Timestamp) -> Int? {
        guard let battery, now - battery.at < .seconds(Int64(Self.shortestCourse) * 86_400) else { return nil }
        var course: [(day: Double, charge: Double)] = []
        var former: Float?
        for day in days where day.day + Self.longestCourse >= CivilDay(now) {
            guard let charge = day.battery else { continue }
            if let former, charge >= former + Self.charged { course = [] }
            former = charge
            course.append((Double(day.day.number), Double(charge)))
        }
        // Charged since the least of today.
        if let former, battery.value >= former + Self.charged { return nil }
        guard course.count >= Self.leastPoints, let first = course.first, let last = course.last,
            last.day - first.day >= Double(Self.shortestCourse)
        else { return nil }
        let (middle, mean) = (
            course.map(\.day).reduce(0, +) / Double(course.count),
            course.map(\.charge).reduce(0, +) / Double(course.count)
        )
        var (together, spread) = (0.0, 0.0)
        for (day, charge) in course {
            together += (day - middle) * (charge - mean)
            spread += (day - middle) * (day - middle)
        }
        let fall = -together / spread
        guard fall >= Self.leastFall else { return nil }
        let left = Double(battery.value) / fall
        return left > Double(Self.furthest) ? nil : Int(left.rounded())
    }

    // MARK: Restarts

    /// The days that are looked at for restarts.
    private static let restartDays = 7

    /// Restarts a day, as the mean of the days of the last week on which it said anything; zero where it seldom starts anew.
    package func restartsADay(now: Timestamp) -> Int {
        let week = days.filter { $0.day + Self.restartDays > CivilDay(now) && $0.day <= CivilDay(now) }
        guard !week.isEmpty else { return 0 }
        let mean = (Double(week.map(\.restarts).reduce(0, +)) / Double(week.count)).rounded()
        return mean >= Double(Self.manyRestarts) ? Int(mean) : 0
    }
}
