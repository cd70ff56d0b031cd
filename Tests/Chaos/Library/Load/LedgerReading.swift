/// A reading in its device's ledger.
package struct LedgerReading: Hashable, Sendable {
    package var device: String
    /// The time by the device's clock, in microseconds since 1970.
    package var time: Int
    /// The values in tenths, in the order of `Water.all`.
    package var values: [Int]
    /// The time at which the broker acknowledged the reading, on the same clock.
    package var handedOverAt: Int?
    /// The commit receipt's status, if the device asked for one.
    package var receipt: String?
    package var asksForReceipt: Bool

    package init(
        device: String, time: Int, values: [Int], handedOverAt: Int? = nil, receipt: String? = nil,
        asksForReceipt: Bool = false
    ) {
        self.device = device
        self.time = time
        self.values = values
        self.handedOverAt = handedOverAt
        self.receipt = receipt
        self.asksForReceipt = asksForReceipt
    }

    /// - Parameter part: The positions in `Water.all` that the message contains.
    func payload(_ part: Range<Int>) -> [UInt8] {
        let readings = part.map { "\"\(Water.all[$0].parameter)\":\(values[$0] / 10).\(values[$0] % 10)" }
        return Array(#"{"time":\#(Self.seconds(time)),"readings":{\#(readings.joined(separator: ","))}}"#.utf8)
    }

    /// Microseconds as seconds with six digits.
    static func seconds(_ microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    }
}
