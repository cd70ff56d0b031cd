/// How well a pH electrode still answers, by what it gives in two buffers.
package struct ElectrodeHealth: Hashable, Sendable {
    /// The millivolts of one pH, in percent of what theory says.
    package var slope: Double
    /// The millivolts in a buffer of pH 7, where theory says none.
    package var offset: Double

    /// One buffer, and what the electrode gave in it.
    package struct Buffer: Hashable, Sendable {
        package var ph: Double
        package var millivolts: Double

        package init(ph: Double, millivolts: Double) {
            self.ph = ph
            self.millivolts = millivolts
        }
    }

    /// Millivolts of one pH after Nernst, at a temperature in °C: 59.16 at 25, 58.17 at 20.
    package static func nernst(at temperature: Double) -> Double { 0.19842 * (temperature + 273.15) }

    /// - Parameter temperature: That of the buffers, in °C.
    /// - Returns: `nil` for two buffers that are as good as one.
    package init?(_ first: Buffer, _ second: Buffer, at temperature: Double = 25) {
        let span = second.ph - first.ph
        guard abs(span) >= 1 else { return nil }
        let perPH = (first.millivolts - second.millivolts) / span
        slope = perPH / Self.nernst(at: temperature) * 100
        offset = first.millivolts + perPH * (first.ph - 7)
    }

    /// The electrode's response. The bounds are a convention of makers, who have an electrode replaced below 85 to 90 percent, or beyond 30 mV.
    /// The raw values are a promise to clients.
    package enum Grade: String, CaseIterable, Sendable, Encodable {
        case sound
        /// Still good, and not for long.
        case aging
        /// Time for another electrode.
        case worn
    }

    package var grade: Grade {
        if slope < 85 || abs(offset) > 30 { return .worn }
        return slope < 90 ? .aging : .sound
    }
}
