/// The decimal mark of a file's numbers.
enum DecimalMark: String, CaseIterable, Hashable, Sendable {
    case point, comma

    /// A cell with a decimal point; nil if it is written with the other mark.
    func pointed(_ cell: String) -> String? {
        guard self == .comma else { return cell }
        guard !cell.utf8.contains(UInt8(ascii: ".")) else { return nil }
        return String(decoding: cell.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
    }

    /// Evidence for the decimal mark, from a file's cells.
    struct Evidence: Hashable, Sendable {
        private var points = 0
        private var commas = 0
        /// Commas that cannot separate thousands.
        private var certainCommas = 0

        mutating func add(_ cell: String) {
            let bytes = Array(cell.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") })
            let parts = bytes.split(omittingEmptySubsequences: false) {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".")
            }
            guard parts.count == 2, !parts[1].isEmpty,
                parts.allSatisfy({ $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
            else { return }
            guard bytes.contains(UInt8(ascii: ",")) else {
                points += 1
                return
            }
            commas += 1
            let isThousands =
                parts[1].count == 3 && (1...3).contains(parts[0].count) && parts[0].first != UInt8(ascii: "0")
            if !isThousands { certainCommas += 1 }
        }

        /// The mark of most cells; the other cells are then no numbers.
        /// - Parameter separator: Spreadsheets separate columns by semicolons where the comma is the decimal mark.
        /// - Throws: `invalidInput` where the cells do not tell.
        func mark(separator: UInt8) throws(OperatorError) -> DecimalMark {
            if commas == 0 || points > commas { return .point }
            if points < commas, certainCommas > 0 || separator == UInt8(ascii: ";") { return .comma }
            throw OperatorError(
                .invalidInput,
                "The numbers of the file have commas that may be decimal marks or lie between thousands: say "
                    + "--decimal comma or --decimal point.")
        }
    }
}
