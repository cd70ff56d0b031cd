import Instants
import Postgres
import Store
import WaterQuality

/// Brings an engine's memory up to date and completes it for the messages of a claim.
struct MemoryLoader {
    let transaction: PostgresTransaction
    /// The batches that this transaction took.
    let batches: [TakeBatches.Row]

    /// Forgets devices that another engine, or a person, has changed.
    /// - Returns: The number of slots whose memory was lost because another engine had decided there.
    func forgetChanged(_ claimed: [ClaimSlots.Row], _ memory: inout EngineMemory) throws -> Int {
        var known: [(slot: Slot, version: Int64)] = []
        var lost = 0
        for row in claimed {
            let remembered = memory[row.slot].deviceCount
            let validity = memory[row.slot].validate(stateVersion: row.stateVersion, rulesVersion: row.rulesVersion)
            if case .rulesChanged(let version) = validity { known.append((row.slot, version)) }
            if validity == .forgotten, remembered > 0 { lost += 1 }
        }
        guard !known.isEmpty else { return lost }
        for key in try transaction.execute(FindChangedDevices(known: known)) {
            memory[key.slot].forget(key.device)
        }
        return lost
    }

    /// Hands each message its device, with the watermark that its readings have to pass.
    /// - Parameter messages: All messages of `batches`.
    func complete(_ messages: inout [ClaimedMessage], _ memory: inout EngineMemory) throws {
        var missing = Set<DeviceKey>()
        for message in messages {
            let known = memory[message.slot].device(message.content.device)
            if known?.watched?.knowsLimits(at: message.receivedAt) ?? (known != nil) { continue }
            missing.insert(message.device)
        }
        if !missing.isEmpty { try load(Array(missing), &memory) }
        var late: [DeviceKey: (device: WatchedDevice, since: Timestamp)] = [:]
        for index in messages.indices {
            let (key, message) = (messages[index].device, messages[index].content)
            guard let device = memory[key.slot].device(message.device)?.watched else { continue }
            messages[index].watched = device
            if device.watermark.isUncertain(at: message.time, of: message.readings, broken: message.brokenProbes) {
                late[key] = (device, min(late[key]?.since ?? message.time, message.time))
            }
        }
        if !late.isEmpty { try settle(late) }
    }

    private func load(_ missing: [DeviceKey], _ memory: inout EngineMemory) throws {
        var found: [DeviceKey: WatchedDevice] = [:]
        for row in try transaction.execute(LoadRules(missing)) {
            let device = found[row.key] ?? WatchedDevice()
            found[row.key] = device
            device.probeChosenAt = row.probeChosenAt
            device.isSite = row.isSite
            let person =
                device.index(of: row.account)
                ?? device.add(
                    Person(
                        account: row.account, theirsFrom: row.theirsFrom,
                        throttle: row.throttleSeconds.map { .seconds(Int64($0)) }))
            let range = try SafeRange(
                row.parameter, minimum: row.minimum.map { Steps($0) }, maximum: row.maximum.map { Steps($0) })
            let rules = try row.range.rules
            if row.minimum != nil || row.maximum != nil || row.periods != nil {
                device.set(range, rules, for: row.parameter, ofPersonAt: person)
            } else if Courses.all.contains(where: { $0.isAsked(by: rules) }) {
                device.set(rules, for: row.parameter, ofPersonAt: person)
            }
            // A parameter of which nothing is asked costs nothing.
            if row.periods != nil {
                device.set(
                    try TimedLimits(row.range, row.turns), knownUntil: row.knownUntil, for: row.parameter,
                    ofPersonAt: person)
            }
        }
        if !found.isEmpty {
            let owned = Array(found.keys)
            let waiting = try waitingSince(owned)
            for row in try transaction.execute(FindNewestEvaluated(owned.map { ($0, before: waiting[$0.slot]!) })) {
                found[row.key]?.watermark = Watermark(newest: row.newest, heardAt: row.receivedAt)
            }
            let kinds: [Alert.Kind] = [.range] + Courses.all.map { $0.kind }
            for row in try transaction.execute(LoadOpenEpisodes(owned, kinds: kinds)) {
                guard let device = found[row.subject.device], let person = device.index(of: row.subject.account),
                    let parameter = row.subject.parameter
                else { continue }
                guard row.subject.kind == .range else {
                    device.setOpenCourse(true, row.subject.kind, of: parameter, ofPersonAt: person)
                    continue
                }
                device.setOpen(true, parameter, ofPersonAt: person)
                // Its limits were taken away: it ends with the next reading.
                if device.people[person][range: parameter] == nil {
                    let rules = device.people[person].rules(of: parameter)
                    device.set(try SafeRange(parameter), rules, for: parameter, ofPersonAt: person)
                }
            }
            for row in try transaction.execute(LoadProbeFaults(owned)) {
                found[row.device]?.setFault(row.fault, row.parameter)
            }
            for row in try transaction.execute(LoadFlatLines(owned)) {
                found[row.device]?.setFlatLine(row.line, row.parameter)
            }
            for row in try transaction.execute(LoadWork(owned)) { found[row.device]?.work.append(row.work) }
            let clocks = try transaction.execute(LoadDeviceClocks(owned))
            let findings = Dictionary(
                uniqueKeysWithValues: clocks.map { ($0.key, DeviceClock.Finding(lagSeconds: $0.lagSeconds)) })
            for key in owned { memory[key.slot].clocks.recall(key.device, findings[key]) }
        }
        for key in missing { memory[key.slot].remember(key.device, found[key]) }
    }

    /// Looks up the last values of devices whose readings may be suspected spikes, where they are not known yet: after a
    /// restart, and when another engine has decided.
    /// - Parameter messages: Those with a value that is out of somebody's range, or may end an episode.
    func recall(_ messages: [ClaimedMessage], within hold: Duration) throws {
        var unknown: [DeviceKey: (device: WatchedDevice, since: Timestamp)] = [:]
        for message in messages {
            let (time, readings) = (message.content.time, message.content.readings)
            guard let device = message.watched,
                device.watermark.lacksValue(before: time, within: hold, of: readings)
            else { continue }
            let since = time - hold
            unknown[message.device] = (device, min(unknown[message.device]?.since ?? since, since))
        }
        guard !unknown.isEmpty else { return }
        let waiting = try waitingSince(Array(unknown.keys))
        let rows = try transaction.execute(
            FindLastValues(
                unknown.map { EvaluatedSince(key: $0.key, before: waiting[$0.key.slot]!, since: $0.value.since) }))
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.last) })
        for (key, (device, since)) in unknown {
            device.watermark.recall(since: since, found: found[key] ?? InlineArray(repeating: nil))
        }
    }

    /// Looks up the last readings of parameters whose course somebody watches, where they are not known yet: after a restart, and
    /// when another engine has decided.
    func recallCourses(_ messages: [ClaimedMessage], _ memory: EngineMemory, now: Timestamp) throws {
        var unknown: [ProbeKey: (device: WatchedDevice, since: Timestamp, until: Timestamp, lag: Duration)] = [:]
        for message in messages {
            guard let device = message.watched, device.coursed != 0 else { continue }
            let (time, lag) = (message.content.time, memory[message.slot].clocks.lag(of: message.content.device))
            let latest = EventTime.latest(before: time, now: now, lag: lag)
            for parameter in device.unknownCourses(of: message.content.readings).parameters {
                let key = ProbeKey(device: message.device, parameter: parameter)
                // A batch may hold what was measured before its first message.
                let head = device.watermark.head(of: parameter, at: time, latest: latest)
                let known = unknown[key]
                unknown[key] = (
                    device, min(known?.since ?? head, head), max(known?.until ?? head, head), known?.lag ?? lag
                )
            }
        }
        guard !unknown.isEmpty else { return }
        let waiting = try waitingSince(Array(Set(unknown.keys.map(\.device))))
        let rows = try transaction.execute(
            FindRecentValues(
                unknown.map { key, course in
                    (key: key, before: waiting[key.device.slot]!, since: course.since, until: course.until)
                }))
        var found: [ProbeKey: [WatchedDevice.PastReading]] = [:]
        for row in rows {
            let lag = unknown[row.key]?.lag ?? .zero
            let latest = EventTime.latest(before: row.reading.time, now: row.cameAt, lag: lag)
            found[row.key, default: []].append((row.reading, latest))
        }
        for (key, (device, _, _, _)) in unknown {
            guard let parameter = key.parameter else { continue }
            device.recall(found[key] ?? [], of: parameter)
        }
    }

    /// Looks up the watermarks that late readings have to pass.
    private func settle(_ late: [DeviceKey: (device: WatchedDevice, since: Timestamp)]) throws {
        let waiting = try waitingSince(Array(late.keys))
        let rows = try transaction.execute(
            FindWatermarks(
                late.map { EvaluatedSince(key: $0.key, before: waiting[$0.key.slot]!, since: $0.value.since) }))
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.times) })
        for (key, (device, since)) in late {
            device.watermark.settle(since: since, found: found[key] ?? InlineArray(repeating: nil))
        }
    }

    /// The receipt time from which on samples of these devices' slots await a decision. It is that of the oldest batch
    /// among those just taken and those still queued.
    private func waitingSince(_ devices: [DeviceKey]) throws -> [Slot: Timestamp] {
        let slots = Array(Set(devices.map(\.slot)))
        let left = try transaction.execute(FindOldestBatches(slots))
        return (batches.map { ($0.slot, $0.receivedAt) } + left.map { ($0.slot, $0.receivedAt) })
            .reduce(into: [:]) { oldest, batch in oldest[batch.0] = min(oldest[batch.0] ?? batch.1, batch.1) }
    }
}
