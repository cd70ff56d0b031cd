import ArgumentParser
import BrokerControl
import MQTT
import People
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality

/// `aqua device add`
struct DeviceAdd: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a device: its account at the broker and its claim code.",
        discussion: """
            Prints, this once, the claim code for the owner and the user and password for the firmware. Run again for a \
            device whose account at the broker got lost, it makes that anew with the same password.

            With --firmware it also prints what to enter in the device.

            Example:  aqua device add pond-1 --firmware tasmota
            Firmware:  \(Firmware.allCases.map(\.rawValue).joined(separator: ", "))
            Parameters:  \(Parameter.allCases.map(\.name).joined(separator: ", "))
            """)

    @Argument(
        help: "The device's id: its MQTT user and the second level of its topics.",
        transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Flag(help: "For a device that exists and nobody owns: print a new claim code. The old one no longer works.")
    var newClaimCode = false
    @Option(help: "Print what to enter in a device with this firmware.")
    var firmware: Firmware?
    @Option(
        help: ArgumentHelp(
            "The name, and the port if it is not \(DeviceBroker.defaultPort), by which the device reaches the broker. (default: that of AQUA_MQTT_DOMAIN)",
            valueName: "host:port"))
    var broker: DeviceBroker?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let settings = try context.environment.require(Settings.init)
        if firmware != nil, broker == nil, settings.domain == nil {
            throw OperatorError(
                .invalidInput,
                "Say by which name the device reaches the broker: --broker HOST, or set AQUA_MQTT_DOMAIN.")
        }
        try await context.withDatabase(settings.database) { connection in
            if let known = try await connection.execute(FindDevice(device)).first {
                try await look(after: known.asSender(), connection, settings, context.console)
            } else {
                try await add(connection, settings, context.console)
            }
        }
    }

    /// Adds the account at the broker before the row. An account without a row is harmless, and the next try replaces it; a
    /// row without an account would be a device that cannot report.
    private func add(_ connection: PostgresConnection, _ settings: Settings, _ console: Console) async throws {
        let user = device.text
        let password = settings.keys.password(hardwareID: user, generation: 1)
        try await DynamicSecurity.with(firstOf: settings.brokers) { security in
            try await security.makeClient(user, password: password)
        }
        let code = ClaimCode.generate()
        let stored = code.stored(under: settings.secretKeys.newest)
        do {
            try await connection.transaction(telling: console, output) { transaction in
                try transaction.perform(
                    AddDevice(
                        hardwareID: device, keyID: "\(settings.keys.newest)", claimCode: stored,
                        keyHash: DeviceKeyHash(of: password).bytes))
                return DeviceReport(
                    deviceId: user, state: .added, claimCode: "\(code)",
                    mqttHost: settings.domain?.host(of: Slot(of: device)), mqttUser: user, mqttPassword: password,
                    httpUrl: settings.http?.readings(of: device),
                    setup: setup(settings, password: password))
            }
        } catch let error as PostgresError where error.code == .uniqueViolation {
            throw OperatorError(
                .conflict, "Device \(device) was added by somebody else at this moment, who was shown its claim code.",
                underlying: error)
        }
    }

    private func look(
        after known: OwnedDevice, _ connection: PostgresConnection, _ settings: Settings, _ console: Console
    ) async throws {
        let user = device.text
        guard
            let password = settings.keys.password(
                hardwareID: user, generation: known.keyGeneration, key: known.keyID)
        else {
            throw OperatorError(
                .conflict,
                "The master key of \(user) is not in AQUA_DEVICE_KEY_FILE any more. Put it back, on a line below the newest, or give the device a new password: aqua device rotate-key \(user)"
            )
        }
        let isRestored = try await DynamicSecurity.with(firstOf: settings.brokers) { security in
            try await security.ensureClient(user, password: password)
        }
        if newClaimCode {
            try await renewClaimCode(of: known, isRestored, connection, settings, console)
        } else if isRestored {
            try console.show(
                DeviceReport(
                    deviceId: user, state: .restored, mqttHost: settings.domain?.host(of: known.key.slot),
                    mqttUser: user, httpUrl: settings.http?.readings(of: device), setup: setup(settings)),
                output)
        } else {
            let advice =
                known.owner == nil
                ? "A lost claim code is replaced with --new-claim-code."
                : "Its owner is \(known.ownerEmail ?? "known"); unlinking it prints a new claim code."
            throw OperatorError(
                .conflict, "Device \(device) exists already, and so does its account at the broker. \(advice)")
        }
    }

    private func renewClaimCode(
        of known: OwnedDevice, _ isRestored: Bool, _ connection: PostgresConnection, _ settings: Settings,
        _ console: Console
    ) async throws {
        let code = ClaimCode.generate()
        let renewal = RenewClaimCode(device: known.key, claimCode: code.stored(under: settings.secretKeys.newest))
        try await connection.transaction(telling: console, output) { transaction in
            guard try transaction.perform(renewal) == 1 else {
                throw OperatorError(
                    .conflict,
                    "Device \(device) is linked to \(known.ownerEmail ?? "somebody"). Unlink it: that prints a new claim code."
                )
            }
            return DeviceReport(
                deviceId: device.text, state: isRestored ? .restored : .renewed, claimCode: "\(code)",
                mqttHost: settings.domain?.host(of: known.key.slot), mqttUser: device.text,
                httpUrl: settings.http?.readings(of: device), setup: setup(settings))
        }
    }

    private func setup(_ settings: Settings, password: String? = nil) -> String? {
        guard let firmware,
            let broker = broker ?? settings.domain.map({ DeviceBroker(host: $0.host(of: Slot(of: device))) })
        else { return nil }
        return FirmwareSetup(firmware: firmware, device: device, broker: broker, password: password).text
    }

    /// The settings of the command, read before anything is changed.
    private struct Settings: Sendable {
        let database: DatabaseSettings
        let brokers: [MQTTConfiguration]
        let domain: BrokerDomain?
        let http: DeviceOrigin?
        let keys: DeviceKeys
        let secretKeys: SecretKeys

        init?(_ reader: ConfigurationReader) {
            database = reader.database()
            brokers = MQTTConfiguration.all(reader.broker())
            domain = reader.brokerDomain()
            http = reader.deviceOrigin()
            let (keys, secretKeys) = (reader.deviceKeys(), reader.secretKeys())
            guard let keys, let secretKeys else { return nil }
            self.keys = keys
            self.secretKeys = secretKeys
        }
    }
}

extension Firmware: ExpressibleByArgument {}
extension DeviceBroker: ExpressibleByArgument {}

struct DeviceReport: Report {
    enum State: String, Encodable { case added, restored, renewed }

    var deviceId: String
    var state: State
    var claimCode: String?
    /// The broker's host name for the device's slot, if the operator has a domain.
    var mqttHost: String?
    var mqttUser: String?
    var mqttPassword: String?
    /// Address for readings over HTTP, with the same password; nil where none is served.
    var httpUrl: String?
    /// Instructions for the device's firmware.
    var setup: String?

    var text: String {
        var lines: [String] = []
        if state == .restored {
            lines.append(
                "Device \(deviceId) exists. Its account at the broker was missing and is there again, with the same password."
            )
        }
        lines += [
            ("Device", deviceId), ("Claim code", claimCode), ("MQTT host", mqttHost), ("MQTT user", mqttUser),
            ("MQTT password", mqttPassword), ("or HTTP POST", httpUrl),
        ]
        .compactMap { title, value in
            value.map { title + String(repeating: " ", count: 15 - title.count) + $0 }
        }
        switch state {
        case .added:
            lines.append(
                "Note them now: they are not shown again. The owner links it: aqua device link EMAIL \(claimCode ?? "") --name NAME"
            )
        case .renewed:
            lines.append("Note the claim code now: it is not shown again, and the one before no longer works.")
        case .restored: break
        }
        if let setup { lines += ["", setup] }
        return lines.joined(separator: "\n")
    }
}
