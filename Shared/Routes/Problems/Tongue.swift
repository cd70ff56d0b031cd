/// A language of answers to people.
package enum Tongue: String, CaseIterable, Hashable, Sendable {
    case en, ja, es
}

/// One text in every language of answers.
///
/// A name in braces, such as `{maximum}`, stands for a parameter.
package struct Localised: Hashable, Sendable {
    package let en: String
    package let ja: String
    package let es: String

    package init(en: String, ja: String, es: String) {
        self.en = en
        self.ja = ja
        self.es = es
    }

    package func callAsFunction(_ tongue: Tongue) -> String {
        switch tongue {
        case .en: en
        case .ja: ja
        case .es: es
        }
    }

    /// The text with its parameters filled in.
    package func callAsFunction(_ tongue: Tongue, _ parameters: [JSON.Member]) -> String {
        var text = ""
        var rest = self(tongue)[...]
        // Parameters are replaced in one pass, so that a value in braces is not taken for a parameter.
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            text += rest[..<open]
            if let parameter = parameters.first(where: { $0.name == name }) {
                text += parameter.value.string ?? parameter.value.text
            } else {
                text += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
