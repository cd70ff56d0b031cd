import Words

/// The pages' fixed words in one language, which no declaration holds: section `page` of its catalogue.
struct PageTerms {
    let language: Language

    enum Term: String, CaseIterable {
        case contents, basics, address, inputs, name, place, form, meaning, required, answer, problems, example, objects
        case oneOf, nothing
    }

    func callAsFunction(_ term: Term, _ values: KeyValuePairs<String, String> = [:]) -> String {
        language.text("page.\(term.rawValue)", values)
    }

    func access(_ access: Access) -> String { language.text("page.access_\(access.rawValue)") }

    func place(_ place: FieldFault.Place) -> String { language.text("page.place_\(place.rawValue)") }

    func type(_ type: String) -> String {
        switch type {
        case "boolean": "true | false"
        case "any": "JSON"
        default: language.has("page.type_\(type)") ? language.text("page.type_\(type)") : type
        }
    }
}
