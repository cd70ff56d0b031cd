import BrokerControl
import MQTT
import MQTTFleet
import Operator
import Secrets
import TestSupport
import Testing

@Suite struct DeviceAddTests {
    @Test func aDeviceGetsItsCodeAndItsAccountAtTheBroker() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(instance.aqua("device", "add", instance.device, "--json"))
            #expect(try added.field("mqttUser") == instance.device)
            try await instance.connect(as: instance.device, added.field("mqttPassword"))
            #expect(try await instance.database.sql("SELECT hardware_id FROM device") == instance.device)
            // Only a hash is stored.
            let code = try added.field("claimCode")
            #expect(try await instance.database.sql("SELECT length(claim_code_hash) FROM device") == "32")
            let kept = try await instance.database.sql("SELECT encode(claim_code_hash, 'escape') FROM device")
            #expect(!kept.contains(code))
        }
    }

    /// The hash with which an Ingestor checks a device without MQTT.
    @Test func thePasswordIsHashedAndTheHashRotatesWithIt() async throws {
        try await Instance.with { instance in
            let served: [String: String?] = ["AQUA_DEVICE_HTTP_URL": "https://Water.example.org:8885/"]
            func isHash(of password: String) async throws -> Bool {
                try await instance.database.sql("SELECT key_hash = sha256('\(password)') FROM device") == "t"
            }
            let url = "https://water.example.org:8885/aqua/v1/\(instance.device)/readings"
            let added = try await instance.succeed(
                instance.aqua("device", "add", instance.device, "--json", changes: served))
            #expect(try await isHash(of: added.field("mqttPassword")))
            #expect(try added.field("httpUrl") == url)
            let rotated = try await instance.succeed(
                instance.aqua("device", "rotate-key", instance.device, changes: served))
            #expect(rotated.output.contains("\nor HTTP POST   \(url)\n"))
            #expect(try await !isHash(of: added.field("mqttPassword")))
            let again = try await instance.succeed(instance.aqua("device", "rotate-key", instance.device, "--json"))
            #expect(try await isHash(of: again.field("mqttPassword")))
            #expect(!again.output.contains("http"))
        }
    }

    @Test func whereDevicesPostToIsAnAddress() async {
        let run = await runAqua(
            ["device", "add", "pond-1"], environment: ["AQUA_DEVICE_HTTP_URL": "water.example.org"])
        #expect(run.code == 1)
        #expect(run.errors.contains("AQUA_DEVICE_HTTP_URL"))
    }

    @Test func aDeviceThatExistsIsLeftAlone() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            let before = try await instance.database.sql("SELECT claim_code_hash FROM device")
            let again = await instance.aqua("device", "add", instance.device)
            #expect(again.code == 1)
            #expect(
                again.errors.contains(
                    "exists already, and so does its account at the broker. A lost claim code is replaced with --new-claim-code."
                ))
            #expect(again.output.isEmpty)
            #expect(try await instance.database.sql("SELECT claim_code_hash FROM device") == before)
        }
    }

    @Test func aLostAccountComesBackWithTheSamePassword() async throws {
        try await Instance.with { instance in
            let added = try await instance.succeed(instance.aqua("device", "add", instance.device, "--json"))
            let device = instance.device
            try await instance.administer { try await $0.deleteClient(device) }
            let again = try await instance.succeed(instance.aqua("device", "add", device))
            #expect(again.output.contains("is there again, with the same password."))
            #expect(!again.output.contains("Claim code"))
            try await instance.connect(as: device, added.field("mqttPassword"))
        }
    }

    @Test func anAccountLeftOverIsReplaced() async throws {
        try await Instance.with { instance in
            let device = instance.device
            try await instance.administer {
                try await $0.createClient(device, password: "of an attempt that failed")
                try await $0.disableClient(device)
            }
            let added = try await instance.succeed(instance.aqua("device", "add", device, "--json"))
            try await instance.connect(as: device, added.field("mqttPassword"))
        }
    }

    @Test func withoutAReaderThereIsNoDevice() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("device", "add", instance.device, losesOutput: true)
            #expect(run.code == 1)
            #expect(run.errors == "aqua: Nobody reads. Nothing was changed: run the command again.\n")
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0")
            // The next attempt succeeds.
            try await instance.succeed(instance.aqua("device", "add", instance.device))
        }
    }

    @Test func withoutABrokerThereIsNoDevice() async throws {
        try await Instance.with { instance in
            let port = Ports.free()
            let away = await instance.aqua(
                "device", "add", instance.device, changes: ["AQUA_MQTT_URL": "mqtt://127.0.0.1:\(port)"])
            #expect(away.code == 1)
            #expect(away.errors.contains("Start Mosquitto, or correct AQUA_MQTT_URL."))
            let stranger = await instance.aqua(
                "device", "add", instance.device, changes: ["AQUA_MQTT_USER": "nobody"])
            #expect(
                stranger.errors.contains(
                    "Correct AQUA_MQTT_USER (aqua_admin for this tool) and AQUA_MQTT_PASSWORD_FILE."))
            let count = try await instance.database.sql("SELECT count(*) FROM device")
            #expect(count == "0")
        }
    }

    @Test func aLostClaimCodeIsReplacedWhileNobodyOwnsTheDevice() async throws {
        try await Instance.with { instance in
            let first = try await instance.populate()
            let owned = await instance.aqua("device", "add", instance.device, "--new-claim-code")
            #expect(owned.code == 1)
            #expect(owned.errors.contains("is linked to ada@example.org. Unlink it"))
            let second = try await instance.succeed(
                instance.aqua("device", "unlink", Instance.person, instance.device, "--json")
            ).field("claimCode")
            let third = try await instance.succeed(
                instance.aqua("device", "add", instance.device, "--new-claim-code", "--json")
            ).field("claimCode")
            #expect(Set([first, second, third]).count == 3)
            #expect(await instance.aqua("device", "link", Instance.person, second, "--name", "Tank").code == 1)
            try await instance.succeed(instance.aqua("device", "link", Instance.person, third, "--name", "Tank"))
        }
    }

    @Test(arguments: ["", "with space", "aqua_ingestor", "pond/1", "水", String(repeating: "x", count: 33)])
    func idsThatAreNone(_ id: String) async {
        let run = await runAqua(["device", "add", id])
        #expect(run.code == 64)
        #expect(run.errors.contains("1 to 32 of the characters"))
    }

    @Test func allMissingVariablesAreNamedAtOnce() async {
        let run = await runAqua(["device", "add", "pond-1"])
        #expect(run.code == 1)
        for name in [
            "DATABASE_URL", "MQTT_URL", "MQTT_USER", "MQTT_PASSWORD_FILE", "DEVICE_KEY_FILE", "SECRET_KEY_FILE",
        ] {
            #expect(run.errors.contains("AQUA_\(name) is not set"))
        }
    }
}

extension Instance {
    private func configuration(_ user: String, _ password: String) throws -> MQTTConfiguration {
        try MQTTConfiguration(
            endpoint: MQTTEndpoint(url: broker.url),
            clientID: user == TestBroker.admin ? "test-\(UInt64.random(in: 0 ... .max))" : user,
            credentials: MQTTCredentials(user: user, password: password))
    }

    /// Succeeds if the broker admits the user.
    func connect(as user: String, _ password: String) async throws {
        let configuration = try configuration(user, password)
        try await MQTTFleet.with { fleet in _ = try await fleet.add(configuration) }
    }

    func administer(_ body: @Sendable @escaping (DynamicSecurity) async throws -> Void) async throws {
        try await DynamicSecurity.with(configuration(TestBroker.admin, broker.password(TestBroker.admin)), body)
    }
}
