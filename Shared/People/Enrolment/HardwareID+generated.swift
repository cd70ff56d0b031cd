package import WaterQuality

extension Device.HardwareID {
    /// An id of the house's own making: `aqua-` and eight random characters of Crockford's base 32, 40 random bits.
    package static func generate() -> Device.HardwareID {
        var source = SystemRandomNumberGenerator()
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let random = UInt64.random(in: 0 ... .max, using: &source)
        let text = "aqua-" + String((0..<8).map { alphabet[Int(random >> (5 * UInt64($0)) & 31)] })
        guard let id = Device.HardwareID(text) else { preconditionFailure("its characters are those of an id") }
        return id
    }
}
