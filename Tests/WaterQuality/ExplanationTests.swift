import Instants
import Testing
import WaterQuality

/// Explanations of why a person was alerted, or was not.
@Suite struct ExplanationTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let episode = Episode.ID(rawValue: 7)

    private static func at(_ minutes: Double) -> Timestamp { start + .milliseconds(Int(minutes * 60_000)) }

    /// A value every minute, received when it was measured.
    private static func readings(_ values: [Int32]) -> [PastReading] {
        values.enumerated().map { minute, value in
            PastReading(
                reading: Reading(time: at(Double(minute)), value: Steps(value)), receivedAt: at(Double(minute)))
        }
    }

    /// The range is pH 7.0 to 8.4.
    private static var past: WatchPast {
        let range = PersonalRange(parameter: .ph, unit: .ph, minimum: Steps(70), maximum: Steps(84))
        return WatchPast(settings: [SettingVersion(period: .distantPast ..< .distantFuture, range: range)])
    }

    /// An episode on the high side that opened at a minute.
    private static func opened(
        at minute: Double, _ outcome: Decision.Notification.Outcome, noRecipient: Bool = false,
        decidedAfter delay: Double = 0
    ) -> WatchPast {
        var past = past
        past.episodes = [PastEpisode(id: episode, side: .high, openedAt: at(minute), noRecipient: noRecipient)]
        past.changes = [
            EpisodeChange(
                episode: episode, time: at(minute), decidedAt: at(minute + delay), reason: .opened, outcome: outcome)
        ]
        if outcome == .alerted { past.alerts = [alert(1, at: minute)] }
        return past
    }

    private static func alert(
        _ number: Int64, at minute: Double, _ purpose: Alert.Purpose = .alarm, eventTime: Double? = nil,
        state: Alert.State = .delivered
    ) -> PastAlert {
        PastAlert(
            id: Alert.ID(rawValue: number), name: "alert-\(number)", episode: episode, purpose: purpose,
            eventTime: at(eventTime ?? minute), decidedAt: at(minute), state: state,
            firstAcceptance: state == .delivered ? at(minute) : nil, endedAt: at(minute))
    }

    private static func explain(
        _ readings: [PastReading], _ past: WatchPast, minutes: Range<Double>? = nil, policy: AlertPolicy = AlertPolicy()
    ) -> [ExplainedStep] {
        let period = minutes.map { at($0.lowerBound)..<at($0.upperBound) } ?? start..<at(Double(readings.count))
        return Explanation(of: readings, past, policy: policy, in: period, now: period.upperBound).steps
    }

    /// The steps without the one about the current limits.
    private static func told(_ steps: [ExplainedStep]) -> [String] {
        steps.filter { $0.what != .limits }.map {
            "\($0.what.rawValue) \($0.notification.rawValue) \($0.values?.count ?? 0)"
        }
    }

    @Test func nothingCameSinceTheLastAlertWasTooRecent() throws {
        let steps = Self.explain(Self.readings([80, 80, 86, 87, 88, 80]), Self.opened(at: 2, .alerted))
        #expect(
            Self.told(steps) == [
                "inRange none 2", "opened alerted 1", "ongoing throttled 2", "undecided none 1",
            ])
        #expect(steps.first?.what == .limits && steps.first?.range?.maximum == Steps(84))
        let throttled = try #require(steps.first { $0.notification == .throttled })
        #expect(throttled.time == Self.at(3) && throttled.holdsUntil == Self.at(32) && throttled.side == .high)
        #expect(throttled.values?.least == Steps(87) && throttled.values?.greatest == Steps(88))
        #expect(throttled.values?.until == Self.at(4))
        #expect(steps.first { $0.what == .opened }?.alert?.name == "alert-1")
    }

    /// Readings from before a watcher joined were not decided for them, even if they arrived later.
    @Test func whatWasBeforeThePersonJoinedMeantNothing() {
        var past = Self.past
        past.told = [Self.at(2) ..< .distantFuture]
        var readings = Self.readings([86, 86, 80, 80])
        (readings[0].receivedAt, readings[1].receivedAt) = (Self.at(2), Self.at(2))
        #expect(Self.told(Self.explain(readings, past)) == ["unlimited none 2", "inRange none 2"])
    }

    /// The alarm was not delivered, so the next reading may alert again, and does.
    @Test func anAlertThatDidNotArriveIsFollowedByAnother() {
        var past = Self.opened(at: 1, .alerted)
        past.alerts = [Self.alert(1, at: 1, state: .undelivered), Self.alert(2, at: 3)]
        let steps = Self.explain(Self.readings([80, 86, 86, 86, 86]), past)
        #expect(
            Self.told(steps) == [
                "inRange none 1", "opened alerted 1", "ongoing unknown 1", "ongoing alerted 1", "ongoing throttled 1",
            ])
        #expect(steps.compactMap(\.alert).map(\.state) == [.undelivered, .delivered])
    }

    @Test func offShiftItSaysSo() {
        let off = Self.explain(Self.readings([80, 86, 86]), Self.opened(at: 1, .offShift))
        #expect(Self.told(off) == ["inRange none 1", "opened offShift 1", "ongoing offShift 1"])
        // Told on shift, and off shift when the interval was over.
        var worked = Self.opened(at: 0, .alerted)
        worked.offShift = [Self.at(20)..<Self.at(60)]
        let since = Self.told(Self.explain(Self.readings([Int32](repeating: 86, count: 40)), worked))
        #expect(since.first == "opened alerted 1" && since.last?.hasPrefix("ongoing offShift") == true, "\(since)")
    }

    @Test func withoutAnEndpointItSaysSo() {
        let known = Self.explain(Self.readings([80, 86, 86]), Self.opened(at: 1, .noRecipient, noRecipient: true))
        #expect(Self.told(known) == ["inRange none 1", "opened noRecipient 1", "ongoing noRecipient 1"])
        // The last endpoint was removed during the episode, which records that.
        var later = Self.opened(at: 0, .alerted, noRecipient: true)
        later.alerts = [Self.alert(1, at: 0, state: .undelivered)]
        let gone = Self.explain(Self.readings([86, 86, 86]), later)
        #expect(Self.told(gone) == ["opened alerted 1", "ongoing noRecipient 2"])
        // An endpoint that was added later gets an alert.
        var added = Self.opened(at: 1, .noRecipient)
        added.alerts = [Self.alert(1, at: 3)]
        let steps = Self.explain(Self.readings([80, 86, 86, 86, 86]), added)
        #expect(
            Self.told(steps) == [
                "inRange none 1", "opened noRecipient 1", "ongoing noRecipient 1", "ongoing alerted 1",
                "ongoing throttled 1",
            ])
    }

    /// The engine was away for half an hour, so its later decision was stale.
    @Test func whatWasDecidedTooLateIsStale() {
        let steps = Self.explain(Self.readings([80, 86, 86, 86]), Self.opened(at: 1, .stale, decidedAfter: 31))
        #expect(Self.told(steps) == ["inRange none 1", "opened stale 1", "ongoing stale 2"])
    }

    @Test func whatComesLateChangesNothing() {
        var readings = Self.readings([80, 80, 80, 80])
        readings.append(PastReading(reading: Reading(time: Self.at(1.5), value: Steps(90)), receivedAt: Self.at(3.5)))
        readings.append(
            PastReading(
                reading: Reading(time: Self.at(1.6), value: Steps(91)), receivedAt: Self.at(3.6), isHistory: true))
        #expect(
            Self.told(Self.explain(readings, Self.past)) == [
                "inRange none 4", "superseded none 1", "history none 1",
            ])
    }

    /// Readings of a device whose clock is nine hours behind are not stale.
    @Test func aClockThatIsWrongIsNotLate() {
        let readings = Self.readings(Array(repeating: 86, count: 12)).map {
            PastReading(reading: $0.reading, receivedAt: $0.receivedAt + .seconds(9 * 3_600))
        }
        var past = Self.opened(at: 0, .alerted)
        past.changes[0].decidedAt = Self.at(540)
        past.alerts[0].decidedAt = Self.at(540)
        let steps = Self.explain(readings, past)
        #expect(Self.told(steps) == ["opened alerted 1", "ongoing throttled 11"])
        // Times are those of a correct clock.
        #expect(steps.filter { $0.values != nil }.map(\.time) == [Self.at(540), Self.at(541)])
        #expect(steps.last?.values?.until == Self.at(551) && steps.last?.holdsUntil == Self.at(570))
    }

    @Test func theEpisodeAndTheAlertOfBeforeCount() {
        var past = Self.opened(at: -20, .alerted)
        past.alerts = [Self.alert(1, at: -20)]
        let steps = Self.explain(Self.readings(Array(repeating: 86, count: 10)), past)
        #expect(Self.told(steps) == ["ongoing throttled 10"])
        #expect(steps.last?.holdsUntil == Self.at(10))
        past.alerts.append(Self.alert(2, at: 10, .reminder))
        let longer = Self.explain(Self.readings(Array(repeating: 86, count: 12)), past)
        #expect(Self.told(longer) == ["ongoing throttled 10", "ongoing reminded 1", "ongoing throttled 1"])
    }

    /// Newer readings replaced the text of a waiting alert; the alert belongs to the last reading before its decision.
    @Test func anAlertIsOfTheReadingThatCausedIt() {
        var past = Self.opened(at: 1, .delayed)
        past.settings[0].range.delay = .seconds(120)
        past.alerts = [Self.alert(1, at: 3.01, eventTime: 5)]
        let steps = Self.explain(Self.readings([80, 86, 86, 87, 88, 89]), past)
        #expect(
            Self.told(steps) == [
                "inRange none 1", "opened delayed 1", "ongoing delayed 1", "ongoing alerted 1", "ongoing throttled 2",
            ])
        #expect(steps.first { $0.what == .opened }?.holdsUntil == Self.at(3))
    }

    /// In a batch received at once, the reminder belongs to the reading that alerts when decided again, not to the
    /// first.
    @Test func aReminderIsOfItsReadingWithinABatch() throws {
        var past = Self.opened(at: -28, .alerted)
        past.alerts.append(Self.alert(2, at: 6.01, .reminder, eventTime: 5))
        let batch = Self.readings(Array(repeating: 86, count: 6)).map {
            PastReading(reading: $0.reading, receivedAt: Self.at(6))
        }
        let steps = Self.explain(batch, past, minutes: 0..<7)
        #expect(Self.told(steps) == ["ongoing throttled 2", "ongoing reminded 1", "ongoing throttled 3"])
        #expect(steps.first { $0.alert != nil }?.time == Self.at(2))
    }

    /// A reading that came after newer ones had been decided caused no alert.
    @Test func aSupersededReadingHasNoAlert() throws {
        var past = Self.opened(at: 1, .delayed)
        past.settings[0].range.delay = .seconds(120)
        past.alerts = [Self.alert(1, at: 3.9, eventTime: 4)]
        var readings = Self.readings([80, 86, 86, 86, 86])
        readings.append(PastReading(reading: Reading(time: Self.at(1.5), value: Steps(86)), receivedAt: Self.at(3.5)))
        let steps = Self.explain(readings, past)
        let alerted = try #require(steps.first { $0.alert != nil })
        #expect(alerted.what == .ongoing && alerted.time == Self.at(3))
        #expect(steps.contains { $0.what == .superseded && $0.alert == nil })
    }

    /// The next alert waits for the interval in force at the time, not for the present one.
    @Test func theIntervalIsThatOfTheTime() {
        var past = Self.opened(at: 0, .alerted)
        past.throttles = [FormerThrottle(until: Self.at(3.5), interval: .seconds(600))]
        let steps = Self.explain(Self.readings([86, 86, 86, 86, 86, 86]), past)
        let held = steps.filter { $0.notification == .throttled }.map(\.holdsUntil)
        #expect(held == [Self.at(10), Self.at(30)])
    }

    @Test func whatIsSnoozedOrKnownIsWithheld() {
        var past = Self.opened(at: 0, .snoozed)
        past.snoozes = [
            PastSnooze(side: .high, snooze: Snooze(setAt: Self.at(-5), until: Self.at(25)), endedAt: Self.at(1.5)),
            PastSnooze(
                side: .high, snooze: Snooze(setAt: Self.at(1.5), until: Self.at(1_400), isAcknowledgement: true),
                episode: Self.episode),
        ]
        let steps = Self.explain(Self.readings([86, 86, 86, 86]), past)
        #expect(Self.told(steps) == ["opened snoozed 1", "ongoing snoozed 1", "ongoing acknowledged 2"])
        #expect(steps.first { $0.what == .ongoing }?.holdsUntil == Self.at(25))
    }

    @Test func limitsAreThoseOfTheTime() {
        var past = Self.opened(at: 2, .alerted)
        past.settings[0].period = .distantPast..<Self.at(1.5)
        var lower = past.settings[0].range
        lower.maximum = Steps(78)
        past.settings.append(SettingVersion(period: Self.at(1.5) ..< .distantFuture, range: lower))
        let steps = Self.explain(Self.readings([80, 80, 80, 80]), past)
        #expect(steps.map(\.what) == [.limits, .inRange, .limits, .opened, .ongoing])
        #expect(steps.filter { $0.what == .limits }.map(\.time) == [Self.start, Self.at(1.5)])
        #expect(steps.filter { $0.what == .limits }.map(\.range?.maximum) == [Steps(84), Steps(78)])
    }

    @Test func aGapASilenceAndTheirEnd() throws {
        let silence = Episode.ID(rawValue: 8)
        var past = Self.past
        past.episodes = [
            PastEpisode(id: silence, kind: .silence, side: nil, openedAt: Self.at(2), closedAt: Self.at(30))
        ]
        past.changes = [
            EpisodeChange(
                episode: silence, time: Self.at(2), decidedAt: Self.at(7), reason: .opened, outcome: .alerted),
            EpisodeChange(
                episode: silence, time: Self.at(30), decidedAt: Self.at(30.1), reason: .recovered, outcome: .none),
        ]
        past.alerts = [
            PastAlert(
                id: Alert.ID(rawValue: 1), name: "a", episode: silence, kind: .silence, purpose: .alarm,
                eventTime: Self.at(7), decidedAt: Self.at(7)),
            PastAlert(
                id: Alert.ID(rawValue: 2), name: "b", episode: silence, kind: .silence, purpose: .recovery,
                eventTime: Self.at(30), decidedAt: Self.at(35)),
        ]
        let readings = Self.readings([80, 80, 80]) + Self.readings(Array(repeating: 80, count: 34)).suffix(4)
        let steps = Self.explain(readings, past, minutes: 0..<40)
        #expect(
            Self.told(steps) == [
                "inRange none 3", "gap none 0", "silent alerted 0", "inRange none 4", "heard none 0", "gap none 0",
                "allClear alerted 0",
            ])
        let gap = try #require(steps.first { $0.what == .gap })
        #expect(gap.time == Self.at(2) && gap.holdsUntil == Self.at(30))
    }

    /// A probe that reports a fault and a value that stays flat are explained differently.
    @Test(arguments: [
        (PastEpisode.Fault.broken, "broken", "works"), (.flat, "flat", "moved"), (.differs, "differing", "agreeing"),
    ])
    func aFaultAndItsEnd(cause: PastEpisode.Fault, begun: String, ended: String) {
        let fault = Episode.ID(rawValue: 8)
        var past = Self.past
        past.episodes = [
            PastEpisode(
                id: fault, kind: .fault, side: nil, openedAt: Self.at(-900), closedAt: Self.at(4), fault: cause)
        ]
        past.changes = [
            EpisodeChange(
                episode: fault, time: Self.at(-900), decidedAt: Self.at(1.1), reason: .opened, outcome: .noRecipient),
            EpisodeChange(
                episode: fault, time: Self.at(4), decidedAt: Self.at(4.1), reason: .recovered, outcome: .none),
        ]
        past.alerts = [
            PastAlert(
                id: Alert.ID(rawValue: 1), name: "a", episode: fault, kind: .fault, purpose: .reminder,
                eventTime: Self.at(3), decidedAt: Self.at(3.1))
        ]
        let told = Self.told(Self.explain(Self.readings(Array(repeating: 80, count: 12)), past))
        #expect(
            told.filter { !$0.hasPrefix("inRange") } == [
                "\(begun) noRecipient 0", "\(begun) reminded 0", "\(ended) none 0",
            ])
    }

    /// A device that sends every 15 minutes for a while has no gaps.
    @Test func aGapIsOneByTheRhythmOfItsTime() {
        let times = (0..<40).map { Double($0) } + (1...40).map { 39 + Double($0) * 15 }
        let readings = times.map {
            PastReading(reading: Reading(time: Self.at($0), value: Steps(80)), receivedAt: Self.at($0))
        }
        let told = Self.told(Self.explain(readings, Self.past, minutes: 0..<640))
        // Until this rhythm is known, pauses count as gaps.
        #expect(told.filter { $0 == "gap none 0" }.count == 8)
        #expect(told.suffix(1) == ["inRange none 33"])
    }

    @Test func nothingIsSaidSo() {
        let steps = Self.explain([], Self.past, minutes: 0..<60)
        #expect(steps.map(\.what) == [.limits, .gap])
        #expect(steps.last?.time == Self.start && steps.last?.holdsUntil == Self.at(60))
    }

    @Test func withoutLimitsNothingIsDecided() {
        var past = Self.past
        past.settings[0].range.minimum = nil
        past.settings[0].range.maximum = nil
        #expect(Self.told(Self.explain(Self.readings([80, 90]), past)) == ["unlimited none 2"])
    }

    /// Stored decisions are shown even if no reading of them is left, or if replaying the readings disagrees.
    @Test func theStoredTruthHolds() {
        var past = Self.opened(at: 1.5, .alerted)
        past.alerts[0].eventTime = Self.at(1.5)
        past.changes.append(
            EpisodeChange(
                episode: Self.episode, time: Self.at(3), decidedAt: Self.at(3), reason: .unlinked, outcome: .none))
        let steps = Self.explain(Self.readings([80, 80, 86, 86, 86]), past)
        #expect(
            Self.told(steps) == [
                "inRange none 2", "opened alerted 0", "ongoing throttled 1", "unlinked none 1", "undecided none 1",
            ])
    }

    /// The clock went wrong after the period, so its present lag does not apply. Two readings received at once already
    /// prove it.
    @Test(arguments: [2, 12]) func theClockOfThenIsBelieved(count: Int) {
        let readings = Self.readings([80] + Array(repeating: 86, count: count - 1))
        let explanation = Explanation(
            of: readings, Self.opened(at: 1, .alerted), policy: AlertPolicy(), in: Self.start..<Self.at(Double(count)),
            now: Self.at(1_440), lag: .seconds(7_200))
        #expect(explanation.lag == .zero)
        #expect(explanation.steps.first { $0.what == .opened }?.time == Self.at(1))
    }

    @Test func whereNothingProvesTheClockItIsAsKnown() {
        let late = Self.readings([80, 80]).map {
            PastReading(reading: $0.reading, receivedAt: $0.receivedAt + .seconds(7_200))
        }
        let explanation = Explanation(
            of: late, Self.past, policy: AlertPolicy(), in: Self.start..<Self.at(2), now: Self.at(1_440),
            lag: .seconds(7_200))
        #expect(explanation.lag == .seconds(7_200))
        #expect(explanation.steps.first { $0.what == .inRange }?.time == Self.at(120))
    }

    @Test func onlyTheNewestStepsAreTold() {
        let readings = Self.readings((0..<500).map { $0 % 2 == 0 ? 80 : 86 })
        let explanation = Explanation(
            of: readings, Self.past, policy: AlertPolicy(), in: Self.start..<Self.at(500), now: Self.at(500))
        #expect(explanation.isCut && explanation.steps.count == Explanation.mostSteps)
        #expect(explanation.steps.last?.time == Self.at(499))
    }
}
