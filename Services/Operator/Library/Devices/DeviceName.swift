/// What a person calls a device.
struct DeviceName: Hashable, Sendable {
    static let longest = 64
    let text: String

    /// - Throws: `invalidInput`.
    init(_ argument: String) throws(OperatorError) {
        let tail = argument.drop(while: \.isWhitespace)
        let text = String(tail.reversed().drop(while: \.isWhitespace).reversed())
        guard (1...Self.longest).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw OperatorError(.invalidInput, "A device's name has 1 to \(Self.longest) characters on one line.")
        }
        self.text = text
    }
}
