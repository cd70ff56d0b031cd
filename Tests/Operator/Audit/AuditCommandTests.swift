import Foundation
import TestSupport
import Testing

@testable import Operator

@Suite struct AuditCommandTests {
    @Test func theLogIsFilteredAndPrintedForPeopleAndPrograms() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(
                instance.aqua("range", "set", Instance.person, instance.device, "temperature", "--max", "23"))
            let text = try await instance.succeed(instance.aqua("audit")).output
            #expect(text.contains("account.open") && text.contains("device.link") && text.contains("limit.change"))
            let limits = try await instance.succeed(
                instance.aqua("audit", "--device", instance.device, "--action", "limit", "--account", Instance.person)
            ).output.split(separator: "\n")
            #expect(limits.count == 1 && limits[0].contains("by operator") && limits[0].contains("23"), "\(limits)")
            let lines = try await instance.succeed(instance.aqua("audit", "--action", "limit.change", "--ndjson"))
                .output
            let entry = try #require(
                try JSONSerialization.jsonObject(with: Data(lines.utf8)) as? [String: String], "\(lines)")
            #expect(entry["action"] == "limit.change" && entry["account"] == Instance.person)
            #expect(entry["device"] == instance.device && entry["parameter"] == "temperature")
            let table = try await instance.succeed(instance.aqua("audit", "--csv")).output
            #expect(table.hasPrefix("id,at,action,"))
            #expect(
                try await instance.succeed(instance.aqua("audit", "--action", "alarm")).output.hasPrefix(
                    "Nothing since"))
            #expect(await instance.aqua("audit", "--action", "moon.land").output.isEmpty)
        }
    }
}
