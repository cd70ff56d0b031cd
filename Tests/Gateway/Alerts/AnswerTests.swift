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

    // MARK: By the link of a message

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

extension JSON {
    /// What answering shows, with the name as it is now.
    fileprivate func wrapped(name: String) -> String {
        guard case .object(let members) = self else { return "" }
        let renamed = members.map { $0.name == "name" ? JSON.Member("name", .string(name)) : $0 }
        return JSON.object([.init("onIt", .object(renamed))]).text
    }
}

/// Ada's pond is too warm, also for Bob, who watches it: both were told.
struct AnswerScene: Sendable {
    let people: PersonScene
    var ada: PersonScene.Person { people.ada }
    var bob: PersonScene.Person { people.bob }

    static var key: SecretKey { get throws { try #require(SecretKey(GatewayUnderTest.secretKey)) } }

    static func with(_ body: @Sendable @escaping (AnswerScene) async throws -> Void) async throws {
        try await PersonScene.with { people in
            let token = try await people.gateway.invite(to: "pond-1", by: people.ada)
            #expect(try await people.gateway.accept(token, people.bob).status == 201)
            try await people.database.sql(
                """
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                SELECT slot, device_id, 0, account_id, account_id, 'range', 'high', now(), now(), 25.9, account_id
                FROM ownership;
                INSERT INTO alert (
                    slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                    limit_value, opened_at, event_time)
                SELECT slot, device_id, parameter, account_id, episode_id, gen_random_uuid(), episode_id, kind, 'alarm', side,
                    worst, worst, 24, now(), now()
                FROM episode;
                """)
            try await body(AnswerScene(people: people))
        }
    }

    func ask(_ query: String) async throws -> String { try await people.ask(query) }
    func database(_ statement: String) async throws { try await people.database.sql(statement) }

    func alert(of person: PersonScene.Person) async throws -> String {
        try await ask("SELECT uid FROM alert WHERE account_id = \(person.account)")
    }

    func answer(_ said: String, as person: PersonScene.Person) async throws -> PersonScene.Reply {
        try await people.call(
            "answerAlarm", as: person, path: ["device": "pond-1"],
            body: ["kind": "range", "parameter": "temperature", "side": "high", "answer": .string(said)])
    }

    func onIt(_ person: PersonScene.Person) async throws -> [JSON] {
        try await people.call("listAnswers", as: person).json.array ?? []
    }

    /// Ends episodes.
    func close(_ which: String) async throws {
        try await database("UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE \(which)")
    }

    /// What the database puts into the link of a message to a person.
    func token(_ person: PersonScene.Person) async throws -> String {
        try await ask("SELECT answer_token(slot, alert_id, uid) FROM alert WHERE account_id = \(person.account)")
    }

    func link(_ person: PersonScene.Person, until: String? = nil) async throws -> String {
        guard let until else { return try SealedLink.answer.text(of: try await token(person), sealedWith: Self.key) }
        let token = try await ask(
            """
            SELECT slot || '-' || alert_id || '-' || t.until || '-' || seal_of(format('answer %s %s %s %s', slot, alert_id, uid, t.until))
            FROM alert, (SELECT extract(epoch FROM \(until))::bigint) AS t (until) WHERE account_id = \(person.account)
            """)
        return try SealedLink.answer.text(of: token, sealedWith: Self.key)
    }

    func look(_ link: String) async throws -> PersonScene.Reply {
        try await post("/answers/look", ["token": .string(link)])
    }

    func say(_ said: String, _ link: String) async throws -> PersonScene.Reply {
        try await post("/answers", ["token": .string(link), "answer": .string(said)])
    }

    private func post(_ path: String, _ body: JSON) async throws -> PersonScene.Reply {
        let reply = try await people.gateway.request(.POST, "/api/v1\(path)", json: body)
        return PersonScene.Reply(status: reply.status, headers: reply.headers, json: reply.json ?? .null)
    }
}
