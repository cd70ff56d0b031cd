import Instants
import MQTT
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Whose display is due, and how often.
@Suite struct DisplayBoardTests {
    private let board = DisplayBoard()
    private let start = ContinuousClock.now

    private static func row(_ number: Int32, _ name: String? = nil, owner: Int64 = 1) -> ListDisplays.Row {
        ListDisplays.Row(
            device: DeviceKey(slot: Slot.all[Int(number) % 64], device: Device.ID(rawValue: number)),
            hardwareID: name ?? "tank-\(number)", owner: Account.ID(rawValue: owner))
    }

    private static func setup(_ row: ListDisplays.Row, name: String = "Pond") -> ReadDisplays.Row {
        ReadDisplays.Row(
            device: row.device, name: name, utcOffset: 0, lag: .zero, readingsFrom: .noon,
            ranges: [PersonalRange(parameter: .ph, unit: .ph, minimum: nil, maximum: nil)], troubles: [])
    }

    /// Reads what is due as the database would tell it.
    /// - Parameter ph: The last value; nil: none is stored.
    private func turn(
        most: Int = 10, at seconds: Double, ph: Float? = 7, name: String = "Pond"
    ) -> (work: DisplayBoard.Work, messages: [String], told: [String]) {
        let now = start + .seconds(seconds)
        let work = board.takeWork(most: most, now: now)
        var findings = DisplayBoard.Findings()
        findings.setups = work.setups.map { Self.setup(Self.row($0.device.rawValue), name: name) }
        var readings = Readings()
        readings[.ph] = ph
        if let ph {
            findings.latest = work.latest.map {
                ReadLatestOfDisplays.Row(device: $0, parameter: .ph, measured: .init(value: ph, at: .noon))
            }
        }
        findings.since = work.since.map { ($0.device, .noon + .seconds(seconds), readings) }
        let shown = board.deliver(findings, of: work, now: now)
        return (
            work, shown.filter { $0.message != nil }.map(\.device), shown.filter(\.isToldAtHome).map(\.device)
        )
    }

    @Test func aDeviceThatShowsNothingCostsNothing() {
        board.note(readingsOf: [Device.ID(rawValue: 1)])
        #expect(board.takeWork(most: 10, now: start).isEmpty)
        #expect(board.replace(with: [Self.row(1)]).isEmpty)
        board.note(readingsOf: [Device.ID(rawValue: 2)])
        #expect(board.takeWork(most: 10, now: start).devices == [Self.row(1).device])
    }

    @Test func changesCoalesceAndAreToldOnceASecond() {
        _ = board.replace(with: [Self.row(1)])
        let first = turn(at: 0)
        #expect(first.messages == ["tank-1"] && first.work.setups.count == 1 && first.work.latest.count == 1)
        for _ in 0..<100 { board.note(readingsOf: [Device.ID(rawValue: 1)]) }
        #expect(turn(at: 0.9, ph: 7.5).work.isEmpty, "not before a second has passed")
        let second = turn(at: 1, ph: 7.5)
        #expect(second.messages == ["tank-1"] && second.work.since.count == 1 && second.work.setups.isEmpty)
        #expect(turn(at: 2, ph: 7.5).work.isEmpty, "nothing is due")
        board.note(.devices([Device.ID(rawValue: 1)]))
        let same = turn(at: 3)
        #expect(same.work.setups.count == 1 && same.messages.isEmpty, "what is shown already is not sent again")
        board.note(.devices(nil))
        #expect(turn(at: 4, name: "Koi").messages == ["tank-1"])
    }

    /// A storm: everything changes all the time.
    @Test func turnsGoRoundAndAreBounded() {
        _ = board.replace(with: (1...1_000).map { Self.row($0) })
        for number in 0..<40 {
            #expect(turn(most: 100, at: Double(number) * 0.25).work.latest.count == DisplayBoard.mostLatest)
        }
        var told: [String: Int] = [:]
        for number in 0..<50 {
            board.note(.devices(nil))
            let round = turn(most: 100, at: 60 + Double(number) * 0.25, name: "\(number)")
            #expect(round.work.devices.count <= 100)
            for device in round.messages { told[device, default: 0] += 1 }
        }
        #expect(told.count == 1_000 && told.values.allSatisfy { $0 == 5 })
    }

    /// The probe measured the air, and sends nothing more.
    @Test func whatWasDeletedIsShownNoLonger() {
        #expect(DisplayNotice(payload: "anew 1") == .anew(Device.ID(rawValue: 1)))
        #expect(DisplayNotice(payload: "anew x") == .devices(nil), "of a newer version")
        _ = board.replace(with: [Self.row(1), Self.row(2)])
        #expect(turn(at: 0, ph: 12).messages.count == 2)
        board.note(DisplayNotice(payload: "anew 1"))
        let anew = turn(at: 1, ph: nil)
        #expect(anew.work.latest == [Self.row(1).device] && anew.work.setups == anew.work.latest)
        #expect(anew.messages == ["tank-1"], "without the value, which nothing replaces")
        board.note(readingsOf: [Device.ID(rawValue: 1)])
        #expect(turn(at: 2, ph: 12).messages == ["tank-1"], "as after nothing was known")
        // One before it stays, though it is older than what was deleted.
        board.note(readingsOf: [Device.ID(rawValue: 1)])
        #expect(turn(at: 10, ph: 9).messages == ["tank-1"])
        board.note(.anew(Device.ID(rawValue: 1)))
        #expect(turn(at: 11, ph: 7).messages == ["tank-1"])
    }

    @Test func anotherOwnersDeviceBeginsAnew() {
        _ = board.replace(with: [Self.row(1), Self.row(2)])
        #expect(turn(at: 0).messages.sorted() == ["tank-1", "tank-2"])
        #expect(board.replace(with: [Self.row(1, owner: 2)]) == ["tank-2"])
        let work = turn(at: 5).work
        #expect(work.latest == [Self.row(1).device], "values are read again, and those of the owner before forgotten")
    }

    /// What anybody sets up costs no list of all displays.
    @Test func peopleWhoseSetupChangedAreLookedAtAndNobodyElse() throws {
        #expect(board.takeListing() && !board.takeListing())
        _ = board.replace(with: [Self.row(1, owner: 1), Self.row(2, owner: 2)])
        _ = turn(at: 0)
        board.note(try #require(SetupNotice(payload: "2")))
        board.note(DisplayNotice(payload: "7"))
        board.note(DisplayNotice(payload: "*"))
        #expect(!board.takeListing())
        _ = turn(at: 1)
        board.note(try #require(SetupNotice(payload: "2")))
        #expect(turn(at: 2).work.setups == [Self.row(2).device])
        board.note(DisplayNotice(payload: "list"))
        #expect(board.takeListing() && turn(at: 3).work.isEmpty)
        board.noteAll()
        #expect(board.takeListing())
    }

    /// The first minutes of an Ingestor, which has thousands of last values to look for.
    @Test func whatHasHappenedDoesNotWaitForThoseWhoBegin() throws {
        _ = board.replace(with: (1...1_000).map { Self.row($0, owner: Int64($0)) })
        #expect(turn(most: 100, at: 0).work.latest.count == DisplayBoard.mostLatest)
        board.note(.devices([Device.ID(rawValue: 1_000)]))
        board.note(try #require(SetupNotice(payload: "\(999 & 255)")))
        for number in 1...1_000 { board.note(readingsOf: [Device.ID(rawValue: Int32(number))]) }
        let next = turn(most: 100, at: 2)
        #expect(next.work.devices.contains(Self.row(1_000).device) && next.work.devices.contains(Self.row(999).device))
        #expect(next.work.latest.count == DisplayBoard.mostLatest && next.work.devices.count <= 100)
    }

    /// Those who begin have room of their own.
    @Test func thoseWhoBeginComeToTheirTurnInAStorm() {
        _ = board.replace(with: (1...50).map { Self.row($0) })
        for number in 0..<2 { _ = turn(most: 50, at: Double(number)) }
        _ = board.replace(with: (1...200).map { Self.row($0) })
        for number in 0..<6 {
            board.note(.devices((1...50).map { Device.ID(rawValue: $0) }))
            #expect(turn(most: 50, at: Double(10 + number)).work.latest.count == DisplayBoard.mostLatest)
        }
    }

    /// Home Assistant forgets a state after three hours, however long it holds.
    @Test func homeAssistantIsToldAgainOfWhatStaysTheSame() {
        _ = board.replace(with: [Self.row(1), Self.row(2)])
        #expect(turn(at: 0).told.count == 2)
        board.noteAll()
        let round = turn(at: 300)
        #expect(round.told.sorted() == ["tank-1", "tank-2"] && round.messages.isEmpty)
        #expect(turn(at: 310).told.isEmpty, "once a round")
    }

    @Test func displaysThatNobodyWantsAreTakenAway() {
        _ = board.replace(with: [Self.row(1)])
        let kept = ["tank-1", "tank-2"].map { DisplayTopic.message(for: $0, [1]) }
        #expect(board.strays(among: kept) == ["tank-2"])
        #expect(board.strays(among: [DisplayTopic.message(for: "tank-2", [])]).isEmpty, "a removal is none")
    }

    @Test func pressesCountOfDevicesThatShowAndOneEach() {
        _ = board.replace(with: [Self.row(1)])
        func press(_ device: String, _ id: String, retain: Bool = false) -> MQTTMessage {
            .of(device, #"{"id":"\#(id)","answer":"onIt"}"#, subject: "button", retain: retain)
        }
        let presses = board.presses(among: [
            press("tank-1", "kept", retain: true), press("tank-2", "a"), press("tank-1", "b"), press("tank-1", "c"),
        ])
        #expect(presses == [Self.row(1).device: ButtonPress(id: "b", answer: .onIt)])
    }

    static let payloads: [(String, ButtonPress?)] = [
        (#"{"id":"7f-1","answer":"onIt"}"#, ButtonPress(id: "7f-1", answer: .onIt)),
        (#"{"answer":"snooze","id":"1","battery":3}"#, ButtonPress(id: "1", answer: .snooze)),
        (#"{"answer":"onIt"}"#, nil), (#"{"id":"1","answer":"solved"}"#, nil), (#"{"id":1,"answer":"onIt"}"#, nil),
        (#"{"id":"","answer":"onIt"}"#, nil), (#"{"id":"a b","answer":"onIt"}"#, nil), ("onIt", nil), ("", nil),
        (#"{"id":"\#(String(repeating: "1", count: 33))","answer":"onIt"}"#, nil),
        (#"{"id":"1","answer":"onIt","x":"\#(String(repeating: "1", count: 128))"}"#, nil),
    ]

    @Test(arguments: payloads) func aPressNamesItselfAndItsAnswer(_ payload: String, _ press: ButtonPress?) {
        #expect(ButtonPress(Array(payload.utf8)) == press)
    }
}
