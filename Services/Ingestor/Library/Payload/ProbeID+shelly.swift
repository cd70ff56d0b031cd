import WaterQuality

extension ProbeID {
    /// The probe behind a component of a Shelly's add-on, such as `temperature:100`.
    /// - Returns: nil for any other component: numbers below 100 are temperatures of the device itself.
    init?(shellyComponent name: Span<UInt8>) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard name.count == 15, name.extracting(first: 13).spells("temperature:1"), digits.contains(name[13]),
            digits.contains(name[14])
        else { return nil }
        self.init("1\(name[13] - digits.lowerBound)\(name[14] - digits.lowerBound)")
    }
}
