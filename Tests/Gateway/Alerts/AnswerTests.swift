import Foundation
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// "I'm on it": said in the app, and by the link of a message.
@Suite struct AnswerTests {
    @Test func `who is on it is seen by all who share the device, and nobody is reminded for an hour`() async throws {
        try await AnswerScene.with { scene in
            let given = try await scene.answer("onIt", as: scene.bob)
            #expect(given.status == 200, "\(given.json.text)")
            let (his, hers) = (try await scene.onIt(scene.bob), try await scene.onIt(scene.ada))
            #expect(his.count == 1 && his[0]["isYou"]?.bool == true && his[0].text == given.json["onIt"]?.text)
            // Named as he is called, never by his address.
            #expect(hers.count == 1 && hers[0]["isYou"]?.bool == false && hers[0]["name"]?.string == "bob")
            #expect(hers[0]["device"]?.string == "pond-1" && hers[0]["side"]?.string == "high")
            let named = try await scene.people.gateway.request(
                .PATCH, "/api/v1/settings", scene.bob, json: ["name": " Bob B. "], headers: ["If-Match": "*"])
            #expect(named.status == 200 && named.json?["name"]?.string == "Bob B.", "\(named.text)")
            #expect(try await scene.onIt(scene.ada)[0]["name"]?.string == "Bob B.")
            #expect(!(try await scene.onIt(scene.ada)[0].text.contains("bob@")))
            // Both are held by it, in what had been told.
            #expect(
                try await scene.ask(
                    "SELECT string_agg(concat_ws(' ', account_id = \(scene.bob.account), snoozed_until - set_at, answered_by = \(scene.bob.account), worst), ', ' ORDER BY account_id) FROM snooze"
                ) == "f 01:00:00 t 25.9, t 01:00:00 t 25.9")
            // What is held by an answer is no snooze of hers, nor of his.
            #expect(try await scene.people.call("listSnoozes", as: scene.ada).json.array == [])
            // The second who says it is told who was faster, and said twice it is said once.
            let slower = try await scene.answer("onIt", as: scene.ada)
            #expect(slower.json["onIt"]?["name"]?.string == "Bob B." && slower.json["onIt"]?["isYou"]?.bool == false)
            #expect(try await scene.answer("onIt", as: scene.bob).json.text == his[0].wrapped(name: "Bob B."))
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "2")
            // Nobody ends it for another, and solved is not ended.
            _ = try await scene.answer("cannot", as: scene.ada)
            _ = try await scene.answer("solved", as: scene.ada)
            #expect(try await scene.onIt(scene.ada)[0]["solvedAt"] == .null)
            #expect(try await scene.answer("solved", as: scene.bob).json["onIt"]?["solvedAt"]?.string != nil)
            #expect(try await scene.onIt(scene.ada)[0]["solvedAt"]?.string != nil)
        }
    }

    @Test(arguments: ["cannot", "snooze", "leave", "close"])
    func `it ends for all when its person can't, snoozes or leaves`(end: String) async throws {
        try await AnswerScene.with { scene in
            _ = try await scene.answer("onIt", as: scene.bob)
            switch end {
            case "cannot": #expect(try await scene.answer("cannot", as: scene.bob).json["onIt"] == .null)
            case "snooze":
                _ = try await scene.people.call(
                    "snoozeAlert", as: scene.bob, path: ["alert": scene.alert(of: scene.bob)], body: ["minutes": 30])
            case "leave": _ = try await scene.people.call("unlinkDevice", as: scene.bob, path: ["device": "pond-1"])
            default:
                let closed = try await scene.people.call(
                    "closeAccount", as: scene.bob, body: ["password": .string(PersonScene.Person.password)])
                #expect(closed.status == 200, "\(closed.json.text)")
            }
            #expect(try await scene.onIt(scene.ada) == [])
            #expect(
                try await scene.ask(
                    "SELECT count(*) FROM snooze WHERE answered_by IS NOT NULL AND ended_at IS NULL") == "0")
            // Somebody else can be on it then.
            #expect(try await scene.answer("onIt", as: scene.ada).json["onIt"]?["isYou"]?.bool == true)
        }
    }

    @Test func `of two who say it at once one is on it`() async throws {
        try await AnswerScene.with { scene in
            for round in 0..<10 {
                async let his = scene.answer("onIt", as: scene.bob)
                async let hers = scene.answer("onIt", as: scene.ada)
                let given = try await [his, hers]
                #expect(given.map(\.status) == [200, 200], "\(round)")
                #expect(given.count { $0.json["onIt"]?["isYou"]?.bool == true } == 1, "\(round)")
                #expect(Set(given.map { $0.json["onIt"]?["name"]?.string }).count == 1, "\(round)")
                #expect(
                    try await scene.ask(
                        "SELECT count(*) FROM snooze WHERE answered_by = account_id AND ended_at IS NULL") == "1")
                for person in [scene.bob, scene.ada] { _ = try await scene.answer("cannot", as: person) }
            }
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE ended_at IS NULL") == "0")
        }
    }

    @Test func `it is over with what goes on, and is no answer to what is over`() async throws {
        try await AnswerScene.with { scene in
            _ = try await scene.answer("onIt", as: scene.bob)
            try await scene.close("true")
            #expect(try await scene.onIt(scene.ada) == [])
            #expect(try await scene.onIt(scene.bob) == [])
            let over = try await scene.answer("onIt", as: scene.ada)
            #expect(over.status == 409 && over.code == "episode-over")
        }
    }

    @Test func `a longer snooze stays, and who was told of nothing is not held`() async throws {
        try await AnswerScene.with { scene in
            _ = try await scene.people.call(
                "snoozeAlert", as: scene.ada, path: ["alert": scene.alert(of: scene.ada)], body: ["minutes": 120])
            _ = try await scene.answer("onIt", as: scene.bob)
            #expect(
                try await scene.ask(
                    "SELECT string_agg(concat_ws(' ', snoozed_until - set_at, ended_at), ',') FROM snooze WHERE account_id = \(scene.ada.account)"
                ) == "02:00:00")
            #expect(try await scene.onIt(scene.ada).count == 1, "she sees it all the same")
        }
        // A short one too, of who was told of nothing: nothing would take its place.
        try await AnswerScene.with { scene in
            _ = try await scene.people.call(
                "snoozeAlert", as: scene.ada, path: ["alert": scene.alert(of: scene.ada)], body: ["minutes": 30])
            try await scene.database("UPDATE episode SET alert_id = NULL WHERE account_id = \(scene.ada.account)")
            _ = try await scene.answer("onIt", as: scene.bob)
            #expect(
                try await scene.ask(
                    "SELECT string_agg(concat_ws(' ', snoozed_until - set_at, ended_at), ',') FROM snooze WHERE account_id = \(scene.ada.account)"
                ) == "00:30:00")
        }
        try await AnswerScene.with { scene in
            try await scene.database("UPDATE episode SET alert_id = NULL WHERE account_id = \(scene.ada.account)")
            _ = try await scene.answer("onIt", as: scene.bob)
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE account_id = \(scene.ada.account)") == "0")
            #expect(try await scene.onIt(scene.ada).count == 1)
        }
    }

    /// What holds somebody back is seen, and ended, by the same people for as long as it does.
    @Test func `it lasts while it holds anybody back`() async throws {
        try await AnswerScene.with { scene in
            _ = try await scene.answer("onIt", as: scene.bob)
            try await scene.close("account_id = \(scene.bob.account)")
            #expect(try await scene.onIt(scene.ada).count == 1)
            #expect(try await scene.answer("cannot", as: scene.bob).status == 200)
            #expect(try await scene.onIt(scene.ada) == [])
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE ended_at IS NULL") == "0")
        }
    }

    @Test func `who is told later is held back as well, once they wish it`() async throws {
        try await AnswerScene.with { scene in
            try await scene.database("UPDATE episode SET alert_id = NULL WHERE account_id = \(scene.ada.account)")
            _ = try await scene.answer("onIt", as: scene.bob)
            try await scene.database("UPDATE episode SET alert_id = account_id")
            let slower = try await scene.answer("onIt", as: scene.ada)
            #expect(slower.json["onIt"]?["isYou"]?.bool == false)
            #expect(
                try await scene.ask(
                    "SELECT count(*), count(DISTINCT snoozed_until) FROM snooze WHERE answered_by = \(scene.bob.account)"
                ) == "2|1")
        }
    }

    /// However often somebody says it, what is worse than they were told by a quarter of the range is told: the worst that was told stays.
    @Test func `saying it again hides nothing, and takes nobody's room`() async throws {
        try await AnswerScene.with { scene in
            for _ in 0..<3 {
                try await scene.database("UPDATE episode SET worst = worst + 1")
                for said in ["onIt", "cannot"] { _ = try await scene.answer(said, as: scene.bob) }
            }
            #expect(try await scene.ask("SELECT string_agg(DISTINCT worst::text, ',') FROM snooze") == "25.9")
            // A new alarm is answered anew, for an hour from then.
            _ = try await scene.answer("onIt", as: scene.bob)
            try await scene.database(
                """
                UPDATE snooze SET set_at = set_at - interval '30 minutes', snoozed_until = snoozed_until - interval '30 minutes' WHERE ended_at IS NULL;
                UPDATE alert SET worst = 28.9, decided_at = now()
                """)
            _ = try await scene.answer("onIt", as: scene.bob)
            #expect(
                try await scene.ask(
                    "SELECT count(*), min(worst), bool_and(snoozed_until > now() + interval '59 minutes') FROM snooze WHERE ended_at IS NULL"
                )
                    == "2|28.9|t")
            // Others' answers use up nothing of what a person may have, and are not kept for ever.
            try await scene.database(
                """
                INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, episode_id, set_at, snoozed_until, ended_at, answered_by)
                SELECT o.slot, o.device_id, \(scene.ada.account), 'range', 0, 'high', 1, now() - interval '2 hours', now() - interval '1 hour',
                    now() - interval '1 hour', \(scene.bob.account)
                FROM ownership o, generate_series(1, 600) WHERE o.account_id = \(scene.ada.account)
                """)
            _ = try await scene.answer("cannot", as: scene.bob)
            #expect(try await scene.answer("onIt", as: scene.ada).status == 200)
            #expect(try await scene.answer("cannot", as: scene.ada).status == 200)
            #expect(try await scene.answer("onIt", as: scene.bob).status == 200)
            #expect(
                try await scene.ask("SELECT count(*) < 110 FROM snooze WHERE account_id = \(scene.ada.account)") == "t")
        }
    }

    @Test func `an answer by a clock that was ahead is none`() async throws {
        try await AnswerScene.with { scene in
            _ = try await scene.answer("onIt", as: scene.bob)
            try await scene.database(
                "UPDATE snooze SET set_at = set_at + interval '90 days', snoozed_until = snoozed_until + interval '90 days'"
            )
            #expect(try await scene.onIt(scene.ada) == [])
            #expect(try await scene.answer("onIt", as: scene.ada).json["onIt"]?["isYou"]?.bool == true)
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE ended_at IS NULL") == "2")
        }
    }
}

extension JSON {
    /// What answering shows, with the name as it is now.
    fileprivate func wrapped(name: String) -> String {
        guard case .object(let members) = self else { return "" }
        let renamed = members.map { $0.name == "name" ? JSON.Member("name", .string(name)) : $0 }
        return JSON.object([.init("onIt", .object(renamed))]).text
    }
}
