import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua device rejects`
struct DeviceRejects: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejects",
        abstract: "Shows what a device sent and could not be read.",
        discussion: """
            One line for each day, reason and subject, the latest first, for seven days and as long as the device has the same \
            owner, who sees the same on the device's page. What the broker refuses does not come so far.

            Example:  aqua device rejects pond-1
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.withDatabase { connection in
            let known = try await connection.sender(device)
            let rejects = try await connection.execute(ListDeviceRejects(of: known.key))
            try context.console.show(RejectsReport(device, rejects), output)
        }
    }
}

struct RejectsReport: Report {
    struct Line: Encodable {
        var day: String
        var reason: String
        var subject: String
        var messages: Int32
        var firstAt: String
        var lastAt: String
        var topic: String
        var detail: String
        /// The beginning of the last message, without invisible characters.
        var sample: String

        init(_ reject: DeviceReject) {
            day = reject.day
            reason = reject.reason
            subject = ForeignText.shown(reject.subject, longest: 64)
            messages = reject.messages
            firstAt = reject.firstAt.iso8601
            lastAt = reject.lastAt.iso8601
            topic = ForeignText.shown(reject.topic, longest: 200)
            detail = ForeignText.shown(reject.detail, longest: 400)
            sample = ForeignText.shown(reject.payload, longest: 200)
        }
    }

    var deviceId: String
    var rejects: [Line]

    init(_ device: Device.HardwareID, _ rejects: [DeviceReject]) {
        deviceId = device.text
        self.rejects = rejects.map(Line.init)
    }

    var text: String {
        guard !rejects.isEmpty else { return "Everything that \(deviceId) sent in the last seven days could be read." }
        var table = TextTable(["LAST", "MESSAGES", "REASON", "DETAIL", "SAMPLE"])
        for line in rejects { table.add([line.lastAt, "\(line.messages)", line.reason, line.detail, line.sample]) }
        return table.text
    }
}
