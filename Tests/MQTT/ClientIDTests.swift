import BrokerControl
import Foundation
import MQTT
import MQTTFleet
import TestSupport
import Testing

/// A device's key opens that device's session and no other.
@Suite struct ClientIDTests {
    private static let session = "aqua:ingestor:0:0123456789abcdef"

    @Test func aDevicesKeyOpensNoOtherSession() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor(Self.session))
            try await seat.subscribe([ConsumerTests.readings])
            try await seat.disconnect()
            try await broker.publish(0..<50, as: "tank")
            try await MQTTFleet.with { fleet in
                let tank = try await fleet.add(broker.device("tank"))
                try await Self.expectRefused([Self.session, "tank", "aqua-ingestor-0", "nobody"], broker)
                // The seat's queue is unchanged, and no client was disconnected.
                try await fleet.publish(.numbered(50, device: "tank"), as: tank)
                try await fleet.remove(tank)
                #expect(await tank.reconnections.first { _ in true } == nil)
            }
            let reader = try await MQTTConsumer.connect(broker.ingestor(Self.session))
            #expect(await reader.sessionPresent)
            #expect(try await reader.receiveAll(51).numbers == Array(0..<51))
            try await reader.acknowledge()
            // The session stays closed to the device while the Ingestor uses it.
            try await Self.expectRefused([Self.session], broker)
            try await broker.publish(51..<52, as: "tank")
            #expect(try await reader.receiveAll(1).numbers == [51])
            await reader.abandon()
        }
    }

    /// Tries these ids with the key of `pond`, in both versions of the protocol; for an empty id the broker chooses
    /// one.
    private static func expectRefused(_ ids: [String], _ broker: TestBroker) async throws {
        for id in ids + [""] {
            for (version, notAuthorized) in [(UInt8(4), UInt8(5)), (5, 0x87)] {
                let answer = try RawClient(port: broker.port).connect(
                    version: version, clientID: id, user: "pond", password: TestBroker.password(of: "pond"))
                #expect(answer == notAuthorized, "\(id) with version \(version)")
            }
        }
        let own = try RawClient(port: broker.port).connect(
            clientID: "pond", user: "pond", password: TestBroker.password(of: "pond"))
        #expect(own == 0)
    }

    /// Accounts as an earlier version of the tool made them.
    @Test func accountsThatAreBoundLaterAreThrownOut() async throws {
        try await TestBroker.with(devices: ["tank"]) { broker in
            let password = TestBroker.password(of: "pond")
            try await broker.addDevice("pond", password: password, isBound: false)
            let thief = try RawClient(port: broker.port)
            #expect(thief.connect(clientID: "tank", user: "pond", password: password) == 0)
            try await DynamicSecurity.with(broker.administrator) { security in
                #expect(try await security.listClients().filter(\.isUnboundDevice).map(\.username) == ["pond"])
                try await security.bindDevices(["pond", "gone"])
                #expect(try await security.listClients().filter(\.isUnboundDevice).isEmpty)
            }
            await thief.awaitEnd()
            try await Self.expectRefused(["tank"], broker)
        }
    }

    @Test func aNewKeyBindsTheAccount() async throws {
        try await TestBroker.with(devices: []) { broker in
            let password = TestBroker.password(of: "pond")
            try await broker.addDevice("pond", password: "the former one", isBound: false)
            try await DynamicSecurity.with(broker.administrator) {
                try await $0.setDevicePassword(password, of: "pond")
            }
            try await Self.expectRefused(["tank"], broker)
        }
    }

    /// The treatment of existing accounts by `deploy/broker/init`.
    @Test func theNextStartBindsAccountsOfBefore() async throws {
        try await Paths.withTemporaryDirectory { directory in
            let path = directory.path(percentEncoded: false)
            func write(_ name: String, _ text: String) throws -> String {
                let file = directory.appending(path: name)
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                return file.path(percentEncoded: false)
            }
            let accounts = """
                {"clients": [{"username": "pond", "roles": [{"rolename": "device"}]},
                             {"username": "bridge", "roles": [{"rolename": "other"}]}]}
                """
            let file = try write("dynamic-security.json", accounts)
            let secret = try write("secret", "sixteen characters")
            try await ProcessUnderTest.run(
                Paths.repository.appending(path: "deploy/broker/init").path(percentEncoded: false),
                [
                    path, "--ingestor-password-file", secret, "--admin-password-file", secret, "--certificate", secret,
                    "--key", secret,
                ])
            let written = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
            let clients = (written as? [String: Any])?["clients"] as? [[String: Any]] ?? []
            let ids = clients.map { "\($0["username"] ?? "") \($0["clientid"] ?? "any")" }.sorted()
            #expect(ids == ["aqua_admin any", "aqua_ingestor any", "bridge any", "pond pond"])
        }
    }
}
