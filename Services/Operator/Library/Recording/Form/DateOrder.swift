/// Whether a date such as 3/4/2021 is the third of April or the fourth of March.
enum DateOrder: Hashable, Sendable {
    case monthFirst, dayFirst

    /// Evidence for the order of a file's dates: the dates themselves, and the name of their column.
    struct Evidence: Hashable, Sendable {
        private var isSeen = false
        private var firstAbove12 = false
        private var secondAbove12 = false

        mutating func add(_ text: String) {
            let bytes = Array(text.utf8.prefix(11))
            let numbers = bytes.split(maxSplits: 2) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") }
                .map { Int(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 3, let first = numbers[0], let second = numbers[1], (1...31).contains(first),
                (1...31).contains(second), text.utf8.first != UInt8(ascii: "-")
            else { return }
            isSeen = true
            if first > 12 { firstAbove12 = true }
            if second > 12 { secondAbove12 = true }
        }

        /// - Parameter column: The name of the column, which may say `MM/DD/YYYY`.
        /// - Throws: `invalidInput` where neither the dates nor the name tell.
        func order(column: String) throws(OperatorError) -> DateOrder {
            guard isSeen, firstAbove12 == secondAbove12 else { return firstAbove12 ? .dayFirst : .monthFirst }
            let name = column.lowercased()
            if name.contains("mm/dd") || name.contains("mm-dd") { return .monthFirst }
            if name.contains("dd/mm") || name.contains("dd-mm") { return .dayFirst }
            // Dates of both kinds: whatever does not fit is refused row by row.
            if firstAbove12 { return .monthFirst }
            throw OperatorError(
                .invalidInput,
                "No date of the file tells whether the day or the month comes first: say --time-format '%d/%m/%Y %H:%M' or "
                    + "--time-format '%m/%d/%Y %H:%M', as times are written.")
        }
    }
}
