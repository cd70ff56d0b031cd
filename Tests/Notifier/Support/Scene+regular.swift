import Foundation
import TestSupport
import Testing

@testable import Notifier

extension Scene {
    /// Settings with a look four times a second.
    static var regularSettings: NotifierSettings {
        var settings = Scene.settings
        settings.lookForRegular = .milliseconds(250)
        settings.lookAtWays = .milliseconds(250)
        return settings
    }

    /// Has a summary chosen that came due so long ago, of today.
    func chooseSummary(
        due ago: String = "1 minute", rhythm: String = "daily", proofs: String = "none"
    ) async throws {
        try await database.sql(
            """
            INSERT INTO summary_choice (account_id, rhythm, weekday, at_time, proofs, due_on, next_at)
            SELECT account_id, '\(rhythm)', 1, date_trunc('minute', (now() - interval '\(ago)') AT TIME ZONE time_zone)::time,
                '\(proofs)', ((now() - interval '\(ago)') AT TIME ZONE time_zone)::date, now() - interval '\(ago)'
            FROM account
            """)
    }

    /// Begins quiet hours an hour ago, for three.
    func beginNight() async throws {
        try await database.sql(
            """
            INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
            SELECT account_id, date_trunc('minute', now() AT TIME ZONE time_zone - interval '1 hour')::time,
                date_trunc('minute', now() AT TIME ZONE time_zone + interval '2 hours')::time, 127, false FROM account
            """)
    }

    /// The data of the messages that the receiver got.
    func toldData() throws -> [[String: Any]] {
        try sink.received.compactMap { request in
            let message = try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            return message["data"] as? [String: Any]
        }
    }

    /// Makes the turn of all endpoints come.
    func makeProofsDue() async throws {
        try await database.sql("UPDATE endpoint SET proof_due_at = now()")
    }

    /// A browser that has a subscription, as the Gateway registers one.
    func registeredBrowser(_ number: Int64) async throws {
        try await endpoint(number)
        try await database.sql(
            """
            UPDATE endpoint SET channel = 'webPush', client_id = gen_random_uuid(), fingerprint = sha256('\(number)'),
                vapid_key_id = '0123456789abcdef', confirmed_at = now(), created_at = now() - interval '90 days'
            WHERE endpoint_id = \(number)
            """)
    }
}
