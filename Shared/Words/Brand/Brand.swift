/// An installation's own look, which its operator chooses: the name by which people know it, and the accent of what they press.
package struct Brand: Hashable, Sendable {
    /// 1 to `longestName` characters.
    package private(set) var name: String
    package var accents: Accents

    /// The look of an installation that has none of its own.
    package static let product = Brand(name: "AquaMonitor", accents: .product)

    /// The look of the service that runs: words have its name in their places `{brand}`. A service binds it for as long as it runs, and
    /// everything that it does is in tasks below that.
    @TaskLocal package static var current = Brand.product

    package static let longestName = 40

    private init(name: String, accents: Accents) {
        self.name = name
        self.accents = accents
    }

    /// - Parameter name: Letters, digits, blanks and marks in one line, with none of `<>{}"`, which mean something where names are written.
    /// - Returns: nil for a name that is empty, too long, or has other characters.
    package init?(named name: String, accents: Accents = .product) {
        guard (1...Self.longestName).contains(name.count), name.unicodeScalars.count <= 4 * Self.longestName,
            name.first?.isWhitespace == false, name.last?.isWhitespace == false,
            name.unicodeScalars.allSatisfy(Self.isPlain)
        else { return nil }
        self.init(name: name, accents: accents)
    }

    /// Characters that are seen and keep to their line and direction.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // Joiners belong to names of some scripts; marks of direction would turn what stands beside.
        case .format: scalar == "\u{200c}" || scalar == "\u{200d}"
        default: !"<>{}\"".unicodeScalars.contains(scalar)
        }
    }

    /// The beginning of the names of files that people save, such as `aquamonitor-`: the name's ASCII letters and digits, with a hyphen
    /// between words; empty for a name without any.
    package var filePrefix: String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return words.isEmpty ? "" : words.joined(separator: "-") + "-"
    }

    /// The value of a place that a text may have without being given one.
    static func value(of place: Substring) -> String? { place == "brand" ? current.name : nil }
}
