import Instants

/// The sentences of one language.
protocol Phrasebook: Sendable {
    func alarm(_ trouble: Notice.Trouble) -> Notice.Message
    func unstable(_ trouble: Notice.Trouble) -> Notice.Message
    func reminder(_ trouble: Notice.Trouble, worst: Float) -> Notice.Message
    func recovery(_ trouble: Notice.Trouble, at time: CivilTime) -> Notice.Message
    func silence(_ quiet: Notice.Quiet, isReminder: Bool) -> Notice.Message
    func heardAgain(_ quiet: Notice.Quiet, at time: CivilTime) -> Notice.Message
    func fault(_ broken: Notice.Broken, isReminder: Bool) -> Notice.Message
    func worksAgain(_ broken: Notice.Broken, at time: CivilTime) -> Notice.Message
    func changing(_ course: Notice.Course, isReminder: Bool) -> Notice.Message
    func steady(_ course: Notice.Course, at time: CivilTime) -> Notice.Message
    func heading(_ way: Notice.Way) -> Notice.Message
    func turned(_ way: Notice.Way, at time: CivilTime) -> Notice.Message
    func ended(_ parting: Notice.Parting) -> Notice.Message
    var test: Notice.Message { get }
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
