import Instants

extension English {
    func happening(_ step: ToldStep) -> String {
        switch step.step.what {
        case .limits: limits(step)
        case .gap: step.holdsUntil.map { "Nothing came until \(clock($0, step.time))." } ?? "Nothing came."
        case .inRange: "\(values(step)), within your limits\(stretch(step))."
        case .opened, .flipped:
            step.values == nil ? "Outside your limits." : "\(values(step)), \(beyond(step)).\(hint(step))"
        case .ongoing:
            step.values == nil
                ? "Still outside your limits." : "\(values(step)), still \(beyond(step))\(stretch(step)).\(hint(step))"
        case .settling where step.step.notification == .held: "\(values(step)), with a jump."
        case .settling: "\(values(step)), inside again, but not yet far enough to be over\(stretch(step))."
        case .recovered: step.values == nil ? "Back within your limits." : "\(values(step)), back within your limits."
        case .superseded: "\(values(step)), but too late to count: newer readings had been looked at\(stretch(step))."
        case .history:
            "\(values(step)), kept as history: it came long after it was taken, or once more\(stretch(step))."
        case .unlimited: "\(values(step)); you had set no limits\(stretch(step))."
        case .undecided: "\(values(step)); no decision on it is stored\(stretch(step))."
        case .silent: "No readings came: that counted as a silence."
        case .heard: "Readings came again."
        case .broken: "The probe reported an error instead of a value."
        case .works: "The probe gave a value again."
        case .flat: "The value had not changed for hours: that counted as a fault of the probe."
        case .moved: "The value changed again."
        case .changing: "It changed faster than your limit."
        case .steady: "It changed more slowly again."
        case .heading: "It was heading for your limit."
        case .turned: "It was not expected to reach your limit soon any more."
        case .allClear: step.isTold ? "You were told that it was over." : "It was over."
        case .unlinked: "The device was removed."
        }
    }

    func outcome(_ step: ToldStep) -> String {
        switch step.step.notification {
        case .none: ""
        case .alerted:
            step.step.what == .allClear
                ? told("", "An all-clear", step) : told("You were alerted.", "An alert", step)
        case .reminded: told("You were reminded.", "A reminder", step)
        case .critical:
            told(
                "You were alerted at once: that is beyond your critical limit.",
                "An alert about a value beyond your critical limit", step)
        case .unstable:
            told(
                "You were told that it is unstable, once in place of further alarms.",
                "An alert that it is unstable, once in place of further alarms,", step)
        case .stale: "No alert: it came too late to be news."
        case .held where step.step.what == .settling:
            "Not over yet: it may have been a glitch of the probe, and the next reading was to tell."
        case .held: "No alert yet: it may have been a glitch of the probe, and the next reading was to tell."
        case .noRecipient: "No alert: there was no place to send it to."
        case .throttled:
            "No alert: you had been told shortly before."
                + (step.holdsUntil.map { " The next may come from \(clock($0, step.time))." } ?? "")
        case .delayed: "No alert yet: you wait until it has lasted \(step.delay.map(span) ?? "longer")."
        case .acknowledged: "No alert: you had said that you know."
        case .snoozed:
            "No alert: you had snoozed it" + (step.holdsUntil.map { " until \(clock($0, step.time))." } ?? ".")
        case .toldUnstable: "No alert: you had been told that it is unstable."
        case .outOfRange: "No alert of that: you had been told that it is outside your limits."
        case .unknown:
            "No alert of it is stored: perhaps there was no place to send it to, or your alerts were further apart then."
        }
    }

    /// An alert that arrived was told; for any other the sentence says how far it got.
    private func told(_ sentence: String, _ message: String, _ step: ToldStep) -> String {
        switch step.step.alert?.state {
        case .delivered: ToldStep.sentences(sentence, "It arrived.")
        case nil: sentence
        case .undelivered: "\(message) was sent, and did not arrive."
        case .decided, .sending: "\(message) is on its way."
        case .cancelled: "\(message) was made, and cancelled."
        }
    }

    private func limits(_ step: ToldStep) -> String {
        guard let range = step.step.range else { return "You had set no limits." }
        let (minimum, maximum) = (range.minimum.map(step.text), range.maximum.map(step.text))
        var text =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): "Your limits: \(minimum) to \(maximum)."
            case (let minimum?, nil): "Your minimum: \(minimum)."
            case (nil, let maximum?): "Your maximum: \(maximum)."
            case (nil, nil): "You had set no limits."
            }
        let critical = [
            range.criticalMinimum.map { "below \(step.text($0))" },
            range.criticalMaximum.map { "above \(step.text($0))" },
        ].compactMap(\.self)
        if !critical.isEmpty { text += " Critical \(critical.joined(separator: " and "))." }
        if let delay = step.delay { text += " You hear of it after \(span(delay)) outside." }
        if range.tellsUnstable { text += " Unstable water is told once." }
        if let limit = step.changeLimit { text += " You hear of a change of more than \(limit) in an hour." }
        if let ahead = step.ahead { text += " You hear \(span(ahead)) ahead that a limit will be reached." }
        return text
    }

    private func values(_ step: ToldStep) -> String {
        guard let (least, greatest) = step.values else { return "" }
        return least == greatest ? least : "\(least) to \(greatest)"
    }

    private func beyond(_ step: ToldStep) -> String {
        guard let limit = step.limit.map(step.text) else { return "outside your limits" }
        return step.step.side == .high ? "above your maximum of \(limit)" : "below your minimum of \(limit)"
    }

    private func stretch(_ step: ToldStep) -> String {
        step.stretch.map { " (\($0.count) readings until \(clock($0.until, step.time)))" } ?? ""
    }

    private func hint(_ step: ToldStep) -> String {
        step.step.checkProbe ? " That is beyond what the probe can measure." : ""
    }

    private func span(_ delay: (count: Int64, unit: ToldStep.DelayUnit)) -> String {
        switch delay.unit {
        case .seconds: "\(delay.count) s"
        case .minutes: "\(delay.count) min"
        case .hours: "\(delay.count) h"
        }
    }
}
