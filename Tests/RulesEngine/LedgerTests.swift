import Instants
import Store
import Testing
import WaterQuality

@testable import RulesEngine

/// The consequences of decisions, without a database. Temperature, 12.0 to 24.0 °C.
struct LedgerTests {
    let subject = Subject(
        device: DeviceKey(slot: Slot.all[3], device: Device.ID(rawValue: 7)), parameter: .temperature,
        account: Account.ID(rawValue: 1), kind: .range)
    let range: SafeRange
    let start = Timestamp(microseconds: 1_790_000_000_000_000)
    let policy = AlertPolicy()

    init() throws {
        range = try SafeRange(.temperature, minimum: 12, maximum: 24)
    }

    /// Decides values a minute apart, each on time.
    func ledger(_ values: [Float], hasRecipient: Bool = true, late: Duration = .zero) -> Ledger {
        var ledger = Ledger()
        decide(values, &ledger, hasRecipient: hasRecipient, late: late)
        return ledger
    }

    func decide(_ values: [Float], _ ledger: inout Ledger, hasRecipient: Bool = true, late: Duration = .zero) {
        var last: Timestamp?
        for (minute, value) in values.enumerated() {
            let time = start + .seconds(60 * minute)
            decide(value, at: time, after: last, &ledger, hasRecipient: hasRecipient, now: time + late)
            last = time
        }
    }

    func decide(
        _ value: Float, at time: Timestamp, after last: Timestamp?, _ ledger: inout Ledger, hasRecipient: Bool = true,
        now: Timestamp
    ) {
        ledger.load(
            StoredWatches(
                recipients: hasRecipient ? [Recipient(account: subject.account, hearsAtOnce: true, most: nil)] : []))
        let decision = evaluate(
            range, ledger.state(of: subject, lastEvaluated: last),
            Reading(time: time, value: Parameter.temperature.steps(of: value)), now: now, newAlert: ledger.nextAlert,
            policy: policy)
        ledger.record(
            decision, of: subject,
            at: Ledger.Moment(
                time: time, receivedAt: now, now: now, latest: EventTime.latest(before: time, now: now), value: value)
        ) { episode, reason in
            .range(
                RangeContent(
                    episode, of: .temperature, value: value, decision, isUnstable: reason == .unstable, by: range,
                    .none))
        }
    }

    /// An episode too high, of which alert 9 has told.
    func stored(since: Timestamp, last: Timestamp, chargedAt: Timestamp, pending: Alert.ID?) -> StoredWatches {
        StoredWatches(
            episodes: [
                LoadOpenEpisodes.Row(
                    subject: subject, id: Episode.ID(rawValue: 5),
                    episode: Episode(side: .high, openedAt: since, worst: Steps(260), isAlerted: true), lastAt: last,
                    alert: Alert.ID(rawValue: 9))
            ],
            throttles: [
                LoadThrottles.Row(
                    subject: subject, side: .high,
                    throttle: Throttle(runsFrom: chargedAt, pending: pending.map { .stored($0) }))
            ])
    }

    @Test func aReminderThatTellsOfAnotherEpisodeIsItsAlarm() {
        let long = Array(repeating: Float(25), count: 32)
        #expect(ledger(long).alerts.map(\.purpose) == [.alarm, .reminder])
        let again = ledger(long + [20, 26]).alerts
        #expect(again.map(\.purpose) == [.alarm, .alarm] && again.last?.range.value == 26)
    }

    @Test func aBreachOpensAndAlerts() {
        let ledger = ledger([23, 25])
        #expect(ledger.newEpisodes == 1)
        #expect(ledger.alerts.map(\.purpose) == [.alarm])
        #expect(
            ledger.alerts[0].range.value == 25 && ledger.alerts[0].range.limit == 24
                && ledger.alerts[0].range.side == .high)
        #expect(ledger.episodes[0].alert == ledger.alerts[0].alert)
        #expect(ledger.transitions.map(\.reason) == [.opened])
        #expect(ledger.transitions[0].notification == .alerted)
        #expect(ledger.throttleCharges.map(\.at) == [start + .seconds(60)])
    }

    @Test func newerValuesReplaceTheTextOfAnAlertOfTheSameClaim() {
        let ledger = ledger([25, 27, 26])
        #expect(ledger.alerts.count == 1)
        #expect(ledger.alerts[0].range.value == 26 && ledger.alerts[0].range.worst == 27)
        #expect(ledger.alerts[0].eventTime == start + .seconds(120))
        #expect(ledger.textReplacements.isEmpty)
    }

    /// The alert's own episode is over. The next episode of its side takes it over; one of the other side gets its own.
    @Test func aPendingAlertIsOfTheEpisodeThatIsOpen() {
        let ledger = ledger([25, 20, 26, 10])
        #expect(ledger.alerts.map(\.range.value) == [26, 10] && ledger.alerts.map(\.range.side) == [.high, .low])
        #expect(ledger.alerts.map(\.openedAt) == [start + .seconds(120), start + .seconds(180)])
        #expect(ledger.alerts.map(\.episode) == ledger.episodes.dropFirst().map(\.reference))
        #expect(
            ledger.episodes.map(\.alert) == [ledger.alerts[0].alert, ledger.alerts[0].alert, ledger.alerts[1].alert])
        #expect(Set(ledger.throttleCharges.map(\.side)) == [.high, .low])
    }

    /// Engines of two versions have charged one side.
    @Test func theLaterChargeOfASideCounts() {
        func charge(_ side: Side, after seconds: Int) -> LoadThrottles.Row {
            LoadThrottles.Row(
                subject: subject, side: side,
                throttle: Throttle(runsFrom: start + .seconds(seconds), pending: nil))
        }
        for charges in [[charge(.high, after: 60), charge(.high, after: 0)], [charge(.high, after: 60)]] {
            var ledger = Ledger()
            ledger.load(StoredWatches(throttles: charges))
            let state = ledger.state(of: subject)
            #expect(state.throttles[.high]?.runsFrom == start + .seconds(60) && state.throttles[.low] == nil)
        }
    }

    /// Only the sweep finds out whether anybody got an alert, perhaps about an earlier episode whose throttle was
    /// refunded since.
    @Test(arguments: [true, false]) func recoveryIsDueAfterTheDelay(hasRecipient: Bool) {
        #expect(
            ledger([25, 20], hasRecipient: hasRecipient).episodes[0].recoveryDueAt
                == start + .seconds(60) + policy.recoveryDelay)
    }

    /// A clock that is three hours ahead for a moment does not delay the recovery notice until then.
    @Test func aFutureThatIsNoneDelaysNoRecovery() {
        var ledger = Ledger()
        let ahead = start + .seconds(3 * 3_600)
        for value in [25, 20] as [Float] {
            decide(value, at: ahead + .seconds(Int(25 - value)), after: nil, &ledger, now: start)
        }
        #expect(ledger.episodes[0].recoveryDueAt == start + .seconds(300) + policy.recoveryDelay)
    }

    @Test func anEpisodeOfTheFutureBeginsNow() {
        var ledger = Ledger()
        let ahead = start + .seconds(3 * 3_600)
        ledger.load(stored(since: ahead, last: ahead, chargedAt: ahead, pending: nil))
        decide([25], &ledger)
        #expect(ledger.episodes.map(\.episode.openedAt) == [start] && ledger.episodes.map(\.lastAt) == [start])
        #expect(ledger.alerts.map(\.openedAt) == [start] && ledger.throttleCharges.map(\.at) == [start])
    }

    @Test func recoveryOfALateBatchIsDueByTheClock() {
        let late = Duration.seconds(600)
        #expect(
            ledger([25, 20], late: late).episodes[0].recoveryDueAt
                == start + .seconds(60) + late + policy.recoveryDelay)
    }

    @Test func reopeningTakesTheRecoveryBack() {
        let ledger = ledger([25, 20, 25])
        #expect(ledger.episodes.count == 2)
        #expect(ledger.episodes[0].closedBecause == .recovered && ledger.episodes[0].recoveryDueAt == nil)
        #expect(ledger.reopened == [subject, subject])
        #expect(ledger.transitions.map(\.notification) == [.alerted, .none, .throttled])
    }

    @Test func flippingClosesOneEpisodeAndOpensAnother() {
        let ledger = ledger([25, 10])
        #expect(ledger.episodes.map(\.closedBecause) == [.flipped, nil])
        #expect(ledger.episodes[0].value == 10 && ledger.episodes[0].recoveryDueAt == nil)
        #expect(ledger.transitions.map(\.reason) == [.opened, .flipped, .opened])
    }

    @Test func oldReadingsFoldInWithoutAlerts() {
        let ledger = ledger([25, 26], late: .seconds(3_600))
        #expect(ledger.alerts.isEmpty && ledger.throttleCharges.isEmpty)
        #expect(ledger.episodes.map(\.worst) == [26])
        #expect(ledger.transitions[0].notification == .stale)
    }

    @Test func remindersFollowTheThrottle() {
        let ledger = ledger(Array(repeating: 25, count: 62))
        #expect(ledger.alerts.map(\.purpose) == [.alarm, .reminder, .reminder])
        #expect(ledger.throttleCharges.map(\.at) == [start + .seconds(3_600)])
    }

    @Test func numbersTakeTheirPlaces() {
        let ledger = ledger([25, 10])
        let numbers = ReservedNumbers([(false, 101), (true, 200), (true, 201), (false, 100)])
        #expect(ledger.episodes.map { numbers[$0.reference].rawValue } == [100, 101])
        #expect(ledger.alerts.map { numbers[$0.alert].rawValue } == [200, 201])
        #expect(ledger.alerts[0].episode == ledger.episodes[0].reference)
        #expect(ledger.transitions.map { numbers[$0.episode].rawValue } == [100, 100, 101])
        #expect(ledger.episodes[0].alert == ledger.alerts[0].alert)
        #expect(ledger.throttleCharges.allSatisfy { $0.alert == ledger.alerts[$0.side == .high ? 0 : 1].alert })
    }

    @Test func whatIsStoredGoesOn() {
        var ledger = Ledger()
        ledger.load(
            stored(
                since: start - .seconds(600), last: start - .seconds(60), chargedAt: start - .seconds(600),
                pending: Alert.ID(rawValue: 9)))
        decide([25], &ledger)
        #expect(ledger.newEpisodes == 0 && ledger.alerts.isEmpty)
        #expect(ledger.textReplacements.map(\.alert.rawValue) == [9])
        #expect(
            ledger.textReplacements.map(\.content.range?.value) == [25]
                && ledger.textReplacements.map(\.content.range?.worst) == [26])
        #expect(
            ledger.episodes.map(\.reference) == [.stored(Episode.ID(rawValue: 5))]
                && ledger.episodes.map(\.lastAt) == [start])
    }
}
