import Foundation
import TestSupport
import Testing

@testable import Operator

/// Rejects as operators see them.
@Suite struct DeviceRejectsTests {
    @Test func eachKindHasALine() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            let none = try await instance.succeed(instance.aqua("device", "rejects", instance.device))
            #expect(none.output == "Everything that \(instance.device) sent in the last seven days could be read.\n")
            try await instance.database.sql(
                """
                INSERT INTO device_reject SELECT slot, device_id, '2026-05-01', 'unknownParameter', E'po\\u202E4', 3,
                    '2026-05-01T11:00:00Z', '2026-05-01T12:00:00Z', E'to\\u202Epic', E'no parameter is called ''po\\u202E4''',
                    convert_to(E'{"po4":\\u202E1}\\u001B[2J', 'UTF8') FROM device
                """)
            let shown = try await instance.succeed(instance.aqua("device", "rejects", instance.device))
            #expect(
                shown.output == """
                    LAST                  MESSAGES  REASON            DETAIL                        SAMPLE
                    2026-05-01T12:00:00Z  3         unknownParameter  no parameter is called 'po4'  {"po4":1}[2J

                    """)
            let json = try await instance.succeed(instance.aqua("device", "rejects", instance.device, "--json"))
            #expect(json.output.contains(#""subject" : "po4""#) && json.output.contains(#""firstAt""#))
            #expect(json.output.contains(#""topic" : "topic""#))
            #expect(await instance.aqua("device", "rejects", "nobody").code == 1)
        }
    }

    @Test func theDoctorCountsThem() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            let fine = try await instance.examine().findings
            #expect(fine.contains { $0.status == "ok" && $0.finding.contains("could be read") })
            try await instance.database.sql(
                """
                INSERT INTO device_reject SELECT slot, device_id, current_date, reason, '', n, now(), now() - n * interval '1 s', 't',
                    'no JSON object', '' FROM device, (VALUES ('malformed', 1), ('tooOld', 2), ('probeFault', 4)) AS r (reason, n)
                """)
            let found = try await instance.examine().findings.filter { $0.finding.contains("could not be read") }
            #expect(
                found.map(\.finding) == [
                    "\(instance.device) sent 3 messages within a day that could not be read, the last of them as malformed: no JSON object"
                ])
            #expect(
                found.map(\.status) == ["notice"]
                    && found.compactMap(\.mend) == ["Run: aqua device rejects \(instance.device)"])
        }
    }
}
