import ArgumentParser
import Instants
import People
import Postgres
import Store
import WaterQuality

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Devices and who owns them.",
        subcommands: [
            DeviceAdd.self, DeviceImport.self, DeviceLink.self, DeviceUnlink.self, DeviceRotateKey.self,
            DeviceProbe.self, DeviceCertificateCommand.self,
            DeviceLifeCommand.self, DeviceRejects.self, DeviceDeleteReadings.self, DeviceList.self,
        ])
}

extension DeviceName {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let name = DeviceName(argument) else {
            throw OperatorError(.invalidInput, "A device's name has 1 to \(Self.longest) characters on one line.")
        }
        self = name
    }
}

extension ClaimCode {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let code = ClaimCode(argument) else {
            throw OperatorError(
                .invalidInput,
                "A claim code has \(Self.length) characters in groups of four, such as 7KQ2-M8XD-0R4T; the letter U is not among them."
            )
        }
        self = code
    }
}

/// `aqua device list`
struct DeviceList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows all devices but the canary, who owns them, when they were last heard, and their open alarms.",
        discussion: """
            Times are those of this machine's zone, or of --zone; in JSON they are UTC.

            Example:  aqua device list --zone Europe/Madrid
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The zone of times: Europe/Madrid, -06:00, UTC. (default: this machine's)", valueName: "ZONE"),
        transform: Zone.init(argument:))
    var zone: Zone?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let domain = try context.environment.read { $0.brokerDomain() }
        let rows = try await context.withDatabase { try await $0.allDevices().filter { !$0.isCanary } }
        try context.console.show(
            DeviceListReport(devices: rows.map { DeviceListReport.Line($0, domain, zone ?? .local) }), output)
    }
}

extension PostgresConnection {
    /// Reads all devices page by page, so that no statement returns all of them at once.
    func allDevices(pageSize: Int = 1000) async throws -> [ListDevices.Row] {
        var rows: [ListDevices.Row] = []
        while true {
            let page = try await execute(ListDevices(after: rows.last?.device.hardwareID ?? "", limit: pageSize))
            rows += page
            if page.count < pageSize { return rows }
        }
    }
}

struct DeviceListReport: Report {
    struct Line: Encodable {
        var deviceId: String
        var owner: String?
        var name: String?
        var online: Bool?
        var lastReadingAt: String?
        /// Alarms that are open.
        var alarms: Int64
        /// The broker's host name for the device's slot, if the operator has a domain.
        var mqttHost: String?

        /// `lastReadingAt` in the chosen time zone.
        fileprivate var localTime: String?

        private enum CodingKeys: CodingKey { case deviceId, owner, name, online, lastReadingAt, alarms, mqttHost }

        init(_ row: ListDevices.Row, _ domain: BrokerDomain?, _ zone: Zone) {
            deviceId = row.device.hardwareID
            owner = row.device.ownerEmail
            name = row.device.name
            online = row.online
            lastReadingAt = row.lastReadingAt?.iso8601
            alarms = row.alarms
            localTime = row.lastReadingAt.map(zone.text)
            mqttHost = domain?.host(of: row.device.key.slot)
        }
    }

    var devices: [Line]

    var text: String {
        guard !devices.isEmpty else { return "There is no device yet. Add one: aqua device add DEVICE-ID" }
        let hasHosts = devices.contains { $0.mqttHost != nil }
        var table = TextTable(
            ["DEVICE", "STATUS", "ALARMS", "LAST READING", "OWNER", "NAME"] + (hasHosts ? ["MQTT HOST"] : []))
        for device in devices {
            let status = device.online.map { $0 ? "online" : "offline" }
            table.add(
                [
                    device.deviceId, status ?? "-", device.alarms > 0 ? "\(device.alarms)" : "-",
                    device.localTime ?? "never", device.owner ?? "-", device.name ?? "-",
                ] + (hasHosts ? [device.mqttHost ?? "-"] : []))
        }
        return table.text
    }
}
