import Instants
import Store
import WaterQuality

/// A device's display: the things that its owner would see of it in the app, in the owner's units.
struct Display: Equatable, Sendable {
    /// How a value, or the whole device, is doing; worse is greater. The raw values are a promise to firmware.
    enum State: String, CaseIterable, Comparable, Sendable {
        case fine
        /// The probe reports an error, or its value stays the same.
        case fault
        case low, high
        /// Nothing was heard for too long.
        case silent
        /// Out of range, and beyond the critical limit.
        case critical

        static func < (left: State, right: State) -> Bool { left.severity < right.severity }
        private var severity: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A value as it was measured, in the canonical unit.
    struct Measured: Equatable, Sendable {
        var value: Float
        /// By the clock of the device.
        var at: Timestamp
    }

    /// One parameter, with its limits in the unit in which it is shown.
    struct Item: Equatable, Sendable {
        let range: PersonalRange
        let measured: Measured?
        let state: State
        /// Whether it has limits at some time, though perhaps not now.
        let isTimed: Bool

        var parameter: Parameter { range.parameter }
        /// Whether anybody would be told of it.
        var isWatched: Bool { isTimed || range.minimum != nil || range.maximum != nil }
        /// The value as the person is shown it.
        var shown: Double? { measured.flatMap { range.told(parameter.steps(of: $0.value)) } }
    }

    let name: String
    /// Seconds that the owner's clock is ahead of UTC.
    let utcOffset: Int32
    /// How far the device's clock is known to be behind.
    let lag: Duration
    let state: State
    /// The person who is on it; nil while something critical, or told since they said so, is left.
    let onIt: ReadDisplays.OnIt?
    /// Work on the water that goes on: until its end nothing is told but what is critical.
    let work: ReadDisplays.CurrentWork?
    /// Parameters with a value or a trouble, in the owner's order.
    let items: [Item]

    init(_ setup: ReadDisplays.Row, _ measured: [Parameter: Measured]) {
        name = setup.name
        utcOffset = setup.utcOffset
        lag = setup.lag
        work = setup.work
        items = setup.ranges.compactMap {
            Self.item($0, isTimed: setup.timed.contains($0.parameter), measured[$0.parameter], setup.troubles)
        }
        state = items.map(\.state).reduce(Self.state(of: setup.troubles.filter { $0.parameter == nil }), max)
        onIt = Self.onIt(setup.troubles, critical: Set(items.filter { $0.state == .critical }.map(\.parameter)))
    }

    /// The last answer, where it leaves nothing that a buzzer has to sound for. It lasts as long as that of each critical
    /// value.
    private static func onIt(
        _ troubles: [ReadDisplays.Trouble], critical: Set<Parameter>
    ) -> ReadDisplays.OnIt? {
        func isCritical(_ trouble: ReadDisplays.Trouble) -> Bool {
            trouble.kind.known == .range && trouble.parameter?.known.map(critical.contains) == true
        }
        guard var last = troubles.compactMap(\.standing).max(by: { $0.since < $1.since }) else { return nil }
        for trouble in troubles {
            if let answer = trouble.standing {
                if isCritical(trouble) { last.until = min(last.until, answer.until) }
            } else if isCritical(trouble) || trouble.toldAt.map({ $0 > last.since }) == true {
                return nil
            }
        }
        return last
    }

    private static func item(
        _ range: PersonalRange, isTimed: Bool, _ measured: Measured?, _ troubles: [ReadDisplays.Trouble]
    ) -> Item? {
        let own = troubles.filter { $0.parameter?.known == range.parameter }
        guard measured != nil || !own.isEmpty else { return nil }
        var state = Self.state(of: own + troubles.filter { $0.parameter == nil })
        if state == .low || state == .high, let measured, isCritical(measured.value, range) { state = .critical }
        var shown = range
        // One unit for a value and its limits, also where the chosen one has no such value.
        shown.unit =
            range.parameter.scale(chosen: range.unit, telling: measured.map { Double($0.value) }).unit
        return Item(range: shown, measured: measured, state: state, isTimed: isTimed)
    }

    private static func isCritical(_ value: Float, _ range: PersonalRange) -> Bool {
        (try? range.rules)?.critical.isExceeded(by: range.parameter.steps(of: value)) == true
    }

    /// The worst of what has been decided. Fast changes, and what is told ahead, leave a value as it is.
    private static func state(of troubles: [ReadDisplays.Trouble]) -> State {
        troubles.map { trouble -> State in
            switch trouble.kind.known {
            case .range: trouble.side == .low ? .low : .high
            case .silence: .silent
            case .fault: .fault
            case .rate, .ahead, .byHand, .test, .way, .signIn, .summary, .proof, .care, nil: .fine
            }
        }.max() ?? .fine
    }
}

extension ReadDisplays.Trouble {
    /// The answer to what the owner was told last.
    fileprivate var standing: ReadDisplays.OnIt? {
        answer.flatMap { answer in toldAt.map { $0 > answer.since } == true ? nil : answer }
    }
}

extension Display {
    /// The problems, as Home Assistant is told them.
    var problems: HomeProblems.Problems {
        let watched = items.filter(\.isWatched).map { ($0.parameter, $0.state != .fine) }
        return HomeProblems.Problems(
            device: state != .fine, parameters: Dictionary(watched) { first, _ in first })
    }
}
