import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Notifier
@testable import Store

/// The throttle after a critical alert that was sent despite it, and that reached nobody.
@Suite struct BrokenThroughTests {
    private static let slot = Slot.all[1]
    private static let account = Account.ID(rawValue: 1)
    private static let now = Timestamp(unixSeconds: Int64(4_000_000_000))

    /// The alerts of one watch, with their purposes and states. The last one has charged the throttle.
    private static func rows(_ alerts: [(purpose: String, state: String, critical: Bool)]) -> String {
        let values = alerts.enumerated().map { index, alert in
            """
            (1, 1, 1, 1, \(index + 1), 1, 'range', '\(alert.purpose == "ended" ? "reminder" : alert.purpose)',
                \(alert.purpose == "ended"), 'high', now(),
                now() - interval '\(alerts.count - index) minutes', '\(alert.state)', \(alert.critical))
            """
        }
        return """
            SET session_replication_role = replica;
            INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, ended, side,
                opened_at, event_time, state, critical) VALUES \(values.joined(separator: ", "));
            INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
                VALUES (1, 1, 1, 1, 'range', now(), \(alerts.count));
            """
    }

    /// - Parameter stands: The alert that the throttle is charged with after the refund; nil: no charge.
    @Test(
        arguments: [
            (before: [("alarm", "delivered")], critical: true, stands: 1),
            ([("alarm", "sending")], true, 1),
            ([("alarm", "delivered"), ("reminder", "undelivered")], true, 1),
            // A delivered or pending all-clear takes earlier charges back; a cancelled one does not.
            ([("alarm", "delivered"), ("recovery", "delivered")], true, nil),
            ([("alarm", "delivered"), ("recovery", "sending")], true, nil),
            ([("alarm", "delivered"), ("recovery", "cancelled")], true, 1),
            ([("alarm", "delivered"), ("recovery", "delivered"), ("alarm", "delivered")], true, 3),
            ([("alarm", "delivered"), ("ended", "delivered")], true, 1),
            ([("alarm", "undelivered")], true, nil),
            ([("alarm", "cancelled")], true, nil),
            ([], true, nil),
            // The throttle was free when this alert was made.
            ([("alarm", "delivered")], false, nil),
        ] as [(before: [(String, String)], critical: Bool, stands: Int?)])
    func theChargeGoesBack(before: [(String, String)], critical: Bool, stands: Int?) async throws {
        try await SchemaFixture.with { fixture in
            let alerts = before.map { (purpose: $0.0, state: $0.1, critical: false) }
            try await fixture.database.sql(Self.rows(alerts + [("alarm", "sending", critical)]))
            let alert = Alert.ID(rawValue: Int64(alerts.count + 1))
            let settlement = Settlement(
                of: alert, charging: Throttle(runsFrom: Self.now, pending: .stored(alert)), event: nil,
                decidedAt: Self.now, firstAcceptance: nil, anyPending: false, isClockTrusted: true)
            let notifier = try await SchemaFixture.connect(fixture.database, .notifier)
            try await notifier.transaction { transaction in
                try transaction.perform(LockAlerts([AlertKey(slot: Self.slot, alert: alert)]))
                try transaction.perform(
                    SettleAlerts([(AlertKey(slot: Self.slot, alert: alert), Self.account, settlement)]))
            }
            await notifier.close()
            let charges = try await fixture.database.sql(
                """
                SELECT coalesce(string_agg(t.alert_id || ' ' || (t.charged_at = a.event_time), ','), 'none')
                FROM throttle t JOIN alert a USING (slot, alert_id)
                """)
            #expect(charges == (stands.map { "\($0) true" } ?? "none"))
        }
    }

    /// Earlier alerts that may get the charge back are locked too, so that they cannot end meanwhile.
    @Test func whatWasBrokenThroughIsLocked() async throws {
        try await SchemaFixture.with { fixture in
            let before = [("alarm", "sending"), ("reminder", "delivered")].map {
                (purpose: $0.0, state: $0.1, critical: false)
            }
            try await fixture.database.sql(Self.rows(before + [("alarm", "sending", true)]))
            let notifier = try await SchemaFixture.connect(fixture.database, .notifier)
            let locked = try await notifier.transaction { transaction in
                try transaction.execute(LockAlerts([AlertKey(slot: Self.slot, alert: Alert.ID(rawValue: 3))]))
            }
            #expect(locked == [1, 3].map(Alert.ID.init(rawValue:)))
            await notifier.close()
        }
    }

    /// The last endpoint was removed before a critical alert was sent. An earlier alert still on its way reaches nobody
    /// either.
    @Test(arguments: [("delivered", "1"), ("sending", "")])
    func anAlertWithoutEndpointsGivesItBackToOneThatWasTold(state: String, charged: String) async throws {
        try await SchemaFixture.with { fixture in
            let before = [(purpose: "alarm", state: state, critical: false)]
            try await fixture.database.sql(Self.rows(before + [("alarm", "decided", true)]))
            let notifier = try await SchemaFixture.connect(fixture.database, .notifier)
            _ = try await notifier.execute(
                LeaseDeliveries(
                    slots: [Self.slot], limit: 10, staleAfter: .seconds(1800), lease: .seconds(60),
                    holder: LeaseHolder(rawValue: 1)))
            await notifier.close()
            #expect(try await fixture.database.sql("SELECT alert_id FROM throttle") == charged)
            #expect(try await fixture.database.sql("SELECT state FROM alert WHERE alert_id = 2") == "undelivered")
        }
    }
}
