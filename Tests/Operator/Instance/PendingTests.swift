import Instants
import Store
import TestSupport
import Testing

@testable import Operator

@Suite struct PendingTests {
    @Test func whatIsOnItsWayIsShownAndStays() async throws {
        try await Instance.with { instance in
            #expect(
                try await instance.succeed(instance.aqua("pending")).output
                    == "No alert is on its way.\nNo readings wait for a decision.\n")
            try await instance.populate()
            try await instance.openEpisode()
            let run = try await instance.succeed(instance.aqua("pending"))
            #expect(run.output.hasPrefix("On their way to 1 people: 1 alerts and 1 deliveries, the oldest decided at "))
            #expect(try await instance.database.sql("SELECT count(*) FROM alert WHERE state = 'decided'") == "1")
        }
    }

    @Test func whatIsGivenUpIsTooLateByAnyClock() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.openEpisode()
            let run = try await instance.succeed(instance.aqua("pending", "--give-up"))
            #expect(run.output.hasSuffix("Given up: 2 deliveries.\n"))
            let left = "SELECT count(*) FROM alert WHERE state = 'decided'"
            #expect(try await instance.database.sql(left) == "0")
            let late =
                "SELECT string_agg(alert_id::text, ' ' ORDER BY alert_id) FROM delivery WHERE expires_at = 'epoch'"
            #expect(try await instance.database.sql(late) == "1 2")
            #expect(
                try await instance.database.sql("SELECT state FROM delivery WHERE alert_id = 3") == "accepted",
                "what was delivered stays")
        }
    }
}

@Suite struct BackupChecksTests {
    @Test func onlyAnOldBackupIsAFault() async throws {
        try await Instance.with { instance in
            let fresh = try await instance.examine()
            #expect(fresh.findings.contains { $0.topic == "backup" && $0.status == "notice" })
            try await instance.database.sql("UPDATE backup SET snapshot_at = now() - interval '49 hours'")
            #expect(try await instance.examine().findings.contains { $0.topic == "backup" && $0.status == "ok" })
            try await instance.database.sql("UPDATE backup SET snapshot_at = now() - interval '51 hours'")
            #expect(try await instance.examine().findings.contains { $0.topic == "backup" && $0.status == "wrong" })
        }
    }
}
