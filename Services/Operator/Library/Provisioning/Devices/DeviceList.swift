import ArgumentParser
import Postgres
import Store
import WaterQuality

/// `aqua device list`
struct DeviceList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows all devices, who owns them, and when they were last heard.",
        discussion: "Example:  aqua device list --json")

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let rows = try await context.withDatabase { try await $0.allDevices() }
        try context.console.show(DeviceListReport(devices: rows.map(DeviceListReport.Line.init)), output)
    }
}

extension PostgresConnection {
    /// Page by page, so that no single statement holds all of them.
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

        init(_ row: ListDevices.Row) {
            deviceId = row.device.hardwareID
            owner = row.device.ownerEmail
            name = row.device.name
            online = row.online
            lastReadingAt = row.lastReadingAt?.iso8601
        }
    }

    var devices: [Line]

    var text: String {
        guard !devices.isEmpty else { return "There is no device yet. Add one: aqua device add DEVICE-ID" }
        var table = TextTable(["DEVICE", "STATUS", "LAST READING", "OWNER", "NAME"])
        for device in devices {
            let status = device.online.map { $0 ? "online" : "offline" }
            table.add([
                device.deviceId, status ?? "-", device.lastReadingAt ?? "never", device.owner ?? "-",
                device.name ?? "-",
            ])
        }
        return table.text
    }
}
