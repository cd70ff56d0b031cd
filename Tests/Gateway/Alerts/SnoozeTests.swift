import Foundation
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Snoozes and acknowledgements, set on the alerts of their matter.
@Suite struct SnoozeTests {
    private static func uid(_ number: Int) -> String { "00000000-0000-0000-0000-00000000000\(number)" }

    /// Adds Ada's alerts about her pond: 1, too warm; 2, silent; 3, a test. 1 and 2 are still open.
    private func alerts(in scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst)
            SELECT slot, device_id, 0, \(scene.ada.account), 1, 'range', 'high', now(), now(), 25.9 FROM device
            UNION ALL
            SELECT slot, device_id, NULL, \(scene.ada.account), 2, 'silence', NULL, now(), now(), NULL FROM device;
            INSERT INTO alert (
                slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                limit_value, opened_at, event_time, critical)
            SELECT slot, device_id, parameter, account_id, episode_id, CASE episode_id WHEN 1 THEN '\(Self.uid(1))'::uuid
                ELSE '\(Self.uid(2))' END, episode_id, kind, 'alarm', side, worst, worst, 24, now(), now(), episode_id = 1
            FROM episode;
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time)
            VALUES (0, \(scene.ada.account), 3, '\(Self.uid(3))', 'test', 'test', now(), now())
            """)
    }

    private func list(_ person: PersonScene.Person, _ scene: PersonScene) async throws -> [JSON] {
        try await scene.call("listSnoozes", as: person).json.array ?? []
    }

    @Test func `a snooze lasts for so long, and the next one takes its place`() async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            let one = ["alert": Self.uid(1)]
            let reply = try await scene.call("snoozeAlert", as: scene.ada, path: one, body: ["minutes": 30])
            #expect(reply.status == 200, "\(reply.json.text)")
            #expect(reply.json["device"]?.string == "pond-1" && reply.json["parameter"]?.string == "temperature")
            #expect(reply.json["side"]?.string == "high" && reply.json["kind"]?.string == "range")
            #expect(reply.json["acknowledged"]?.bool == false)
            #expect(
                try await scene.ask("SELECT snoozed_until - set_at, episode_id IS NULL FROM snooze") == "00:30:00|t")
            #expect(try await list(scene.ada, scene).map(\.text) == [reply.json.text])
            let until = try await scene.ask(
                "SELECT to_char(now() AT TIME ZONE 'UTC' + interval '2 days', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
            let longer = try await scene.call(
                "snoozeAlert", as: scene.ada, path: one, body: ["until": .string(until)])
            #expect(longer.json["until"]?.string == until)
            #expect(try await list(scene.ada, scene).map { $0["until"]?.string } == [until])
            #expect(
                try await scene.ask("SELECT count(*) FILTER (WHERE ended_at IS NULL), count(*) FROM snooze") == "1|2")
            let explained = try await scene.call("showAlert", as: scene.ada, path: one).json
            #expect(explained["snooze"]?["until"]?.string == until, "\(explained.text)")
            let silence = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(silence["snooze"] == .null)
            // Other people see nothing of it.
            #expect(try await list(scene.bob, scene).isEmpty)
            let cancelled = try await scene.call("cancelSnooze", as: scene.ada, path: one)
            #expect(cancelled.status == 204)
            #expect(try await list(scene.ada, scene).isEmpty)
            #expect(
                try await scene.call("cancelSnooze", as: scene.ada, path: one).status == 204, "it is not there twice")
        }
    }

    @Test func `an acknowledgement is of what goes on, and over with it`() async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            for (alert, hours) in [(1, "24:00:00"), (2, "7 days 12:00:00")] {
                let reply = try await scene.call("acknowledgeAlert", as: scene.ada, path: ["alert": Self.uid(alert)])
                #expect(reply.status == 200 && reply.json["acknowledged"]?.bool == true, "\(reply.json.text)")
                #expect(
                    try await scene.ask(
                        "SELECT justify_hours(snoozed_until - set_at) = '\(hours)' FROM snooze WHERE episode_id = \(alert)"
                    )
                        == "t", "\(alert)")
            }
            #expect(try await list(scene.ada, scene).map { $0["kind"]?.string } == ["silence", "range"])
            try await scene.database.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE episode_id = 1")
            #expect(try await list(scene.ada, scene).map { $0["kind"]?.string } == ["silence"])
            let over = try await scene.call("acknowledgeAlert", as: scene.ada, path: ["alert": Self.uid(1)])
            #expect(over.status == 409 && over.code == "episode-over")
            #expect(
                try await scene.call(
                    "snoozeAlert", as: scene.ada, path: ["alert": Self.uid(1)], body: ["minutes": 30]
                ).status == 200, "the next time can be snoozed all the same")
        }
    }

    @Test(
        arguments: [
            ([:], "minutes-or-until"), (["minutes": 30, "until": "2999-01-01T00:00:00Z"], "minutes-or-until"),
            (["until": "2999-01-01T00:00:00Z"], "not-within-a-week"),
            (["until": "2020-01-01T00:00:00Z"], "not-within-a-week"),
            (["minutes": 0], "too-small"), (["minutes": 10_081], "too-large"), (["until": "tomorrow"], "not-timestamp"),
        ] as [(JSON, String)])
    func `how long is checked`(body: JSON, code: String) async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            let reply = try await scene.call("snoozeAlert", as: scene.ada, path: ["alert": Self.uid(1)], body: body)
            #expect(reply.status == 422 && reply.json["errors"]?[0]?["code"]?.string == code, "\(reply.json.text)")
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `a test is nothing to snooze, nor what is another's`() async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            for (id, body) in [("snoozeAlert", ["minutes": 30]), ("acknowledgeAlert", nil), ("cancelSnooze", nil)]
                as [(String, JSON?)]
            {
                let test = try await scene.call(id, as: scene.ada, path: ["alert": Self.uid(3)], body: body)
                #expect(test.status == 422 && test.code == "nothing-to-snooze", "\(id)")
                #expect(try await scene.call(id, as: scene.bob, path: ["alert": Self.uid(1)], body: body).status == 404)
            }
            // An alert about a device that she has given up cannot be snoozed either.
            _ = try await scene.call("unlinkDevice", as: scene.ada, path: ["device": "pond-1"])
            let gone = try await scene.call(
                "snoozeAlert", as: scene.ada, path: ["alert": Self.uid(1)], body: ["minutes": 30])
            #expect(gone.status == 404, "\(gone.json.text)")
        }
    }

    /// The silence of a parameter that only a newer version knows is not that of the device.
    @Test(arguments: [1, 2]) func `what only a newer version can name is nothing to snooze`(alert: Int) async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            try await scene.database.sql(
                """
                ALTER TABLE alert DROP CONSTRAINT alert_parameter_check;
                UPDATE alert SET parameter = 99 WHERE alert_id = \(alert)
                """)
            for (id, body) in [("snoozeAlert", ["minutes": 30]), ("acknowledgeAlert", nil), ("cancelSnooze", nil)]
                as [(String, JSON?)]
            {
                let reply = try await scene.call(id, as: scene.ada, path: ["alert": Self.uid(alert)], body: body)
                #expect(reply.status == 422 && reply.code == "nothing-to-snooze", "\(id): \(reply.json.text)")
            }
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
        }
    }

    @Test func `snoozes are kept for explanations, up to a bound`() async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            try await scene.database.sql(
                """
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until, ended_at)
                SELECT slot, device_id, 1, \(scene.ada.account), 'range', 'low', now() + interval '1 hour', now()
                FROM device, generate_series(1, 250)
                """)
            _ = try await scene.call("snoozeAlert", as: scene.ada, path: ["alert": Self.uid(1)], body: ["minutes": 30])
            #expect(
                try await scene.ask("SELECT count(*), count(*) FILTER (WHERE ended_at IS NULL) FROM snooze") == "201|1")
        }
    }

    @Test func `a critical alert says so`() async throws {
        try await PersonScene.with { scene in
            try await alerts(in: scene)
            let shown = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(1)]).json
            #expect(shown["critical"]?.bool == true, "\(shown.text)")
            #expect(shown["title"]?.string == "Koi: La temperatura está críticamente alta")
            #expect(shown["text"]?.string?.contains("tu máximo crítico de 75,2 °F. Fuera de tus límites desde") == true)
            let silence = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(silence["critical"]?.bool == false)
        }
    }
}
