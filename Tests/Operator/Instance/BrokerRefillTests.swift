import BrokerControl
import Foundation
import MQTT
import TestSupport
import Testing

@testable import Operator

/// A replaced broker gets the accounts of all devices again.
@Suite struct BrokerRefillTests {
    @Test func thePlanComparesDevicesWithAccounts() {
        let plan = RefillPlan(
            devices: ["pond", "tank", "brook"], accounts: ["aqua_admin", "aqua_ingestor", "tank", "stranger"])
        #expect(plan.missing == ["brook", "pond"])
        #expect(plan.present == 1)
        #expect(plan.strangers == ["stranger"])
        #expect(plan.writes(removing: false) == 2 * (4 + 2))
        #expect(plan.writes(removing: true) == 3 * (4 + 2))
        #expect(plan.changes(removing: false) == "2 accounts to add")
        #expect(plan.changes(removing: true) == "2 accounts to add and 1 to remove")
        let devices = (0..<1_001).map { "tank-\($0)" }
        #expect(RefillPlan(devices: devices, accounts: []).writes(removing: false) > DynamicSecurity.mostWrites)
        #expect(
            RefillPlan(devices: Array(devices.dropLast(2)), accounts: []).writes(removing: false)
                <= DynamicSecurity.mostWrites)
    }

    @Test func aRunningBrokerGetsWhatItLacksAndNothingElseChanges() async throws {
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                var passwords: [String: String] = [:]
                for device in ["pond", "tank", "brook"] {
                    let added = try await instance.succeed(instance.aqua("device", "add", device, "--json"))
                    passwords[device] = try added.field("mqttPassword")
                }
                // The restored password is the second generation's.
                let rotated = try await instance.succeed(instance.aqua("device", "rotate-key", "pond", "--json"))
                passwords["pond"] = try rotated.field("mqttPassword")
                try await instance.administer { security in
                    try await security.deleteClients(["pond", "brook", "nobody"])
                    try await security.disableClient("tank")
                    try await security.createClient("stranger", password: "of somebody else")
                }

                let first = try await instance.succeed(instance.aqua("broker", "refill"))
                #expect(first.output.contains("Added 2 accounts; 1 were there."))
                #expect(first.output.contains("no devices of this database: stranger."))
                for device in ["pond", "brook"] {
                    try await instance.connect(as: device, #require(passwords[device]))
                }
                await #expect(throws: MQTTError.self, "the operator has locked it out") {
                    try await instance.connect(as: "tank", #require(passwords["tank"]))
                }

                let second = try await instance.succeed(instance.aqua("broker", "refill", "--remove-strangers"))
                #expect(second.output.contains("Added 0 accounts; 3 were there."))
                #expect(second.output.contains("Removed 1 accounts"))
                let third = try await instance.succeed(instance.aqua("broker", "refill", "--json"))
                #expect(try third.field("strangers").filter(\.isLetter).isEmpty)
                try await instance.administer { security in
                    let names = try await security.listClients().map(\.username).sorted()
                    #expect(names == ["aqua_admin", "aqua_ingestor", "brook", "pond", "tank"])
                }
            }
        }
    }

    /// `AQUA_MEASURE_REFILL=10000` measures it with this many devices.
    @Test func anEmptyBrokerStartsWithAllAccounts() async throws {
        let measured = ProcessInfo.processInfo.environment["AQUA_MEASURE_REFILL"].flatMap { Int($0) }
        let count = measured ?? 300
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                let added = try await instance.succeed(instance.aqua("device", "add", "pond", "--json"))
                try await instance.database.sql(
                    """
                    INSERT INTO device (slot, hardware_id, claim_code_hash)
                    SELECT 0, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(2, \(count)) AS n
                    """)
                try await cluster.halt(.broker)
                try cluster.broker.loseData(keepsAccounts: false)

                let started = ContinuousClock.now
                let accounts = try await instance.succeed(instance.aqua("broker", "refill", "--offline")).output
                try await cluster.broker.prepare(accounts: accounts)
                try await cluster.resume(.broker)
                try await instance.connect(as: "pond", added.field("mqttPassword"))
                if measured != nil { print("Refilled \(count) accounts in \(ContinuousClock.now - started)") }

                let again = try await instance.succeed(instance.aqua("broker", "refill"))
                #expect(again.output.contains("Added 0 accounts; \(count) were there."))
                try await instance.administer { security in
                    let pond = try #require(try await security.client("pond"))
                    #expect(pond.clientid == "pond")
                    #expect(pond.roleNames == [DynamicSecurity.deviceRole])
                    try await security.disableClient("pond")
                }

                // Once more: users that the operator locked out stay locked out, and strangers are removed on request.
                try await instance.administer { try await $0.createClient("stranger", password: "of somebody else") }
                try await cluster.halt(.broker)
                try await cluster.broker.prepare(accounts: accounts)
                try await cluster.resume(.broker)
                try await instance.administer { security in
                    let stranger = try await security.client("stranger")
                    #expect(stranger != nil)
                }
                try await cluster.halt(.broker)
                try await cluster.broker.prepare(accounts: accounts, only: true)
                try await cluster.resume(.broker)
                try await instance.administer { security in
                    let left = try await security.listClients().count
                    #expect(left == count + 2)
                }
                await #expect(throws: MQTTError.self) {
                    try await instance.connect(as: "pond", added.field("mqttPassword"))
                }
            }
        }
    }

    /// The writer of that file cannot give a service a password, nor a device a name with a meaning in MQTT.
    @Test func accountsThatAreNoneAreRefused() async throws {
        try await TestBroker.with { broker in
            try await broker.halt()
            for accounts in [
                "nonsense", "{}", #"{"accounts":[{"username":"pond"}]}"#,
                #"{"accounts":[{"username":"aqua_admin","password":"eA==","salt":"eA==","iterations":101}]}"#,
                ##"{"accounts":[{"username":"#","password":"eA==","salt":"eA==","iterations":101}]}"##,
            ] {
                let error = await #expect(throws: TestSupportError.self) {
                    try await broker.prepare(accounts: accounts)
                }
                #expect(error.map { "\($0)".contains("nothing was changed") } == true, "\(accounts)")
            }
        }
    }

    @Test func devicesWhoseMasterKeyIsGoneAreNamed() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            try Instance.write(Instance.randomKey(), to: instance.directory.appending(path: "device-key"))
            for arguments in [["broker", "refill"], ["broker", "refill", "--offline"]] {
                let run = await runAqua(arguments, environment: instance.environment)
                #expect(run.code == 1)
                #expect(
                    run.errors.contains(
                        "The master key of 1 devices (\(instance.device) for one) is not in AQUA_DEVICE_KEY_FILE"))
            }
        }
    }

    /// An empty database named by mistake must not lock out every device.
    @Test func allAreNotRemoved() async throws {
        try await Instance.with { instance in
            let run = await runAqua(["broker", "refill", "--remove-strangers"], environment: instance.environment)
            #expect(run.code == 1)
            #expect(run.errors.contains("The database has no devices"))
        }
    }

    @Test func strangersAreRemovedFromARunningBrokerAlone() async {
        let run = await runAqua(["broker", "refill", "--offline", "--remove-strangers"])
        #expect(run.code == 64)
        #expect(run.errors.contains("leave --offline out"))
    }
}
