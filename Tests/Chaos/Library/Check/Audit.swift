import TestSupport

/// Compares the devices' ledgers with the system's results. Pure, and shares no code with the product.
package struct Audit: Sendable {
    package private(set) var tally = Tally()
    private let record: RoundRecord

    /// How far back a crash of the broker may lose messages: it saves every 10 s, later on a busy machine.
    static let autosave = 25_000_000
    /// The shortest time without a reading after which a device is silent.
    static let leastSilence = 60_000_000
    /// How late a program may record an event on a busy machine.
    static let noting = 2_000_000

    package init(_ record: RoundRecord) {
        self.record = record
        let evaluated = checkReadings()
        checkMischief()
        let watches = Self.watches(evaluated, record)
        checkEpisodes(watches)
        checkAlerts(watches)
        checkRecoveries()
        checkHours()
        checkSilences()
        checkDerived()
        tally += Self.deliveries(of: record)
        tally += Self.messages(of: record)
        tally += Self.truth(of: record)
        tally += Self.work(of: record)
    }

    /// A moment of a device, which has one reading at most.
    struct Moment: Hashable {
        let device: String
        let time: Int
    }

    /// Checks silences. Devices measure from a round's first reading to the end of its fault, so every silence of that
    /// time is a fault of the system; so is one decided after it, within less time than a device may be silent. Later
    /// nothing measures.
    private mutating func checkSilences() {
        let measuring = (record.readings.map(\.time).min() ?? 0)...record.infliction.upperBound + Self.leastSilence
        for silence in record.silences where measuring.contains(silence.decidedAt) {
            tally.note(\.silencesWrong, "\(silence.device) was told to be silent")
        }
    }

    private mutating func checkDerived() {
        for reading in record.derivedWrong {
            tally.note(\.derivedWrong, "the oxygen saturation of \(reading) is not that of its oxygen")
        }
    }

    // MARK: Readings

    /// - Returns: The readings that the system must have evaluated, in the order of measurement.
    private mutating func checkReadings() -> [StoredSample] {
        let devices = Set(record.readings.map(\.device))
        let stored = Dictionary(grouping: record.stored.filter { devices.contains($0.device) }) {
            Moment(device: $0.device, time: $0.time)
        }
        var kept: [StoredSample] = []
        for reading in record.readings {
            let what = "the reading of \(reading.device) at \(reading.time)"
            guard let handedOverAt = reading.handedOverAt else {
                tally.note(\.lost, "\(what) could not be handed over")
                continue
            }
            tally.handedOver += 1
            if reading.asksForReceipt, !["stored", "repeated"].contains(reading.receipt) {
                tally.note(\.lost, "\(what) has the receipt \(reading.receipt ?? "-")")
            }
            let rows = stored[Moment(device: reading.device, time: reading.time)] ?? []
            if rows.count > 1 { tally.note(\.storedTwice, "\(what) is stored \(rows.count) times") }
            let whole = StoredSample(device: reading.device, time: reading.time, values: reading.values)
            let found = rows.first ?? StoredSample(device: reading.device, time: reading.time, values: [])
            if found == whole {
                kept.append(whole)
            } else if mayBeLost(reading, handedOverAt), found.isPart(of: whole) {
                tally.lostWithoutReceipt += 1
                kept.append(found)
            } else {
                tally.note(\.lost, "\(what) was handed over at \(handedOverAt) and is stored as \(found.values)")
            }
        }
        let known = Set(record.readings.map { Moment(device: $0.device, time: $0.time) })
        for key in stored.keys where !known.contains(key) {
            tally.note(\.storedTwice, "a reading of \(key.device) is stored at \(key.time), when it measured nothing")
        }
        return kept
    }

    /// Whether the broker may have lost the reading in its crash, among unsaved messages.
    private func mayBeLost(_ reading: LedgerReading, _ handedOverAt: Int) -> Bool {
        guard !reading.asksForReceipt, let outage = record.brokerOutage else { return false }
        // A device may record an acknowledgement a little after its arrival.
        return handedOverAt >= outage.lowerBound - Self.autosave && handedOverAt <= outage.upperBound + Self.noting
    }

    private mutating func checkMischief() {
        let mischief = record.mischief
        let stored = record.stored.filter { $0.device == mischief.device }
        let times = Set(stored.map(\.time))
        tally.handedOver += mischief.times.count + mischief.timedByReceipt
        for time in mischief.times.subtracting(times).sorted() {
            tally.note(\.lost, "the reading of \(mischief.device) at \(time) is not stored")
        }
        // A copy that died between the commits of its parts reports a message twice.
        for _ in record.setAside..<max(record.setAside, mischief.refused) {
            tally.note(\.lost, "a message of \(mischief.device) that the database refuses is told to nobody")
        }
        let others = stored.count { !mischief.times.contains($0.time) }
        for _ in others..<max(others, mischief.timedByReceipt) {
            tally.note(\.lost, "a reading of \(mischief.device) without a believable time is not stored")
        }
        for _ in mischief.timedByReceipt..<max(others, mischief.timedByReceipt) {
            tally.note(\.storedTwice, "\(mischief.device) has a reading too many")
        }
    }

    // MARK: Decisions

    /// One parameter of one device.
    struct Watch: Hashable, Sendable {
        var device: String
        var parameter: Int
    }

    private static func watches(
        _ readings: [StoredSample], _ record: RoundRecord
    ) -> [Watch: [NaiveCalculation.Episode]] {
        var watches: [Watch: [NaiveCalculation.Episode]] = [:]
        for (device, readings) in Dictionary(grouping: readings, by: \.device) {
            for (position, water) in Water.all.enumerated() {
                let values: [NaiveCalculation.Reading] = readings.compactMap { reading in
                    guard position < reading.values.count, let value = reading.values[position] else { return nil }
                    return .init(time: reading.time, value: value)
                }
                watches[Watch(device: device, parameter: water.number)] = water.calculation.episodes(
                    deciding(values, position: position, of: device, record))
            }
        }
        return watches
    }

    private mutating func checkEpisodes(_ watches: [Watch: [NaiveCalculation.Episode]]) {
        var expected = Set<StoredEpisode>()
        for (watch, episodes) in watches {
            for episode in episodes {
                expected.insert(
                    StoredEpisode(
                        device: watch.device, parameter: watch.parameter, side: episode.side,
                        openedAt: episode.openedAt, closedAt: episode.closedAt, worst: episode.worst))
            }
        }
        tally.episodesExpected += expected.count
        let found = Set(record.episodes)
        for episode in expected.subtracting(found) { tally.note(\.episodesWrong, "there should be \(episode)") }
        for episode in found.subtracting(expected) { tally.note(\.episodesWrong, "there should not be \(episode)") }
    }

    private mutating func checkAlerts(_ watches: [Watch: [NaiveCalculation.Episode]]) {
        let alerts = Dictionary(grouping: record.alerts.filter { $0.purpose != "recovery" }) {
            Watch(device: $0.device, parameter: $0.parameter)
        }
        for (watch, episodes) in watches {
            let allClears = record.alerts.filter {
                $0.purpose == "recovery" && $0.device == watch.device && $0.parameter == watch.parameter
                    && $0.acceptedAt != nil
            }
            var check = ThrottleCheck(alerts[watch] ?? [], allClears: allClears, throttle: record.throttle)
            check.follow(episodes)
            tally.alertsExpected += check.expected
            for time in check.missed { tally.note(\.alertsMissed, "\(watch) was not alerted at \(time)") }
            for alert in check.left { tally.note(\.beyondThrottle, "there should not be \(alert)") }
            checkLateness(check.taken, watch)
            checkPurposes(check.taken.map(\.alert))
        }
        for (watch, alerts) in alerts where watches[watch] == nil {
            for alert in alerts { tally.note(\.beyondThrottle, "there should not be \(alert)") }
        }
    }

    /// Checks that every alert is decided soon after its reading was handed over, or after the fault, and accepted soon
    /// after that.
    private mutating func checkLateness(_ taken: [(time: Int, alert: StoredAlert)], _ watch: Watch) {
        let handedOver = Dictionary(
            record.readings.filter { $0.device == watch.device }.map { ($0.time, $0.handedOverAt) }
        ) { first, _ in first }
        for (time, alert) in taken {
            let safeAt = (handedOver[time] ?? nil) ?? time
            let from = record.fault.holdsNobodyUp ? safeAt : max(safeAt, record.infliction.upperBound)
            if alert.decidedAt > from + Self.lateness {
                tally.note(\.alertsLate, "\(alert) was decided too late")
            } else if let acceptedAt = alert.acceptedAt,
                acceptedAt > max(from, alert.decidedAt) + Self.lateness + record.fault.leaseKept
            {
                tally.note(\.alertsLate, "\(alert) was accepted too late")
            }
            // A decision has the start time of its transaction, which may have waited for the reading. An engine that
            // was frozen in its transaction decides when it wakes.
            let frozenFor = record.fault.freezesEngine ? record.infliction.upperBound - record.infliction.lowerBound : 0
            if alert.decidedAt < time - Self.noting - frozenFor {
                tally.note(\.unexplained, "\(alert) was decided before it was measured")
            }
        }
    }

    /// The time allowed on two busy cores for steps that usually take milliseconds, after a fault or beside one that
    /// delays nobody.
    private static let lateness = 60_000_000

    /// Checks that the first alert of an episode is its alarm and the later ones are reminders. An alert that was
    /// cancelled before the next decision does not count, because nobody got it. Both times are those of a
    /// transaction's start, so if two transactions overlapped either may have seen the other's result.
    private mutating func checkPurposes(_ alerts: [StoredAlert]) {
        var earlier: [Int: [StoredAlert]] = [:]
        for alert in alerts {
            func counts(at time: Int) -> Bool {
                earlier[alert.openedAt, default: []].contains {
                    $0.acceptedAt != nil || $0.cancelledAt.map { $0 > time } ?? true
                }
            }
            let isReminder = [counts(at: alert.decidedAt - Self.noting), counts(at: alert.decidedAt + Self.noting)]
            let purposes = Set(isReminder.map { $0 ? "reminder" : "alarm" })
            earlier[alert.openedAt, default: []].append(alert)
            if !purposes.contains(alert.purpose) {
                let wanted = purposes.sorted().joined(separator: " or ")
                tally.note(\.unexplained, "\(alert) should be of purpose \(wanted)")
            }
        }
    }

    private mutating func checkHours() {
        tally.workedHours += record.hours.count { $0.worked > 0 }
        for hour in record.hours where hour.rolledUp != hour.samples {
            tally.note(
                \.hoursWrong,
                "the hour \(hour.start) of \(hour.device) is rolled up as \(hour.rolledUp), not \(hour.samples)")
        }
    }

    /// Checks that a person who got an alarm gets one all-clear; a cancelled all-clear does not count.
    private mutating func checkRecoveries() {
        let watches = Dictionary(grouping: record.alerts) { Watch(device: $0.device, parameter: $0.parameter) }
        for (watch, alerts) in watches {
            var isTold = false
            for alert in alerts.sorted(by: { $0.id < $1.id }) where alert.acceptedAt != nil || alert.cancelledAt == nil
            {
                if alert.purpose == "recovery", !isTold {
                    tally.note(\.beyondThrottle, "an all-clear without an alarm: \(alert)")
                }
                isTold = alert.purpose != "recovery"
            }
            if isTold { tally.note(\.alertsMissed, "the end of the trouble of \(watch) was not told") }
        }
    }
}

extension StoredSample {
    /// Whether the row lacks some of the values and has no different ones.
    fileprivate func isPart(of whole: StoredSample) -> Bool {
        zip(values, whole.values).allSatisfy { $0 == nil || $0 == $1 }
    }
}
