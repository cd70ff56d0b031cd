/// Values that a probe or its driver sends instead of a measurement.
package enum Sentinel {
    /// Whether a canonical value says that the probe is broken, and so is never water.
    ///
    /// NaN and infinities do for every parameter. For temperature, two values of the DS18B20 do as well: drivers report -127 °C
    /// for a probe that does not answer, and its memory holds 85 °C from power-on until its first conversion. Exactly 85 is
    /// far beyond what we take for water; anything beside it, such as 85.1, is a measurement and alarms.
    package static func isFault(_ value: Float, of parameter: Parameter) -> Bool {
        if !value.isFinite { return true }
        return parameter == .temperature && (value == -127 || value == 85)
    }
}
