import Instants
import TestSupport
import Testing
import WaterQuality

/// Values that stay the same for longer than water does. Times are whole hours after `start`.
@Suite struct FlatLineTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let thresholds = Parameter.ph.qualityThresholds

    private static func hour(_ hours: Double) -> Timestamp { start + .milliseconds(Int64(hours * 3_600_000)) }

    // MARK: Finding flat lines

    /// - Parameter values: The least and the greatest value of each hour, in order; the last hour is not over. `nil`
    ///   for an hour without values.
    private func find(_ values: [ClosedRange<Float>?]) -> FlatLine? {
        let hours = values.enumerated().compactMap { index, values in
            values.map {
                FlatLine.Hour(start: Self.hour(Double(index)), least: $0.lowerBound, greatest: $0.upperBound)
            }
        }
        return FlatLine.find(hours, by: Self.thresholds)
    }

    /// Water that changes within each hour, between `values` different values.
    private func lively(_ hours: Int, values: Int = 12) -> [ClosedRange<Float>?] {
        (0..<hours).map { hour in
            let value = 700 + hour % (values - 1)
            return Float(value) / 100...Float(value + 1) / 100
        }
    }

    private func flat(_ hours: Int, at value: Float = 7.21) -> [ClosedRange<Float>?] {
        Array(repeating: value...value, count: hours)
    }

    @Test(arguments: [(12, false), (13, true), (40, true)]) func halfADayWithoutAnyChangeIsOne(hours: Int, isFlat: Bool)
    {
        let found = find(lively(72) + flat(hours))
        let line = FlatLine(since: Self.hour(72), until: Self.hour(71 + Double(hours)), value: 7.21)
        #expect(found == (isFlat ? line : nil), "until the last hour began, in which it was the same")
    }

    /// A healthy probe that reads whole degrees in a heated tank stays the same for hours.
    @Test(arguments: [(21, false), (22, true)]) func aProbeIsMeasuredByItsOwnWeek(hours: Int, isFlat: Bool) {
        let steady = lively(60) + flat(5) + lively(60)
        #expect((find(steady + flat(hours)) != nil) == isFlat, "three times five hours and what was beside them")
        #expect(find(steady + lively(7 * 24) + flat(13)) != nil, "that was longer ago than a week")
    }

    @Test func aProbeThatIsNotKnownHasNone() {
        #expect(find(flat(100)) == nil)
        #expect(find(lively(71) + flat(100)) == nil)
        #expect(find(lively(72) + flat(13)) != nil)
        #expect(find(lively(72, values: 9) + flat(40)) == nil, "it tells few values apart")
        #expect(find(lively(72, values: 10) + flat(40)) != nil)
        #expect(find([]) == nil)
    }

    @Test func whatTheSensorCannotMeasureIsNone() {
        #expect(find(lively(72) + flat(40, at: 0)) == nil && find(lively(72) + flat(40, at: 14)) == nil)
    }

    @Test func anyMovementIsAnEnd() {
        #expect(find(lively(72) + flat(8) + [7.21...7.22] + flat(8)) == nil, "within an hour")
        #expect(find(lively(72) + flat(8) + flat(8, at: 7.22)) == nil, "from one hour to the next")
        #expect(find(lively(72) + flat(20) + [7.21...7.22]) == nil, "in this hour")
        #expect(find(lively(72) + flat(12) + [7.213...7.214]) != nil, "less than a sensor tells apart")
        let creeping = (0..<13).map { hour -> ClosedRange<Float>? in
            let value: Float = 7.2 + Float(hour) / 1_000
            return value...value
        }
        #expect(find(lively(72) + creeping) == nil, "a little in each hour is a lot in twelve")
    }

    @Test func aPauseIsAnEnd() {
        #expect(find(lively(72) + flat(6) + [nil, nil] + flat(5)) != nil, "two hours are a slow device")
        #expect(find(lively(72) + flat(6) + [nil, nil, nil] + flat(7)) == nil)
    }

    /// Property: a flat line has one value throughout, lasts long enough, and reaches the end.
    @Test func whatIsFoundHolds() {
        var count = 0
        for seed in 0..<1_000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var value: Float = 7
            let values = (0..<120).map { hour -> ClosedRange<Float>? in
                guard Int.random(in: 0..<40, using: &generator) > 0 else { return nil }
                let last = value
                let isLively = hour < 100 || Int.random(in: 0..<20, using: &generator) == 0
                if isLively { value = Float.random(in: 6...8, using: &generator) }
                return min(last, value)...max(last, value)
            }
            guard let line = find(values) else { continue }
            count += 1
            #expect(line.until >= Self.hour(118) && line.until - line.since >= .seconds(12 * 3_600), "seed \(seed)")
            let first = Int(((line.since - Self.start) / .seconds(3_600)).rounded())
            let covered = values[first...].compactMap(\.self)
            let spread = covered.map(\.upperBound).max()! - covered.map(\.lowerBound).min()!
            #expect(spread < 0.005, "seed \(seed)")
        }
        #expect(count > 50, "\(count)")
    }

    // MARK: Changes of a flat line

    private static let line = FlatLine(since: hour(0), until: hour(13), value: 7.2)

    private func change(by value: Float, at hours: Double, now: Double? = nil) -> FlatLine.Change {
        let time = Self.hour(hours)
        return Self.line.change(
            by: value, at: time, latest: EventTime.latest(before: time, now: Self.hour(now ?? hours)),
            thresholds: Self.thresholds)
    }

    @Test func itGoesOnUntilTheValueMoves() {
        let longer = FlatLine(since: Self.hour(0), until: Self.hour(13.5), value: 7.2)
        #expect(change(by: 7.2, at: 13.5) == .goesOn(longer) && change(by: 7.204, at: 13.5) == .goesOn(longer))
        #expect(change(by: 7.21, at: 13.5) == .moved && change(by: 7.19, at: 40) == .moved)
        #expect(
            change(by: 8, at: 13) == .none && change(by: 7.2, at: 12, now: 13) == .none, "it came before what is known")
    }

    @Test func afterAPauseNobodyKnows() {
        #expect(change(by: 7.2, at: 15) == .goesOn(FlatLine(since: Self.hour(0), until: Self.hour(15), value: 7.2)))
        #expect(change(by: 7.2, at: 15.1) == .lost)
        #expect(change(by: 7.2, at: 2, now: 2) == .lost, "by a clock that was ahead")
    }

    // MARK: Decisions for a person

    private func decide(_ change: FlatLine.Change, at hours: Double, _ state: KindState) -> Decision {
        let moment = FoundAt(Self.hour(hours), now: Self.hour(hours))
        return state.decide(.fault, now: moment.now) {
            .flatLine(change, at: moment, open: $0, lasting: .seconds(12 * 3_600), theirsFrom: $1)
        }
    }

    private static func open(flatAt: Float?) -> KindState {
        KindState(
            episode: Episode(.fault(flatAt: flatAt), openedAt: hour(0), isAlerted: true),
            throttle: Throttle(runsFrom: hour(13), pending: nil), hasRecipient: true)
    }

    @Test func itIsToldWithItsValueAndDaily() {
        let told = decide(.goesOn(Self.line), at: 13, KindState(hasRecipient: true))
        #expect(told.action == .open(Episode(.fault(flatAt: 7.2), openedAt: Self.hour(0), isAlerted: true)))
        #expect(told.notification == .alert(.opened))
        #expect(decide(.goesOn(Self.line), at: 36.9, Self.open(flatAt: 7.2)).notification == .none)
        #expect(decide(.goesOn(Self.line), at: 37, Self.open(flatAt: 7.2)).notification == .alert(.reminder))
    }

    /// A person who has had the device only lately gets no alert about the time before.
    @Test func aPersonKnowsOfTheirOwnTimeOnly() {
        func state(_ hours: Double) -> KindState {
            KindState(hasRecipient: true, theirsFrom: Self.hour(hours))
        }
        #expect(decide(.goesOn(Self.line), at: 13, state(2)) == decide(.none, at: 13, state(2)))
        let told = decide(.goesOn(Self.line), at: 13, state(1))
        #expect(told.action == .open(Episode(.fault(flatAt: 7.2), openedAt: Self.hour(1), isAlerted: true)))
    }

    @Test func itsEndIsToldAndWhatNobodyKnowsIsNot() {
        let due = RecoveryNotice.due(closedAt: Self.hour(14), now: Self.hour(14), policy: AlertPolicy())
        let open = Self.open(flatAt: 7.2)
        #expect(decide(.moved, at: 14, open).action == .close(at: Self.hour(14), recoveryDueAt: due))
        #expect(decide(.lost, at: 14, open).action == .close(at: Self.hour(14), recoveryDueAt: nil))
        #expect(decide(.moved, at: 14, KindState(hasRecipient: true)).action == .nothing)
    }

    /// A fault that the probe itself reports is not affected.
    @Test func anErrorIsLeftAlone() {
        for change in [FlatLine.Change.goesOn(Self.line), .moved, .lost] {
            #expect(decide(change, at: 14, Self.open(flatAt: nil)).action == .nothing)
        }
        let fault = ProbeFault(since: Self.hour(13), lastAt: Self.hour(14))
        for fault in [fault, nil] {
            let moment = FoundAt(Self.hour(14), now: Self.hour(14))
            let decision = Self.open(flatAt: 7.2).decide(.fault, now: moment.now) {
                .fault(fault, at: moment, open: $0, theirsFrom: $1)
            }
            #expect(decision.isNothing)
        }
    }
}

/// Two rivers over nine months, whose series a technician has labelled (except Mendon's oxygen): the flat lines that
/// would have been reported, hour by hour.
@Suite(.enabled(if: RecordedQuality.isHere, RecordedQuality.absence)) struct RecordedFlatLineTests {
    private static let series: [(site: String, column: String, parameter: Parameter, told: Int)] = [
        ("MainStreet", "temp", .temperature, 0), ("MainStreet", "ph", .ph, 0),
        ("MainStreet", "do", .dissolvedOxygen, 0), ("Mendon", "temp", .temperature, 1), ("Mendon", "ph", .ph, 1),
    ]

    /// The table in FIGURES.md.
    @Test func healthyProbesAreLeftAlone() throws {
        var table = ["series | told | rightly"]
        for (site, column, parameter, expected) in Self.series {
            let values = try RecordedQuality.river(site, column)
            let told = flatLines(values, parameter)
            let rightly = told.count { line in
                let within = values.filter { $0.time >= line.since && $0.time < line.until && $0.value != nil }
                return within.count { $0.isLabelled } * 2 > within.count
            }
            table.append("\(site) \(column) | \(told.count) | \(rightly)")
            #expect(told.count == expected && told.count == rightly, "\(site) \(column)")
        }
        print(table.joined(separator: "\n"))
    }

    /// Each flat line once, with the length at which it was first found.
    private func flatLines(_ values: [RecordedQuality.Labelled], _ parameter: Parameter) -> [FlatLine] {
        var hours: [FlatLine.Hour] = []
        for one in values {
            guard let value = one.value, parameter.qualityThresholds.sensorSpan.contains(value) else { continue }
            let start = Timestamp(unixSeconds: one.time.microseconds / 3_600_000_000 * 3_600)
            if let last = hours.last, last.start == start {
                hours[hours.count - 1].least = min(last.least, value)
                hours[hours.count - 1].greatest = max(last.greatest, value)
            } else {
                hours.append(FlatLine.Hour(start: start, least: value, greatest: value))
            }
        }
        var found: [FlatLine] = []
        for index in hours.indices {
            let remembered = hours[...index].drop { $0.start < hours[index].start - FlatLine.memory }
            guard let line = FlatLine.find(Array(remembered), by: parameter.qualityThresholds) else { continue }
            if found.last?.since != line.since { found.append(line) }
        }
        return found
    }
}
