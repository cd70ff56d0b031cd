import ArgumentParser
import BrokerControl
import MQTT
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality

/// `aqua device rotate-key`
struct DeviceRotateKey: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Gives a device a new MQTT password, derived from the newest master key.",
        discussion: """
            Prints the new password, this once. The broker takes it from then on and ends the device's connection, so the \
            device is away until its firmware has the new one. Interrupted half-way, the command prints the same password \
            when it is run again.

            Example:  aqua device rotate-key pond-1
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, brokers, domain, http, keys) = try context.environment.require { reader in
            let (database, brokers) = (reader.database(), MQTTConfiguration.all(reader.broker()))
            let (domain, http) = (reader.brokerDomain(), reader.deviceOrigin())
            return reader.deviceKeys().map { (database, brokers, domain, http, $0) }
        }
        try await context.withDatabase(database) { connection in
            let known = try await connection.sender(device)
            try await rotate(
                known, connection, brokers, domain?.host(of: known.key.slot), http?.readings(of: device), keys,
                context.console)
        }
    }

    /// Changes the account at the broker before the row: if the rest fails, the next run derives the same password again.
    private func rotate(
        _ known: OwnedDevice, _ connection: PostgresConnection, _ brokers: [MQTTConfiguration], _ host: String?,
        _ httpURL: String?, _ keys: DeviceKeys, _ console: Console
    ) async throws {
        let (user, generation) = (device.text, known.keyGeneration + 1)
        let password = keys.password(hardwareID: user, generation: generation)
        try await DynamicSecurity.with(firstOf: brokers) { try await $0.renewPassword(password, of: user) }
        let rotation = RotateDeviceKey(
            device: known.key, generation: generation, keyID: "\(keys.newest)",
            keyHash: DeviceKeyHash(of: password).bytes)
        try await connection.transaction(telling: console, output) { transaction in
            guard try transaction.perform(rotation) == 1 else {
                throw OperatorError(
                    .conflict, "Somebody else rotated the key of \(user) at this moment. Run the command again.")
            }
            return KeyRotationReport(
                deviceId: user, mqttHost: host, mqttUser: user, mqttPassword: password, httpUrl: httpURL,
                generation: generation)
        }
    }
}

struct KeyRotationReport: Report {
    var deviceId: String
    var mqttHost: String?
    var mqttUser: String
    var mqttPassword: String
    var httpUrl: String?
    var generation: Int32

    var text: String {
        (mqttHost.map { "MQTT host      \($0)\n" } ?? "") + """
            MQTT user      \(mqttUser)
            MQTT password  \(mqttPassword)\(httpUrl.map { "\nor HTTP POST   \($0)" } ?? "")
            Note it now: it is not shown again. \(deviceId) is away until its firmware has it.
            """
    }
}
