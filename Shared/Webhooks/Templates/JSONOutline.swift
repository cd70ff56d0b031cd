/// Reads JSON byte by byte and knows what may come next, so that a text with places in it can be shown to be JSON whatever is put there.
///
/// Two texts that leave it in the same state can stand for each other, whatever follows (`joined`).
struct JSONOutline: Hashable {
    private enum Container: Hashable { case object, array }

    fileprivate enum Number: Hashable {
        case sign, zero, digits, point, fraction, exponent, exponentSign, exponentDigit, exponentDigits

        /// Whether the number could end here.
        var isWhole: Bool { [.zero, .digits, .fraction, .exponentDigit, .exponentDigits].contains(self) }
    }

    private enum State: Hashable {
        case value
        /// A value, or the end of an array.
        case firstValue
        case key
        /// A key, or the end of an object.
        case firstKey
        case colon
        /// A comma, or the end of what is open.
        case next
        case string(isKey: Bool)
        case escape(isKey: Bool)
        /// The hexadecimal digits of an escape, which names no half of a pair: such text is no Unicode.
        case digits(isKey: Bool, read: Int, startsWithD: Bool)
        case number(Number, length: Int)
        /// The rest of `true`, `false` or `null`.
        case word(ArraySlice<UInt8>)
    }

    /// The deepest nesting: readers give up somewhere.
    private static let deepest = 32
    /// The longest number, with an exponent of two digits: readers have no others.
    private static let longestNumber = 20
    private var state = State.value
    private var open: [Container] = []

    /// Whether all is there.
    var isWhole: Bool {
        guard open.isEmpty else { return false }
        if case .number(let number, _) = state { return number.isWhole }
        return state == .next
    }

    /// What can be put here.
    enum Place { case value, text, nothing }

    var place: Place {
        switch state {
        case .value, .firstValue: .value
        // Never within a key: two of one name would let a value take another's place.
        case .string(isKey: false): .text
        default: .nothing
        }
    }

    /// The state behind two texts of which either may stand there. A number of one that the other does not have ends.
    /// - Returns: nil where what may follow one may not follow the other.
    func joined(with other: JSONOutline) -> JSONOutline? {
        guard self != other else { return self }
        guard open == other.open else { return nil }
        var joined = self
        switch (state, other.state) {
        case (.number(let number, let length), .number(let otherNumber, let otherLength)) where number == otherNumber:
            joined.state = .number(number, length: max(length, otherLength))
        case (.number(let number, _), .number(let otherNumber, _)) where number.isWhole && otherNumber.isWhole:
            joined.state = .next
        case (.number(let number, _), .next), (.next, .number(let number, _)):
            guard number.isWhole else { return nil }
            joined.state = .next
        default: return nil
        }
        return joined
    }

    /// Takes a whole value that stands here.
    mutating func takeValue() { state = .next }

    /// - Returns: Whether the byte may stand here.
    mutating func read(_ byte: UInt8) -> Bool {
        switch state {
        case .string(let isKey): return readText(byte, isKey)
        case .escape(let isKey): return readEscape(byte, isKey)
        case .digits(let isKey, let read, let startsWithD): return readDigit(byte, isKey, read, startsWithD)
        case .number(let number, let length):
            if length < Self.longestNumber, let next = number.next(byte) {
                state = .number(next, length: length + 1)
                return true
            }
            guard number.isWhole else { return false }
            state = .next
            return self.read(byte)
        case .word(let rest):
            guard rest.first == byte else { return false }
            state = rest.count == 1 ? .next : .word(rest.dropFirst())
            return true
        default: break
        }
        if [0x20, 0x09, 0x0A, 0x0D].contains(byte) { return true }
        return readToken(byte)
    }

    private mutating func readToken(_ byte: UInt8) -> Bool {
        switch (state, byte) {
        case (.firstValue, UInt8(ascii: "]")): return close(.array)
        case (.value, _), (.firstValue, _): return readValue(byte)
        case (.firstKey, UInt8(ascii: "}")): return close(.object)
        case (.key, UInt8(ascii: "\"")), (.firstKey, UInt8(ascii: "\"")): state = .string(isKey: true)
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.next, UInt8(ascii: ",")):
            guard let container = open.last else { return false }
            state = container == .object ? .key : .value
        case (.next, UInt8(ascii: "}")): return close(.object)
        case (.next, UInt8(ascii: "]")): return close(.array)
        default: return false
        }
        return true
    }

    private mutating func readValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"): return begin(.object, .firstKey)
        case UInt8(ascii: "["): return begin(.array, .firstValue)
        case UInt8(ascii: "\""): state = .string(isKey: false)
        case UInt8(ascii: "-"): state = .number(.sign, length: 1)
        case UInt8(ascii: "0"): state = .number(.zero, length: 1)
        case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .number(.digits, length: 1)
        default:
            guard let word = ["true", "false", "null"].first(where: { $0.utf8.first == byte }) else { return false }
            state = .word(Array(word.utf8)[1...])
        }
        return true
    }

    private mutating func begin(_ container: Container, _ first: State) -> Bool {
        guard open.count < Self.deepest else { return false }
        open.append(container)
        state = first
        return true
    }

    private mutating func close(_ container: Container) -> Bool {
        guard open.popLast() == container else { return false }
        state = .next
        return true
    }

    private mutating func readText(_ byte: UInt8, _ isKey: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): state = isKey ? .colon : .next
        case UInt8(ascii: "\\"): state = .escape(isKey: isKey)
        default: return byte >= 0x20
        }
        return true
    }

    private mutating func readEscape(_ byte: UInt8, _ isKey: Bool) -> Bool {
        if byte == UInt8(ascii: "u") {
            state = .digits(isKey: isKey, read: 0, startsWithD: false)
            return true
        }
        state = .string(isKey: isKey)
        return "\"\\/bfnrt".utf8.contains(byte)
    }

    private mutating func readDigit(_ byte: UInt8, _ isKey: Bool, _ read: Int, _ startsWithD: Bool) -> Bool {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return false }
        if read == 1, startsWithD, digit >= 8 { return false }
        state =
            read == 3
            ? .string(isKey: isKey)
            : .digits(isKey: isKey, read: read + 1, startsWithD: read == 0 ? digit == 0xD : startsWithD)
        return true
    }
}

extension JSONOutline.Number {
    /// The state behind a byte that belongs to the number; `nil` for one that does not.
    fileprivate func next(_ byte: UInt8) -> Self? {
        switch (self, Unicode.Scalar(byte)) {
        case (.sign, "0"): .zero
        case (.sign, "1"..."9"), (.digits, "0"..."9"): .digits
        case (.zero, "."), (.digits, "."): .point
        case (.point, "0"..."9"), (.fraction, "0"..."9"): .fraction
        case (.zero, "e"), (.zero, "E"), (.digits, "e"), (.digits, "E"), (.fraction, "e"), (.fraction, "E"): .exponent
        case (.exponent, "+"), (.exponent, "-"): .exponentSign
        case (.exponent, "0"..."9"), (.exponentSign, "0"..."9"): .exponentDigit
        case (.exponentDigit, "0"..."9"): .exponentDigits
        default: nil
        }
    }
}
