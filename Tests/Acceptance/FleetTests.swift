import Foundation
import Glibc
import Instants
import Secrets
import TestSupport
import Testing

extension WholeSystems {
    /// Devices with certificates of the fleet's authority, at a real broker, by the real programs.
    @Suite struct FleetTests {
        /// A certificate opens one device's topics, and others open nothing.
        @Test func aCertificateOpensOneDevicesTopicsAndNoServices() async throws {
            try await Fleet.with(devices: ["pond-1", "pond-2"]) { fleet in
                try await fleet.issue("pond-1", "pond-2")
                // The first session is of the Ingestor's other name, and keeps this until one comes.
                #expect(try await fleet.publish("pond-1", as: "pond-1") == .exit(0))
                try fleet.startIngestor()
                try await fleet.system.fact("SELECT count(*) = 1 FROM sample")

                try fleet.forge("expired", name: "pond-1", by: fleet.authority(), life: .seconds(-1))
                try fleet.forge("strangers", name: "pond-1", by: Self.stranger(), life: .seconds(3600))
                try fleet.forge("admin", name: "aqua.operator", by: fleet.authority(), life: .seconds(3600))
                try fleet.forge("ingestor", name: "aqua.ingestor", by: fleet.authority(), life: .seconds(3600))
                for name in ["expired", "strangers", "admin", "ingestor", nil] {
                    #expect(try await fleet.publish("pond-1", as: name) != .exit(0), "\(name ?? "none")")
                }

                // The broker knows neither name. The one is nobody's device, the other was a service's.
                try fleet.forge("unknown", name: "pond-9", by: fleet.authority(), life: .seconds(3600))
                try fleet.forge("former", name: "aqua_admin", by: fleet.authority(), life: .seconds(3600))
                #expect(try await fleet.publish("pond-9", as: "unknown") == .exit(0))
                let words = #"{"commands":[{"command":"createClient","username":"evil","password":"evil"}]}"#
                _ = try await fleet.publish(words, to: "$CONTROL/dynamic-security/v1", as: "former")
                // A device is who its certificate names, whatever client id it claims.
                _ = try await fleet.publish("pond-2", as: "pond-1")
                #expect(try await fleet.publish("pond-2", as: "pond-2") == .exit(0))
                try await fleet.system.fact("SELECT count(*) = 2 FROM sample")
                #expect(
                    try await fleet.system.database.sql(
                        "SELECT string_agg(hardware_id, ' ' ORDER BY hardware_id) FROM device JOIN sample USING (slot, device_id)"
                    )
                        == "pond-1 pond-2")
                let doctor = try await fleet.aqua("doctor")
                #expect(doctor.text.contains("listener for certificates refuses somebody without one"))
                #expect(!doctor.text.contains("evil"))
            }
        }

        @Test func aRevocationEndsWhoIsConnectedAndIsSeenToHold() async throws {
            try await Fleet.with(devices: ["pond-1", "pond-2", "pond-3", "pond-4"]) { fleet in
                try await fleet.issue("pond-1", "pond-2", "pond-3", "pond-4")
                let before = try await fleet.session(of: "pond-1")

                // Nobody hands the list on: nothing is shown, and the command says so.
                let unread = try await fleet.aqua(
                    "device", "certificate", "revoke", "pond-1", "--within", "1s", isExpectedToFail: true)
                #expect(unread.text.contains("NOT PROVEN"))
                #expect(unread.text.contains("The broker has not read the new list"))
                let held = try await fleet.listen(as: "pond-1")

                // The same command again, with the broker's part in order.
                try await fleet.takingRevocations {
                    let revoked = try await fleet.aqua("device", "certificate", "revoke", "pond-1")
                    #expect(revoked.text.contains("nobody is connected by them: both were seen"))
                    #expect(revoked.text.contains("restart the broker now"))
                }
                _ = await held.end
                #expect(try await fleet.publish("pond-1", as: "pond-1") != .exit(0))
                #expect(try await fleet.publish("pond-2", as: "pond-2") == .exit(0))
                #expect(try await !fleet.resumes(before, of: "pond-1"))
                // Its account is untouched: with another certificate the device is back.
                try await fleet.issue("pond-1", out: "second")
                #expect(try await fleet.publish("pond-1", as: "second/pond-1") == .exit(0))

                // Two at once, each of a list that contains the other's.
                try await fleet.takingRevocations {
                    async let one = fleet.aqua("device", "certificate", "revoke", "pond-2")
                    async let other = fleet.aqua("device", "certificate", "revoke", "pond-3")
                    for run in try await [one, other] { #expect(run.text.contains("both were seen")) }
                }
                for name in ["pond-1", "pond-2", "pond-3"] {
                    #expect(try await fleet.publish(name, as: name) != .exit(0), "\(name)")
                }
                #expect(try await fleet.publish("pond-4", as: "pond-4") == .exit(0))
            }
        }

        /// Mosquitto that finds no whole list when it reloads accepts what was revoked.
        @Test func aBrokenListIsNotTaken() async throws {
            try await Fleet.with(devices: ["pond-1"]) { fleet in
                try await fleet.issue("pond-1")
                try await fleet.takingRevocations {
                    _ = try await fleet.aqua("device", "certificate", "revoke", "pond-1")
                }
                let list = try String(contentsOfFile: fleet.list, encoding: .utf8)
                for broken in [
                    "", "nonsense\n", String(list.prefix(list.count / 2)), list.replacing("\n", with: " "),
                    list.replacing("CRL-----\nM", with: "CRL-----\nA"),
                ] {
                    #expect(broken != list)
                    try broken.write(toFile: fleet.list, atomically: true, encoding: .utf8)
                    #expect(try await fleet.broker.takeRevocations(from: fleet.list) == .exit(2))
                    kill(try fleet.broker.process(), SIGHUP)
                    #expect(try await fleet.publish("pond-1", as: "pond-1") != .exit(0))
                }
                try FileManager.default.removeItem(atPath: fleet.list)
                #expect(try await fleet.broker.takeRevocations(from: fleet.list) == .exit(2))
                await #expect(throws: TestSupportError.self) {
                    try await fleet.broker.prepare(fleet: (fleet.port, fleet.directory))
                }
            }
        }

        private static func stranger() throws -> CertificateAuthority {
            let now = WallClock.system.now()
            return try .make(
                name: "AquaMonitor fleet authority", key: .generate(), until: now + .seconds(86_400), now: now)
        }
    }
}

/// A system whose broker has a listener for certificates.
private struct Fleet: Sendable {
    let system: TestSystem
    let port: Int
    var broker: TestBroker { system.cluster.broker }
    /// The directory of AQUA_FLEET_TLS.
    var directory: String { system.path("fleet") }
    var list: String { "\(directory)/revoked.pem" }

    static func with(
        devices: [String], _ body: @Sendable @escaping (Fleet) async throws -> Void
    ) async throws {
        try await TestSystem.with { system in
            let fleet = Fleet(system: system, port: Ports.free())
            for name in ["fleet", "keys"] {
                try FileManager.default.createDirectory(
                    atPath: system.path(name), withIntermediateDirectories: true)
            }
            _ = try await fleet.aqua("certificate", "authority", "--directory", system.path("authority"), isApart: true)
            try await fleet.broker.halt()
            try await fleet.broker.prepare(fleet: (fleet.port, fleet.directory))
            try await fleet.broker.resume(fleetPort: fleet.port)
            for device in devices { _ = try await fleet.aqua("device", "add", device, isApart: true) }
            try await body(fleet)
        }
    }

    func startIngestor() throws { try system.start("aqua-ingestor", changes: ["AQUA_MQTT_USER": "aqua.ingestor"]) }

    /// Runs the tool as the administrator beside certificates.
    /// - Parameter isApart: Whether the verb has no authority to be named.
    func aqua(
        _ arguments: String..., isApart: Bool = false, isExpectedToFail: Bool = false
    ) async throws -> (end: ProcessUnderTest.End, text: String) {
        let changes = [
            "AQUA_MQTT_USER": "aqua.operator", "AQUA_MQTT_URL": broker.servicesURL,
            "AQUA_MQTT_CA_FILE": broker.authorityFile, "AQUA_FLEET_TLS": directory,
            "AQUA_FLEET_URL": "mqtts://127.0.0.1:\(port)",
        ]
        let place = isApart || arguments == ["doctor"] ? [] : ["--authority", system.path("authority")]
        let run = try ProcessUnderTest.start(
            "aqua", arguments + place, environment: system.environment(of: "aqua").merging(changes) { $1 })
        let end = await run.end
        // The doctor also finds what these tests leave out.
        let ends: Set<ProcessUnderTest.End> =
            arguments == ["doctor"] ? [.exit(0), .exit(1)] : [.exit(isExpectedToFail ? 1 : 0)]
        guard ends.contains(end) else {
            throw TestSupportError("\(arguments): \(end)\n\(run.tail)")
        }
        return (end, run.output.all.joined(separator: "\n"))
    }

    /// Makes `keys/DEVICE` or, in a folder of that, `keys/OUT/DEVICE`.
    func issue(_ devices: String..., out: String? = nil) async throws {
        let directory = out.map { "\(system.path("keys"))/\($0)" } ?? system.path("keys")
        for device in devices {
            _ = try await aqua("device", "certificate", "issue", device, "--out", directory)
        }
    }

    func authority() throws -> CertificateAuthority {
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: "\(system.path("authority"))/\(name)", encoding: .utf8)
        }
        return try CertificateAuthority(
            Certificate(reading: read("authority.pem")), key: CertificateKey(reading: read("authority.key")))
    }

    /// Makes a certificate past the tool, as whoever has an authority's key does.
    func forge(_ file: String, name: String, by authority: CertificateAuthority, life: Duration) throws {
        let (key, now) = (try CertificateKey.generate(), WallClock.system.now())
        let certificate = try authority.issue(to: name, key: key, until: now + life, now: now)
        try key.pem.write(toFile: "\(system.path("keys"))/\(file).key", atomically: true, encoding: .utf8)
        try certificate.pem.write(toFile: "\(system.path("keys"))/\(file).pem", atomically: true, encoding: .utf8)
    }

    private func arguments(as identity: String?) -> [String] {
        let certificate = identity.map { name in
            ["--cert", "\(system.path("keys"))/\(name).pem", "--key", "\(system.path("keys"))/\(name).key"]
        }
        return ["-V", "5", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "--cafile", broker.authorityFile]
            + (certificate ?? [])
    }

    /// Publishes a reading below a device's name, with a client id of that name.
    /// - Parameter identity: The certificate's file; nil for none.
    func publish(_ device: String, as identity: String?) async throws -> ProcessUnderTest.End {
        try await publish(#"{"temperature":21}"#, to: "aqua/v1/\(device)/readings", id: device, as: identity)
    }

    func publish(
        _ message: String, to topic: String, id: String = "anything", as identity: String?
    ) async throws -> ProcessUnderTest.End {
        let run = try ProcessUnderTest.start(
            "/usr/bin/mosquitto_pub", arguments(as: identity) + ["-i", id, "-t", topic, "-m", message])
        return await run.end
    }

    /// A connection that stays until the broker ends it.
    func listen(as identity: String) async throws -> ProcessUnderTest {
        let run = try ProcessUnderTest.start(
            "/usr/bin/stdbuf",  // else its lines come when it ends
            ["--output=L", "/usr/bin/mosquitto_sub"] + arguments(as: identity)
                + ["-d", "-t", "aqua/v1/\(identity)/display"])
        try await run.line { $0.hasPrefix("Subscribed") }
        return run
    }

    /// Runs `body` while the broker gets each new list.
    func takingRevocations(_ body: @Sendable @escaping () async throws -> Void) async throws {
        try await broker.takingRevocations(from: list, body)
    }

    // MARK: Sessions of TLS

    private func client(of identity: String, _ arguments: [String]) throws -> ProcessUnderTest {
        try ProcessUnderTest.start(
            "/usr/bin/openssl",
            [
                "s_client", "-tls1_2", "-connect", "127.0.0.1:\(port)", "-CAfile", broker.authorityFile, "-cert",
                "\(system.path("keys"))/\(identity).pem", "-key", "\(system.path("keys"))/\(identity).key",
            ] + arguments, input: "Q\n")
    }

    /// A session of TLS by which a client could come back without showing its certificate again.
    /// - Returns: Its file.
    func session(of identity: String) async throws -> String {
        let file = system.path("session")
        _ = await (try client(of: identity, ["-sess_out", file])).end
        #expect(try await resumes(file, of: identity))
        return file
    }

    func resumes(_ session: String, of identity: String) async throws -> Bool {
        let run = try client(of: identity, ["-sess_in", session])
        _ = await run.end
        return run.output.all.contains { $0.hasPrefix("Reused") }
    }
}
