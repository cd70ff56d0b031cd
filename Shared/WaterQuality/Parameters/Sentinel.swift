/// Values that a probe or its driver sends instead of a measurement.
package enum Sentinel {
    /// Whether a canonical value is a fault of the probe, and so never water.
    ///
    /// NaN and infinities are faults for every parameter. For temperature, -127 °C is a fault too: DS18B20 drivers
    /// report it for a probe that does not answer.
    package static func isFault(_ value: Float, of parameter: Parameter) -> Bool {
        if !value.isFinite { return true }
        return parameter == .temperature && value == -127
    }
}
