import WaterQuality

/// The id of the last value of a parameter: `pond-1.ph`, or `pond-1.ph.hand` of one that a person measured. Ids of devices have no full stops.
struct ObservationID: Hashable, Sendable {
    var device: String
    var parameter: Parameter
    var isByHand: Bool

    init(device: String, parameter: Parameter, isByHand: Bool) {
        (self.device, self.parameter, self.isByHand) = (device, parameter, isByHand)
    }

    var text: String { "\(device).\(parameter.name)\(isByHand ? ".hand" : "")" }

    /// - Returns: nil for what `text` would not have written.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 && parts[2] == "hand", Device.HardwareID(String(parts[0])) != nil,
            let parameter = Parameter.allCases.first(where: { $0.name == parts[1] })
        else { return nil }
        self.init(device: String(parts[0]), parameter: parameter, isByHand: parts.count == 3)
    }
}
