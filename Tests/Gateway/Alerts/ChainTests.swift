import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Who is told when nobody answers: ada owns pond-1, and bob watches it. He watches it without limits of his own.
@Suite struct ChainTests {
    @Test func `a chain is shown as it was set, and asks whoever it names`() async throws {
        try await ChainScene.with { scene in
            let set = try await scene.set([
                ["after": 10, "person": .string(scene.bobsPart)], ["after": 30, "endpoint": 71],
            ])
            #expect(set.status == 200, "\(set.json.text)")
            let steps = try #require(set.json["steps"]?.array)
            #expect(steps.map { $0["outlook"]?.string } == ["notAgreed", "told"])
            #expect(steps[0]["person"]?["name"]?.string == "bob" && steps[0]["agreed"] == .null)
            #expect(steps[1]["endpoint"]?.text == "71" && steps[1]["agreed"] == .null)
            #expect(set.json["people"]?.array?.map { $0["name"]?.string } == ["bob"] && set.json["last"] == .null)
            #expect(
                try await scene.people.call("showChain", as: scene.ada, path: scene.pond).json.text == set.json.text)
            // He is asked, and says when.
            let asked = try await scene.people.call("listAskedCalls", as: scene.bob).json.array ?? []
            #expect(asked.count == 1 && asked[0]["person"]?["name"]?.string == "ada" && asked[0]["after"]?.text == "10")
            #expect(!asked[0].text.contains("@"))
            let agreed = try await scene.agree("daytime", as: scene.bob, to: scene.adasPart)
            #expect(agreed.json["agreed"]?.string == "daytime", "\(agreed.json.text)")
            #expect(try await scene.steps()[0]["agreed"]?.string == "daytime")
            #expect(try await scene.steps()[0]["outlook"]?.string == "unreachable", "he has no endpoint")
            // It holds while he stays in it, whatever else changes.
            _ = try await scene.set([["after": 15, "person": .string(scene.bobsPart)]])
            #expect(try await scene.steps()[0]["agreed"]?.string == "daytime")
            _ = try await scene.set([])
            _ = try await scene.set([["after": 15, "person": .string(scene.bobsPart)]])
            #expect(try await scene.steps()[0]["agreed"] == .null, "he is asked anew")
            #expect(try await scene.agree("no", as: scene.bob, to: scene.adasPart).json["agreed"]?.string == "no")
            #expect(try await scene.steps()[0]["agreed"]?.string == "no")
        }
    }

    /// Each change names the chain that it was made of, so that nothing is overwritten unseen.
    @Test func `of two devices' changes the one that was based on an older chain is refused`() async throws {
        try await ChainScene.with { scene in
            func tag() async throws -> String {
                try #require(
                    try await scene.people.call("showChain", as: scene.ada, path: scene.pond).headers["ETag"]
                        .first)
            }
            let (bob, way): (JSON, JSON) = (
                [["after": 10, "person": .string(scene.bobsPart)]], [["after": 20, "endpoint": 71]]
            )
            let empty = try await tag()
            #expect(try await scene.set(bob, ifMatch: nil).status == 428)
            let first = try await scene.set(bob, ifMatch: empty)
            #expect(first.status == 200, "\(first.json.text)")
            let held = try await tag()
            #expect(held != empty && first.headers["ETag"] == [held])
            let second = try await scene.set(way, ifMatch: empty)
            #expect(second.status == 412)
            #expect(second.headers["ETag"] == [held], "the refusal says what there is")
            #expect(try await scene.steps().count == 1)
            // An answer that was lost: the same again is not refused.
            #expect(try await scene.set(bob, ifMatch: empty).status == 200)
            // What bob says about it is his, and no other chain of hers.
            _ = try await scene.agree("always", as: scene.bob, to: scene.adasPart)
            #expect(try await tag() == held)
            #expect(try await scene.set(way, ifMatch: held).status == 200)
            #expect(try await tag() != held)
        }
    }

    @Test func `of two changes at the same moment one is refused`() async throws {
        try await ChainScene.with { scene in
            let chains: [JSON] = (1...6).map { [["after": .integer($0), "person": .string(scene.bobsPart)]] }
            let shown = try await scene.people.call("showChain", as: scene.ada, path: scene.pond)
            let tag = try #require(shown.headers["ETag"].first)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for chain in chains { group.addTask { try await scene.set(chain, ifMatch: tag).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 412, 412, 412, 412, 412])
        }
    }

    /// Open screens of both read what concerns them anew.
    @Test func `both hear at once of a chain, of what was agreed and of its end`() async throws {
        try await ChainScene.with { scene in
            var before = try await scene.parts()
            func expectNews(_ what: String) async throws {
                let now = try await scene.parts()
                #expect(now.ada != before.ada && now.bob != before.bob, "\(what)")
                before = now
            }
            _ = try await scene.set([["after": 10, "person": .string(scene.bobsPart)]])
            try await expectNews("set")
            _ = try await scene.agree("always", as: scene.bob, to: scene.adasPart)
            try await expectNews("agreed")
            _ = try await scene.people.call("unlinkDevice", as: scene.bob, path: scene.pond)
            try await expectNews("ended")
        }
    }

    @Test func `what cannot be called is refused, and says why`() async throws {
        try await ChainScene.with { scene in
            try await scene.endpoint(72, of: scene.bob)
            let bob: JSON = .string(scene.bobsPart)
            let refused: [(JSON, String)] = [
                ([["after": 20, "person": bob], ["after": 10, "endpoint": 71]], "unordered"),
                ([["after": 10, "person": bob], ["after": 20, "person": bob]], "twice"),
                ([["after": 10, "person": .string(scene.adasPart)]], "not-among-people"),
                ([["after": 10, "person": "999999"]], "not-among-people"),
                ([["after": 10, "endpoint": 72]], "not-among-endpoints"),
                ([["after": 10]], "not-a-step"),
                ([["after": 10, "person": bob, "endpoint": 71]], "not-a-step"),
                ([["after": 10, "someone": bob]], "not-a-step"),
                (["ten"], "not-a-step"),
                ([["after": 0, "person": bob]], "too-small"),
                ([["after": 241, "person": bob]], "too-large"),
                (.array(Array(repeating: ["after": 10, "endpoint": 71], count: 9)), "too-many"),
            ]
            for (steps, code) in refused {
                let reply = try await scene.set(steps)
                #expect(reply.status == 422 || reply.status == 400, "\(steps.text): \(reply.status)")
                #expect(reply.json.text.contains(code), "\(steps.text): \(reply.json.text)")
            }
            #expect(try await scene.people.ask("SELECT count(*) FROM chain_step") == "0")
        }
    }

    /// A chain is its person's: nobody sees another's, agrees for another, or calls a stranger.
    @Test func `nobody reaches into another's chain`() async throws {
        try await ChainScene.with { scene in
            _ = try await scene.set([["after": 10, "person": .string(scene.bobsPart)]])
            #expect(
                try await scene.people.call("showChain", as: scene.bob, path: scene.pond).json["steps"] == .array([]))
            #expect(try await scene.agree("always", as: scene.ada, to: scene.adasPart).status == 404)
            #expect(try await scene.agree("always", as: scene.ada, to: scene.bobsPart).status == 404, "he asks nobody")
            let stranger = try await scene.people.call("showChain", as: scene.bob, path: ["device": "pond-2"])
            #expect(stranger.status == 404)
            // Whoever leaves the device is called no more, and calls nobody.
            _ = try await scene.people.call("unlinkDevice", as: scene.bob, path: scene.pond)
            #expect(try await scene.people.ask("SELECT count(*) FROM chain_step") == "0")
            #expect(try await scene.people.call("listAskedCalls", as: scene.bob).json == .array([]))
        }
    }

    @Test func `a rehearsal says who would be told when, and rings nothing`() async throws {
        try await ChainScene.with { scene in
            try await scene.endpoint(72, of: scene.bob)
            _ = try await scene.set([["after": 10, "person": .string(scene.bobsPart)]])
            _ = try await scene.agree("daytime", as: scene.bob, to: scene.adasPart)
            try await scene.people.database.sql(
                """
                UPDATE account SET time_zone = 'UTC';
                INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
                VALUES (\(scene.bob.account), '22:00', '06:00', 127, true)
                """)
            func outlook(_ at: String) async throws -> String {
                let rehearsed = try await scene.people.call(
                    "rehearseChain", as: scene.ada, path: scene.pond, query: "at=\(at)")
                let step = try #require(rehearsed.json["steps"]?.array?.first)
                return "\(step["at"]?.string ?? "") \(step["outlook"]?.string ?? "")"
            }
            let (night, morning) = (
                try await outlook("2099-01-01T03:00:00Z"), try await outlook("2099-01-01T05:55:00Z")
            )
            #expect(night == "2099-01-01T03:10:00Z quietHours")
            #expect(morning == "2099-01-01T06:05:00Z told")
            #expect(try await scene.people.ask("SELECT count(*) FROM alert WHERE purpose = 'escalation'") == "0")
        }
    }

    @Test func `whoever was called answers, in the app and by the link, whatever their own limits say`() async throws {
        try await ChainScene.with { scene in
            try await scene.call()
            let alert = try await scene.people.call("listAlerts", as: scene.bob).json["items"]?.array?.first
            #expect(
                alert?["purpose"]?.string == "escalation" && alert?["caller"]?.string == "ada", "\(alert?.text ?? "")")
            #expect(alert?["text"]?.string?.contains("ada has not answered for 10 min.") == true)
            #expect(alert?["text"]?.string?.contains("ada's maximum") == true, "the limit is hers")
            let answers = AnswerScene(people: scene.people)
            let link = try await answers.link(scene.bob)
            #expect(try await answers.look(link).json["isOver"]?.bool == false)
            let answered = try await answers.say("onIt", link)
            #expect(answered.json["onIt"]?["isYou"]?.bool == true, "\(answered.json.text)")
            #expect(try await answers.onIt(scene.ada).first?["name"]?.string == "bob")
            #expect(
                try await scene.people.ask("SELECT next_at <= now() FROM escalation") == "t", "the engine looks at once"
            )
            #expect(try await answers.answer("cannot", as: scene.bob).status == 200)
            #expect(try await answers.onIt(scene.ada) == [])
        }
    }

    @Test func `the alert says who was called, and who is next`() async throws {
        try await ChainScene.with { scene in
            try await scene.call()
            let hers = try await scene.shown(to: scene.ada)
            #expect(hers["items"]?.array?.map { $0["name"]?.string } == ["bob"], "\(hers.text)")
            #expect(hers["next"]?["endpoint"]?.text == "71" && hers["next"]?["isYou"]?.bool == true)
            let his = try await scene.shown(to: scene.bob)
            #expect(
                his["items"]?.array?.first?["isYou"]?.bool == true
                    && his["items"]?.array?.first?["isWay"]?.bool == false)
            #expect(
                his["next"]?["name"]?.string == "ada" && his["next"]?["isWay"]?.bool == true
                    && his["next"]?["endpoint"] == .null)
            // What came to nothing is known to whoever relies on it.
            try await scene.people.database.sql("UPDATE escalation_call SET outcome = 'quietHours'")
            #expect(try await scene.shown(to: scene.ada)["items"]?.array?.count == 1)
            #expect(try await scene.shown(to: scene.bob)["items"] == .array([]))
            // An endpoint that is signed out is not gone, and stays in a chain.
            try await scene.people.database.sql("UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 71")
            #expect(try await scene.steps()[1]["outlook"]?.string == "paused")
            #expect(try await scene.set([["after": 20, "endpoint": 71]]).status == 200)
            try await scene.people.database.sql("UPDATE endpoint SET paused_at = NULL")
            try await scene.people.database.sql("UPDATE escalation SET held_until = now() + interval '1 hour'")
            let held = try await scene.shown(to: scene.ada)
            #expect(held["heldUntil"]?.string != nil && held["next"] == .null)
            let last = try await scene.people.call("showChain", as: scene.ada, path: scene.pond).json["last"]
            #expect(last?["parameter"]?.string == "temperature" && last?["answeredBy"] == .null)
        }
    }

    /// What others were called for goes with the account: it tells of that person's water, by their name.
    @Test func `a closed account leaves nothing of its calls`() async throws {
        try await ChainScene.with { scene in
            try await scene.call()
            let closed = try await scene.people.call(
                "closeAccount", as: scene.ada, body: ["password": .string(PersonScene.Person.password)])
            #expect(closed.status == 200, "\(closed.json.text)")
            for table in ["alert", "escalation", "escalation_call", "chain_step"] {
                #expect(try await scene.people.ask("SELECT count(*) FROM \(table)") == "0", "\(table)")
            }
        }
    }
}

private struct ChainScene: Sendable {
    let people: PersonScene
    let adasPart: String
    let bobsPart: String

    var ada: PersonScene.Person { people.ada }
    var bob: PersonScene.Person { people.bob }
    var pond: [String: String] { ["device": "pond-1"] }

    static func with(_ body: @Sendable @escaping (ChainScene) async throws -> Void) async throws {
        try await PersonScene.with { people in
            let token = try await people.gateway.invite(to: "pond-1", by: people.ada)
            #expect(try await people.gateway.accept(token, people.bob).status == 201)
            func part(_ person: PersonScene.Person) async throws -> String {
                try await people.ask(
                    "SELECT ownership_id FROM ownership o JOIN device d USING (slot, device_id) WHERE account_id = \(person.account) AND hardware_id = 'pond-1'"
                )
            }
            let scene = ChainScene(
                people: people, adasPart: try await part(people.ada), bobsPart: try await part(people.bob))
            try await scene.endpoint(71, of: scene.ada)
            try await body(scene)
        }
    }

    func endpoint(_ number: Int, of person: PersonScene.Person) async throws {
        try await people.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (\(number), \(person.account), 'ntfy', 'https://ntfy.example.org/\(number)', '')
            """)
    }

    func set(_ steps: JSON, ifMatch: String? = "*") async throws -> PersonScene.Reply {
        try await people.call(
            "setChain", as: ada, path: pond, body: ["steps": steps], headers: ifMatch.map { ["If-Match": $0] } ?? [:])
    }

    func agree(_ said: String, as person: PersonScene.Person, to asking: String) async throws -> PersonScene.Reply {
        try await people.call(
            "agreeToCalls", as: person, path: ["device": "pond-1", "person": asking], body: ["agreed": .string(said)])
    }

    /// The version of what each of them sees of chains and calls.
    func parts() async throws -> (ada: String, bob: String) {
        func part(_ person: PersonScene.Person) async throws -> String {
            let answers = try await people.database.sql(
                "BEGIN; SELECT name_person(\(person.account)); SELECT 'calls ' || calls FROM setup_parts(ARRAY[live_ticket()]); COMMIT"
            )
            return answers.split(separator: "\n").last { $0.contains("calls") }.map(String.init) ?? ""
        }
        return (try await part(ada), try await part(bob))
    }

    func steps() async throws -> [JSON] {
        try #require(try await people.call("showChain", as: ada, path: pond).json["steps"]?.array)
    }

    /// Ada's pond is too warm, she has not answered for ten minutes, and bob was called; her phone is next.
    func call() async throws {
        _ = try await set([["after": 10, "person": .string(bobsPart)], ["after": 20, "endpoint": 71]])
        try await people.database.sql(
            """
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
            SELECT slot, device_id, 0, account_id, 1, 'range', 'high', now() - interval '10 minutes', now(), 25.9, 1
            FROM chain_step WHERE place = 1;
            INSERT INTO escalation (slot, device_id, parameter, account_id, kind, side, alarm_at, began_at, called_through, next_at)
            SELECT slot, device_id, 0, account_id, kind, side, opened_at, opened_at, 10, now() + interval '1 minute' FROM episode;
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst, limit_value, opened_at,
                event_time, escalation_id, caller, caller_name, unanswered_seconds)
            SELECT x.slot, x.device_id, 0, a.account_id, row_number() OVER (ORDER BY a.account_id <> x.account_id), gen_random_uuid(), 1, x.kind,
                CASE WHEN a.account_id = x.account_id THEN 'alarm' ELSE 'escalation' END, x.side, 25.9, 25.9, 24, x.alarm_at, now(),
                CASE WHEN a.account_id <> x.account_id THEN x.escalation_id END, CASE WHEN a.account_id <> x.account_id THEN x.account_id END,
                CASE WHEN a.account_id <> x.account_id THEN 'ada' END, CASE WHEN a.account_id <> x.account_id THEN 600 END
            FROM escalation x CROSS JOIN account a WHERE a.account_id IN (\(ada.account), \(bob.account));
            INSERT INTO escalation_call (slot, escalation_id, after_minutes, account_id, outcome, alert_id)
            SELECT slot, escalation_id, 10, \(bob.account), 'told', 2 FROM escalation;
            UPDATE setting SET unit = 'celsius' WHERE parameter = 0
            """)
    }

    func shown(to person: PersonScene.Person) async throws -> JSON {
        let uid = try await people.ask("SELECT uid FROM alert WHERE account_id = \(person.account)")
        return try #require(try await people.call("showAlert", as: person, path: ["alert": uid]).json["calls"])
    }
}
