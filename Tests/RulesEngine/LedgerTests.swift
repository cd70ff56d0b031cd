import Instants
import Store
import Testing
import WaterQuality

@testable import RulesEngine

/// What follows from decisions, without a database. Temperature, 12.0 to 24.0 °C.
struct LedgerTests {
    let key = AlertKey(
        device: DeviceKey(slot: Slot.all[3], device: Device.ID(rawValue: 7)), parameter: .temperature,
        account: Account.ID(rawValue: 1))
    let range: SafeRange
    let start = Timestamp(microseconds: 1_790_000_000_000_000)
    let policy = AlertPolicy()

    init() throws {
        range = try SafeRange(.temperature, minimum: 12, maximum: 24)
    }

    /// Decides values that come a minute apart, each on time.
    func ledger(_ values: [Float], hasRecipient: Bool = true, late: Duration = .zero) -> Ledger {
        var ledger = Ledger()
        decide(values, &ledger, hasRecipient: hasRecipient, late: late)
        return ledger
    }

    func decide(_ values: [Float], _ ledger: inout Ledger, hasRecipient: Bool = true, late: Duration = .zero) {
        var last: Timestamp?
        for (minute, value) in values.enumerated() {
            let time = start + .seconds(60 * minute)
            _ = ledger.decide(
                key, range, value: value, at: time, lastEvaluated: last, hasRecipient: hasRecipient,
                receivedAt: time + late, now: time + late, policy: policy)
            last = time
        }
    }

    @Test func aBreachOpensAndAlerts() {
        let ledger = ledger([23, 25])
        #expect(ledger.newEpisodes == 1)
        #expect(ledger.alerts.map(\.purpose) == [.alarm])
        #expect(ledger.alerts[0].value == 25 && ledger.alerts[0].limit == 24 && ledger.alerts[0].side == .high)
        #expect(ledger.episodes[0].alert == ledger.alerts[0].alert)
        #expect(ledger.transitions.map(\.reason) == ["opened"])
        #expect(ledger.transitions[0].notification == "alerted")
        #expect(ledger.throttleCharges.map(\.at) == [start + .seconds(60)])
    }

    @Test func newerValuesReplaceTheTextOfAnAlertOfTheSameClaim() {
        let ledger = ledger([25, 27, 26])
        #expect(ledger.alerts.count == 1)
        #expect(ledger.alerts[0].value == 26 && ledger.alerts[0].worst == 27)
        #expect(ledger.alerts[0].eventTime == start + .seconds(120))
        #expect(ledger.textReplacements.isEmpty)
    }

    @Test func aPendingAlertOfAnEarlierEpisodeKeepsItsText() {
        let ledger = ledger([25, 20, 10])
        #expect(ledger.alerts.count == 1)
        #expect(ledger.alerts[0].value == 25 && ledger.alerts[0].side == .high)
        #expect(ledger.episodes.map(\.side) == [.high, .low])
    }

    /// Whether anybody was told is seen then: of an episode before this one, perhaps, with a throttle that was refunded since.
    @Test(arguments: [true, false]) func recoveryIsDueAfterTheDelay(hasRecipient: Bool) {
        #expect(
            ledger([25, 20], hasRecipient: hasRecipient).episodes[0].recoveryDueAt
                == start + .seconds(60) + policy.recoveryDelay)
    }

    /// Three hours ahead for one message: nobody waits for the all-clear until then.
    @Test func aFutureThatIsNoneDelaysNoRecovery() {
        var ledger = Ledger()
        let ahead = start + .seconds(3 * 3_600)
        for value in [25, 20] as [Float] {
            _ = ledger.decide(
                key, range, value: value, at: ahead + .seconds(Int(25 - value)), lastEvaluated: nil,
                hasRecipient: true, receivedAt: ahead, now: start, policy: policy)
        }
        #expect(ledger.episodes[0].recoveryDueAt == start + .seconds(300) + policy.recoveryDelay)
    }

    @Test func anEpisodeOfTheFutureBeginsNow() {
        var ledger = Ledger()
        let ahead = start + .seconds(3 * 3_600)
        ledger.load(
            episodes: [
                LoadOpenEpisodes.Row(
                    key: key, episode: 5, side: .high, openedAt: ahead, lastAt: ahead, worst: 26, alert: 9,
                    noRecipient: false)
            ],
            throttles: [LoadThrottles.Row(key: key, chargedAt: ahead, alert: 9, isPending: false)])
        decide([25], &ledger)
        #expect(ledger.episodes.map(\.openedAt) == [start] && ledger.episodes.map(\.lastAt) == [start])
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
        #expect(ledger.episodes[0].closedBecause == "recovered" && ledger.episodes[0].recoveryDueAt == nil)
        #expect(ledger.reopened == [key, key])
        #expect(ledger.transitions.map(\.notification) == ["alerted", "none", "throttled"])
    }

    @Test func flippingClosesOneEpisodeAndOpensAnother() {
        let ledger = ledger([25, 10])
        #expect(ledger.episodes.map(\.closedBecause) == ["flipped", nil])
        #expect(ledger.episodes[0].closedValue == 10 && ledger.episodes[0].recoveryDueAt == nil)
        #expect(ledger.transitions.map(\.reason) == ["opened", "flipped", "opened"])
    }

    @Test func oldReadingsFoldInWithoutAlerts() {
        let ledger = ledger([25, 26], late: .seconds(3_600))
        #expect(ledger.alerts.isEmpty && ledger.throttleCharges.isEmpty)
        #expect(ledger.episodes.map(\.worst) == [26])
        #expect(ledger.transitions[0].notification == "stale")
    }

    @Test func remindersFollowTheThrottle() {
        let ledger = ledger(Array(repeating: 25, count: 62))
        #expect(ledger.alerts.map(\.purpose) == [.alarm, .reminder, .reminder])
        #expect(ledger.throttleCharges.map(\.at) == [start + .seconds(3_600)])
    }

    @Test func numbersTakeTheirPlaces() {
        var ledger = ledger([25, 10])
        ledger.number(episodes: [100, 101], alerts: [200])
        #expect(ledger.episodes.map(\.episode) == [100, 101])
        #expect(ledger.alerts.map(\.alert) == [200] && ledger.alerts[0].episode == 100)
        #expect(ledger.transitions.map(\.episode) == [100, 100, 101])
        #expect(ledger.episodes[0].alert == 200 && ledger.throttleCharges[0].alert == 200)
    }

    @Test func whatIsStoredGoesOn() {
        var ledger = Ledger()
        ledger.load(
            episodes: [
                LoadOpenEpisodes.Row(
                    key: key, episode: 5, side: .high, openedAt: start - .seconds(600), lastAt: start - .seconds(60),
                    worst: 26, alert: 9, noRecipient: false)
            ],
            throttles: [LoadThrottles.Row(key: key, chargedAt: start - .seconds(600), alert: 9, isPending: true)])
        decide([25], &ledger)
        #expect(ledger.newEpisodes == 0 && ledger.alerts.isEmpty)
        #expect(ledger.textReplacements.map(\.alert) == [9])
        #expect(ledger.textReplacements.map(\.value) == [25] && ledger.textReplacements.map(\.worst) == [26])
        #expect(ledger.episodes.map(\.episode) == [5] && ledger.episodes.map(\.lastAt) == [start])
    }
}
