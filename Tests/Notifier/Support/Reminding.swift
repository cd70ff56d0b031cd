import Instants
import Postgres
import Store
import TestSupport

@testable import Notifier

/// Reminders of a scene, and a notifier's looks at them.
enum Reminding {
    static let messages = "SELECT count(*) FROM alert WHERE kind = 'care'"

    /// Adds a reminder that came due a minute ago, of which everybody who shares the tank is told.
    static func add(_ number: Int, _ scene: Scene, looked ago: String = "1 hour") async throws {
        try await scene.database.sql(
            """
            INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                looked_at, next_at, planned_at)
            SELECT slot, tank_id, device_id, '00000000-0000-4000-8000-00000000000\(number)', 'Feed \(number)', 'feed', 'day', 1,
                date_trunc('minute', (now() - interval '1 minute') AT TIME ZONE 'UTC')::time, 'UTC', '2026-01-01',
                now() - interval '\(ago)', now() - interval '\(ago)', now() - interval '1 minute', now()
            FROM ownership WHERE role = 'owner';
            INSERT INTO reminder_person SELECT r.slot, r.reminder_id, o.account_id FROM reminder r JOIN ownership o USING (slot, tank_id)
            ON CONFLICT DO NOTHING
            """)
    }

    /// Looks once, as a notifier does.
    static func look(_ connection: PostgresConnection) async throws -> String {
        let moment = try await connection.execute(ReadClock())[0]
        _ = try await connection.transaction { try $0.lookAtReminders(at: moment, limit: 100) }
        return try await tell(connection, at: moment)
    }

    /// Tells all that waits by a time, as a notifier does: how many people there were, and how many were told.
    static func tell(_ connection: PostgresConnection, at moment: Timestamp) async throws -> String {
        _ = try await connection.execute(TellCareAgain(now: moment))
        var (due, sent) = (Int32(0), Int32(0))
        while let turn = try await connection.execute(TellCare(now: moment)).first ?? nil {
            (due, sent) = (due + turn.due, sent + turn.sent)
            if turn.due == 0 { return "\(due) \(sent)" }
        }
        return "none"
    }

    /// Replaces one message: how many there were.
    static func replace(_ connection: PostgresConnection, at moment: Timestamp) async throws -> Int32? {
        let turn = try await connection.execute(ReplaceCare(now: moment)).first ?? nil
        return turn?.due
    }

    static func connected(_ scene: Scene, _ body: (PostgresConnection) async throws -> Void) async throws {
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: scene.database.url(.notifier), password: scene.database.password(.notifier),
                applicationName: "reminder-tests"))
        try await body(connection)
        await connection.close()
    }

    static func act(
        _ what: String, _ scene: Scene, until: String = "NULL", about names: String = "%"
    ) async throws {
        try await scene.database.sql(
            """
            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, until_at, account_id)
            SELECT DISTINCT ON (r.reminder_id)
                r.slot, r.tank_id, r.reminder_id, gen_random_uuid(), t.on_at, '\(what)', now(), \(until), \(scene.account)
            FROM reminder r JOIN reminder_telling t USING (slot, reminder_id) WHERE r.name LIKE '\(names)'
            """)
    }
}
