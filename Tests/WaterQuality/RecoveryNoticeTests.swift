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

    @Test func recoveryIsToldAfterTheDelay() {
        func decide(
            _ alarm: RecoveryNotice.Alarm, after seconds: Int, isReopened: Bool = false
        ) -> RecoveryNotice {
            .decide(
                closedAt: event, alarm: alarm, isReopened: isReopened, now: event + .seconds(seconds),
                policy: AlertPolicy())
        }
        #expect(decide(.delivered, after: 300) == .due)
        #expect(decide(.delivered, after: 299) == .notBefore(event + .seconds(300)))
        #expect(decide(.pending, after: 299) == .notBefore(event + .seconds(300)))
        #expect(decide(.pending, after: 300) == .awaitsAlarm)
        #expect(decide(.untold, after: 300) == .never)
        #expect(decide(.delivered, after: 300, isReopened: true) == .never)
        #expect(decide(.delivered, after: 10, isReopened: true) == .never)
    }
}
