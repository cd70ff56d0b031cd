import Routes
import WaterQuality
import Words

/// A protocol in the words of a language.
struct ShownFieldProtocol: Sendable {
    let sampling: FieldProtocol
    let language: Language

    init(_ sampling: FieldProtocol, in language: Language) {
        self.sampling = sampling
        self.language = language
    }

    var tag: EntityTag { EntityTag(version: Int64(sampling.version)) }
    var isBuiltIn: Bool { FieldProtocol.builtIn(sampling.id, version: sampling.version) == sampling }

    /// A part of it, in the same language.
    fileprivate struct Part<Value: Sendable>: Sendable {
        let value: Value
        let language: Language
        func text(_ text: FieldText) -> String { text.text(in: language) }
    }

    fileprivate func parts<Value: Sendable>(_ values: [Value]) -> [Part<Value>] {
        values.map { Part(value: $0, language: language) }
    }

    /// The members that people write.
    private static let written: [OutputMember<ShownFieldProtocol>] = [
        .member("name", .text, "Its name.", example: "River, quick") { $0.sampling.name.text(in: $0.language) },
        .member("help", .optional(of: .text), "How it goes.") { shown in
            shown.sampling.help.map { $0.text(in: shown.language) }
        },
        .member("stations", .integer, "The most stations of a route; 0: none.", example: 0) { $0.sampling.stations },
        .member("depths", .boolean, "Whether fields are asked at depths.") { $0.sampling.hasDepths },
        .member("fields", .list(of: field), "What is asked, in this order.") { $0.parts($0.sampling.fields) },
    ]

    static let output = Output<ShownFieldProtocol>.object(
        "FieldProtocol", "A protocol by which samples are taken.",
        [
            .member("id", .text, "Its name in samples.", example: "river-quick") { $0.sampling.id },
            .member("version", .integer, "Its version.", example: 1) { $0.sampling.version },
            .member("builtIn", .boolean, "Whether it comes with the service.") { $0.isBuiltIn },
        ] + written)

    static let stored = Output<ShownFieldProtocol>.object(
        "StoredFieldProtocol", "A protocol as it is stored.", written)

    private static let field = Output<Part<FieldProtocol.Field>>.object(
        "FieldProtocolField", "One thing that is asked.",
        [
            .member("id", .text, "Its name in samples.", example: "temperature") { $0.value.id },
            .member("kind", .choice(FieldProtocol.Kind.self), "What an answer is.") { $0.value.kind },
            .member("label", .text, "What is asked.", example: "Temperature") { $0.text($0.value.label) },
            .member("help", .optional(of: .text), "How it is done.", example: .null) { part in
                part.value.help.map(part.text)
            },
            .member(
                "parameter", .optional(of: .choice(Parameter.Name.self)),
                "The parameter of which it is a value by hand."
            ) { $0.value.parameter.map { Parameter.Name($0) } },
            .member("unit", .optional(of: .text), "The unit of its numbers.", example: "C") { $0.value.unit },
            .member("minimum", .optional(of: .decimal), "The least number that can be.", example: -5) {
                $0.value.minimum
            },
            .member("maximum", .optional(of: .decimal), "The greatest, likewise.", example: 60) { $0.value.maximum },
            .member("choices", .list(of: choice), "What is chosen from.") { part in
                part.value.choices.map { Part(value: $0, language: part.language) }
            },
            .member("species", .list(of: counted), "What is counted.") { part in
                part.value.counted.map { Part(value: $0, language: part.language) }
            },
            .member("required", .boolean, "Whether a finished sample says something of it.") { $0.value.isRequired },
            .member("each", .choice(FieldProtocol.Each.self), "How often it is asked.") { $0.value.each },
            .member("method", .optional(of: .text), "How it is measured.", example: .null) { $0.value.method },
            .member(
                "meanOf", .list(of: .text),
                "The fields of which it is the mean, so that nobody enters it; none: it is entered."
            ) { $0.value.meanOf },
        ])

    private static let choice = Output<Part<FieldProtocol.Choice>>.object(
        "FieldProtocolChoice", "One of several answers.",
        [
            .member("id", .text, "Its name in samples.", example: "clear") { $0.value.id },
            .member("label", .text, "What it is called.", example: "Clear") { $0.text($0.value.label) },
            .member("from", .optional(of: .decimal), "Of a class: from where on; null: open.", example: .null) {
                $0.value.from
            },
            .member("to", .optional(of: .decimal), "Up to where, likewise.", example: .null) { $0.value.to },
        ])

    private static let counted = Output<Part<FieldProtocol.Counted>>.object(
        "FieldProtocolSpecies", "A kind or a group of living things.",
        [
            .member("id", .text, "Its name in samples.", example: "mayflies") { $0.value.id },
            .member("label", .text, "What it is called.", example: "Mayflies") { $0.text($0.value.label) },
            .member("scientific", .optional(of: .text), "Its scientific name.", example: "Ephemeroptera") {
                $0.value.scientific
            },
        ])
}

extension FieldProtocol {
    /// The JSON that is stored of a protocol of people's own.
    var storedJSON: String {
        var text = JSONText()
        ShownFieldProtocol.stored.write(ShownFieldProtocol(self, in: .en), &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
