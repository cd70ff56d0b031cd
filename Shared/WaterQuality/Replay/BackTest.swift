package import Instants

/// What limits would have told a person: every reading is decided by them as if it came the moment it was taken.
///
/// `WatchReplay` decides, so that a back-test cannot differ from what engines do. The person can be reached all the while,
/// and each alert is accepted at once: a back-test tells of limits, not of outages.
package struct BackTest: Sendable {
    /// An alarm that would have been given.
    package struct Alarm: Hashable, Sendable {
        /// The event time of the reading that would have caused it.
        package let time: Timestamp
        /// The side of the range that the value was on; of an alarm about its pace, high where it rose; of one that is told
        /// ahead, the side of the limit.
        package let side: Side
        /// The reading; of an alarm about its pace, the median that it reached.
        package let value: Steps
        /// Of an alarm about the course of the value.
        package let course: CourseFinding.Shown?

        package init(time: Timestamp, side: Side, value: Steps, course: CourseFinding.Shown? = nil) {
            self.time = time
            self.side = side
            self.value = value
            self.course = course
        }
    }

    /// How far back limits are tried.
    package static let longest = Duration.seconds(30 * 86_400)
    /// Water that was measured for less than this says nothing: it may be warm each noon.
    package static let leastHistory = Duration.seconds(86_400)
    /// The most alarms that are kept one by one, of values beyond the limits and of the others: the newest.
    package static let mostAlarms = 100

    package var range: SafeRange { rules.range }
    /// Limits at other times, in place of those that are tried.
    private let timed: TimedLimits?
    /// The first alerts of episodes out of range, and those of critical values.
    package private(set) var alarmCount = 0
    /// The first alerts of episodes that follow from the course of the value, by their kind.
    private var courseAlarms: [Alert.Kind: Int] = [:]
    /// Alerts while an episode out of range lasted.
    package private(set) var reminderCount = 0
    private var byValue: [Alarm] = []
    private var others: [Alarm] = []
    private let rules: WatchReplay.Rules
    private let work: [Work]
    private var replay = WatchReplay()

    /// - Parameters:
    ///   - rules: What the person asks beside the limits.
    ///   - policy: With the person's own throttle.
    ///   - work: Work on the water, by the device's clock. Critical values are told in it.
    ///   - timed: Limits at other times, by the device's clock; those of the plain time are the ones that are tried.
    package init(
        _ range: SafeRange, rules: WatchRules = .none, policy: AlertPolicy, work: [Work] = [], timed: TimedLimits? = nil
    ) {
        self.work = work
        self.timed = timed
        self.rules = WatchReplay.Rules(range, rules: rules, policy: policy)
    }

    /// The newest alarms, oldest first.
    package var alarms: [Alarm] { newest(Self.mostAlarms) }

    /// So many alarms of values beyond the limits, and so many others: the newest of each, oldest first.
    package func newest(_ most: Int) -> [Alarm] {
        (byValue.suffix(most) + others.suffix(most)).sorted { $0.time < $1.time }
    }

    /// Decides on readings that are newer than all before, oldest first.
    package mutating func add(_ readings: some Sequence<Reading>) {
        for reading in readings { add(reading) }
    }

    /// What a reading is judged by.
    private func rules(at time: Timestamp) -> WatchReplay.Rules {
        guard let timed, timed.turns.place(at: time) != .plain else { return rules }
        let held = timed[time]
        return WatchReplay.Rules(held.range, rules: held.rules, policy: rules.policy)
    }

    private mutating func add(_ reading: Reading) {
        let rules = rules(at: reading.time)
        for effect in replay.take(reading, by: rules, work: work, now: reading.time) {
            switch effect {
            case .decided(let decision):
                guard case .alert(let reason) = decision.notification, let side = rules.range.side(of: reading.value)
                else { continue }
                if reason == .reminder {
                    reminderCount += 1
                } else {
                    alarmCount += 1
                    Self.keep(Alarm(time: reading.time, side: side, value: reading.value), in: &byValue)
                }
            case .told(let kind, let reason, let shown) where reason != .reminder:
                courseAlarms[kind, default: 0] += 1
                Self.keep(
                    Alarm(time: reading.time, side: shown.side, value: shown.value, course: shown), in: &others)
            case .told: break
            }
        }
    }

    /// The first alerts of episodes of a kind that follows from the course of the value.
    package func alarmCount(of kind: Alert.Kind) -> Int { courseAlarms[kind] ?? 0 }

    private static func keep(_ alarm: Alarm, in newest: inout [Alarm]) {
        // Cut seldom, so that each alarm is moved once at most.
        if newest.count == 2 * mostAlarms { newest.removeFirst(mostAlarms) }
        newest.append(alarm)
    }

    /// Whether too little was measured to say anything.
    /// - Parameter first: The event time of the first reading; `nil` where there is none.
    package static func isTooNew(since first: Timestamp?, now: Timestamp) -> Bool {
        guard let first else { return true }
        return now - first < leastHistory
    }
}
