import BrokerControl
import ArgumentParser
import WaterQuality

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Devices and who owns them.",
        subcommands: [DeviceAdd.self, DeviceLink.self, DeviceUnlink.self, DeviceRotateKey.self, DeviceList.self])
}

extension Device.HardwareID {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let id = Device.HardwareID(argument), !argument.hasPrefix(DynamicSecurity.reservedPrefix) else {
            throw OperatorError(
                .invalidInput,
                "A device id has 1 to \(Self.longest) of the characters A-Z a-z 0-9 _ - "
                    + "and does not begin with \(DynamicSecurity.reservedPrefix)."
            )
        }
        self = id
    }
}
