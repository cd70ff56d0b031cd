import ArgumentParser
import BrokerControl
import FoundationEssentials
import MQTT
import People
import Postgres
import Secrets
import ServiceKit
import Store
import WaterQuality

/// `aqua device import`
struct DeviceImport: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds the devices of a table: their accounts at the broker and their claim codes.",
        discussion: """
            The table (CSV) has the columns hardware_id, name, firmware and preset in any order, of which the first is needed; name and the others \
            go into the result, for labels. Everything that is wrong with it is said by line, and then nothing is done.

            Prints, this once, a table with the password and the claim code of each device that is new. Run again, as after an interruption, it \
            adds those that are missing; of the others it prints neither.

            Mosquitto writes all accounts again for each that is added while it runs. For more than it can bear, --offline adds the devices alone; \
            then aqua broker refill --offline prints all accounts for deploy/broker/init --accounts, and the broker takes them when it starts.

            Example:  aqua device import farm.csv --dry-run
                      aqua device import farm.csv >keys.csv
            """)

    @Argument(help: "The table.", completion: .file())
    var file: String
    @Flag(help: "Say what would be added, and add nothing.")
    var dryRun = false
    @Flag(help: "Add the devices without their accounts at the broker, which then has to be refilled.")
    var offline = false

    /// The most devices of a table.
    static let most = 10_000
    private static let largestFile = 4 << 20
    /// Devices of one transaction.
    private static let page = 100

    func run(in context: OperatorContext) async throws {
        let settings = try context.environment.require { ImportSettings($0, needsBroker: !offline && !dryRun) }
        let list = try read(context.console)
        try await context.withDatabase(settings.database) { connection in
            let there = Set(try await connection.execute(FindDeviceKeys(list.entries.map(\.id))).map(\.hardwareID))
            let fresh = list.entries.filter { !there.contains($0.id.text) }
            context.console.complain(
                "\(fresh.count) devices \(dryRun ? "would be" : "are") added; \(there.count) are there already.")
            guard !dryRun, !fresh.isEmpty else { return }
            guard let brokers = settings.brokers else {
                try context.console.print(CSV.line(ImportedDevices.columns))
                return try await Self.add(fresh, connection, settings, context.console)
            }
            try await DynamicSecurity.with(firstOf: brokers) { security in
                try await Self.check(fresh.count, security)
                try context.console.print(CSV.line(ImportedDevices.columns))
                for start in stride(from: 0, to: fresh.count, by: Self.page) {
                    let page = Array(fresh[start..<min(start + Self.page, fresh.count)])
                    let foreign = try await security.makeDevices(
                        page.map {
                            (user: $0.id.text, password: settings.keys.password(hardwareID: $0.id.text, generation: 1))
                        })
                    for user in foreign.sorted() {
                        context.console.complain(
                            "\(user) is left out: the broker has an account of this name that is no device's.")
                    }
                    try await Self.add(
                        page.filter { !foreign.contains($0.id.text) }, connection, settings, context.console)
                }
            }
        }
    }

    /// - Throws: `invalidInput` after all faults were said.
    private func read(_ console: Console) throws -> EnrolmentList {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw OperatorError(.invalidInput, "\(file) cannot be read.")
        }
        guard data.count <= Self.largestFile else {
            throw OperatorError(.invalidInput, "\(file) has more than \(Self.largestFile >> 20) MiB.")
        }
        let list = EnrolmentList(Array(data), most: Self.most)
        guard list.faults.isEmpty else {
            for fault in list.faults { console.complain(fault.sentence) }
            throw OperatorError(.invalidInput, "Nothing was added: correct \(file).")
        }
        return list
    }

    private static func check(_ count: Int, _ security: DynamicSecurity) async throws {
        let known = try await security.listClients().count
        guard count * (known + count) <= DynamicSecurity.mostWrites else {
            throw OperatorError(
                .invalidInput,
                "\(count) accounts to add are too many for a broker that runs and has \(known). Add the devices with --offline, "
                    + "print all accounts with aqua broker refill --offline, hand them to deploy/broker/init --accounts, and start the broker again."
            )
        }
    }

    /// Adds the rows, and prints what is shown once before they are kept.
    private static func add(
        _ entries: [EnrolmentList.Entry], _ connection: PostgresConnection, _ settings: ImportSettings,
        _ console: Console
    ) async throws {
        for start in stride(from: 0, to: entries.count, by: Self.page) {
            let page = entries[start..<min(start + Self.page, entries.count)]
            do {
                try await connection.transaction(telling: console, json: false) { transaction in
                    var added: [ImportedDevices.Device] = []
                    for entry in page { added.append(try settings.add(entry, transaction)) }
                    return ImportedDevices(devices: added)
                }
            } catch let error as PostgresError where error.code == .uniqueViolation {
                throw OperatorError(
                    .conflict, "Somebody else added one of these devices at this moment. Run the command again.",
                    underlying: error)
            }
        }
    }
}

private struct ImportSettings: Sendable {
    let database: DatabaseSettings
    /// nil: the broker is not asked.
    let brokers: [MQTTConfiguration]?
    let domain: BrokerDomain?
    let http: DeviceOrigin?
    let keys: DeviceKeys
    let secretKeys: SecretKeys

    init?(_ reader: ConfigurationReader, needsBroker: Bool) {
        database = reader.database()
        brokers = needsBroker ? MQTTConfiguration.all(reader.broker()) : nil
        domain = reader.brokerDomain()
        http = reader.deviceOrigin()
        let (keys, secretKeys) = (reader.deviceKeys(), reader.secretKeys())
        guard let keys, let secretKeys else { return nil }
        self.keys = keys
        self.secretKeys = secretKeys
    }

    func add(
        _ entry: EnrolmentList.Entry, _ transaction: borrowing PostgresTransaction
    ) throws -> ImportedDevices.Device {
        let password = keys.password(hardwareID: entry.id.text, generation: 1)
        let code = ClaimCode.generate()
        try transaction.perform(
            AddDevice(
                hardwareID: entry.id, keyID: "\(keys.newest)", claimCode: code.stored(under: secretKeys.newest),
                keyHash: DeviceKeyHash(of: password).bytes))
        return ImportedDevices.Device(
            deviceId: entry.id.text, name: entry.name?.text, firmware: entry.firmware?.rawValue,
            preset: entry.preset, mqttHost: domain?.host(of: Slot(of: entry.id)), mqttPassword: password,
            httpUrl: http?.readings(of: entry.id), claimCode: "\(code)")
    }
}

/// Devices that were added, as rows of a table.
private struct ImportedDevices: Report {
    struct Device: Encodable {
        var deviceId: String
        var name: String?
        var firmware: String?
        var preset: String?
        var mqttHost: String?
        var mqttPassword: String
        var httpUrl: String?
        var claimCode: String

        fileprivate var cells: [String] {
            [deviceId, name, firmware, preset, mqttHost, mqttPassword, httpUrl, claimCode].map { $0 ?? "" }
        }
    }

    static let columns = [
        "hardware_id", "name", "firmware", "preset", "mqtt_host", "mqtt_password", "http_url", "claim_code",
    ]

    var devices: [Device]
    var text: String { devices.map { CSV.exactLine($0.cells) }.joined(separator: "\n") }
}

extension EnrolmentList.Fault {
    /// The fault in words, for the operator.
    fileprivate var sentence: String {
        let what =
            switch kind {
            case .empty: "lists no device; its first line names the columns, hardware_id among them"
            case .columns: "has a column \"\(detail ?? "")\"; there are hardware_id, name, firmware and preset"
            case .columnMissing: "has no column hardware_id"
            case .columnTwice: "has the column \(column?.rawValue ?? "") twice"
            case .cells: "has another number of cells than the first line"
            case .quote: "has a quotation mark that is not closed, or with text behind it"
            case .idMissing: "has no id"
            case .id:
                "has the id \"\(detail ?? "")\": 1 to \(Device.HardwareID.longest) of A-Z a-z 0-9 _ - are one, beginning with other than \(EnrolmentList.reservedPrefix)"
            case .idTwice: "has an id that line \(detail ?? "") has"
            case .name: "has a name of other than 1 to \(DeviceName.longest) visible characters"
            case .firmware:
                "has the firmware \"\(detail ?? "")\"; there are \(Firmware.allCases.map(\.rawValue).joined(separator: ", "))"
            case .preset:
                "has the preset \"\(detail ?? "")\"; there are \(Preset.allCases.map(\.rawValue).joined(separator: ", "))"
            case .tooMany: "is one too many: \(DeviceImport.most) devices at once"
            }
        return "Line \(line) \(what)."
    }
}
