import Foundation
import TestSupport
import Testing
import WaterQuality

@testable import Operator

/// With a domain, a device is given the broker's name for its slot, and the certificate covers that name.
@Suite struct BrokerDomainTests {
    private static let domain: [String: String?] = ["AQUA_MQTT_DOMAIN": "Farm.example.org"]

    @Test func aDeviceIsToldTheNameOfItsSlot() async throws {
        try await Instance.with { instance in
            let device = try #require(Device.HardwareID(instance.device))
            let host = "s\(Slot(of: device).rawValue).mqtt.farm.example.org"
            let added = try await instance.succeed(
                instance.aqua("device", "add", instance.device, changes: Self.domain))
            #expect(added.output.contains("MQTT host      \(host)\n"))
            let rotated = try await instance.succeed(
                instance.aqua("device", "rotate-key", instance.device, "--json", changes: Self.domain))
            #expect(try rotated.field("mqttHost") == host)
            let listed = try await instance.succeed(instance.aqua("device", "list", changes: Self.domain))
            #expect(listed.output.contains(host))
        }
    }

    @Test func withoutADomainEverythingIsAsItIs() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(instance.aqua("device", "add", instance.device))
            let listed = try await instance.succeed(instance.aqua("device", "list"))
            let json = try await instance.succeed(instance.aqua("device", "rotate-key", instance.device, "--json"))
            for run in [added, listed, json] { #expect(!run.output.lowercased().contains("host")) }
        }
    }

    @Test(arguments: [
        "org", "-farm.example.org", "farm..org", "farm.example.org.", "https://example.org", "a b.org", "*.org",
    ])
    func whatIsNoDomain(_ text: String) async {
        #expect(BrokerDomain(text) == nil)
        let run = await runAqua(["device", "list"], environment: ["AQUA_MQTT_DOMAIN": text])
        #expect(run.code == 1)
        #expect(run.errors.contains("AQUA_MQTT_DOMAIN is no domain"))
    }

    @Test func theCertificateIsForEverySlot() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let made = directory.path(percentEncoded: false)
            try await ProcessUnderTest.run(
                Paths.repository.appending(path: "deploy/broker/certificates").path(percentEncoded: false),
                [made, "broker", "localhost", "*.mqtt.example.org"])
            func check(_ host: String) async throws -> String {
                try await ProcessUnderTest.run(
                    "/usr/bin/openssl", ["x509", "-in", "\(made)/broker.pem", "-noout", "-checkhost", host])
            }
            for slot in ["s0", "s24", "s63"] {
                #expect(try await check("\(slot).mqtt.example.org").contains("does match"))
            }
            #expect(try await check("mqtt.example.org").contains("does NOT match"))
        }
    }
}
