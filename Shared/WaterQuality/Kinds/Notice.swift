package import Instants
package import Words

/// A message to a person before `message(in:)` words it. Times are by the person's wall clock.
package struct Notice: Hashable, Sendable {
    /// The person's name for the device, which heads the title; `nil` in a test or a note.
    package var deviceName: String?
    /// The phase: an alarm, a reminder, an all-clear, the end of watching, a test, or a note about the account.
    package var purpose: Alert.Purpose
    package var content: Alert.Content
    /// The beginning: the last reading before a silence, or the first report of other trouble.
    package var since: CivilTime
    /// The time of the reading in the text; in an all-clear, of the reading that ended the trouble.
    package var at: CivilTime
    /// The present. The day is named only if it differs.
    package var now: CivilTime
    /// The expected time of reaching a limit, in an alert ahead.
    package var expected: CivilTime?
    /// The person's chosen unit; one that does not fit is ignored.
    package var unit: Unit?
    /// The call that it is, or ends.
    package var call: Call?

    package init(
        deviceName: String?, _ purpose: Alert.Purpose, _ content: Alert.Content, since: CivilTime, at time: CivilTime,
        now: CivilTime, expected: CivilTime? = nil, unit: Unit? = nil, call: Call? = nil
    ) {
        self.deviceName = deviceName
        self.purpose = purpose
        self.content = content
        self.since = since
        at = time
        self.now = now
        self.expected = expected
        self.unit = unit
        self.call = call
    }

    /// A title and a body, the form that every push channel has.
    package struct Message: Hashable, Sendable {
        package var title: String
        package var body: String

        package init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }

    /// A title without its heading, and a body.
    typealias Words = (title: String, body: String)

    package func message(in language: Language) -> Message {
        let (title, body) = words(in: language)
        let heading = deviceName.map { language.text("language.heading", ["device": $0, "title": title]) }
        return Message(title: heading ?? title, body: body)
    }

    /// A text about the notice, with the times that it may name.
    func text(_ name: String, in language: Language, _ values: KeyValuePairs<String, String> = [:]) -> String {
        language.text("notice.\(name)") { place in
            switch place {
            case "since": language.moment(since, now)
            case "at": language.moment(at, now)
            case "now": language.moment(now, now)
            default: values.first { $0.key == place }?.value
            }
        }
    }

    func words(in language: Language) -> Words {
        switch (purpose, content) {
        case (_, .test), (.test, _): (text("test", in: language), text("test_body", in: language))
        case (.ended, _):
            (text("ended", in: language), text("ended_body", in: language))
        case (.past, _): past(in: language)
        case (.escalation, _): called(in: language)
        case (.calledOff, _): calledOff(in: language)
        case (_, .range(let content)): content.words(self, in: language)
        case (_, .silence(let content)): content.words(self, in: language)
        case (_, .fault(let content)): content.words(self, in: language)
        case (_, .rate(let content)): content.words(self, in: language)
        case (_, .ahead(let content)): content.words(self, in: language)
        case (_, .byHand(let content)): content.words(self, in: language)
        case (_, .way(let content)): content.words(self, in: language)
        case (_, .signIn(let content)): content.words(self, in: language)
        case (_, .summary(let content)): content.words(self, in: language)
        case (_, .care(let content)): content.words(self, in: language)
        case (_, .proof): (text("proof", in: language), text("proof_body", in: language))
        case (_, .other(_, let parameter)): other(of: parameter?.known, in: language)
        }
    }

    /// The words for what is over before it is told: those of its alarm, from when to when, and how far it went.
    private func past(in language: Language) -> Words {
        var alarm = self
        alarm.purpose = .alarm
        let worst = content.range.map { range in
            text(
                range.side == .high ? "past_highest" : "past_lowest", in: language,
                ["value": range.told(in: unit).text(range.worst, language)])
        }
        return (
            text("past", in: language, ["title": alarm.words(in: language).title]),
            language.joined([text("past_body", in: language), worst ?? ""])
        )
    }

    /// The words for an alert whose content only a newer version knows.
    private func other(of parameter: Parameter?, in language: Language) -> Words {
        let state = isOver ? "alertOver" : "alert"
        return (
            parameter.map { $0.text(state, in: language) } ?? text(state, in: language),
            text("other\(isOver ? "_over" : "")", in: language)
        )
    }

    /// Whether the trouble is over.
    var isOver: Bool { purpose == .recovery }
    var isReminder: Bool { purpose == .reminder }
}
