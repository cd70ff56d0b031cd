import Words

extension Notice {
    /// Of an alert that tells because nobody has answered another one, or that this is over.
    package struct Call: Hashable, Sendable {
        /// The name of the person whose alarm it is; `nil` for the person's own.
        package var caller: String?
        /// For how long nobody has answered.
        package var minutes: Int
        /// The name of who is on it, of a call that has ended by that.
        package var taker: String?

        package init(caller: String?, minutes: Int, taker: String? = nil) {
            self.caller = caller
            self.minutes = minutes
            self.taker = taker
        }
    }

    /// The words for somebody who is told because nobody has answered: what is wrong, by whose limit, and for how long nobody has answered.
    func called(in language: Language) -> Words {
        let alarm = alarmWords(in: language)
        return (
            alarm.title,
            language.joined([
                text(
                    call?.caller == nil ? "call_nobody" : "call_other", in: language,
                    ["name": call?.caller ?? "", "minutes": "\(call?.minutes ?? 0)"]),
                alarm.body,
            ])
        )
    }

    /// The words for the end of a call: it is over, or somebody is on it.
    func calledOff(in language: Language) -> Words {
        let alarm = alarmWords(in: language).title
        guard let taker = call?.taker else {
            return (text("past", in: language, ["title": alarm]), text("calledOff", in: language))
        }
        return (
            text("calledOff_taken", in: language, ["title": alarm, "name": taker]), text("calledOff", in: language)
        )
    }

    /// The words of the alarm. What is measured by another person's limits names these as theirs.
    private func alarmWords(in language: Language) -> Words {
        var alarm = self
        alarm.purpose = .alarm
        alarm.call = nil
        guard let caller = call?.caller else { return alarm.words(in: language) }
        switch content {
        case .range(let range): return range.called(alarm, by: caller, in: language)
        case .rate(let content): return (content.parameter.text("changesFast", in: language), "")
        case .ahead(let content): return (content.parameter.text("alert", in: language), "")
        case .byHand(let content): return (content.parameter.text("alert", in: language), "")
        case .silence, .fault, .test, .way, .signIn, .summary, .proof, .care, .other: return alarm.words(in: language)
        }
    }
}

extension RangeContent {
    /// The words of an alarm by the limits of another person.
    fileprivate func called(_ notice: Notice, by caller: String, in language: Language) -> Notice.Words {
        let told = told(in: notice.unit)
        return (
            notice.words(in: language).title,
            language.joined([
                limit.map { limit in
                    notice.text(
                        "call_\(side.rawValue)", in: language,
                        [
                            "value": told.text(value, language), "limit": told.text(limit, language), "name": caller,
                        ])
                } ?? told.text(value, language),
                parameter.text("\(side.rawValue)Action", in: language),
            ])
        )
    }
}
