package import Instants

extension ExplainedStep {
    /// The times that its words tell.
    package var toldTimes: [Timestamp] { [time] + [values?.until, holdsUntil].compactMap(\.self) }

    /// What happened and what became of it, in sentences.
    /// - Parameters:
    ///   - unit: The person's unit of the parameter.
    ///   - local: The person's wall clock at a time.
    package func text(
        of parameter: Parameter, in unit: Unit, _ language: Language, local: (Timestamp) -> CivilTime
    ) -> String {
        let told = ToldStep(
            step: self, parameter: parameter, unit: unit, language: language, time: local(time),
            lastReading: values.map { local($0.until) }, holdsUntil: holdsUntil.map(local))
        let phrasebook = language.phrasebook
        let sentences = [phrasebook.happening(told), phrasebook.outcome(told)].filter { !$0.isEmpty }
        return sentences.joined(separator: language == .ja ? "" : " ")
    }
}

/// A step of an explanation, as a phrasebook takes it.
struct ToldStep {
    let step: ExplainedStep
    let parameter: Parameter
    let unit: Unit
    let language: Language
    /// By the person's wall clock, like the next two.
    let time: CivilTime
    let lastReading: CivilTime?
    let holdsUntil: CivilTime?

    /// The limit that was crossed; `nil` where there is none any more.
    var limit: Steps? { step.side == .high ? step.range?.maximum : step.range?.minimum }

    /// The least and the greatest value; both are the same of one reading, and `nil` where none is known.
    var values: (least: String, greatest: String)? {
        step.values.map { (text($0.least), text($0.greatest)) }
    }

    /// A value beside the limit, with as many digits as it takes to tell them apart.
    func text(_ steps: Steps) -> String {
        let limit = step.side == nil ? nil : self.limit
        let beside = step.values.map { step.side == .low ? $0.greatest : $0.least } ?? steps
        return ToldValues(
            parameter, in: unit, value: parameter.value(of: beside), limit: limit.map(parameter.value(of:)),
            worst: parameter.value(of: steps)
        ).text(parameter.value(of: steps), language)
    }

    /// Whether the person has been told: what did not arrive, or not yet, told nobody.
    var isTold: Bool { step.alert.map { $0.state == .delivered } ?? true }

    /// How many readings it is about, where it is more than one, and when the last was taken.
    var stretch: (count: Int, until: CivilTime)? {
        guard let count = step.values?.count, count > 1, let lastReading else { return nil }
        return (count, lastReading)
    }

    /// The greatest change in an hour that the person wants, if they have set one.
    var changeLimit: String? {
        guard let range = step.range, let limit = range.changePerHour.map(parameter.value(of:)) else { return nil }
        return ToldChange(parameter, in: unit, change: 0, limit: limit, value: 0).text(limit, language)
    }

    /// The delay in its greatest unit that tells it exactly.
    var delay: (count: Int64, unit: DelayUnit)? {
        step.range.flatMap { Self.told($0.delay) }
    }

    /// How long ahead a limit is told, likewise.
    var ahead: (count: Int64, unit: DelayUnit)? { step.range?.ahead.flatMap(Self.told) }

    private static func told(_ duration: Duration) -> (count: Int64, unit: DelayUnit)? {
        let seconds = duration.components.seconds
        guard seconds > 0 else { return nil }
        if seconds % 3600 == 0 { return (seconds / 3600, .hours) }
        return seconds % 60 == 0 ? (seconds / 60, .minutes) : (seconds, .seconds)
    }

    /// Sentences in a row, of which some may be empty.
    static func sentences(_ sentences: String...) -> String { sentences.filter { !$0.isEmpty }.joined(separator: " ") }

    enum DelayUnit: Sendable { case seconds, minutes, hours }
}
