/// A course cut into bursts, with what the rules make of it.
///
/// Within a burst nobody knows how far the services are, and there what they do may depend on it: whether an alarm was delivered
/// before its episode ended, an all-clear before the next one began, or an alarm that is over was cancelled before the water left its
/// range again. A burst therefore ends before a reading whose outcome would depend on that. Everything else is sent as fast as it
/// goes.
struct Plan: Sendable {
    struct Round: Sendable {
        var acts: [Act] = []
        var burst: [Reading] = []
        /// Afterwards: all-clears of each watch, those that wait at a receiver that refuses included.
        var allClears: [Watch: Int] = [:]
        /// Whose receivers refuse.
        var frozen: Set<Person> = []
    }

    let course: Course
    private(set) var rounds: [Round] = []
    private(set) var model: DeviceModel
    private var round = Round()
    /// What this burst has led to so far.
    private var effects: [Watch: WatchModel.Effect] = [:]
    private var frozenRounds = 0

    static let longestBurst = 12
    /// A receiver refuses for so many bursts at most, so that what it gets then is not late.
    private static let longestFrost = 2

    init(_ course: Course, _ policy: Policy = Policy()) {
        self.course = course
        model = DeviceModel(course, policy)
        for event in course.events {
            switch event {
            // A device that nobody took over measures nothing for its next owner.
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
        guard model.allows(act) else { return }  // thawed by the end of the burst
        model.take(act)
        round.acts.append(act)
        switch act {
        case .thaw, .handOver: endRound()  // what waited is delivered before anything else is measured
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
        // In which order two alarms come that have waited nobody says.
        if ahead.watches.values.contains(where: { $0.log.waiting > 1 }) {
            endRound()
            thawAll()
            return add(reading)
        }
        model = ahead
        round.burst.append(reading)
        effects.merge(next) { $0.union($1) }
    }

    /// Whether what comes of a reading depends on what was delivered since the burst began.
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
