import Instants
import Postgres
import PushClient
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// The database's clock jumps, ahead and back.
@Suite struct ClockTests {
    @Test func `what waits for a time far ahead, as the clock was put back, is due`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.alarms(state: "sending")
            try await scene.database.sql(
                """
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, next_attempt_at, expires_at)
                SELECT slot, account_id, alert_id, 1, now() + interval '3 hours', now() + interval '4 hours' FROM alert
                """)
            try await scene.notifying { try await scene.await("delivered", "SELECT state FROM alert") }
            #expect(scene.sink.received.count == 1)
        }
    }

    @Test func `no wait of our own is taken for one by another clock`() {
        let settings = NotifierSettings()
        #expect(settings.longestWait > RetryAfter.longest)
        #expect(settings.longestWait > settings.schedule.longest)
        #expect(settings.longestWait > settings.lease)
        #expect(settings.longestWait > settings.putOff)
    }

    /// With a clock three hours ahead, an alarm of this minute looks three hours old.
    @Test func `a clock that is not trusted makes nothing stale`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.database.sql("UPDATE clock_watch SET trusted_at = now() - interval '3 hours'")
            var settings = Scene.settings
            settings.putOff = .milliseconds(10)
            try await scene.notifying(settings) {
                try await scene.alarms(age: 10_800)
                try await scene.await(
                    "t", "SELECT coalesce(bool_and(state = 'pending' AND attempts > 2), false) FROM delivery")
                #expect(try await scene.ask("SELECT state FROM alert") == "sending")
                // The clock is right again, and the alarm is of this minute.
                try await scene.database.sql(
                    """
                    UPDATE delivery SET expires_at = now() + interval '30 min';
                    UPDATE clock_watch SET trusted_at = now(), doubted_since = NULL, doubted_at = NULL, doubted_from = NULL
                    """)
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.count == 1)
        }
    }

    /// A delivery that was leased in time may wait for its turn until it is stale.
    @Test(arguments: [(true, Delivery.State?.some(.stale)), (false, nil)])
    func `what got late since its lease is stale by a trusted clock alone`(
        isTrusted: Bool, state: Delivery.State?
    ) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let trusted = isTrusted ? "now()" : "now() - interval '3 hours'"
            try await scene.database.sql("UPDATE clock_watch SET trusted_at = \(trusted)")
            try await scene.alarms()
            let connection = try await scene.connect()
            let holder = try #require(try await connection.execute(BecomeLeaseHolder()).first)
            let lease = LeaseDeliveries(
                slots: Slot.all, limit: 10, staleAfter: .seconds(60), lease: .seconds(60), holder: holder)
            let delivery = try #require(try await connection.execute(lease).first)
            #expect(Attempt.unsent(delivery, now: delivery.expiresAt - .seconds(1)) == nil)
            #expect(Attempt.unsent(delivery, now: delivery.expiresAt)?.record.state == state)
            await connection.close()
        }
    }

    @Test func `a notifier notes the clock`() async throws {
        try await Scene.with { scene in
            try await scene.notifying {
                try await scene.await("t", "SELECT trusted_at IS NOT NULL FROM clock_watch")
            }
        }
    }
}
