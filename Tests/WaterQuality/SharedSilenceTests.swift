import Instants
import TestSupport
import Testing
import WaterQuality

/// Devices of one owner that fall silent at once.
@Suite struct SharedSilenceTests {
    private static let now = Timestamp(unixSeconds: Int64(1_800_000_000))
    private static let policy = AlertPolicy()

    /// A device that sends every thirty seconds, or pauses as usual for so long, heard so many seconds ago.
    private static func heard(_ ago: Int, usual: Int = 0) -> SharedSilence.Heard {
        SharedSilence.Heard(
            at: now - .seconds(ago), usual: .seconds(usual), allowance: max(.seconds(usual * 3), policy.silenceAfter))
    }

    private static func judge(
        _ own: SharedSilence.Heard, _ others: [SharedSilence.Heard], listening seconds: Int = 86_400
    ) -> SharedSilence? {
        SharedSilence.judge(own, among: others, listeningSince: now - .seconds(seconds), now: now, policy: policy)
    }

    @Test func threeThatFallSilentAtOnceAreOneThing() {
        let shared = Self.judge(Self.heard(310), [Self.heard(290), Self.heard(300)])
        #expect(shared?.of == 3)
        #expect(Self.judge(Self.heard(310), [Self.heard(290)]) == nil, "two are chance")
    }

    @Test func twoThirdsOfThoseThatTellHaveToBeSilent() {
        let silent = [Self.heard(300), Self.heard(295), Self.heard(280)]
        let alive = [Self.heard(5), Self.heard(20), Self.heard(9)]
        #expect(Self.judge(Self.heard(310), silent + alive.prefix(2))?.of == 6)
        #expect(Self.judge(Self.heard(310), silent + alive) == nil)
    }

    /// The message waits for the last of those that are overdue, and no longer than three minutes and a look.
    @Test func itWaitsForThoseThatAreOverdue() {
        let soon = Self.judge(Self.heard(300), [Self.heard(290), Self.heard(260)])
        #expect(soon?.settlesAt == Self.now + .seconds(40 + 15))
        let none = Self.judge(Self.heard(310), [Self.heard(305), Self.heard(302)])
        #expect(none?.settlesAt == Self.now + .seconds(15))
        let late = Self.judge(Self.heard(2_000, usual: 600), [Self.heard(1_990, usual: 1_200), Self.heard(2_010)])
        #expect(late == nil, "of one nothing is due yet")
        let slow = Self.judge(
            Self.heard(2_000, usual: 600),
            [Self.heard(1_300, usual: 600), Self.heard(1_400, usual: 600), Self.heard(1_450, usual: 600)])
        #expect(slow?.settlesAt == Self.now + SharedSilence.together + .seconds(15))
    }

    @Test func whatFellSilentAtAnotherTimeIsNoPart() {
        #expect(Self.judge(Self.heard(310), [Self.heard(900), Self.heard(300), Self.heard(5)]) == nil)
        #expect(
            Self.judge(Self.heard(310), [Self.heard(4_000), Self.heard(300), Self.heard(290)])?.of == 3,
            "one that was silent before is not counted")
    }

    /// One that sleeps for half an hour says nothing for or against it, and is one of those that were heard.
    @Test func whoseNextReadingIsNotDueTellsNothing() {
        let sleeping = (0..<4).map { Self.heard(400 + $0 * 60, usual: 1_800) }
        #expect(Self.judge(Self.heard(310), [Self.heard(290), Self.heard(300)] + sleeping)?.of == 7)
    }

    /// After an outage of ours all have their whole allowance; what nobody listened to is not held against them.
    @Test func whileNobodyListenedNothingWasOverdue() {
        #expect(Self.judge(Self.heard(900), [Self.heard(890), Self.heard(895)], listening: 60) == nil)
    }

    @Test(arguments: 0..<8) func theOrderOfTheOthersMakesNoDifference(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let count = Int.random(in: 0...9, using: &generator)
            let others = (0..<count).map { _ in
                Self.heard(
                    .random(in: 0...1_200, using: &generator), usual: Bool.random(using: &generator) ? 0 : 300)
            }
            let own = Self.heard(.random(in: 300...1_200, using: &generator))
            let shared = Self.judge(own, others)
            #expect(shared == Self.judge(own, others.shuffled(using: &generator)))
            guard let shared else { continue }
            #expect((SharedSilence.fewest...(count + 1)).contains(shared.of))
            #expect(shared.settlesAt > Self.now && shared.settlesAt <= Self.now + SharedSilence.together + .seconds(15))
        }
    }

    // MARK: The way back

    @Test func theEndWaitsForOthersForThreeMinutes() {
        func decide(_ ago: Int, missing: Int, isTelling: Bool = false) -> SharedSilence.Return {
            .decide(closedAt: Self.now - .seconds(ago), missing: missing, isTelling: isTelling, now: Self.now)
        }
        let told = SharedSilence.Return.told(settlesAt: Self.now + .seconds(20))
        #expect(decide(35, missing: 0) == told, "all are back")
        #expect(decide(35, missing: 2) == .awaitsOthers(Self.now + .seconds(15)))
        #expect(decide(175, missing: 2) == .awaitsOthers(Self.now + .seconds(5)))
        #expect(decide(180, missing: 2) == told, "some are not")
        #expect(decide(35, missing: 2, isTelling: true) == told, "it joins a message that is on its way")
        #expect(
            decide(-3_600, missing: 2) == .awaitsOthers(Self.now + .seconds(15)),
            "a clock that was ahead delays nothing")
    }
}
