import Instants
import TestSupport
import Testing
import WaterQuality

/// Water that keeps leaving its range, reported once if the person asks for it. The range is pH 7.5 to 8.5, critical
/// above 9.0.
@Suite struct FlutterTests {
    static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    struct Watch {
        var rules = WatchRules(tellsUnstable: true)
        let range: SafeRange
        let policy = AlertPolicy()
        var state = WatchState(hasRecipient: true)
        var flutter = Flutter.none
        var alerts = 0
        /// The server's clock, which never goes back.
        var now = Timestamp.distantPast

        init() throws { range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5) }

        mutating func take(_ reading: Reading) -> Decision {
            now = max(now, reading.time)
            let decision = evaluate(
                range, state, reading, rules: rules, flutter: flutter, now: now, newAlert: .new(alerts), policy: policy)
            if case .alert = decision.notification { alerts += 1 }
            flutter.follow(decision.action)
            state = decision.next
            state.throttles.arrive()
            return decision
        }

        /// Takes a value `minute` minutes after the start.
        mutating func take(_ value: Int32, at minute: Int) -> Decision {
            take(Reading(time: start + .seconds(minute * 60), value: Steps(value)))
        }

        /// Out of range for five minutes of every ten.
        /// - Returns: The alerts, with their minutes.
        mutating func flutter(minutes: Range<Int>) -> [Told] {
            minutes.flatMap { minute -> [Told] in
                guard case .alert(let reason) = take(minute % 10 < 5 ? 87 : 80, at: minute).notification else {
                    return []
                }
                return [Told(minute: minute, reason: reason)]
            }
        }
    }

    struct Told: Equatable {
        var minute: Int
        var reason: Decision.Reason
    }

    @Test func itIsToldOnceInPlaceOfItsAlarms() throws {
        var watch = try Watch()
        // The fourth episode of the hour begins at the thirtieth minute, when the throttle is free again.
        #expect(
            watch.flutter(minutes: 0..<300) == [Told(minute: 0, reason: .opened), Told(minute: 30, reason: .unstable)])
        let withheld = watch.take(87, at: 300)
        #expect(withheld.action.isOpening && withheld.notification == .withheld(.toldUnstable))
        #expect(withheld.notification.outcome == .toldUnstable && withheld.next.throttle == watch.state.throttle)
        // The alert repeats after six hours.
        let later = watch.flutter(minutes: 301..<760)
        #expect(later == [Told(minute: 390, reason: .unstable), Told(minute: 750, reason: .unstable)])
    }

    @Test func whoDoesNotAskHearsEachAlarm() throws {
        var watch = try Watch()
        watch.rules = .none
        #expect(watch.flutter(minutes: 0..<100).map(\.minute) == [0, 30, 60, 90])
    }

    @Test func threeEpisodesInAnHourAreNoFlutter() throws {
        var watch = try Watch()
        for minute in [0, 20, 40, 60, 80, 100, 120] {
            let told = watch.take(87, at: minute).notification
            #expect(told == (minute % 40 == 0 ? .alert(.opened) : .withheld(.throttled)), "minute \(minute)")
            _ = watch.take(80, at: minute + 5)
        }
    }

    /// The value leaves the range and stays outside.
    @Test func whatLastsIsToldLikeAnyOther() throws {
        var watch = try Watch()
        _ = watch.flutter(minutes: 0..<120)
        for minute in 120..<150 { #expect(watch.take(87, at: minute).notification == .withheld(.toldUnstable)) }
        #expect(watch.take(87, at: 150).notification == .alert(.opened))
        #expect(watch.take(87, at: 180).notification == .alert(.reminder))
    }

    @Test func afterCalmTheNextAlarmIsOneAgain() throws {
        var watch = try Watch()
        _ = watch.flutter(minutes: 0..<120)
        for minute in 120..<149 { _ = watch.take(80, at: minute) }
        // The last four episodes began at minutes 80 to 110. Within one hour lie the last three of them, or two.
        var early = watch
        #expect(early.take(87, at: 149).notification == .withheld(.toldUnstable))
        #expect(watch.take(87, at: 150).notification == .alert(.opened))
    }

    @Test func aCriticalValueBreaksThrough() throws {
        var watch = try Watch()
        watch.rules = WatchRules(
            critical: try CriticalBand(beyond: watch.range, minimum: nil, maximum: Steps(90)), tellsUnstable: true)
        _ = watch.flutter(minutes: 0..<120)
        #expect(watch.take(91, at: 120).notification == .alert(.critical))
    }

    /// Unstable water is the last reason: any other reason that withholds an alert comes first.
    @Test func itIsTheLastReason() throws {
        var watch = try Watch()
        watch.rules = WatchRules(delay: .seconds(600), tellsUnstable: true)
        #expect(watch.flutter(minutes: 0..<120) == [], "none lasts for as long as the person waits")
        watch.rules = WatchRules(tellsUnstable: true)
        _ = watch.flutter(minutes: 120..<180)
        watch.state.hasRecipient = false
        #expect(watch.take(87, at: 180).notification == .withheld(.noRecipient))
    }

    /// The all-clear for unstable water waits for half an hour of calm.
    @Test func theAllClearWaitsForCalm() throws {
        var watch = try Watch()
        for (last, delay) in [(5, 5), (35, 30), (95, 5)] {
            _ = watch.flutter(minutes: last - 5..<last)
            guard case .close(_, let due) = watch.take(80, at: last).action else {
                Issue.record("minute \(last) ends an episode")
                return
            }
            #expect(due == Self.start + .seconds((last + delay) * 60))
            _ = watch.flutter(minutes: last + 1..<last + 25)
        }
        let patient = AlertPolicy(recoveryDelay: .seconds(3_600))
        #expect(RecoveryNotice.longestDelay(patient) == .seconds(3_600))
        #expect(RecoveryNotice.longestDelay(AlertPolicy()) == .seconds(1_800))
    }

    @Test func onlyTheLastEpisodesCount() {
        let times = (0..<6).map { Self.start + .seconds($0) }
        #expect(Flutter(openings: times) == Flutter(openings: Array(times.suffix(4))))
        var flutter = Flutter(openings: times)
        flutter.follow(.open(Episode(side: .low, openedAt: times[5] + .seconds(9), worst: Steps(1))))
        #expect(flutter == Flutter(openings: Array(times.suffix(3)) + [times[5] + .seconds(9)]))
        flutter.follow(.close(at: times[0], recoveryDueAt: times[0]))
        #expect(flutter == Flutter(openings: Array(times.suffix(3)) + [times[5] + .seconds(9)]))
    }

    // MARK: Properties

    func readings(_ count: Int, _ random: inout SeededGenerator) -> [Reading] {
        var (time, value) = (Self.start, Int32(80))
        // Restless water, and water that stays constant for a while.
        var restless = true
        return (0..<count).map { _ in
            if Int.random(in: 0..<60, using: &random) == 0 { restless.toggle() }
            time = time + .seconds(Int.random(in: 0..<15, using: &random) == 0 ? -120 : 60)
            if restless, Int.random(in: 0..<4, using: &random) == 0 { value = .random(in: 70...92, using: &random) }
            return Reading(time: time, value: Steps(value))
        }
    }

    /// Compares with a count of all episodes: unstable water gives only its own alert, every six hours.
    @Test(arguments: 0..<200) func holdsForEverySeries(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try Watch()
        var plain = watch
        plain.rules = .none
        var openings: [Timestamp] = []
        var last: (time: Timestamp, reason: Decision.Reason)?
        var lastOfSide: [Side: Timestamp] = [:]
        for reading in readings(800, &random) {
            let decision = watch.take(reading)
            let usual = plain.take(reading)
            #expect(decision.reason == usual.reason && decision.next.episode?.openedAt == usual.next.episode?.openedAt)
            guard let episode = decision.next.episode, let side = episode.side, decision.notification != .none
            else { continue }
            if openings.last != episode.openedAt { openings.append(episode.openedAt) }
            let lately = openings.count { reading.time - $0 < .seconds(3_600) }
            let isUnstable = lately >= 4 && reading.time - episode.openedAt < .seconds(1_800)
            if case .alert(let reason) = decision.notification {
                #expect((reason == .unstable) == isUnstable)
                if let last = lastOfSide[side] {
                    #expect(reading.time - last >= .seconds(1_800), "within the throttle")
                }
                lastOfSide[side] = reading.time
                if isUnstable, let last, last.reason == .unstable {
                    #expect(reading.time - last.time >= .seconds(6 * 3_600))
                }
                last = (reading.time, reason)
            } else if decision.notification == .withheld(.toldUnstable) {
                #expect(isUnstable && last?.reason == .unstable)
            }
        }
        #expect(watch.alerts <= plain.alerts)
    }

    /// Without the rule, the record of the last episodes changes no decision.
    @Test(arguments: 200..<260) func withoutTheRuleDecisionsAreAsEver(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (state, plain) = (WatchState(hasRecipient: true), WatchState(hasRecipient: true))
        var flutter = Flutter.none
        let range = try SafeRange(.ph, minimum: 7.5, maximum: 8.5)
        for reading in readings(300, &random) {
            let decision = evaluate(
                range, state, reading, flutter: flutter, now: reading.time, newAlert: .new(0), policy: AlertPolicy())
            let usual = evaluate(range, plain, reading, now: reading.time, newAlert: .new(0), policy: AlertPolicy())
            #expect(decision == usual)
            flutter.follow(decision.action)
            (state, plain) = (decision.next, usual.next)
        }
    }

    @Test(arguments: 300..<360) func replayingAnyPrefixChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var watch = try Watch()
        let series = readings(150, &random)
        for (index, reading) in series.enumerated() {
            _ = watch.take(reading)
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            let (state, flutter, alerts) = (watch.state, watch.flutter, watch.alerts)
            for again in series[...index] { #expect(watch.take(again).reason == .superseded) }
            #expect(watch.state == state && watch.flutter == flutter && watch.alerts == alerts)
        }
    }
}

extension Decision.Action {
    fileprivate var isOpening: Bool { if case .open = self { true } else { false } }
}
