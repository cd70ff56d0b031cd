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

    /// A kind's watch after the last reading, and what an all-clear gives back. An alert counts as arrived unless somebody says
    /// otherwise.
    private struct Watch {
        var state = WatchState(hasRecipient: true)
        /// From when on a reading shows that the calm lasts, of which the person is told then.
        var clearFrom: Timestamp?

        mutating func take(_ decision: Decision, policy: AlertPolicy) {
            let wasUnstable = state.throttles.latest?.isUnstable ?? false
            state = decision.next
            state.throttles.arrive()
            switch decision.action {
            case .close(let time, let due):
                clearFrom = due.map { _ in time + RecoveryNotice.calm(isUnstable: wasUnstable, policy: policy) }
            case .open, .flip, .stay: clearFrom = nil
            case .nothing: break
            }
        }

        /// An all-clear that arrives gives the charges back.
        mutating func giveBack(at time: Timestamp) {
            guard state.episode == nil, let start = clearFrom, time >= start else { return }
            (state.throttles, clearFrom) = (.none, nil)
        }
    }

    private var range = Watch()

    /// The watch on the value itself.
    package var state: WatchState {
        get { range.state }
        set { range.state = newValue }
    }

    /// Its last episodes, followed where the rules ask for them.
    package var flutter = Flutter.none

    /// The courses that the rules ask for, each with its watch.
    private var courses = Courses.all.map { FollowedCourse(course: $0.init()) }

    private struct FollowedCourse {
        var course: any Course
        var watch = Watch()
    }

    package init() {}

    /// Decides what a reading means by the limits.
    /// - Parameters:
    ///   - snoozes: Those that hold.
    ///   - work: Whether somebody worked on the water.
    ///   - now: When it is decided, by the database's clock.
    ///   - lag: The constant lag of the device's clock.
    package mutating func decide(
        _ reading: Reading, by rules: Rules, snoozes: Snoozes = .none, work: Working = .no, now: Timestamp,
        lag: Duration = .zero
    ) -> Decision {
        let decision = evaluate(
            rules.range, state, reading, rules: rules.rules, snoozes: snoozes, flutter: flutter, work: work, now: now,
            lag: lag, newAlert: .new(0), policy: rules.policy)
        if rules.rules.tellsUnstable { flutter.follow(decision.action) }
        range.take(decision, policy: rules.policy)
        // What is measured in work shows no calm.
        if decision.reason == .normal, work == .no || work == .ended { range.giveBack(at: reading.time) }
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
    /// - Parameters:
    ///   - work: Work on the water, by the database's clock.
    ///   - person: The person for whom it is decided.
    package mutating func take(
        _ reading: Reading, by rules: Rules, snoozes: [Alert.Kind: Snoozes] = [:], work: [Work] = [],
        for person: Account.ID? = nil, now: Timestamp, lag: Duration = .zero
    ) -> [Effect] {
        let decision = decide(
            reading, by: rules, snoozes: snoozes[.range] ?? .none,
            work: work.working(at: reading.time + lag, after: state.lastEvaluated.map { $0 + lag }, for: person),
            now: now, lag: lag)
        return [.decided(decision)]
            + follow(reading, by: rules, snoozes, work, at: FoundAt(reading.time, now: now, lag: lag))
    }

    /// Decides what the course of the value means, after `decide` has decided on the value itself.
    private mutating func follow(
        _ reading: Reading, by rules: Rules, _ snoozes: [Alert.Kind: Snoozes], _ work: [Work], at moment: FoundAt
    ) -> [Effect] {
        let latest = EventTime.latest(before: reading.time, now: moment.now, lag: moment.lag)
        let settled = work.settled(at: reading.time + moment.lag).map { $0 - moment.lag }
        let isUnsettled = settled.map { reading.time < $0 } ?? false
        let showsCalm = work.working(at: reading.time + moment.lag, for: nil) == .no
        return courses.indices.compactMap { index in
            defer { if showsCalm { courses[index].watch.giveBack(at: reading.time) } }
            let kind = type(of: courses[index].course)
            guard kind.isAsked(by: rules.rules), courses[index].course.add(reading, latest: latest), !isUnsettled
            else { return nil }
            let found = courses[index].course.find(
                for: CourseWishes(rules.rules, range: rules.range, since: settled), at: moment,
                isToldOutOfRange: state.isTold,
                policy: rules.policy)
            let decision = WaterQuality.decide(
                found.finding, courses[index].watch.state, by: kind.kind.rules, snoozes: snoozes[kind.kind] ?? .none,
                now: moment.now, newAlert: .new(0), policy: rules.policy)
            courses[index].watch.take(decision, policy: rules.policy)
            guard let shown = found.shown, case .alert(let reason) = decision.notification else { return nil }
            return .told(kind.kind, reason, shown)
        }
    }
}
