/// Numbers as people write them.
enum DecimalText {
    /// Steps of ten to the minus `decimals`, with all the digits of the sensor's precision: 12.0, -0.5.
    static func number(_ steps: Steps, decimals: Int, mark: Character) -> String {
        var digits = String(steps.count.magnitude)
        if decimals > 0 {
            while digits.utf8.count <= decimals { digits = "0" + digits }
            digits.insert(mark, at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return steps.count < 0 ? "-" + digits : digits
    }
}
