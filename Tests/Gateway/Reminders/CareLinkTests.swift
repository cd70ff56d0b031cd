import Foundation
import HTTPTypes
import NIOHTTP1
import Postgres
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// What is said of reminders by the link of their message.
@Suite struct CareLinkTests {
    /// Has the open reminder of today told to Ada, and gives the link of the message.
    private static func link(_ scene: PersonScene) async throws -> String {
        _ = try await ReminderRoutesTests.due(scene)
        try await scene.database.sql(
            """
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, state, about)
            VALUES (\(scene.ada.account) % 64, \(scene.ada.account), 7, gen_random_uuid(), 'care', 'note', now(), now(), 'sending', ARRAY['{"count": 1}', '{}']);
            INSERT INTO reminder_telling (slot, reminder_id, account_id, on_at, due_at, told_at, alert_id)
            SELECT slot, reminder_id, \(scene.ada.account), (now() AT TIME ZONE 'Europe/Madrid')::date, now(), now(), 7 FROM reminder
            """)
        let token = try await scene.ask("SELECT care_token(slot, alert_id, uid) FROM alert WHERE alert_id = 7")
        let key = try #require(SecretKey(GatewayUnderTest.secretKey))
        return try SealedLink.care.text(of: token, sealedWith: key)
    }

    private static func post(
        _ scene: PersonScene, _ path: String, _ body: JSON
    ) async throws -> (status: Int, json: JSON) {
        let reply = try await scene.gateway.request(.POST, "/api/v1/care-answers\(path)", json: body)
        return (reply.status, reply.json ?? .null)
    }

    @Test func `looking changes nothing; done is done for all`() async throws {
        try await ReminderRoutesTests.with { scene in
            let link = try await Self.link(scene)
            let look = try await Self.post(scene, "/look", ["token": .string(link)])
            #expect(look.status == 200 && look.json["items"]?.array?.first?["isOpen"] == true, "\(look.json.text)")
            #expect(
                look.json["language"] == "es" && look.json["items"]?.array?.first?["isYou"] == false,
                "\(look.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM reminder_act") == "0")
            for _ in 0..<2 {
                let done = try await Self.post(scene, "", ["token": .string(link), "answer": "done"])
                #expect(
                    done.status == 200 && done.json["items"]?.array?.first?["what"]?.string == "done",
                    "\(done.json.text)")
                #expect(done.json["items"]?.array?.first?["isYou"] == true, "\(done.json.text)")
            }
            // The same act, by somebody who is gone.
            try await scene.database.sql("UPDATE reminder_act SET account_id = NULL")
            let gone = try await Self.post(scene, "/look", ["token": .string(link)])
            #expect(gone.json["items"]?.array?.first?["isYou"] == false, "\(gone.json.text)")
            try await scene.database.sql("UPDATE reminder_act SET account_id = \(scene.ada.account)")
            #expect(
                try await scene.ask("SELECT string_agg(account_id::text, ',') FROM reminder_act")
                    == "\(scene.ada.account)")
            #expect(
                try await scene.ask("SELECT state FROM alert WHERE alert_id = 7") == "cancelled",
                "it is on its way to nobody any more")
        }
    }

    /// Somebody is busy with the second of two. Whoever held the first meanwhile would wait in a circle with who has both the other way round.
    @Test func `what a message told is done one after the other, each for itself`() async throws {
        try await ReminderRoutesTests.with { scene in
            let link = try await Self.link(scene)
            let other = "0198f3a2-5c1e-4b90-8d7e-000000000002"
            let made = try await scene.call(
                "setReminder", as: scene.ada, path: ["device": "pond-1", "reminder": other],
                body: ReminderRoutesTests.weekly("Feed"))
            #expect(made.status == 201, "\(made.json.text)")
            try await scene.database.sql(
                """
                UPDATE reminder SET since = (SELECT min(since) FROM reminder);
                INSERT INTO reminder_telling (slot, reminder_id, account_id, on_at, due_at, told_at, alert_id)
                SELECT slot, '\(other)'::uuid, account_id, on_at, due_at, told_at, alert_id FROM reminder_telling
                """)
            let busy = try await PostgresConnection.connect(
                PostgresConfiguration(
                    url: scene.database.url(.owner), password: scene.database.password(.owner),
                    applicationName: "care-link-tests"))
            try await busy.executeScript("BEGIN; SELECT FROM reminder WHERE name <> 'Feed' FOR UPDATE")
            async let done = Self.post(scene, "", ["token": .string(link), "answer": "done"])
            try await awaitAnswer("the first is done") {
                try await scene.ask("SELECT count(*) FROM reminder_act")
            } where: {
                $0 == "1"
            }
            try await busy.executeScript("ROLLBACK")
            let answer = try await done
            #expect(answer.json["items"]?.array?.map { $0["what"]?.string } == ["done", "done"], "\(answer.json.text)")
            await busy.close()
        }
    }

    @Test func `tomorrow is the same time of the next day`() async throws {
        try await ReminderRoutesTests.with { scene in
            let link = try await Self.link(scene)
            let later = try await Self.post(scene, "", ["token": .string(link), "answer": "tomorrow"])
            #expect(
                later.status == 200 && later.json["items"]?.array?.first?["what"]?.string == "later",
                "\(later.json.text)")
            #expect(
                try await scene.ask(
                    "SELECT until_at AT TIME ZONE 'Europe/Madrid' = (now() AT TIME ZONE 'Europe/Madrid')::date + 1 FROM reminder_act"
                ) == "t")
        }
    }

    @Test func `a link that is none is not found, and one whose message is another's by now has expired`() async throws
    {
        try await ReminderRoutesTests.with { scene in
            let link = try await Self.link(scene)
            #expect(try await Self.post(scene, "/look", ["token": "x"]).status == 404)
            try await scene.database.sql("UPDATE reminder_telling SET alert_id = 8")
            #expect(try await Self.post(scene, "", ["token": .string(link), "answer": "done"]).status == 410)
            // An alarm's link answers no reminder.
            let key = try #require(SecretKey(GatewayUnderTest.secretKey))
            let token = try await scene.ask("SELECT answer_token(slot, alert_id, uid) FROM alert WHERE alert_id = 7")
            let other = try SealedLink.answer.text(of: token, sealedWith: key)
            #expect(try await Self.post(scene, "/look", ["token": .string(other)]).status == 404)
            let resealed = try SealedLink.care.text(of: token, sealedWith: key)
            #expect(try await Self.post(scene, "/look", ["token": .string(resealed)]).status == 410)
        }
    }
}
