import Instants
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// The events that people get, without a database: the tables are arrays here.
@Suite struct LiveBoardTests {
    @Test func aPersonHasSoManyStreamsAndTheProcessToo() throws {
        var board = LiveBoard(most: 10)
        for _ in 0..<LiveBoard.mostOfPerson { _ = try board.add(.listener(1), devices: [], now: .now) }
        #expect(board.refusal(for: .init(rawValue: 1)) == .tooManyOfPerson)
        #expect(throws: LiveBoard.Refusal.tooManyOfPerson) { try board.add(.listener(1), devices: [], now: .now) }
        let other = try board.add(.listener(2), devices: [], now: .now)
        _ = try board.add(.listener(3), devices: [], now: .now)
        #expect(board.refusal(for: .init(rawValue: 4)) == .tooMany)
        board.remove(other)
        #expect(board.refusal(for: .init(rawValue: 4)) == nil)
        #expect(board.refusal(for: .init(rawValue: 1)) == .tooManyOfPerson)
    }

    @Test func aDeviceIsLookedAtTenTimesASecondAtMost() throws {
        var board = LiveBoard(most: 10)
        let start = ContinuousClock.now
        _ = try board.add(.listener(1), devices: [.number(1)], now: start)
        #expect(board.takeWork(now: start).devices.count == 1)
        for milliseconds in 1..<100 {
            let now = start + .milliseconds(milliseconds)
            board.note(ReadingNotice([.init(rawValue: 1)]), now: now)
            #expect(board.takeWork(now: now).devices.isEmpty)
        }
        #expect(board.takeWork(now: start + .milliseconds(100)).devices.count == 1)
        // A second look for the decision, then no more.
        #expect(board.takeWork(now: start + .milliseconds(399)).devices.isEmpty)
        #expect(board.takeWork(now: start + .milliseconds(400)).devices.count == 1)
        #expect(board.takeWork(now: start + .seconds(10)).devices.isEmpty)
    }

    @Test func aLookForADecisionHoldsUpNoReading() throws {
        var board = LiveBoard(most: 10)
        let start = ContinuousClock.now
        _ = try board.add(.listener(1), devices: [.number(1)], now: start)
        #expect(board.takeWork(now: start).devices.count == 1)
        #expect(board.takeWork(now: start + .milliseconds(300)).devices.count == 1)
        board.note(ReadingNotice([.init(rawValue: 1)]), now: start + .milliseconds(301))
        #expect(board.takeWork(now: start + .milliseconds(301)).devices.count == 1)
    }

    @Test func nobodyFollowsADeviceThatNobodyListensTo() throws {
        var board = LiveBoard(most: 10)
        let first = try board.add(.listener(1), devices: [.number(1), .number(2)], now: .now)
        let second = try board.add(.listener(2), devices: [.number(2)], now: .now)
        #expect(board.slots == SlotSet([DeviceKey.number(1), .number(2)].map(\.slot)))
        board.remove(first)
        #expect(board.slots == SlotSet([DeviceKey.number(2).slot]))
        board.remove(second)
        #expect(board.slots.isEmpty)
        #expect(board.takeWork(now: .now + .seconds(9)).isEmpty)
    }

    @Test func whatStopsBeingTheirsIsToldToThemNoMore() throws {
        var world = World(people: 2, devices: 1)
        let (one, two) = (try world.join(0), try world.join(1))
        world.send(0)
        world.look()
        #expect(world.readings(one).count == 1)
        #expect(world.readings(two).count == 1)
        world.owned[1] = []
        world.send(0)
        world.look()
        #expect(world.readings(one).count == 2)
        #expect(world.readings(two).count == 1)
    }

    @Test func aPartOfAMessageThatComesLaterIsTold() throws {
        var world = World(people: 1, devices: 1)
        let one = try world.join(0)
        world.send(0, [.ph: 7])
        world.look()
        world.fill(0, [.temperature: 20])
        world.look()
        world.look()
        #expect(world.readings(one).count == 2)
    }

    @Test func statesAreToldWhenTheyChange() throws {
        var world = World(people: 1, devices: 1)
        let one = try world.join(0)
        world.look()
        world.take(one)
        world.online[0] = true
        world.episodes[0] = [.init(parameter: .ph, side: .high, openedAt: World.start)]
        world.look()
        #expect(world.take(one).map(\.name) == ["device", "episode"])
        world.look()
        #expect(world.take(one).isEmpty)
        world.episodes[0] = []
        world.look()
        #expect(world.take(one).map(\.name) == ["episode"])
        // A second screen of the same person gets the present states.
        let two = try world.join(0)
        world.look()
        #expect(world.take(two).map(\.name) == ["device"])
    }

    /// Apart from values out of range: the end of a fast change is no return into the range.
    @Test func episodesOfEachKindAreToldWithTheirKind() throws {
        var world = World(people: 1, devices: 1)
        let one = try world.join(0)
        world.look()
        world.take(one)
        let silent = LiveDevice.Trouble.Subject(kind: .known(.silence), parameter: nil)
        let fast = LiveDevice.Trouble.Subject(kind: .known(.rate), parameter: .known(.ph))
        let newer = LiveDevice.Trouble.Subject(kind: .other("forecast"), parameter: .other(99))
        world.episodes[0] = [.init(parameter: .ph, side: .high, openedAt: World.start)]
        world.troubles[0] = [silent, fast, newer].map { .init($0, openedAt: World.start) }
        world.look()
        let range = #"episode {"device":"device-0","kind":"range","parameter":"ph","state":"#
        let about = #"trouble {"device":"device-0","kind":"#
        let since = #""open","since":"2026-05-01T00:00:00Z"}"#
        #expect(
            Set(world.take(one).map(\.told)) == [
                range + #""open","side":"high","since":"2026-05-01T00:00:00Z"}"#,
                about + #""silence","parameter":null,"state":"# + since,
                about + #""rate","parameter":"ph","state":"# + since,
                about + #""forecast","parameter":"99","state":"# + since,
            ])
        world.look()
        #expect(world.take(one).isEmpty)
        world.troubles[0] = [.init(silent, openedAt: World.start + .seconds(60))]
        world.look()
        #expect(
            Set(world.take(one).map(\.told)) == [
                about + #""silence","parameter":null,"state":"open","since":"2026-05-01T00:01:00Z"}"#,
                about + #""rate","parameter":"ph","state":"closed"}"#,
                about + #""forecast","parameter":"99","state":"closed"}"#,
            ])
        world.episodes[0] = []
        world.look()
        #expect(world.take(one).map(\.told) == [range + #""closed"}"#])
    }

    @Test func whatIsSetUpIsToldWhenItChanges() throws {
        var world = World(people: 2, devices: 1)
        let (one, two) = (try world.join(0), try world.join(1))
        world.look()
        #expect(world.take(one).isEmpty && world.take(two).isEmpty)
        try world.setUp(0)
        world.lookAtDue()
        let (limits, snoozes) = (#"{"parts":["parameters"]}"#, #"{"parts":["settings","snoozes"]}"#)
        #expect(world.take(one).map(\.told) == ["resync \(limits)"])
        #expect(world.take(two).isEmpty)
        world.look()
        #expect(world.take(one).isEmpty)
        // No notification: the sweep finds the change.
        world.setups[0].snoozes += 1
        world.setups[0].settings += 1
        world.sweep()
        world.lookAtDue()
        #expect(world.take(one).map(\.told) == ["resync \(snoozes)"])
        world.owned[0] = []
        world.sweep()
        world.lookAtDue()
        #expect(world.take(one).map(\.told) == [#"resync {"parts":["devices"]}"#])
        // If all parts have changed, one event stands for everything.
        world.setups[0] = SetupVersions(
            settings: 9, devices: 9, parameters: 9, snoozes: 9, calls: 9, journal: 9, care: 9)
        world.sweep()
        world.lookAtDue()
        #expect(world.take(one).map(\.told) == ["resync {}"])
    }

    /// A screen begins and reads, then something changes, then the board looks for the first time.
    @Test func aChangeBeforeTheFirstLookIsTold() throws {
        var world = World(people: 2, devices: 1)
        let (one, two) = (try world.join(0), try world.join(1))
        try world.setUp(0)
        world.look()
        // The first look has nothing to compare with: which part changed is unknown.
        #expect(world.take(one).map(\.told) == ["resync {}"])
        #expect(world.take(two).isEmpty)
    }

    @Test func aLookAtSetupsThatFailedIsRepeated() throws {
        var world = World(people: 1, devices: 1)
        let one = try world.join(0)
        world.look()
        try world.setUp(0)
        world.lookInVain()
        world.lookAtDue()
        #expect(world.take(one).map(\.name) == ["resync"])
    }

    @Test(arguments: ["", "256", "-1", "a", "1,2"]) func whatIsNoNoticeOfSetupsIsNone(payload: String) {
        #expect(SetupNotice(payload: payload) == nil)
    }

    @Test func endedSessionsEndTheirStreams() throws {
        var board = LiveBoard(most: 10)
        let (one, two) = (LiveBoard.Listener.listener(1), LiveBoard.Listener.listener(2))
        _ = try board.add(one, devices: [], now: .now)
        _ = try board.add(two, devices: [], now: .now)
        let held = board.sweep(.init(number: 0, of: 1), heartbeats: .init(number: 0, of: 1), now: .now)
        #expect(held == [one.credential, two.credential])
        board.end([one.credential])
        #expect(one.queue.end == .signedOut)
        #expect(two.queue.end == nil)
        _ = board.sweep(.init(number: 0, of: 1), heartbeats: .init(number: 0, of: 1), now: .now + .seconds(3_601))
        #expect(two.queue.end == .due)
    }

    /// Whatever gets lost (notifications, failed looks, connections), a screen that comes back with the id of its last
    /// event has seen every reading of its devices that was newer than the previous ones, and none of others' devices.
    @Test(arguments: 0..<100) func nothingIsMissed(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = World(people: 3, devices: 4)
        var screens: [Screen] = try (0..<3).map { Screen(person: $0, stream: try world.join($0)) }
        for _ in 0..<300 {
            world.pass(.milliseconds(Int.random(in: 1...900, using: &random)))
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                world.send(
                    Int.random(in: 0..<4, using: &random), isNotified: Int.random(in: 0..<4, using: &random) > 0)
            case 4, 5: world.look()
            case 6: world.lookInVain()
            case 7:
                let screen = Int.random(in: 0..<3, using: &random)
                if let stream = screens[screen].stream { screens[screen].hear(world.take(stream)) }
                if let stream = screens[screen].stream, stream.queue.end != nil {
                    world.leave(stream)
                    screens[screen].stream = nil
                }
            case 8:
                // A connection breaks, and unread events are lost with it.
                let screen = Int.random(in: 0..<3, using: &random)
                if let stream = screens[screen].stream { world.leave(stream) }
                screens[screen].stream = nil
            default:
                let screen = Int.random(in: 0..<3, using: &random)
                guard screens[screen].stream == nil else { break }
                screens[screen].stream = try world.join(screens[screen].person)
                screens[screen].hear(world.replay(screens[screen].person, after: screens[screen].position))
            }
        }
        for index in screens.indices {
            if let stream = screens[index].stream, stream.queue.end != nil {
                world.leave(stream)
                screens[index].stream = nil
            }
            guard screens[index].stream == nil else { continue }
            screens[index].stream = try world.join(index)
            screens[index].hear(world.replay(index, after: screens[index].position))
        }
        world.sweep()
        world.look()
        for index in screens.indices {
            if let stream = screens[index].stream { screens[index].hear(world.take(stream)) }
            let expected = Set(world.table.filter { world.owned[index].contains($0.device) }.map(\.reading))
            #expect(screens[index].seen == expected)
        }
    }
}

/// A screen that keeps the id of its last event.
private struct Screen {
    let person: Int
    var stream: World.Stream?
    var position: Timestamp?
    var seen: Set<String> = []

    mutating func hear(_ events: [World.Event]) {
        for event in events {
            position = event.position
            if event.name == "reading" { seen.insert(event.data) }
        }
    }
}
