package import Instants

/// A message to a person before `message(in:)` words it. Times are by the person's wall clock.
package struct Notice: Hashable, Sendable {
    /// The person's name for the device, which heads the title; `nil` in a test.
    package var deviceName: String?
    /// The phase: an alarm, a reminder, an all-clear, the end of watching, or a test.
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

    package init(
        deviceName: String?, _ purpose: Alert.Purpose, _ content: Alert.Content, since: CivilTime, at time: CivilTime,
        now: CivilTime, expected: CivilTime? = nil, unit: Unit? = nil
    ) {
        self.deviceName = deviceName
        self.purpose = purpose
        self.content = content
        self.since = since
        at = time
        self.now = now
        self.expected = expected
        self.unit = unit
    }

    /// A title and a body, the form that every push channel has.
    package struct Message: Hashable, Sendable {
        package let title: String
        package let body: String
    }

    package func message(in language: Language) -> Message {
        let words = language.phrasebook
        let (title, body): (String, String) =
            switch (purpose, content) {
            case (_, .test), (.test, _): words.test
            case (.ended, _): words.ended(self)
            case (_, .range(let content)): words.range(content, self)
            case (_, .silence(let content)): words.silence(content, self)
            case (_, .fault(let content)): words.fault(content, self)
            case (_, .rate(let content)): words.rate(content, self)
            case (_, .ahead(let content)): words.ahead(content, self)
            case (_, .other(_, let parameter)): words.other(of: parameter, self)
            }
        return Message(title: (deviceName.map(words.header) ?? "") + title, body: body)
    }

    /// Whether the trouble is over.
    var isOver: Bool { purpose == .recovery }
    var isReminder: Bool { purpose == .reminder }
}
