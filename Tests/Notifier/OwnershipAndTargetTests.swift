import Foundation
import Notifier
import PushTargets
import Secrets
import TestSupport
import Testing
import WaterQuality

/// Messages that must not be sent.
@Suite struct OwnershipAndTargetTests {
    private static let pending = """
        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
        SELECT slot, account_id, alert_id, 1, now() + interval '30 min' FROM alert
        """

    @Test func `an endpoint that has moved to another account hears nothing of the first`() async throws {
        try await Scene.with { scene in
            let other = try await scene.ask(
                "INSERT INTO account (email, password_hash) VALUES ('b@example.com', 'scrypt$') RETURNING account_id")
            try await scene.alarms(state: "sending")
            try await scene.endpoint(1, account: Int64(other))
            try await scene.database.sql(Self.pending)
            try await scene.notifying { try await scene.await("cancelled", "SELECT state FROM alert") }
            #expect(scene.sink.received.isEmpty)
            #expect(try await scene.ask("SELECT state FROM delivery") == "cancelled")
        }
    }

    @Test func `what an unlinking has cancelled is not sent, even if it left a delivery behind`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.alarms(state: "cancelled")
            try await scene.database.sql(Self.pending)
            try await scene.notifying { try await scene.await("cancelled", "SELECT state FROM delivery") }
            #expect(scene.sink.received.isEmpty)
            #expect(try await scene.ask("SELECT state FROM alert") == "cancelled")
        }
    }

    /// The port is permitted, so that the target may be registered; the address of the name is not.
    @Test func `a name that leads to an address that is not permitted gets nothing`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1, url: "http://localhost:\(scene.sink.port)/1")
            try await scene.notifying(allow: "10.0.0.0/8:\(scene.sink.port)") {
                try await scene.alarms()
                try await scene.await("refused", "SELECT DISTINCT outcome FROM delivery_attempt")
            }
            #expect(scene.sink.received.isEmpty)
            #expect(
                try await scene.ask("SELECT DISTINCT detail FROM delivery_attempt")
                    == "the name leads to an address that must not be called")
        }
    }

    @Test func `the same name is called when its address is permitted`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1, url: "http://localhost:\(scene.sink.port)/1")
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            #expect(scene.sink.received.count == 1)
        }
    }

    @Test func `a target that is not permitted any more, and a secret of another key, are refused`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1, url: "https://192.168.1.1/hook")
            try await scene.endpoint(2)
            try await scene.database.sql("UPDATE endpoint SET sealed_secret = '\\x01' WHERE endpoint_id = 2")
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await(
                    "1,2",
                    """
                    SELECT string_agg(DISTINCT endpoint_id::text, ',') FROM delivery_attempt WHERE outcome = 'refused'
                    """)
            }
            #expect(scene.sink.received.isEmpty)
            #expect(try await scene.ask("SELECT string_agg(DISTINCT state, ',') FROM delivery") == "pending")
        }
    }
}
