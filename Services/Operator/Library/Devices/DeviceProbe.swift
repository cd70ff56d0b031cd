import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality
import Words

/// `aqua device probe`
struct DeviceProbe: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Lists a device's temperature probes, or names the one that is in the water.",
        discussion: """
            Firmware such as Tasmota and Shelly reports each probe with its Id. The first that is heard of counts as the water's; of the \
            others only the last value is kept. After a probe was replaced, its owner chooses the new one in the web app, or \
            you name it here. An Ingestor takes it within a minute.

            Example:  aqua device probe pond-1 00000566CC39
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Argument(
        help: "The Id of the probe in the water; without it the probes are listed.", transform: ProbeID.init(argument:))
    var probe: ProbeID?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.withDatabase { connection in
            let known = try await connection.sender(device)
            if let probe { try await connection.perform(ChooseProbe(probe, of: known.key)) }
            let probes = try await connection.execute(ListProbes(of: known.key))
            try context.console.show(ProbeReport(device, probes), output)
        }
    }
}

extension ProbeID {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let id = ProbeID(argument) else {
            throw OperatorError(
                .invalidInput,
                "A probe's Id has 1 to \(Self.longest) hexadecimal digits, such as 00000566CC39; the firmware shows it."
            )
        }
        self = id
    }
}

struct ProbeReport: Report {
    struct Probe: Encodable {
        var id: String
        var isInWater: Bool
        /// In °C.
        var temperature: Double?
        var reportedAt: String?
        fileprivate var shown: String

        private enum CodingKeys: CodingKey { case id, isInWater, temperature, reportedAt }

        init(_ probe: KnownProbe) {
            id = probe.id
            isInWater = probe.isChosen
            temperature = probe.temperature.map { Double($0) }
            reportedAt = probe.reportedAt?.iso8601
            shown = probe.temperature.map { Parameter.temperature.text($0, in: .celsius, .en) } ?? "-"
        }
    }

    var deviceId: String
    /// The Id of the probe in the water.
    var probe: String?
    var probes: [Probe]

    init(_ device: Device.HardwareID, _ probes: [KnownProbe]) {
        deviceId = device.text
        probe = probes.first(where: \.isChosen)?.id
        self.probes = probes.map(Probe.init)
    }

    var text: String {
        guard let probe else {
            return "\(deviceId) has not reported a probe with an Id: its only temperature is the water's."
        }
        let first = "Probe \(probe) measures the temperature of \(deviceId)."
        guard probes.count > 1 else { return first }
        var table = TextTable(["PROBE", "IN THE WATER", "LAST VALUE", "AT"])
        for probe in probes {
            table.add([probe.id, probe.isInWater ? "yes" : "no", probe.shown, probe.reportedAt ?? "-"])
        }
        return "\(first)\n\(table.text)"
    }
}
