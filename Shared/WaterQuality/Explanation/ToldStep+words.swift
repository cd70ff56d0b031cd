import Instants
import Words

extension ToldStep {
    /// The event, in sentences.
    var happening: [String] {
        switch step.what {
        case .limits: limits
        case .gap: [holdsUntil.map { text("gap_until", ["time": moment($0)]) } ?? text("gap")]
        case .inRange: [text("inRange")]
        case .opened, .flipped: beyond("outside")
        case .ongoing: beyond("ongoing")
        case .settling where step.notification == .held: [text("jump")]
        case .settling: [text("settling")]
        case .recovered: [text(values == nil ? "recovered" : "recovered_values")]
        case .working: [text(values == nil ? "working_ended" : "working")]
        case .superseded: [text("superseded")]
        case .history: [text("history")]
        case .unlimited: [text("unlimited")]
        case .undecided: [text("undecided")]
        case .silent: [text("silent")]
        case .heard: [text("heard")]
        case .broken: [text("broken")]
        case .works: [text("works")]
        case .flat: [text("flat")]
        case .moved: [text("moved")]
        case .differing: [text("differing")]
        case .agreeing: [text("agreeing")]
        case .changing: [text("changing")]
        case .steady: [text("steady")]
        case .heading: [text("heading")]
        case .turned: [text("turned")]
        case .byHandOut: [text("byHandOut")]
        case .byHandOver: [text("byHandOver")]
        case .allClear: [text(isTold ? "allClear_told" : "allClear")]
        case .called: [text("called")]
        case .unlinked: [text("unlinked")]
        }
    }

    /// The fate of its notification, in sentences; none if there was none.
    var outcome: [String] {
        switch step.notification {
        case .none: []
        case .alerted: told(step.what == .allClear ? "allClear" : "alerted")
        case .reminded: told("reminded")
        case .critical: told("critical")
        case .unstable: told("unstable")
        case .stale: [text("stale")]
        case .held: [text(step.what == .settling ? "held_settling" : "held")]
        case .noRecipient: [text("noRecipient")]
        case .throttled: [until("throttled")]
        case .delayed: [delay.map { text("delayed", ["span": span($0)]) } ?? text("delayed_any")]
        case .acknowledged: [text("acknowledged")]
        case .answered: [text("answered")]
        case .snoozed: [until("snoozed")]
        case .toldUnstable: [text("toldUnstable")]
        case .outOfRange: [text("outOfRange")]
        case .quietHours: [until("quietHours")]
        case .tooMany: [until("tooMany")]
        case .offShift: [text("offShift")]
        case .unknown: [text("unknown")]
        }
    }

    /// An alert that arrived was told; for any other the sentence says how far it got.
    private func told(_ kind: String) -> [String] {
        let sentence = text("told_\(kind)")
        let message = text("message_\(kind)")
        switch step.alert?.state {
        case .delivered: return [sentence, text("arrived")]
        case nil: return [sentence]
        case .undelivered: return [text("message_undelivered", ["message": message])]
        case .decided, .sending: return [text("message_sending", ["message": message])]
        case .cancelled: return [text("message_cancelled", ["message": message])]
        }
    }

    private var limits: [String] {
        guard let range = step.range else { return [text("limits_none")] }
        var sentences = bounds("limits", range.minimum, range.maximum)
        if sentences.isEmpty { sentences = [text("limits_none")] }
        sentences += bounds("critical", range.criticalMinimum, range.criticalMaximum)
        if range.place != .plain { sentences.append(text("limits_timed")) }
        if let delay { sentences.append(text("delay", ["span": span(delay)])) }
        if range.tellsUnstable { sentences.append(text("tellsUnstable")) }
        if let changeLimit { sentences.append(text("changeLimit", ["limit": changeLimit])) }
        if let ahead { sentences.append(text("ahead", ["span": span(ahead)])) }
        return sentences
    }

    /// - Parameter key: The text's name with both bounds; with one of them its name is appended.
    private func bounds(_ key: String, _ minimum: Steps?, _ maximum: Steps?) -> [String] {
        switch (minimum.map(self.text), maximum.map(self.text)) {
        case (let minimum?, let maximum?): [text(key, ["minimum": minimum, "maximum": maximum])]
        case (let minimum?, nil): [text("\(key)_minimum", ["minimum": minimum])]
        case (nil, let maximum?): [text("\(key)_maximum", ["maximum": maximum])]
        case (nil, nil): []
        }
    }

    /// A value beyond a limit; the limit may have been removed since, and the value may be unknown.
    private func beyond(_ key: String) -> [String] {
        guard values != nil else { return [text(key)] }
        let limit = limit.map(self.text)
        let crossed = limit == nil ? "any" : step.side == .high ? "high" : "low"
        return [text("\(key)_\(crossed)", ["limit": limit ?? ""]), step.checkProbe ? text("checkProbe") : ""]
    }

    private func until(_ key: String) -> String {
        holdsUntil.map { text("\(key)_until", ["time": moment($0)]) } ?? text(key)
    }

    private func text(_ name: String, _ own: KeyValuePairs<String, String> = [:]) -> String {
        language.text("why.\(name)") { place in
            switch place {
            case "values": valuesText
            case "stretch": stretchText
            default: own.first { $0.key == place }?.value
            }
        }
    }

    private var valuesText: String {
        guard let (least, greatest) = values else { return "" }
        return least == greatest ? least : language.text("why.values", ["least": least, "greatest": greatest])
    }

    private var stretchText: String {
        stretch.map { language.text("why.stretch", ["count": "\($0.count)", "until": moment($0.until)]) } ?? ""
    }

    private func span(_ delay: (count: Int64, unit: DelayUnit)) -> String {
        language.text("why.\(delay.unit.rawValue)", ["count": "\(delay.count)"])
    }

    private func moment(_ other: CivilTime) -> String { language.moment(other, time) }
}
