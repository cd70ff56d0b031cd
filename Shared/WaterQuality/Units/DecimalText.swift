/// Decimal numbers as text.
enum DecimalText {
    /// The text of a number of units of ten to the minus `decimals`, with all digits: 12.0, -0.5.
    static func number(_ count: Int64, decimals: Int, mark: Character) -> String {
        var digits = String(count.magnitude)
        if decimals > 0 {
            while digits.utf8.count <= decimals { digits = "0" + digits }
            digits.insert(mark, at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return count < 0 ? "-" + digits : digits
    }
}
