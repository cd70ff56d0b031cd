/// A pattern of dates and times in the manner of `strptime`.
///
/// - `%Y` year, four digits; `%y` two digits (69 to 99 are of the 1900s)
/// - `%m` month, `%d` day, `%H` hour, `%M` minute, `%S` second: one or two digits
/// - `%I` hour from 1 to 12, with `%p`: AM or PM
/// - `%f` fraction of a second: one to nine digits, kept to the microsecond
/// - `%z` offset from UTC: `Z`, `+02`, `+0200`, `+02:00`
/// - `%%` a percent sign; a blank: one or more blanks; everything else: itself
///
/// Year, month and day are required. D/M and M/D differ by the pattern alone: `%d/%m/%Y %H:%M`.
struct TimeFormat: Hashable, Sendable {
    enum Element: Hashable, Sendable {
        case year, shortYear, month, day, hour, hourOfHalf, half, minute, second, fraction, offset
        case blanks
        case literal(UInt8)
    }

    let elements: [Element]

    /// What is wrong with a pattern.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    init(_ pattern: String) throws(Fault) {
        elements = try Self.elements(of: pattern)
        let hasYear = elements.contains(.year) || elements.contains(.shortYear)
        guard hasYear, elements.contains(.month), elements.contains(.day) else {
            throw Fault(description: "a time format needs %Y (or %y), %m and %d")
        }
        guard elements.contains(.hourOfHalf) == elements.contains(.half) else {
            throw Fault(description: "%I and %p belong together: hours from 1 to 12, and AM or PM")
        }
    }

    private static func elements(of pattern: String) throws(Fault) -> [Element] {
        var elements: [Element] = []
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: " "):
                if elements.last != .blanks { elements.append(.blanks) }
            case UInt8(ascii: "%"):
                guard let letter = rest.popFirst() else {
                    throw Fault(description: "a time format does not end with %; write %% for a percent sign")
                }
                elements.append(try element(letter))
            default: elements.append(.literal(byte))
            }
        }
        return elements
    }

    private static func element(_ letter: UInt8) throws(Fault) -> Element {
        switch letter {
        case UInt8(ascii: "Y"): .year
        case UInt8(ascii: "y"): .shortYear
        case UInt8(ascii: "m"): .month
        case UInt8(ascii: "d"): .day
        case UInt8(ascii: "H"): .hour
        case UInt8(ascii: "I"): .hourOfHalf
        case UInt8(ascii: "p"): .half
        case UInt8(ascii: "M"): .minute
        case UInt8(ascii: "S"): .second
        case UInt8(ascii: "f"): .fraction
        case UInt8(ascii: "z"): .offset
        case UInt8(ascii: "%"): .literal(letter)
        default:
            throw Fault(
                description: "%\(Character(Unicode.Scalar(letter))) is no part of a time format; there are "
                    + "%Y %y %m %d %H %I %p %M %S %f %z %%")
        }
    }
}
