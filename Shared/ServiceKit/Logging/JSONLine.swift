/// Writes one JSON object byte by byte, without intermediate strings.
struct JSONLine {
    private(set) var bytes: [UInt8]
    private var isFirst = true

    init() {
        bytes = []
        bytes.reserveCapacity(256)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Starts the next member; its value has to follow.
    mutating func key(_ name: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { escaped(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a text that is JSON already, such as a number.
    mutating func literal(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func array<Element>(_ elements: [Element], _ value: (inout JSONLine, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            value(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Ends the object and the line.
    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"):
            literal("\\n")
        case UInt8(ascii: "\r"):
            literal("\\r")
        case UInt8(ascii: "\t"):
            literal("\\t")
        case 0..<0x20, 0x7F:
            literal("\\u00")
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 0xF))
        default:
            bytes.append(byte)
        }
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
