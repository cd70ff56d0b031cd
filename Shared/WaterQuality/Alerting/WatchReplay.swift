package import Instants

/// Decides on stored readings of one watch once more, one after the other.
///
/// The one place beside the engines that decides on readings: back-tests and explanations share it, so that
/// neither can differ from what engines do.
package struct WatchReplay: Sendable {
    /// What a reading is decided by.
    package struct Rules: Hashable, Sendable {
        package var range: SafeRange
        package var rules: WatchRules
        package var policy: AlertPolicy

        package init(_ range: SafeRange, rules: WatchRules = .none, policy: AlertPolicy) {
            self.range = range
            self.rules = rules
            self.policy = policy
        }
    }

    /// The watch after the last reading. An alert counts as arrived unless somebody says otherwise.
    package var state: WatchState

    /// Its last episodes, followed where the rules ask for them.
    package var flutter = Flutter.none

    /// From when on a reading in range shows that the calm lasts, of which the person is told then.
    private var clearFrom: Timestamp?

    /// The courses that the rules ask for, each with its state, likewise.
    private var courses = Courses.all.map { FollowedCourse(course: $0.init()) }

    private struct FollowedCourse {
        var course: any Course
        var state = WatchState(hasRecipient: true)
    }

    package init(_ state: WatchState = WatchState(hasRecipient: true)) { self.state = state }

    /// - Parameters:
    ///   - snoozes: Those that hold.
    ///   - now: When it is decided, by the database's clock.
    ///   - lag: The constant lag of the device's clock.
    package mutating func decide(
        _ reading: Reading, by rules: Rules, snoozes: Snoozes = .none, now: Timestamp, lag: Duration = .zero
    ) -> Decision {
        let decision = evaluate(
            rules.range, state, reading, rules: rules.rules, snoozes: snoozes, flutter: flutter, now: now, lag: lag,
            newAlert: .new(0), policy: rules.policy)
        if rules.rules.tellsUnstable { flutter.follow(decision.action) }
        let wasUnstable = state.throttles.latest?.isUnstable ?? false
        state = decision.next
        state.throttles.arrive()
        switch decision.action {
        case .close: clearFrom = reading.time + RecoveryNotice.calm(isUnstable: wasUnstable, policy: rules.policy)
        case .open, .flip, .stay: clearFrom = nil
        case .nothing:
            // An all-clear that arrives gives the charges back.
            if decision.reason == .normal, let start = clearFrom, reading.time >= start {
                (state.throttles, clearFrom) = (.none, nil)
            }
        }
        return decision
    }

    /// An effect of a reading.
    package enum Effect: Hashable, Sendable {
        /// The decision on the value itself.
        case decided(Decision)
        /// An alert about the course of the value.
        case told(Alert.Kind, Decision.Reason, CourseFinding.Shown)
    }

    /// Decides what a reading means for each kind that follows from readings of water.
    package mutating func take(
        _ reading: Reading, by rules: Rules, snoozes: Snoozes = .none, now: Timestamp, lag: Duration = .zero
    ) -> [Effect] {
        let decision = decide(reading, by: rules, snoozes: snoozes, now: now, lag: lag)
        return [.decided(decision)] + follow(reading, by: rules, at: FoundAt(reading.time, now: now, lag: lag))
    }

    /// Decides what the course of the value means, after `decide` has decided on the value itself.
    private mutating func follow(_ reading: Reading, by rules: Rules, at moment: FoundAt) -> [Effect] {
        let latest = EventTime.latest(before: reading.time, now: moment.now, lag: moment.lag)
        return courses.indices.compactMap { index in
            let kind = type(of: courses[index].course)
            guard kind.isAsked(by: rules.rules), courses[index].course.add(reading, latest: latest) else { return nil }
            let found = courses[index].course.find(
                for: CourseWishes(rules.rules, range: rules.range), at: moment, isToldOutOfRange: state.isTold,
                policy: rules.policy)
            let decision = WaterQuality.decide(
                found.finding, courses[index].state, by: kind.kind.rules, now: moment.now, newAlert: .new(0),
                policy: rules.policy)
            courses[index].state = decision.next
            courses[index].state.throttles.arrive()
            guard let shown = found.shown, case .alert(let reason) = decision.notification else { return nil }
            return .told(kind.kind, reason, shown)
        }
    }
}
