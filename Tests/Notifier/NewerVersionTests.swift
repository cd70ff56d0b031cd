import Foundation
import TestSupport
import Testing

/// Words of a newer version, which a Notifier meets during an upgrade.
@Suite struct NewerVersionTests {
    /// During an upgrade a newer engine runs beside this notifier.
    @Test(arguments: ["kind = 'forecast'", "purpose = 'hint'"])
    func `what only a newer version knows is told in plain words`(change: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying {
                try await scene.database.sql(
                    """
                    ALTER TABLE alert DROP CONSTRAINT alert_purpose_check, DROP CONSTRAINT alert_kind_check;
                    ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
                    """)
                try await scene.alarms(state: "delivered")
                try await scene.database.sql(
                    "UPDATE alert SET state = 'decided', \(change); SELECT pg_notify('alert', '')")
                return try await scene.sink.requests(1)
            }
            let message = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            let isKind = change.hasPrefix("kind")
            #expect(message["type"] as? String == (isKind ? "alert.alarm" : "alert.hint"))
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["kind"] as? String == (isKind ? "forecast" : "range"))
            #expect(data["title"] as? String == "Koi: Temperatura: hay una alerta")
            #expect(data["collapse_key"] as? String == "pond-1/temperature/\(isKind ? "forecast" : "range")")
            #expect(data["parameter"] as? String == "temperature")
        }
    }

    /// No other delivery waits for it.
    @Test func `a channel that only a newer version knows is not used`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await scene.database.sql(
                """
                UPDATE endpoint SET channel = 'pigeon' WHERE endpoint_id = 2
                """)
            let requests = try await scene.notifying {
                try await scene.alarms()
                try await scene.await("failed", "SELECT state FROM delivery WHERE endpoint_id = 2")
                try await scene.await("delivered", "SELECT state FROM alert")
                return scene.sink.received
            }
            #expect(requests.map(\.path) == ["/1"])
        }
    }
}
