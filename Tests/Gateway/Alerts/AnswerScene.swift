import Foundation
import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

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
    /// - Parameter until: When its time ends; four hours from now where it is not given.
    func token(_ person: PersonScene.Person, until: String? = nil) async throws -> String {
        guard let until else {
            return try await ask(
                "SELECT answer_token(slot, alert_id, uid) FROM alert WHERE account_id = \(person.account)")
        }
        return try await ask(
            """
            SELECT slot || '-' || alert_id || '-' || t.until || '-' || seal_of(format('answer %s %s %s %s', slot, alert_id, uid, t.until))
            FROM alert, (SELECT extract(epoch FROM \(until))::bigint) AS t (until) WHERE account_id = \(person.account)
            """)
    }

    func link(_ person: PersonScene.Person, until: String? = nil) async throws -> String {
        try SealedLink.answer.text(of: try await token(person, until: until), sealedWith: Self.key)
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
