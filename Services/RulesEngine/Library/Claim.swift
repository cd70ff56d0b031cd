import Postgres
import Store
import WaterQuality

/// One transaction of an engine: takes the oldest batches of the slots that it can lock, decides, writes.
///
/// Everything that is decided is committed with the deletion of the batches, so each committed reading is evaluated
/// exactly once in effect, however often an engine dies.
struct Claim {
    /// How many batches of one slot a claim takes at most: a bound for its memory and for how long others wait.
    static let batchesPerSlot = 32

    let policy: AlertPolicy

    /// What a claim did.
    struct Report: Sendable {
        var messages = 0
        /// Slots in which more may wait.
        var unfinished: [Slot] = []
        /// When the oldest message of each batch was received.
        var receivedAt: [Timestamp] = []
        var decidedAt: Timestamp?
        var counts = DecisionCounts()
        var alerts = 0
        /// Batches that end within a message.
        var damagedBatches = 0
    }

    /// - Parameter memory: What the engine remembers, by slot number. On an error it is no longer true.
    func perform(
        _ transaction: PostgresTransaction, slots: [Slot], memory: inout [SlotMemory]
    ) throws -> Report {
        var report = Report()
        let claimed = try transaction.execute(ClaimSlots(slots))
        guard let now = claimed.first?.now else { return report }
        let batches = try transaction.execute(
            TakeBatches(slots: claimed.map(\.slot), limitPerSlot: Self.batchesPerSlot)
        ).sorted { ($0.slot, $0.batch) < ($1.slot, $1.batch) }
        guard !batches.isEmpty else { return report }

        var messages: [Pending] = []
        messages.reserveCapacity(batches.reduce(0) { $0 + Int($1.messages) })
        for batch in batches {
            do {
                try EvaluationBatch.forEach(in: batch.readings) {
                    messages.append(Pending(slot: batch.slot, receivedAt: batch.receivedAt, message: $0))
                }
            } catch EvaluationBatch.Malformed.truncated {
                // Damaged: its samples are stored, and what can be read of it was taken. It must not block the slot.
                report.damagedBatches += 1
            } catch is EvaluationBatch.Malformed {
                throw UnreadableBatch(slot: batch.slot)
            }
        }
        try recall(transaction, claimed, messages, &memory)
        var ledger = try loadConcerned(transaction, messages, memory)
        let advanced = decide(messages, now: now, &ledger, &memory)
        try write(transaction, ledger: &ledger.ledger, advanced: advanced, memory: memory)

        let decided = Set(batches.map(\.slot))
        _ = try transaction.perform(CountDecisions(Array(decided)))
        for slot in decided { memory[Int(slot.rawValue)].countDecision() }

        report.messages = messages.count
        report.unfinished = Dictionary(grouping: batches, by: \.slot)
            .filter { $0.value.count == Self.batchesPerSlot }.map(\.key)
        report.receivedAt = batches.map(\.receivedAt)
        report.decidedAt = now
        report.counts = ledger.ledger.counts
        report.alerts = ledger.ledger.alerts.count
        return report
    }

    /// A message that waits for its decision, in the order of its slot.
    struct Pending {
        var slot: Slot
        var receivedAt: Timestamp
        var message: EvaluationBatch.Message

        var device: DeviceKey { DeviceKey(slot: slot, device: message.device) }
    }

    /// What is stored about the devices whose readings may change something.
    struct Concerned {
        var ledger: Ledger
        var devices: Set<DeviceKey>
        var recipients: Set<Account.ID>
    }

    /// Makes the memory true and complete for these messages.
    private func recall(
        _ transaction: PostgresTransaction, _ claimed: [ClaimSlots.Row], _ messages: [Pending],
        _ memory: inout [SlotMemory]
    ) throws {
        var known: [(slot: Slot, version: Int64)] = []
        for row in claimed {
            let validity = memory[Int(row.slot.rawValue)].validate(
                stateVersion: row.stateVersion, rulesVersion: row.rulesVersion)
            if case .rulesChanged(let version) = validity { known.append((row.slot, version)) }
        }
        if !known.isEmpty {
            for key in try transaction.execute(FindChangedDevices(known: known)) {
                memory[Int(key.slot.rawValue)].forget(key.device)
            }
        }
        var missing = Set<DeviceKey>()
        for message in messages where !memory[Int(message.slot.rawValue)].knows(message.message.device) {
            missing.insert(message.device)
        }
        if !missing.isEmpty { try load(transaction, Array(missing), &memory) }
    }

    private func load(
        _ transaction: PostgresTransaction, _ missing: [DeviceKey], _ memory: inout [SlotMemory]
    ) throws {
        var found: [DeviceKey: WatchedDevice] = [:]
        for row in try transaction.execute(LoadRules(missing)) {
            var device =
                found[row.key]
                ?? WatchedDevice(
                    account: row.account, ownedFrom: row.ownedFrom,
                    throttle: row.throttleSeconds.map { .seconds(Int64($0)) })
            device[range: row.parameter] = try SafeRange(
                row.parameter, minimum: row.minimum.map { Steps($0) }, maximum: row.maximum.map { Steps($0) })
            found[row.key] = device
        }
        let owned = Array(found.keys)
        if !owned.isEmpty {
            for row in try transaction.execute(LoadWatermarks(owned)) { found[row.key]?.watermark = row.watermark }
            for row in try transaction.execute(LoadOpenEpisodes(owned)) {
                found[row.key.device]?.openEpisodes |= row.key.parameter.bit
            }
        }
        for key in missing { memory[Int(key.slot.rawValue)].remember(key.device, found[key]) }
    }

    /// Reads episodes, throttles and recipients, but only of devices that a reading may change.
    private func loadConcerned(
        _ transaction: PostgresTransaction, _ messages: [Pending], _ memory: [SlotMemory]
    ) throws -> Concerned {
        var concerned = Concerned(ledger: Ledger(), devices: [], recipients: [])
        var accounts = Set<Account.ID>()
        for message in messages {
            guard let device = memory[Int(message.slot.rawValue)][message.message.device],
                device.isConcerned(by: message.message.readings)
            else { continue }
            concerned.devices.insert(message.device)
            accounts.insert(device.account)
        }
        guard !concerned.devices.isEmpty else { return concerned }
        let devices = Array(concerned.devices)
        concerned.ledger.load(
            episodes: try transaction.execute(LoadOpenEpisodes(devices)),
            throttles: try transaction.execute(LoadThrottles(devices)))
        concerned.recipients = Set(try transaction.execute(FindRecipients(Array(accounts))))
        return concerned
    }

    /// Decides all messages in order.
    /// - Returns: The devices whose watermarks moved.
    private func decide(
        _ messages: [Pending], now: Timestamp, _ concerned: inout Concerned, _ memory: inout [SlotMemory]
    ) -> Set<DeviceKey> {
        var advanced = Set<DeviceKey>()
        for pending in messages {
            let isConcerned = concerned.devices.contains(pending.device)
            let isTheirs = memory[Int(pending.slot.rawValue)].withDevice(pending.message.device) { device in
                if let from = device.ownedFrom, pending.message.time < from { return false }
                if isConcerned { decide(pending, now: now, &device, &concerned) }
                device.advance(to: pending.message.time, for: pending.message.readings)
                return true
            }
            if isTheirs == true { advanced.insert(pending.device) }
        }
        return advanced
    }

    private func decide(
        _ pending: Pending, now: Timestamp, _ device: inout WatchedDevice, _ concerned: inout Concerned
    ) {
        var policy = policy
        if let own = device.throttle { policy.throttle = own }
        pending.message.readings.forEachPresent { parameter, value in
            guard let range = device[range: parameter] else { return }
            let key = AlertKey(device: pending.device, parameter: parameter, account: device.account)
            let isOpen = concerned.ledger.decide(
                key, range, value: value, at: pending.message.time, lastEvaluated: device.watermark[parameter],
                hasRecipient: concerned.recipients.contains(device.account), receivedAt: pending.receivedAt, now: now,
                policy: policy)
            if isOpen {
                device.openEpisodes |= parameter.bit
            } else {
                device.openEpisodes &= ~parameter.bit
            }
        }
    }

    private func write(
        _ transaction: PostgresTransaction, ledger: inout Ledger, advanced: Set<DeviceKey>,
        memory: [SlotMemory]
    ) throws {
        let watermarks = advanced.compactMap { key in
            memory[Int(key.slot.rawValue)][key.device].map { (key: key, watermark: $0.watermark) }
        }
        if !watermarks.isEmpty { _ = try transaction.perform(AdvanceWatermarks(watermarks)) }
        if !ledger.isEmpty {
            // Without this the claim may be lost in a crash of the server, and is then simply decided again.
            _ = try transaction.perform(MakeDurable())
            try write(transaction, &ledger)
        }
    }

    private func write(_ transaction: PostgresTransaction, _ ledger: inout Ledger) throws {
        if ledger.newEpisodes > 0 || !ledger.alerts.isEmpty {
            let reserved = try transaction.execute(
                ReserveNumbers(episodes: ledger.newEpisodes, alerts: ledger.alerts.count))
            ledger.number(
                episodes: reserved.filter { !$0.isAlert }.map(\.number).sorted(),
                alerts: reserved.filter(\.isAlert).map(\.number).sorted())
        }
        if !ledger.reopened.isEmpty { _ = try transaction.perform(CancelRecoveries(ledger.reopened)) }
        if !ledger.episodes.isEmpty { _ = try transaction.perform(WriteEpisodes(ledger.episodes)) }
        if !ledger.transitions.isEmpty { _ = try transaction.perform(AddTransitions(ledger.transitions)) }
        // Alerts before throttles, as the notifier locks them.
        if !ledger.textReplacements.isEmpty {
            _ = try transaction.perform(ReplaceAlertTexts(ledger.textReplacements))
        }
        if !ledger.alerts.isEmpty {
            _ = try transaction.perform(ChargeThrottles(ledger.throttleCharges))
            _ = try transaction.perform(AddAlerts(ledger.alerts))
        }
    }
}
