import Instants
import MQTT
import Store
import Synchronization
import WaterQuality

/// The devices that show something: what is known of each, what of it has to be read again, and what was published.
///
/// Lanes note what they have committed, which costs a device that shows nothing one look into a dictionary. Changes of a
/// device coalesce until it is its turn, at most once a second; turns go round all devices, so that a storm delays
/// everybody's display by as long as it takes and floods nothing.
final class DisplayBoard: Sendable {
    /// The time between two messages to a device.
    static let interval = Duration.seconds(1)
    /// The most devices of a turn whose last values are looked for in all that is kept, which takes milliseconds each.
    static let mostLatest = 25

    /// The parts of a device that have to be read.
    struct Due: OptionSet {
        let rawValue: UInt8

        /// The last value of each parameter, however old, in place of those known.
        static let latest = Due(rawValue: 1)
        /// Readings since the newest value known.
        static let readings = Due(rawValue: 2)
        /// Everything but the values.
        static let setup = Due(rawValue: 4)
        static let all: Due = [.latest, .setup]
    }

    /// Where a device waits for its turn.
    fileprivate enum Place { case idle, queue, beginners }

    fileprivate struct Entry {
        let row: ListDisplays.Row
        var due = Due.all
        var place = Place.idle
        var setup: ReadDisplays.Row?
        var measured: [Parameter: Display.Measured] = [:]
        /// The event time of the newest value.
        var newest: Timestamp?
        var published: (payload: [UInt8], at: ContinuousClock.Instant)?
        /// When other limits may hold.
        var turnsAt: ContinuousClock.Instant?

        /// Whether the last values have to be looked for in all that is kept: of a device that had sent nothing, what
        /// comes with its first readings.
        var needsLatest: Bool { due.contains(.latest) || due.contains(.readings) && newest == nil }

        mutating func take(_ value: Display.Measured, of parameter: Parameter) {
            if let known = measured[parameter], known.at > value.at { return }
            measured[parameter] = value
            newest = max(newest ?? value.at, value.at)
        }

        mutating func forgetValues() { (measured, newest) = ([:], nil) }
    }

    /// The reads that are due, for the devices whose turn it is.
    struct Work {
        var devices: [DeviceKey] = []
        var latest: [DeviceKey] = []
        var since: [(device: DeviceKey, since: Timestamp)] = []
        var setups: [DeviceKey] = []

        var isEmpty: Bool { devices.isEmpty }
    }

    /// The findings of these reads.
    struct Findings {
        var setups: [ReadDisplays.Row] = []
        var latest: [ReadLatestOfDisplays.Row] = []
        var since: [(device: DeviceKey, at: Timestamp, readings: Readings)] = []
    }

    /// A device's display after its turn.
    struct Shown {
        /// The hardware id.
        var device: String
        var display: Display
        /// Whether it was read anew what is wrong, and not only what was measured.
        var isRead: Bool
        /// The message for the device; nil where it shows the same already.
        var message: MQTTMessage?

        /// Whether to tell Home Assistant, which keeps no state: what stays the same is told again in each round, before
        /// it expires there.
        var isToldAtHome: Bool { isRead || message != nil }
    }

    fileprivate struct State {
        var entries: [Device.ID: Entry] = [:]
        var names: [String: Device.ID] = [:]
        /// Whose turn is next.
        var queue: [Device.ID] = []
        /// Whose last values have to be looked for. One that was called into the queue meanwhile is passed over.
        var beginners: [Device.ID] = []
        /// Whether the list of devices may have changed.
        var isListDue = true
        /// When the first device may have other limits; nearly always never.
        var nextTurn: ContinuousClock.Instant?

        /// Notes the devices whose limits may be others by now.
        mutating func noteTurns(now: ContinuousClock.Instant) {
            guard let first = nextTurn, first <= now else { return }
            for id in Array(entries.keys) {
                guard let at = entries[id]?.turnsAt, at <= now else { continue }
                entries[id]?.turnsAt = nil
                note(.setup, of: id, isCalled: true)
            }
            nextTurn = entries.values.compactMap(\.turnsAt).min()
        }

        /// Takes over everything but the values of a device.
        mutating func take(_ row: ReadDisplays.Row, now: ContinuousClock.Instant) {
            guard let index = entries.index(forKey: row.device.device) else { return }
            entries.values[index].setup = row
            entries.values[index].turnsAt = row.turnsIn.map { now + $0 }
            nextTurn = [nextTurn, entries.values[index].turnsAt].compactMap(\.self).min()
        }

        /// - Parameter isCalled: Whether something has happened that does not wait for those who begin.
        mutating func note(_ due: Due, of id: Device.ID, isCalled: Bool = false) {
            guard let index = entries.index(forKey: id) else { return }
            entries.values[index].due.formUnion(due)
            switch entries.values[index].place {
            case .queue: break
            case .beginners where !isCalled: break
            case .idle where !isCalled && entries.values[index].needsLatest:
                entries.values[index].place = .beginners
                beginners.append(id)
            case .idle, .beginners:
                entries.values[index].place = .queue
                queue.append(id)
            }
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.entries.count) }
    var slots: SlotSet { state.withLock { SlotSet($0.entries.values.map(\.row.device.slot)) } }

    // MARK: Changes

    /// Takes note of devices whose readings were stored.
    func note(readingsOf devices: some Sequence<Device.ID>) {
        state.withLock { state in
            guard !state.entries.isEmpty else { return }
            for device in devices { state.note(.readings, of: device) }
        }
    }

    /// Takes note of a notice about readings; nil stands for all devices.
    func note(readingsOf notice: ReadingNotice) {
        state.withLock { state in
            for device in notice.devices ?? Array(state.entries.keys) { state.note(.readings, of: device) }
        }
    }

    func note(_ notice: DisplayNotice) {
        state.withLock { state in
            switch notice {
            case .list: state.isListDue = true
            case .devices(let devices?):
                for device in devices { state.note(.setup, of: device, isCalled: true) }
            case .devices(nil):
                for device in Array(state.entries.keys) { state.note(.setup, of: device) }
            case .anew(let device): state.note(.all, of: device, isCalled: true)
            }
        }
    }

    /// Takes note that the setup of some people may have changed.
    func note(_ notice: SetupNotice) {
        state.withLock { state in
            for (id, entry) in state.entries where notice.includes(entry.row.owner) {
                state.note(.setup, of: id, isCalled: true)
            }
        }
    }

    /// Takes note that anything but readings may have changed, and with it which devices show something.
    func noteAll() {
        state.withLock { state in
            state.isListDue = true
            for id in Array(state.entries.keys) { state.note(.setup, of: id) }
        }
    }

    // MARK: Devices

    /// Forgets everything: a new connection begins anew.
    func startAnew() { state.withLock { $0 = State() } }

    /// Whether to list the devices anew; the answer is given once for each change.
    func takeListing() -> Bool {
        state.withLock { state in
            defer { state.isListDue = false }
            return state.isListDue
        }
    }

    /// Takes over which devices show something.
    /// - Returns: The hardware ids of those that do not any more.
    func replace(with rows: [ListDisplays.Row]) -> [String] {
        state.withLock { state in
            var gone = state.entries
            for row in rows {
                let id = row.device.device
                // Another owner's device begins anew: nothing of the one before is shown to them.
                if gone.removeValue(forKey: id)?.row == row { continue }
                let place = state.entries[id]?.place ?? .idle
                state.entries[id] = Entry(row: row, place: place)
                state.names[row.hardwareID] = id
                state.note(.all, of: id)
            }
            for (id, entry) in gone {
                state.entries[id] = nil
                state.names[entry.row.hardwareID] = nil
            }
            return gone.values.map(\.row.hardwareID)
        }
    }

    /// The hardware ids of devices whose displays the broker still keeps and nobody wants.
    func strays(among messages: [MQTTMessage]) -> [String] {
        state.withLock { state in
            messages.compactMap { message in
                guard case .display(let device) = DisplayTopic(message.topic), !message.payload.isEmpty,
                    state.names[device.text] == nil
                else { return nil }
                return device.text
            }
        }
    }

    /// The presses of devices that show something: of each the first, so that one device's key costs the database one
    /// statement at a time. A press that is none is nil.
    func presses(among messages: [MQTTMessage]) -> [DeviceKey: ButtonPress?] {
        state.withLock { state in
            var presses: [DeviceKey: ButtonPress?] = [:]
            for message in messages {
                guard case .button(let device) = DisplayTopic(message.topic), !message.retain,
                    let key = state.names[device.text].flatMap({ state.entries[$0]?.row.device }), presses[key] == nil
                else { continue }
                presses.updateValue(ButtonPress(message.payload), forKey: key)
            }
            return presses
        }
    }

    // MARK: Turns

    /// The next devices whose turn it is. Those that begin keep some room, so that each comes to its turn.
    /// - Parameter most: Most devices.
    func takeWork(most: Int, now: ContinuousClock.Instant) -> Work {
        state.withLock { state in
            state.noteTurns(now: now)
            var work = Work()
            let reserved = min(Self.mostLatest, state.beginners.count, most / 2)
            state.queue = state.take(from: state.queue, .queue, into: &work, most: most - reserved, now: now)
            state.beginners = state.take(from: state.beginners, .beginners, into: &work, most: most, now: now)
            return work
        }
    }

    /// Takes over what was read.
    /// - Returns: What the devices show.
    func deliver(_ findings: Findings, of work: Work, now: ContinuousClock.Instant) -> [Shown] {
        state.withLock { state in
            for row in findings.setups { state.take(row, now: now) }
            // Some of what is known may be deleted.
            for device in work.latest { state.entries[device.device]?.forgetValues() }
            for row in findings.latest {
                guard let parameter = row.parameter else { continue }
                state.entries[row.device.device]?.take(row.measured, of: parameter)
            }
            for row in findings.since {
                row.readings.forEachPresent { parameter, value in
                    state.entries[row.device.device]?.take(
                        Display.Measured(value: value, at: row.at), of: parameter)
                }
            }
            let read = Set(work.setups)
            return work.devices.compactMap { device in
                state.entries[device.device]?.publish(isRead: read.contains(device), now: now)
            }
        }
    }
}

extension DisplayBoard.State {
    /// Takes the first of those that wait in one place.
    /// - Returns: Who waits on.
    fileprivate mutating func take(
        from waiting: [Device.ID], _ place: DisplayBoard.Place, into work: inout DisplayBoard.Work, most: Int,
        now: ContinuousClock.Instant
    ) -> [Device.ID] {
        var early: [Device.ID] = []
        var taken = 0
        for id in waiting {
            let hasRoom = work.latest.count < DisplayBoard.mostLatest
            guard work.devices.count < most, hasRoom || place == .queue else { break }
            taken += 1
            guard let index = entries.index(forKey: id), entries.values[index].place == place else { continue }
            if entries.values[index].needsLatest && !hasRoom
                || entries.values[index].published.map({ now - $0.at < DisplayBoard.interval }) == true
            {
                early.append(id)
            } else {
                work.add(&entries.values[index])
            }
        }
        return early + waiting.dropFirst(taken)
    }
}

extension DisplayBoard.Work {
    /// Takes what is due of a device.
    fileprivate mutating func add(_ entry: inout DisplayBoard.Entry) {
        let device = entry.row.device
        devices.append(device)
        if entry.due.contains(.setup) { setups.append(device) }
        if entry.needsLatest {
            latest.append(device)
        } else if entry.due.contains(.readings), let newest = entry.newest {
            since.append((device, newest))
        }
        entry.due = []
        entry.place = .idle
    }
}

extension DisplayBoard.Entry {
    /// The device's display; nil where it is not known to show anything.
    fileprivate mutating func publish(isRead: Bool, now: ContinuousClock.Instant) -> DisplayBoard.Shown? {
        guard let setup else { return nil }
        let display = Display(setup, measured)
        let payload = display.payload
        let isChanged = payload != published?.payload
        if isChanged { published = (payload, now) }
        return DisplayBoard.Shown(
            device: row.hardwareID, display: display, isRead: isRead,
            message: isChanged ? DisplayTopic.message(for: row.hardwareID, payload) : nil)
    }
}
