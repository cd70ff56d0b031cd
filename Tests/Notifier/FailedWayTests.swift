import Foundation
import Messaging
import Notifier
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// A person is told by their other ways of one that takes no alerts.
@Suite struct FailedWayTests {
    /// Settings with a look at ways four times a second.
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.lookAtWays = .milliseconds(250)
        return settings
    }

    /// Runs a notifier while the first endpoint refuses an alarm that was decided so many seconds ago, and the second takes it.
    private static func refusing(
        _ scene: Scene, by status: Int = 401, age: Int = 660, _ body: @Sendable @escaping () async throws -> Void
    ) async throws {
        scene.sink.answer { $0.path == "/1" ? .status(status) : .status(200) }
        try await scene.notifying(settings) {
            try await scene.alarms(age: age)
            try await body()
        }
    }

    /// Looks once more, as the notifier does.
    private static func look(_ scene: Scene) async throws {
        try await scene.await("t", "SELECT failed IS NOT NULL FROM tell_failed_ways()")
    }

    private static func notes(_ scene: Scene) throws -> [[String: Any]] {
        try scene.sink.received.compactMap { request in
            let message = try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            guard message["type"] as? String == "alert.note" else { return nil }
            #expect(request.path == "/2")
            return message["data"] as? [String: Any]
        }
    }

    private static let told = "SELECT count(*) FROM alert WHERE kind = 'way' AND state = 'delivered'"

    @Test func `a way that refuses is told by the others, once, in the person's words`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await Self.refusing(scene) {
                try await scene.await("1", Self.told)
                try await Self.look(scene)
            }
            let notes = try Self.notes(scene)
            #expect(notes.count == 1)
            #expect(notes[0]["kind"] as? String == "way" && notes[0]["device"] == nil)
            let host = "127.0.0.1:\(scene.sink.port)"
            #expect(notes[0]["title"] as? String == "Los avisos no llegan a \(host)")
            #expect((notes[0]["text"] as? String)?.contains("(respondió 401)") == true)
            #expect(try await scene.ask("SELECT since IS NOT NULL AND told_at IS NOT NULL FROM failed_way") == "t")
        }
    }

    @Test func `ten minutes without success are waited for`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await Self.refusing(scene, age: 300) {
                try await scene.await("t", "SELECT max(tries) > 5 FROM delivery WHERE endpoint_id = 1")
                try await Self.look(scene)
            }
            #expect(try await scene.ask("SELECT count(*) FROM failed_way") == "0")
        }
    }

    @Test func `a way that takes an alert works again, and its next failure on the same day is told the day after`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await Self.refusing(scene) {
                try await scene.await("1", Self.told)
                scene.sink.answer(then: .status(200))
                try await scene.await("t", "SELECT since IS NULL AND told_at IS NOT NULL FROM failed_way")
                scene.sink.answer { $0.path == "/1" ? .status(401) : .status(200) }
                try await scene.database.sql(
                    "UPDATE delivery_attempt SET started_at = started_at - interval '1 hour'; "
                        + "UPDATE delivery SET ended_at = ended_at - interval '1 hour' WHERE state = 'accepted'")
                try await scene.database.sql("UPDATE failed_way SET told_at = now() - interval '23 hours'")
                try await scene.alarms(10...10, age: 660)
                try await scene.await("t", "SELECT since IS NOT NULL FROM failed_way")
                try await Self.look(scene)
                let told = "SELECT count(*) FROM alert WHERE kind = 'way'"
                #expect(try await scene.ask(told) == "1")
                try await scene.database.sql("UPDATE failed_way SET told_at = now() - interval '25 hours'")
                try await scene.await("2", told)
            }
        }
    }

    @Test func `a receiver that is gone is told by the others, too`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await Self.refusing(scene, by: 410, age: 0) { try await scene.await("1", Self.told) }
            #expect((try Self.notes(scene)[0]["text"] as? String)?.contains("Ya no existe") == true)
        }
    }

    @Test func `a person without another way is told nothing, and counted`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let metrics = MetricsRegistry()
            scene.sink.answer(then: .status(503))
            try await scene.notifying(Self.settings, metrics: metrics) {
                try await scene.alarms(age: 660)
                try await awaitFact("the count") {
                    metrics.render().contains("aqua_notifier_unreachable_people 1") ? true : nil
                }
            }
            #expect(try await scene.ask("SELECT count(*) FROM alert WHERE kind = 'way'") == "0")
            #expect(try await scene.ask("SELECT told_at IS NULL FROM failed_way") == "t")
        }
    }

    /// An address that must not be called answers nothing, and nobody can say that it does not answer.
    @Test func `a way to which nothing could be sent is not told as silent`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1, url: "https://10.0.0.1/hook")
            try await scene.endpoint(2)
            scene.sink.answer(then: .status(200))
            try await scene.notifying(Self.settings) {
                try await scene.alarms(age: 660)
                try await scene.await("1", Self.told)
            }
            let text = try #require(try Self.notes(scene)[0]["text"] as? String)
            #expect(text.hasPrefix("No se ha podido enviar nada allí"), "\(text)")
        }
    }

    /// A browser that has confirmed an alert, and none of three since.
    @Test func `a phone that has stopped confirming is no other way`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.browser(2, url: "https://push.example.org/2")
            try await scene.database.sql(
                """
                UPDATE endpoint SET created_at = now() - interval '9 days';
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at, state)
                SELECT 1, \(scene.account), n, 'test', 'test', now(), now(), now() - n * interval '20 min', 'delivered'
                FROM generate_series(1, 4) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at, arrived_at)
                SELECT slot, account_id, alert_id, 2, 'accepted', now(), decided_at, CASE alert_id WHEN 4 THEN decided_at END
                FROM alert;
                INSERT INTO failed_way VALUES (1, 1, \(scene.account), now() - interval '20 min')
                """)
            let unreachable = "SELECT unreachable FROM tell_failed_ways()"
            #expect(try await scene.ask(unreachable) == "1")
            #expect(try await scene.ask("SELECT count(*) FROM alert WHERE kind = 'way'") == "0")
            // A mailbox says nothing of what arrives, and counts.
            try await scene.endpoint(3)
            #expect(try await scene.ask(unreachable) == "0")
            try await scene.database.sql(
                "DELETE FROM endpoint WHERE endpoint_id = 3; UPDATE delivery SET arrived_at = ended_at WHERE alert_id = 1"
            )
            #expect(try await scene.ask(unreachable) == "0")
        }
    }

    @Test func `whether a person is reached is asked once, however many of their ways failed`() async throws {
        try await Scene.with { scene in
            for number in Int64(1)...4 { try await scene.endpoint(number) }
            try await scene.database.sql(
                """
                INSERT INTO failed_way SELECT n, 1, \(scene.account), now() - interval '20 min' FROM generate_series(1, 3) n;
                CREATE SEQUENCE looks; GRANT USAGE ON SEQUENCE looks TO PUBLIC;
                CREATE OR REPLACE FUNCTION is_reached(person bigint) RETURNS boolean
                LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM nextval('looks'); RETURN false; END $$
                """)
            #expect(try await scene.ask("SELECT failed || ' ' || unreachable FROM tell_failed_ways()") == "3 1")
            #expect(try await scene.ask("SELECT last_value || ' ' || is_called FROM looks") == "1 true")
        }
    }

    @Test func `the note waits for the end of quiet hours`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.register(2, by: .ntfy, [.server: scene.sink.url(path: "/ntfy"), .topic: "koi"])
            try await scene.database.sql(
                """
                INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
                SELECT account_id, date_trunc('minute', now() AT TIME ZONE time_zone - interval '1 hour')::time,
                    date_trunc('minute', now() AT TIME ZONE time_zone + interval '2 hours')::time, 127, false FROM account
                """)
            try await Self.refusing(scene) {
                try await scene.await("t", "SELECT since IS NOT NULL FROM failed_way")
                try await Self.look(scene)
                let told = "SELECT count(*) FROM alert WHERE kind = 'way'"
                #expect(try await scene.ask(told) == "0")
                try await scene.database.sql("DELETE FROM quiet_hours")
                try await scene.await("1", told)
            }
        }
    }
}
