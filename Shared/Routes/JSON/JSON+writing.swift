extension JSON {
    /// The value as UTF-8 text without white space, members in order.
    package var bytes: [UInt8] {
        var text = JSONText()
        text.append(self)
        return text.bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
