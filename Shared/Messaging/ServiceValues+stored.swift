import FoundationEssentials

extension ServiceValues {
    /// The form in which they are sealed: a JSON object.
    package func stored() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode([String: String](uniqueKeysWithValues: map { ($0.rawValue, $1) })))
    }

    /// - Returns: nil for bytes that are no such object. A field that this version does not know is left out.
    package init?(stored bytes: [UInt8]) {
        guard let texts = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else { return nil }
        self.init(
            texts.compactMap { name, value in ServiceField.Name(rawValue: name).map { ($0, value) } },
            uniquingKeysWith: { first, _ in first })
    }
}
