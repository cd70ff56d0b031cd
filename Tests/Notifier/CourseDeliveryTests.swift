import Foundation
import Instants
import Notifier
import PushClient
import Secrets
import TestSupport
import Testing
import WaterQuality

/// The messages about the course of a value.
@Suite struct CourseDeliveryTests {
    @Test func `a value that changes fast is told as such, in words and in numbers`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms(state: "delivered")
                try await scene.database.sql(
                    """
                    UPDATE alert SET kind = 'rate', side = NULL, worst = NULL, limit_value = 3, change = -3.5,
                        change_seconds = 2400, state = 'decided' WHERE alert_id = 1
                    """)
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["title"] as? String == "Koi: La temperatura baja muy rápido")
            #expect((data["text"] as? String)?.hasPrefix("Ha bajado 6,3 °F en 40 min, hasta 78,1 °F.") == true)
            #expect(data["collapse_key"] as? String == "pond-1/temperature/rate")
            #expect(data["unit"] as? String == "F" && data["value"] as? Double == 78.1 && data["limit"] == nil)
            let change = try #require(data["change"] as? [String: Any])
            #expect(change["by"] as? Double == -6.3 && change["seconds"] as? Int == 2400)
            #expect(change["limit"] as? Double == 5.4)
        }
    }

    @Test func `a value that stays the same is told as a fault, with the value`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms(state: "delivered")
                try await scene.database.sql(
                    """
                    UPDATE alert SET kind = 'fault', side = NULL, worst = NULL, limit_value = NULL, state = 'decided'
                    WHERE alert_id = 1
                    """)
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["title"] as? String == "Koi: Revisa la sonda de temperatura")
            #expect((data["text"] as? String)?.contains("su valor no se mueve de 78,1 °F.") == true)
            #expect(data["collapse_key"] as? String == "pond-1/temperature/fault")
            #expect(data["unit"] as? String == "F" && data["value"] as? Double == 78.1 && data["side"] == nil)
        }
    }

    /// For a device whose clock is two hours behind: an alarm of now, which began ten minutes ago, and an all-clear of
    /// six minutes ago.
    @Test(arguments: ["range", "fault", "rate", "ahead"], ["alarm", "recovery"])
    func `times are told as they were by a right clock`(kind: String, purpose: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms(state: "delivered")
                try await scene.database.sql(
                    """
                    INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device;
                    UPDATE episode SET kind = '\(kind)', side = CASE '\(kind)' WHEN 'range' THEN 'high' END;
                    UPDATE episode SET closed_at = last_at, closed_because = 'recovered' WHERE '\(purpose)' = 'recovery';
                    UPDATE alert SET kind = '\(kind)', purpose = '\(purpose)', side = CASE '\(kind)' WHEN 'range' THEN 'high' END,
                        opened_at = now() - interval '7800 s',
                        event_time = now() - CASE '\(purpose)' WHEN 'alarm' THEN interval '7200 s' ELSE interval '7560 s' END,
                        received_at = CASE WHEN '\(kind)' = 'range' AND '\(purpose)' = 'alarm' THEN now() END,
                        limit_value = CASE '\(kind)' WHEN 'fault' THEN NULL ELSE 30 END,
                        change = CASE '\(kind)' WHEN 'rate' THEN 3 END, change_seconds = CASE '\(kind)' WHEN 'rate' THEN 600 END,
                        heading = CASE '\(kind)' WHEN 'ahead' THEN 'high' END,
                        expected_at = CASE '\(kind)' WHEN 'ahead' THEN now() + interval '1800 s' END, state = 'decided'
                    """)
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            func age(_ time: Any?) throws -> Double {
                let time = try #require((time as? String).flatMap { Timestamp($0) })
                return (WallClock.system.now() - time) / .seconds(1)
            }
            #expect(abs(try age(data["since"]) - 600) < 60)
            #expect(abs(try age(data["event_time"]) - (purpose == "alarm" ? 0 : 360)) < 60)
            if kind == "ahead", purpose == "alarm" {
                #expect(abs(try age((data["outlook"] as? [String: Any])?["expected_at"]) + 1_800) < 60)
            }
        }
    }

    @Test func `a limit that will be reached is told by it, and by when`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.alarms(state: "delivered")
                try await scene.database.sql(
                    """
                    UPDATE alert SET kind = 'ahead', side = NULL, worst = NULL, limit_value = 30, heading = 'high',
                        expected_at = '2026-05-01T13:10:00Z', state = 'decided' WHERE alert_id = 1
                    """)
                try await scene.database.sql("SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["title"] as? String == "Koi: La temperatura sube hacia tu límite")
            let text = try #require(data["text"] as? String)
            #expect(text.hasPrefix("A este ritmo, hacia "))
            // Local time of the person, in Madrid.
            #expect(text.hasSuffix("a las 15:10 estará por encima de 86,0 °F. Ahora está en 78,1 °F."), "\(text)")
            #expect(data["collapse_key"] as? String == "pond-1/temperature/ahead")
            #expect(data["unit"] as? String == "F" && data["value"] as? Double == 78.1 && data["limit"] == nil)
            let outlook = try #require(data["outlook"] as? [String: Any])
            #expect(outlook["side"] as? String == "high" && outlook["limit"] as? Double == 86)
            #expect(outlook["expected_at"] as? String == "2026-05-01T13:10:00Z")
        }
    }
}
