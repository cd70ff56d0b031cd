import BrokerControl
import Foundation
import Secrets
import TestSupport
import Testing

/// The operator's tool and the fleet's authority, as far as no broker has to have a listener for it.
@Suite struct CertificateTests {
    @Test func anAuthorityIsMadeOnceAndPublishedAsOftenAsWished() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let (authority, fleet) = (directory.appending(path: "authority"), directory.appending(path: "fleet"))
            try FileManager.default.createDirectory(at: fleet, withIntermediateDirectories: true)
            func make() async -> Run {
                await runAqua(
                    ["certificate", "authority", "--directory", authority.path],
                    environment: ["AQUA_FLEET_TLS": fleet.path])
            }
            let first = await make()
            #expect(first.code == 0, "\(first.errors)")
            let key = try String(contentsOf: authority.appending(path: "authority.key"), encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: authority.appending(path: "authority.key").path)
            #expect(mode[.posixPermissions] as? Int == 0o600)
            try FileManager.default.removeItem(at: fleet.appending(path: "revoked.pem"))
            #expect(await make().code == 0)
            #expect(try String(contentsOf: authority.appending(path: "authority.key"), encoding: .utf8) == key)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: fleet.path).sorted() == [
                    "authority.pem", "revoked.pem",
                ])
            let certificate = try Certificate(
                reading: String(contentsOf: fleet.appending(path: "authority.pem"), encoding: .utf8))
            let list = try RevocationList(
                reading: String(contentsOf: fleet.appending(path: "revoked.pem"), encoding: .utf8))
            #expect(try list.isSigned(by: certificate))
            // Another authority would shut out every device that has a certificate of the first.
            let other = await runAqua(
                ["certificate", "authority", "--directory", directory.appending(path: "other").path],
                environment: ["AQUA_FLEET_TLS": fleet.path])
            #expect(other.code == 1)
            #expect(other.errors.contains("is of another authority"))
        }
    }

    @Test func twoThatMakeAnAuthorityAtOnceMakeOne() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let place = directory.appending(path: "authority").path
            let runs = await withTaskGroup(of: Run.self, returning: [Run].self) { group in
                for _ in 0..<4 {
                    group.addTask { await runAqua(["certificate", "authority", "--directory", place]) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(runs.allSatisfy { $0.code == 0 }, "\(runs.map(\.errors))")
            #expect(runs.count { $0.output.contains("Made an authority") } == 1)
            #expect(await runAqua(["certificate", "authority", "--directory", place]).code == 0)
        }
    }

    @Test func theKeyIsKeptFromTheBrokerAndFromOtherUsers() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let same = await runAqua(
                ["certificate", "authority", "--directory", directory.path + "/."],
                environment: ["AQUA_FLEET_TLS": directory.path])
            #expect(same.code == 1)
            #expect(same.errors.contains("The authority's key must not be there"))
            let below = await runAqua(
                ["certificate", "authority", "--directory", directory.appending(path: "authority").path],
                environment: ["AQUA_FLEET_TLS": directory.path])
            #expect(below.code == 1)
            #expect(below.errors.contains("The authority's key must not be there"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)

            let place = directory.appending(path: "authority").path
            #expect(await runAqua(["certificate", "authority", "--directory", place]).code == 0)
            for file in ["\(place)/authority.key", place] {
                let before = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
                let open = await runAqua(["certificate", "authority", "--directory", place])
                #expect(open.code == 1)
                #expect(open.errors.contains("is open to other users of this machine. Run: chmod go= \(file)"))
                try FileManager.default.setAttributes([.posixPermissions: before ?? 0o700], ofItemAtPath: file)
            }
        }
    }

    @Test func aDeviceWithAnAccountGetsAKeyThatIsNeverReplaced() async throws {
        try await Instance.with { instance in
            let (device, place, out) = (instance.device, instance.file("authority"), instance.file("keys"))
            try await instance.succeed(instance.aqua("certificate", "authority", "--directory", place))
            func issue(_ devices: String..., days: String = "730") async -> Run {
                await runAqua(
                    ["device", "certificate", "issue"] + devices
                        + ["--authority", place, "--out", out, "--days", days, "--json"],
                    environment: instance.environment)
            }
            let unknown = await issue(device)
            #expect(unknown.code == 1)
            #expect(unknown.errors.contains("There is no device \(device)."))

            try await instance.succeed(instance.aqua("device", "add", device))
            let added = try await instance.succeed(issue(device))
            #expect(added.output.contains(#""deviceId" : "\#(device)""#))
            let certificate = try Certificate(reading: String(contentsOfFile: "\(out)/\(device).pem", encoding: .utf8))
            #expect(certificate.name == device)
            #expect(added.output.contains("\(certificate.serial)"))
            let mode =
                try FileManager.default.attributesOfItem(atPath: "\(out)/\(device).key")[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(await issue(device).errors.contains("exists, and is not replaced"))

            let list = await instance.aqua("device", "certificate", "list", "--authority", place)
            #expect(list.output.contains("\(certificate.serial)"))
            #expect(list.output.contains("valid"))
            let later = await instance.aqua(
                "device", "certificate", "list", device, "--authority", place, clock: .seconds(800 * 86_400))
            #expect(later.output.contains("expired"))

            // A certificate without an account may join the Ingestors' subscription.
            try FileManager.default.removeItem(atPath: out)
            try await instance.administer { try await $0.disableClient(device) }
            #expect(await issue(device).errors.contains("have no account at the broker that is a device's and enabled"))
            try await instance.administer { try await $0.deleteClient(device) }
            #expect(await issue(device).errors.contains("have no account at the broker that is a device's and enabled"))
            #expect(await issue(device, days: "3651").code == 64)
        }
    }

    /// Names of services, and what is no device's name, whatever the rest of the line says.
    @Test(arguments: [
        "aqua_admin", "aqua_ingestor", "aqua.operator", "aqua.ingestor", "aqua_", "a.b", "#", "a+b", "pond/1",
    ])
    func noServiceGetsACertificate(name: String) async {
        let run = await runAqua(
            ["device", "certificate", "issue", "pond-1", name, "--authority", "/nowhere", "--out", "/nowhere"])
        #expect(run.code == 64)
        #expect(run.errors.contains("is invalid"))
    }

    @Test func withoutItsListenerNothingIsSaidToBeRevoked() async throws {
        try await Instance.with { instance in
            let (device, place, out) = (instance.device, instance.file("authority"), instance.file("keys"))
            let fleet = instance.file("fleet")
            try FileManager.default.createDirectory(atPath: fleet, withIntermediateDirectories: true)
            let changes: [String: String?] = [
                "AQUA_FLEET_TLS": fleet, "AQUA_FLEET_URL": "mqtts://127.0.0.1:\(Ports.free())",
            ]
            try await instance.succeed(
                instance.aqua("certificate", "authority", "--directory", place, changes: changes))
            try await instance.succeed(instance.aqua("device", "add", device))
            try await instance.succeed(
                instance.aqua("device", "certificate", "issue", device, "--authority", place, "--out", out))
            func revoke(_ name: String, _ changes: [String: String?]) async -> Run {
                await instance.aqua("device", "certificate", "revoke", name, "--authority", place, changes: changes)
            }
            #expect(await revoke(device, [:]).errors.contains("AQUA_FLEET_TLS is not set"))
            #expect(await revoke(device, ["AQUA_FLEET_TLS": fleet]).errors.contains("AQUA_FLEET_URL is not set"))
            #expect(await revoke("pond-x", changes).errors.contains("There is no certificate of pond-x."))
            let run = await revoke(device, changes)
            #expect(run.code == 1)
            #expect(run.output.contains("NOT PROVEN"))
            // The part that needs no broker is done: it goes by the list when it starts.
            let serial = try Certificate(reading: String(contentsOfFile: "\(out)/\(device).pem", encoding: .utf8))
                .serial
            for list in ["\(fleet)/revoked.pem", "\(place)/revoked.pem"] {
                let list = try RevocationList(reading: String(contentsOfFile: list, encoding: .utf8))
                #expect(list.revoked[serial] != nil)
            }
            // An older copy of the authority's directory brings nothing back.
            try FileManager.default.removeItem(atPath: "\(place)/revoked.pem")
            try await instance.succeed(
                instance.aqua("certificate", "authority", "--directory", place, changes: changes))
            let list = try RevocationList(reading: String(contentsOfFile: "\(fleet)/revoked.pem", encoding: .utf8))
            #expect(list.revoked[serial] != nil)
            let doctor = await instance.aqua("doctor", changes: changes)
            #expect(doctor.output.contains("the list of the fleet's revoked certificates"))
            #expect(doctor.output.contains("does not answer"))
            let late = await instance.aqua("doctor", changes: changes, clock: .seconds(365 * 86_400 * 20 - 86_400 * 20))
            #expect(late.output.contains("the authority of the fleet's certificates expires in 19 days"))
            let early = await instance.aqua("doctor", changes: changes, clock: .seconds(-2 * 86_400))
            #expect(early.output.contains("the list of the fleet's revoked certificates begins only at"))
        }
    }
}
