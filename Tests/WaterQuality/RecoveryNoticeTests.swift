import Instants
import Testing
import WaterQuality

@Suite struct RecoveryNoticeTests {
    let event = Timestamp(unixSeconds: Int64(1_777_636_800))

    @Test func anAcceptedAlarmOutweighsOneOnItsWay() {
        #expect(RecoveryNotice.Alarm(anyDelivered: true, anyPending: true) == .delivered)
        #expect(RecoveryNotice.Alarm(anyDelivered: false, anyPending: true) == .pending)
        #expect(RecoveryNotice.Alarm(anyDelivered: false, anyPending: false) == .untold)
    }

    @Test(arguments: [(0, 300), (-600, 300), (200, 500), (10_800, 600)]) func isDueAfterTheDelay(ahead: Int, after: Int)
    {
        #expect(
            RecoveryNotice.due(closedAt: event + .seconds(ahead), now: event, policy: AlertPolicy())
                == event + .seconds(after))
    }

    func decide(
        _ alarm: RecoveryNotice.Alarm = .delivered, after seconds: Int, isUnstable: Bool = false,
        isReopened: Bool = false, isMoot: Bool = false, calm: RecoveryNotice.Calm? = nil, lag: Duration = .zero
    ) -> RecoveryNotice {
        .decide(
            closedAt: event, closedByOurClock: event + lag, alarm: alarm, isUnstable: isUnstable,
            isReopened: isReopened, isMoot: isMoot,
            calm: calm ?? .until(event + .seconds(seconds)), now: event + lag + .seconds(seconds),
            policy: AlertPolicy())
    }

    @Test func recoveryIsToldAfterTheDelay() {
        #expect(decide(.delivered, after: 300) == .due)
        #expect(decide(.delivered, after: 299) == .notBefore(event + .seconds(300)))
        #expect(decide(.pending, after: 299) == .notBefore(event + .seconds(300)))
        #expect(decide(.pending, after: 300) == .awaitsAlarm)
        #expect(decide(.untold, after: 300) == .never)
        #expect(decide(.delivered, after: 300, isReopened: true) == .never)
        #expect(decide(.delivered, after: 10, isReopened: true) == .never)
        #expect(decide(.delivered, after: 300, isMoot: true) == .never)
    }

    /// Elapsed time alone is no all-clear: a reading in range from after the delay is needed.
    @Test func aReadingFromAfterTheDelayTellsIt() {
        #expect(decide(after: 400, calm: .until(nil)) == .awaitsReading)
        #expect(decide(after: 400, calm: .until(event + .seconds(299))) == .awaitsReading)
        #expect(decide(after: 400, calm: .until(event + .seconds(300))) == .due)
        #expect(decide(after: 400, calm: .unknown) == .awaitsReading)
        #expect(decide(after: 400, calm: .unread) == .due)
        // Unstable water must have been calm for longer.
        #expect(decide(after: 2_000, isUnstable: true, calm: .until(event + .seconds(1_799))) == .awaitsReading)
        #expect(decide(after: 2_000, isUnstable: true, calm: .until(event + .seconds(1_800))) == .due)
        // The episode was closed by a clock that was ahead, so no reading can be newer.
        let early = RecoveryNotice.decide(
            closedAt: event + .seconds(3_600), closedByOurClock: event, alarm: .delivered, isReopened: false,
            calm: .until(nil), now: event,
            policy: AlertPolicy())
        #expect(early == .due)
    }

    /// The episode ended two hours or nine days ago by the device's clock, and just now by the server's.
    @Test(arguments: [7_200, 9 * 86_400]) func aClockThatLagsChangesNothing(seconds: Int) {
        let lag = Duration.seconds(seconds)
        #expect(decide(after: 299, lag: lag) == .notBefore(event + lag + .seconds(300)))
        #expect(decide(after: 300, lag: lag) == .due)
        #expect(decide(after: 300, calm: .until(nil), lag: lag) == .awaitsReading)
    }

    /// Thousands of notices may wait for silent devices, so they are checked less and less often.
    @Test func whoWaitsIsAskedEverMoreSeldom() {
        let due = event + .seconds(300)
        func again(after seconds: Int, calm: RecoveryNotice.Calm = .until(nil)) -> Timestamp? {
            decide(after: seconds, calm: calm).nextLook(
                after: event + .seconds(seconds), due: due, policy: AlertPolicy())
        }
        #expect(again(after: 300) == event + .seconds(310))
        #expect(again(after: 360) == event + .seconds(420))
        #expect(again(after: 86_400) == event + .seconds(87_000))
        #expect(again(after: 299) == event + .seconds(309))
        #expect(again(after: 300, calm: .unread) == nil)
        #expect(again(after: 300 + 7 * 86_400) != nil)
        #expect(again(after: 301 + 7 * 86_400) == nil, "no reading of then can still come")
    }
}
