package import Words

extension Parameter {
    /// A sentence about the parameter in one of its states, such as `low` or `silent`: its own (`water.ph_low`), or that of any
    /// parameter (`water.any_low`) with its name, in the form of its gender.
    package func text(
        _ state: String, in language: Language, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        let own = "water.\(name)_\(state)"
        if language.has(own) { return language.text(own, values) }
        let gender = "water.\(name)_gender"
        return language.text(
            "water.any_\(state)", form: language.has(gender) ? language.text(gender) : "other",
            values: { place in
                switch place {
                case "name": word("subject", in: language)
                case "noun": word("noun", in: language)
                default: values.first { $0.key == place }?.value
                }
            })
    }

    /// The name in a form that it may have: at the beginning of a sentence (`subject`), or inside of one (`noun`).
    private func word(_ form: String, in language: Language) -> String {
        let key = "water.\(name)_\(form)"
        return language.text(language.has(key) ? key : "water.\(name)")
    }
}

extension String {
    /// The state of which a reminder tells: `stillLow` of `low`.
    var still: String { "still" + prefix(1).uppercased() + dropFirst() }
}
