import ArgumentParser
import Postgres
import Store
import WaterQuality

/// `aqua device probe`
struct DeviceProbe: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows or names the temperature probe that is in the water, of a device with several.",
        discussion: """
            Firmware such as Tasmota reports each probe with its Id. The first that is heard of counts as the water's; what \
            the others say is passed over. After a probe was replaced, name the new one. An Ingestor takes it within a minute.

            Example:  aqua device probe pond-1 00000566CC39
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Argument(
        help: "The Id of the probe in the water; without it the probe is shown.", transform: ProbeID.init(argument:))
    var probe: ProbeID?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await context.withDatabase { connection in
            guard let known = try await connection.execute(FindDevice(device)).first else {
                throw OperatorError(
                    .notFound, "There is no device \(device). Correct the id; aqua device list shows all.")
            }
            if let probe { try await connection.perform(ChooseProbe(probe, of: known.key)) }
            let current = try await connection.execute(ReadProbe(of: known.key)).first ?? nil
            try context.console.show(ProbeReport(deviceId: device.text, probe: current?.text), output)
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
    var deviceId: String
    var probe: String?

    var text: String {
        guard let probe else {
            return "\(deviceId) has not reported a probe with an Id: its only temperature is the water's."
        }
        return "Probe \(probe) measures the temperature of \(deviceId)."
    }
}
