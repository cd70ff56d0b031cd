import Instants
import Postgres
import Store
import WaterQuality

/// One transaction of an engine, which takes the oldest batches of the slots that it can lock, decides, and writes.
///
/// Decisions are committed together with the deletion of their batches. Each committed reading is therefore evaluated
/// exactly once in effect, however often an engine dies.
struct Claim {
    /// The most batches of one slot that a claim takes. It bounds the claim's memory and the time that others wait.
    static let batchesPerSlot = 8

    let policy: AlertPolicy

    /// The outcome of a claim.
    struct Report: Sendable {
        var messages = 0
        /// The slots in which more batches may wait.
        var unfinished: [Slot] = []
        /// The time of receipt of each batch's oldest message.
        var receivedAt: [Timestamp] = []
        var decidedAt: Timestamp?
        var counts = DecisionCounts()
        var alerts: [AlertRecord] = []
        /// The numbers of the episodes and alerts that were added.
        var numbers = ReservedNumbers.none
        /// The number of batches that end within a message.
        var damagedBatches = 0
        /// The slots that were locked.
        var claimed: [Slot] = []
        /// The number of slots that were read anew because another engine had decided there.
        var lostMemories = 0
        /// The changed findings about devices' clocks.
        var clocks: [(key: DeviceKey, finding: DeviceClock.Finding)] = []
    }

    /// A slot to claim.
    struct Wanted: Sendable {
        var slot: Slot
        /// The version of the slot's state that this engine's last decision left. A slot with another version is not
        /// claimed; `nil` claims any version.
        var stateVersion: Int64?
        /// The batch number up to which nothing waits in the slot.
        var floor: Int64 = 0
    }

    /// - Parameter memory: The engine's memory. It is invalid after an error.
    func perform(
        _ transaction: PostgresTransaction, _ wanted: [Wanted], memory: inout EngineMemory
    ) throws -> Report {
        var report = Report()
        let claimed = try transaction.execute(ClaimSlots(wanted.map { ($0.slot, $0.stateVersion) }))
        guard let now = claimed.first?.now else { return report }
        report.claimed = claimed.map(\.slot)
        let locked = Set(report.claimed)
        let batches = try transaction.execute(
            TakeBatches(
                wanted.filter { locked.contains($0.slot) }.map { SlotFloor($0.slot, floor: $0.floor) },
                limitPerSlot: Self.batchesPerSlot)
        ).sorted { ($0.slot, $0.batch) < ($1.slot, $1.batch) }
        guard !batches.isEmpty else { return report }

        var messages = try unpack(batches, damaged: &report.damagedBatches)
        if messages.count >= PostgresTransaction.manyRows { try transaction.planForManyRows() }
        let loader = MemoryLoader(transaction: transaction, batches: batches)
        report.lostMemories = try loader.forgetChanged(claimed, &memory)
        try loader.complete(&messages, &memory)
        var ledger = Ledger()
        try loadConcerned(loader, messages, into: &ledger)
        var faults = FaultFollower(policy: policy)
        try loader.recallCourses(messages, memory, now: now)
        var courses = CourseFollower(policy: policy, now: now)
        for message in messages {
            decide(message, now: now, &memory[message.slot].clocks, &ledger, &faults, &courses)
        }
        try courses.decide(into: &ledger, transaction)
        // A crash of the server may lose a claim that is not durable; its batches are then simply decided again.
        if !ledger.isEmpty { try transaction.perform(MakeDurable()) }
        try faults.write(transaction)
        report.numbers = try ledger.write(transaction)

        let decided = Set(batches.map(\.slot))
        report.clocks = try noteClocks(of: decided, transaction, &memory)
        try transaction.perform(CountDecisions(Array(decided)))
        for slot in decided { memory[slot].countDecision() }

        report.messages = messages.count
        report.unfinished = Dictionary(grouping: batches, by: \.slot)
            .filter { $0.value.count == Self.batchesPerSlot }.map(\.key)
        report.receivedAt = batches.map(\.receivedAt)
        report.decidedAt = now
        report.counts = ledger.counts
        report.alerts = ledger.alerts
        return report
    }

    private func unpack(_ batches: [TakeBatches.Row], damaged: inout Int) throws -> [ClaimedMessage] {
        var messages: [ClaimedMessage] = []
        messages.reserveCapacity(batches.reduce(0) { $0 + Int($1.messages) })
        for batch in batches {
            do {
                try EvaluationBatch.forEach(in: batch.readings) {
                    messages.append(ClaimedMessage(slot: batch.slot, receivedAt: batch.receivedAt, content: $0))
                }
            } catch EvaluationBatch.Malformed.truncated {
                // The batch is damaged. Its samples are stored, and its readable messages were taken. It must not block
                // the slot.
                damaged += 1
            } catch is EvaluationBatch.Malformed {
                throw UnreadableBatch(slot: batch.slot)
            }
        }
        return messages
    }

    /// Reads what is stored of the devices that a reading may change, which it marks, and of those whose probes are in question.
    private func loadConcerned(_ loader: MemoryLoader, _ messages: [ClaimedMessage], into ledger: inout Ledger) throws {
        var concerned = Set<DeviceKey>()
        var inQuestion = Set<DeviceKey>()
        var people = Set<Account.ID>()
        for message in messages { message.watched?.isConcerned = false }
        for message in messages {
            guard let device = message.watched else { continue }
            let count = concerned.count + inQuestion.count
            if device.concern(message.content.readings) { concerned.insert(message.device) }
            if !device.probesInQuestion(message.content).isEmpty { inQuestion.insert(message.device) }
            if concerned.count + inQuestion.count > count { people.formUnion(device.people.map(\.account)) }
        }
        let watched = messages.filter { $0.watched?.isConcerned == true }
        if !watched.isEmpty, policy.holdWithin > .zero { try loader.recall(watched, within: policy.holdWithin) }
        let kinds: [Alert.Kind] = (concerned.isEmpty ? [] : [.range]) + (inQuestion.isEmpty ? [] : [.fault])
        try ledger.load(
            kinds, of: Array(concerned.union(inQuestion)), for: people, recent: recentWatches(watched),
            mostAnHour: policy.mostAnHour, loader.transaction)
    }

    /// Watches whose last episodes matter, because their people want to be told once that they are unstable, or because a value has
    /// jumped out of range. Each comes with the earliest time at which an episode began that counts.
    private func recentWatches(_ concerned: [ClaimedMessage]) -> [(key: WatchKey, since: Timestamp)] {
        var watches: [WatchKey: Timestamp] = [:]
        var seen = Set<DeviceKey>()
        for message in concerned {
            guard let device = message.watched else { continue }
            // The value before the first message of a device is known here; before later ones it may be any.
            let isFirst = seen.insert(message.device).inserted
            let suspects = policy.holdWithin > .zero ? device.suspects(message.content.readings, isFirst: isFirst) : 0
            let wanted = (device.toldUnstable & message.content.readings.present) | suspects
            guard wanted != 0 else { continue }
            let since = message.content.time - Flutter.window
            for person in device.people {
                Parameter.forEach(in: wanted & (person.toldUnstable | suspects)) { parameter in
                    let key = WatchKey(device: message.device, parameter: parameter, account: person.account)
                    watches[key] = min(watches[key] ?? since, since)
                }
            }
        }
        return watches.map { (key: $0.key, since: $0.value) }
    }

    /// Decides the readings of a message for each person whose they are, and advances the device's watermark past them.
    private func decide(
        _ message: ClaimedMessage, now: Timestamp, _ clocks: inout DeviceClocks, _ ledger: inout Ledger,
        _ faults: inout FaultFollower, _ courses: inout CourseFollower
    ) {
        guard let device = message.watched else { return }
        let (time, readings) = (message.content.time, message.content.readings)
        let (lag, isStep) =
            device.isSite
            ? (.zero, false)
            : clocks.lag(
                of: message.content.device, at: time, receivedAt: message.receivedAt, newest: device.watermark.newest,
                heardAt: device.watermark.heardAt)
        if isStep { device.watermark.stepBack(to: time) }
        let latest = EventTime.latest(before: time, now: now, lag: lag)
        guard device.isSomebodys(at: time, lag: lag) else { return }
        if !device.probesInQuestion(message.content).isEmpty {
            faults.decide(message, device, at: FoundAt(time, now: now, lag: lag), latest: latest, &ledger)
        }
        if device.isConcerned { decide(message, device, now: now, lag: lag, latest: latest, &ledger) }
        device.watermark.advance(to: time, for: readings, latest: latest)
        if device.coursed != 0 {
            courses.note(message, device, lag: lag, latest: latest, isToldOutOfRange: ledger.isTold)
        }
    }

    /// Decides the readings of a message of which one is out of somebody's range, or was.
    private func decide(
        _ message: ClaimedMessage, _ device: WatchedDevice, now: Timestamp, lag: Duration, latest: Timestamp,
        _ ledger: inout Ledger
    ) {
        let (time, readings) = (message.content.time, message.content.readings)
        for index in device.people.indices {
            let person = device.people[index]
            guard person.isTheirs(at: time, lag: lag) else { continue }
            let policy = person.policy(device.isSite ? policy.ofSite : policy)
            readings.forEachPresent { parameter, value in
                let (held, rules, limitTime) = person.held(parameter, at: time + lag)
                guard let range = held else { return }
                let subject = Subject(
                    device: message.device, parameter: parameter, account: person.account, kind: .range)
                let state = ledger.state(
                    of: subject, lastEvaluated: device.watermark[parameter],
                    lastValue: device.watermark.value(of: parameter))
                let work = device.work.working(
                    at: time + lag, after: state.lastEvaluated.map { $0 + lag }, for: person.account)
                let decision = evaluate(
                    range, state, Reading(time: time, value: parameter.steps(of: value)), rules: rules,
                    snoozes: ledger.snoozes(of: subject), flutter: ledger.flutter(of: subject), work: work, now: now,
                    lag: lag, newAlert: ledger.nextAlert, policy: policy)
                ledger.record(
                    decision, of: subject,
                    at: Ledger.Moment(
                        time: time, receivedAt: message.receivedAt, now: now, latest: latest, value: value),
                    tellsUnstable: rules.tellsUnstable
                ) { episode, reason in
                    .range(
                        RangeContent(
                            episode, of: parameter, value: value, decision, isUnstable: reason == .unstable,
                            by: range, rules, of: limitTime))
                }
                device.setOpen(decision.next.episode != nil, parameter, ofPersonAt: index)
            }
        }
    }

    /// Stores which clocks were found to be wrong, or right again. Nearly always there are none.
    private func noteClocks(
        of slots: Set<Slot>, _ transaction: PostgresTransaction, _ memory: inout EngineMemory
    ) throws -> [(key: DeviceKey, finding: DeviceClock.Finding)] {
        var found: [(key: DeviceKey, finding: DeviceClock.Finding)] = []
        for slot in slots where !memory[slot].clocks.changes.isEmpty {
            for (device, finding) in memory[slot].clocks.takeChanges() {
                found.append((DeviceKey(slot: slot, device: device), finding))
            }
        }
        let right = found.filter { $0.finding == .right }.map(\.key)
        let wrong = found.filter { $0.finding != .right }
        if !right.isEmpty { try transaction.perform(ForgetDeviceClocks(right)) }
        if !wrong.isEmpty {
            try transaction.perform(
                RecordDeviceClocks(wrong.map { ($0.key, $0.finding.lagSeconds, isStep: $0.finding.isStep) }))
        }
        return found
    }
}
