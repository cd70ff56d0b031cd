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

    /// What has to be read of a device.
    struct Due: OptionSet {
        let rawValue: UInt8

        /// The last value of each parameter, however old.
        static let latest = Due(rawValue: 1)
        /// What came since the newest value known.
        static let readings = Due(rawValue: 2)
        /// Everything but the values.
        static let setup = Due(rawValue: 4)
        static let all: Due = [.latest, .setup]
    }

    fileprivate struct Entry {
        let row: ListDisplays.Row
        var due = Due.all
        var isQueued = false
        var setup: ReadDisplays.Row?
        var measured: [Parameter: Display.Measured] = [:]
        /// The event time of the newest value.
        var newest: Timestamp?
        var published: (payload: [UInt8], at: ContinuousClock.Instant)?

        mutating func take(_ value: Display.Measured, of parameter: Parameter) {
            if let known = measured[parameter], known.at > value.at { return }
            measured[parameter] = value
            newest = max(newest ?? value.at, value.at)
        }
    }

    /// What to read, for the devices whose turn it is.
    struct Work {
        var devices: [DeviceKey] = []
        var latest: [DeviceKey] = []
        var since: [(device: DeviceKey, since: Timestamp)] = []
        var setups: [DeviceKey] = []

        var isEmpty: Bool { devices.isEmpty }
    }

    /// What was read.
    struct Findings {
        var setups: [ReadDisplays.Row] = []
        var latest: [ReadLatestOfDisplays.Row] = []
        var since: [(device: DeviceKey, at: Timestamp, readings: Readings)] = []
    }

    private struct State {
        var entries: [Device.ID: Entry] = [:]
        var names: [String: Device.ID] = [:]
        /// Whose turn is next; each device at most once.
        var queue: [Device.ID] = []
        /// Whether the list of devices may have changed.
        var isListDue = true

        mutating func note(_ due: Due, of id: Device.ID) {
            guard let index = entries.index(forKey: id) else { return }
            entries.values[index].due.formUnion(due)
            guard !entries.values[index].isQueued else { return }
            entries.values[index].isQueued = true
            queue.append(id)
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

    /// Takes note of a notice; nil stands for all devices.
    func note(_ due: Due, of devices: [Device.ID]?) {
        state.withLock { state in
            for device in devices ?? Array(state.entries.keys) { state.note(due, of: device) }
        }
    }

    /// Takes note that the setup of some people may have changed, and with it which devices show something.
    func note(_ notice: SetupNotice?) {
        state.withLock { state in
            state.isListDue = true
            for (id, entry) in state.entries where notice?.includes(entry.row.owner) != false {
                state.note(.setup, of: id)
            }
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
                let isQueued = state.entries[id]?.isQueued ?? false
                state.entries[id] = Entry(row: row, isQueued: isQueued)
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

    /// Removals of displays that the broker still keeps and nobody wants.
    func strays(among messages: [MQTTMessage]) -> [MQTTMessage] {
        state.withLock { state in
            messages.compactMap { message in
                guard case .display(let device) = DisplayTopic(message.topic), !message.payload.isEmpty,
                    state.names[device.text] == nil
                else { return nil }
                return DisplayTopic.message(for: device.text, [])
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

    /// The next devices whose turn it is.
    /// - Parameter most: Most devices.
    func takeWork(most: Int, now: ContinuousClock.Instant) -> Work {
        state.withLock { state in
            var work = Work()
            var waiting: [Device.ID] = []
            var taken = 0
            for id in state.queue {
                guard work.devices.count < most, work.latest.count < Self.mostLatest else { break }
                taken += 1
                guard let index = state.entries.index(forKey: id) else { continue }
                if let at = state.entries.values[index].published?.at, now - at < Self.interval {
                    waiting.append(id)
                    continue
                }
                work.add(&state.entries.values[index])
            }
            state.queue.removeFirst(taken)
            state.queue = waiting + state.queue
            return work
        }
    }

    /// Takes over what was read.
    /// - Returns: What changed of the devices, with the messages for them.
    func deliver(
        _ findings: Findings, of work: Work, now: ContinuousClock.Instant
    ) -> [(device: String, display: Display, message: MQTTMessage)] {
        state.withLock { state in
            for row in findings.setups { state.entries[row.device.device]?.setup = row }
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
            return work.devices.compactMap { state.entries[$0.device]?.publish(now: now) }
        }
    }
}

extension DisplayBoard.Work {
    /// Takes what is due of a device.
    fileprivate mutating func add(_ entry: inout DisplayBoard.Entry) {
        let device = entry.row.device
        devices.append(device)
        if entry.due.contains(.setup) { setups.append(device) }
        if entry.due.contains(.latest) {
            latest.append(device)
        } else if entry.due.contains(.readings) {
            // Of a device that had sent nothing, what comes with its first readings.
            if let newest = entry.newest { since.append((device, newest)) } else { latest.append(device) }
        }
        entry.due = []
        entry.isQueued = false
    }
}

extension DisplayBoard.Entry {
    /// The message for the device; nil where it shows the same already, or is not known to show anything.
    fileprivate mutating func publish(
        now: ContinuousClock.Instant
    ) -> (device: String, display: Display, message: MQTTMessage)? {
        guard let setup else { return nil }
        let display = Display(setup, measured)
        let payload = display.payload
        guard payload != published?.payload else { return nil }
        published = (payload, now)
        return (row.hardwareID, display, DisplayTopic.message(for: row.hardwareID, payload))
    }
}
