extension Language {
    /// The text under a key, such as `notice.low`.
    ///
    /// A key that a language lacks is a fault that tests find; until it is mended the English text stands, or the key itself.
    /// - Parameters:
    ///   - values: The values for the text's places in braces. A value is never taken for a place. The place `brand` needs none: it has the
    ///     name of the installation.
    ///   - form: The form of a text that has several: `one` or `other` of a count, or a gender.
    package func text(_ key: String, _ values: KeyValuePairs<String, String> = [:], form: String = "other") -> String {
        template(key, form)?.filled { name in
            values.first { $0.key == name }?.value ?? Brand.value(of: name)
        } ?? key
    }

    /// The text under a key, with its values found by their names; `nil` leaves a place as it is.
    package func text(_ key: String, form: String = "other", values: (Substring) -> String?) -> String {
        template(key, form)?.filled { values($0) ?? Brand.value(of: $0) } ?? key
    }

    package func has(_ key: String) -> Bool { catalogue.texts[key] != nil }

    /// A quantity: `25.6 °C`, `7.9`; Japanese sets the degree sign without a space.
    package func quantity(_ number: String, _ unit: String) -> String {
        if unit.isEmpty { return number }
        return text(unit.hasPrefix("°") ? "language.degrees" : "language.quantity", ["number": number, "unit": unit])
    }

    /// Sentences one after another; empty ones are left out.
    package func joined(_ sentences: [String]) -> String {
        var text = ""
        for sentence in sentences where !sentence.isEmpty {
            text = text.isEmpty ? sentence : self.text("language.sentences", ["first": text, "next": sentence])
        }
        return text
    }

    private func template(_ key: String, _ form: String) -> Template? {
        (catalogue.texts[key] ?? Language.en.catalogue.texts[key])?[form]
    }
}
