import Foundation
import TestSupport
import Testing

@testable import Operator

@Suite struct DeviceImportTests {
    /// Writes a table of devices of this test alone.
    private static func table(_ lines: String..., in instance: Instance) throws -> String {
        let text = (["hardware_id,name,firmware,preset"] + lines).joined(separator: "\n")
        try Data(text.utf8).write(to: instance.directory.appending(path: "farm.csv"))
        return instance.file("farm.csv")
    }

    @Test func aTablesDevicesAreAddedOnceAndTheirKeysPrinted() async throws {
        try await Instance.with { instance in
            let file = try Self.table(
                "\(instance.device)-1,\"Pond, old\",tasmota,goldfish_koi", "\(instance.device)-2,,,", in: instance)
            let rehearsed = try await instance.succeed(instance.aqua("device", "import", file, "--dry-run"))
            #expect(rehearsed.output.isEmpty && rehearsed.errors == "2 devices would be added; 0 are there already.\n")
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0")
            let added = try await instance.succeed(instance.aqua("device", "import", file))
            let rows = added.output.split(separator: "\n").map(String.init)
            #expect(rows[0] == "hardware_id,name,firmware,preset,mqtt_host,mqtt_password,http_url,claim_code")
            #expect(rows.count == 3 && rows[1].hasPrefix("\(instance.device)-1,\"Pond, old\",tasmota,goldfish_koi,,"))
            let cells = rows[2].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            try await instance.connect(as: cells[0], cells[5])
            #expect(
                try await instance.database.sql(
                    "SELECT key_hash = sha256('\(cells[5])') FROM device WHERE hardware_id = '\(cells[0])'") == "t")
            try await instance.addPeople(Instance.person)
            try await instance.succeed(instance.aqua("device", "link", Instance.person, cells[7], "--name", "Pond"))
            let again = try await instance.succeed(instance.aqua("device", "import", file))
            #expect(again.output.isEmpty && again.errors == "0 devices are added; 2 are there already.\n")
        }
    }

    @Test func nothingIsAddedWhileThereIsAFault() async throws {
        try await Instance.with { instance in
            let file = try Self.table(
                "\(instance.device)-1,,,", "pond 2,,,", "\(instance.device)-1,,windows,", in: instance)
            let run = await instance.aqua("device", "import", file)
            #expect(run.code == 1 && run.output.isEmpty)
            let lines = run.errors.split(separator: "\n")
            #expect(lines.map { $0.prefix(7) } == ["Line 3 ", "Line 4 ", "Line 4 ", "aqua: N"])
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0")
            #expect(
                await instance.aqua("device", "import", "nowhere.csv").errors.contains("nowhere.csv cannot be read."))
        }
    }

    /// An interrupted run has added some: the next one adds the others.
    @Test func whatIsMissingIsAdded() async throws {
        try await Instance.with { instance in
            let file = try Self.table("\(instance.device)-1,,,", "\(instance.device)-2,,,", in: instance)
            let lost = await instance.aqua("device", "import", file, losesOutput: true)
            #expect(lost.code == 1)
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0", "nobody has read the keys")
            try await instance.succeed(instance.aqua("device", "add", "\(instance.device)-1"))
            let added = try await instance.succeed(instance.aqua("device", "import", file))
            #expect(added.output.split(separator: "\n").count == 2)
        }
    }

    /// Thousands go past the broker, which takes all accounts at once when it starts.
    @Test func offlineTheBrokerIsNotAsked() async throws {
        try await Instance.with { instance in
            let lines = (1...1_000).map { "\(instance.device)-\($0)" }
            try Data((["hardware_id"] + lines).joined(separator: "\n").utf8)
                .write(to: instance.directory.appending(path: "farm.csv"))
            let added = try await instance.succeed(
                instance.aqua(
                    "device", "import", instance.file("farm.csv"), "--offline",
                    changes: ["AQUA_MQTT_URL": nil, "AQUA_MQTT_USER": nil, "AQUA_MQTT_PASSWORD_FILE": nil]))
            #expect(added.output.split(separator: "\n").count == 1_001)
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "1000")
        }
    }
}
