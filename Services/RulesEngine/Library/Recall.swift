import Instants
import Postgres
import Store
import WaterQuality

/// Makes an engine's memory true and complete for the messages of a claim.
struct Recall {
    let transaction: PostgresTransaction
    /// Taken in this transaction.
    let batches: [TakeBatches.Row]

    /// - Returns: How many slots were remembered in vain, because another engine had decided there.
    func perform(
        _ claimed: [ClaimSlots.Row], _ messages: inout [Claim.Pending], _ memory: inout [SlotMemory]
    ) throws -> Int {
        let lost = try forgetChanged(claimed, &memory)
        var missing = Set<DeviceKey>()
        for message in messages where memory[Int(message.slot.rawValue)].place(of: message.message.device) == nil {
            missing.insert(message.device)
        }
        if !missing.isEmpty { try load(Array(missing), &memory) }
        var late: [DeviceKey: Timestamp] = [:]
        for index in messages.indices {
            let message = messages[index]
            guard let place = memory[Int(message.slot.rawValue)].place(of: message.message.device) else {
                preconditionFailure("every device of the claim has just been loaded")
            }
            messages[index].place = place
            let watermark = memory[Int(message.slot.rawValue)][place]?.watermark
            if watermark?.isUncertain(at: message.message.time, of: message.message.readings) == true {
                late[message.device] = min(late[message.device] ?? message.message.time, message.message.time)
            }
        }
        if !late.isEmpty { try settle(late, &memory) }
        return lost
    }

    /// Forgets what another engine, or a person, has changed.
    private func forgetChanged(_ claimed: [ClaimSlots.Row], _ memory: inout [SlotMemory]) throws -> Int {
        var known: [(slot: Slot, version: Int64)] = []
        var lost = 0
        for row in claimed {
            let remembered = memory[Int(row.slot.rawValue)].deviceCount
            let validity = memory[Int(row.slot.rawValue)].validate(
                stateVersion: row.stateVersion, rulesVersion: row.rulesVersion)
            if case .rulesChanged(let version) = validity { known.append((row.slot, version)) }
            if validity == .forgotten, remembered > 0 { lost += 1 }
        }
        guard !known.isEmpty else { return lost }
        for key in try transaction.execute(FindChangedDevices(known: known)) {
            memory[Int(key.slot.rawValue)].forget(key.device)
        }
        return lost
    }

    private func load(_ missing: [DeviceKey], _ memory: inout [SlotMemory]) throws {
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
        if !found.isEmpty {
            let owned = Array(found.keys)
            let waiting = try waitingSince(owned)
            for row in try transaction.execute(FindNewestEvaluated(owned.map { ($0, before: waiting[$0.slot]!) })) {
                found[row.key]?.watermark = Watermark(newest: row.newest)
            }
            for row in try transaction.execute(LoadOpenEpisodes(owned)) {
                found[row.key.device]?.openEpisodes |= row.key.parameter.bit
            }
            let clocks = try transaction.execute(LoadDeviceClocks(owned))
            let findings = Dictionary(
                uniqueKeysWithValues: clocks.map { ($0.key, DeviceClock.Finding(lagSeconds: $0.lagSeconds)) })
            for key in owned { memory[Int(key.slot.rawValue)].clocks.recall(key.device, findings[key]) }
        }
        for key in missing { memory[Int(key.slot.rawValue)].remember(key.device, found[key]) }
    }

    /// Looks up what late readings have to be newer than.
    private func settle(_ late: [DeviceKey: Timestamp], _ memory: inout [SlotMemory]) throws {
        let waiting = try waitingSince(Array(late.keys))
        let rows = try transaction.execute(
            FindWatermarks(late.map { (key: $0.key, before: waiting[$0.key.slot]!, since: $0.value) }))
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.times) })
        for (key, since) in late {
            guard let place = memory[Int(key.slot.rawValue)].place(of: key.device) else { continue }
            memory[Int(key.slot.rawValue)][place]?.watermark.settle(
                since: since, found: found[key] ?? InlineArray(repeating: nil))
        }
    }

    /// From which time of receipt on samples of these devices' slots wait for a decision: that of the oldest batch, among
    /// those just taken and those still there.
    private func waitingSince(_ devices: [DeviceKey]) throws -> [Slot: Timestamp] {
        let slots = Array(Set(devices.map(\.slot)))
        let left = try transaction.execute(FindOldestBatches(slots))
        return (batches.map { ($0.slot, $0.receivedAt) } + left.map { ($0.slot, $0.receivedAt) })
            .reduce(into: [:]) { oldest, batch in oldest[batch.0] = min(oldest[batch.0] ?? batch.1, batch.1) }
    }
}
