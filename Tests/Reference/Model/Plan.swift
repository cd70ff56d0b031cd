/// A course divided into bursts, with the results that the rules require.
///
/// Within a burst the progress of the services is unknown, and some results depend on it: whether an alarm was
/// delivered before its episode ended, an all-clear before the next episode began, or an obsolete alarm was cancelled
/// before the water left its range again. A burst therefore ends before a reading whose result would depend on that.
/// Everything else is sent as fast as possible.
struct Plan: Sendable {
    struct Round: Sendable {
        var acts: [Act] = []
        var burst: [Reading] = []
        /// The all-clears of each watch afterwards, including those that wait at a receiver that refuses.
        var allClears: [Watch: Int] = [:]
        /// The people whose receivers refuse.
        var frozen: Set<Person> = []
    }

    let course: Course
    private(set) var rounds: [Round] = []
    private(set) var model: DeviceModel
    private var round = Round()
    /// The effects of this burst so far.
    private var effects: [Watch: WatchModel.Effect] = [:]
    private var frozenRounds = 0

    static let longestBurst = 12
    /// The most bursts for which a receiver refuses, so that later messages are not stale.
    private static let longestFrost = 2

    init(_ course: Course, _ policy: Policy = Policy()) {
        self.course = course
        model = DeviceModel(course, policy)
        for event in course.events {
            switch event {
            // A device without a new owner measures nothing for one.
            case .reading(let reading) where reading.time >= Course.handOver && model.owner == course.owner: break
            case .reading(let reading): add(reading)
            case .act(let act): add(act)
            }
        }
        endRound()
        thawAll()
    }

    private mutating func add(_ act: Act) {
        if case .handOver = act { thawAll() }
        var settled = model
        settled.settle()
        guard settled.allows(act) else { return }
        if !round.burst.isEmpty { endRound() }
        guard model.allows(act) else { return }  // already thawed by the end of the burst
        model.take(act)
        round.acts.append(act)
        switch act {
        case .thaw, .handOver: endRound()  // delivers what waited before anything else is measured
        default: break
        }
    }

    private mutating func add(_ reading: Reading) {
        let isLate = reading.values.keys.contains { reading.time < model.watermark(of: $0) }
        var ahead = model
        let next = ahead.take(reading)
        if !round.burst.isEmpty, isLate || round.burst.count >= Self.longestBurst || depends(next) {
            endRound()
            return add(reading)
        }
        // The order in which two waiting alarms arrive is undefined.
        if ahead.watches.values.contains(where: { $0.log.waiting > 1 }) {
            endRound()
            thawAll()
            return add(reading)
        }
        model = ahead
        round.burst.append(reading)
        effects.merge(next) { $0.union($1) }
    }

    /// Whether the result of a reading depends on deliveries since the burst began.
    private func depends(_ next: [Watch: WatchModel.Effect]) -> Bool {
        next.contains { watch, effect in
            let hasAlerted = effects[watch]?.contains(.alerts) ?? false
            let isDue = model.watches[watch]?.isCalmDue ?? false
            let isOver = model.watches[watch]?.hasOvertaken ?? false
            return (hasAlerted || isOver) && !effect.isEmpty || isDue && effect.contains(.opens)
        }
    }

    private mutating func endRound() {
        guard !round.burst.isEmpty || !round.acts.isEmpty else { return }
        model.settle()
        round.frozen = Set(model.watches.filter { $0.value.isFrozen }.map(\.key.person))
        for (watch, model) in model.watches.merging(model.former, uniquingKeysWith: { now, _ in now }) {
            round.allClears[watch] = model.log.allClears + model.probe.log.allClears
        }
        rounds.append(round)
        frozenRounds = round.frozen.isEmpty ? 0 : frozenRounds + 1
        (round, effects) = (Round(), [:])
        if frozenRounds >= Self.longestFrost { thawAll() }
    }

    private mutating func thawAll() {
        for person in Person.allCases where model.allows(.thaw(person)) { add(.thaw(person)) }
    }
}
