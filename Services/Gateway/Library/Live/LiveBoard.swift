import Instants
import Store
import WaterQuality

/// The listeners of live events, and what they know already: pure, without a database or a socket.
///
/// A device is dirty when something may have happened to it. `takeWork` names the dirty devices; whoever reads the
/// tables for them brings the findings to `deliver`. The sweep, which makes every device dirty once a round, makes up
/// for lost notifications.
struct LiveBoard {
    typealias Instant = ContinuousClock.Instant

    struct Listener {
        let account: Account.ID
        /// Valid for longer than the stream lasts.
        let ticket: LiveTicket
        let credential: Credential
        let queue: LiveQueue
        /// The time at which the stream is ended, for the sake of deploys and forgotten screens.
        let endsAt: Instant
    }

    /// The last reading of a device that was told.
    private struct Told {
        var time: Timestamp
        var present: UInt32
    }

    private struct Followed {
        var told: Told?
        var isDirty = true
        /// When to look again without a notification.
        var again: Instant?
        /// The earliest time of the next look: ten looks a second at most.
        var notBefore: Instant
        /// The view of each listening person on the device.
        var people: [Account.ID: Known?] = [:]
    }

    private struct Known {
        var isOnline: Bool?
        var statusAt: Timestamp?
        var episodes: Set<LiveDevice.Episode>
        var troubles: Set<LiveDevice.Trouble>
    }

    private enum KnownSetup {
        /// Not looked at yet: screens that have just begun read everything themselves.
        case unknown
        /// Not looked at yet, and changed meanwhile: a screen may have read the former state.
        case behind
        case known(SetupVersions)
    }

    private struct Person {
        var listeners: [UInt64] = []
        /// The ticket of the stream that began last, which no other outlasts by much.
        var ticket: LiveTicket
        var devices: Set<DeviceKey> = []
        /// The person's setup at the last look.
        var setup = KnownSetup.unknown
        /// The alerts told so far, with their states; nil before the first look.
        var alerts: [AlertName: Word<Alert.State>]?
    }

    static let mostOfPerson = 8
    /// Shortest time between two looks at one device.
    static let pause = Duration.milliseconds(100)
    /// Time after a reading at which its decision is looked for.
    static let decisionTime = Duration.milliseconds(300)
    /// Time before a stream's beginning from which events are told again: longer than a round of the sweep and than any
    /// commit lasts.
    static let overlap = Duration.seconds(60)
    private static let mostDevices = 1_000

    private let most: Int
    private var listeners: [UInt64: Listener] = [:]
    private var people: [Account.ID: Person] = [:]
    private var followed: [DeviceKey: Followed] = [:]
    private var numbers: [Device.ID: DeviceKey] = [:]
    private var dirty: Set<DeviceKey> = []
    private var areAlertsDirty = false
    private var alertsNotBefore = Instant.now
    /// People whose setup has to be looked at.
    private var dirtySetups: Set<Account.ID> = []
    private var setupsNotBefore = Instant.now
    private var nextNumber: UInt64 = 0
    /// Since when readings are not taken as they come; nil while they are.
    private(set) var intakeLateSince: Timestamp?

    init(most: Int) { self.most = most }

    var count: Int { listeners.count }
    var accounts: [Account.ID] { Array(people.keys) }
    var slots: SlotSet { SlotSet(followed.keys.lazy.map(\.slot)) }

    // MARK: Coming and going

    enum Refusal: Error { case tooManyOfPerson, tooMany }

    func refusal(for account: Account.ID) -> Refusal? {
        if people[account]?.listeners.count ?? 0 >= Self.mostOfPerson { return .tooManyOfPerson }
        return listeners.count >= most ? .tooMany : nil
    }

    mutating func add(_ listener: Listener, devices: Set<DeviceKey>, now: Instant) throws(Refusal) -> UInt64 {
        if let refusal = refusal(for: listener.account) { throw refusal }
        nextNumber += 1
        listeners[nextNumber] = listener
        people[listener.account, default: Person(ticket: listener.ticket)].listeners.append(nextNumber)
        people[listener.account]?.ticket = listener.ticket
        areAlertsDirty = true
        dirtySetups.insert(listener.account)
        setDevices(devices, of: listener.account, now: now)
        // Nothing counts as known, so that the first finding is told as it is, to this listener too.
        for device in devices { followed[device]?.people[listener.account] = .some(nil) }
        mark(devices, now: now)
        return nextNumber
    }

    mutating func remove(_ number: UInt64) {
        guard let listener = listeners.removeValue(forKey: number) else { return }
        people[listener.account]?.listeners.removeAll { $0 == number }
        guard people[listener.account]?.listeners.isEmpty == true else { return }
        for device in people[listener.account]?.devices ?? [] { unfollow(device, listener.account) }
        people[listener.account] = nil
        dirtySetups.remove(listener.account)
    }

    private mutating func setDevices(_ devices: Set<DeviceKey>, of account: Account.ID, now: Instant) {
        guard let old = people[account]?.devices, old != devices else { return }
        for device in old.subtracting(devices) { unfollow(device, account) }
        for device in devices.subtracting(old) {
            followed[device, default: Followed(notBefore: now)].people[account] = .some(nil)
            numbers[device.device] = device
            dirty.insert(device)
        }
        people[account]?.devices = devices
    }

    private mutating func unfollow(_ device: DeviceKey, _ account: Account.ID) {
        followed[device]?.people[account] = nil
        guard followed[device]?.people.isEmpty == true else { return }
        followed[device] = nil
        numbers[device.device] = nil
        dirty.remove(device)
    }

    // MARK: Notifications

    mutating func note(_ notice: ReadingNotice, now: Instant) {
        guard let devices = notice.devices else { return noteAll(now: now) }
        mark(devices.compactMap { numbers[$0] }, now: now)
    }

    mutating func noteAll(now: Instant) {
        mark(Array(followed.keys), now: now)
        areAlertsDirty = true
        dirtySetups.formUnion(people.keys)
    }

    mutating func note(_ notice: SetupNotice) {
        for account in people.keys where notice.includes(account) {
            dirtySetups.insert(account)
            if case .unknown? = people[account]?.setup { people[account]?.setup = .behind }
        }
    }

    mutating func noteAlerts() { areAlertsDirty = !listeners.isEmpty }

    private mutating func mark(_ devices: some Sequence<DeviceKey>, now: Instant) {
        for device in devices where followed[device] != nil {
            followed[device]?.isDirty = true
            dirty.insert(device)
        }
    }

    // MARK: Looking

    struct Work: Sendable {
        var devices: [(device: DeviceKey, since: Timestamp?)] = []
        var pairs: [(device: DeviceKey, account: Account.ID)] = []
        /// People whose alerts have to be looked at.
        var accounts: [Account.ID] = []
        /// People whose setup has to be looked at.
        var setups: [Account.ID] = []
        /// The tickets of all these people.
        var tickets: [Account.ID: LiveTicket] = [:]
        var isEmpty: Bool { devices.isEmpty && accounts.isEmpty && setups.isEmpty }
    }

    private func isRipe(_ device: DeviceKey, _ now: Instant) -> Bool {
        guard let one = followed[device] else { return false }
        return one.isDirty ? one.notBefore <= now : one.again.map { $0 <= now } ?? false
    }

    mutating func takeWork(now: Instant) -> Work {
        var work = Work()
        for device in dirty where isRipe(device, now) {
            guard let one = followed[device] else { continue }
            work.devices.append((device, one.told?.time))
            for account in one.people.keys { work.pairs.append((device, account)) }
            if work.devices.count == Self.mostDevices { break }
        }
        for (device, _) in work.devices {
            let wasDirty = followed[device]?.isDirty == true
            followed[device]?.isDirty = false
            // A look for a decision delays no reading.
            if wasDirty { followed[device]?.notBefore = now + Self.pause }
            followed[device]?.again = wasDirty ? now + Self.decisionTime : nil
            if !wasDirty { dirty.remove(device) }
        }
        if areAlertsDirty, alertsNotBefore <= now {
            areAlertsDirty = false
            alertsNotBefore = now + .milliseconds(250)
            work.accounts = accounts
        }
        if !dirtySetups.isEmpty, setupsNotBefore <= now {
            setupsNotBefore = now + .milliseconds(250)
            work.setups = Array(dirtySetups)
            dirtySetups = []
        }
        for account in Set(work.pairs.map(\.account)).union(work.accounts).union(work.setups) {
            work.tickets[account] = people[account]?.ticket
        }
        return work
    }

    /// Takes back work that could not be done.
    mutating func giveBack(_ work: Work) {
        for (device, _) in work.devices where followed[device] != nil {
            followed[device]?.isDirty = true
            dirty.insert(device)
        }
        if !work.accounts.isEmpty { areAlertsDirty = true }
        dirtySetups.formUnion(work.setups.filter { people[$0] != nil })
    }

    // MARK: Telling

    struct Findings: Sendable {
        /// The database's time before the look: everything committed until then was seen.
        var position: Timestamp
        var samples: [LiveSample] = []
        var devices: [LiveDevice] = []
        var alerts: [LiveAlert] = []
        var setups: [Account.ID: Setup] = [:]
    }

    /// A person's setup: its versions, and the person's devices.
    struct Setup: Equatable, Sendable {
        var versions: SetupVersions
        var devices: Set<DeviceKey>
    }

    /// - Parameter now: The time from which new devices may be looked at.
    mutating func deliver(_ findings: Findings, of work: Work, now: Instant) {
        let seers = Dictionary(grouping: findings.devices, by: \.device)
        for sample in findings.samples.sorted(by: { $0.time < $1.time }) {
            guard isNew(sample), let first = seers[sample.device]?.first else { continue }
            var shown = sample
            shown.time = sample.time + first.lag
            let event = LiveEvent.reading(hardwareID: first.hardwareID, shown).encoded(findings.position)
            for seer in seers[sample.device] ?? [] where seer.readableFrom <= shown.time { tell(seer.account, event) }
        }
        for device in findings.devices { tellState(device, findings.position) }
        let alerts = Dictionary(grouping: findings.alerts, by: \.account)
        for account in work.accounts { tellAlerts(alerts[account] ?? [], to: account, findings.position) }
        for account in work.setups { tellSetup(findings.setups[account], to: account, findings.position, now: now) }
    }

    /// Whether a sample is news, and notes it as told. A sample that adds parameters to a message told before is news as well.
    private mutating func isNew(_ sample: LiveSample) -> Bool {
        guard let one = followed[sample.device] else { return false }
        if let told = one.told,
            sample.time < told.time || sample.time == told.time && sample.readings.present == told.present
        {
            return false
        }
        followed[sample.device]?.told = Told(time: sample.time, present: sample.readings.present)
        return true
    }

    private mutating func tellState(_ device: LiveDevice, _ position: Timestamp) {
        guard let before = followed[device.device]?.people[device.account] else { return }
        let episodes = Set(device.episodes)
        if let isOnline = device.isOnline, let at = device.statusAt,
            before?.isOnline != isOnline || before?.statusAt != at
        {
            tell(device.account, .device(hardwareID: device.hardwareID, isOnline: isOnline, at: at), position)
        }
        let known = before?.episodes ?? []
        for gone in known where !episodes.contains(where: { $0.parameter == gone.parameter }) {
            tell(device.account, .closed(hardwareID: device.hardwareID, gone.parameter), position)
        }
        for episode in episodes.subtracting(known) {
            tell(device.account, .opened(hardwareID: device.hardwareID, episode), position)
        }
        let (troubles, knownTroubles) = (Set(device.troubles), before?.troubles ?? [])
        for gone in Set(knownTroubles.map(\.subject)).subtracting(troubles.map(\.subject)) {
            tell(device.account, .ended(hardwareID: device.hardwareID, gone), position)
        }
        for trouble in troubles.subtracting(knownTroubles) {
            tell(device.account, .began(hardwareID: device.hardwareID, trouble), position)
        }
        followed[device.device]?.people[device.account] = Known(
            isOnline: device.isOnline, statusAt: device.statusAt, episodes: episodes, troubles: troubles)
    }

    private mutating func tellAlerts(_ alerts: [LiveAlert], to account: Account.ID, _ position: Timestamp) {
        guard let person = people[account] else { return }
        // At first: everything that can have come while the stream began.
        let known = person.alerts ?? [:]
        let since = person.alerts == nil ? position - Self.overlap : .distantPast
        for alert in alerts.reversed() where known[alert.name] != alert.state && alert.decidedAt > since {
            tell(account, .alert(alert), position)
        }
        people[account]?.alerts = Dictionary(alerts.map { ($0.name, $0.state) }) { first, _ in first }
    }

    /// - Parameter setup: `nil` for a person who is gone; the end of their sessions ends their streams.
    private mutating func tellSetup(_ setup: Setup?, to account: Account.ID, _ position: Timestamp, now: Instant) {
        guard let setup, let person = people[account] else { return }
        var changes: Set<SetupPart> =
            switch person.setup {
            case .unknown: []
            case .behind: Set(SetupPart.allCases)
            case .known(let versions): setup.versions.changes(since: versions)
            }
        if person.devices != setup.devices { changes.insert(.devices) }
        if !changes.isEmpty { tell(account, .resync(changes), position) }
        people[account]?.setup = .known(setup.versions)
        setDevices(setup.devices, of: account, now: now)
    }

    /// Tells everybody whether readings are taken as they come, when that changes.
    mutating func tellIntake(lateSince: Timestamp?, _ position: Timestamp) {
        guard lateSince != intakeLateSince else { return }
        let isNews = (lateSince == nil) != (intakeLateSince == nil)
        intakeLateSince = lateSince
        guard isNews else { return }
        let event = LiveEvent.intake(lateSince: lateSince).encoded(position)
        for listener in listeners.values { listener.queue.offer(event) }
    }

    private func tell(_ account: Account.ID, _ event: LiveEvent, _ position: Timestamp) {
        tell(account, event.encoded(position))
    }

    private func tell(_ account: Account.ID, _ event: [UInt8]) {
        for number in people[account]?.listeners ?? [] { listeners[number]?.queue.offer(event) }
    }

    // MARK: The sweep

    /// A fraction of all numbers: those that are looked at in one of several turns.
    struct Turn {
        var number: UInt64
        var of: UInt64

        func contains(_ other: UInt64) -> Bool { other % of == number % of }
    }

    /// Ends the streams whose time is up, sends heartbeats, and makes devices and setups dirty, each in its turn.
    /// - Returns: The credentials to check.
    mutating func sweep(_ turn: Turn, heartbeats: Turn, now: Instant) -> Set<Credential> {
        var credentials: Set<Credential> = []
        for (number, listener) in listeners {
            if listener.endsAt <= now { listener.queue.finish(.due) }
            if heartbeats.contains(number) { listener.queue.beat() }
            if turn.contains(number) { credentials.insert(listener.credential) }
        }
        dirtySetups.formUnion(people.keys.filter { turn.contains(UInt64(bitPattern: $0.rawValue)) })
        mark(followed.keys.filter { turn.contains(UInt64(bitPattern: Int64($0.device.rawValue))) }, now: now)
        if turn.number % turn.of == 0 { areAlertsDirty = !listeners.isEmpty }
        return credentials
    }

    /// Ends the streams of credentials that are no longer valid.
    func end(_ credentials: Set<Credential>) {
        guard !credentials.isEmpty else { return }
        for listener in listeners.values where credentials.contains(listener.credential) {
            listener.queue.finish(.signedOut)
        }
    }

    func finishAll(_ end: LiveQueue.End) {
        for listener in listeners.values { listener.queue.finish(end) }
    }
}
