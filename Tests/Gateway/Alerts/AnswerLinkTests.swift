import Foundation
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Alarms that are answered by the links of their messages.
@Suite struct AnswerLinkTests {
    @Test func `a link shows its alarm in its person's words, and changes nothing by being looked at`() async throws {
        try await AnswerScene.with { scene in
            let link = try await scene.link(scene.ada)
            let shown = try await scene.look(link)
            #expect(shown.status == 200, "\(shown.json.text)")
            // Ada reads Spanish, and Fahrenheit.
            #expect(shown.json["language"]?.string == "es" && shown.json["title"]?.string?.hasPrefix("Koi: ") == true)
            #expect(shown.json["text"]?.string?.contains("°F") == true)
            #expect(shown.json["you"]?.string == "ada" && shown.json["others"]?.array == [.string("bob")])
            #expect(shown.json["isOver"]?.bool == false && shown.json["onIt"] == .null)
            #expect(shown.json["said"]?.string == "Nadie ha respondido todavía.")
            #expect(!shown.json.text.contains("@"), "nobody's address")
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `a link answers as its person, and for this alarm alone`() async throws {
        try await AnswerScene.with { scene in
            let (hers, his) = (try await scene.link(scene.ada), try await scene.link(scene.bob))
            let answered = try await scene.say("onIt", hers)
            #expect(answered.json["onIt"]?["isYou"]?.bool == true, "\(answered.json.text)")
            #expect(answered.json["said"]?.string?.hasPrefix("Te ocupas tú. Sin recordatorios hasta la") == true)
            #expect(
                try await scene.say("onIt", hers).json["onIt"]?.text == answered.json["onIt"]?.text, "the same again")
            let slower = try await scene.say("onIt", his)
            #expect(slower.json["onIt"]?["isYou"]?.bool == false && slower.json["onIt"]?["name"]?.string == "ada")
            #expect(slower.json["said"]?.string?.hasPrefix("ada is on it since ") == true)
            #expect(try await scene.say("solved", hers).json["onIt"]?["solvedAt"]?.string != nil)
            #expect(try await scene.say("cannot", hers).json["onIt"] == .null)
            // A snooze is the person's own.
            let snoozed = try await scene.say("snooze", his)
            #expect(snoozed.json["snoozedUntil"]?.string != nil, "\(snoozed.json.text)")
            #expect(
                try await scene.ask(
                    "SELECT count(*), bool_and(account_id = \(scene.bob.account) AND answered_by IS NULL AND snoozed_until - set_at = interval '1 hour') FROM snooze WHERE ended_at IS NULL"
                ) == "1|t")
            #expect(
                try await scene.say("snooze", his).json["snoozedUntil"] == snoozed.json["snoozedUntil"],
                "the same again")
            try await scene.close("true")
            let over = try await scene.say("onIt", hers)
            #expect(over.status == 200 && over.json["isOver"]?.bool == true && over.json["onIt"] == .null)
            #expect(try await scene.say("snooze", hers).json["isOver"]?.bool == true)
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE ended_at IS NULL") == "1")
        }
    }

    @Test func `a link answers all that its message told, and nothing else`() async throws {
        try await AnswerScene.with { scene in
            let link = try await scene.link(scene.ada)
            try await scene.database(
                """
                UPDATE alert SET group_id = uid;
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                SELECT slot, device_id, 1, account_id, 900, 'range', 'high', now(), now(), 9.9, 900
                FROM ownership WHERE account_id = \(scene.ada.account);
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                SELECT slot, device_id, 2, account_id, 901, 'range', 'high', now(), now(), 9.9, 901
                FROM ownership WHERE account_id = \(scene.ada.account);
                INSERT INTO alert (
                    slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                    limit_value, opened_at, event_time, decided_at, group_id)
                -- devices that fall silent at once are found within minutes
                SELECT slot, device_id, parameter, account_id, episode_id, gen_random_uuid(), episode_id, kind, 'alarm', side,
                    worst, worst, 9, now(), now(), now() - interval '4 minutes', CASE WHEN episode_id = 900 THEN (SELECT uid FROM alert WHERE account_id = \(scene.ada.account)) END
                FROM episode WHERE episode_id >= 900
                """)
            let answered = try await scene.say("onIt", link)
            #expect(answered.status == 200, "\(answered.json.text)")
            #expect(
                try await scene.ask(
                    "SELECT string_agg(parameter::text, ',' ORDER BY parameter) FROM snooze WHERE account_id = \(scene.ada.account)"
                )
                    == "0,1")
            #expect(answered.json["together"]?.array?.count == 1, "\(answered.json.text)")
            #expect(answered.json["together"]?.array?.first?.string?.hasPrefix("Koi: ") == true)
        }
    }

    @Test func `a link that was made up, changed or is too old is of no use`() async throws {
        try await AnswerScene.with { scene in
            let (token, link) = (try await scene.token(scene.ada), try await scene.link(scene.ada))
            let other = try #require(SecretKey(String(repeating: "6b", count: 32)))
            let parts = token.split(separator: "-").map(String.init)
            let later = [parts[0], parts[1], "\(Int(parts[2])! + 3600)", parts[3]].joined(separator: "-")
            let forged = [
                "x", token, "\(link)A", try SealedLink.answer.text(of: token, sealedWith: other),
                try SealedLink.stop.text(of: token, sealedWith: AnswerScene.key),
                try SealedLink.answer.text(of: later, sealedWith: AnswerScene.key),
                try SealedLink.answer.text(of: "nonsense", sealedWith: AnswerScene.key),
                // The seal of one alarm does not open another.
                try SealedLink.answer.text(
                    of: (["\(parts[0])", "2"] + parts[2...]).joined(separator: "-"), sealedWith: AnswerScene.key),
            ]
            for forged in forged {
                #expect(try await scene.look(forged).status == 404, "\(forged)")
                #expect(try await scene.say("onIt", forged).status == 404, "\(forged)")
            }
            let old = try await scene.link(scene.ada, until: "now() - interval '1 second'")
            #expect(try await scene.look(old).status == 410)
            #expect(try await scene.say("onIt", old).code == "link-expired")
            // Numbers of alerts come again after a restore: another alert's link is not this one's.
            try await scene.database("UPDATE alert SET uid = gen_random_uuid()")
            #expect(try await scene.say("onIt", link).status == 404)
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `a link of somebody who has left the device shows that it is over, and answers nothing`() async throws {
        try await AnswerScene.with { scene in
            let link = try await scene.link(scene.bob)
            _ = try await scene.people.call("unlinkDevice", as: scene.bob, path: ["device": "pond-1"])
            let reply = try await scene.say("onIt", link)
            #expect(reply.json["isOver"]?.bool == true && reply.json["others"]?.array == [], "\(reply.json.text)")
            #expect(try await scene.onIt(scene.ada) == [])
        }
    }

    /// Whoever has taken the Gateway over makes no links, and answers for nobody whose link it was not shown.
    @Test func `a Gateway makes no links`() async throws {
        try await AnswerScene.with { scene in
            for statement in [
                "SELECT answer_token(0::smallint, 1, NULL)", "SELECT * FROM current_answer",
                "SELECT answer_ends_for_all()",
                "UPDATE snooze SET answered_by = NULL",
            ] {
                let refused = await #expect(throws: (any Error).self, "\(statement)") {
                    _ = try await scene.people.database.sql(statement, as: .gateway)
                }
                #expect("\(String(describing: refused))".contains("permission denied"), "\(statement)")
            }
            // Where nobody is named, nobody answers.
            let given = try await scene.people.database.sql(
                "SELECT give_answer(0::smallint, 1, 'silence', NULL, NULL, 'onIt')", as: .gateway)
            #expect(given == "unknown")
        }
    }
}
