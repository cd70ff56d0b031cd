import BrokerControl
import MQTT
import TestSupport
import Testing

@testable import Operator

/// Accounts of devices from before the broker bound them to their client ids.
@Suite struct BoundAccountTests {
    @Test func theDoctorFindsThemAndMigrateBindsThem() async throws {
        try await Instance.with { instance in
            let device = instance.device
            let added = try await instance.succeed(instance.aqua("device", "add", device, "--json"))
            let password = try added.field("mqttPassword")
            #expect(
                try await instance.examine().report.contains("it lets each device in under its own client id alone"))
            try await instance.administer { try await $0.deleteClient(device) }
            try await instance.broker.addDevice(device, password: password, isBound: false)
            let finding =
                "1 device accounts (\(device) for one) may use any client id, and with it the session of others"
            #expect(try await instance.examine().wrong.contains(finding))

            let run = try await instance.succeed(instance.aqua("migrate"))
            #expect(run.output.contains("The broker lets 1 more devices in under their own client ids alone."))
            #expect(try await !instance.examine().wrong.contains(finding))
            try await instance.connect(as: device, password)
            #expect(await !instance.aqua("migrate").output.contains("client ids"))
        }
    }

    /// Any command that gives a device a key binds its account.
    @Test func aKeyThatIsRotatedBindsItsAccount() async throws {
        try await Instance.with { instance in
            let device = instance.device
            try await instance.succeed(instance.aqua("device", "add", device))
            try await instance.administer { try await $0.deleteClient(device) }
            try await instance.broker.addDevice(device, password: "of before", isBound: false)
            try await instance.succeed(instance.aqua("device", "rotate-key", device))
            try await instance.administer { security in
                let client = try await security.client(device)
                #expect(client?.isUnboundDevice == false)
            }
        }
    }

    /// The doctor would disconnect a device by logging in as it.
    @Test func theDoctorLeavesConnectedDevicesAlone() async throws {
        try await Instance.with { instance in
            let device = instance.device
            try await instance.succeed(instance.aqua("device", "add", device))
            #expect(
                try await instance.examine().report.contains("a device may publish in its own name and in no other"))
            try await instance.database.sql(
                "INSERT INTO device_status (slot, device_id, online, changed_at) SELECT slot, device_id, true, now() FROM device"
            )
            #expect(
                try await instance.examine().report.contains(
                    "what devices may do there, for there is none to try it as that was not heard lately"))
        }
    }
}
