import WaterQuality

extension ReadingsPayload {
    /// A bare number, as ESPHome and reef-pi publish it, such as `24.56`, under a topic that names the parameter,
    /// without time or unit. ESPHome sends `nan` or `None` when a probe could not measure.
    /// - Parameters:
    ///   - parameter: nil where the topic names none.
    ///   - unit: nil for the canonical one.
    init(number bytes: [UInt8], of parameter: Parameter?, in unit: Unit?) throws(JSONScanner.Fault) {
        self.init()
        guard let parameter else {
            note(.unknownParameter, "the topic names no parameter")
            return
        }
        var scanner = JSONScanner(bytes)
        if bytes.span.spells("None") {
            noteBroken(parameter, "\(parameter.name) is None: its probe cannot be read")
            return
        }
        if try scanner.peek() == .notANumber {
            try scanner.notANumber()
            keep(.nan, unit?.rawValue, parameter)
        } else {
            keep(try scanner.number(), unit?.rawValue, parameter)
        }
        try scanner.expectEnd()
    }
}
