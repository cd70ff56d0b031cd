import BrokerControl
import Foundation
import MQTT
import Secrets
import Store
import TestSupport
import Testing

@testable import Operator

/// The results of the commands that rotate keys and secrets; `Acceptance` runs them against a running system.
@Suite struct KeyTests {
    private static func put(_ keys: String..., in name: String, of instance: Instance) throws {
        try Instance.write(keys.joined(separator: "\n"), to: instance.directory.appending(path: name))
    }

    private static func text(_ name: String, of instance: Instance) throws -> String {
        try String(contentsOfFile: instance.file(name), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func aDevicesKeyComesFromTheNewestMaster() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let (old, new) = (try Self.text("device-key", of: instance), Instance.randomKey())
            try Self.put(new, old, in: "device-key", of: instance)
            let run = try await instance.succeed(instance.aqua("device", "rotate-key", instance.device, "--json"))
            let expected = try #require(DeviceKeys([new])).password(hardwareID: instance.device, generation: 2)
            #expect(try run.field("mqttPassword") == expected)
            #expect(try run.field("generation") == "2")
            let configuration = MQTTConfiguration(
                endpoint: try MQTTEndpoint(url: instance.broker.url), clientID: instance.device,
                credentials: MQTTCredentials(user: instance.device, password: expected))
            try await MQTTConsumer.connect(configuration).disconnect()

            // A lost account is restored with the same password, as long as the master key exists.
            let device = instance.device
            try await instance.administer { try await $0.deleteClient(device) }
            try await instance.succeed(instance.aqua("device", "add", device))
            try await MQTTConsumer.connect(configuration).disconnect()
            try Self.put(Instance.randomKey(), in: "device-key", of: instance)
            let lost = await instance.aqua("device", "add", device)
            #expect(lost.errors.contains("The master key of \(device) is not in AQUA_DEVICE_KEY_FILE any more."))
        }
    }

    @Test func aDeviceOfBeforeHasTheOldestKey() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql("UPDATE device SET key_id = NULL, claim_key_id = NULL")
            let old = try Self.text("device-key", of: instance)
            try Self.put(Instance.randomKey(), old, in: "device-key", of: instance)
            let device = instance.device
            try await instance.administer { try await $0.deleteClient(device) }
            try await instance.succeed(instance.aqua("device", "add", device))
            let password = try #require(DeviceKeys([old])).password(hardwareID: device, generation: 1)
            try await MQTTConsumer.connect(
                MQTTConfiguration(
                    endpoint: try MQTTEndpoint(url: instance.broker.url), clientID: device,
                    credentials: MQTTCredentials(user: device, password: password))
            ).disconnect()
        }
    }

    @Test func claimCodesOfOlderKeysWork() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let run = try await instance.succeed(instance.aqua("device", "add", instance.device, "--json"))
            let old = try Self.text("secret-key", of: instance)
            try Self.put(Instance.randomKey(), old, in: "secret-key", of: instance)
            #expect(await instance.aqua("reseal").output.contains("The claim codes of 1 devices without an owner"))
            let code = try run.field("claimCode")
            try await instance.succeed(
                instance.aqua("device", "link", Instance.person, code, "--name", "Garden pond"))
            // A device with an owner needs no claim code.
            #expect(await instance.aqua("reseal").output.contains("Nothing needs an older key"))
        }
    }

    @Test func resealingTellsWhatItCannotOpen() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            for host in ["one", "two"] {
                try await instance.succeed(
                    instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://\(host).example.org/"))
            }
            let first = try await instance.database.sql("SELECT min(endpoint_id) FROM endpoint")
            try await instance.database.sql(
                "UPDATE endpoint SET sealed_secret = '\\x00' WHERE endpoint_id = \(first)")
            let old = try Self.text("secret-key", of: instance)
            try Self.put(Instance.randomKey(), old, in: "secret-key", of: instance)
            let run = await instance.aqua("reseal")
            #expect(run.code == 1)
            #expect(run.output.contains("Sealed the secrets of 1 endpoints anew"))
            #expect(run.output.contains("The secrets of endpoints \(first) are opened by no key"))
            #expect(!run.output.contains("Nothing needs an older key"))
            let failed = await instance.aqua("endpoint", "rotate-secret", first)
            #expect(failed.errors.contains("Put that key back"))
            #expect(await instance.aqua("endpoint", "rotate-secret", "4711").errors.contains("no endpoint 4711"))
        }
    }

    /// Addresses that the previous version stored in clear beside their secrets.
    @Test func resealingSealsAddresses() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            let address = "https://one.example.org/capability"
            let added = try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", address, "--json"))
            let number = try await instance.database.sql("SELECT endpoint_id FROM endpoint")
            let key = try #require(SecretKey(Self.text("secret-key", of: instance)))
            let secret = try #require(WebhookSecret(try added.field("secret")))
            let former = try SealedSecret.seal(
                secret.bytes, with: key, channel: "webhook", endpoint: try #require(Int64(number)))
            let hexadecimal = former.bytes.map { String(format: "%02x", $0) }.joined()
            try await instance.database.sql(
                "UPDATE endpoint SET target = '\(address)', sealed_secret = '\\x\(hexadecimal)'")
            #expect(try await instance.database.sql("SELECT endpoint::text FROM endpoint").contains("capability"))
            #expect(await instance.aqua("doctor").output.contains("run: aqua reseal"))
            #expect(await instance.aqua("reseal").output.contains("Sealed the secrets of 1 endpoints anew"))
            #expect(try await !instance.database.sql("SELECT endpoint::text FROM endpoint").contains("capability"))
            let opened = try await instance.openEndpoint(number)
            #expect(opened == EndpointSecret(address: address, secret: secret.bytes))
            #expect(await instance.aqua("reseal").output.contains("Sealed the secrets of 0 endpoints anew"))
        }
    }

    /// A template may well hold a token, and is lost with the key that it was sealed with.
    @Test func resealingSealsTemplates() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://one.example.org/"))
            let number = try #require(Int64(try await instance.database.sql("SELECT endpoint_id FROM endpoint")))
            let old = try Self.text("secret-key", of: instance)
            let context = SealedSecret.Context.template(of: number)
            let sealed = try SealedSecret.seal(
                Array("token {{title}}".utf8), with: try #require(SecretKey(old)), for: context)
            let hexadecimal = sealed.bytes.map { String(format: "%02x", $0) }.joined()
            try await instance.database.sql(
                """
                UPDATE endpoint SET form = 'template', template_type = 'text/plain', sealed_template = '\\x\(hexadecimal)'
                """)
            let new = Instance.randomKey()
            try Self.put(new, old, in: "secret-key", of: instance)
            #expect(await instance.aqua("reseal").output.contains("Sealed the secrets of 1 endpoints anew"))
            let stored = try await instance.database.sql("SELECT encode(sealed_template, 'hex') FROM endpoint")
            let digits = Array(stored)
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            let opened = try SealedSecret(stored: bytes).open(with: try #require(SecretKey(new)), for: context)
            #expect(String(decoding: opened, as: UTF8.self) == "token {{title}}")
            #expect(await instance.aqua("reseal").output.contains("Sealed the secrets of 0 endpoints anew"))
        }
    }

    /// What is lost is told as what it is, and holds nothing else under the older key.
    @Test func anUnreadableTemplateHoldsNoSecretBack() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://one.example.org/"))
            let number = try await instance.database.sql("SELECT endpoint_id FROM endpoint")
            let old = try Self.text("secret-key", of: instance)
            let context = SealedSecret.Context.template(of: try #require(Int64(number)))
            let former = try SealedSecret.seal(
                Array("before {{title}}".utf8), with: try #require(SecretKey(old)), for: context)
            let hexadecimal = former.bytes.map { String(format: "%02x", $0) }.joined()
            try await instance.database.sql(
                """
                UPDATE endpoint SET form = 'template', template_type = 'text/plain', sealed_template = '\\x00',
                    form_changed_in = gen_random_uuid(), former_form = 'template', former_template = '\\x\(hexadecimal)',
                    former_template_type = 'text/plain'
                """)
            let doctor = await instance.aqua("doctor").output
            #expect(doctor.contains("the templates of 1 endpoints (\(number) for one) are opened by no key"))
            #expect(doctor.contains("is in the standard form") && !doctor.contains("nothing is sent there"))
            let new = Instance.randomKey()
            try Self.put(new, old, in: "secret-key", of: instance)
            let run = await instance.aqua("reseal")
            #expect(run.code == 1 && run.output.contains("Sealed the secrets of 1 endpoints anew"))
            #expect(run.output.contains("The templates of endpoints \(number) are opened by no key"))
            #expect(!run.output.contains("The secrets of endpoints"))
            // The secret, and the template before, are under the new key alone.
            try Self.put(new, in: "secret-key", of: instance)
            let opened = try await instance.openEndpoint(number)
            #expect(opened.address == "https://one.example.org/")
            let digits = Array(try await instance.database.sql("SELECT encode(former_template, 'hex') FROM endpoint"))
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            let template = try SealedSecret(stored: bytes).open(with: try #require(SecretKey(new)), for: context)
            #expect(String(decoding: template, as: UTF8.self) == "before {{title}}")
            #expect(await instance.aqua("reseal").output.contains("Sealed the secrets of 0 endpoints anew"))
        }
    }

    /// The new owner of an address gets a secret of their own, and no former secret signs for them.
    @Test func anAddressThatMovesForgetsTheSecretBefore() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person, "bob@example.org")
            let address = "https://one.example.org/"
            try await instance.succeed(instance.aqua("endpoint", "add", Instance.person, "--webhook", address))
            let number = try await instance.database.sql("SELECT endpoint_id FROM endpoint")
            try await instance.succeed(instance.aqua("endpoint", "rotate-secret", number, "--overlap", "1h"))
            let overlap = try await instance.database.sql(
                "SELECT former_until BETWEEN now() + interval '59 min' AND now() + interval '1 h' FROM endpoint")
            #expect(overlap == "t")
            try await instance.succeed(instance.aqua("endpoint", "remove", number))
            try await instance.succeed(instance.aqua("endpoint", "add", "bob@example.org", "--webhook", address))
            #expect(try await instance.database.sql("SELECT former_secret IS NULL FROM endpoint") == "t")
        }
    }

    @Test func brokerPasswordsAreForServices() async throws {
        try await Instance.with { instance in
            let device = await instance.aqua("broker", "password", "pond-1")
            #expect(device.errors.contains("aqua device rotate-key pond-1"))
            let weak = await instance.aqua("broker", "password", "aqua_ingestor", input: "short")
            #expect(weak.errors.contains("at least 16 characters"))
            let nobody = await instance.aqua("broker", "password", "aqua_nobody", input: Instance.randomKey())
            #expect(nobody.errors.contains("The broker has no user aqua_nobody."))
        }
    }
}
