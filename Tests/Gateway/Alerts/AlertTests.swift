import Foundation
import Routes
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct AlertTests {
    /// Adds alarms of Ada's pond, an hour apart, the latest at noon of the first of May 2026, each with an episode and
    /// a delivery that was accepted at the second attempt.
    private func alarms(_ count: Int, in scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (7, \(scene.ada.account), 'webhook', 'https://alerts.example.org/secret', '');
            INSERT INTO episode (
                slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                closed_because, worst)
            SELECT slot, 0, device_id, \(scene.ada.account), n, 'range', 'high', t, t, t, 'recovered', 25.9
            FROM device, generate_series(1, \(count)) n,
                LATERAL (SELECT '2026-05-01T12:00:00Z'::timestamptz - (n - 1) * interval '1 h' AS t) s;
            INSERT INTO transition (slot, episode_id, event_time, reason, notification, value)
            SELECT slot, episode_id, opened_at, 'opened', 'alerted', 25.6 FROM episode ORDER BY episode_id;
            INSERT INTO transition (slot, episode_id, event_time, reason, notification, value)
            SELECT slot, episode_id, opened_at, 'recovered', 'none', 23.1 FROM episode ORDER BY episode_id;
            INSERT INTO alert (
                slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, side, value, worst,
                limit_value, opened_at, event_time, received_at, decided_at, state)
            SELECT slot, 0, device_id, account_id, episode_id,
                CASE WHEN episode_id < 1000 THEN lpad(to_hex(episode_id), 32, '0')::uuid END, episode_id, 'range',
                'alarm', 'high', 25.6, 25.9, 24, opened_at, opened_at, opened_at, opened_at,
                CASE WHEN episode_id % 2 = 0 THEN 'delivered' ELSE 'undelivered' END
            FROM episode;
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, 7, 'accepted', now(), decided_at + interval '2 s' FROM alert;
            INSERT INTO delivery_attempt (
                slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
            SELECT slot, n, CASE n WHEN 1 THEN 503 ELSE 200 END, alert_id, 7, decided_at + n * interval '1 s', 84000,
                CASE n WHEN 1 THEN 'retry' ELSE 'accepted' END, CASE n WHEN 1 THEN 'the receiver answered 503' ELSE 'accepted' END
            FROM alert, generate_series(1, 2) n
            """)
    }

    private func ids(_ reply: PersonScene.Reply) -> [String] {
        (reply.json["items"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    private static func uid(_ number: Int) -> String {
        "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - String(number, radix: 16).count)
            + String(number, radix: 16)
    }

    @Test func `pages run from the newest to the oldest and leave nothing out`() async throws {
        try await PersonScene.with { scene in
            try await alarms(25, in: scene)
            // Gives them the same time, so that the order needs more than the time.
            try await scene.database.sql("UPDATE alert SET decided_at = '2026-04-01' WHERE alert_id > 20")
            var seen: [String] = []
            var query = "limit=4"
            while true {
                let page = try await scene.call("listAlerts", as: scene.ada, query: query)
                #expect(page.status == 200, "\(page.json.text)")
                seen += ids(page)
                guard let next = page.json["next"]?.string else { break }
                #expect(ids(page).count == 4)
                query = "limit=4&cursor=\(next)"
            }
            #expect(seen == (1...20).map(Self.uid) + (21...25).reversed().map(Self.uid))
            #expect(try await scene.call("listAlerts", as: scene.ada, query: "cursor=abc").status == 422)
        }
    }

    @Test func `what fell silent at once with others says of whom and of how many`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            let plain = try await scene.call("listAlerts", as: scene.ada)
            #expect(plain.json["items"]?[0]?["outage"] == .null)
            try await scene.database.sql(
                """
                UPDATE episode SET kind = 'silence', side = NULL, parameter = NULL, worst = NULL;
                UPDATE alert SET kind = 'silence', side = NULL, parameter = NULL, value = NULL, worst = NULL, limit_value = NULL,
                    purpose = 'recovery',
                    about = ARRAY['{"site":7,"name":"Granja","of":12,"missing":["Pond 3"],"missingCount":1}']
                """)
            let page = try await scene.call("listAlerts", as: scene.ada)
            let alert = try #require(page.json["items"]?[0])
            #expect(alert["outage"]?["project"]?.string == "Granja", "\(alert.text)")
            #expect(alert["outage"]?["devices"]?.integer == 12 && alert["outage"]?["missing"]?.integer == 1)
            #expect(alert["text"]?.string?.hasSuffix("Pond 3") == true && !alert.text.contains("site"))
        }
    }

    /// During an upgrade a newer version stores what this one has no word for.
    @Test func `what only a newer version knows is listed in plain words, with its reasons`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            try await scene.database.sql(
                """
                ALTER TABLE alert DROP CONSTRAINT alert_kind_check, DROP CONSTRAINT alert_state_check;
                ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
                ALTER TABLE transition DROP CONSTRAINT transition_notification_check;
                ALTER TABLE delivery DROP CONSTRAINT delivery_state_check;
                ALTER TABLE delivery_attempt DROP CONSTRAINT delivery_attempt_outcome_check;
                UPDATE alert SET kind = 'forecast', state = 'queued';
                UPDATE episode SET kind = 'forecast', side = NULL;
                UPDATE transition SET notification = 'bundled';
                UPDATE delivery SET state = 'parked';
                UPDATE delivery_attempt SET outcome = 'parked';
                -- Attempts from before the registration are another address's.
                UPDATE endpoint SET created_at = '2026-01-01'
                """)
            let item = try #require(try await scene.call("listAlerts", as: scene.ada).json["items"]?[0])
            #expect(item["kind"]?.string == "forecast" && item["state"]?.string == "queued")
            #expect(item["title"]?.string == "Koi: Temperatura: hay una alerta", "\(item.text)")
            #expect(item["side"] == .null && item["device"]?["id"]?.string == "pond-1")
            let path = ["alert": item["id"]?.string ?? ""]
            let shown = try await scene.call("showAlert", as: scene.ada, path: path)
            #expect(shown.json["reasons"]?.array?.count == 2, "\(shown.json.text)")
            #expect(shown.json["reasons"]?[0]?["notification"]?.string == "bundled")
            #expect(shown.json["deliveries"]?[0]?["state"]?.string == "parked")
            #expect(shown.json["deliveries"]?[0]?["attempts"]?[0]?["outcome"]?.string == "parked")
            let snoozed = try await scene.call("snoozeAlert", as: scene.ada, path: path, body: ["minutes": 60])
            #expect(snoozed.code == "nothing-to-snooze", "\(snoozed.json.text)")
            // Nobody can ask for a kind that is not known.
            #expect(try await scene.call("listAlerts", as: scene.ada, query: "kind=forecast").status == 422)
            let endpoint = try #require(try await scene.call("listEndpoints", as: scene.ada).json["items"]?[0])
            #expect(endpoint["state"]?.string == "failing" && endpoint["lastFailure"]?.string == "parked")
        }
    }

    @Test func `a value that changes fast is told by its change`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            let plain = try await scene.call("listAlerts", as: scene.ada, query: "")
            #expect(plain.json["items"]?[0]?["change"] == .null)
            try await scene.database.sql(
                "UPDATE alert SET kind = 'rate', side = NULL, worst = NULL, limit_value = 3, change = 3.5, change_seconds = 2400"
            )
            let page = try await scene.call("listAlerts", as: scene.ada, query: "kind=rate")
            let alert = try #require(page.json["items"]?[0])
            #expect(alert["side"] == .null && alert["limit"] == .null && alert["kind"]?.string == "rate")
            let change = try #require(alert["change"])
            #expect(change["by"]?.number == 6.3 && change["seconds"]?.integer == 2400 && change["unit"]?.string == "F")
            #expect(change["limit"]?.number == 5.4 && change["value"]?.number == 78.1)
        }
    }

    @Test func `a value that stays the same is told as a fault, by itself`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            let plain = try await scene.call("listAlerts", as: scene.ada, query: "")
            #expect(plain.json["items"]?[0]?["flat"] == .null)
            try await scene.database.sql(
                "UPDATE alert SET kind = 'fault', side = NULL, worst = NULL, limit_value = NULL")
            let alert = try #require(
                try await scene.call("listAlerts", as: scene.ada, query: "kind=fault").json["items"]?[0])
            #expect(alert["side"] == .null && alert["value"] == .null)
            #expect(alert["text"]?.string?.contains("su valor no se mueve de 78,1 °F.") == true, "\(alert)")
            let flat = try #require(alert["flat"])
            #expect(flat["value"]?.number == 78.1 && flat["unit"]?.string == "F" && flat["decimals"]?.integer == 1)
            try await scene.database.sql("UPDATE alert SET value = NULL")
            let error = try await scene.call("listAlerts", as: scene.ada, query: "kind=fault").json["items"]?[0]
            #expect(error?["flat"] == .null && error?["text"]?.string?.contains("envía un error") == true)
        }
    }

    @Test func `a limit that will be reached is told by its outlook`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            let plain = try await scene.call("listAlerts", as: scene.ada, query: "")
            #expect(plain.json["items"]?[0]?["outlook"] == .null)
            try await scene.database.sql(
                """
                UPDATE alert SET kind = 'ahead', side = NULL, worst = NULL, limit_value = 30, heading = 'high',
                    expected_at = '2026-05-01T13:10:00Z'
                """)
            let page = try await scene.call("listAlerts", as: scene.ada, query: "kind=ahead")
            let alert = try #require(page.json["items"]?[0])
            #expect(alert["side"] == .null && alert["limit"] == .null && alert["change"] == .null)
            #expect(alert["title"]?.string?.hasSuffix("La temperatura sube hacia tu límite") == true)
            // Local time of the person, in Madrid.
            #expect(alert["text"]?.string?.contains("a las 15:10 estará por encima de 86,0 °F.") == true, "\(alert)")
            let outlook = try #require(alert["outlook"])
            #expect(outlook["side"]?.string == "high" && outlook["unit"]?.string == "F")
            #expect(outlook["value"]?.number == 78.1 && outlook["limit"]?.number == 86)
            #expect(outlook["expectedAt"]?.string == "2026-05-01T13:10:00Z")
            let snoozed = try await scene.call(
                "snoozeAlert", as: scene.ada, path: ["alert": alert["id"]?.string ?? ""], body: ["minutes": 60])
            #expect(snoozed.json["kind"]?.string == "ahead" && snoozed.json["side"] == .null)
        }
    }

    @Test(
        arguments: [
            ("device=pond-1", 6), ("device=pond-2", 0), ("parameter=temperature", 6), ("parameter=ph", 0),
            ("state=delivered", 3), ("state=sending", 0), ("since=2026-05-01T10:00:00Z", 3),
            ("until=2026-05-01T10:00:00Z", 3), ("since=2026-05-01T08:00:00Z&until=2026-05-01T10:00:00Z", 2),
            ("device=pond-1&parameter=temperature&state=undelivered&since=2026-05-01T12:00:00Z", 1),
        ])
    func `filters narrow the list`(query: String, count: Int) async throws {
        try await PersonScene.with { scene in
            try await alarms(6, in: scene)
            let page = try await scene.call("listAlerts", as: scene.ada, query: query)
            #expect(ids(page).count == count, "\(page.json.text)")
            #expect(
                try await scene.call("listAlerts", as: scene.bob, query: query).json["items"]?.array?.isEmpty == true)
        }
    }

    @Test func `an alert is told as it was sent: in the person's words and unit`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            let reply = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(1)])
            let alert = reply.json
            #expect(reply.status == 200, "\(alert.text)")
            #expect(alert["title"]?.string?.hasPrefix("Koi: ") == true)
            #expect(alert["text"]?.string?.contains("78,1 °F") == true)
            #expect(alert["text"]?.string?.contains("14:00") == true, "the clock of Madrid: \(alert.text)")
            #expect(alert["unit"]?.string == "F" && alert["value"]?.number == 78.1 && alert["limit"]?.number == 75.2)
            #expect(alert["decimals"]?.integer == 1)
            #expect(alert["canonical"]?["unit"]?.string == "C" && alert["canonical"]?["value"]?.number == 25.6)
            #expect(alert["device"]?["id"]?.string == "pond-1" && alert["device"]?["name"]?.string == "Koi")
            #expect(alert["parameter"]?.string == "temperature" && alert["side"]?.string == "high")
            #expect(alert["reasons"]?.array?.map { $0["reason"]?.string } == ["opened", "recovered"])
            #expect(alert["reasons"]?[0]?["value"]?.number == 25.6)
            let delivery = try #require(alert["deliveries"]?[0])
            #expect(delivery["host"]?.string == "alerts.example.org" && delivery["state"]?.string == "accepted")
            #expect(delivery["attempts"]?.array?.map { $0["status"]?.integer } == [503, 200])
            #expect(delivery["attempts"]?[0]?["durationMilliseconds"]?.integer == 84)
            #expect(alert["acceptedAt"]?.string == "2026-05-01T12:00:02Z")
            #expect(!alert.text.contains("secret"))
        }
    }

    @Test func `a silence is told without a parameter, and found by its kind`() async throws {
        try await PersonScene.with { scene in
            try await alarms(1, in: scene)
            try await scene.database.sql(
                """
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at)
                SELECT slot, device_id, \(scene.ada.account), 2, 'silence', '2026-05-01T12:00:00Z', now() FROM device;
                INSERT INTO transition (slot, episode_id, event_time, reason, notification)
                SELECT slot, 2, '2026-05-01T12:00:00Z', 'opened', 'alerted' FROM device;
                INSERT INTO alert (
                    slot, device_id, account_id, alert_id, uid, episode_id, kind, purpose, check_probe, opened_at,
                    event_time, decided_at)
                SELECT slot, device_id, \(scene.ada.account), 2, '\(Self.uid(2))', 2, 'silence', 'alarm', true,
                    '2026-05-01T12:00:00Z', '2026-05-01T12:05:00Z', '2026-05-01T12:05:00Z'
                FROM device
                """)
            #expect(ids(try await scene.call("listAlerts", as: scene.ada, query: "kind=silence")) == [Self.uid(2)])
            #expect(ids(try await scene.call("listAlerts", as: scene.ada, query: "kind=range")) == [Self.uid(1)])
            #expect(try await scene.call("listAlerts", as: scene.ada, query: "kind=water").status == 422)
            let alert = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(alert["kind"]?.string == "silence" && alert["title"]?.string == "Koi: Sin mediciones")
            #expect(alert["text"]?.string?.contains("14:00") == true, "the clock of Madrid: \(alert.text)")
            #expect(alert["text"]?.string?.contains("Revisa la sonda") == true && alert["checkProbe"]?.bool == true)
            #expect(alert["device"]?["id"]?.string == "pond-1")
            for member in ["parameter", "side", "unit", "decimals", "value", "worst", "limit", "canonical"] {
                #expect(alert[member] == .null, "\(member): \(alert.text)")
            }
            #expect(alert["reasons"]?.array?.map { $0["reason"]?.string } == ["opened"])
            try await scene.database.sql(
                "UPDATE episode SET parameter = 1; UPDATE alert SET parameter = 1 WHERE kind = 'silence'")
            let probe = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(probe["parameter"]?.string == "ph" && probe["title"]?.string == "Koi: Sin mediciones de pH")
            #expect(probe["side"] == .null && probe["unit"] == .null && probe["anotherProbe"]?.bool == false)
            try await scene.database.sql("UPDATE alert SET check_probe = false WHERE kind = 'silence'")
            let replaced = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(replaced["anotherProbe"]?.bool == true)
            #expect(replaced["text"]?.string?.contains("responde otra sonda") == true)
            try await scene.database.sql(
                "UPDATE episode SET kind = 'fault' WHERE kind = 'silence'; UPDATE alert SET kind = 'fault' WHERE kind = 'silence'"
            )
            #expect(ids(try await scene.call("listAlerts", as: scene.ada, query: "kind=fault")) == [Self.uid(2)])
            let fault = try await scene.call("showAlert", as: scene.ada, path: ["alert": Self.uid(2)]).json
            #expect(fault["kind"]?.string == "fault" && fault["title"]?.string == "Koi: Revisa la sonda de pH")
            #expect(fault["text"]?.string?.contains("14:00") == true && fault["side"] == .null)
        }
    }

    @Test func `another person's alert is not there, nor is one that does not exist`() async throws {
        try await PersonScene.with { scene in
            let slot = Slot(of: try #require(Device.HardwareID("pond-1"))).rawValue
            try await alarms(1, in: scene)
            for (person, alert) in [
                (scene.bob, Self.uid(1)), (scene.bob, "\(slot)_1"), (scene.ada, Self.uid(2)), (scene.ada, "\(slot)_2"),
                (scene.ada, "\(slot)_1"),
            ] {
                let reply = try await scene.call("showAlert", as: person, path: ["alert": alert])
                #expect(reply.status == 404, "\(alert)")
            }
            #expect(try await scene.call("showAlert", as: scene.ada, path: ["alert": "64_1"]).status == 422)
            // An alert from before alerts had UIDs is known by its former name.
            try await scene.database.sql("UPDATE alert SET uid = NULL")
            #expect(ids(try await scene.call("listAlerts", as: scene.ada)) == ["\(slot)_1"])
            #expect(try await scene.call("showAlert", as: scene.ada, path: ["alert": "\(slot)_1"]).status == 200)
            #expect(try await scene.call("showAlert", as: scene.bob, path: ["alert": "\(slot)_1"]).status == 404)
        }
    }
}
