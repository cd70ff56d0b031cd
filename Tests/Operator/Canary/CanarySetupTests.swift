import Foundation
import Instants
import Logging
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Operator

/// The canary is set up, and its publisher gets in as any device does.
@Suite struct CanarySetupTests {
    private static let webhook = "https://alerts.example.org/canary"

    private static func create(_ instance: Instance, _ options: String..., webhook: String = webhook) async -> Run {
        await runAqua(
            ["canary", "create", "--webhook", webhook, "--json"] + options, environment: instance.environment)
    }

    /// Sets a canary up and writes its key into a directory.
    private static func withPrepared(
        _ body: @Sendable @escaping (Instance, _ directory: String, _ device: String) async throws -> Void
    ) async throws {
        try await Instance.with { instance in
            let device = try await instance.succeed(create(instance)).field("deviceId")
            let directory = instance.directory.path(percentEncoded: false)
            try await instance.succeed(instance.aqua("canary", "prepare", directory))
            try await body(instance, directory, device)
        }
    }

    private static func publisher(_ instance: Instance, _ directory: String) -> CanaryPublisher {
        // The listener for devices, and none of the operator's keys.
        let context = OperatorContext(
            environment: ["AQUA_MQTT_URL": instance.broker.url],
            console: Console(output: { _ in }, complaints: { _ in }, passwords: { _ in nil }))
        return CanaryPublisher(
            directory: directory, context: context, logger: Logger(label: "canary") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `it is an account that nobody signs in to, with a device, its limits and a webhook`() async throws {
        try await Instance.with { instance in
            let run = try await instance.succeed(Self.create(instance, "--every", "30m"))
            #expect(try run.field("secret").hasPrefix("whsec_"))
            #expect(try run.field("host") == "alerts.example.org")
            #expect(try run.field("deviceId").hasPrefix("canary-"))
            let row = """
                SELECT a.email, c.every_seconds, o.role, o.unlinked_at IS NULL, c.delivered_at IS NULL,
                    (SELECT count(*) FROM usable_endpoint u WHERE u.account_id = a.account_id),
                    (SELECT count(*) FROM setting s WHERE s.account_id = a.account_id AND s.parameter = 1
                        AND s.minimum = 75 AND s.maximum = 85)
                FROM canary c JOIN account a USING (account_id) JOIN ownership o USING (account_id, slot, device_id)
                """
            #expect(try await instance.database.sql(row) == "canary@aquamonitor.invalid|1800|owner|t|t|1|1")
            #expect(await instance.aqua("device", "list").output.contains("There is no device yet"))
        }
    }

    @Test func `run again, it changes nothing but what is asked for`() async throws {
        try await Instance.with { instance in
            let device = try await instance.succeed(Self.create(instance)).field("deviceId")
            let again = try await instance.succeed(Self.create(instance, "--every", "1h"))
            #expect(try again.field("deviceId") == device)
            #expect(!again.output.contains("secret"), "the webhook keeps its secret")
            let other = "https://alerts.example.org/other"
            #expect(try await instance.succeed(Self.create(instance, webhook: other)).field("secret") != "")
            let endpoints = "SELECT count(*), count(*) FILTER (WHERE retired_at IS NULL) FROM endpoint"
            #expect(try await instance.database.sql(endpoints) == "2|1")
            #expect(try await instance.database.sql("SELECT count(*) FROM canary") == "1")
            // Back to the first, which was taken out of use: it is registered anew.
            #expect(try await instance.succeed(Self.create(instance)).field("secret") != "")
            #expect(try await instance.database.sql(endpoints) == "2|1")
        }
    }

    @Test func `a device that was unlinked is linked again`() async throws {
        try await Instance.with { instance in
            let device = try await instance.succeed(Self.create(instance)).field("deviceId")
            try await instance.succeed(instance.aqua("device", "unlink", "canary@aquamonitor.invalid", device))
            try await instance.succeed(Self.create(instance))
            let linked = "SELECT count(*) FROM ownership WHERE unlinked_at IS NULL"
            #expect(try await instance.database.sql(linked) == "1")
        }
    }

    @Test func `an account of its address that somebody opened is not made the canary's`() async throws {
        try await Instance.with { instance in
            try await instance.addPeople("canary@aquamonitor.invalid")
            let run = await Self.create(instance)
            #expect(run.code == 1 && run.errors.contains("has an account of canary@aquamonitor.invalid"))
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0")
            #expect(try await instance.database.sql("SELECT count(*) FROM canary") == "0")
        }
    }

    @Test func `when its account goes, so does it, and another may follow`() async throws {
        try await Instance.with { instance in
            let first = try await instance.succeed(Self.create(instance)).field("deviceId")
            let email = "canary@aquamonitor.invalid"
            try await instance.succeed(instance.aqua("account", "delete", email, "--confirm", email))
            #expect(try await instance.database.sql("SELECT count(*) FROM canary") == "0")
            #expect(try await instance.succeed(Self.create(instance)).field("deviceId") != first)
        }
    }

    @Test(arguments: ["5m", "2h", "900500ms"]) func `an interval has bounds`(_ interval: String) async {
        let run = await runAqua(["canary", "create", "--webhook", Self.webhook, "--every", interval])
        #expect(run.code == 64 && run.errors.contains("from 10m to 1h"))
    }

    @Test func `nothing is prepared without a canary, and nothing runs unprepared`() async throws {
        try await Instance.with { instance in
            let directory = instance.directory.path(percentEncoded: false)
            let prepare = await instance.aqua("canary", "prepare", directory)
            #expect(prepare.code == 1 && prepare.errors.contains("aqua canary create --webhook URL"))
            #expect(throws: OperatorError.self) { try CanaryCredentials.read(from: directory) }
        }
    }

    @Test func `its publisher has the key of a device and nothing else, in a file of its own`() async throws {
        try await Self.withPrepared { instance, directory, device in
            let file = "\(directory)/canary.json"
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let (credentials, id) = try CanaryCredentials.read(from: directory)
            #expect(id.text == device && credentials.everySeconds == 900)
            let start = Timestamp(unixSeconds: 1_780_000_000 as Int64)
            let schedule = try await Self.publisher(instance, directory).publish(since: start)
            #expect(schedule == CanarySchedule(every: .seconds(900), start: start))
        }
    }

    @Test func `a key that was rotated is refused, until it is prepared anew`() async throws {
        try await Self.withPrepared { instance, directory, device in
            try await instance.succeed(instance.aqua("device", "rotate-key", device))
            let publisher = Self.publisher(instance, directory)
            let error = await #expect(throws: OperatorError.self) {
                try await publisher.publish(since: WallClock.system.now())
            }
            #expect(error?.description.contains("refuses \(device)") == true)
            try await instance.succeed(instance.aqua("canary", "prepare", directory))
            _ = try await publisher.publish(since: WallClock.system.now())
        }
    }

    @Test func `the doctor says that there is none, that it has not come through, and that it is late`() async throws {
        try await Instance.with { instance in
            #expect(await instance.aqua("doctor").output.contains("notice   canary: there is none"))
            try await instance.succeed(Self.create(instance))
            #expect(await instance.aqua("doctor").output.contains("no alarm has come through yet"))
            try await instance.database.sql("UPDATE canary SET made_at = now() - interval '2 hours'")
            try await instance.database.sql("UPDATE ownership SET linked_at = now() - interval '2 hours'")
            let doctor = await instance.aqua("doctor")
            #expect(doctor.output.contains("wrong    canary: no alarm of it has arrived since"))
            #expect(!doctor.output.contains("was never heard"), "the check of devices leaves it out")
        }
    }
}
