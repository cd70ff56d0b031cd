import Instants
import Testing
import WaterQuality
import Words

/// The texts of explanations.
@Suite struct ExplanationWordingTests {
    private static let time = Timestamp(unixSeconds: Int64(1_777_816_800))  // 2026-05-03T14:00:00Z

    private static var range: PersonalRange {
        var range = PersonalRange(
            parameter: .temperature, unit: .celsius, minimum: Steps(120), maximum: Steps(240))
        range.criticalMaximum = Steps(280)
        range.delay = .seconds(600)
        range.tellsUnstable = true
        return range
    }

    private static func step(
        _ what: ExplainedStep.What, _ notification: ExplainedStep.Notification = .none, _ least: Int32? = nil,
        _ greatest: Int32? = nil, holdsUntil: Int? = nil, alert: Alert.State? = nil, checkProbe: Bool = false
    ) -> ExplainedStep {
        let values = least.map { least in
            ExplainedStep.Values(
                count: greatest == nil ? 1 : 12, least: Steps(least), greatest: Steps(greatest ?? least),
                until: greatest == nil ? time : time + .seconds(330))
        }
        let alert = alert.map {
            PastAlert(
                id: Alert.ID(rawValue: 1), name: "a", episode: Episode.ID(rawValue: 1), purpose: .alarm,
                eventTime: time,
                decidedAt: time, state: $0)
        }
        let isOut = [.opened, .flipped, .ongoing].contains(what)
        return ExplainedStep(
            what, notification, at: time, values: values, side: isOut ? .high : nil, range: range,
            holdsUntil: holdsUntil.map { time + .seconds($0) }, checkProbe: checkProbe, alert: alert)
    }

    private static let steps: [ExplainedStep] = [
        step(.limits), step(.gap, holdsUntil: 3_600), step(.gap, holdsUntil: 36_000), step(.inRange, .none, 231, 239),
        step(.opened, .alerted, 251, alert: .delivered), step(.flipped, .delayed, 241, holdsUntil: 600),
        step(.ongoing, .throttled, 250, 256, holdsUntil: 1_800),
        step(.ongoing, .snoozed, 250, holdsUntil: 1_800), step(.ongoing, .acknowledged, 250),
        step(.ongoing, .answered, 250),
        step(.ongoing, .critical, 281, alert: .sending), step(.ongoing, .reminded, 250, alert: .undelivered),
        step(.ongoing, .stale, 250), step(.ongoing, .noRecipient, 250), step(.ongoing, .unknown, 250),
        step(.opened, .alerted, 999, alert: .cancelled, checkProbe: true), step(.ongoing, .alerted),
        step(.settling, .none, 240), step(.recovered, .none, 238), step(.superseded, .none, 250, 251),
        step(.history, .none, 250), step(.unlimited, .none, 250), step(.undecided, .none, 250),
        step(.silent, .alerted, alert: .delivered), step(.heard), step(.broken, .noRecipient), step(.works),
        step(.allClear, .alerted, alert: .delivered), step(.called), step(.unlinked), step(.opened, .held, 251),
        step(.ongoing, .unstable, 250, alert: .delivered), step(.ongoing, .toldUnstable, 250),
        step(.changing, .outOfRange), step(.steady), step(.heading, .alerted, alert: .delivered), step(.turned),
        step(.flat, .alerted, alert: .delivered), step(.moved),
        step(.differing, .alerted, alert: .delivered), step(.agreeing),
        step(.opened, .quietHours, 251), step(.ongoing, .tooMany, 250), step(.ongoing, .offShift, 250),
        step(.byHandOut), step(.byHandOver), step(.working),
    ]

    @Test(arguments: Language.allCases) func snapshot(_ language: Language) throws {
        let text = Self.steps.map { step in
            step.text(of: .temperature, in: .celsius, language) { $0.civilTime() }
        }.joined(separator: "\n")
        try Snapshot.expect(text + "\n", "explanations", language)
    }

    @Test func allIsTold() {
        #expect(Set(Self.steps.map(\.what)) == Set(ExplainedStep.What.allCases))
        #expect(Set(Self.steps.map(\.notification)) == Set(ExplainedStep.Notification.allCases))
    }

    /// Values are in the person's unit, and times in their time zone.
    @Test func unitsAndClocksAreThePersons() {
        let text = Self.step(.ongoing, .throttled, 250, 256, holdsUntil: 1_800)
            .text(of: .temperature, in: .fahrenheit, .en) { $0.civilTime(secondsFromGMT: 9 * 3_600) }
        #expect(
            text == "77.0 °F to 78.1 °F, still above your maximum of 75.2 °F (12 readings until 23:05). "
                + "No alert: you had been told shortly before. The next may come from 23:30.")
    }
}
