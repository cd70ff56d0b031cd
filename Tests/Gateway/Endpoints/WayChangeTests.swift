import Routes
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// What a session changes of a way to reach its person is told, and can be taken back from another one.
@Suite struct WayChangeTests {
    /// Another session of the same person.
    private static func thief(of person: PersonScene.Person, in scene: PersonScene) async throws -> PersonScene.Person {
        let session = try #require(
            SessionID(
                try await scene.ask(
                    """
                    INSERT INTO session (account_id, client, address) VALUES (\(person.account), 'Thief', '192.0.2.9/32')
                    RETURNING session_id
                    """)))
        let token = try await scene.gateway.tokens.issue(
            to: Account.ID(rawValue: person.account), session: session.rawValue)
        return PersonScene.Person(account: person.account, email: person.email, session: session, token: token)
    }

    /// Ada's ntfy topic, beside her webhook.
    private static func addTopic(_ scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (71, \(scene.ada.account), 'ntfy', 'https://ntfy.sh/#koi', '\\x02')
            """)
    }

    private static func change(
        _ endpoint: Int64, as person: PersonScene.Person, to body: JSON, _ scene: PersonScene
    ) async throws {
        let id = body["form"] == nil ? "changeEndpoint" : "changeEndpointForm"
        let reply = try await scene.call(id, as: person, path: ["endpoint": "\(endpoint)"], body: body)
        #expect(reply.status == 200, "\(reply.json.text)")
    }

    private static let template: JSON = [
        "form": "template", "template": "token of-theirs {{title}}", "templateType": "text/plain",
    ]

    @Test func `what a session changes of a way is one event a day, without a secret, and says what holds`()
        async throws
    {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            try await Self.addTopic(scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            for _ in 1...3 {
                try await Self.change(number, as: thief, to: ["form": "cloudEvents"], scene)
                try await Self.change(number, as: thief, to: Self.template, scene)
                try await Self.change(71, as: thief, to: ["onlyUrgent": true, "heedsQuietHours": false], scene)
                try await Self.change(71, as: thief, to: ["onlyUrgent": false, "heedsQuietHours": true], scene)
            }
            let path = ["endpoint": "\(number)"]
            #expect(try await scene.call("rotateEndpointSecret", as: thief, path: path, body: [:]).status == 200)
            let listed = try await scene.call("listAccountEvents", as: scene.ada)
            let events = try #require(listed.json["items"]?.array).filter {
                $0["session"]?.string == "\(thief.session)" && $0["kind"]?.string?.hasPrefix("endpoint") == true
            }
            let signedIn = listed.json["items"]?.array?.first { $0["kind"]?.string == "signedIn" }
            #expect(signedIn?["clientName"]?.string == "Thief" && events.allSatisfy { $0["clientName"] == .null })
            let sessions = try await scene.call("listSessions", as: scene.ada)
            #expect(sessions.json.array?.contains { $0["name"]?.string == "Thief" } == true, "\(sessions.json.text)")
            let told = events.reversed().map { event in
                [event["kind"]?.string, event["subject"]?.string, event["detail"]?.string]
            }
            #expect(
                told == [
                    ["endpointFormChanged", "127.0.0.1", "template"],
                    ["endpointToldAll", "ntfy.sh", nil], ["endpointHeedsQuietHours", "ntfy.sh", nil],
                    ["endpointSecretChanged", "127.0.0.1", nil],
                ], "\(listed.json.text)")
            #expect(!listed.json.text.contains("of-theirs"))
            // The same again on the next day is told again.
            try await scene.database.sql("UPDATE audit_entry SET at = at - interval '25 hours'")
            try await Self.change(71, as: thief, to: ["onlyUrgent": true], scene)
            let again =
                "SELECT string_agg(kind, ' ' ORDER BY event_id) FROM account_event WHERE kind ~ 'OnlyUrgent|ToldAll'"
            #expect(try await scene.ask(again) == "endpointToldAll endpointOnlyUrgent")
        }
    }

    /// Repetitions that are left out must not hide that the last word is another.
    @Test func `the list ends with what holds, whoever changed it and however often`() async throws {
        try await PersonScene.with { scene in
            try await Self.addTopic(scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            let last = "SELECT kind FROM account_event WHERE kind ~ 'OnlyUrgent|ToldAll' ORDER BY event_id DESC LIMIT 1"
            for (person, isSilent) in [
                (thief, true), (scene.ada, false), (thief, true), (scene.ada, false), (thief, true),
            ] {
                try await Self.change(71, as: person, to: ["onlyUrgent": .bool(isSilent)], scene)
                #expect(try await scene.ask(last) == (isSilent ? "endpointOnlyUrgent" : "endpointToldAll"))
            }
            let all = "SELECT count(*) FROM account_event WHERE kind ~ 'OnlyUrgent|ToldAll'"
            #expect(try await scene.ask(all) == "2", "one of each session")
        }
    }

    /// In whichever order the person's own repair and what it repaired are taken back.
    @Test(arguments: [[false], [true], [true, false], [false, true]])
    func `taking back one's own repair does not bring back what was repaired`(thiefs: [Bool]) async throws {
        try await PersonScene.with { scene in
            try await Self.addTopic(scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            let repairer = try await Self.thief(of: scene.ada, in: scene)
            try await scene.database.sql("UPDATE endpoint SET rings_always = true WHERE endpoint_id = 71")
            try await Self.change(71, as: thief, to: ["onlyUrgent": true, "heedsQuietHours": true], scene)
            try await Self.change(71, as: repairer, to: ["onlyUrgent": false], scene)
            try await Self.change(71, as: repairer, to: ["heedsQuietHours": false], scene)
            for isThiefs in thiefs {
                let session = ["session": "\((isThiefs ? thief : repairer).session)"]
                #expect(try await scene.call("undoSession", as: scene.ada, path: session, body: [:]).status == 204)
                #expect(
                    try await scene.ask("SELECT only_urgent, rings_always FROM endpoint WHERE endpoint_id = 71")
                        == "f|t")
            }
        }
    }

    @Test func `each setting is taken back by itself, and a form only as far as it is the session's`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            try await Self.addTopic(scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            let other = try await Self.thief(of: scene.ada, in: scene)
            try await Self.change(71, as: thief, to: ["onlyUrgent": true], scene)
            try await Self.change(71, as: other, to: ["heedsQuietHours": false], scene)
            try await Self.change(number, as: thief, to: ["form": "cloudEvents"], scene)
            try await Self.change(number, as: other, to: ["form": "alertmanager"], scene)
            func undo(_ person: PersonScene.Person) async throws -> String {
                let path = ["session": "\(person.session)"]
                #expect(try await scene.call("undoSession", as: scene.ada, path: path, body: [:]).status == 204)
                return try await scene.ask(
                    "SELECT t.only_urgent, t.rings_always, w.form FROM endpoint t, endpoint w WHERE t.endpoint_id = 71 AND w.endpoint_id = \(number)"
                )
            }
            #expect(try await undo(thief) == "f|t|alertmanager")
            // The form before it was one that was taken back.
            #expect(try await undo(other) == "f|f|standard")
        }
    }

    /// A personal token names no session, so that nothing of it could be taken back.
    @Test func `what silences takes the password, and what tells more does not`() async throws {
        try await PersonScene.with { scene in
            try await Self.addTopic(scene)
            try await scene.database.sql("UPDATE session SET created_at = now() - interval '1 hour', proven_at = NULL")
            func change(_ body: JSON) async throws -> PersonScene.Reply {
                try await scene.call("changeEndpoint", as: scene.ada, path: ["endpoint": "71"], body: body)
            }
            let refused = try await change(["onlyUrgent": true, "heedsQuietHours": false])
            #expect(refused.status == 403 && refused.json.text.contains("password-needed"), "\(refused.json.text)")
            #expect(
                try await scene.ask("SELECT only_urgent, rings_always FROM endpoint WHERE endpoint_id = 71") == "f|f")
            try await scene.database.sql("UPDATE endpoint SET only_urgent = true WHERE endpoint_id = 71")
            #expect(try await change(["onlyUrgent": true]).status == 200, "as it is")
            #expect(try await change(["onlyUrgent": false]).status == 200)
            let silent: JSON = ["rhythm": "off", "weeklyNote": "none"]
            let note = try await scene.call("setSummary", as: scene.ada, body: silent)
            #expect(note.status == 403 && note.json.text.contains("password-needed"), "\(note.json.text)")
            #expect(try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "daily"]).status == 200)
            try await scene.database.sql("UPDATE summary_choice SET proofs = 'none'")
            #expect(try await scene.call("setSummary", as: scene.ada, body: silent).status == 200, "as it is")
        }
    }

    @Test func `what a session changed is listed, and as it was before once that is taken back`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            try await Self.addTopic(scene)
            try await Self.change(number, as: scene.ada, to: Self.template, scene)
            try await Self.change(71, as: scene.ada, to: ["onlyUrgent": true], scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            for form in ["cloudEvents", "alertmanager"] as [JSON] {
                try await Self.change(number, as: thief, to: ["form": form], scene)
            }
            try await Self.change(71, as: thief, to: ["onlyUrgent": false, "heedsQuietHours": false], scene)
            let session = ["session": "\(thief.session)"]
            let made = try await scene.call("listMadeInSession", as: scene.ada, path: session)
            let items = try #require(made.json.array, "\(made.json.text)")
            #expect(Set(items.compactMap { $0["kind"]?.string }) == ["change"] && items.count == 2)
            #expect(Set(items.compactMap { $0["name"]?.string }) == ["127.0.0.1", "ntfy.sh"])
            let own = try await scene.call(
                "listMadeInSession", as: scene.ada, path: ["session": "\(scene.ada.session)"])
            #expect(own.json.array?.contains { $0["kind"]?.string == "change" } == false, "\(own.json.text)")
            #expect(try await scene.call("undoSession", as: scene.ada, path: session, body: [:]).status == 204)
            let form = try await scene.call("showEndpointForm", as: scene.ada, path: ["endpoint": "\(number)"])
            #expect(form.json == Self.template, "\(form.json.text)")
            #expect(
                try await scene.ask("SELECT only_urgent, rings_always FROM endpoint WHERE endpoint_id = 71") == "t|f")
            #expect(try await scene.ask("SELECT count(*) FROM endpoint WHERE retired_at IS NULL") == "2")
        }
    }

    /// A registration anew keeps the form, so that what a thief chose is known as that all the same.
    @Test func `a thief's form is taken back also where its webhook was registered anew since`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            try await Self.change(number, as: scene.ada, to: Self.template, scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            try await Self.change(number, as: thief, to: ["form": "cloudEvents"], scene)
            #expect(try await scene.register(as: scene.ada).json["endpoint"]?["form"] == "cloudEvents")
            let session = ["session": "\(thief.session)"]
            #expect(try await scene.call("undoSession", as: scene.ada, path: session, body: [:]).status == 204)
            let form = try await scene.call("showEndpointForm", as: scene.ada, path: ["endpoint": "\(number)"])
            #expect(form.json == Self.template, "\(form.json.text)")
        }
    }

    /// Nothing of the template is left when its webhook goes, neither of the one in use nor of the one before.
    @Test func `a former template goes with its webhook`() async throws {
        try await PersonScene.with { scene in
            let number = try await scene.register(as: scene.ada).endpoint
            try await Self.change(number, as: scene.ada, to: Self.template, scene)
            let thief = try await Self.thief(of: scene.ada, in: scene)
            try await Self.change(number, as: thief, to: ["form": "standard"], scene)
            let kept = "SELECT former_template IS NOT NULL FROM endpoint"
            #expect(try await scene.ask(kept) == "t")
            let path = ["endpoint": "\(number)"]
            #expect(try await scene.call("removeEndpoint", as: scene.ada, path: path).status == 204)
            #expect(try await scene.ask(kept) == "f")
            #expect(try await scene.ask("SELECT form_changed_in IS NULL FROM endpoint") == "t")
        }
    }
}
