/// A device in the model, and the watches of everybody who has it.
struct DeviceModel: Sendable {
    private(set) var watches: [Watch: WatchModel] = [:]
    private(set) var owner: Person
    private var decided: [Quantity: [WatchModel.Sample]] = [:]
    private var seen: [Quantity: Set<Int>] = [:]
    /// The time before which readings are not decided for the present people.
    private var ownedFrom = Int.min
    private let policy: Policy

    /// The number of decided readings, counted for each watch.
    private(set) var decisions = 0

    init(_ course: Course, _ policy: Policy) {
        owner = course.owner
        self.policy = policy
        for (watch, limits) in course.watches { add(watch, limits) }
    }

    private mutating func add(_ watch: Watch, _ limits: Limits) {
        watches[watch] = WatchModel(watch, limits, policy)
    }

    /// The newest decided time of a quantity.
    func watermark(of quantity: Quantity) -> Int { decided[quantity]?.last?.time ?? Int.min }

    /// Decides on a message.
    /// - Returns: The effects of each watch's decisions.
    mutating func take(_ reading: Reading) -> [Watch: WatchModel.Effect] {
        var effects: [Watch: WatchModel.Effect] = [:]
        let isStale = reading.time < Course.span - policy.stale
        for (quantity, value) in reading.values {
            guard seen[quantity, default: []].insert(reading.time).inserted, reading.time > watermark(of: quantity)
            else { continue }
            let concerned = reading.time >= ownedFrom ? watches.keys.filter { $0.quantity == quantity } : []
            switch value {
            case .sentinel:
                for watch in concerned {
                    effects[watch] = watches[watch]?.takeError(at: reading.time, isStale: isStale)
                }
            case .water(let hundredths):
                let sample = WatchModel.Sample(time: reading.time, value: steps(hundredths))
                for watch in concerned {
                    let probe = watches[watch]?.takeValue(at: reading.time) ?? []
                    let water = watches[watch]?.take(sample, after: decided[quantity] ?? [], isStale: isStale) ?? []
                    effects[watch] = probe.union(water)
                }
                decided[quantity, default: []].append(sample)
            }
            decisions += concerned.count
        }
        return effects
    }

    /// Completes everything that follows from a burst.
    mutating func settle() {
        for watch in watches.keys { watches[watch]?.settle() }
    }

    // MARK: People

    private func people(where isMeant: (WatchModel) -> Bool, _ person: Person) -> Bool {
        watches.contains { $0.key.person == person && isMeant($0.value) }
    }

    /// Whether an action makes sense now; otherwise the course leaves it out.
    func allows(_ act: Act) -> Bool {
        switch act {
        case .limits(let watch, _): watches[watch].map { !$0.isFrozen } ?? false
        case .snooze(let watch), .wake(let watch): watches[watch]?.log.newestTold != nil
        case .acknowledge(let watch): watches[watch]?.canAcknowledge ?? false
        case .freeze(let person): people(where: { !$0.isFrozen && $0.hasEndpoint }, person)
        case .thaw(let person): people(where: \.isFrozen, person)
        case .removeEndpoint(let person):
            // The rules do not say what happens to an all-clear without an endpoint.
            people(where: \.hasEndpoint, person) && !people(where: { $0.isOwedCalm || $0.isFrozen }, person)
        case .addEndpoint(let person): people(where: { !$0.hasEndpoint }, person)
        case .leave(let person): person != owner && people(where: { !$0.isFrozen }, person)
        case .handOver(let person, _):
            person != owner && !watches.values.contains { $0.isFrozen }
                && !watches.merging(former, uniquingKeysWith: { $1 }).keys.contains { $0.person == person }
        }
    }

    mutating func take(_ act: Act) {
        switch act {
        case .limits(let watch, let limits): watches[watch]?.limits = limits
        case .snooze(let watch): watches[watch]?.snooze()
        case .acknowledge(let watch): watches[watch]?.acknowledge()
        case .wake(let watch): watches[watch]?.wake()
        case .freeze(let person): change(person) { $0.isFrozen = true }
        case .thaw(let person): change(person) { $0.isFrozen = false }
        case .removeEndpoint(let person): change(person) { $0.hasEndpoint = false }
        case .addEndpoint(let person): change(person) { $0.hasEndpoint = true }
        case .leave(let person): end { $0.person == person }
        case .handOver(let person, let limits): handOver(to: person, limits)
        }
    }

    private mutating func change(_ person: Person, _ change: (inout WatchModel) -> Void) {
        for watch in watches.keys where watch.person == person {
            if var model = watches[watch] {
                change(&model)
                watches[watch] = model
            }
        }
    }

    /// The watches of former owners and watchers.
    private(set) var former: [Watch: WatchModel] = [:]

    private mutating func end(where isMeant: (Watch) -> Bool) {
        for watch in watches.keys.filter(isMeant) {
            watches[watch]?.unlink()
            former[watch] = watches.removeValue(forKey: watch)
        }
    }

    /// Sends a watcher one message when somebody else ends their watching in the middle of an alarm: about the water
    /// rather than a probe, and about a critical alert rather than others.
    private mutating func tellEnd(to person: Person) {
        let told = watches.filter { $0.key.person == person }.flatMap { watch, model in
            model.toldOfWhatIsOpen.map { (watch: watch, alert: $0) }
        }
        func rank(_ one: (watch: Watch, alert: ExpectedAlert)) -> [Int] {
            [one.alert.isCritical ? 1 : 0, one.alert.side == nil ? 0 : 1, one.alert.cause, one.watch.quantity.number]
        }
        guard let last = told.max(by: { rank($0).lexicographicallyPrecedes(rank($1)) }) else { return }
        watches[last.watch]?.tellEnd(of: last.alert)
    }

    private mutating func handOver(to person: Person, _ limits: [Quantity: Limits]) {
        for watcher in Set(watches.keys.map(\.person)) where watcher != owner { tellEnd(to: watcher) }
        end { _ in true }
        (owner, ownedFrom) = (person, Course.handOver)
        for (quantity, limits) in limits { add(Watch(person: person, quantity: quantity), limits) }
    }
}
