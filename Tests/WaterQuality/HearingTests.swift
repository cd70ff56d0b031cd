import Instants
import Testing
import WaterQuality

/// The policy allows a silence of five minutes, or of three usual intervals if that is longer.
@Suite struct HearingTests {
    /// A receipt stored while the server's clock was ahead must not hide a silence until that time.
    @Test func whatWasHeardInTheFutureBlindsNobody() {
        let (since, policy) = (Timestamp(unixSeconds: Int64(1_777_636_800)), AlertPolicy())
        for (minutes, hearing) in [(4, Hearing.heard), (6, .silent)] {
            #expect(
                Hearing.judge(
                    heardAt: since + .seconds(7_200), allowance: Hearing.allowance(usual: .seconds(30), policy: policy),
                    listeningSince: since, now: since + .seconds(60 * minutes)) == hearing)
        }
    }

    private static let heard = Timestamp(unixSeconds: Int64(1_777_636_800))
    private let policy = AlertPolicy()

    private func judge(
        after seconds: Int, usual: Int? = 30, heardAt: Timestamp? = heard, listeningSince: Int = -86_400
    ) -> Hearing {
        Hearing.judge(
            heardAt: heardAt, allowance: usual.map { Hearing.allowance(usual: .seconds($0), policy: policy) },
            listeningSince: Self.heard + .seconds(listeningSince), now: Self.heard + .seconds(seconds))
    }

    @Test(arguments: [(10, 300), (30, 300), (100, 300), (101, 303), (600, 1_800), (43_200, 129_600)])
    func threeIntervalsAndFiveMinutesMayPass(usual: Int, allowed: Int) {
        #expect(judge(after: allowed - 1, usual: usual) == .heard)
        #expect(judge(after: allowed, usual: usual) == .silent)
        #expect(Hearing.allowance(usual: .seconds(usual), policy: policy) == .seconds(allowed))
    }

    @Test func aDeviceWithoutAKnownRhythmIsNeverSilent() {
        #expect(judge(after: 864_000, usual: nil) == .unknown)
        #expect(judge(after: 864_000, heardAt: nil) == .unknown)
    }

    /// Nobody is silent while the server does not listen; afterwards every device gets the whole allowance again.
    @Test(arguments: [1, 299, 3_600, 86_400])
    func anOutageOfOursIsNotTheirs(heardAgain: Int) {
        #expect(judge(after: heardAgain, listeningSince: heardAgain) == .heard)
        #expect(judge(after: heardAgain + 299, listeningSince: heardAgain) == .heard)
        #expect(judge(after: heardAgain + 300, listeningSince: heardAgain) == .silent)
    }

    /// The whole allowance runs from when the server listens again.
    @Test func aReceiptAheadOfTheClockIsHeard() {
        #expect(judge(after: -3_600, listeningSince: -3_600) == .heard)
    }

    @Test func theOperatorChoosesTheLeastTime() {
        var policy = AlertPolicy()
        policy.silenceAfter = .seconds(1_800)
        #expect(Hearing.allowance(usual: .seconds(30), policy: policy) == .seconds(1_800))
        #expect(Hearing.allowance(usual: .seconds(900), policy: policy) == .seconds(2_700))
    }
}
