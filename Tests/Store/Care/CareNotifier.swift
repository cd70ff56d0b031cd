import Foundation
import Instants
import Postgres
import Store
import TestSupport
import Testing

@testable import Notifier

/// The part of a notifier that looks at reminders. The test says what time it is, and receivers take every message.
struct CareNotifier: Sendable {
    private let database: TestDatabase
    private let connection: PostgresConnection

    init(_ database: TestDatabase) async throws {
        self.database = database
        connection = try await SchemaFixture.connect(database, .notifier)
    }

    func close() async { await connection.close() }

    /// A line of a message about reminders.
    struct Line: Sendable {
        var account: Int64
        var message: String
        /// The message whose place it takes; empty: none.
        var replaces: String
        /// The name, the occurrence, and how many were missed before it.
        var text: String
    }

    /// Looks once, and has all messages delivered.
    /// - Returns: The lines of what was sent, and when the next look will find something.
    func look(at now: Int) async throws -> (lines: [Line], next: Int?) {
        let moment = Timestamp(unixSeconds: Int64(now))
        _ = try await connection.transaction { try $0.lookAtReminders(at: moment, limit: 100) }
        _ = try await connection.execute(TellCareAgain(now: moment))
        let told = try await sendAll(TellCare(now: moment))
        let replaced = try await sendAll(ReplaceCare(now: moment))
        let lines = told + replaced > 0 ? try await deliver(at: now) : []
        return (lines, try await next())
    }

    /// - Returns: How many messages there were.
    private func sendAll<Turn: Statement>(_ statement: Turn) async throws -> Int where Turn.Row == RegularTurn? {
        var sent = 0
        while true {
            let row = try await connection.execute(statement).first ?? nil
            let turn = try #require(row, "nobody else looks")
            if turn.due == 0 { return sent }
            sent += Int(turn.sent)
        }
    }

    private func deliver(at now: Int) async throws -> [Line] {
        let rows = try await database.sql(
            """
            WITH taken AS (
                UPDATE delivery SET state = 'accepted', ended_at = to_timestamp(\(now)) WHERE state = 'pending'
            ), told AS (
                UPDATE alert SET state = 'delivered' WHERE kind = 'care' AND state = 'sending'
                RETURNING account_id, uid, about, decided_at
            )
            SELECT t.account_id, t.uid, coalesce(t.about[1]::jsonb ->> 'replaces', ''),
                concat_ws(' ', l.line ->> 'name', l.line ->> 'on', l.line ->> 'missed')
            FROM told t CROSS JOIN LATERAL (SELECT u::jsonb AS line FROM unnest(t.about[2:]) AS u) l
            WHERE t.decided_at = to_timestamp(\(now))
            """)
        return try rows.split(separator: "\n").map { row in
            let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return Line(
                account: try #require(Int64(parts[0])), message: parts[1], replaces: parts[2], text: parts[3])
        }
    }

    /// When the database has something planned, at the full minute after it.
    private func next() async throws -> Int? {
        let text = try await database.sql(
            """
            SELECT ceil(extract(epoch FROM least((SELECT min(next_at) FROM reminder), (SELECT min(waits_at) FROM reminder_telling))) / 60)
                ::bigint * 60
            """)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
