import Instants
import TestSupport
import Testing
import WaterQuality

/// Alerts that are held back for a digest.
struct GatheringTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let policy = AlertPolicy()

    private static func range() throws -> SafeRange {
        try SafeRange(.temperature, minimum: Steps(120), maximum: Steps(240))
    }

    /// Decides on a temperature in tenths of a degree.
    private static func decide(
        _ value: Int32, _ state: WatchState, snoozes: Snoozes = .none, critical: Int32? = nil, at time: Timestamp = now
    ) throws -> Decision {
        let range = try range()
        let rules = WatchRules(
            critical: try CriticalBand(beyond: range, minimum: nil, maximum: critical.map { Steps($0) }))
        return evaluate(
            range, state, Reading(time: time, value: Steps(value)), rules: rules, snoozes: snoozes, now: time,
            newAlert: .new(0), policy: policy)
    }

    private static func state(_ reason: Gathering.Reason?, hearsAtOnce: Bool = false) -> WatchState {
        var state = WatchState(hasRecipient: true)
        state.gathered = reason
        state.hearsAtOnce = hearsAtOnce
        return state
    }

    @Test(arguments: Gathering.Reason.allCases)
    func heldBackAlertsHaveTheirReason(reason: Gathering.Reason) throws {
        let decision = try Self.decide(250, Self.state(reason))
        #expect(decision.notification == .withheld(Decision.Reason(reason)))
        #expect(decision.notification.outcome.rawValue == reason.rawValue)
        #expect(decision.next.episode?.isGathered == true && decision.next.episode?.isAlerted == false)
        #expect(decision.next.throttles == .none, "nothing is charged for what nobody heard")
    }

    @Test func whatEndpointsHearAtOnceIsGatheredForTheOthers() throws {
        let decision = try Self.decide(250, Self.state(.quietHours, hearsAtOnce: true))
        #expect(decision.notification == .alert(.opened))
        #expect(decision.next.episode?.isGathered == true && decision.next.episode?.isAlerted == true)
    }

    @Test func aCriticalValueIsToldToAll() throws {
        let decision = try Self.decide(270, Self.state(.quietHours), critical: 260)
        #expect(decision.notification == .alert(.critical))
        #expect(decision.next.episode?.isGathered == false)
    }

    /// Also of an episode that waits for the digest, and with each reminder.
    @Test func whatBecomesCriticalIsToldAtOnceAndAgain() throws {
        var state = try Self.decide(250, Self.state(.quietHours), critical: 260).next
        let critical = try Self.decide(270, state, critical: 260, at: Self.now + .seconds(60))
        #expect(critical.notification == .alert(.critical) && critical.next.episode?.isGathered == false)
        state = critical.next
        state.throttles.arrive()
        let later = try Self.decide(270, state, critical: 260, at: Self.now + .seconds(60 + 1_800))
        #expect(later.notification == .alert(.reminder) && later.next.episode?.isGathered == false)
        // Back in the ordinary range beyond the limit it waits again.
        state = later.next
        state.throttles.arrive()
        let milder = try Self.decide(250, state, critical: 260, at: Self.now + .seconds(60 + 3_600))
        #expect(milder.notification == .withheld(.quietHours) && milder.next.episode?.isGathered == true)
    }

    @Test func aSnoozeComesBeforeQuietHours() throws {
        let snooze = Snooze(setAt: Self.now - .seconds(60), until: Self.now + .seconds(60))
        let decision = try Self.decide(250, Self.state(.quietHours), snoozes: Snoozes(low: nil, high: snooze))
        #expect(decision.notification == .withheld(.snoozed) && decision.next.episode?.isGathered == false)
    }

    @Test func withoutAGatheringTheFlagGoes() throws {
        var state = try Self.decide(250, Self.state(.quietHours)).next
        state.gathered = nil
        let decision = try Self.decide(250, state, at: Self.now + .seconds(30))
        #expect(decision.notification == .alert(.opened) && decision.next.episode?.isGathered == false)
    }

    /// No sequence of values loses a critical alarm to a gathering, nor tells of anything else to those who wait.
    @Test(arguments: 0..<200)
    func randomWater(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var state = Self.state(nil)
        var time = Self.now
        var isCriticalKnown = false
        for _ in 0..<120 {
            time = time + .seconds(Int64.random(in: 30...1_200, using: &random))
            state.gathered = [nil, .quietHours, .tooMany].randomElement(using: &random)!
            state.hearsAtOnce = Bool.random(using: &random)
            let value = Int32.random(in: 100...290, using: &random)
            let before = state
            let decision = try Self.decide(value, state, critical: 260, at: time)
            if case .alert = decision.notification {
                let isToAll = decision.next.episode?.isGathered == false
                #expect(value > 260 || before.gathered == nil || !isToAll, "only what is critical reaches who waits")
                #expect(isToAll || before.hearsAtOnce)
            }
            if before.episode == nil || decision.next.episode == nil || decision.reason == .flipped {
                isCriticalKnown = false
            }
            if value > 260, !isCriticalKnown {
                // Once told it is known, as far as the pause between critical alerts allows.
                if case .alert(.critical) = decision.notification { isCriticalKnown = true }
                let gathers: [Decision.Notification] = [.withheld(.quietHours), .withheld(.tooMany)]
                #expect(!gathers.contains(decision.notification))
            }
            state = decision.next
            state.throttles.arrive()
        }
    }

    /// Somebody else is at work, whom it reaches; nothing is charged, so that whoever comes on is told at once.
    @Test(arguments: [250, 270] as [Int32]) func offShiftNothingIsToldNotEvenWhatIsCritical(value: Int32) throws {
        var state = Self.state(nil)
        state.isOffShift = true
        let decision = try Self.decide(value, state, critical: 260)
        #expect(decision.notification == .withheld(.offShift) && decision.notification.outcome == .offShift)
        #expect(decision.next.throttles == .none && decision.next.episode?.isAlerted == false)
        #expect(decision.next.episode?.isGathered == false && decision.next.episode?.isCritical == false)
        var next = decision.next
        next.isOffShift = false
        let later = try Self.decide(value, next, critical: 260, at: Self.now + .seconds(60))
        #expect(later.notification == .alert(value > 260 ? .critical : .opened))
    }

    /// What is unwatched is told off shift as well, and a night holds nothing back on shift.
    @Test func dutiesHoldForWhatTheyAreOf() {
        let off = ShiftDuty.off(unwatched: [.ph])
        #expect(off.leaves(.temperature) && off.leaves(nil) && !off.leaves(.ph))
        #expect(!ShiftDuty.on.leaves(.temperature))
        let night = Gathering(.quietHours, since: Self.now, until: Self.now + .seconds(60))
        let much = Gathering(.tooMany, since: Self.now, until: Self.now + .seconds(60))
        #expect(!ShiftDuty.on.heeds(night) && ShiftDuty.on.heeds(much) && off.heeds(night))
    }

    @Test func theSilenceOfADeviceRingsWherePeopleWishIt() {
        var night = Gathering(.quietHours, since: Self.now, until: Self.now + .seconds(60), silenceRings: true)
        #expect(night.holds(.silence, of: nil) == nil)
        #expect(night.holds(.silence, of: .ph) == .quietHours && night.holds(.range, of: .ph) == .quietHours)
        night.silenceRings = false
        #expect(night.holds(.silence, of: nil) == .quietHours)
    }

    @Test func theEndOfWhatRangIsToldAtOnce() {
        let night = Gathering(.quietHours, since: Self.now, until: Self.now + .seconds(60))
        #expect(night.holdsEnd(toldAt: Self.now - .seconds(1)), "of the evening")
        #expect(!night.holdsEnd(toldAt: Self.now + .seconds(1)), "of the night")
    }

    @Test func aDigestSaysWhatIsNew() {
        let expected: [(GatheredEpisode, Alert.Purpose?)] = [
            (.init(.open), .alarm), (.init(.open, isKnown: true), .reminder), (.init(.over), .past),
            // The end of what the person knows is told by itself.
            (.init(.over, isKnown: true), nil), (.init(.stale), nil), (.init(.snoozed), nil),
            (.init(.snoozed, isKnown: true), nil), (.init(.openAgain), nil), (.init(.moot), nil),
        ]
        for (episode, purpose) in expected { #expect(episode.purpose == purpose, "\(episode)") }
    }
}
