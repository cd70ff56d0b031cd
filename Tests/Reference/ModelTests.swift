import Testing

/// The model itself, on cases described in words.
@Suite struct ModelTests {
    private static let tank = Limits(minimum: 120, maximum: 240)
    private static let watch = Watch(person: .ann, quantity: .temperature)

    /// A plan with half a minute between readings, and actions before the readings with their numbers.
    private static func plan(_ values: [Double], _ limits: Limits = tank, acts: [Int: Act] = [:]) -> Plan {
        var events: [CourseEvent] = []
        for (index, value) in values.enumerated() {
            if let act = acts[index] { events.append(.act(act)) }
            let hundredths = Int((value * 100).rounded())
            events.append(.reading(Reading(time: 30_000 * index, values: [.temperature: .water(hundredths)])))
        }
        return Plan(Course(seed: 0, owner: .ann, watches: [watch: limits], events: events))
    }

    private static func changes(_ plan: Plan) -> [String] {
        (plan.model.watches[watch]?.transitions ?? []).map {
            "\($0.reason) \($0.side?.rawValue ?? "") \($0.notification)"
        }
    }

    private static func told(_ plan: Plan) -> [String] {
        (plan.model.watches[watch]?.log.alerts ?? []).filter { $0.state == .delivered }.map {
            "\($0.purpose) \($0.side?.rawValue ?? "")"
        }
    }

    @Test func aGlitchIsToldToNobody() {
        let plan = Self.plan([22, 38, 22, 22])
        #expect(Self.changes(plan) == ["opened high held", "recovered high none"])
        #expect(Self.told(plan) == [])
    }

    @Test func theOtherSideIsAnotherDanger() {
        let plan = Self.plan([22, 24.4, 24.5, 25.1, 11, 10.9], acts: [3: .snooze(Self.watch)])
        #expect(Self.changes(plan) == ["opened high held", "flipped high none", "opened low alerted"])
        #expect(Self.told(plan) == ["alarm high", "alarm low"])
    }

    @Test func aJumpToTheOtherSideWaitsForTheNextReading() {
        #expect(Self.changes(Self.plan([24.5, 11, 24.5])) == ["opened high alerted"])
        #expect(
            Self.changes(Self.plan([24.5, 11, 10.9])) == [
                "opened high alerted", "flipped high none", "opened low alerted",
            ])
    }

    /// Water of 25 degrees is too warm in the first minute and the third.
    @Test func aPeriodHasLimitsOfItsOwn() {
        var limits = Self.tank
        limits.periods = [Limits.Period(time: 60_000..<120_000, minimum: 120, maximum: 260)]
        let plan = Self.plan([25, 25, 25, 25, 25], limits)
        #expect(Self.changes(plan) == ["opened high alerted", "recovered high none", "opened high alerted"])
        #expect(Self.told(plan) == ["alarm high", "recovery high", "alarm high"])
    }

    @Test func aRangeOneStepWideHasNoDeadBand() {
        let limits = Limits(minimum: 230, maximum: 231)
        #expect(Self.changes(Self.plan([23, 23.2, 23.1], limits)) == ["opened high alerted", "recovered high none"])
        #expect(Self.changes(Self.plan([23, 22.9, 23], limits)) == ["opened low alerted", "recovered low none"])
    }

    @Test func whatAReceiverRefusesIsDeliveredBeforeAHandOver() {
        let (reading, next) = (Reading(time: 0, values: [.temperature: .water(2_500)]), Course.handOver + 3_000)
        func plan(_ acts: [Act]) -> Plan {
            let after = Reading(time: next, values: reading.values)
            let events = [.reading(reading)] + acts.map(CourseEvent.act) + [.reading(after)]
            return Plan(Course(seed: 0, owner: .ann, watches: [Self.watch: Self.tank], events: events))
        }
        let handedOver = plan([.freeze(.ann), .handOver(.bob, [.temperature: Self.tank])])
        #expect(handedOver.model.owner == .bob)
        #expect(handedOver.rounds.last?.burst.map(\.time) == [next])
        // Without a new owner the device measures nothing for one.
        #expect(plan([.handOver(.ann, [:])]).rounds.flatMap(\.burst).map(\.time) == [0])
    }

    @Test func whatAlternatesIsTold() {
        let limits = Limits(minimum: 200, maximum: 270, criticalMaximum: 280)
        let plan = Self.plan([25.5, 31, 25.5, 31, 25.5, 31], limits)
        #expect(Self.changes(plan) == ["opened high held"])
        #expect(Self.told(plan).first == "alarm high")
    }

    @Test func aGlitchIntoRangeEndsNothing() {
        let plan = Self.plan([22, 24.4, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 22, 25, 25])
        #expect(Self.changes(plan) == ["opened high held"])
        #expect(Self.told(plan).first == "alarm high")
    }

    @Test func anAllClearNeedsALaterReadingAndGivesTheChargeBack() {
        let alone = Self.plan([23.9, 24.3, 23.9])
        #expect(Self.told(alone) == ["alarm high"])
        let shown = Self.plan([23.9, 24.3, 23.9, 23.9, 24.2])
        #expect(Self.told(shown) == ["alarm high", "recovery high", "alarm high"])
    }

    @Test func whatAReceiverRefusedAndIsOverIsNeverSent() {
        let plan = Self.plan([23.9, 24.3, 24.2, 23.8, 23.7, 24.1], acts: [1: .freeze(.ann)])
        #expect(Self.told(plan) == ["alarm high"])
        #expect(Self.changes(plan) == ["opened high alerted", "recovered high none", "opened high alerted"])
    }

    /// The comparison itself: a missing or different transition, and a missing message, are differences.
    @Test func whatIsMissingIsADifference() {
        let plan = Self.plan([23.9, 24.3, 23.8, 23.9])
        let stored = (plan.model.watches[Self.watch]?.transitions ?? []).map {
            FoundTransition(
                kind: "range", reason: $0.reason, side: $0.side, time: $0.time, notification: $0.notification)
        }
        #expect(stored.count == 2)
        func differences(_ found: [FoundTransition]) -> [String] {
            var verdict = Verdict(plan)
            verdict.compare(Self.watch, found, []) { $0 }
            return verdict.differences
        }
        let silent = differences(stored)
        #expect(silent.count == 1)
        #expect(silent.first?.contains("message 1 of range: expected alarm high of 24.30") == true)
        #expect(differences(Array(stored.dropLast())).count == 2)
        var other = stored
        other[0].notification = "throttled"
        #expect(differences(other).count == 2)
    }

    @Test func theSameSeedMakesTheSameCourse() {
        for seed in UInt64(0)..<200 {
            var (one, other) = (CourseGenerator(seed: seed), CourseGenerator(seed: seed))
            let course = one.course(length: 60)
            #expect(course == other.course(length: 60))
            let plan = Plan(course)
            #expect(plan.rounds.flatMap(\.burst) == course.readings)
        }
    }

    /// Courses have to contain enough events to test anything.
    @Test func coursesAreOfSubstance() {
        var notifications: [String: Int] = [:]
        for seed in UInt64(0)..<200 {
            var generator = CourseGenerator(seed: seed)
            let plan = Plan(generator.course(length: 100))
            for model in plan.model.watches.values {
                for alert in model.probe.log.alerts { notifications["fault \(alert.purpose)", default: 0] += 1 }
                notifications.merge(model.withheldBecause) { $0 + $1 }
                for alert in model.log.alerts {
                    notifications["\(alert.purpose) \(alert.state)", default: 0] += 1
                    if alert.isCritical { notifications["critical", default: 0] += 1 }
                    if alert.isUnstable { notifications["unstable", default: 0] += 1 }
                    if alert.limits.held(at: alert.cause) != alert.limits { notifications["timed", default: 0] += 1 }
                }
            }
        }
        let expected = [
            "stale", "held", "delayed", "noRecipient", "throttled", "snoozed", "acknowledged", "toldUnstable",
            "critical", "unstable", "timed", "alarm delivered", "reminder delivered", "recovery delivered",
            "alarm cancelled", "recovery cancelled", "fault alarm", "fault recovery",
        ]
        for one in expected { #expect(notifications[one, default: 0] > 2, "\(one) of \(notifications)") }
    }
}
