import Instants
import Testing
import WaterQuality
import Words

/// An all-clear returns the throttle's charge; and its texts.
@Suite struct AllClearTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    /// The minutes of the alarms, with a pH value each minute.
    private func alarms(_ values: [Int32], _ rules: WatchRules = .none) throws -> [Int] {
        var test = BackTest(try SafeRange(.ph, minimum: 7.5, maximum: 8.5), rules: rules, policy: AlertPolicy())
        test.add(values.enumerated().map { Reading(time: Self.start + .seconds(60 * $0), value: Steps($1)) })
        return test.alarms.map { Int(($0.time - Self.start).components.seconds) / 60 }
    }

    /// After five minutes of calm, an all-clear returns the charge; a later episode alerts again within the interval.
    @Test func theChargeIsGivenBack() throws {
        #expect(try alarms([80, 87] + Array(repeating: 80, count: 6) + [87]) == [1, 8])
        // The last reading shows only four minutes of calm.
        #expect(try alarms([80, 87] + Array(repeating: 80, count: 5) + [87]) == [1])
        // Charges of both sides are returned.
        #expect(try alarms([87, 74] + Array(repeating: 80, count: 6) + [87, 74]) == [0, 1, 8, 9])
    }

    /// After an alert of unstable water and its all-clear, unstable water alerts again.
    @Test func theNoteOfUnstableWaterEnds() throws {
        let unstable = (0..<8).flatMap { _ in [Int32](repeating: 87, count: 5) + Array(repeating: 80, count: 4) }
        let calm = [Int32](repeating: 80, count: 32)
        let told = try alarms(unstable + calm + unstable, WatchRules(tellsUnstable: true))
        #expect(told == [0, 30, 104], "\(told)")
    }

    @Test func nobodyWasToldOfARefundedEpisode() {
        var state = WatchState(
            episode: Episode(side: .high, openedAt: Self.start, worst: Steps(90), isAlerted: true), hasRecipient: true)
        #expect(!state.isTold)
        state.throttles[.low] = Throttle(runsFrom: Self.start, pending: nil)
        #expect(!state.isTold)
        state.throttles[.high] = Throttle(runsFrom: Self.start, pending: nil)
        #expect(state.isTold)
    }

    /// The limit was raised or removed, while the value stayed where it was.
    @Test(arguments: Language.allCases) func limitsThatChangedAreSaidToHave(language: Language) {
        func message(_ value: Float, limit: Float?) -> Notice.Message {
            Notice(
                deviceName: "Pond", .recovery,
                .range(RangeContent(parameter: .temperature, side: .high, value: value, worst: 27, limit: limit)),
                since: Self.start.civilTime(), at: Self.start.civilTime(), now: Self.start.civilTime()
            ).message(in: language)
        }
        let changed = message(26.8, limit: 25)
        if language == .en { #expect(changed.body == "Other limits hold now; 26.8 °C is within them.") }
        #expect(!changed.body.contains("25"))
        for usual in [message(24.8, limit: 25), message(25, limit: 25), message(26.8, limit: nil)] {
            #expect(usual.title != changed.title && usual.body != changed.body)
        }
    }

    /// The limit of change was removed, so whether the value is steady is unknown.
    @Test func aChangeThatNobodyAsksAboutIsNotSteady() {
        let open = KindState(
            episode: Episode(.rate, openedAt: Self.start, isAlerted: true),
            throttle: Throttle(runsFrom: Self.start, pending: nil), hasRecipient: true)
        let time = Self.start + .seconds(600)
        let decision = open.decide(.rate, now: time) { _, _ in
            .rate(nil, within: nil, at: FoundAt(time, now: time), policy: AlertPolicy())
        }
        #expect(decision.action == .close(at: time, recoveryDueAt: nil) && decision.notification == .none)
    }
}
