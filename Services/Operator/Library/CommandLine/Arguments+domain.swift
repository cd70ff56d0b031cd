import BrokerControl
import People
import WaterQuality

extension EmailAddress {
    /// - Throws: `invalidInput`.
    init(argument: String) throws(OperatorError) {
        guard let address = EmailAddress(argument) else {
            throw OperatorError(.invalidInput, "An account is named by an e-mail address such as ada@example.org.")
        }
        self = address
    }
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

extension Parameter {
    /// - Throws: `invalidInput`, which lists all names.
    init(argument: String) throws(OperatorError) {
        guard let parameter = Parameter(name: argument) else {
            let names = Parameter.allCases.map(\.name).joined(separator: ", ")
            throw OperatorError(.invalidInput, "The parameters are \(names).")
        }
        self = parameter
    }

    /// The unit of this spelling, if values of the parameter can be shown in it.
    /// - Throws: `invalidInput`, which lists the units that can be chosen.
    func chosenUnit(_ spelling: String) throws(OperatorError) -> Unit {
        if let unit = unit(spelling: spelling), choosableUnits.contains(unit) { return unit }
        throw refusal(of: spelling)
    }

    /// The error of a unit in which the parameter is not shown.
    func refusal(of spelling: String) -> OperatorError {
        let choices = choosableUnits.map { $0.symbol.isEmpty ? $0.rawValue : $0.symbol }
        return OperatorError(
            .invalidInput, "\(name) is not shown in \(spelling). Choose \(choices.joined(separator: " or ")).")
    }
}

extension Preset {
    /// - Throws: `invalidInput`, which lists the presets.
    init(argument: String) throws(OperatorError) {
        guard let preset = Preset(rawValue: argument) else {
            let names = Preset.allCases.map(\.rawValue).joined(separator: ", ")
            throw OperatorError(.invalidInput, "The presets are \(names).")
        }
        self = preset
    }
}
