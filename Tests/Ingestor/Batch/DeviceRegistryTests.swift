import Instants
import Logging
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

@Suite struct DeviceRegistryTests {
    @Test func knownDevicesAreNotLookedUp() throws {
        let registry = try DeviceRegistry(knowing: ["a", "b"])
        #expect(registry.namesToFind(among: ["a", "b", "a"]).isEmpty)
        #expect(registry.namesToFind(among: ["c", "a", "c"]) == ["c"])
        #expect(registry.count == 2)
    }

    /// An unknown name is looked up again with the next message: the device may have been added in between.
    @Test func ofNamesThatDoNotExistNothingIsKept() throws {
        var registry = DeviceRegistry()
        #expect(registry.namesToFind(among: ["late"]) == ["late"])
        registry.record(found: [], now: .noon)
        let isKnown: Void? = registry.withDevice("late") { _ in }
        #expect(isKnown == nil && registry.count == 0)
        #expect(registry.namesToFind(among: ["late"]) == ["late"])
        let row = FindDevices.Row(hardwareID: "late", slot: Slot.all[3], device: Device.ID(rawValue: 9))
        registry.record(found: [row], now: .noon + .microseconds(1))
        let key = registry.withDevice("late") { $0.key }
        #expect(key == DeviceKey(slot: Slot.all[3], device: Device.ID(rawValue: 9)))
    }

    @Test func `the canary has a name here, and none at Home Assistant`() {
        var registry = DeviceRegistry()
        let rows = [("pond-1", false), ("canary-1", true)].enumerated().map { number, device in
            FindDevices.Row(
                hardwareID: device.0, slot: Slot.all[3], device: Device.ID(rawValue: Int32(number)),
                isCanary: device.1)
        }
        registry.record(found: rows, now: .noon)
        let keys = rows.map { DeviceKey(slot: $0.slot, device: $0.device) }
        #expect(keys.map(registry.name) == ["pond-1", "canary-1"])
        #expect(keys.map(registry.nameAtHome) == ["pond-1", nil])
        #expect(registry.canary == keys[1] && registry.count == 2 && registry.countOfOthers == 1)
    }

    @Test func choicesAreLookedForEveryTwentySeconds() {
        var registry = DeviceRegistry()
        let begin = ContinuousClock.now
        let answers = [0, 19, 20, 39, 100].map { registry.seekChoices(now: begin + .seconds($0)) }
        #expect(answers == [nil, nil, .seconds(20), nil, .seconds(80)])
    }

    /// After a start all devices are noted at once, later spread over the seconds.
    @Test func eachDeviceIsNotedAtAnotherSecond() throws {
        let report = ProbeReport(probe: try #require(ProbeID("AA01")))
        let seconds = (1...120).map { number in
            let key = DeviceKey(slot: Slot.all[3], device: Device.ID(rawValue: Int32(number)))
            var device = DeviceRegistry.Entry(key: key, now: .noon)
            _ = device.notesProbes([report], now: .noon)
            return (1...120).first { device.notesProbes([report], now: .noon + .seconds($0)) }
        }
        #expect(Set(seconds) == Set(1...120))
    }
}

@Suite struct DeletionLogTests {
    private static func device(_ number: Int) -> Device.ID { Device.ID(rawValue: Int32(number)) }

    @Test func eachReaderHearsOfEachOnce() {
        let log = DeletionLog()
        var (one, other) = (0, 0)
        #expect(log.read(from: &one) == [])
        log.note(Self.device(1))
        #expect(log.read(from: &one) == [Self.device(1)] && log.read(from: &one) == [])
        log.note(Self.device(2))
        log.note(Self.device(2))
        #expect(log.read(from: &one) == [Self.device(2)])
        #expect(log.read(from: &other) == [Self.device(1), Self.device(2)])
    }

    @Test func whoeverIsFarBehindForgetsAll() {
        let log = DeletionLog()
        var (one, other) = (0, 0)
        for number in 0..<DeletionLog.most { log.note(Self.device(number)) }
        #expect(log.read(from: &one)?.count == DeletionLog.most)
        log.note(Self.device(0))
        #expect(log.read(from: &one) == [Self.device(0)] && log.read(from: &other) == nil)
        log.noteAll()
        log.note(Self.device(3))
        #expect(log.read(from: &one) == nil && log.read(from: &one) == [])
    }
}

@Suite struct DeletionWatchTests {
    /// Of all that displays are told, a deletion alone; of any device, where some may have been missed.
    @Test func deletedReadingsAreHeardOf() async throws {
        try await StoreFixture.with { store in
            let watch = DeletionWatch(
                try StoreFixture.configuration(store.database, .ingestor),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch.run() }
                defer { group.cancelAll() }
                try await awaitFact("listening") {
                    var place = 0
                    return watch.log.read(from: &place) == nil ? true : nil
                }
                try await store.database.sql("NOTIFY display, '7'; NOTIFY display, 'list'; NOTIFY display, 'anew 5'")
                try await awaitFact("the deletion") {
                    var place = 1
                    return watch.log.read(from: &place) == [Device.ID(rawValue: 5)] ? true : nil
                }
            }
        }
    }
}

extension Bucket {
    /// Takes until one more does not fit, and returns the number taken.
    fileprivate mutating func fill(now: Timestamp) -> Int {
        var taken = 0
        while take(now: now) { taken += 1 }
        return taken
    }

    fileprivate mutating func takes(after duration: Duration) -> Bool { take(now: .noon + duration) }
}

@Suite struct BucketTests {
    @Test func aBacklogOfSevenDaysFitsAtOnceAndAFloodDoesNot() {
        var bucket = Bucket(now: .noon)
        let sevenDays = 7 * 86_400 / 30
        let taken = bucket.fill(now: .noon)
        #expect(taken >= sevenDays)
        #expect(taken == Int(Bucket.capacity))
    }

    @Test func itDrainsWithTimeAndNotBelowEmpty() {
        var bucket = Bucket(now: .noon)
        _ = bucket.fill(now: .noon)
        let answers = [Duration.milliseconds(499), .milliseconds(500), .milliseconds(500)].map {
            bucket.takes(after: $0)
        }
        #expect(answers == [false, true, false])
        let muchLater = bucket.fill(now: .noon + .seconds(30 * 86_400))
        #expect(muchLater == Int(Bucket.capacity))
    }

    @Test func aClockThatGoesBackNeitherFillsNorDrains() {
        var bucket = Bucket(now: .noon)
        for _ in 0..<Int(Bucket.capacity) - 10 { _ = bucket.take(now: .noon) }
        let taken = [Duration.seconds(-300), .zero].map { bucket.fill(now: .noon + $0) }
        #expect(taken == [10, 0])
    }
}
