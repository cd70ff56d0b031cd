package import Instants
package import Words

extension ExplainedStep {
    /// The times that the step's words mention.
    package var toldTimes: [Timestamp] { [time] + [values?.until, holdsUntil].compactMap(\.self) }

    /// The event and the fate of its notification, in sentences.
    /// - Parameters:
    ///   - unit: The person's unit of the parameter.
    ///   - local: Converts a time to the person's wall clock.
    package func text(
        of parameter: Parameter, in unit: Unit, _ language: Language, local: (Timestamp) -> CivilTime
    ) -> String {
        let told = ToldStep(
            step: self, parameter: parameter, unit: unit, language: language, time: local(time),
            lastReading: values.map { local($0.until) }, holdsUntil: holdsUntil.map(local))
        return language.joined(told.happening + told.outcome)
    }
}

/// A step of an explanation, ready to be worded.
struct ToldStep {
    let step: ExplainedStep
    let parameter: Parameter
    let unit: Unit
    let language: Language
    /// The time by the person's wall clock, like the next two.
    let time: CivilTime
    let lastReading: CivilTime?
    let holdsUntil: CivilTime?

    /// The crossed limit; `nil` if there is none any more.
    var limit: Steps? { step.side == .high ? step.range?.maximum : step.range?.minimum }

    /// The least and the greatest value, equal for a single reading; `nil` if none is known.
    var values: (least: String, greatest: String)? {
        step.values.map { (text($0.least), text($0.greatest)) }
    }

    /// A value beside the limit, with enough digits to tell them apart.
    func text(_ steps: Steps) -> String {
        let limit = step.side == nil ? nil : self.limit
        let beside = step.values.map { step.side == .low ? $0.greatest : $0.least } ?? steps
        return ToldValues(
            parameter, in: unit, value: parameter.value(of: beside), limit: limit.map(parameter.value(of:)),
            worst: parameter.value(of: steps)
        ).text(parameter.value(of: steps), language)
    }

    /// Whether the person has been told: an alert that did not arrive, or not yet, told nobody.
    var isTold: Bool { step.alert.map { $0.state == .delivered } ?? true }

    /// The number of the step's readings, if more than one, and the time of the last.
    var stretch: (count: Int, until: CivilTime)? {
        guard let count = step.values?.count, count > 1, let lastReading else { return nil }
        return (count, lastReading)
    }

    /// The largest change in an hour that the person accepts, if they have set one.
    var changeLimit: String? {
        guard let range = step.range, let limit = range.changePerHour.map(parameter.value(of:)) else { return nil }
        return ToldChange(parameter, in: unit, change: 0, limit: limit, value: 0).text(limit, language)
    }

    /// The delay in the largest unit that expresses it exactly.
    var delay: (count: Int64, unit: DelayUnit)? {
        step.range.flatMap { Self.told($0.delay) }
    }

    /// The warning time before a limit, in the largest unit that expresses it exactly.
    var ahead: (count: Int64, unit: DelayUnit)? { step.range?.ahead.flatMap(Self.told) }

    private static func told(_ duration: Duration) -> (count: Int64, unit: DelayUnit)? {
        let seconds = duration.components.seconds
        guard seconds > 0 else { return nil }
        if seconds % 3600 == 0 { return (seconds / 3600, .hours) }
        return seconds % 60 == 0 ? (seconds / 60, .minutes) : (seconds, .seconds)
    }

    enum DelayUnit: String, Sendable { case seconds, minutes, hours }
}
