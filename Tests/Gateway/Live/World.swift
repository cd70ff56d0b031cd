import Instants
import Store
import Testing
import WaterQuality

@testable import Gateway

/// A board with arrays for tables, and a clock that tests move.
struct World {
    struct Stream {
        let number: UInt64
        let queue: LiveQueue
    }

    struct Event: Equatable {
        var name: String
        var position: Timestamp
        var data: String

        /// The event without its position.
        var told: String { "\(name) \(data)" }
    }

    struct Row {
        var device: Int
        var sample: LiveSample
        var committedAt: Timestamp

        /// The event's data.
        var reading: String { World.parse(World.reading(device, sample).encoded(committedAt))[0].data }
    }

    static let start = Timestamp(unixSeconds: Int64(1_777_593_600))
    private let instant = ContinuousClock.now
    private(set) var now = World.start
    private var board = LiveBoard(most: 100)
    private(set) var table: [Row] = []
    /// The devices of each person.
    var owned: [[Int]]
    /// The setup of each person.
    var setups: [SetupVersions]
    var online: [Bool?]
    var episodes: [[LiveDevice.Episode]]
    var troubles: [[LiveDevice.Trouble]]

    /// Makes person n the holder of the devices from n on.
    init(people: Int, devices: Int) {
        owned = (0..<people).map { person in Array((people == 1 ? 0 : person % devices)..<devices) }
        if people == 2, devices == 1 { owned = [[0], [0]] }
        setups = Array(
            repeating: SetupVersions(settings: 1, devices: 1, parameters: 1, snoozes: 1), count: people)
        online = Array(repeating: nil, count: devices)
        episodes = Array(repeating: [], count: devices)
        troubles = Array(repeating: [], count: devices)
    }

    private var clock: ContinuousClock.Instant { instant + (now - World.start) }

    mutating func pass(_ time: Duration) { now = now + time }

    mutating func join(_ person: Int) throws -> Stream {
        let listener = LiveBoard.Listener.listener(person)
        let devices = Set(owned[person].map { DeviceKey.number($0) })
        return Stream(number: try board.add(listener, devices: devices, now: clock), queue: listener.queue)
    }

    mutating func leave(_ stream: Stream) { board.remove(stream.number) }

    mutating func send(_ device: Int, _ values: [Parameter: Float] = [.ph: 7.9], isNotified: Bool = true) {
        pass(.milliseconds(1))
        var readings = Readings()
        for (parameter, value) in values { readings[parameter] = value }
        table.append(
            Row(
                device: device, sample: LiveSample(device: .number(device), time: now, readings: readings),
                committedAt: now))
        if isNotified { board.note(ReadingNotice([DeviceKey.number(device).device]), now: clock) }
    }

    /// Adds values to a device's last message.
    mutating func fill(_ device: Int, _ values: [Parameter: Float]) {
        guard let last = table.lastIndex(where: { $0.device == device }) else { return }
        for (parameter, value) in values { table[last].sample.readings[parameter] = value }
        board.note(ReadingNotice([DeviceKey.number(device).device]), now: clock)
    }

    /// Looks at everything, long enough after the last look.
    mutating func look() {
        pass(.milliseconds(400))
        while true {
            board.noteAll(now: clock)
            let work = board.takeWork(now: clock)
            guard !work.devices.isEmpty else { return }
            board.deliver(findings(work), of: work, now: clock)
            guard work.devices.count == 1_000 else { return }
        }
    }

    /// Changes a person's setup, and notifies for everybody whose number has the same ending.
    mutating func setUp(_ person: Int) throws {
        setups[person].parameters += 1
        board.note(try #require(SetupNotice(payload: "\(person & 255)")))
    }

    /// Looks only at what is known to be due.
    mutating func lookAtDue() {
        pass(.milliseconds(400))
        let work = board.takeWork(now: clock)
        board.deliver(findings(work), of: work, now: clock)
    }

    mutating func lookInVain() {
        pass(.milliseconds(400))
        board.giveBack(board.takeWork(now: clock))
    }

    mutating func sweep() {
        _ = board.sweep(.init(number: 0, of: 1), heartbeats: .init(number: 1, of: 2), now: clock)
    }

    /// The findings that the database's functions would give.
    private func findings(_ work: LiveBoard.Work) -> LiveBoard.Findings {
        var findings = LiveBoard.Findings(position: now)
        for (device, since) in work.devices {
            let own = table.filter { $0.sample.device == device }.filter { row in
                since.map { row.sample.time >= $0 } ?? (row.committedAt > now - .seconds(60))
            }
            findings.samples += own.suffix(50).reversed().map(\.sample)
        }
        for (device, account) in work.pairs {
            let number = Int(device.device.rawValue)
            guard owned[Int(account.rawValue)].contains(number) else { continue }
            var found = LiveDevice(
                device: device, account: account, readableFrom: .distantPast, hardwareID: "device-\(number)",
                isOnline: online[number], statusAt: online[number].map { _ in World.start },
                episodes: episodes[number])
            found.troubles = troubles[number]
            findings.devices.append(found)
        }
        for account in work.setups {
            let person = Int(account.rawValue)
            findings.setups[account] = LiveBoard.Setup(
                versions: setups[person], devices: Set(owned[person].map { DeviceKey.number($0) }))
        }
        return findings
    }

    /// The events with which a stream begins.
    func replay(_ person: Int, after position: Timestamp?) -> [Event] {
        guard let position else {
            // The screen reads everything anew.
            return table.filter { owned[person].contains($0.device) }.map {
                Event(name: "reading", position: now, data: $0.reading)
            }
        }
        return table.filter { owned[person].contains($0.device) && $0.committedAt > position - LiveBoard.overlap }.map {
            Event(name: "reading", position: now, data: $0.reading)
        }
    }

    /// The events that wait for a listener.
    @discardableResult
    func take(_ stream: Stream) -> [Event] {
        World.parse(stream.queue.drain())
    }

    func readings(_ stream: Stream) -> [Event] {
        // Only peeks: the events are offered again.
        let bytes = stream.queue.drain()
        let events = World.parse(bytes)
        if !bytes.isEmpty { stream.queue.offer(bytes) }
        return events.filter { $0.name == "reading" }
    }

    private static func reading(_ device: Int, _ sample: LiveSample) -> LiveEvent {
        .reading(hardwareID: "device-\(device)", sample)
    }

    private static func parse(_ bytes: [UInt8]) -> [Event] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").compactMap { block in
            var event = Event(name: "", position: start, data: "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                if line.hasPrefix("id: ") { event.position = Timestamp(microseconds: Int64(line.dropFirst(4)) ?? 0) }
            }
            return event.name.isEmpty ? nil : event
        }
    }
}

extension DeviceKey {
    static func number(_ number: Int) -> DeviceKey {
        DeviceKey(slot: Slot.all[number % 64], device: Device.ID(rawValue: Int32(number)))
    }
}

extension LiveBoard.Listener {
    /// A person's listener with a session of its own.
    static func listener(_ person: Int) -> LiveBoard.Listener {
        LiveBoard.Listener(
            account: Account.ID(rawValue: Int64(person)), ticket: LiveTicket(rawValue: "\(person)"),
            credential: .session(SessionID(rawValue: .random(in: 0...UInt128.max))),
            queue: LiveQueue(), endsAt: .now + .seconds(3_600))
    }
}
