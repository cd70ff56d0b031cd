/// The sentences of one language.
protocol Phrasebook: Sendable {
    typealias Text = (title: String, body: String)

    /// The beginning of a title.
    func header(_ deviceName: String) -> String
    func range(_ range: RangeContent, _ notice: Notice) -> Text
    func silence(_ silence: SilenceContent, _ notice: Notice) -> Text
    func fault(_ fault: FaultContent, _ notice: Notice) -> Text
    func rate(_ rate: RateContent, _ notice: Notice) -> Text
    func ahead(_ ahead: AheadContent, _ notice: Notice) -> Text
    /// An alert whose content only a newer version knows.
    func other(of parameter: Parameter?, _ notice: Notice) -> Text
    /// The person may no longer watch the device, in the middle of an alarm.
    func ended(_ notice: Notice) -> Text
    /// The whole title: a test has no header.
    var test: Text { get }
    /// The event of an explanation's step.
    func happening(_ step: ToldStep) -> String
    /// The fate of its notification; empty if there was none.
    func outcome(_ step: ToldStep) -> String
}

/// The names of a parameter within a sentence.
struct ParameterWords: Sendable {
    let en: String
    let ja: String
    let es: SpanishNoun
}

/// Spanish adjectives and articles follow the noun's gender.
struct SpanishNoun: Sendable {
    let noun: String
    let isFeminine: Bool

    static func el(_ noun: String) -> SpanishNoun { SpanishNoun(noun: noun, isFeminine: false) }
    static func la(_ noun: String) -> SpanishNoun { SpanishNoun(noun: noun, isFeminine: true) }

    var withArticle: String { isFeminine ? "la \(noun)" : "el \(noun)" }

    func tooFar(_ side: Side, isCritical: Bool) -> String {
        let adjective =
            switch side {
            case .high: isFeminine ? "alta" : "alto"
            case .low: isFeminine ? "baja" : "bajo"
            }
        return "\(isCritical ? "críticamente" : "demasiado") \(adjective)"
    }
}
