import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// Every secret of a running system is replaced while readings arrive and alerts leave. No process is restarted,
    /// nothing is lost, and nothing fails but the connections that ended with their password.
    @Suite struct RotationTests {
        @Test func everySecretUnderLoad() async throws {
            let settings = ["aqua-rules": ["AQUA_THROTTLE": "10ms"]]
            try await TestSystem.with(settings: settings) { system in
                let tank = try await WatchedTank(system)
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let steady = try await SteadyProbe(system)
                let measuring = Task { try await steady.measure() }
                try await tank.expectAlert()

                try await databasePasswords(system, tank)
                try await brokerPasswords(system, tank)
                try await webhookSecretAndItsKey(system, tank)
                try await deviceKeyAndItsMaster(system, tank)

                steady.stop()
                let measured = try await measuring.value
                #expect(measured > 20)
                try await system.settle(messages: measured + tank.measured)
                #expect(try await system.database.sql("SELECT count(*) FROM sample") == "\(measured + tank.measured)")
                #expect(try await system.database.sql("SELECT count(*) FROM alert WHERE state <> 'delivered'") == "0")
                for program in TestSystem.services { try await expectCalm(program, system) }
            }
        }

        /// Changes the file first or the role first: in either order some connection fails and is tried again.
        private func databasePasswords(_ system: TestSystem, _ tank: WatchedTank) async throws {
            for (role, fileFirst) in [(TestDatabase.Role.ingestor, true), (.rules, false), (.notifier, true)] {
                let password = Self.randomHex()
                let change = "ALTER ROLE \(role.rawValue) PASSWORD '\(password)'"
                if fileFirst { try Self.write(password, to: system.database.passwordFile(role)) }
                try await system.database.sql(change)
                try await system.database.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role.rawValue)'")
                if !fileFirst { try Self.write(password, to: system.database.passwordFile(role)) }
                try await tank.expectAlert()
            }
        }

        private func brokerPasswords(_ system: TestSystem, _ tank: WatchedTank) async throws {
            let broker = system.cluster.broker
            let ingestor = Self.randomHex()
            try Self.write(ingestor, to: broker.passwordFile(TestBroker.ingestor))
            try await system.tool(["broker", "password", TestBroker.ingestor], input: ingestor)
            try await tank.expectAlert()

            let admin = Self.randomHex()
            try await system.tool(["broker", "password", TestBroker.admin], input: admin)
            try Self.write(admin, to: broker.passwordFile(TestBroker.admin))
            _ = try await system.addUnownedDevice("added-since")
        }

        private func webhookSecretAndItsKey(_ system: TestSystem, _ tank: WatchedTank) async throws {
            let old = try String(contentsOfFile: system.path("secret-key"), encoding: .utf8)
            let new = Self.randomHex()
            try Self.write("\(new)\n\(old)", to: system.path("secret-key"))

            // The new secret is sealed with a key that the Notifier has not read yet; the receiver knows only the old
            // secret.
            let endpoint = try await system.database.sql("SELECT endpoint_id FROM endpoint")
            let former = tank.secret
            tank.secret = try system.field(
                "secret", of: await system.tool(["endpoint", "rotate-secret", endpoint, "--json"]))
            try await tank.expectAlert(alsoSignedWith: former)

            let report = try await system.tool(["reseal"])
            #expect(report.contains("Sealed the secrets of 0 endpoints anew"))
            #expect(report.contains("The claim codes of 2 devices without an owner need an older key"))
            for device in ["added-since", SteadyProbe.device] {
                try await system.tool(["device", "add", device, "--new-claim-code"])
            }
            #expect(try await system.tool(["reseal"]).contains("Nothing needs an older key"))

            // A second round, in which re-sealing moves the secret to the new key.
            let newest = Self.randomHex()
            try Self.write("\(newest)\n\(new)", to: system.path("secret-key"))
            #expect(try await system.tool(["reseal"]).contains("Sealed the secrets of 1 endpoints anew"))
            try Self.write(newest, to: system.path("secret-key"))
            try await tank.expectAlert(alsoSignedWith: former)
        }

        private func deviceKeyAndItsMaster(_ system: TestSystem, _ tank: WatchedTank) async throws {
            let old = try String(contentsOfFile: system.path("device-key"), encoding: .utf8)
            let new = Self.randomHex()
            try Self.write("\(new)\n\(old)", to: system.path("device-key"))
            try await tank.expectAlert()

            let before = tank.password
            tank.password = try system.field(
                "mqttPassword", of: await system.tool(["device", "rotate-key", WatchedTank.device, "--json"]))
            #expect(tank.password != before)
            await #expect(throws: TestSupportError.self) { try await tank.publish(20, password: before) }
            try await tank.expectAlert()
            // A replay reads the database, so what it publishes as the device uses the new password, too.
            let series = system.path("series.csv")
            try "time,pH\n2026-01-01 00:00,7.1\n".write(toFile: series, atomically: true, encoding: .utf8)
            try await ProcessUnderTest.run(
                "aqua-rehearsal", ["replay", series, "--device", WatchedTank.device, "--map", "pH=ph"],
                environment: try system.environment(of: "aqua"))
            tank.countMeasured()
        }

        /// Checks that the program was never restarted, and complained of nothing but connections.
        private func expectCalm(_ program: String, _ system: TestSystem) async throws {
            let lines = try system.process(program).output.all
            #expect(lines.filter { $0.contains("Serving metrics and health") }.count == 1)
            #expect(lines.filter { $0.contains(#""level":"error""#) || $0.contains(#""level":"critical""#) } == [])
            #expect(lines.filter { $0.contains("Not delivered") } == [])
        }

        /// Writes in place, as into a mounted file: a reader may see half of the text.
        static func write(_ text: String, to path: String) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }

        static func randomHex() -> String {
            (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
        }
    }
}
