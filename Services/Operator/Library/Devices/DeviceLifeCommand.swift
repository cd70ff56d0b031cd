import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua device life`
struct DeviceLifeCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "life",
        abstract: "Shows what a device's firmware says of itself: version, battery, signal, restarts.",
        discussion: """
            The latest of each is kept, the least of each of sixty days, and the last changes. What explains a silence is said in its alert.

            Example:  aqua device life pond-1
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.withDatabase { connection in
            let known = try await connection.sender(device)
            let now = try await connection.execute(ReadClock()).first
            let life = try await connection.execute(FindDeviceLife(of: known.key)).first
            try context.console.show(DeviceLifeReport(device, life, now: now ?? .distantPast), output)
        }
    }
}

struct DeviceLifeReport: Report {
    var deviceId: String
    var firmware: String?
    var version: String?
    /// A newer version that the firmware itself knows of.
    var newer: String?
    /// In percent.
    var battery: Double?
    var daysLeft: Int?
    /// In dBm.
    var signal: Int?
    var linkQuality: Int?
    var startedAt: String?
    var resetReason: String?
    var restartsADay: Int
    var notedAt: String?

    init(_ device: Device.HardwareID, _ known: KnownLife?, now: Timestamp) {
        deviceId = device.text
        firmware = known?.family.rawValue
        version = known?.version
        newer = known?.newer
        battery = known?.life.battery.map { Double($0.value) }
        daysLeft = known?.life.daysLeft(now: now)
        signal = known?.life.signal.map { Int($0.value) }
        linkQuality = known?.linkQuality.map { Int($0) }
        startedAt = known?.startedAt?.iso8601
        resetReason = known?.reset
        restartsADay = known?.life.restartsADay(now: now) ?? 0
        notedAt = known?.notedAt.iso8601
    }

    var text: String {
        guard let firmware, let notedAt else { return "\(deviceId) has said nothing of itself." }
        let lasts = daysLeft.map { ", lasts about \($0) days" } ?? ""
        let rows: [(String, String?)] = [
            ("firmware", version.map { "\(firmware) \($0)" } ?? firmware), ("newer", newer),
            ("battery", battery.map { "\(Int($0.rounded())) %\(lasts)" }), ("signal", signal.map { "\($0) dBm" }),
            ("link quality", linkQuality.map { "\($0) of 255" }), ("started", startedAt), ("because", resetReason),
            ("restarts", restartsADay > 0 ? "about \(restartsADay) a day" : nil), ("said", notedAt),
        ]
        var table = TextTable(["LIFE", deviceId])
        for (name, value) in rows { if let value { table.add([name, value]) } }
        return table.text
    }
}
